"""The catalogue as documents: all metrics, or one with its options."""

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from tertium.metrics.base import Metric
from tertium.metrics.options import Option, is_resource_type
from tertium.report.presets import Knowledge
from tertium.report.tables.model import Cell, Column, Document, Note, Records, Table, Value, prose_lines
from tertium.resources.named_presets import Measured

__all__ = ["describe_metric", "describe_metrics"]

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
