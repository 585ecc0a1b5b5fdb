"""InvWER: the exact recursion's edits on published pairs, several references, bounds and bad options."""

import random

import numpy as np
import pytest

from reference.golden import golden_pairs, golden_table
from tertium.catalog import build_metric, parse_metrics, read_signature
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.metrics.lexical.invwer import InvWER
from tertium.metrics.lexical.per import PER
from tertium.metrics.lexical.wer import WER

PAIRS = golden_pairs(tokenized=True)
GOLDEN = golden_table("lexical/invwer_tok")
METRIC = InvWER(tokenizer="none")


def test_edits_equal_the_exact_recursion_on_every_pair() -> None:
    for key, (hypothesis, reference, _) in PAIRS.items():
        details = METRIC.sentence_score(hypothesis, [reference]).details
        assert details["edits"] == float(GOLDEN[key]["exact"]), key
        assert details["reference_length"] == float(GOLDEN[key]["reference_length"]), key
        assert details["bounded_segments"] == 0


def test_three_pairs_differ_from_the_letter_of_the_paper() -> None:
    keys = [key for key, row in GOLDEN.items() if key in PAIRS and row["exact"] != row["eq2"]]
    assert len(keys) == 3


def test_the_rate_of_the_whole_corpus_is_the_published_one() -> None:
    score = METRIC.corpus_score([row[0] for row in PAIRS.values()], [[row[1] for row in PAIRS.values()]])
    assert f"{score.score / 100:.9f}" == GOLDEN["#corpus"]["exact"]


def test_the_rate_lies_between_per_and_wer() -> None:
    for hypothesis, reference, _ in PAIRS.values():
        low, middle, high = (
            metric.sentence_score(hypothesis, [reference]).score for metric in (PER(), InvWER(), WER())
        )
        assert low <= middle <= high


def test_the_nearest_reference_counts_and_the_average_length_divides() -> None:
    score = InvWER().sentence_score("c d a b", ["a b c d", "x y"])
    assert score.details == {"edits": 1, "reference_length": 3, "bounded_segments": 0}
    assert score.score == pytest.approx(100 / 3)


def test_costs_are_options() -> None:
    assert InvWER(inversion=0.5).sentence_score("b a", ["a b"]).score == 25
    assert InvWER(inversion=5, substitution=0.25).sentence_score("b a", ["a b"]).score == 25
    assert InvWER(deletion=0).sentence_score("a b x y", ["a b"]).score == 0
    (parsed,) = parse_metrics(["invwer:inversion=0.5,beyond=bound"])
    assert parsed.metric == InvWER(inversion=0.5, beyond="bound")


def test_costs_stand_in_the_signature() -> None:
    metric = InvWER(inversion=0.5, max_memory=10)
    signature = metric.signature((1, 1))
    assert "inversion:0.5" in signature
    assert read_signature(signature) == metric


@pytest.mark.parametrize(
    "options",
    [
        {"inversion": -1},
        {"insertion": float("nan")},
        {"deletion": float("inf")},
        {"max_memory": 0},
        {"beyond": "guess"},
    ],
    ids=str,
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=f"invwer: {next(iter(options))} must be"):
        build_metric("invwer", options)


def test_an_unknown_tokenizer_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown tokenizer"):
        InvWER(tokenizer="14a")


def long_texts() -> tuple[str, str]:
    rng = random.Random(4)
    first, second = (" ".join(rng.choice("abcdef") for _ in range(100)) for _ in range(2))
    return first, second


def test_a_segment_beyond_the_memory_is_named() -> None:
    hypothesis, reference = long_texts()
    with pytest.raises(InputError, match=r"segment 2: .* 100 and 100 symbols needs more than 1 megabytes"):
        InvWER(max_memory=1).corpus_score(["a", hypothesis, hypothesis], [["a", reference, reference]])


def test_a_bound_is_marked_in_the_details() -> None:
    hypothesis, reference = long_texts()
    metric = InvWER(max_memory=1, beyond="bound")
    score = metric.corpus_score(["a b", hypothesis], [["b a", reference]], orientation="streams")
    assert score.details["bounded_segments"] == 1
    assert 1 < score.details["edits"] <= 1 + WER().sentence_score(hypothesis, [reference]).details["edits"]  # type: ignore[operator]


def test_an_explanation_tells_swaps_and_edits() -> None:
    told = InvWER().explain("at noon we meet there", ["none of these words", "we meet at twelve there"])
    assert told.reference == ["we", "meet", "at", "twelve", "there"]
    assert list(told.steps) == [
        "swap two blocks",
        "  first",
        "    keep     at",
        "    replace  noon → twelve",
        "  second",
        "    keep     we meet",
        "keep     there",
    ]
    assert told.facts["inversions"] == 1
    assert told.facts["nearest_reference"] == 2
    assert told.facts["parse"] == "[⟨[at/at noon/twelve] [we/we meet/meet]⟩ there/there]"
    assert (
        told.score
        == InvWER()
        .sentence_score("at noon we meet there", ["none of these words", "we meet at twelve there"])
        .score
    )


def test_every_explanation_accounts_for_the_edits() -> None:
    for hypothesis, reference, _ in PAIRS.values():
        facts = METRIC.explain(hypothesis, [reference]).facts
        kinds = ("substitutions", "deletions", "insertions", "inversions")
        assert np.sum([float(facts[kind]) for kind in kinds]) == facts["edits"]
