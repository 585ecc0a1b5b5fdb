"""Shared headword chains equal the textbook twin and two other tools' counts."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.headword_chains import chain_counts, gapped_chain_counts
from reference.trees import heads_strategy, tree_column
from tertium.kernels.strings import Vocabulary, tokenize_texts
from tertium.kernels.syntax import count_headword_chains
from tertium.values import FloatArray

GOLDEN = Path(__file__).parent.parent / "golden" / "hwcm_trees.tsv"
with GOLDEN.open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))

Side = tuple[list[str], list[int]]


def side(row: dict[str, str], name: str) -> Side:
    return row[name].split(" "), [int(head) for head in row[f"{name}_heads"].split()]


def count(hypothesis: Side, references: list[Side], order: int = 4) -> FloatArray:
    vocabulary = Vocabulary()
    return count_headword_chains(
        tokenize_texts([" ".join(hypothesis[0])], "none", vocabulary),
        tree_column([hypothesis[1]]),
        tokenize_texts([" ".join(words) for words, _ in references], "none", vocabulary),
        tree_column([heads for _, heads in references]),
        np.array([0, len(references)]),
        order=order,
    )


def twin(hypothesis: Side, reference: Side, order: int = 4) -> list[int]:
    ours = [chain_counts(*hypothesis, n) for n in range(1, order + 1)]
    theirs = [chain_counts(*reference, n) for n in range(1, order + 1)]
    shared = [(a & b).total() for a, b in zip(ours, theirs, strict=True)]
    return [*shared, *(a.total() for a in ours), *(b.total() for b in theirs)]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_counts_equal_moses(row: dict[str, str]) -> None:
    counts = count(side(row, "hypothesis"), [side(row, "reference")])[0].reshape(3, 4)
    assert counts.T.ravel().tolist() == [float(n) for n in row["moses_counts"].split()]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_the_twins_paths_give_asiyas_overlap(row: dict[str, str]) -> None:
    for n in range(1, 5):
        ours, theirs = (gapped_chain_counts(*side(row, name), n) for name in ("hypothesis", "reference"))
        overlap = (ours & theirs).total() / (ours | theirs).total()
        assert overlap == pytest.approx(float(row[f"asiya_{n}"]), abs=1e-6)  # it prints six digits


@st.composite
def sides(draw: st.DrawFn) -> Side:
    heads = draw(heads_strategy(max_size=12))
    return draw(st.lists(st.sampled_from("ab"), min_size=len(heads), max_size=len(heads))), heads


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(hypothesis=sides(), references=st.lists(sides(), min_size=1, max_size=3), order=st.integers(1, 6))
def test_counts_equal_the_twin(hypothesis: Side, references: list[Side], order: int) -> None:
    rows = count(hypothesis, references, order)
    assert rows.tolist() == [twin(hypothesis, reference, order) for reference in references]


def test_a_long_chain_is_counted() -> None:
    long = (["a"] * 200, list(range(-1, 199)))
    assert count(long, [long])[0].tolist() == [200, 199, 198, 197] * 3


def test_a_cycle_is_refused() -> None:
    with pytest.raises(ValueError, match="without cycles"):
        count((["a", "b"], [1, 0]), [(["a"], [-1])])
