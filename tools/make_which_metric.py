"""Write docs/which-metric.md from the measured figures in the package. Run: python tools/make_which_metric.py"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from statistics import fmean

from tertium.catalog import families, find_metric, parse_label
from tertium.metrics.options import is_resource_type
from tertium.resources.presets import Measured, measurements, named_presets

TARGET = Path(__file__).parent.parent / "docs" / "which-metric.md"
TEMPLATE = Path(__file__).parent / "which_metric.md"

# A metric must have figures on all these test sets to be compared by its mean.
COMPARED = ("wmt12", "wmt14", "wmt15")
HEADINGS = {"segment": "τ", "system": "r", "accuracy": "SPA", "assessment": "DA"}


def render_page() -> str:
    """Fill the template with tables and answers."""
    measured = _without_twins(measurements())
    places = {
        "ANSWERS": _answers(measured),
        "TABLE": _table(measured),
        "PRESETS": _presets(),
    }
    page = TEMPLATE.read_text(encoding="utf-8")
    for name, text in places.items():
        page = page.replace(f"<!-- {name} -->", text)
    return page


def _without_twins(measured: Mapping[str, Measured]) -> dict[str, Measured]:
    """Leave out presets that equal the defaults of their metric."""
    return {
        label: figures
        for label, figures in measured.items()
        if "@" not in label or figures != measured.get(label.partition("@")[0])
    }


def _answers(measured: Mapping[str, Measured]) -> str:
    needs_nothing = {label for label in measured if _needs(label) == "text"}
    in_package = {label for label in measured if "contextual" not in _needs(label)}
    questions: list[tuple[str, str, tuple[str, ...], set[str]]] = [
        ("Which of several systems is better?", "system", COMPARED, in_package),
        ("The same, from the text alone, in any language", "system", COMPARED, needs_nothing),
        ("Which translation of a sentence is better?", "segment", COMPARED, in_package),
        ("The same, from the text alone, in any language", "segment", COMPARED, needs_nothing),
        ("How good is a sentence? (absolute judgments)", "assessment", ("wmt15",), set(measured)),
        ("The same, without the extra `contextual`", "assessment", ("wmt15",), in_package),
    ]
    rows = [
        "| question | best three metrics, with the mean of their figures (WMT12, 14 and 15; absolute judgments: WMT15) |",
        "|---|---|",
    ]
    for question, statistic, test_sets, allowed in questions:
        best = _leaders(measured, statistic, test_sets, allowed)
        told = ", ".join(f"`{label}` {value:.3f}" for label, value in best[:3])
        rows.append(f"| {question} | {told} |")
    return "\n".join(rows)


def _leaders(
    measured: Mapping[str, Measured], statistic: str, test_sets: Iterable[str], allowed: set[str]
) -> list[tuple[str, float]]:
    means = {
        label: fmean(by_set[name][statistic] for name in test_sets)
        for label, by_set in measured.items()
        if label in allowed and all(statistic in by_set.get(name, {}) for name in test_sets)
    }
    by_metric: dict[str, tuple[str, float]] = {}  # of each metric, its best preset
    for label, value in sorted(means.items(), key=lambda item: -item[1]):
        by_metric.setdefault(label.partition("@")[0], (label, value))
    return list(by_metric.values())


def _table(measured: Mapping[str, Measured]) -> str:
    columns = sorted(
        {(name, each) for by_set in measured.values() for name, values in by_set.items() for each in values},
        key=lambda column: (column[0], list(HEADINGS).index(column[1])),
    )
    best = {column: max(_value(by_set, column) for by_set in measured.values()) for column in columns}
    head = ["metric", "reads", *(f"{name} {HEADINGS[each]}" for name, each in columns)]
    rows = [f"| {' | '.join(head)} |", f"|---|---|{'--:|' * len(columns)}"]
    for label, by_set in measured.items():
        cells = [_cell(_value(by_set, column), best[column]) for column in columns]
        rows.append(f"| `{label}` | {_needs(label)} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _value(by_set: Measured, column: tuple[str, str]) -> float:
    return by_set.get(column[0], {}).get(column[1], float("-inf"))


def _cell(value: float, best: float) -> str:
    if value == float("-inf"):
        return ""
    return f"**{value:.3f}**" if value == best else f"{value:.3f}"


def _needs(label: str) -> str:
    """Name the resources that a metric needs."""
    named = parse_label(label)
    if named.resources.get("vectors", "").startswith("contextual"):
        return "contextual vectors"
    kinds: dict[str, Callable[[set[str]], bool]] = {
        "vectors": lambda names: "vectors" in names,
        "trees and WordNet": lambda names: {"trees", "synonyms"} <= names,
        "trees": lambda names: "trees" in names,
        "WordNet": lambda names: "synonyms" in names,
    }
    resources = {each.name for each in find_metric(named.name).options() if is_resource_type(each.type)}
    return next((kind for kind, fits in kinds.items() if fits(resources)), "text")


def _presets() -> str:
    rows = ["| preset | version | options | vectors | where it comes from |", "|---|--:|---|---|---|"]
    order = list(families())
    for each in sorted(named_presets().values(), key=lambda preset: order.index(preset.metric)):
        by_name = {option.name: option for option in find_metric(each.metric).options()}
        options = ", ".join(f"`{name}={by_name[name].write(value)}`" for name, value in each.options.items())
        vectors = f"`{each.resources['vectors']}`" if "vectors" in each.resources else ""
        rows.append(f"| `{each.label}` | {each.version} | {options} | {vectors} | {each.source} |")
    return "\n".join(rows)


if __name__ == "__main__":
    TARGET.write_text(render_page(), encoding="utf-8")
