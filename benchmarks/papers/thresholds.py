"""The 2016 paper's procedure: the threshold of BLEUmodif is chosen on WMT14 and evaluated on WMT15."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from papers.layout import FROM_ENGLISH, TO_ENGLISH, Column
from papers.scoring import judged_sets
from tertium.catalog import build_metric
from tertium.interfaces import WordVectors
from tertium.metaeval.agreement import can_show, parse_statistic
from tertium.presentation.charts.curves import Panel, draw_curves
from tertium.presentation.charts.model import Chart
from tertium.resources.vectors import default_vectors, load_vectors
from tertium.tuning.trials import Trials

__all__ = [
    "VectorSet",
    "draw_thresholds",
    "find_vectors",
    "render_curves",
    "render_evaluation",
    "render_wer_modif",
]

SYSTEM, SEGMENT = "system:pearson", "segment:wmt14"
THRESHOLDS = tuple(n / 10 for n in range(10))
CELLS = tuple((statistic, column) for statistic in (SYSTEM, SEGMENT) for column in (TO_ENGLISH, FROM_ENGLISH))
# Table 1 (CBOW: correlation and threshold on WMT14; skip-gram) and Table 2 (WMT15), in the order of the cells.
PRINTED_TUNING = ("0.957 at 0.1; 0.954 at 0.5", "0.660 at 0.1; 0.667 at 0.2", "0.348 at 0.1; 0.335 at 0.6", "0.278 at 0.1; 0.259 at 0.5")  # fmt: skip
PRINTED_WER = ("0.956; 0.942", "0.671; 0.662", "0.351; 0.332", "0.277; 0.253")
PRINTED_TEST = {"bleu_modif": (0.951, 0.881, 0.390, 0.353), "wer_modif": (0.949, 0.922, 0.397, 0.347)}


@dataclass(frozen=True, eq=False)
class VectorSet:
    """Vectors of one kind, by target language."""

    name: str
    by_language: Mapping[str, WordVectors]

    def covers(self, column: Column) -> bool:
        return all(pair.partition("-")[2] in self.by_language for pair in column.pairs)


def find_vectors(folder: Path | None) -> list[VectorSet]:
    """The package's English vectors for every language, and those of a folder: NAME.LANGUAGE.vectors."""
    english = default_vectors()
    found: dict[str, dict[str, WordVectors]] = {}
    for path in sorted(folder.glob("*.*.vectors")) if folder else []:
        name, language = path.name.split(".")[:2]
        found.setdefault(name, {})[language] = load_vectors(str(path))
    package = VectorSet("package", dict.fromkeys(("de", "en", "fr"), english))
    return [package, *(VectorSet(name, by_language) for name, by_language in found.items())]


def render_curves(sets: Sequence[VectorSet], data: Path) -> str:
    """Render the curves of Figure 1 as a table; the best threshold of each is bold."""
    head = [
        "vectors",
        "level and direction",
        *(f"{threshold:.1f}" for threshold in THRESHOLDS),
        "paper: CBOW; skip-gram",
    ]
    lines = [_row(head), _row(["---", "---", *["---:"] * len(THRESHOLDS), "---"])]
    for vectors in sets:
        for (statistic, column), printed in zip(CELLS, PRINTED_TUNING, strict=True):
            curve = _curve(vectors, statistic, column, data / "wmt14")
            if curve is not None:
                best = int(np.argmax(curve))
                cells = [f"**{value:.3f}**" if i == best else f"{value:.3f}" for i, value in enumerate(curve)]
                lines.append(_row([vectors.name, _describe(statistic, column), *cells, printed]))
    return "\n".join(lines)


def render_wer_modif(sets: Sequence[VectorSet], data: Path) -> str:
    """Render the lower half of Table 1: WERmodif, which has no threshold, on WMT14."""
    lines = [
        _row(["WERmodif with", *(_describe(*cell) for cell in CELLS)]),
        _row(["---", *["---:"] * len(CELLS)]),
    ]
    for vectors in sets:
        found = [_curve(vectors, *cell, data / "wmt14", "wer_modif") for cell in CELLS]
        lines.append(_row([vectors.name, *("–" if curve is None else f"{curve[0]:.3f}" for curve in found)]))
    return "\n".join([*lines, _row(["paper: CBOW; skip-gram", *PRINTED_WER])])


