"""Judgments that belong to other segments than the texts of the same number are found."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest

from tertium.catalog import LabelledMetric
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.misfit import describe_misfit
from tertium.metaeval.scoring import score_set
from tertium.metrics import ChrF
from tertium.stats.correlation import pearson
from tertium.values import Corpus, FloatArray


def make(n: int, shift: int) -> JudgedSet:
    """Outputs with some wrong words, judged by the share of right words with noise; judgments are shifted."""
    rng = np.random.default_rng(1)
    words = np.array([f"word{i}" for i in range(200)])
    references = rng.choice(words, (n, 10))
    quality = rng.random(n)
    outputs, human = {}, np.empty((3, n))
    for i, name in enumerate("abc"):
        wrong = rng.random((n, 10)) > quality[:, None]
        outputs[name] = [" ".join(row) for row in np.where(wrong, rng.choice(words, (n, 10)), references)]
        human[i] = quality + rng.normal(0, 0.8, n)
    scores: FloatArray = np.roll(human, shift, axis=1)
    return JudgedSet("de-en", Corpus([[" ".join(row)] for row in references], outputs), segment_scores=scores)


def make_long_and_short(n: int) -> JudgedSet:
    """Like WMT23 zh-en: sums of errors are large for long segments, whose outputs have the higher chrF."""
    rng = np.random.default_rng(4)
    words = np.array([f"word{i}" for i in range(200)])
    references, outputs = [], {name: list[str]() for name in "abcdef"}
    human = np.empty((len(outputs), n))
    for j in range(n):
        size = int(rng.integers(3, 60))
        reference = rng.choice(words, size)
        references.append([" ".join(reference)])
        for i, texts in enumerate(outputs.values()):
            wrong = rng.random(size) < rng.uniform(0.0, 0.3) + 1.0 / size
            texts.append(" ".join(np.where(wrong, rng.choice(words, size), reference)))
            human[i, j] = -wrong.sum() - 5 * rng.poisson(size / 8)
    return JudgedSet("zh-en", Corpus(references, dict(outputs)), segment_scores=human)


def reorder(judged: JudgedSet, order: Iterable[int]) -> JudgedSet:
    scores = judged.segment_scores
    assert scores is not None
    return replace(judged, segment_scores=scores[:, list(order)])


def correlate_between(judged: JudgedSet) -> float:
    """Correlate the means of segments, which was the whole check in version 0.2."""
    scored, _ = score_set(judged, [LabelledMetric("chrf", ChrF())])
    human, chrf = judged.segment_scores, scored["chrf"].segment_scores
    assert human is not None
    assert chrf is not None
    return float(pearson(human.mean(axis=0), chrf.mean(axis=0)))


def test_matched_judgments_fit() -> None:
    assert describe_misfit(make(500, 0)) is None


def test_matched_judgments_fit_where_long_segments_dominate_the_variance_between_segments() -> None:
    judged = make_long_and_short(600)
    assert correlate_between(judged) < 0.05
    assert describe_misfit(judged) is None


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (lambda n: np.roll(range(n), 1), "they fit the texts 1 line before their own"),
        (lambda n: np.roll(range(n), -3), "they fit the texts 3 lines after their own"),
        (lambda n: sorted(range(n), key=lambda i: str(i // 10)), "such as by sorted documents"),
        (lambda n: range(n)[::-1], "such as by sorted documents"),
    ],
    ids=["shifted", "shifted back", "sorted documents", "reversed"],
)
@pytest.mark.parametrize("made", [make(500, 0), make_long_and_short(600)], ids=["short", "long and short"])
def test_judgments_in_another_order_do_not_fit(
    made: JudgedSet, order: Callable[[int], Iterable[int]], reason: str
) -> None:
    message = describe_misfit(reorder(made, order(len(made.corpus)))) or ""
    assert message.startswith(f"{made.pair}: the human scores of segments do not fit their texts (r = ")
    assert message.endswith(reason)


def test_judgments_of_some_outputs_are_compared_with_these_outputs() -> None:
    judged = make(900, 0)
    rng = np.random.default_rng(3)
    assert judged.segment_scores is not None
    missing = rng.random(judged.segment_scores.shape) < 0.5
    sparse = replace(judged, segment_scores=np.where(missing, np.nan, judged.segment_scores))
    assert describe_misfit(sparse) is None
    assert describe_misfit(reorder(sparse, np.roll(range(900), 5)))


def test_few_segments_and_equal_outputs_are_not_checked() -> None:
    assert describe_misfit(make(100, 40)) is None
    judged = make(500, 0)
    same = replace(judged.corpus, systems=dict.fromkeys("abc", ["word1"] * 500), references=[["word1"]] * 500)
    assert describe_misfit(replace(judged, corpus=same)) is None
