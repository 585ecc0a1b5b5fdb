"""BLEU against sacreBLEU: golden numbers, and live on any text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as PEER_BLEU

from reference.golden import golden_pairs, golden_table
from reference.odd_text import odd_lines
from tertium.errors import InputError, OptionError
from tertium.metrics.lexical.bleu import BLEU

PAIRS = golden_pairs()
GOLDEN = golden_table("foundation")
TEXT = st.text("ab .,3é-", max_size=20)


@pytest.mark.parametrize(
    ("column", "metric"),
    [
        ("bleu_sent", BLEU()),
        ("bleu_noeff", BLEU(effective_order=False)),
        ("bleu_lc", BLEU(lowercase=True)),
        ("bleu_none", BLEU(smooth_method="none", effective_order=False)),
        ("bleu_floor", BLEU(smooth_method="floor")),
        ("bleu_addk1", BLEU(smooth_method="add-k")),
    ],
)
def test_sentence_scores_equal_sacrebleus(column: str, metric: BLEU) -> None:
    for key, (hypothesis, reference, _) in PAIRS.items():
        expected = float(GOLDEN[key][f"sacrebleu_raw:{column}"])
        assert metric.sentence_score(hypothesis, [reference]).score == pytest.approx(expected, abs=1e-9), key


def test_two_references_are_pooled_as_in_sacrebleu() -> None:
    # sacreBLEU 2.6.0, the five pairs with two references: corpus 28.914024859, sentences below
    sentences = {"mr1": 39.763536438, "mr2": 44.573518322, "mr3": 6.505161692, "mr4": 45.180100180, "mr5": 39.281465090}  # fmt: skip
    rows = [PAIRS[key] for key in sentences]
    streams = [[row[1] for row in rows], [row[2] for row in rows]]
    assert BLEU().corpus_score([row[0] for row in rows], streams).score == pytest.approx(
        28.914024859, abs=1e-9
    )
    for (hypothesis, *references), expected in zip(rows, sentences.values(), strict=True):
        assert BLEU().sentence_score(hypothesis, references).score == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.tuples(TEXT, TEXT, TEXT), min_size=1, max_size=6),
    smooth_method=st.sampled_from(["none", "floor", "add-k", "exp"]),
    smooth_value=st.sampled_from([None, 0.01, 2.0]),
    lowercase=st.booleans(),
    tokenizer=st.sampled_from(["13a", "none", "char", "intl", "zh"]),
    effective_order=st.booleans(),
    order=st.integers(1, 6),
)
def test_corpus_scores_equal_sacrebleus_whatever_the_options(
    rows: list[tuple[str, str, str]], smooth_method: str, smooth_value: float | None, tokenizer: str,
    order: int, *, lowercase: bool, effective_order: bool,
) -> None:  # fmt: skip
    if smooth_method in ("none", "exp"):
        smooth_value = None
    hypotheses, first, second = (list(column) for column in zip(*rows, strict=True))
    peer = PEER_BLEU(
        lowercase=lowercase, tokenize=tokenizer, smooth_method=smooth_method, smooth_value=smooth_value,
        max_ngram_order=order, effective_order=effective_order,
    ).corpus_score(hypotheses, [first, second])  # fmt: skip
    ours = BLEU(
        lowercase=lowercase, tokenizer=tokenizer, smooth_method=smooth_method, smooth_value=smooth_value,  # type: ignore[arg-type]
        max_ngram_order=order, effective_order=effective_order,
    ).corpus_score(hypotheses, [first, second], orientation="streams")  # fmt: skip
    assert ours.score == pytest.approx(peer.score, rel=1e-12, abs=1e-12)
    assert ours.details["precisions"] == pytest.approx(peer.precisions, rel=1e-12)
    assert ours.details["brevity_penalty"] == pytest.approx(peer.bp, rel=1e-12)
    assert (ours.details["hypothesis_length"], ours.details["reference_length"]) == (
        peer.sys_len,
        peer.ref_len,
    )


@pytest.mark.slow
def test_a_large_odd_corpus_scores_as_in_sacrebleu() -> None:
    hypotheses = list(odd_lines(3_000, seed=1))
    references = [
        line[: len(line) // 2] + other for line, other in zip(hypotheses, odd_lines(3_000, 2), strict=True)
    ]
    ours = BLEU().corpus_score(hypotheses, [references])
    assert ours.score == pytest.approx(PEER_BLEU().corpus_score(hypotheses, [references]).score, rel=1e-13)


def test_the_default_signature_has_sacrebleus_items() -> None:
    signature = BLEU().corpus_score(["a b c"], [["a b c"]], orientation="streams").signature
    assert signature.startswith("bleu|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:tertium-")


@pytest.mark.parametrize(
    ("chosen", "system", "segment"), [(None, "no", "yes"), (True, "yes", "yes"), (False, "never", "never")]
)
def test_a_segments_signature_says_which_orders_counted_there(
    chosen: bool | None, system: str, segment: str
) -> None:
    metric = BLEU(effective_order=chosen)
    whole = metric.corpus_score(["a b c"], [["a b c"]], orientation="streams")
    assert f"|eff:{system}|" in whole.signature
    assert f"|eff:{segment}|" in metric.sentence_score("a b c", ["a b c"]).signature


def test_the_signature_of_a_segment_says_what_sacrebleus_command_line_says() -> None:
    peer = PEER_BLEU(effective_order=True)  # as `sacrebleu --sentence-level` makes it
    peer.sentence_score("a b c", ["a b c"])
    theirs = str(peer.get_signature()).rpartition("|version:")[0]
    assert BLEU().sentence_score("a b c", ["a b c"]).signature.startswith(f"bleu|{theirs}|")


def test_a_different_number_of_references_per_segment_shows_in_the_signature() -> None:
    score = BLEU().corpus_score(["a b", "c d"], [["a b", "c d"], ["a", None]], orientation="streams")
    assert "|nrefs:var|" in score.signature


def test_transposed_references_are_refused() -> None:
    hypotheses = ["a b c d", "e f g h", "i j k l"]
    with pytest.raises(InputError, match="transposed"):
        BLEU().corpus_score(hypotheses, [["a b c d"], ["e f g h"], ["i j k l"]])


def test_references_that_fit_both_ways_need_an_orientation() -> None:
    square = [["a b", "a c"], ["d e", "d f"]]
    with pytest.raises(InputError, match="orientation"):
        BLEU().corpus_score(["a b", "d e"], square)
    assert BLEU(max_ngram_order=1).corpus_score(["a b", "d e"], square, orientation="segments").score > 99
    assert BLEU(max_ngram_order=1).corpus_score(["a b", "d e"], square, orientation="streams").score < 99


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        ([], [[]], "empty"),
        ("abc", [["abc"]], "hypotheses must be a list of strings"),
        (["a", "b"], ["a", "b"], "list of lists"),
        (["a", "b"], [["a", "b", "c"]], "do not fit"),
        (["a", "b"], [[None, "b"]], "segment 1 has no reference"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(
    hypotheses: list[str], references: list[list[str]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        BLEU().corpus_score(hypotheses, references)


def test_a_single_string_is_no_list_of_references() -> None:
    with pytest.raises(InputError, match="list of strings"):
        BLEU().sentence_score("a", "a")


@pytest.mark.parametrize(
    "options", [{"max_ngram_order": 0}, {"smooth_value": -1.0}, {"smooth_method": "magic"}]
)
def test_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="bleu: "):
        BLEU(**options)  # type: ignore[arg-type]


def test_resampled_totals_of_any_shape_combine() -> None:
    totals = np.array([[6, 6, 5, 3, 2, 1, 6, 5, 4, 3], [0, 6, 0, 0, 0, 0, 0, 0, 0, 0]], dtype=float)
    scores = BLEU().combine(np.stack([totals, totals]))
    assert scores.shape == (2, 2)
    assert (scores[:, 1] == 0).all()
