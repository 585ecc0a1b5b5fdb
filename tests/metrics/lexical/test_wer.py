"""WER against jiwer, Moses and hand counts."""

import pytest

from reference.golden import golden_pairs, golden_table
from tertium.metrics.lexical.wer import WER

PAIRS = golden_pairs(tokenized=True)
GOLDEN = golden_table("foundation")


def test_wer_equals_jiwers_and_moses() -> None:
    for key, (hypothesis, reference, _) in PAIRS.items():
        rate = WER(tokenizer="none").sentence_score(hypothesis, [reference]).score / 100
        assert rate == pytest.approx(float(GOLDEN[key]["jiwer_tok:jiwer_wer"]), abs=1e-9), key
        assert rate == pytest.approx(1 - float(GOLDEN[key]["moses_tok:WER"]), abs=1e-6), key


def test_the_rate_of_the_whole_corpus_equals_jiwers() -> None:
    hypotheses = [row[0] for row in PAIRS.values()]
    references = [row[1] for row in PAIRS.values()]
    # jiwer 4 on the 56 pairs: 0.650574713
    assert WER(tokenizer="none").corpus_score(hypotheses, [references]).score == pytest.approx(65.0574713)


@pytest.mark.parametrize(
    ("references", "edits", "length"), [(["a b d c", "x"], 2, 2.5), (["a b c d e f"], 2, 6)]
)
def test_the_nearest_reference_counts_and_the_average_length_divides(
    references: list[str], edits: int, length: float
) -> None:
    score = WER().sentence_score("a b c d", references)
    assert score.details == {"edits": edits, "reference_length": length}
    assert score.score == pytest.approx(100 * edits / length)


@pytest.mark.parametrize(("hypothesis", "expected"), [("", 0.0), ("three more words", 100.0)])
def test_an_empty_reference_costs_all_or_nothing(hypothesis: str, expected: float) -> None:
    assert WER().sentence_score(hypothesis, [""]).score == expected
