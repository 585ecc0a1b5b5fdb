"""Documents that describe metrics, their options and their presets."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from tertium.metrics.base import Metric
from tertium.metrics.options import Option, is_resource_type
from tertium.reporting.tables.model import Cell, Column, Document, Note, Records, Table, Value, prose_lines
from tertium.resources.presets import Measured, NamedPreset

# What was measured, in the order of the columns, and what it is called in headings.
STATISTICS = {"segment": "τ", "system": "r", "assessment": "DA"}
NOTE = (
    "means over pairs into English; τ: Kendall's τ of segments over rankings (WMT14's variant), r: Pearson's r of"
    " systems, DA: Pearson's r of directly assessed segments"
)


@dataclass(frozen=True)
class Knowledge:
    """The presets there are, and how well metrics and presets agreed with people."""

    presets: Sequence[NamedPreset] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)

    def presets_of(self, metric: str) -> list[NamedPreset]:
        return [each for each in self.presets if each.metric == metric]

    def records(self, metric: str) -> list[dict[str, object]]:
        """Write a metric's presets down for programs."""
        return [
            {
                "label": each.label,
                "version": each.version,
                "options": dict(each.options),
                "resources": dict(each.resources),
                "source": each.source,
                "measured": self.measured.get(each.label, {}),
            }
            for each in self.presets_of(metric)
        ]

    def labels(self, metrics: Iterable[str]) -> list[str]:
        """Name metrics and their presets, each metric before its own."""
        return [
            label for name in metrics for label in (name, *(each.label for each in self.presets_of(name)))
        ]

    def table(self, metrics: Iterable[str]) -> Table:
        """Lay out what was measured: a row per metric and preset, two or three columns per test set."""
        labels = [label for label in self.labels(metrics) if label in self.measured]
        columns = self._columns(labels)
        return Table(
            [
                Column("label", "metric", is_key=True),
                *(Column(f"{year} {name}", f"{year} {STATISTICS[name]}", is_number=True) for year, name in columns),
            ],
            [[Cell(label), *(self._cell(label, *column) for column in columns)] for label in labels],
            "agreement with people",
            [Note(NOTE)],
        )  # fmt: skip

    def lines(self, metrics: Iterable[str]) -> list[str]:
        """Lay the same table out as lines of text; none if nothing was measured."""
        table = self.table(metrics)
        rows = [[cell.text for cell in row] for row in table.rows]
        if not rows:
            return []
        cells = [["" if column.is_key else column.heading for column in table.columns], *rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(
                [row[0].ljust(widths[0]), *(t.rjust(w) for t, w in zip(row[1:], widths[1:], strict=True))]
            )
            for row in cells
        ]
        return [table.title, *(f"  {line.rstrip()}" for line in lines), f"  ({NOTE})"]

    def _columns(self, labels: Iterable[str]) -> list[tuple[str, str]]:
        found = {
            (year, name)
            for label in labels
            for year, values in self.measured[label].items()
            for name in values
        }
        order = list(STATISTICS)
        return sorted(found, key=lambda column: (column[0], order.index(column[1])))

    def _cell(self, label: str, year: str, name: str) -> Cell:
        value = self.measured[label].get(year, {}).get(name)
        return Cell("" if value is None else f"{value:.3f}", value)


SCHEMA_VERSION = 1


class _OptionFacts(TypedDict):
    name: str
    default: str | None
    default_by_vectors: dict[str, str]
    values: str
    help: str


class _MetricFacts(TypedDict):
    name: str
    family: str
    higher_is_better: bool
    summary: str
    paper: str
    needs: list[str]
    options: list[_OptionFacts]
    presets: list[dict[str, object]]
    measured: Measured


def describe_metrics(
    classes: Iterable[tuple[type[Metric], str]], knowledge: Knowledge | None = None
) -> Document:
    """Describe metrics, each given with its family, with their presets and how well they agreed with people."""
    knowledge = knowledge or Knowledge()
    entries = [_gather(cls, family, knowledge) for cls, family in classes]
    agreement = knowledge.table(entry["name"] for entry in entries)
    people = Table(
        [
            Column("name", "metric", is_key=True),
            *(Column(each, each) for each in ("better", "family", "summary", "options", "paper", "needs")),
        ],
        [
            [
                Cell(entry["name"]),
                Cell(_arrow(entry)),
                Cell(entry["family"]),
                Cell(entry["summary"]),
                Cell(_option_names(entry)),
                Cell(entry["paper"]),
                Cell("; ".join(entry["needs"])),
            ]
            for entry in entries
        ],
    )
    prose = prose_lines(_list_all(entries, knowledge))
    tables = [people, agreement] if agreement.rows else [people]
    return Document("metrics", tables, _records(entries), _wrap(entries), prose=prose)


