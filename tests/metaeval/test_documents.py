"""Tests and intervals of meta-evaluation draw and exchange documents as a whole where they are known."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tertium.commands.meta.meta_tables import describe_agreement
from tertium.metaeval import JudgedSet
from tertium.metaeval.agreement import parse_statistic
from tertium.metaeval.scoring import MetricScores
from tertium.metaeval.tables import MetaTable, make_meta_table
from tertium.stats.analysis import MetricAnalysis
from tertium.stats.resampling import group_cells
from tertium.values import Corpus, FloatArray

N_SYSTEMS, N_SEGMENTS, COPIES = 5, 24, 3
STATISTICS = [
    "segment:pearson",
    "segment:pearson:item",
    "segment:kendall:item",
    "segment:kendall-c",
    "segment:pdp",
]


def judged_set(human: FloatArray, documents: list[str] | None) -> JudgedSet:
    n_systems, n_segments = human.shape
    outputs = {f"s{i}": ["x"] * n_segments for i in range(n_systems)}
    corpus = Corpus([["x"]] * n_segments, outputs, document_ids=documents)
    return JudgedSet("de-en", corpus, human.mean(axis=1), human)


def scores_of(label: str, segments: FloatArray) -> MetricScores:
    return MetricScores(
        label, higher_is_better=True, system_scores=segments.mean(axis=1), segment_scores=segments
    )


def simulate(copies: int) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Draw human scores and those of three metrics, and repeat each segment."""
    rng = np.random.default_rng(3)
    human = 30 * rng.normal(size=(N_SYSTEMS, N_SEGMENTS))
    metrics = {f"m{noise}": human + noise * rng.normal(size=human.shape) for noise in (30, 60, 90)}
    return np.repeat(human, copies, axis=1), {
        name: np.repeat(m, copies, axis=1) for name, m in metrics.items()
    }


def table(
    statistic: str, copies: int, *, resample: str | None = None, has_documents: bool = True
) -> MetaTable:
    human, metrics = simulate(copies)
    documents = [f"d{i // copies}" for i in range(human.shape[1])] if has_documents else None
    scored: Mapping[str, MetricScores] = {name: scores_of(name, scores) for name, scores in metrics.items()}
    analysis = MetricAnalysis(n_samples=100, intervals=True, resample=resample)
    return make_meta_table(parse_statistic(statistic), [judged_set(human, documents)], [scored], analysis)


def p_values(made: MetaTable) -> Any:
    return made.columns[0].p_values


@pytest.mark.parametrize("statistic", STATISTICS)
def test_documents_of_copies_tell_as_much_as_one_segment_each(statistic: str) -> None:
    single, copied = table(statistic, 1), table(statistic, COPIES)
    np.testing.assert_array_equal(p_values(copied), p_values(single))
    for one, other in zip(single.columns[0].cells, copied.columns[0].cells, strict=True):
        assert other.value == pytest.approx(one.value, abs=1e-12)
        if statistic != "segment:pdp":  # its core draws documents from another stream of random numbers
            assert other.interval == pytest.approx(one.interval, abs=1e-9)


@pytest.mark.parametrize("statistic", [*STATISTICS, "segment:acc-eq:item", "system:spa"])
def test_segments_on_request_are_the_test_without_documents(statistic: str) -> None:
    chosen = table(statistic, COPIES, resample="segment")
    unknown = table(statistic, COPIES, has_documents=False)
    np.testing.assert_array_equal(p_values(chosen), p_values(unknown))
    assert chosen.columns[0].cells == unknown.columns[0].cells


@pytest.mark.parametrize("statistic", [*STATISTICS, "segment:acc-eq:item", "system:spa", "segment:darr"])
def test_intervals_of_documents_are_wider_where_segments_repeat(statistic: str) -> None:
    by_document, by_segment = table(statistic, COPIES), table(statistic, COPIES, resample="segment")
    widths = [
        np.mean([cell.interval[1] - cell.interval[0] for cell in made.columns[0].cells if cell.interval])
        for made in (by_document, by_segment)
    ]
    assert widths[0] > 1.2 * widths[1]


def test_the_legend_says_what_is_drawn() -> None:
    analysis = MetricAnalysis(n_samples=20)
    human, metrics = simulate(COPIES)
    scored = {name: scores_of(name, scores) for name, scores in metrics.items()}
    ids = [f"d{i // COPIES}" for i in range(human.shape[1])]
    for documents, resample, said in (
        (ids, None, f"{N_SEGMENTS} documents resampled"),
        (ids, "segment", "segments taken as independent"),
        (None, None, "segments taken as independent"),
        (
            [f"d{i // 24}" for i in range(72)],
            None,
            "segments taken as independent: 3 documents are too few to resample",
        ),
    ):
        options = replace(analysis, resample=resample)
        made = make_meta_table(
            parse_statistic("segment:pearson"), [judged_set(human, documents)], [scored], options
        )
        notes = [
            note.text for table in describe_agreement([made], signatures={}).tables for note in table.notes
        ]
        assert said in notes


def test_system_scores_have_no_documents() -> None:
    made = table("system:pearson", COPIES)
    assert made.columns[0].resampled == ""
    np.testing.assert_array_equal(
        p_values(made), p_values(table("system:pearson", COPIES, has_documents=False))
    )


def test_false_alarms_stay_at_the_level_where_documents_share_their_errors() -> None:
    """Two equally good metrics, whose errors are the same for all segments of a document: 60 fixed trials."""
    rng = np.random.default_rng(11)
    alarms = {"segment": 0, None: 0}
    for _ in range(60):
        human = rng.normal(size=(4, 60))
        errors = np.repeat(rng.normal(size=(2, 4, 10)), 6, axis=2)
        scored = {name: scores_of(name, human + error) for name, error in zip("ab", errors, strict=True)}
        judged = judged_set(human, [f"d{i // 6}" for i in range(60)])
        for resample in alarms:
            analysis = MetricAnalysis(n_samples=100, resample=resample)
            made = make_meta_table(parse_statistic("segment:pearson"), [judged], [scored], analysis)
            alarms[resample] += int(np.min(p_values(made)) < 0.05)
    assert alarms[None] <= 12  # 6 of 60 are expected, at 5 % on each side; 12 has a probability of 1.5 %
    assert alarms["segment"] > alarms[None]


def test_cells_are_grouped_by_system_and_document() -> None:
    judged = np.array([[True, True, False], [True, True, True]])
    groups = group_cells(judged, np.array([1, 0, 1]))
    assert groups is not None
    assert groups.tolist() == [1, 0, 3, 2, 3]
