"""The charts of the page: intervals, tests, kinds of segments, agreement between metrics and with human judges."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tertium.commands.report.page.contents import PageContents
from tertium.evaluation import Evaluation
from tertium.evaluation.differences import LENGTH_EDGES, bucket_by_number
from tertium.kernels.sums import sum_rows
from tertium.presentation.charts.forest import draw_scores, draw_subsets
from tertium.presentation.charts.matrix import draw_agreement, draw_pair_matrix
from tertium.presentation.charts.model import Chart, Spec, heading, layer, number, tooltip
from tertium.presentation.score_table import format_expected_agreement
from tertium.records import record
from tertium.text.tokenizers import has_no_spaces, mean_lengths
from tertium.values import FloatArray
from tertium.verdicts import ADJUSTED, OVERLAP, SIGNIFICANT_ON

_MOST_SUBSETS = 40  # a column with more values does not define kinds of segments
Rows = Mapping[str, npt.NDArray[np.intp]]
_WIDTH, _HEIGHT = 420, 260
_SMALL = (250, 180)
_COLUMNS = 3
_POINTS = 60
_BINS = 8
_DOMAIN = (0.5, 1.0)


@record
class Figure:
    """A chart, or several charts by the names among which the reader chooses; notes are shown above the chart."""

    key: str
    heading: str
    charts: Mapping[str, Chart]
    choice: str = "Metric"
    notes: Sequence[str] = ()


def draw_figures(contents: PageContents) -> list[Figure]:
    """Draw all charts that the data allow."""
    figures = [
        Figure(
            "forest",
            "Intervals",
            {"": draw_scores(contents.table, contents.comparison.analysis)},
            notes=[OVERLAP] if len(contents.table.systems) > 1 else [],
        )
    ]
    if len(contents.table.systems) > 1 and contents.comparison.untested is None:
        figures.append(Figure("pairs", "Pairwise tests", dict(_draw_pairs(contents))))
    if charts := dict(_draw_human_curves(contents)):
        lines = format_expected_agreement(contents.table)
        figures.append(Figure("expected", "Expected human agreement", charts, notes=lines))
    if charts := dict(_draw_kinds(contents)):
        figures.append(Figure("subsets", "Kinds of segments", charts, "Metric and kind"))
    if contents.history:
        from tertium.commands.release.history_tables import draw_releases

        figures.append(Figure("history", "History", {"": draw_releases(contents.history)}))
    if len(contents.evaluation.metrics) > 1:
        figures.append(
            Figure("agreement", "Agreement of metrics", {"": _draw_agreement(contents.evaluation)})
        )
    return figures


def _draw_pairs(contents: PageContents) -> Iterator[tuple[str, Chart]]:
    """Draw a matrix per metric, the best system first."""
    for label, compared in contents.comparison.metrics.items():
        sign = 1 if contents.evaluation.metric(label).higher_is_better else -1
        order = np.argsort(-sign * compared.scores, kind="stable")
        scores = sign * compared.scores[order]
        p_values = np.array(compared.adjusted_p[np.ix_(order, order)], dtype=float)
        np.fill_diagonal(p_values, np.nan)
        yield (
            contents.evaluation.metric(label).write_title(label),
            draw_pair_matrix(
                [contents.evaluation.systems[i] for i in order],
                p_values,
                title=SIGNIFICANT_ON.format(contents.evaluation.metric(label).write_title(label)),
                differences=np.subtract.outer(scores, scores),
                alpha=contents.comparison.analysis.alpha,
                subtitle=f"{ADJUSTED} p-values of all pairs",
            ),
        )


def _draw_human_curves(contents: PageContents) -> Iterator[tuple[str, Chart]]:
    """Draw a curve per calibrated metric, with the differences between the best system and the others."""
    for column in contents.table.columns:
        metric = None if contents.calibration is None else contents.calibration.find(column.signature)
        pairs = column.pairs.of_best
        if metric is None or not pairs or pairs[0].expected is None:
            continue
        best = pairs[0].better
        marks = [MarkedDifference(f"{pair.better} over {pair.worse}", pair.difference) for pair in pairs]
        title = f"How often human judges agree with a difference in {column.title}"
        subtitle = f"marked: {best} over each other system; dots: judged pairs of {metric.source}"
        yield column.title, draw_human_curve(metric, marks, title=title, subtitle=subtitle)


def _draw_kinds(contents: PageContents) -> Iterator[tuple[str, Chart]]:
    kinds = _find_kinds(contents)
    for metric in contents.evaluation.metrics:
        for name, rows in kinds.items():
            title = f"{metric.title} by {name}"
            yield title, _draw_kind(contents, metric.label, name, rows, title)


def _find_kinds(contents: PageContents) -> dict[str, Rows]:
    kinds: dict[str, Rows] = {}
    if contents.corpus is not None:
        texts = contents.corpus.measured_texts
        unit = "characters" if has_no_spaces(texts) else "words"
        where = "reference" if contents.corpus.has_references else "source"
        kinds[f"{unit} in the {where}"] = bucket_by_number(mean_lengths(texts), LENGTH_EDGES)
    for name, values in contents.columns.items():
        if 1 < len(set(values)) <= _MOST_SUBSETS:
            known = np.asarray(values)
            kinds[name] = {
                str(value) or "(unknown)": np.flatnonzero(known == value)
                for value in sorted(np.unique(known), key=_order_naturally)
            }
    return {name: rows for name, rows in kinds.items() if len(rows) > 1}


def _order_naturally(text: str) -> list[tuple[int, str]]:
    """Return a key that sorts numbers in texts by their size: document 2 before document 10."""
    parts = re.split(
        r"0*(\d+)", str(text)
    )  # every second part is a number, of which the longer is the larger
    return [(len(part) * (i % 2), part) for i, part in enumerate(parts)]


def _draw_kind(contents: PageContents, label: str, name: str, rows: Rows, title: str) -> Chart:
    """Draw the scores on each kind of segments, systems in the order of the table of scores."""
    evaluation, systems = contents.evaluation, contents.table.systems
    combine = evaluation.metric(label).combine
    table = evaluation.tables[label][[evaluation.systems.index(name) for name in systems]]
    scores = np.stack(
        [combine(sum_rows(np.ascontiguousarray(table[:, row]))) for row in rows.values()], axis=1
    )
    counts = [len(row) for row in rows.values()]
    return draw_subsets(
        systems,
        list(rows),
        scores,
        title=title,
        metric=evaluation.metric(label).write_title(label),
        column=name,
        counts=counts,
        colours=[evaluation.systems.index(system) for system in systems],
    )


def _draw_agreement(evaluation: Evaluation) -> Chart:
    return draw_agreement(
        [metric.title for metric in evaluation.metrics],
        _correlate(evaluation),
        title="Correlation between metrics on segments",
        subtitle="Pearson’s r of segment scores of all systems, each metric oriented so that higher is better",
    )


def _correlate(evaluation: Evaluation) -> FloatArray:
    rows = []
    for label in evaluation.labels:
        scores = evaluation.segment_scores(label).ravel()
        rows.append(scores if evaluation.metric(label).higher_is_better else -scores)
    table = np.array(rows)
    known = table[:, np.isfinite(table).all(axis=0)]
    if known.shape[1] < 2:
        return np.full((len(table), len(table)), np.nan)  # one segment shows no correlation
    with np.errstate(invalid="ignore", divide="ignore"):  # a constant metric has no correlation
        return np.asarray(np.corrcoef(known))


if TYPE_CHECKING:
    from tertium.metaeval.calibration import CalibratedMetric


@record
class MarkedDifference:
    """A difference between two systems that is marked on the curve."""

    name: str
    difference: float


def draw_human_curve(
    metric: "CalibratedMetric", marks: Sequence[MarkedDifference] = (), *, title: str, subtitle: str = ""
) -> Chart:
    """Draw the curve of one metric, with the differences between the reader's systems marked on it."""
    marks = [mark for mark in marks if isfinite(mark.difference)]
    reach = _reach(metric, [mark.difference for mark in marks])
    panel = _panel(metric, reach, _WIDTH, _HEIGHT)
    panel["layer"] = [*panel["layer"], *_draw_marks(metric, marks)]  # type: ignore[misc]
    return Chart.of({"description": title, "title": heading(title, subtitle, _WIDTH), **panel})


