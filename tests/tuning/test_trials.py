"""Trials count once what several points share; held-out scores; journals."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from metaeval.conftest import folder
from reference.toy_resources import TOY_PROVIDERS
from tertium.catalog import (
    LabelledMetric,
    MetricMaker,
    ResourceChoice,
    build_metric,
    find_metric,
    self_contained_names,
)
from tertium.corpus.judgments.folders import read_judged_folder
from tertium.errors import InputError, OptionError
from tertium.metaeval import JudgedSet, match_judgments
from tertium.metaeval.agreement import compute_statistic, parse_statistic
from tertium.metaeval.scoring import score_set
from tertium.metrics.base import Metric
from tertium.metrics.options import Option
from tertium.text import References, Texts
from tertium.tuning.journal import Journal, WatchedObjective, format_head, format_trial, parse_journal
from tertium.tuning.search import Point
from tertium.tuning.trials import (
    Trial,
    Trials,
    TunedMetric,
    Validation,
    cross_validate,
    default_statistics,
    parse_objective,
    split_segments,
    total,
)
from tertium.values import FloatArray, OffsetArray

__all__ = ["folder"]

OBJECTIVE = parse_objective("system:pearson+segment:wmt14")


@pytest.fixture
def sets(folder: Path) -> list[JudgedSet]:
    read = read_judged_folder(str(folder))
    return match_judgments(read.corpora, read.judgments)[0]


def build_bleu(point: Point) -> Metric:
    return build_metric("bleu", point)


def test_a_trial_has_the_values_of_a_whole_evaluation(sets: list[JudgedSet]) -> None:
    trials = Trials(build_bleu, sets, OBJECTIVE)
    for point in (
        {"smooth_method": "floor"},
        {"smooth_method": "add-k"},
        {"lowercase": True, "smooth_method": "floor"},
    ):
        values = trials.run(point).values
        scored = [score_set(judged, [LabelledMetric("bleu", build_bleu(point))])[0] for judged in sets]
        for judged, scores in zip(sets, scored, strict=True):
            for text in ("system:pearson", "segment:wmt14"):
                expected, _ = compute_statistic(parse_statistic(text), judged, scores["bleu"])
                assert values[text][judged.pair] == expected


def test_options_of_the_formula_count_nothing_again(sets: list[JudgedSet]) -> None:
    trials = Trials(build_bleu, sets, OBJECTIVE)
    for method in ("none", "floor", "add-k", "exp"):
        trials.run({"smooth_method": method})
    assert trials.n_counted == 1
    trials.run({"lowercase": True})
    assert trials.n_counted == 2
    trials.run({"lowercase": True})
    assert (trials.n_counted, len(trials.known)) == (2, 5)


VALUES = (
    True,
    False,
    0.25,
    0.75,
    2.0,
    3.0,
    (0.2, 0.8),
    (0.5, 0.5),
    (1.0, 0.1, 0.2, 0.3),
    (0.4, 0.3, 0.2, 0.1),
)


@pytest.mark.parametrize("name", self_contained_names())
def test_options_of_the_formula_change_no_count(name: str) -> None:
    for option in find_metric(name).options():
        if option.name not in find_metric(name).formula_options:
            continue
        metrics = list(metrics_with(name, option))
        counts = [count_example(metric)[0] for metric in metrics]
        assert len(counts) > 1, f"{name}.{option.name} has no two values to compare"
        for metric, table in zip(metrics[1:], counts[1:], strict=True):
            np.testing.assert_array_equal(table, counts[0])
            _, statistics, groups = count_example(metric)
            np.testing.assert_array_equal(metric.weigh(counts[0], groups), statistics)


def metrics_with(name: str, option: Option) -> Iterator[Metric]:
    for value in (*option.choices, *VALUES):
        try:
            yield build_metric(name, {option.name: value}, TOY_PROVIDERS)
        except OptionError:
            continue


def count_example(metric: Metric) -> tuple[FloatArray, FloatArray, OffsetArray]:
    """Counts, statistics and groups of two segments, of which one has two references."""
    references = References([["the cat sat on the mat", "a cat was sitting there"], ["it rained"]])
    fitted, texts = metric.fit(references), Texts(["a cat sat", "it rains"], references.vocabulary)
    return fitted.count(texts, references), fitted.statistics(texts, references), references.offsets


def test_an_objective_nobody_judged_is_refused(sets: list[JudgedSet]) -> None:
    with pytest.raises(OptionError, match="no language pair has human judgments for segment:pearson"):
        Trials(build_bleu, sets, parse_objective("segment:pearson"))


def test_the_default_objective_is_the_red_papers(sets: list[JudgedSet]) -> None:
    assert list(map(str, default_statistics(sets))) == ["system:spearman", "segment:wmt12"]


def test_totals_add_statistics_averaged_over_pairs() -> None:
    values = {"x": {"cs": 0.2, "de": 0.4}, "y": {"cs": 1.0}}
    assert total(values) == pytest.approx(0.3 + 1.0)
    assert total(values, ["cs"]) == pytest.approx(0.2 + 1.0)
    assert total(values, ["de"]) == -np.inf
    assert total({"x": {"cs": np.nan}}) == -np.inf


def trial(name: str, cs: float, de: float) -> Trial:
    return Trial({"name": name}, {"x": {"cs": cs, "de": de}})


def test_cross_validation_tunes_on_the_other_pairs() -> None:
    start, lucky, steady = trial("start", 0.5, 0.5), trial("lucky", 0.9, 0.3), trial("steady", 0.6, 0.6)
    result = cross_validate([start, lucky, steady], start, lucky)
    assert result is not None
    # without cs, steady is best on de (0.6) and gives 0.6 on cs; without de, lucky is best on cs and gives 0.3
    assert (result.train, result.held_out, result.held_out_before) == pytest.approx(
        (0.6, (0.6 + 0.3) / 2, 0.5)
    )
    assert "hurts" in result.warnings()[0]


def test_one_language_pair_cannot_be_cross_validated() -> None:
    only = Trial({}, {"x": {"cs": 0.5}})
    assert cross_validate([only], only, only) is None


def test_nothing_is_said_of_options_that_carry_over() -> None:
    assert Validation("held out", 1.0, 0.9, 0.99, 0.9).warnings() == []
    # Other data may be harder: what counts is the gain.
    assert Validation("held out", 1.0, 0.9, 0.59, 0.5).warnings() == []
    assert Validation("held out", 1.0, 0.9, 0.95, 0.9).warnings() == [
        "the gain does not carry over: +0.100 in training, +0.050 held out"
    ]
    assert Validation("held out", 1.0, 0.9, 0.98, 0.99).warnings() == [
        "tuning hurts held out: 0.990 before, 0.980 after"
    ]


def test_halves_of_a_set_have_each_segment_once(sets: list[JudgedSet]) -> None:
    whole = sets[0]
    halves = split_segments(whole, np.random.default_rng(0))
    ids = [label for half in halves for label in half.corpus.segment_ids or []]
    assert sorted(ids) == ["1", "2", "3", "4"]
    for half in halves:
        assert half.comparisons is not None
        assert len(half.comparisons.first) == 12
        assert set(half.comparisons.segments.tolist()) == {0, 1}
        for name, outputs in half.corpus.systems.items():
            assert list(outputs) == [
                whole.corpus.systems[name][int(i) - 1] for i in half.corpus.segment_ids or []
            ]


TASK = {"metric": "bleu", "objective": "system:pearson"}
TRIALS = [
    Trial({"a": 0.1, "b": (1, 2)}, {"x": {"cs": 0.5, "de": float("nan")}}),
    Trial({"a": 0.2}, {"x": {"cs": 0.25}}),
]


def test_a_journal_is_read_as_it_was_written() -> None:
    lines = (format_head(TASK) + "".join(map(format_trial, TRIALS))).splitlines()
    read = parse_journal(lines, TASK, "j.jsonl")
    assert [trial.point for trial in read] == [trial.point for trial in TRIALS]
    np.testing.assert_equal(read[0].values, TRIALS[0].values)
    assert parse_journal([], TASK, "j.jsonl") == []


def test_a_line_cut_off_anywhere_by_a_full_disk_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    trials = [*TRIALS[:1], Trial({"tokenizer": "é"}, {"x": {"é": 0.5}})]
    whole = (format_head(TASK) + "".join(map(format_trial, trials))).encode()
    second = whole.rstrip(b"\n").rfind(b"\n") + 1
    for end in range(second, len(whole)):
        path.write_bytes(whole[:end])
        assert len(Journal(str(path), TASK).trials) == 1
        assert path.read_bytes() == whole[:second]


@pytest.mark.parametrize(
    "line", ["[" * 100_000, '{"point": {}, "values": {"x": {"a": 1' + "0" * 400 + "}}}", "3"]
)
def test_a_damaged_line_of_a_journal_is_refused(line: str) -> None:
    with pytest.raises(InputError, match="line 2 is not a trial; delete the file"):
        parse_journal([format_head(TASK).strip(), line], TASK, "j.jsonl")


def test_a_device_is_no_journal() -> None:
    with pytest.raises(
        InputError, match="/dev/zero is a pipe or a device, but a journal can only be read from a file"
    ):
        Journal("/dev/zero", TASK)


def test_a_line_cut_off_in_the_middle_is_refused() -> None:
    lines = (format_head(TASK) + "".join(map(format_trial, TRIALS))).splitlines()
    with pytest.raises(InputError, match=r"j\.jsonl: line 2 is not a trial"):
        parse_journal([lines[0], lines[1][:20], lines[2]], TASK, "j.jsonl")


def test_the_journal_of_another_search_is_refused() -> None:
    with pytest.raises(InputError, match="is the journal of another search; pass another file"):
        parse_journal([format_head(TASK).strip()], {**TASK, "metric": "wer"}, "j.jsonl")


def test_a_journal_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(InputError, match=r"journal is not UTF-8; delete the file to start again"):
        Journal(str(path), {})


def test_expected_trials_run_once_and_are_written_to_the_journal(
    sets: list[JudgedSet], tmp_path: Path
) -> None:
    asked: list[Point] = []

    def run(points: Sequence[Point]) -> list[Trial]:
        asked.extend(points)
        return [Trial(point, {"system:pearson": {"": 0.5}}) for point in points]

    path = str(tmp_path / "journal")
    points: list[Point] = [{"lowercase": True}, {"lowercase": False}]
    for journal in (Journal(path, {"seed": 1}), None):
        objective = WatchedObjective(Trials(build_bleu, sets, OBJECTIVE), journal, run)
        objective.expect(points[:1])
        objective.expect(points)
        assert objective(points[1]) == 0.5
    assert asked == points * 2
    assert [trial.point for trial in Journal(path, {"seed": 1}).trials] == points


def test_one_metric_is_tuned_at_a_time() -> None:
    with pytest.raises(OptionError, match="one metric is tuned at a time, not 2: bleu, wer"):
        TunedMetric.parse("bleu,wer", MetricMaker(ResourceChoice()))
