"""Metrics against people: the numbers of a table, what it says where there is none, its tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal
from unittest.mock import patch

import numpy as np
import pytest
import scipy.stats

from tertium.catalog import LabelledMetric, parse_metrics
from tertium.corpus.judgments.folders import read_judged_folder
from tertium.corpus.judgments.score_files import read_score_file
from tertium.errors import InputError, OptionError, ResourceError
from tertium.metaeval import JudgedSet, match_judgments
from tertium.metaeval.agreement import parse_statistic
from tertium.metaeval.scoring import MetricScores, score_set, scores_from_files
from tertium.metaeval.tables import MetaColumn, MetaTable, make_meta_table
from tertium.metrics.base import Metric
from tertium.stats.analysis import MetricAnalysis
from tertium.stats.human import Comparisons
from tertium.text import References, Texts
from tertium.values import Corpus, FloatArray


def judged_set(pair: str, seed: int, n_systems: int = 8, n_segments: int = 30) -> JudgedSet:
    rng = np.random.default_rng(seed)
    corpus = Corpus([["x"]] * n_segments, {f"s{i}": ["x"] * n_segments for i in range(n_systems)})
    segments = rng.normal(size=(n_systems, n_segments)) + np.linspace(1, 0, n_systems)[:, None]
    upper = np.triu_indices(n_systems, k=1)
    first, second = (np.tile(side, n_segments).astype(np.int32) for side in upper)
    numbers = np.repeat(np.arange(n_segments), len(first) // n_segments).astype(np.int32)
    preferences = np.sign(segments[first, numbers] - segments[second, numbers]).astype(np.int32)
    return JudgedSet(
        pair, corpus, segments.mean(axis=1), segments, Comparisons(numbers, first, second, preferences)
    )


def noisy_scores(judged: JudgedSet, label: str, noise: float, seed: int, sign: int = 1) -> MetricScores:
    assert judged.segment_scores is not None
    rng = np.random.default_rng(seed)
    segments = sign * (judged.segment_scores + noise * rng.normal(size=judged.segment_scores.shape))
    return MetricScores(label, sign > 0, "", segments.mean(axis=1), segments)


SETS = [judged_set("cs-en", 1), judged_set("de-en", 2)]
SCORED: list[Mapping[str, MetricScores]] = [
    {
        "sharp": noisy_scores(judged, "sharp", 0.3, 10 + i),
        "blunt": noisy_scores(judged, "blunt", 3.0, 20 + i),
        "errors": noisy_scores(judged, "errors", 0.5, 30 + i, sign=-1),
    }
    for i, judged in enumerate(SETS)
]


def table(
    statistic: str,
    scored: Sequence[Mapping[str, MetricScores]] = SCORED,
    sets: Sequence[JudgedSet] = SETS,
    *,
    method: Literal["perm-both", "williams", "none"] = "perm-both",
    n_samples: int = 200,
    intervals: bool = False,
) -> MetaTable:
    options = MetricAnalysis(method=method, n_samples=n_samples, intervals=intervals)
    return make_meta_table(parse_statistic(statistic), sets, scored, options)


@pytest.mark.parametrize(
    ("statistic", "judge"),
    [
        ("system:pearson", scipy.stats.pearsonr),
        ("system:spearman", scipy.stats.spearmanr),
        ("system:kendall", scipy.stats.kendalltau),
        ("segment:pearson", scipy.stats.pearsonr),
        ("segment:kendall", scipy.stats.kendalltau),
    ],
)
def test_values_are_scipys(statistic: str, judge: Any) -> None:
    made = table(statistic)
    level = statistic.partition(":")[0]
    human: FloatArray = getattr(SETS[0], f"{level}_scores").ravel()
    for label, cell in zip(made.metrics, made.columns[0].cells, strict=True):
        metric = getattr(SCORED[0][label], f"{level}_scores").ravel()
        assert cell.signed == pytest.approx(judge(human, metric)[0], abs=1e-12)


def test_a_metric_where_lower_is_better_is_turned_around() -> None:
    cell = dict(
        zip(table("segment:pearson").metrics, table("segment:pearson").columns[0].cells, strict=True)
    )["errors"]
    assert cell.value is not None
    assert cell.value > 0.5
    assert cell.signed == -cell.value


def test_the_last_column_is_the_average() -> None:
    made = table("segment:wmt14")
    assert [column.pair for column in made.columns] == ["cs-en", "de-en", "average"]
    for cells in zip(*(column.cells for column in made.columns), strict=True):
        assert cells[2].value == pytest.approx((cells[0].value + cells[1].value) / 2)


@pytest.mark.parametrize(
    "statistic",
    [
        "segment:pearson", "segment:kendall:item", "segment:spearman:system", "segment:wmt12", "segment:wmt14",
        "segment:acc-eq:item", "segment:red", "segment:accuracy:item",
    ],
)  # fmt: skip
def test_the_blunt_metric_is_outperformed_and_the_sharp_one_is_not(statistic: str) -> None:
    made = table(statistic, n_samples=50)
    by_label = dict(zip(made.metrics, made.columns[-1].cells, strict=True))
    assert by_label["sharp"].rank == 1
    assert by_label["sharp"].outperformed_by == ()
    assert "sharp" in by_label["blunt"].outperformed_by
    assert (by_label["sharp"].letters, by_label["blunt"].letters) == ("a", "c")


def test_soft_accuracy_is_tested() -> None:
    made = table("system:spa")
    assert made.columns[0].p_values is not None
    assert [cell.rank for cell in made.columns[-1].cells] == [1, 3, 2]


def test_williams_is_for_pearson_only() -> None:
    made = table("system:pearson", method="williams")
    assert made.columns[0].p_values is not None
    assert made.columns[-1].p_values is None
    with pytest.raises(OptionError, match="Williams' test is for Pearson's r without groups"):
        table("system:kendall", method="williams")


def test_constant_scores_are_said_and_leave_the_others_alone() -> None:
    constant = MetricScores("flat", True, "", np.zeros(8), np.zeros((8, 30)))
    made = table(
        "system:pearson",
        [{**SCORED[0], "flat": constant}, {**SCORED[1], "flat": noisy_scores(SETS[1], "flat", 1, 0)}],
    )
    flat = made.metrics.index("flat")
    first, second, average = (column.cells[flat] for column in made.columns)
    assert (first.value, first.reason) == (None, "constant scores")
    assert second.value is not None
    assert (average.value, average.reason) == (None, "undefined for a language pair")
    assert made.columns[-1].cells[0].value is not None
    p_values = made.columns[0].p_values
    assert p_values is not None
    assert np.isnan(p_values[flat]).all()


@pytest.mark.parametrize(
    ("judged", "statistic", "reason"),
    [
        (judged_set("x", 0, n_systems=2), "system:pearson", "fewer than 3 judged systems"),
        (JudgedSet("x", SETS[0].corpus, np.ones(8)), "system:pearson", "constant human scores"),
    ],
)
def test_a_statistic_that_does_not_exist_has_a_reason(judged: JudgedSet, statistic: str, reason: str) -> None:
    scores = MetricScores("m", True, "", np.arange(float(len(judged.systems))))
    made = table(statistic, [{"m": scores}], [judged])
    assert made.columns[0].cells[0].reason == reason


def test_missing_scores_are_said() -> None:
    broken = noisy_scores(SETS[0], "m", 1.0, 0)
    assert broken.system_scores is not None
    broken.system_scores[2] = np.nan
    made = table("system:pearson", [{"m": broken}], SETS[:1])
    assert made.columns[0].cells[0].reason == "scores are missing"
    none = MetricScores("m", True, "", broken.system_scores)
    assert table("segment:pearson", [{"m": none}], SETS[:1]).columns[0].cells[0].reason == "no segment scores"


def test_a_table_without_judgments_for_it_is_refused() -> None:
    bare = JudgedSet("x", SETS[0].corpus, SETS[0].system_scores)
    with pytest.raises(InputError, match="no language pair has human judgments for segment:wmt14"):
        table("segment:wmt14", [SCORED[0]], [bare])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pearson", "the level must be system, document, domain or segment"),
        ("system:wmt14", "the system level has no statistic 'wmt14'; choose from pearson, spearman"),
        ("system:pearson:item", "only segment scores are grouped"),
        ("segment:kendall:rater", "only segment scores are grouped"),
        ("segment:wmt12:item", "only segment scores are grouped"),
    ],
)
def test_a_statistic_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        parse_statistic(text)


def test_statistics_are_written_as_they_are_read() -> None:
    for text in ("system:spearman", "segment:kendall:item", "segment:wmt13"):
        assert str(parse_statistic(text)) == text


@dataclass(frozen=True)
class Broken(Metric):
    # not an error that is raised again and again: its traceback would keep the texts until Python ends
    reason: ClassVar[type[Exception]] = ResourceError

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        raise self.reason("no trees for this text")

    def combine(self, totals: FloatArray) -> FloatArray:
        return totals


def test_a_metric_that_refuses_a_text_does_not_stop_the_others(folder: Path) -> None:
    read = read_judged_folder(str(folder))
    sets, _ = match_judgments(read.corpora, read.judgments)
    metrics = [*parse_metrics(["wer,bleu"]), LabelledMetric("broken", Broken())]
    for judged in sets:
        scored, warnings = score_set(judged, metrics)
        assert list(scored) == ["wer", "bleu"]
        assert warnings == [f"broken failed on {judged.pair}: no trees for this text"]


def test_a_bug_in_a_metric_is_not_turned_into_a_warning(folder: Path) -> None:
    read = read_judged_folder(str(folder))
    sets, _ = match_judgments(read.corpora, read.judgments)
    with (
        patch.object(Broken, "reason", ZeroDivisionError),
        pytest.raises(ZeroDivisionError),
    ):
        score_set(sets[0], [LabelledMetric("broken", Broken())])


def test_a_score_file_that_counts_rows_must_have_one_per_segment(tmp_path: Path) -> None:
    human = JudgedSet("de-en", Corpus([["x"]] * 3, {"A": ["x"] * 3}))
    for n_rows in (2, 4):
        (tmp_path / "M.seg.score").write_text("A\t1\n" * n_rows, encoding="utf-8")
        file = read_score_file(str(tmp_path / "M.seg.score"))
        with pytest.raises(InputError, match=f"has {n_rows} scores of A, but de-en has 3 segments"):
            scores_from_files(human, [file])


def test_a_score_of_an_unknown_segment_is_refused(tmp_path: Path) -> None:
    human = JudgedSet("de-en", Corpus([["x"]] * 2, {"A": ["x"] * 2}))
    rows = "".join(f"M\tde-en\tt\tA\t{segment}\t0.5\n" for segment in (1, 2, 3))
    (tmp_path / "M.seg.score").write_text(rows, encoding="utf-8")
    with pytest.raises(InputError, match="line 3 has a score of segment '3', which is not in de-en"):
        scores_from_files(human, [read_score_file(str(tmp_path / "M.seg.score"))])


def test_scores_may_come_from_files(tmp_path: Path) -> None:
    human = JudgedSet("de-en", Corpus([["x"]] * 2, {name: ["x"] * 2 for name in "AB"}))
    (tmp_path / "M.seg.score").write_text(
        "A\t1\nA\t2\nB\t3\nB\t5\nhuman-B\t9\nhuman-B\t9\n", encoding="utf-8"
    )
    (tmp_path / "N.sys.score").write_text(
        "N\tde-en\tt\tA\t1\nN\tcs-en\tt\tA\t8\nN\tde-en\tt\tB\t2\n", encoding="utf-8"
    )
    files = [read_score_file(str(tmp_path / name)) for name in ("M.seg.score", "N.sys.score")]
    scores = scores_from_files(human, files, lower_is_better=["N"])
    np.testing.assert_equal(scores["M"].segment_scores, [[1, 2], [3, 5]])
    np.testing.assert_equal(scores["M"].system_scores, [1.5, 4.0])
    np.testing.assert_equal(scores["N"].system_scores, [1.0, 2.0])
    assert scores["N"].sign == -1
    assert scores["N"].segment_scores is None


def test_scores_against_two_references_in_a_file_are_refused(tmp_path: Path) -> None:
    human = JudgedSet("de-en", Corpus([["x"]], {"A": ["x"]}))
    path = tmp_path / "M.sys.score"
    path.write_text("M\tde-en\tt\tref-A\tA\t1\nM\tde-en\tt\tref-B\tA\t2\n", encoding="utf-8")
    with pytest.raises(
        InputError, match=r"has 2 scores of A; keep the rows of one reference \(found: ref-A, ref-B\)"
    ):
        scores_from_files(human, [read_score_file(str(path))])


@pytest.mark.parametrize(
    "statistic", ["system:spearman", "segment:pearson", "segment:kendall:item", "segment:wmt14"]
)
def test_intervals_hold_the_value_and_are_wider_for_fewer_systems(statistic: str) -> None:
    made = table(statistic, method="none", intervals=True, n_samples=100)
    for cell in made.columns[0].cells:
        assert cell.interval is not None
        assert cell.value is not None
        assert cell.interval[0] <= cell.value <= cell.interval[1]
        assert cell.interval[1] - cell.interval[0] > 0.001
    assert made.columns[-1].cells[0].interval is None
    assert table(statistic, method="none").columns[0].cells[0].interval is None


def test_scores_of_unjudged_cells_do_not_matter(sets_with_gaps: tuple[JudgedSet, Any]) -> None:
    judged, unjudged = sets_with_gaps
    statistics = ("segment:pearson", "segment:kendall:item", "segment:acc-eq:item")
    columns: dict[str, list[MetaColumn]] = {statistic: [] for statistic in statistics}
    for filler in (0.0, 1e9, np.nan):
        scored = []
        for label, noise in (("a", 0.5), ("b", 1.5)):
            scores = noisy_scores(SETS[0], label, noise, seed=len(label) + int(noise * 10))
            assert scores.segment_scores is not None
            segments = np.where(unjudged, filler, scores.segment_scores)
            scored.append(MetricScores(label, True, "", scores.system_scores, segments))
        by_label = {scores.label: scores for scores in scored}
        for statistic in statistics:
            columns[statistic] += table(statistic, [by_label], [judged], n_samples=30).columns
    for first, *others in columns.values():
        for other in others:
            assert other.cells == first.cells
            np.testing.assert_array_equal(other.p_values, first.p_values)


@pytest.fixture
def sets_with_gaps() -> tuple[JudgedSet, Any]:
    unjudged = np.random.default_rng(3).random((8, 30)) < 0.3
    assert SETS[0].segment_scores is not None
    human = np.where(unjudged, np.nan, SETS[0].segment_scores)
    return JudgedSet("cs-en", SETS[0].corpus, segment_scores=human), unjudged
