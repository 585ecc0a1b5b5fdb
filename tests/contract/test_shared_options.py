"""The options that every metric has: `system=mean`, and `normalize` for a normal form of Unicode."""

import pickle
from collections.abc import Sequence
from unicodedata import normalize

import numpy as np
import pytest

from contract.test_metrics import HYPOTHESES, NAMES, REFERENCES, run_all
from reference.toy_resources import TOY_PROVIDERS
from tertium.catalog import LabelledMetric, build_metric
from tertium.catalog.building import change_metric
from tertium.engines import PreparedCorpus, evaluate
from tertium.metrics import BLEU
from tertium.metrics.base import SYSTEM, Metric, shared_options
from tertium.text import References
from tertium.values import Corpus


@pytest.fixture(params=NAMES, scope="module")
def metric(request: pytest.FixtureRequest) -> Metric:
    return build_metric(request.param, {}, TOY_PROVIDERS)


def test_system_mean_is_the_mean_of_the_segment_scores(metric: Metric) -> None:
    averaged = change_metric(metric, {"system": "mean"})
    plain, mean = run_all(metric), run_all(averaged)
    scores = plain.segment_scores("metric")
    np.testing.assert_allclose(mean.segment_scores("metric"), scores, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(mean.system_scores("metric"), scores.mean(axis=1), rtol=1e-9, atol=1e-9)
    assert SYSTEM not in shared_options(type(metric)) or "|system:mean" in mean.signature("metric")
    corpus = Corpus(
        [list(group) for group in REFERENCES], {"system": list(HYPOTHESES)}, sources=list(HYPOTHESES)
    )
    counted, table = PreparedCorpus(corpus).count(averaged).weigh(averaged)
    np.testing.assert_array_equal(
        table, evaluate(corpus, [LabelledMetric("metric", averaged)]).tables["metric"]
    )
    assert type(counted) is type(averaged)


# nfc changes the first two, nfkc the third, too.
UNNORMALISED = (
    *(normalize("NFD", text) for text in ("Žlutý kůň úpěl ďábelské ódy.", "naïve façades")),
    "ＡＢＣ is ﬁne in 2019",
)


def make_corpus(forms: Sequence[str]) -> Corpus:
    """Make texts whose hypotheses, references and sources are in these normal forms."""
    texts = [[*UNNORMALISED, *HYPOTHESES], [*UNNORMALISED, *(each[0] for each in REFERENCES)]]
    ours, theirs, sources = (
        [normalize(form, text) if form else text for text in column]  # type: ignore[arg-type]
        for form, column in zip(forms, (*texts, texts[0]), strict=True)
    )
    second = [group[-1] for group in REFERENCES]
    references = [
        [text, *more]
        for text, more in zip(
            theirs, [*([] for _ in UNNORMALISED), *([each] for each in second)], strict=True
        )
    ]
    return Corpus(references, {"system": ours}, sources=sources)


@pytest.mark.parametrize("form", ["nfc", "nfkc"])
def test_normalize_scores_texts_as_if_they_had_been_normalised_before(metric: Metric, form: str) -> None:
    changed = change_metric(metric, {"normalize": form})
    mixed = make_corpus(["NFD", "", "NFC"])
    expected = evaluate(make_corpus([form.upper()] * 3), [LabelledMetric("metric", metric)])
    found = evaluate(mixed, [LabelledMetric("metric", changed)])
    np.testing.assert_array_equal(found.tables["metric"], expected.tables["metric"])
    assert found.system_scores("metric") == expected.system_scores("metric")
    counted, table = PreparedCorpus(mixed).count(changed).weigh(changed)
    np.testing.assert_array_equal(table, expected.tables["metric"])
    assert type(counted) is type(changed)
    assert f":{form}|" in changed.signature((1, 1))


@pytest.mark.parametrize("row", [0, 2])
def test_normalize_explains_the_score_that_it_gives(metric: Metric, row: int) -> None:
    changed = change_metric(metric, {"normalize": "nfkc"})
    hypothesis, references = UNNORMALISED[row], [normalize("NFC", UNNORMALISED[row]), "another text"]
    told = changed.explain_segment(hypothesis, references, references[0])
    assert told.score == pytest.approx(
        changed.sentence_score(hypothesis, references, source=references[0]).value
    )
    assert list(changed.list_faults(hypothesis, normalize("NFKC", hypothesis))) == []


def test_normalize_learns_only_where_the_metric_learns(metric: Metric) -> None:
    changed = change_metric(metric, {"normalize": "nfc"})
    assert changed.learns_from_references == metric.learns_from_references
    assert (type(changed).fit is Metric.fit) == (type(metric).fit is Metric.fit)
    whole = normalize("NFC", UNNORMALISED[0])
    learnt, again = metric.learn(References([[whole]])), changed.learn(References([[UNNORMALISED[0]]]))
    assert type(again) is type(learnt)
    if learnt is not None:
        fitted, refitted = metric.fit_learnt(learnt), changed.fit_learnt(again)
        scores = [each.sentence_score(whole, [whole, "another"]).value for each in (fitted, refitted)]
        assert scores[0] == scores[1]


def test_shared_options_can_be_combined_taken_back_and_pickled(metric: Metric) -> None:
    mean = {"system": "mean"} if SYSTEM in shared_options(type(metric)) else {}
    changed = change_metric(metric, {"normalize": "nfc", **mean})
    copied = pickle.loads(pickle.dumps(changed))
    assert type(copied) is type(changed)
    assert copied.signature((1, 1)) == changed.signature((1, 1))
    before = {name: getattr(metric, name) for name in ("normalize", *mean)}
    assert change_metric(changed, before) == metric


@pytest.mark.parametrize("given", [{"normalize": "nfc"}, {"system": "mean"}])
def test_a_class_says_how_to_give_an_option_that_all_metrics_share(given: dict[str, str]) -> None:
    [(name, value)] = given.items()
    with pytest.raises(
        TypeError, match=f"BLEU has no option {name}=; write it in a label, as in 'bleu:{name}={value}'"
    ):
        BLEU(**given)  # type: ignore[arg-type]
