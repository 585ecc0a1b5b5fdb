"""The laws that every metric in the catalogue obeys, whoever wrote it.

Note for developers: write the specific test of your metric first (tests/metrics/), and look here only afterwards. These tests find a metric
by its file name and need no change for a new one. If a law does not hold for a metric, the metric says so by a declaration that users can
see, such as `bounded` or `empty_is_worst`; there is no list of exceptions here. If one of these tests fails while the specific tests pass, a specific
test is missing: add it before you fix the code.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference.odd_text import odd_pairs
from reference.shortcuts import without_shortcuts
from reference.toy_resources import TOY_PROVIDERS
from tertium.catalog import LabelledMetric, build_metric, find_metric, metric_names, read_signature
from tertium.catalog.building import change_metric
from tertium.catalog.labels import format_label, parse_metrics
from tertium.engines import evaluate
from tertium.errors import OptionError
from tertium.evaluation.evaluation import Evaluation, SegmentBatch, compute_statistics
from tertium.metrics import Markup, Mix
from tertium.metrics.base import Metric
from tertium.metrics.external.command import Command
from tertium.text.codes import CodedText, InlineCode
from tertium.values import Corpus, FloatArray, ReferenceStreams

NAMES = metric_names()

# Close relatives of real text: repeats, numbers, punctuation, other scripts, one-word segments.
HYPOTHESES = (
    "The guy is scheduled to France for a vacation.",
    "It is to insure the troops forever hearing the activity guidebook that party direct.",
    "cat",
    "the the the the the the the",
    "Prices rose 3.5% to $1,234.56 in 2019-2020.",
    "Он вчера купил новую машину .",
    "我昨天买了一本书。",
    "completely unrelated words here",
    "",
    "yesterday he bought a new car in the city",
)
REFERENCES = (
    ("The man will fly to France for a holiday.",),
    ("It is a guide to action that ensures that the military will forever heed Party commands.",
     "It is the guiding principle which guarantees the military forces always being under the command of the Party."),
    ("the cat sat on the mat", "a cat", "dog"),
    ("the cat is on the mat",),
    ("Prices rose by 3.5 % to 1234.56 dollars in 2019 - 2020 .",),
    ("Вчера он купил новый автомобиль .",),
    ("昨天我买了一本新书。", "我昨天买了一本书。"),
    ("nothing matches this sentence at all",),
    ("The cat sat on the mat.",),
    ("he bought a new car in the city yesterday",),
)  # fmt: skip


NO_REFERENCES = ReferenceStreams([], n_segments=len(HYPOTHESES))


@pytest.fixture(params=NAMES, scope="module")
def metric(request: pytest.FixtureRequest) -> Metric:
    return build_metric(request.param, {}, TOY_PROVIDERS)


def run(
    metric: Metric,
    hypotheses: list[str],
    references: list[list[str]],
    *,
    threads: int | None = None,
    batch_size: int = 1000,
) -> Evaluation:
    corpus = Corpus(references, {"system": hypotheses}, sources=[group[0] for group in references])
    return evaluate(corpus, [LabelledMetric("metric", metric)], threads=threads, batch_size=batch_size)


def run_all(metric: Metric, batch_size: int = 1000) -> Evaluation:
    return run(metric, list(HYPOTHESES), [list(group) for group in REFERENCES], batch_size=batch_size)


def test_identical_text_gets_the_best_score(metric: Metric) -> None:
    if metric.perfect_from is None:
        pytest.skip("a text may score less than the best against itself")
    texts = [group[0] for group in REFERENCES if len(group[0].split()) >= metric.perfect_from]
    evaluation = run(metric, texts, [[text] for text in texts])
    if metric.bounded:
        np.testing.assert_allclose(evaluation.segment_scores("metric")[0], metric.best, atol=1e-6)
        np.testing.assert_allclose(evaluation.system_scores("metric")[0], metric.best, atol=1e-6)
    others = run_all(metric).system_scores("metric")[0]
    better = evaluation.system_scores("metric")[0] - others
    assert (better > 0) == metric.higher_is_better


def test_an_empty_hypothesis_gets_the_worst_score(metric: Metric) -> None:
    if not metric.empty_is_worst:
        pytest.skip("an empty text may score better than the worst")
    evaluation = run(metric, [""], [["The cat sat on the mat."]])
    assert evaluation.segment_scores("metric")[0, 0] == pytest.approx(metric.worst, abs=1e-9)
    assert evaluation.system_scores("metric")[0] == pytest.approx(metric.worst, abs=1e-9)


@pytest.mark.parametrize("text", ["", " ", "the cat sat"])
def test_an_empty_reference_is_legal(metric: Metric, text: str) -> None:
    evaluation = run(metric, [text], [[""]])
    assert np.isfinite(evaluation.segment_scores("metric")).all()
    assert np.isfinite(evaluation.system_scores("metric")).all()


def test_the_order_of_segments_does_not_matter(metric: Metric) -> None:
    forward = run_all(metric)
    backward = run(metric, list(HYPOTHESES[::-1]), [list(group) for group in REFERENCES[::-1]])
    np.testing.assert_allclose(
        forward.segment_scores("metric")[0], backward.segment_scores("metric")[0, ::-1], rtol=1e-12, atol=1e-9
    )
    np.testing.assert_allclose(
        forward.system_scores("metric"), backward.system_scores("metric"), rtol=1e-12, atol=1e-9
    )


def test_inline_codes_do_not_change_the_score(metric: Metric) -> None:
    """Only the check `markup` reads them; here source and output have the same codes, so it finds no fault either."""
    code = InlineCode("ph", "alone", "1")
    coded = run(
        metric,
        [CodedText(text, [code]) for text in HYPOTHESES],
        [[CodedText(text, [code]) for text in group] for group in REFERENCES],
    )
    expected = run_all(metric)
    if isinstance(metric, Markup):
        assert coded.segment_scores("metric").tolist() == expected.segment_scores("metric").tolist()
        assert coded.totals("metric").tolist() != expected.totals("metric").tolist()
    else:
        np.testing.assert_array_equal(coded.tables["metric"], expected.tables["metric"])


@pytest.mark.parametrize("batch_size", [1, 3, 1000])
def test_batch_size_does_not_matter(metric: Metric, batch_size: int) -> None:
    np.testing.assert_array_equal(
        run_all(metric).tables["metric"], run_all(metric, batch_size=batch_size).tables["metric"]
    )


@pytest.mark.slow
def test_the_number_of_threads_does_not_matter(metric: Metric) -> None:
    hypotheses, references = list(HYPOTHESES) * 30, [list(group) for group in REFERENCES] * 30
    one = run(metric, hypotheses, references, threads=1)
    three = run(metric, hypotheses, references, threads=3)
    np.testing.assert_array_equal(one.tables["metric"], three.tables["metric"])


def test_without_its_short_cuts_the_core_gives_the_same_scores(metric: Metric) -> None:
    expected = run_all(metric).tables["metric"]
    with without_shortcuts():
        found = run_all(metric).tables["metric"]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)  # flows of mass round differently


def test_the_class_and_an_evaluation_give_the_same_digits(metric: Metric) -> None:
    hypotheses, references = list(HYPOTHESES) * 7, [list(group) for group in REFERENCES] * 7
    source = [group[0] for group in references]
    by_class = metric.corpus_score(hypotheses, references, source=source, orientation="segments").value
    assert by_class == run(metric, hypotheses, references).system_scores("metric")[0]


def test_parts_sum_to_the_whole(metric: Metric) -> None:
    fitted = run_all(metric).metrics[0].metric  # so that both parts know the whole test set
    references = [list(group) for group in REFERENCES]
    tables = [
        run_without_fit(fitted, list(HYPOTHESES[part]), references[part])
        for part in (slice(None), slice(0, 4), slice(4, None))
    ]
    np.testing.assert_allclose(
        tables[0].sum(axis=0), tables[1].sum(axis=0) + tables[2].sum(axis=0), rtol=1e-12
    )


def run_without_fit(metric: Metric, hypotheses: list[str], references: list[list[str]]) -> FloatArray:
    source = [group[0] for group in references]
    table = compute_statistics(SegmentBatch(references, [hypotheses], source), [metric])[0]
    return np.asarray(table[0])


@pytest.mark.parametrize("name", [name for name in NAMES if find_metric(name).takes_best_reference])
def test_another_reference_never_hurts_where_the_metric_says_so(name: str) -> None:
    metric = build_metric(name, {}, TOY_PROVIDERS)
    sign = 1 if metric.higher_is_better else -1
    together = run_all(metric).segment_scores("metric")[0]
    for i, group in enumerate(REFERENCES):
        for reference in group:
            alone = run(metric, [HYPOTHESES[i]], [[reference]]).segment_scores("metric")[0, 0]
            assert sign * together[i] >= sign * alone - 1e-9


def test_scores_are_numbers_on_odd_text(metric: Metric) -> None:
    texts = [
        "",
        " ",
        "\t",
        "\x00",
        "\u2028",
        "a\u0301",
        "é",
        "🙂🙂",
        "&amp;",
        "<skipped>",
        "." * 300,
        "ab " * 200,
    ]
    pairs = [(a, b) for a in texts for b in texts]
    evaluation = run(metric, [a for a, _ in pairs], [[b] for _, b in pairs])
    assert np.isfinite(evaluation.segment_scores("metric")).all()
    assert np.isfinite(evaluation.system_scores("metric")).all()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.lists(
        st.tuples(st.text("abcd .,é", max_size=12), st.lists(st.text("abcd .,é", max_size=12), min_size=1, max_size=3)),
        min_size=1, max_size=5,
    ) | st.builds(odd_pairs, st.just(5), st.integers(0, 2**32))
)  # fmt: skip
def test_no_text_makes_a_score_that_is_no_number(metric: Metric, data: list[tuple[str, list[str]]]) -> None:
    evaluation = run(metric, [h for h, _ in data], [r for _, r in data])
    assert np.isfinite(evaluation.segment_scores("metric")).all()
    assert np.isfinite(evaluation.system_scores("metric")).all()


@settings(max_examples=25, deadline=None)
@given(
    hypotheses=st.lists(st.text("abc d.", max_size=30), min_size=3, max_size=3),
    reference=st.text("abc d.", max_size=30),
)
@pytest.mark.parametrize("name", [name for name in NAMES if find_metric(name).stays_in_range])
def test_scores_stay_in_the_range_that_the_metric_states(
    name: str, hypotheses: list[str], reference: str
) -> None:
    metric = build_metric(name, {}, TOY_PROVIDERS)
    evaluation = run(metric, [*hypotheses, reference], [[reference]] * 4)
    low, high = sorted([metric.worst, metric.best])
    for scores in (evaluation.segment_scores("metric"), evaluation.system_scores("metric")):
        assert (scores >= low - 1e-9).all()
        assert (scores <= high + 1e-9).all()


@pytest.mark.parametrize("name", [name for name in NAMES if not find_metric(name).stays_in_range])
def test_a_metric_that_says_so_leaves_its_range(name: str) -> None:
    metric = build_metric(name, {}, TOY_PROVIDERS)
    bushy = "a bb ccc bb a bb dddd"  # more structures below `dddd` than words
    evaluation = run(metric, [bushy, bushy], [[bushy], ["dog"]])
    low, high = sorted([metric.worst, metric.best])
    scores = evaluation.segment_scores("metric")[0]
    assert scores.min() < low or scores.max() > high


@pytest.mark.parametrize(
    ("hypothesis", "references"),
    [
        (HYPOTHESES[0], REFERENCES[0]),
        (HYPOTHESES[1], REFERENCES[1]),
        ("", ("a b",)),
        ("a b", ("",)),
        ("", ("",)),
    ],
)
def test_an_explanation_is_of_the_score_that_the_segment_gets(
    metric: Metric, hypothesis: str, references: tuple[str, ...]
) -> None:
    told = metric.explain_segment(hypothesis, references, references[0])
    assert told.metric == metric.name
    scored = metric.sentence_score(hypothesis, references, source=references[0])
    assert told.score == pytest.approx(scored.value, abs=1e-9)
    assert told.steps or told.matrices or not (hypothesis and references[0])
    assert all(isinstance(value, (int, float, str)) for value in told.facts.values())
    rows, columns = told.rows or told.hypothesis, told.columns or told.reference
    assert all(0 <= i < len(rows) and 0 <= j < len(columns) for i, j, _ in told.links)


def test_an_explanation_shows_exactly_the_texts_that_the_metric_reads(metric: Metric) -> None:
    told = metric.explain_segment("a b", ("c d",), "e f")
    reads = metric.for_texts(frozenset({"references", "source"})).reads
    assert told.reads == reads
    names = {"references": "reference", "source": "source"}
    assert set(told.texts) == {"hypothesis"} | {names[kind] for kind in reads}
    assert ("e" in " ".join(told.source)) == ("source" in reads)
    assert "e" not in " ".join(told.reference)
    assert bool(told.reference) == ("references" in reads)


def test_options_round_trip_through_the_signature(metric: Metric) -> None:
    assert read_signature(metric.signature((1, 1)), TOY_PROVIDERS) == metric
    for option in metric.options():
        for value in _other_values(metric, option.name):
            changed = change_metric(metric, {option.name: value})
            read = read_signature(changed.signature((1, 2)), TOY_PROVIDERS)
            if (
                option.name == "system"
            ):  # the mean's signature is that of segment scores: bleu has eff:yes there
                assert read.signature((1, 2)) == changed.signature((1, 2))
            else:
                assert read == changed
            assert (changed.signature((1, 2)) != metric.signature((1, 2))) == option.in_signature


def test_options_round_trip_through_the_label(metric: Metric) -> None:
    for option in metric.options():
        for value in _other_values(metric, option.name):
            changed = change_metric(metric, {option.name: value})
            (read,) = parse_metrics([format_label(changed)], providers=TOY_PROVIDERS)
            assert read.metric == changed or isinstance(metric, Mix), option.name


def _other_values(metric: Metric, name: str) -> list[object]:
    """A few values that differ from the default and that the option accepts."""
    (option,) = (option for option in metric.options() if option.name == name)
    candidates: list[object] = [True, False, 2, 3, 0.25, 0.5, *option.choices, *option.grid]
    candidates += [option.default[:1]] if isinstance(option.default, tuple) else []
    accepted = []
    for value in candidates:
        if value == option.default or isinstance(value, bool) != isinstance(option.default, bool):
            continue
        try:
            change_metric(metric, {name: value})
        except ValueError:
            continue
        accepted.append(value)
    return accepted[:3]


def test_combine_is_vectorised(metric: Metric) -> None:
    table = run_all(metric).tables["metric"]
    stacked = np.stack([table[0][:3].sum(axis=0), table[0].sum(axis=0)])
    scores = metric.combine(stacked)
    assert scores.shape == (2,)
    np.testing.assert_allclose(scores, [metric.combine(row) for row in stacked], rtol=1e-12)


def test_a_metric_says_what_it_is(metric: Metric) -> None:
    assert type(metric).__doc__
    assert metric.paper
    assert all(option.help for option in metric.options())


def test_a_metric_gets_the_texts_that_it_reads_and_misses_no_other(metric: Metric) -> None:
    corpus = Corpus(
        [list(group) for group in REFERENCES],
        {"system": list(HYPOTHESES)},
        sources=[group[-1] for group in REFERENCES],
    )
    labelled = [LabelledMetric("metric", metric)]
    whole = evaluate(corpus, labelled).tables["metric"]
    for kind, without in (
        ("references", replace(corpus, references=NO_REFERENCES)),
        ("source", replace(corpus, sources=None)),
    ):
        if kind in metric.reads:
            with pytest.raises(OptionError, match=f"{metric.name} reads"):
                evaluate(without, labelled)
        elif not isinstance(metric, Command):  # a program gets the texts that there are
            np.testing.assert_array_equal(evaluate(without, labelled).tables["metric"], whole)