def draw_thresholds(sets: Sequence[VectorSet], data: Path, title: str) -> Chart:
    """Draw Figure 1: a panel for each level and direction, a line for each set of vectors."""
    panels = []
    for statistic, column in CELLS:
        found = {each.name: _curve(each, statistic, column, data / "wmt14") for each in sets}
        drawn = {name: curve for name, curve in found.items() if curve is not None}
        if drawn:
            panels.append(Panel(_describe(statistic, column), drawn))
    return draw_curves(THRESHOLDS, panels, title=title, x_label="threshold δ")


def render_evaluation(sets: Sequence[VectorSet], data: Path) -> str:
    """Compare WMT15 with the best threshold on WMT14 and with the best one on WMT15."""
    lines = [
        _row(["metric", "vectors", *(_describe(*cell) for cell in CELLS)]),
        _row(["---", "---", *["---:"] * len(CELLS)]),
    ]
    for metric, printed in PRINTED_TEST.items():
        for vectors in sets:
            cells = list(_evaluated(metric, vectors, data))
            if any(cell != "–" for cell in cells):
                lines.append(_row([metric, vectors.name, *cells]))
        lines.append(_row([metric, "the paper's", *(f"{value:.3f}" for value in printed)]))
    return "\n".join(lines)


def _evaluated(metric: str, vectors: VectorSet, data: Path) -> Iterator[str]:
    for statistic, column in CELLS:
        test = _curve(vectors, statistic, column, data / "wmt15", metric)
        if test is None:
            yield "–"
        elif metric == "wer_modif":
            yield f"{test[0]:.3f}"
        else:
            chosen = _choose(vectors, statistic, column, data / "wmt14")
            yield f"{test[chosen]:.3f} at {THRESHOLDS[chosen]} (best {max(test):.3f} at {THRESHOLDS[int(np.argmax(test))]})"


def _choose(vectors: VectorSet, statistic: str, column: Column, folder: Path) -> int:
    """Return the index of the best threshold; if WMT14 has no rankings, that of the system level."""
    curve = _curve(vectors, statistic, column, folder) or _curve(vectors, SYSTEM, column, folder) or ()
    return int(np.argmax(curve))


def _curve(
    vectors: VectorSet, statistic: str, column: Column, folder: Path, metric: str = "bleu_modif"
) -> list[float] | None:
    """Compute the statistic at each threshold (one value for WERmodif, which has none), averaged over pairs."""
    if not vectors.covers(column):
        return None
    by_pair = [_values(vectors, pair, folder, metric) for pair in column.pairs]
    if any(statistic not in values for values in by_pair):
        return None
    return [float(value) for value in np.mean([values[statistic] for values in by_pair], axis=0)]


@cache
def _values(vectors: VectorSet, pair: str, folder: Path, metric: str) -> dict[str, list[float]]:
    """Compute the values of each statistic at each threshold."""
    (judged,) = [each for each in judged_sets(folder) if each.pair == pair and each.system_scores is not None]
    specs = [spec for spec in map(parse_statistic, (SYSTEM, SEGMENT)) if can_show(spec, judged)]
    table = vectors.by_language[pair.partition("-")[2]]
    built = build_metric(metric, {}, {WordVectors: lambda: table})
    trials = Trials(lambda point: replace(built, **point), [judged], specs)
    points = [{"threshold": threshold} for threshold in THRESHOLDS] if metric == "bleu_modif" else [{}]
    done = [trials.run(point) for point in points]
    return {str(spec): [trial.values[str(spec)][pair] for trial in done] for spec in specs}


def _describe(statistic: str, column: Column) -> str:
    return f"{statistic.partition(':')[0]}, {column.heading}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
