"""The catalogue as documents: all metrics, or one with its options."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from tertium.metrics.base import Metric
from tertium.metrics.options import is_resource_type
from tertium.report.tables.model import Cell, Column, Document, Note, Records, Table, Value, prose_lines

__all__ = ["describe_metric", "describe_metrics"]

SCHEMA_VERSION = 1


class _OptionFacts(TypedDict):
    name: str
    default: str | None
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


def describe_metrics(classes: Iterable[tuple[type[Metric], str]]) -> Document:
    """Describe metrics, each given with its family."""
    entries = [_gather(cls, family) for cls, family in classes]
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
    prose = prose_lines(_list_all(entries))
    return Document("metrics", [people], _records(entries), _wrap(entries), prose=prose)


def describe_metric(cls: type[Metric], family: str) -> Document:
    """Describe one metric with its options."""
    entry = _gather(cls, family)
    names = ("name", "default", "values", "help")
    direction = "higher is better" if entry["higher_is_better"] else "lower is better"
    title = f"{entry['name']} ({entry['family']}, {direction})"
    people = Table(
        [Column("name", "option", is_key=True), *(Column(each, each) for each in names[1:])],
        [
            [Cell(each["name"]), Cell(each["default"] or ""), Cell(each["values"]), Cell(each["help"])]
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
    prose = prose_lines(_tell_one(title, cls, entry))
    return Document("metric", [people], records, _wrap([entry]), prose=prose)


def _gather(cls: type[Metric], family: str) -> _MetricFacts:
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
                "values": each.describe(),
                "help": each.help,
            }
            for each in cls.options()
        ],
    }


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


def _list_all(entries: Sequence[_MetricFacts]) -> list[str]:
    lines = []
    for family in dict.fromkeys(entry["family"] for entry in entries):
        lines.append(family)
        for entry in (each for each in entries if each["family"] == family):
            lines.append(f"  {entry['name']:12} {_arrow(entry)}  {entry['summary']}")
            lines.append(f"  {'':12}    options: {_option_names(entry)}")
            lines.append(f"  {'':12}    paper: {entry['paper']}")
            lines += [f"  {'':12}    needs: {need}" for need in entry["needs"]]
    return [*lines, "", "tertium metrics NAME shows one with its options."]


def _tell_one(title: str, cls: type[Metric], entry: _MetricFacts) -> list[str]:
    text = _document(cls).partition("\n>>>")[0].rstrip()
    lines = [title, f"paper: {entry['paper']}", "", *text.split("\n"), ""]
    lines.append(f"options (-m {entry['name']}:key=value,key=value):")
    for option in entry["options"]:
        lines.append(f"  {option['name']}={option['default']}  {option['help']}")
        lines.append(f"  {'':4}{option['values']}")
    return lines