def draw_reliability(metrics: "Sequence[CalibratedMetric]", *, title: str) -> Chart:
    """Draw the curves of several metrics beside the observed agreement of their judged pairs."""
    width, height = _SMALL
    panels = [
        {"title": metric.name, **_panel(metric, _reach(metric, ()), width, height)} for metric in metrics
    ]
    return Chart.of(
        {
            "description": title,
            "title": {**heading(title, "", _COLUMNS * width), "frame": "bounds"},
            "columns": _COLUMNS,
            "concat": panels,
            "resolve": {"scale": {"x": "independent"}},
        }
    )


def _panel(metric: "CalibratedMetric", reach: float, width: int, height: int) -> Spec:
    return {
        "width": width,
        "height": height,
        "encoding": {
            "x": number("x", (0.0, reach), title="difference between two systems"),
            "y": number("y", _DOMAIN, title="human agreement", axis={"format": "%"}),
        },
        "layer": [*_draw_curve(metric, reach), _draw_judged_pairs(metric, reach)],
    }


def _reach(metric: "CalibratedMetric", marked: Sequence[float]) -> float:
    """Return the end of the axis: most of the judged differences, and all the marked ones."""
    sizes = np.concatenate([pair.differences for pair in metric.pairs])
    return float(max([np.quantile(sizes, 0.97), *(abs(difference) * 1.05 for difference in marked)]))


