"""TER: sacreBLEU's scores to the last digit, on published pairs, odd text and long sequences."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.metrics.ter import TER as PEER_TER

from reference.golden import FOLDER
from reference.golden_columns import read_columns, read_pairs
from reference.odd_corpora import Corpus, corpora, texts, word_lists
from tertium.catalog import build_metric
from tertium.errors import OptionError
from tertium.kernels.edits import count_translation_edits
from tertium.kernels.strings import number_pairs
from tertium.kernels.threads import use_threads
from tertium.metrics.lexical.ter import TER

COLUMNS: dict[str, dict[str, Any]] = {
    "ter": {},
    "ter_cs": {"case_sensitive": True},
    "ter_norm": {"normalized": True},
    "ter_nopunct": {"no_punct": True},
}
OPTIONS = st.fixed_dictionaries(
    dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), st.booleans())
)


def count_edits(hypotheses: list[list[str]], references: list[list[str]]) -> list[float]:
    first, second = number_pairs(hypotheses, references)
    groups = np.arange(len(references) + 1, dtype=np.int64)
    return [float(edits) for edits in count_translation_edits(first, second, groups)[:, 0]]


@pytest.mark.parametrize("kind", ["raw", "tok", "multi_raw", "multi_tok"])
@pytest.mark.parametrize("column", COLUMNS)
def test_scores_equal_sacrebleus_published_digits(kind: str, column: str) -> None:
    pairs, golden = read_pairs(kind), read_columns(f"ter_{kind}")[column]
    metric = TER(**COLUMNS[column])
    for name, hypothesis, references in zip(pairs.ids, pairs.hypotheses, pairs.references, strict=True):
        score = metric.sentence_score(hypothesis, references).score
        assert f"{score:.9f}" == f"{golden.segments[name]:.9f}", name
    whole = metric.corpus_score(pairs.hypotheses, pairs.references, orientation="segments").score
    assert f"{whole:.9f}" == f"{golden.corpus:.9f}"


@pytest.mark.slow
@given(corpora(), OPTIONS)
@settings(deadline=None)
def test_corpus_scores_equal_sacrebleu_on_odd_text(corpus: Corpus, options: dict[str, Any]) -> None:
    hypotheses, streams = corpus
    ours = TER(**options).corpus_score(hypotheses, streams, orientation="streams").score
    # sacreBLEU adds average lengths (thirds, with three references) one after the other and rounds each time.
    theirs = PEER_TER(**options).corpus_score(hypotheses, streams).score
    assert ours == pytest.approx(theirs, rel=1e-13)


@given(texts, st.lists(texts, min_size=1, max_size=3), OPTIONS)
@settings(deadline=None)
def test_segment_scores_equal_sacrebleu_on_odd_text(
    hypothesis: str, references: list[str], options: dict[str, Any]
) -> None:
    ours = TER(**options).sentence_score(hypothesis, references).score
    assert ours == PEER_TER(**options).sentence_score(hypothesis, references).score


# Where a second pass of the rules finds something to do: possessives and numbers beside marks, nested entities.
PIECES = st.sampled_from(
    [
        "'s",
        "'s.",
        "McDonald's.",
        "3",
        ".",
        ",",
        "3.5",
        "-",
        "&amp;quot;",
        "&amp;",
        "amp;",
        "(",
        " ",
        " ",
        "a",
        "。",
        "中",
    ]
)


@pytest.mark.slow
@given(
    st.lists(PIECES, max_size=12).map("".join),
    st.lists(st.lists(PIECES, max_size=12).map("".join), min_size=1, max_size=2),
    OPTIONS,
)
@settings(max_examples=300, deadline=None)
def test_references_are_tokenised_twice_as_in_sacrebleu(
    hypothesis: str, references: list[str], options: dict[str, Any]
) -> None:
    ours = TER(**options).sentence_score(hypothesis, references).score
    assert ours == PEER_TER(**options).sentence_score(hypothesis, references).score


@pytest.mark.parametrize(("retokenize", "score"), [(True, 100 / 3), (False, 0.0)])
def test_a_possessive_before_a_full_stop_is_split_in_references_only(retokenize: bool, score: float) -> None:
    text = "I ate at McDonald's."
    metric = TER(normalized=True, retokenize=retokenize)
    assert metric.sentence_score(text, [text]).score == pytest.approx(score)
    assert metric.explain(text, [text]).score == pytest.approx(score)


def test_the_second_pass_is_named_in_the_signature_when_it_is_left_out() -> None:
    assert "retokenize" not in TER(normalized=True).signature((1, 1))
    assert "|retokenize:no|" in TER(normalized=True, retokenize=False).signature((1, 1))


@given(word_lists, word_lists)
@settings(max_examples=200, deadline=None)
def test_edits_of_repeated_words_equal_sacrebleu(hypothesis: list[str], reference: list[str]) -> None:
    assert count_edits([hypothesis], [reference]) == [translation_edit_rate(hypothesis, reference)[0]]


@given(st.permutations(list("abcdefghijkl")))
@settings(max_examples=50, deadline=None)
def test_edits_of_reordered_words_equal_sacrebleu(shuffled: list[str]) -> None:
    reference = list("abcdefghijkl")
    assert count_edits([shuffled], [reference]) == [translation_edit_rate(shuffled, reference)[0]]


def test_edits_of_long_sequences_keep_sacrebleus_limits() -> None:
    lines = (FOLDER / "lexical" / "ter_long.tsv").read_text(encoding="utf-8").splitlines()[2:]
    rows = [line.split("\t") for line in lines]
    edits = count_edits([row[0].split() for row in rows], [row[1].split() for row in rows])
    assert edits == [float(row[2]) for row in rows]


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        pytest.param(range(55, 170), [*range(110, 170), *range(200, 255)], id="beam-is-left"),
        pytest.param([5], range(130), id="beam-grows-with-length-ratio"),
        pytest.param(range(130), [5], id="long-hypothesis"),
        pytest.param(range(130), range(130), id="same"),
    ],
)
def test_edits_of_unlike_lengths_equal_sacrebleu(hypothesis: list[int], reference: list[int]) -> None:
    ours, theirs = [str(i) for i in hypothesis], [str(i) for i in reference]
    assert count_edits([ours], [theirs]) == [translation_edit_rate(ours, theirs)[0]]


def test_texts_too_long_for_bit_rows_take_the_beam_alone() -> None:
    words = [str(i) for i in range(8200)]
    moved = [*words[40:50], *words[:40], *words[50:8000], *words[8010:]]
    assert count_edits([moved], [words]) == [11.0]  # one shift and ten missing words


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_edits_do_not_depend_on_threads(threads: int) -> None:
    rng = np.random.default_rng(3)
    lists = [list(map(str, rng.integers(0, 12, n % 30))) for n in range(600)]
    with use_threads(1):
        alone = count_edits(lists[:300], lists[300:])
    with use_threads(threads):
        assert count_edits(lists[:300], lists[300:]) == alone


def test_signature_names_sacrebleus_choices() -> None:
    signature = TER(normalized=True).signature((1, 1))
    assert signature.startswith("ter|nrefs:1|tok:tercom|case:lc|norm:yes|punct:yes|asian:no|version:")


def test_options_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(OptionError, match="normalized must be yes or no, not 'maybe'"):
        build_metric("ter", {"normalized": "maybe"})
