"""A chart of every kind, made from names and numbers, and the data that are hard to draw."""

from collections.abc import Callable
from math import nan

import numpy as np

from tertium.commands.compare.explanation_chart import draw_arcs, draw_word_alignment
from tertium.commands.meta.rankings_chart import draw_rankings
from tertium.commands.meta.scatter_chart import draw_scatter
from tertium.commands.release.history_tables import draw_releases
from tertium.commands.release.plan_tables import draw_power
from tertium.commands.report.page.figures import MarkedDifference, draw_human_curve, draw_reliability
from tertium.evaluation.history import Release
from tertium.evaluation.planning import Deviation, PlanRow
from tertium.metaeval.calibration import CalibratedMetric, JudgedPairs
from tertium.presentation.charts.curves import Panel, draw_curves
from tertium.presentation.charts.forest import ForestPanel, draw_forest, draw_subsets
from tertium.presentation.charts.matrix import draw_agreement, draw_heatmap, draw_pair_matrix
from tertium.presentation.charts.model import Chart
from tertium.stats.agreement_curve import AgreementCurve
from tertium.values import Explanation, FloatArray

__all__ = ["CASES", "CHARTS", "HUNDRED", "NASTY", "Draw"]

Draw = Callable[[list[str], float | None], Chart]
"""Takes names, and a value that stands everywhere instead of varied ones."""


def _numbers(names: list[str], value: float | None, *more: int) -> FloatArray:
    shape = (len(names), *more)
    return np.random.default_rng(7).normal(size=shape) if value is None else np.full(shape, value)


def _told(names: list[str], value: float | None) -> Explanation:
    matrix = {"distance": _numbers(names, value, len(names))}
    return Explanation(names[0], names, names, 1.0, names, names, matrix, links=[(0, 0, "")])


def _joined(names: list[str]) -> Explanation:
    """A pair in which every word has a partner, and a tree in which every word hangs under the one before."""
    kinds = ["match", "substitution", *names]
    links = [(i, len(names) - 1 - i, kinds[i % len(kinds)]) for i in range(len(names))]
    ngrams = [("structure", (i, i + 1), i % 2) for i in range(len(names) - 1)]
    heads = range(-1, len(names) - 1)
    return Explanation(_title(names), names, names, 1.0, links=links, heads=heads, ngrams=ngrams)


def _calibrated(names: list[str]) -> CalibratedMetric:
    pairs = JudgedPairs(
        "wmt", "cs-en", tuple(i / 4 for i in range(1, 30)), tuple(i % 3 > 0 for i in range(29))
    )
    return CalibratedMetric(_title(names), (), (pairs,), AgreementCurve(scale=2.0, shape=1.0), _title(names))


def _plan(name: str) -> PlanRow:
    return PlanRow(Deviation(name, name, 5.0), 1.0, 200, None, None, None, None)


def _title(names: list[str]) -> str:
    return f"about {names[0] if names else 'nothing'}"


def _forest_panel(names: list[str], value: float | None) -> ForestPanel:
    scores = _numbers(names, value)
    return ForestPanel(_title(names), scores.tolist(), (scores - 1).tolist(), (scores + 1).tolist())


CHARTS: dict[str, Draw] = {
    "scatter": lambda names, value: draw_scatter(
        _numbers(names, value), _numbers(names, value), title=_title(names), x_label=_title(names), y_label=_title(names), names=names
    ),
    "rankings": lambda names, _: draw_rankings(
        {"people": dict.fromkeys(names, 1.0), _title(names): {name: float(i) for i, name in enumerate(names)}},
        title=_title(names),
    ),
    "curves": lambda names, value: draw_curves(
        [1, 2], [Panel(_title(names), dict(zip(names, _numbers(names, value, 2).tolist(), strict=True)))],
        title=_title(names), x_label=_title(names),
    ),
    "heatmap": lambda names, value: draw_heatmap(_told(names, value)),
    "alignment": lambda names, _: draw_word_alignment(_joined(names)),
    "arcs": lambda names, _: draw_arcs(_joined(names)),
    "forest": lambda names, value: draw_forest(names, [_forest_panel(names, value)], title=_title(names)),
    "pair matrix": lambda names, value: draw_pair_matrix(
        names, _numbers(names, value, len(names)), title=_title(names), differences=_numbers(names, value, len(names))
    ),
    "subsets": lambda names, value: draw_subsets(
        names, ["x", *names[:1]], _numbers(names, value, 2), title=_title(names), metric=_title(names), column=_title(names)
    ),
    "subsets as a map": lambda names, value: draw_subsets(
        [*names, *map(str, range(8))], names, _numbers([*names, *"12345678"], value, len(names)), title=_title(names),
        metric=_title(names), column=_title(names), counts=[1] * len(names),
    ),
    "agreement": lambda names, value: draw_agreement(names, _numbers(names, value, len(names)), title=_title(names)),
    "human curve": lambda names, value: draw_human_curve(
        _calibrated(names), [MarkedDifference(name, value or i + 0.5) for i, name in enumerate(names)], title=_title(names)
    ),
    "reliability": lambda names, _: draw_reliability([_calibrated(names)], title=_title(names)),
    "releases": lambda names, value: draw_releases(
        [Release("bleu", _title(names), None, name, score, (score - 1, score + 1), *(None if i == 0 else score,) * 3, i % 2 > 0)
         for i, (name, score) in enumerate(zip(names, _numbers(names, value).tolist(), strict=True))],
        title=_title(names),
    ),
    "power": lambda names, _: draw_power([_plan(name) for name in names], alpha=0.05, power=0.8),
}  # fmt: skip
HUNDRED = [f"system-{i}" for i in range(100)]
NASTY = [
    "</script><script>alert('&\"')</script>",
    "\\' + datum.x + {a} \u2028",
    "我的系统",
    "שלום",
    "a\x07\ud800",
    "",
]
CASES: dict[str, tuple[list[str], float | None]] = {
    "one": (["a"], None),
    "few": (["a", "b", "c"], None),
    "many": (HUNDRED, None),
    "none": ([], None),
    "equal": (["a", "b", "c"], 0.5),
    "zero": (["a", "b"], 0.0),
    "no number": (["a", "b", "c"], nan),
    "infinite": (["a", "b"], float("inf")),
    "nasty": (NASTY, None),
}
