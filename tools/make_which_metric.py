"""Write docs/which-metric.md from the measured figures in the package. Run: python tools/make_which_metric.py"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np

from tertium.catalog import families, find_metric, parse_label
from tertium.commands.inspect.metric_tables import ERAS, STATISTICS, Era
from tertium.metrics.options import is_resource_type
from tertium.resources.presets import Measured, measurements, named_presets, published_measurements
from tertium.stats.correlation import spearman

TARGET = Path(__file__).parent.parent / "docs" / "which-metric.md"
TEMPLATE = Path(__file__).parent / "which_metric.md"

Figure = tuple[str, str]
"""A test set and a statistic."""

# The figures by whose mean metrics are compared; a metric must have all of them. On neural systems the test sets do not
# agree which metric is better for systems, so none is named.
NEURAL = ("wmt21", "wmt22", "wmt21mqm zh-en", "wmt23 he-en")
OLD = ("wmt12", "wmt14", "wmt15")
QUESTIONS: Mapping[str, tuple[Sequence[Figure], Sequence[Figure]]] = {
    "Which translation of a sentence is better?": (
        [(name, "pairwise") for name in NEURAL],
        [(name, "segment") for name in OLD],
    ),
    "How good is a sentence? (absolute judgments)": (
        [("wmt21", "assessment"), ("wmt22", "assessment")],
        [("wmt15", "assessment")],
    ),
    "Which of several systems is better?": ([], [(name, "system") for name in OLD]),
}
NO_LEADER = "none is better than the others (see below)"
# Pairs of test sets that are compared in how they rank the metrics.
RANKED = {
    "neural": (
        ("wmt21", "wmt22"),
        ("wmt22", "wmt21mqm zh-en"),
        ("wmt22", "wmt23 he-en"),
        ("wmt21mqm zh-en", "wmt23 he-en"),
    ),
    "statistical": (("wmt12", "wmt14"), ("wmt14", "wmt15"), ("wmt12", "wmt15")),
}
RANKED_BY = {"neural": ("accuracy", "system", "pairwise", "assessment"), "statistical": ("system", "segment")}


def render_page() -> str:
    """Fill the template with tables and answers."""
    measured = without_twins(measurements())
    places = {
        "ANSWERS": _answers(measured),
        **{f"RANKS {era}": _rank_agreement(era, measured) for era in RANKED},
        **{f"TABLE {name}": _table(era, measured) for name, era in zip(TABLES, ERAS, strict=True)},
        "PRESETS": _presets(),
    }
    page = TEMPLATE.read_text(encoding="utf-8")
    for name, text in places.items():
        page = page.replace(f"<!-- {name} -->", text)
    return page


# The names of the eras' tables in the template.
TABLES = ("assessments", "mqm", "from English", "statistical")


def without_twins(measured: Mapping[str, Measured]) -> dict[str, Measured]:
    """Leave out presets that equal the defaults of their metric."""
    return {
        label: figures
        for label, figures in measured.items()
        if "@" not in label or not figures.items() <= measured.get(label.partition("@")[0], {}).items()
    }


def _answers(measured: Mapping[str, Measured]) -> str:
    choices = {
        "the extra `contextual`": set(measured),
        "the package alone": {label for label in measured if "contextual" not in _needs(label)},
        "any language, text alone": {label for label in measured if _needs(label) == "text"},
    }
    rows = [
        "| question | you have | today's systems (WMT21–23) | older systems (WMT12–15) |",
        "|---|---|---|---|",
    ]
    for question, eras in QUESTIONS.items():
        for number, (choice, allowed) in enumerate(choices.items()):
            answers = [_name_leaders(measured, figures, allowed) for figures in eras]
            rows.append(f"| {'' if number else question} | {choice} | {' | '.join(answers)} |")
    return "\n".join(rows)


def _name_leaders(measured: Mapping[str, Measured], figures: Sequence[Figure], allowed: set[str]) -> str:
    """Name the best three metrics, each with its best preset, and the mean of their figures."""
    if not figures:
        return NO_LEADER
    means = {
        label: fmean(_value(by_set, figure) for figure in figures)
        for label, by_set in measured.items()
        if label in allowed and all(figure[1] in by_set.get(figure[0], {}) for figure in figures)
    }
    by_metric: dict[str, tuple[str, float]] = {}
    for label, value in sorted(means.items(), key=lambda item: -item[1]):
        by_metric.setdefault(label.partition("@")[0], (label, value))
    return ", ".join(f"`{label}` {value:.3f}" for label, value in list(by_metric.values())[:3])


def _rank_agreement(era: str, measured: Mapping[str, Measured]) -> str:
    """Tabulate Spearman's ρ between test sets over the metrics with default options."""
    heads = [f"{_name_set(first)} – {_name_set(second)}" for first, second in RANKED[era]]
    rows = [f"| | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    for statistic in RANKED_BY[era]:
        cells = []
        for pair in RANKED[era]:
            shared = [
                [by_set[name][statistic] for name in pair]
                for label, by_set in measured.items()
                if "@" not in label and all(statistic in by_set.get(name, {}) for name in pair)
            ]
            cells.append(f"{float(spearman(*np.array(shared).T)):.2f}" if shared else "")
        rows.append(f"| {STATISTICS[statistic]} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _name_set(name: str) -> str:
    return name.upper() if " " not in name else f"MQM {name.split()[1]}"


def _table(era: Era, measured: Mapping[str, Measured]) -> str:
    """Tabulate the figures of an era, with those of published metrics below ours."""
    columns = era.columns(measured.values())
    ours = {label: by_set for label, by_set in measured.items() if era.columns([by_set])}
    published = {name: by_set for name, by_set in published_measurements().items() if era.columns([by_set])}
    best = {column: max(_value(by_set, column) for by_set in ours.values()) for column in columns}
    rows = [
        f"| metric | reads | {' | '.join(era.heading(*column).replace('wmt', 'WMT') for column in columns)} |",
        f"|---|---|{'--:|' * len(columns)}",
    ]
    named = {f"`{label}` | {_needs(label)}": by_set for label, by_set in ours.items()}
    named |= {f"{name} (published) |": by_set for name, by_set in published.items()}
    for name, by_set in named.items():
        cells = [_cell(_value(by_set, column), best[column]) for column in columns]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _value(by_set: Measured, column: Figure) -> float:
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
    resources = {option.name for option in find_metric(named.name).options() if is_resource_type(option.type)}
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
