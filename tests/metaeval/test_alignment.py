"""Judgments that belong to other segments than the texts of the same number are found."""

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.metaeval.alignment import check_alignment
from tertium.metaeval.judged_sets import JudgedSet
from tertium.types import Corpus, FloatArray


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


def test_aligned_judgments_pass() -> None:
    check_alignment(make(500, 0))


def test_judgments_in_another_order_are_an_error_with_a_remedy() -> None:
    with pytest.raises(
        InputError, match=r"de-en: the human scores of segments do not fit their texts .*unchecked"
    ):
        check_alignment(make(2_000, 700))


def test_few_segments_are_not_checked() -> None:
    check_alignment(make(100, 40))
