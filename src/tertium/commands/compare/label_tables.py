"""Tables of systems on groups of segments and on kinds of words."""

from collections.abc import Iterator, Sequence

from tertium.evaluation.labels import LabelRow
from tertium.presentation.score_table import format_p
from tertium.presentation.tables.fields import Field, make_records, make_table
from tertium.presentation.tables.model import Records, Table
from tertium.records import record
from tertium.verdicts import P_ADJUSTED


@record(eq=False)
class LabelTable:
    """The groups of one kind; `unit` is what they contain, segments or words."""

    title: str
    unit: str
    rows: Sequence[LabelRow]


def make_label_tables(labels: Sequence[LabelTable], systems: Sequence[str]) -> Iterator[Table]:
    """Make a table for each kind of group, with a column for each system."""
    for label in labels:
        if label.rows:
            fields: list[Field[LabelRow]] = [
                Field("label", get=lambda row: row.name, heading=label.rows[0].kind, is_key=True),
                Field("n", int, lambda row: row.n_items, heading=label.unit),
                *(_system_field(name, i) for i, name in enumerate(systems)),
                Field("p", float, lambda row: row.p_value, heading=P_ADJUSTED, text=_write_p),
                Field("example", int, _example, heading="example", form="{}", missing="–"),
            ]
            yield make_table(fields, label.rows, title=label.title)


def _system_field(name: str, i: int) -> Field[LabelRow]:
    return Field(
        name,
        float,
        lambda row: row.scores[i],
        text=lambda row: f"{row.scores[i]:.2f} {row.letters[i]}".strip(),
    )


def _write_p(row: LabelRow) -> str:
    return "–" if row.p_value is None else format_p(row.p_value)


def _example(row: LabelRow) -> int | None:
    return None if row.example is None else row.example + 1


@record
class _LabelRecord:
    """One system in one group, for CSV and JSON."""

    table: str
    label: str
    n: int
    system: str
    score: float
    letters: str
    p_value: float | None
    example: int | None


_LABEL_FIELDS: list[Field[_LabelRecord]] = [
    Field("table"),
    Field("label"),
    Field("n", int),
    Field("system"),
    Field("score", float),
    Field("letters"),
    Field("p_value", float),
    Field("example", int),
]


def make_label_records(labels: Sequence[LabelTable], systems: Sequence[str]) -> Records:
    """Make a record for each system and group."""
    rows = [
        _LabelRecord(
            label.title,
            row.name,
            row.n_items,
            name,
            row.scores[i],
            row.letters[i],
            row.p_value,
            _example(row),
        )
        for label in labels
        for row in label.rows
        for i, name in enumerate(systems)
    ]
    return make_records(_LABEL_FIELDS, rows)
