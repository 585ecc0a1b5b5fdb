"""What every metric inherits: counts, explanations, and errors of its constructor."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from tertium.errors import ResourceError
from tertium.metrics import BEER, STD, WER, SrcSim, Terms
from tertium.metrics.base import Metric
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TextKind


@pytest.mark.parametrize(
    ("cls", "given", "message"),
    [
        (WER, {"tokenize": "13a"}, "WER has no option tokenize=; use tokenizer="),
        (WER, {"lowercas": True}, "WER has no option lowercas=; did you mean lowercase"),
        (WER, {"system": "mean"}, "WER has no option system=; write it in a label, as in 'wer:system=mean'"),
    ],
)
def test_an_unknown_option_is_reported_with_a_suggestion(
    cls: type[Metric], given: dict[str, object], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        cls(**given)


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Terms, "terms needs a glossary: write terms:FILE.tsv"),
        (SrcSim, "srcsim needs an encoder of sentences"),
        (BEER, "beer needs "),
        (STD, "std needs word vectors: pass vectors=FILE"),
    ],
)
def test_a_missing_resource_is_named(cls: type[Metric], message: str) -> None:
    with pytest.raises(ResourceError, match=message):
        cls()


def test_counts_are_the_statistics_unless_a_metric_separates_them() -> None:
    references = References([["a b", "a"], ["c"]])
    texts = Texts(["a", "b c"], references.vocabulary)
    rows = WER().statistics(texts, references)
    np.testing.assert_array_equal(WER().weigh(WER().count(texts, references), references.offsets), rows)


def test_a_metric_that_learns_nothing_is_fitted_as_it_is() -> None:
    metric, references = WER(), References([["a"]])
    assert metric.fit(references) is metric
    assert metric.learn(references) is None
    assert not metric.learns_from_references
    assert metric.fit_learnt(None) is metric
    assert list(metric.list_faults("a", None)) == []


def test_the_signature_for_one_reference_is_that_of_sacrebleu() -> None:
    assert WER().get_signature() == WER().signature((1, 1))


@dataclass(frozen=True)
class Silent(Metric):
    """A metric of the source whose explanation does not show the source."""

    reads: ClassVar[frozenset[TextKind]] = frozenset({"source"})

    def statistics(self, hypotheses: Texts, references: References, source: Texts) -> FloatArray:
        return np.zeros((len(hypotheses), 1))

    def combine(self, totals: FloatArray) -> FloatArray:
        return totals[..., 0]

    def explain(self, hypothesis: str, references: Sequence[str], source: str) -> Explanation:
        return Explanation(self.name, hypothesis.split(), ["x"], 0.0)


def test_an_explanation_shows_the_texts_that_were_read() -> None:
    told = Silent().explain_segment("a b", ["c"], "d e")
    assert (list(told.hypothesis), list(told.reference), list(told.source)) == (["a", "b"], [], ["d", "e"])
