"""Documents that describe metrics, their options and their presets."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from operator import itemgetter
from typing import TypedDict

from tertium.errors import argument
from tertium.metrics.base import Metric
from tertium.metrics.options import Option, is_resource_type
from tertium.records import record
from tertium.reporting.tables.fields import RECORDS, Field, make_records, make_table
from tertium.reporting.tables.model import Cell, Column, Document, Note, Table, prose_lines
from tertium.resources.presets import Measured, NamedPreset

# The measured statistics in the order of the columns, with their headings.
STATISTICS = {"segment": "τ", "system": "r", "accuracy": "SPA", "assessment": "DA"}
NOTE = (
    "means over pairs into English; τ: Kendall's τ of segments over rankings (WMT14's variant), r: Pearson's r of"
    " systems, SPA: soft pairwise accuracy of systems, DA: Pearson's r of directly assessed segments"
)


@record
class Knowledge:
    """All presets, and the measured agreement of metrics and presets with human judges."""

    presets: Sequence[NamedPreset] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)

    def presets_of(self, metric: str) -> list[NamedPreset]:
        return [each for each in self.presets if each.metric == metric]

    def records(self, metric: str) -> list[dict[str, object]]:
        """Return the presets of a metric as JSON objects."""
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
        """List the names of metrics and their presets, each metric before its presets."""
        return [
            label for name in metrics for label in (name, *(each.label for each in self.presets_of(name)))
        ]

    def tables(self, metrics: Iterable[str]) -> list[Table]:
        """Make the table of measurements: a row per metric and preset, two or three columns per test set."""
        labels = [label for label in self.labels(metrics) if label in self.measured]
        columns = self._columns(labels)
        table = Table(
            [
                Column("label", "metric", is_key=True),
                *(Column(f"{year} {name}", f"{year} {STATISTICS[name]}", is_number=True) for year, name in columns),
            ],
            [[Cell(label), *(self._cell(label, *column) for column in columns)] for label in labels],
            "agreement with human judges",
            [Note(NOTE)],
        )  # fmt: skip
        return [table] if labels else []

    def lines(self, metrics: Iterable[str]) -> list[str]:
        """Format the same table as lines of text; an empty list if there are no measurements."""
        if not (tables := self.tables(metrics)):
            return []
        (table,) = tables
        rows = [[cell.text for cell in row] for row in table.rows]
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
    """Describe metrics, each given with its family, with their presets and their agreement with human judges."""
    knowledge = knowledge or Knowledge()
    entries = [_gather(cls, family, knowledge) for cls, family in classes]
    return Document(
        "metrics",
        lambda: [make_table(_METRIC_FIELDS, entries), *knowledge.tables(entry["name"] for entry in entries)],
        lambda: make_records(_METRIC_FIELDS, entries),
        lambda: _wrap(entries),
        make_prose=lambda: prose_lines(_list_all(entries, knowledge)),
    )


def describe_metric(cls: type[Metric], family: str, knowledge: Knowledge | None = None) -> Document:
    """Describe one metric with its options, its presets, and their agreement with human judges."""
    knowledge = knowledge or Knowledge()
    entry = _gather(cls, family, knowledge)
    direction = "higher is better" if entry["higher_is_better"] else "lower is better"
    title = f"{entry['name']} ({entry['family']}, {direction})"
    notes = [Note(entry["summary"]), Note(f"paper: {entry['paper']}")]
    name: Field[_OptionFacts] = Field("metric", get=lambda _: entry["name"], outputs=RECORDS)
    fields = [name, *_OPTION_FIELDS]
    return Document(
        "metric",
        lambda: [
            make_table(fields, entry["options"], title=title, notes=notes),
            *knowledge.tables([entry["name"]]),
        ],
        lambda: make_records(fields, entry["options"]),
        lambda: _wrap([entry]),
        make_prose=lambda: prose_lines(
            [*_describe_in_prose(title, cls, entry), *_describe_presets(entry, knowledge)]
        ),
    )


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
    """Write a default, followed by the defaults for certain vectors.

    >>> _default({"name": "n", "default": "0.1", "default_by_vectors": {"english": "0.7"}, "values": "", "help": ""})
    '0.1 (english vectors: 0.7)'
    """
    others = "; ".join(f"{kind} vectors: {value}" for kind, value in option["default_by_vectors"].items())
    return (option["default"] or "") + (f" ({others})" if others else "")


def _document(cls: type[Metric]) -> str:
    return inspect.getdoc(cls) or ""


def _wrap(entries: Sequence[_MetricFacts]) -> Mapping[str, object]:
    return {"schema_version": SCHEMA_VERSION, "metrics": list(entries)}


def _arrow(entry: _MetricFacts) -> str:
    return "↑" if entry["higher_is_better"] else "↓"


def _option_names(entry: _MetricFacts) -> str:
    return ", ".join(option["name"] for option in entry["options"])


_METRIC_FIELDS: list[Field[_MetricFacts]] = [
    Field("name", get=itemgetter("name"), heading="metric", is_key=True),
    Field("family", get=itemgetter("family")),
    Field("higher_is_better", bool, itemgetter("higher_is_better"), heading="better", text=_arrow),
    Field("summary", get=itemgetter("summary")),
    Field("paper", get=itemgetter("paper")),
    Field("needs", get=lambda each: "; ".join(each["needs"])),
    Field("options", get=_option_names),
]  # fmt: skip

_OPTION_FIELDS: list[Field[_OptionFacts]] = [
    Field("option", get=itemgetter("name"), is_key=True),
    Field("default", get=itemgetter("default"), text=_default),
    Field("values", get=itemgetter("values")),
    Field("help", get=itemgetter("help")),
]


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


def _describe_presets(entry: _MetricFacts, knowledge: Knowledge) -> list[str]:
    lines = []
    for each in knowledge.presets_of(entry["name"]):
        listed = [f"{name}={_write(value)}" for name, value in each.options.items()]
        listed += [argument(name, value) for name, value in each.resources.items()]
        lines += [
            f"  {each.label}  version {each.version}: {', '.join(listed) or 'the defaults'}",
            f"      {each.source}",
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


def _describe_in_prose(title: str, cls: type[Metric], entry: _MetricFacts) -> list[str]:
    text = _document(cls).partition("\n>>>")[0].rstrip()
    lines = [title, f"paper: {entry['paper']}", "", *text.split("\n"), ""]
    lines.append(f"options ({argument('metrics', entry['name'] + ':key=value,key=value')}):")
    for option in entry["options"]:
        lines.append(f"  {option['name']}={_default(option) or 'none'}  {option['help']}")
        lines.append(f"  {'':4}{option['values']}")
    return lines
