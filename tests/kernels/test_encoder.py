"""The encoder equals the textbook's, and has the same bits everywhere."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reference.encoder import encode, make_tables
from tertium._core import TextEncoder as CoreEncoder
from tertium.kernels.embedding import TextEncoder
from tertium.kernels.threads import use_threads


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([(32, 32), (64, 96), (96, 32), (160, 256)]),
    st.integers(0, 2),
    st.lists(st.integers(1, 90), min_size=1, max_size=4),
)
@example(seed=0, sizes=(32, 32), n_layers=2, lengths=[28])  # rounding decides which word is attended to
def test_states_are_those_of_the_textbook(
    seed: int, sizes: tuple[int, int], n_layers: int, lengths: list[int]
) -> None:
    rng = np.random.default_rng(seed)
    tables = make_tables(rng, width=sizes[0], inner=sizes[1], n_layers=n_layers)
    sequences = [rng.integers(0, 50, length).tolist() for length in lengths]
    for pieces, ours in zip(sequences, TextEncoder(*tables).encode(sequences, n_layers), strict=True):
        # floats have 32 bits, so an input half-way between two steps may be rounded to the other one
        assert cosines(ours, encode(*tables, pieces)).min() > (0.998 if n_layers else 1 - 1e-6)
        assert cosines(ours, encode(*tables, pieces, rounds=False)).mean() > (0.98 if n_layers else 1 - 1e-6)


def cosines(ours: npt.NDArray[Any], theirs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    products = (ours * theirs).sum(axis=1)
    return np.asarray(products / np.linalg.norm(ours, axis=1) / np.linalg.norm(theirs, axis=1))


@pytest.mark.parametrize("threads", [1, 3])
def test_states_do_not_depend_on_other_sequences_or_threads(threads: int) -> None:
    rng = np.random.default_rng(3)
    encoder = TextEncoder(*make_tables(rng, width=64, inner=128, n_layers=2))
    sequences = [rng.integers(0, 50, length).tolist() for length in rng.integers(1, 90, 80)]
    alone = [encoder.encode([pieces], 2)[0] for pieces in sequences]
    with use_threads(threads):
        together = encoder.encode(sequences, 2)
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one, other)


def test_an_earlier_layer_is_that_of_a_smaller_encoder() -> None:
    embeddings, layers = make_tables(np.random.default_rng(4), width=32, inner=64, n_layers=3)
    pieces = [[1, 2, 3, 4], [5]]
    whole, small = TextEncoder(embeddings, layers), TextEncoder(embeddings, layers[:2])
    for one, other in zip(whole.encode(pieces, 2), small.encode(pieces, 2), strict=True):
        np.testing.assert_array_equal(one, other)


PROGRAM = """
import sys
import numpy as np
from tertium.kernels.embedding import TextEncoder
from reference.encoder import make_tables

for seed, (width, inner) in enumerate([(32, 64), (64, 160), (384, 1536)]):
    rng = np.random.default_rng(seed)
    encoder = TextEncoder(*make_tables(rng, width=width, inner=inner, n_layers=2))
    sequences = [rng.integers(0, 50, length).tolist() for length in [*range(1, 35), 90]]
    for states in encoder.encode(sequences, 2):
        sys.stdout.buffer.write(states.tobytes())
"""


@pytest.mark.slow
def test_every_instruction_set_gives_the_same_bytes() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=Path(__file__).parents[1],
            env={**os.environ, **given},
            check=True,
            capture_output=True,
        ).stdout
        for given in ({}, {"TERTIUM_BASELINE": "avx2"}, {"TERTIUM_BASELINE": "1"})
    ]
    assert len(outputs[0]) > 100_000
    assert outputs[0] == outputs[1] == outputs[2]


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("query.weights", np.zeros((32, 64), np.int8)),
        ("query.biases", np.zeros(31, np.float32)),
        ("narrow.scales", np.zeros(64, np.float32)),
        ("norm.weights", np.zeros(16, np.float32)),
        ("wide.scales", np.zeros(32, np.float32)),
    ],
)
def test_tables_that_do_not_fit_are_rejected(name: str, table: npt.NDArray[Any]) -> None:
    embeddings, (layer,) = make_tables(np.random.default_rng(5), width=32, inner=64, n_layers=1)
    with pytest.raises(ValueError, match="do not fit together"):
        TextEncoder(embeddings, [{**layer, name: table}])


@pytest.mark.parametrize(
    ("ids", "offsets", "n_layers"),
    [([50], [0, 1], 1), ([-1], [0, 1], 1), ([0] * 91, [0, 91], 1), ([0], [0, 1], 2), ([0], [0, 2], 1)],
    ids=["unknown piece", "negative piece", "too long", "no such layer", "wrong offsets"],
)
def test_wrong_sequences_are_rejected(ids: list[int], offsets: list[int], n_layers: int) -> None:
    embeddings, layers = make_tables(np.random.default_rng(6), width=32, inner=64, n_layers=1)
    encoder = CoreEncoder(embeddings, layers)
    with pytest.raises(ValueError):
        encoder.encode(np.array(ids, np.int32), np.array(offsets, np.int64), n_layers, 1)


def test_nothing_is_encoded_to_nothing() -> None:
    encoder = TextEncoder(*make_tables(np.random.default_rng(7), width=32, inner=64, n_layers=1))
    assert [len(states) for states in encoder.encode([[], [1]], 1)] == [0, 1]
