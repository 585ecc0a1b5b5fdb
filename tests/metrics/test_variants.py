"""The options `system` and `normalize`: classes that are derived from the class of a metric."""

import pickle
from unicodedata import normalize

import numpy as np
import pytest

from tertium.metrics import BLEU, METEOR, NIST, TER, WER, ChrF, Language, Metric
from tertium.metrics.variants import with_mean, with_normal_form
from tertium.text import References, Texts

COMPOSED, DECOMPOSED = (normalize(form, "Žlutý kůň stojí") for form in ("NFC", "NFD"))
HYPOTHESES, REFERENCES = ["the cat sat", "a dog", "it rained"], [["the cat sat down"], ["a dog"], ["rain"]]


@pytest.mark.parametrize("metric", [BLEU(), ChrF(), TER(), NIST()], ids=str)
def test_the_system_score_is_the_mean_of_the_segment_scores(metric: Metric) -> None:
    references = References(REFERENCES)
    fitted = metric.fit(references)
    mean, texts = with_mean(fitted), Texts(HYPOTHESES, references.vocabulary)
    rows = mean.statistics(texts, references)
    scores = fitted.segment_scores(fitted.statistics(texts, references))
    np.testing.assert_allclose(mean.segment_scores(rows), scores)
    np.testing.assert_array_equal(mean.weigh(mean.count(texts, references), references.offsets), rows)
    np.testing.assert_array_equal(mean.rate_rows(rows), scores if metric.higher_is_better else -scores)
    totals = rows.sum(axis=0)
    assert mean.combine(totals) == pytest.approx(scores.mean())
    assert mean.count_scores(totals) == 3
    assert mean.details(totals) == {"segments": 3.0}


def test_a_mean_explains_a_segment_as_the_metric_does() -> None:
    assert with_mean(WER()).explain("a b", ["a"]) == WER().explain("a b", ["a"])


@pytest.mark.parametrize("made", [with_mean(WER()), with_normal_form(with_mean(ChrF()), "nfc")], ids=str)
def test_a_derived_metric_can_be_pickled(made: Metric) -> None:
    copied = pickle.loads(pickle.dumps(made))
    assert type(copied) is type(made)
    assert copied.signature((1, 1)) == made.signature((1, 1))


def test_the_form_none_changes_nothing() -> None:
    metric = WER()
    assert with_normal_form(metric, "none") is metric


@pytest.mark.parametrize("metric", [WER(), ChrF(), NIST()], ids=str)
def test_texts_are_compared_in_their_normal_form(metric: Metric) -> None:
    made = with_normal_form(metric, "nfc")
    equal = metric.sentence_score(COMPOSED, [COMPOSED]).value
    assert made.sentence_score(DECOMPOSED, [COMPOSED]).value == equal
    assert made.explain(DECOMPOSED, [COMPOSED]).score == equal
    assert metric.sentence_score(DECOMPOSED, [COMPOSED]).value != equal


def test_counts_and_what_is_learnt_are_those_of_the_normal_form() -> None:
    made, references = with_normal_form(NIST(), "nfc"), References([[DECOMPOSED]])
    texts = Texts([DECOMPOSED], references.vocabulary)
    fitted = made.fit(references)
    np.testing.assert_array_equal(fitted.count(texts, references), fitted.statistics(texts, references))
    learnt = made.fit_learnt(made.learn(references))
    assert (
        learnt.sentence_score(COMPOSED, [COMPOSED]).value == fitted.sentence_score(COMPOSED, [COMPOSED]).value
    )


def test_faults_are_those_of_the_normal_form() -> None:
    check = with_normal_form(Language(), "nfc")
    copy, source = (normalize(form, "žlutý kůň stojí dole u řeky") for form in ("NFD", "NFC"))
    assert list(check.list_faults(copy, source)) == ["copy of the source"]
    assert list(check.list_faults(copy, None)) == []


def test_a_metric_with_an_option_of_that_name_keeps_it() -> None:
    assert "normalize" in {option.name for option in METEOR.options()}
