"""Documents that describe metrics, their options and their presets."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from tertium.errors import argument
from tertium.metrics.base import Metric
from tertium.metrics.options import Option, is_resource_type
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.model import Cell, Column, Document, Note, Table
from tertium.records import record
from tertium.resources.presets import Measured, NamedPreset
from tertium.verdicts import explain_direction

# The measured statistics in the order of the columns, with their headings.
STATISTICS = {"segment": "τ", "system": "r", "accuracy": "SPA", "assessment": "DA", "pairwise": "acc-eq"}
NOTE = (
    "into English, means over the language pairs; τ: Kendall's τ of segments over rankings (WMT14's variant), r: Pearson's r"
    " of systems, SPA: soft pairwise accuracy of systems, DA: Pearson's r of directly assessed segments, acc-eq: accuracy"
    " of pairs of outputs of a segment, with calibrated ties"
)


@record
class Era:
    """Test sets whose figures are shown in one table: by name, with their headings."""

    title: str
    headings: Mapping[str, str]

    def columns(self, measured: Iterable[Measured]) -> list[tuple[str, str]]:
        """List the test sets and statistics that have a figure, in the order of the columns."""
        found = {
            (name, statistic)
            for by_set in measured
            for name, values in by_set.items()
            if name in self.headings
            for statistic in values
        }
        sets, statistics = list(self.headings), list(STATISTICS)
        return sorted(found, key=lambda column: (sets.index(column[0]), statistics.index(column[1])))

    def heading(self, test_set: str, statistic: str) -> str:
        return f"{self.headings[test_set]} {STATISTICS[statistic]}"


ERAS = (
    Era("neural systems into English, direct assessments", {"wmt21": "wmt21", "wmt22": "wmt22"}),
    Era(
        "neural systems, MQM: zh-en and en-de of WMT21, he-en of WMT23",
        {"wmt21mqm zh-en": "zh-en", "wmt21mqm en-de": "en-de", "wmt23 he-en": "he-en"},
    ),
    Era(
        "neural systems from English and between French and German, WMT21",
        {
            f"wmt21fromen {pair}": pair
            for pair in ("en-cs", "en-de", "en-ha", "en-is", "en-ja", "en-ru", "en-zh", "de-fr", "fr-de")
        },
    ),
    Era(
        "statistical systems into English, rankings and direct assessments",
        {name: name for name in ("wmt10", "wmt12", "wmt14", "wmt15")},
    ),
)


@record
class Knowledge:
    """All presets, and the measured agreement of metrics and presets with human judges."""

    presets: Sequence[NamedPreset] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)

    def presets_of(self, metric: str) -> list[NamedPreset]:
        return [preset for preset in self.presets if preset.metric == metric]

    def records(self, metric: str) -> list[dict[str, object]]:
        """Return the presets of a metric as JSON objects."""
        return [
            {
                "label": preset.label,
                "version": preset.version,
                "options": dict(preset.options),
                "resources": dict(preset.resources),
                "source": preset.source,
                "measured": self.measured.get(preset.label, {}),
            }
            for preset in self.presets_of(metric)
        ]

    def labels(self, metrics: Iterable[str]) -> list[str]:
        """List the names of metrics and their presets, each metric before its presets."""
        return [
            label for name in metrics for label in (name, *(preset.label for preset in self.presets_of(name)))
        ]

    def tables(self, metrics: Iterable[str]) -> list[Table]:
        """Make the tables of measurements, newest systems first: a row per metric and preset, columns by test set."""
        labels = [label for label in self.labels(metrics) if label in self.measured]
        figures = [self.measured[label] for label in labels]
        tables = [self._tabulate(era, labels, columns) for era in ERAS if (columns := era.columns(figures))]
        return [*tables[:-1], *(replace(table, notes=[Note(NOTE)]) for table in tables[-1:])]

    def _tabulate(self, era: Era, labels: Iterable[str], columns: Sequence[tuple[str, str]]) -> Table:
        rows = [label for label in labels if era.columns([self.measured[label]])]
        return Table(
            [
                Column("label", "metric", is_key=True),
                *(
                    Column(f"{test_set} {name}", era.heading(test_set, name), is_number=True)
                    for test_set, name in columns
                ),
            ],
            [[Cell(label), *(self._cell(label, *column) for column in columns)] for label in rows],
            f"agreement with human judges: {era.title}",
        )

    def lines(self, metrics: Iterable[str]) -> list[str]:
        """Format the same tables as lines of text; an empty list if there are no measurements."""
        tables = self.tables(metrics)
        lines = [line for table in tables for line in ("", *_format_columns(table))]
        return [*lines[1:], f"  ({NOTE})"] if tables else []

    def _cell(self, label: str, year: str, name: str) -> Cell:
        value = self.measured[label].get(year, {}).get(name)
        return Cell("" if value is None else f"{value:.3f}", value)


def _format_columns(table: Table) -> list[str]:
    """Format a table as its title and indented lines."""
    rows = [[cell.text for cell in row] for row in table.rows]
    cells = [["" if column.is_key else column.heading for column in table.columns], *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *(t.rjust(w) for t, w in zip(row[1:], widths[1:], strict=True))])
        for row in cells
    ]
    return [table.title, *(f"  {line.rstrip()}" for line in lines)]


SCHEMA_VERSION = 1

_Facts = dict[str, Any]
"""A metric, or one of its options, as a JSON object."""


def describe_metrics(
    classes: Iterable[tuple[type[Metric], str]], knowledge: Knowledge | None = None
) -> Document:
    """Describe metrics, each given with its family, with their presets and their agreement with human judges."""
    knowledge = knowledge or Knowledge()
    entries = [_gather(cls, family, knowledge) for cls, family in classes]
    things = [
        {
            **{name: entry[name] for name in ("name", "family", "higher_is_better", "summary", "paper")},
            "needs": "; ".join(entry["needs"]),
            "options": _option_names(entry),
        }
        for entry in entries
    ]
    return describe_listing(
        "metrics",
        things,
        more=lambda: knowledge.tables(entry["name"] for entry in entries),
        data=_wrap(entries),
        prose=lambda: _list_all(entries, knowledge),
    )


def describe_metric(cls: type[Metric], family: str, knowledge: Knowledge | None = None) -> Document:
    """Describe one metric with its options, its presets, and their agreement with human judges."""
    knowledge = knowledge or Knowledge()
    entry = _gather(cls, family, knowledge)
    direction = explain_direction(higher_is_better=entry["higher_is_better"])
    title = f"{entry['name']} ({entry['family']}, {direction})"
    things = [
        {
            "option": option["name"],
            "default": _default(option),
            "values": option["values"],
            "help": option["help"],
        }
        for option in entry["options"]
    ]
    return describe_listing(
        "metric",
        things,
        title=title,
        notes=[entry["summary"], f"paper: {entry['paper']}"],
        more=lambda: knowledge.tables([entry["name"]]),
        data=_wrap([entry]),
        prose=lambda: [*_describe_in_prose(title, cls, entry), *_describe_presets(entry, knowledge)],
    )


def _gather(cls: type[Metric], family: str, knowledge: Knowledge) -> _Facts:
    return {
        "name": cls.name,
        "family": family,
        "higher_is_better": cls.higher_is_better,
        "summary": _document(cls).split("\n\n")[0].replace("\n", " "),
        "paper": cls.paper,
        "needs": [option.help for option in cls.options() if is_resource_type(option.type)],
        "options": [
            {
                "name": option.name,
                "default": option.write(option.default) if not is_resource_type(option.type) else None,
                "default_by_vectors": _defaults_by_vectors(option),
                "values": option.describe(),
                "help": option.help,
            }
            for option in cls.options()
        ],
        "presets": knowledge.records(cls.name),
        "measured": knowledge.measured.get(cls.name, {}),
    }


def _defaults_by_vectors(option: Option) -> dict[str, str]:
    return {kind: option.write(value) for kind, value in (option.by_vectors or {}).items()}


def _default(option: _Facts) -> str:
    """Write a default, followed by the defaults for certain vectors.

    >>> _default({"default": "0.1", "default_by_vectors": {"english": "0.7"}})
    '0.1 (english vectors: 0.7)'
    """
    others = "; ".join(f"{kind} vectors: {value}" for kind, value in option["default_by_vectors"].items())
    return (option["default"] or "") + (f" ({others})" if others else "")


def _document(cls: type[Metric]) -> str:
    return inspect.getdoc(cls) or ""


def _wrap(entries: Sequence[_Facts]) -> Mapping[str, object]:
    return {"schema_version": SCHEMA_VERSION, "metrics": list(entries)}


def _arrow(entry: _Facts) -> str:
    return "↑" if entry["higher_is_better"] else "↓"


def _option_names(entry: _Facts) -> str:
    return ", ".join(option["name"] for option in entry["options"])


def _list_all(entries: Sequence[_Facts], knowledge: Knowledge) -> list[str]:
    lines = []
    for family in dict.fromkeys(entry["family"] for entry in entries):
        lines.append(family)
        for entry in (entry for entry in entries if entry["family"] == family):
            lines.append(f"  {entry['name']:12} {_arrow(entry)}  {entry['summary']}")
            lines.append(f"  {'':12}    options: {_option_names(entry)}")
            lines.append(f"  {'':12}    paper: {entry['paper']}")
            lines += [f"  {'':12}    needs: {need}" for need in entry["needs"]]
            if presets := [preset.label for preset in knowledge.presets_of(entry["name"])]:
                lines.append(f"  {'':12}    presets: {', '.join(presets)}")
    measured = knowledge.lines(entry["name"] for entry in entries)
    return [
        *lines,
        "",
        *measured,
        *([""] if measured else []),
        "tertium metrics NAME shows one with its options.",
    ]


def _describe_presets(entry: _Facts, knowledge: Knowledge) -> list[str]:
    lines = []
    for preset in knowledge.presets_of(entry["name"]):
        listed = [f"{name}={_write(value)}" for name, value in preset.options.items()]
        listed += [argument(name, value) for name, value in preset.resources.items()]
        lines += [
            f"  {preset.label}  version {preset.version}: {', '.join(listed) or 'the defaults'}",
            f"      {preset.source}",
        ]
    measured = knowledge.lines([entry["name"]])
    return [
        *(["", f"presets ({argument('metrics', entry['name'] + '@NAME')}):"] if lines else []),
        *lines,
        *([""] if measured else []),
        *measured,
    ]


def _write(value: object) -> str:
    return Option("", str, None, "").write(value)


def _describe_in_prose(title: str, cls: type[Metric], entry: _Facts) -> list[str]:
    text = _document(cls).partition("\n>>>")[0].rstrip()
    lines = [title, f"paper: {entry['paper']}", "", *text.split("\n"), ""]
    lines.append(f"options ({argument('metrics', entry['name'] + ':key=value,key=value')}):")
    for option in entry["options"]:
        lines.append(f"  {option['name']}={_default(option) or 'none'}  {option['help']}")
        lines.append(f"  {'':4}{option['values']}")
    return lines
