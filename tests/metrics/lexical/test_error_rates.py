"""WER and PER against jiwer, Moses and hand counts."""

import pytest

from reference.golden import golden_pairs, golden_table
from tertium.metrics.lexical.per import PER
from tertium.metrics.lexical.wer import WER

PAIRS = golden_pairs(tokenized=True)
GOLDEN = golden_table("foundation")


def test_wer_equals_jiwers_and_moses() -> None:
    for key, (hypothesis, reference, _) in PAIRS.items():
        rate = WER(tokenizer="none").sentence_score(hypothesis, [reference]).score / 100
        assert rate == pytest.approx(float(GOLDEN[key]["jiwer_tok:jiwer_wer"]), abs=1e-9), key
        assert rate == pytest.approx(1 - float(GOLDEN[key]["moses_tok:WER"]), abs=1e-6), key


def test_per_equals_moses() -> None:
    for key, (hypothesis, reference, _) in PAIRS.items():
        rate = PER(tokenizer="none").sentence_score(hypothesis, [reference]).score / 100
        assert rate == pytest.approx(1 - float(GOLDEN[key]["moses_tok:PER"]), abs=1e-6), key


def test_the_rate_of_the_whole_corpus_equals_jiwers() -> None:
    hypotheses = [row[0] for row in PAIRS.values()]
    references = [row[1] for row in PAIRS.values()]
    # jiwer 4 on the 56 pairs: 0.650574713
    assert WER(tokenizer="none").corpus_score(hypotheses, [references]).score == pytest.approx(65.0574713)


@pytest.mark.parametrize(
    ("metric", "references", "edits", "length"),
    [
        (WER(), ["a b d c", "x"], 2, 2.5),
        (WER(), ["a b c d e f"], 2, 6),
        (PER(), ["d c b a", "a"], 0, 2.5),
        (PER(), ["a a a a a"], 4, 5),
    ],
)
def test_the_nearest_reference_counts_and_the_average_length_divides(
    metric: WER | PER, references: list[str], edits: int, length: float
) -> None:
    score = metric.sentence_score("a b c d", references)
    assert score.details == {"edits": edits, "reference_length": length}
    assert score.score == pytest.approx(100 * edits / length)


@pytest.mark.parametrize("metric", [WER(), PER()])
@pytest.mark.parametrize(("hypothesis", "expected"), [("", 0.0), ("three more words", 100.0)])
def test_an_empty_reference_costs_all_or_nothing(metric: WER | PER, hypothesis: str, expected: float) -> None:
    assert metric.sentence_score(hypothesis, [""]).score == expected