def describe_metric(cls: type[Metric], family: str, knowledge: Knowledge | None = None) -> Document:
    """Describe one metric with its options, its presets, and how well they agreed with people."""
    knowledge = knowledge or Knowledge()
    entry = _gather(cls, family, knowledge)
    agreement = knowledge.table([entry["name"]])
    names = ("name", "default", "values", "help")
    direction = "higher is better" if entry["higher_is_better"] else "lower is better"
    title = f"{entry['name']} ({entry['family']}, {direction})"
    people = Table(
        [Column("name", "option", is_key=True), *(Column(each, each) for each in names[1:])],
        [
            [Cell(each["name"]), Cell(_default(each)), Cell(each["values"]), Cell(each["help"])]
            for each in entry["options"]
        ],
        title,
        [Note(entry["summary"]), Note(f"paper: {entry['paper']}")],
    )
    records = Records(
        dict.fromkeys(("metric", "option", *names[1:]), str),
        [
            [entry["name"], each["name"], each["default"], each["values"], each["help"]]
            for each in entry["options"]
        ],
    )
    prose = prose_lines([*_tell_one(title, cls, entry), *_tell_presets(entry, knowledge)])
    tables = [people, agreement] if agreement.rows else [people]
    return Document("metric", tables, records, _wrap([entry]), prose=prose)


def _gather(cls: type[Metric], family: str, knowledge: Knowledge) -> _MetricFacts:
    return {
        "name": cls.name,
        "family": family,
        "higher_is_better": cls.higher_is_better,
        "summary": _document(cls).split("\n\n")[0].replace("\n", " "),
        "paper": cls.paper,
        "needs": [each.help for each in cls.options() if is_resource_type(each.type)],
        "options": [
            {
                "name": each.name,
                "default": each.write(each.default) if not is_resource_type(each.type) else None,
                "default_by_vectors": _defaults_by_vectors(each),
                "values": each.describe(),
                "help": each.help,
            }
            for each in cls.options()
        ],
        "presets": knowledge.records(cls.name),
        "measured": knowledge.measured.get(cls.name, {}),
    }


def _defaults_by_vectors(option: Option) -> dict[str, str]:
    return {kind: option.write(value) for kind, value in (option.by_vectors or {}).items()}


def _default(option: _OptionFacts) -> str:
    """Write a default, and behind it those that go with certain vectors.

    >>> _default({"name": "n", "default": "0.1", "default_by_vectors": {"english": "0.7"}, "values": "", "help": ""})
    '0.1 (english vectors: 0.7)'
    """
    others = "; ".join(f"{kind} vectors: {value}" for kind, value in option["default_by_vectors"].items())
    return (option["default"] or "") + (f" ({others})" if others else "")


def _document(cls: type[Metric]) -> str:
    return inspect.getdoc(cls) or ""


def _wrap(entries: Sequence[_MetricFacts]) -> Mapping[str, object]:
    return {"schema_version": SCHEMA_VERSION, "metrics": list(entries)}


def _records(entries: Sequence[_MetricFacts]) -> Records:
    rows: list[list[Value]] = [
        [
            entry["name"],
            entry["family"],
            entry["higher_is_better"],
            entry["summary"],
            entry["paper"],
            "; ".join(entry["needs"]),
            _option_names(entry),
        ]
        for entry in entries
    ]
    columns: dict[str, type] = {
        "name": str, "family": str, "higher_is_better": bool, "summary": str, "paper": str, "needs": str, "options": str,
    }  # fmt: skip
    return Records(columns, rows)


def _arrow(entry: _MetricFacts) -> str:
    return "↑" if entry["higher_is_better"] else "↓"


def _option_names(entry: _MetricFacts) -> str:
    return ", ".join(option["name"] for option in entry["options"])


def _list_all(entries: Sequence[_MetricFacts], knowledge: Knowledge) -> list[str]:
    lines = []
    for family in dict.fromkeys(entry["family"] for entry in entries):
        lines.append(family)
        for entry in (each for each in entries if each["family"] == family):
            lines.append(f"  {entry['name']:12} {_arrow(entry)}  {entry['summary']}")
            lines.append(f"  {'':12}    options: {_option_names(entry)}")
            lines.append(f"  {'':12}    paper: {entry['paper']}")
            lines += [f"  {'':12}    needs: {need}" for need in entry["needs"]]
            if presets := [each.label for each in knowledge.presets_of(entry["name"])]:
                lines.append(f"  {'':12}    presets: {', '.join(presets)}")
    measured = knowledge.lines(entry["name"] for entry in entries)
    return [
        *lines,
        "",
        *measured,
        *([""] if measured else []),
        "tertium metrics NAME shows one with its options.",
    ]


def _tell_presets(entry: _MetricFacts, knowledge: Knowledge) -> list[str]:
    lines = []
    for each in knowledge.presets_of(entry["name"]):
        listed = [f"{name}={_write(value)}" for name, value in each.options.items()]
        listed += [f"--{name} {value}" for name, value in each.resources.items()]
        lines += [
            f"  {each.label}  version {each.version}: {', '.join(listed) or 'the defaults'}",
            f"      {each.source}",
        ]
    measured = knowledge.lines([entry["name"]])
    return [
        *(["", f"presets (-m {entry['name']}@NAME):"] if lines else []),
        *lines,
        *([""] if measured else []),
        *measured,
    ]


def _write(value: object) -> str:
    return Option("", str, None, "").write(value)


def _tell_one(title: str, cls: type[Metric], entry: _MetricFacts) -> list[str]:
    text = _document(cls).partition("\n>>>")[0].rstrip()
    lines = [title, f"paper: {entry['paper']}", "", *text.split("\n"), ""]
    lines.append(f"options (-m {entry['name']}:key=value,key=value):")
    for option in entry["options"]:
        lines.append(f"  {option['name']}={_default(option) or 'none'}  {option['help']}")
        lines.append(f"  {'':4}{option['values']}")
    return lines
