"""CharacTER: the original tool's scores, and the textbook's with and without fuzzy matching."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.character import character_score
from reference.golden_columns import read_columns, read_pairs
from tertium.catalog import build_metric
from tertium.errors import OptionError, UnknownNameError
from tertium.kernels.threads import use_threads
from tertium.metrics.lexical.character import CharacTER

WORDS = st.sampled_from(["a", "b", "an", "and", "aunt", "bend", "bond", "bonds", "é", "中文", "fonds"])
TEXTS = st.lists(WORDS, max_size=12)


@pytest.mark.parametrize("kind", ["raw", "tok"])
def test_scores_equal_the_original_tool(kind: str) -> None:
    pairs, golden = read_pairs(kind), read_columns(f"character_{kind}")["character"]
    metric = CharacTER()
    for name, hypothesis, references in zip(pairs.ids, pairs.hypotheses, pairs.references, strict=True):
        score = metric.sentence_score(hypothesis, references).score
        assert f"{score / 100:.9f}" == f"{golden.segments[name]:.9f}", name
    whole = metric.corpus_score(pairs.hypotheses, pairs.references, orientation="segments").score
    assert whole / 100 == pytest.approx(golden.corpus, abs=1e-9)  # its mean is over the rounded scores


@given(TEXTS, TEXTS, st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_scores_equal_the_textbook(hypothesis: list[str], reference: list[str], threshold: int) -> None:
    metric = CharacTER(shift_threshold=threshold)
    ours = metric.sentence_score(" ".join(hypothesis), [" ".join(reference)]).score
    assert ours == pytest.approx(character_score(hypothesis, reference, threshold=threshold), abs=1e-11)


@given(st.permutations(["a", "b", "an", "and", "aunt", "bend", "bond", "bonds", "a", "b"]))
@settings(max_examples=50, deadline=None)
def test_scores_of_reordered_words_equal_the_textbook(shuffled: list[str]) -> None:
    reference = ["a", "b", "an", "and", "aunt", "bend", "bond", "bonds", "a", "b"]
    ours = CharacTER().sentence_score(" ".join(shuffled), [" ".join(reference)]).score
    assert ours == pytest.approx(character_score(shuffled, reference), abs=1e-11)


def test_texts_past_64_words_equal_the_textbook() -> None:
    words = [f"w{i}" for i in range(75)]
    moved = [*words[30:40], *words[:30], "new", *words[40:70]]
    ours = CharacTER().sentence_score(" ".join(moved), [" ".join(words)]).score
    assert ours == pytest.approx(character_score(moved, words), abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_ours", "n_theirs", "n_words", "threshold"),
    [(70, 80, 90, 0), (80, 66, 60, 0), (12, 70, 90, 1), (9, 129, 5, 0)],
)
def test_long_texts_of_unequal_length_equal_the_textbook(
    n_ours: int, n_theirs: int, n_words: int, threshold: int
) -> None:
    rng = np.random.default_rng(n_ours)
    ours, theirs = ([f"w{i}" for i in rng.integers(0, n_words, n)] for n in (n_ours, n_theirs))
    score = CharacTER(shift_threshold=threshold).sentence_score(" ".join(ours), [" ".join(theirs)]).score
    assert score == pytest.approx(character_score(ours, theirs, threshold=threshold), abs=1e-11)


def test_texts_of_one_word_repeated_equal_the_textbook() -> None:
    ours, theirs = ["a"] * 12, ["a"] * 70
    score = CharacTER().sentence_score(" ".join(ours), [" ".join(theirs)]).score
    assert score == pytest.approx(character_score(ours, theirs), abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_single_words_moved_in_texts_past_64_words_equal_the_textbook(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in rng.integers(0, 40, 66)]
    moved = list(words)
    for start, target in rng.integers(0, 66, (4, 2)):
        moved.insert(target, moved.pop(start))
    ours = CharacTER().sentence_score(" ".join(moved), [" ".join(words)]).score
    assert ours == pytest.approx(character_score(moved, words), abs=1e-11)


@pytest.mark.parametrize(
    ("hypothesis", "references", "score"),
    [
        pytest.param("b c d a", ["a b c d"], 100 / 7, id="one-word-moved-left-costs-the-phrase-it-passed"),
        pytest.param(
            "bbb a c a", ["a bbb"], 100 * (4 + 3 + 1) / 9, id="a-repeated-word-is-found-further-right"
        ),
        pytest.param(
            "b b ddd ddd e e",
            ["ddd b e e ddd b"],
            100 * 7 / 15,
            id="rounding-lets-a-move-pass-as-in-the-tool",
        ),
        pytest.param("abcd", ["abxd"], 25.0, id="one-of-four-characters"),
        pytest.param("ab", ["abcdef"], 100.0, id="never-above-100"),
        pytest.param("abcd", ["xxxx", "abxd"], 25.0, id="lowest-of-two-references"),
        pytest.param("", ["a b"], 100.0, id="empty-hypothesis"),
        pytest.param("a b", [""], 100.0, id="empty-reference"),
        pytest.param("", [""], 100.0, id="both-empty"),
    ],
)
def test_hand_computed_scores(hypothesis: str, references: list[str], score: float) -> None:
    assert CharacTER().sentence_score(hypothesis, references).score == pytest.approx(score, abs=1e-12)


def test_threshold_lets_words_alike_move() -> None:
    hypothesis, references = "yesterdays cars", ["car yesterday"]
    assert CharacTER().sentence_score(hypothesis, references).details["shift_costs"] == 0
    score = CharacTER(shift_threshold=1).sentence_score(hypothesis, references).score
    assert score == pytest.approx(100 * (2 + 10) / 15)  # two letters too many, 'yesterdays' moved right


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_scores_do_not_depend_on_threads(threads: int) -> None:
    rng = np.random.default_rng(3)
    lines = [" ".join(f"w{i}" for i in rng.integers(0, 9, 1 + n % 8)) for n in range(400)]
    with use_threads(threads):
        score = CharacTER().corpus_score(lines[:200], [lines[200:]], orientation="streams").score
    textbook = [character_score(a.split(), b.split()) for a, b in zip(lines[:200], lines[200:], strict=True)]
    assert score == pytest.approx(np.mean(textbook))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"shift_threshold": -1}, OptionError, "shift_threshold must be a whole number at least 0"),
        ({"tokenizer": "nne"}, UnknownNameError, "unknown tokenizer 'nne'; did you mean none"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        build_metric("character", options)