def _draw_curve(metric: "CalibratedMetric", reach: float) -> list[Spec]:
    xs = np.linspace(0, reach, _POINTS)
    low, high = metric.curve.bounds(xs)
    rows = [
        {"x": x, "y": y, "low": min(lowest, y), "high": max(highest, y)}
        for x, y, lowest, highest in zip(
            xs.tolist(), metric.curve(xs).tolist(), low.tolist(), high.tolist(), strict=True
        )
    ]
    band: Spec = {"y": number("low", _DOMAIN, title="human agreement"), "y2": {"field": "high"}}
    return [
        layer("area", rows, band, opacity=0.15),
        layer("line", rows, {}, strokeWidth=2.2),
    ]


def _draw_judged_pairs(metric: "CalibratedMetric", reach: float) -> Spec:
    """Draw the observed agreement in bins of equally many pairs; below one half a dot lies on the axis."""
    sizes = np.concatenate([pair.differences for pair in metric.pairs])
    agreed = np.concatenate([np.array(pair.agreed, dtype=float) for pair in metric.pairs])
    parts = [part for part in np.array_split(np.argsort(sizes, kind="stable"), _BINS) if len(part)]
    rows = [
        {"x": float(np.median(sizes[part])), "y": max(0.5, float(agreed[part].mean())), "n": len(part)}
        for part in parts
        if np.median(sizes[part]) <= reach
    ]
    told = tooltip(x="difference", y="agreement", n="judged pairs")
    return layer("circle", rows, {"tooltip": told}, size=40, opacity=1, style="ink")


def _draw_marks(metric: "CalibratedMetric", marks: Sequence[MarkedDifference]) -> list[Spec]:
    rows: list[Spec] = [
        {
            "name": mark.name,
            "x": abs(mark.difference),
            "y": metric.expect_agreement(mark.difference).agreement,
            "floor": _DOMAIN[0],
        }
        for mark in marks
    ]
    told: Spec = {"tooltip": tooltip("name", x="difference", y="expected agreement")}
    return [
        layer("rule", rows, {"y2": {"field": "floor"}}, style="faint", strokeWidth=0.8),
        layer("point", rows, told, size=70, filled=True, opacity=1, shape="diamond", color="#d55e00"),
    ]
