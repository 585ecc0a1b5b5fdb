"""The row model: a result declares its fields once, and tables, records and JSON objects are derived from them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Flag, auto
from operator import itemgetter
from typing import Any, Generic, TypeVar

from tertium.presentation.tables.model import (
    Cell,
    Column,
    Detail,
    Document,
    LazyRows,
    Mark,
    MarkPlace,
    Note,
    Records,
    Row,
    Span,
    Table,
    Value,
    format_value,
    prose_lines,
    type_of_values,
)
from tertium.records import record

R = TypeVar("R")
S = TypeVar("S")


class Output(Flag):
    """The places where a field appears."""

    TABLE = auto()
    RECORDS = auto()
    JSON = auto()


TABLE, RECORDS, JSON = Output
EVERYWHERE = TABLE | RECORDS | JSON


@record
class Field(Generic[R]):
    """One fact about every row of a result.

    Attributes
    ----------
    name
        The column's name in records and the key in JSON objects.
    type
        The type of the values, apart from None.
    get
        Returns a row's value in full precision. [default: the row's attribute of the same name]
    outputs
        Where the field appears.
    heading
        The heading of the table's column. [default: the name]
    form, missing
        The format of the table's cell, such as "p={:.4f}", and its text if the value is None.
    text
        Returns the text of the table's cell, if a format is not enough.
    marks, spans
        Return the marks and the coloured pieces of the table's cell.
    detail
        In a wide table, where a cell shows several fields, this one is shown beside the cell's number. The detail's name
        (a plural) is printed if a narrow terminal leaves it out.
    is_key, wraps
        See `Column`. Key columns come first.
    is_optional
        Whether JSON objects omit the field if its value is None.
    request
        The option that adds the column to records; "" for columns that are always there.
    """

    name: str
    type: type = str
    get: Callable[[R], Any] | None = None
    outputs: Output = EVERYWHERE
    heading: str = ""
    form: str = ""
    missing: str = ""
    text: Callable[[R], str] | None = None
    marks: Callable[[R], Collection[Mark]] | None = None
    spans: Callable[[R], Sequence[Span]] | None = None
    detail: str = ""
    is_key: bool = False
    wraps: bool = False
    is_optional: bool = False
    request: str = ""

    def value(self, row: R) -> Any:
        """Return a row's value."""
        return getattr(row, self.name) if self.get is None else self.get(row)

    def write(self, row: R) -> str:
        """Format a row's value for a table."""
        if self.text is not None:
            return self.text(row)
        value = self.value(row)
        if value is None:
            return self.missing
        return self.form.format(value) if self.form else format_value(value)

    def cell(self, row: R) -> Cell:
        """Make the table's cell of a row."""
        return Cell(
            self.write(row),
            self.value(row),
            () if self.marks is None else self.marks(row),
            spans=() if self.spans is None else self.spans(row),
        )

    def column(self) -> Column:
        """Make the table's column."""
        is_number = self.type in (int, float)
        return Column(self.name, self.heading or self.name, is_number, self.is_key, self.wraps)

    def within(self, part: Callable[[S], R]) -> "Field[S]":
        """Make the same field for rows that contain this field's rows."""

        def lift(function: Callable[[R], Any] | None) -> Any:
            return None if function is None else lambda row: function(part(row))

        return replace(  # type: ignore[return-value]
            self, get=lift(self.value), text=lift(self.text), marks=lift(self.marks), spans=lift(self.spans)
        )


def select_fields(fields: Iterable[Field[R]], requests: Collection[str]) -> list[Field[R]]:
    """Return the fields that are always there and those that were requested."""
    return [field for field in fields if not field.request or field.request in requests]


def make_table(
    fields: Iterable[Field[R]], rows: Iterable[R], *, title: str = "", notes: Sequence[Note] = ()
) -> Table:
    """Make a table with a column per field, key columns first."""
    shown = [field for field in fields if TABLE in field.outputs]
    shown.sort(key=lambda field: not field.is_key)
    cells: list[Row] = [[field.cell(row) for field in shown] for row in rows]
    return Table([field.column() for field in shown], cells, title, notes)


def make_wide_table(
    fields: Iterable[Field[R]],
    rows: Iterable[Sequence[R]],
    headings: Mapping[str, str],
    *,
    title: str = "",
    notes: Sequence[Note] = (),
    mark_place: MarkPlace = MarkPlace.BEFORE,
) -> Table:
    """Make a table whose rows show several rows of the result next to each other, each in one cell.

    The last field without `detail` is the cell's number; the fields before it are columns of their own at the left.
    """
    shown = [field for field in fields if TABLE in field.outputs]
    *left, number = [field for field in shown if not field.detail]
    details = [field for field in shown if field.detail]

    def make_cell(row: R) -> Cell:
        texts = ((field.detail, field.write(row)) for field in details)
        return replace(number.cell(row), details=[Detail(name, text) for name, text in texts if text])

    columns = [Column(name, heading, is_number=True) for name, heading in headings.items()]
    cells = LazyRows(
        lambda: ([*(field.cell(group[0]) for field in left), *map(make_cell, group)] for group in rows)
    )
    return Table([*(field.column() for field in left), *columns], cells, title, notes, mark_place)


def make_records(fields: Iterable[Field[R]], rows: Iterable[R]) -> Records:
    """Make records with a column per field; the rows are read each time the records are."""
    columns = [field for field in fields if RECORDS in field.outputs]
    values = LazyRows(lambda: ([field.value(row) for field in columns] for row in rows))
    return Records({field.name: field.type for field in columns}, values)


def make_object(fields: Iterable[Field[R]], row: R) -> dict[str, Any]:
    """Make the JSON object of a row."""
    values = {field.name: (field.value(row), field.is_optional) for field in fields if JSON in field.outputs}
    return {
        name: value for name, (value, is_optional) in values.items() if not (is_optional and value is None)
    }


def record_objects(records: Records) -> list[dict[str, Any]]:
    """Make a JSON object of every record."""
    return [dict(zip(records.columns, row, strict=True)) for row in records.rows]


def describe_listing(
    name: str,
    things: Sequence[Mapping[str, Value]],
    *,
    title: str = "",
    notes: Sequence[str] = (),
    more: Callable[[], Sequence[Table]] = tuple,
    data: object = None,
    prose: Callable[[], Iterable[str]] = tuple,
) -> Document:
    """Describe things that all have the same keys; the first key's value names the thing.

    Parameters
    ----------
    more
        Makes further tables.
    data
        What JSON shows instead of a list of the things.
    prose
        Makes the lines that text shows instead of tables.

    Examples
    --------
    >>> from tertium.presentation.tables import render_document
    >>> things = [{"code": "zh", "tokenizer": "zh"}, {"code": "de", "tokenizer": None}]
    >>> print(render_document(describe_listing("languages", things), "text"), end="")
    code  tokenizer
    zh    zh
    de
    """
    fields: list[Field[Mapping[str, Value]]] = [
        Field(
            key,
            type_of_values(thing[key] for thing in things),
            itemgetter(key),
            heading=key.replace("_", " "),
            is_key=i == 0,
        )
        for i, key in enumerate(things[0] if things else ())
    ]
    return Document(
        name,
        lambda: [make_table(fields, things, title=title, notes=[*map(Note, notes)]), *more()],
        lambda: make_records(fields, things),
        lambda: [dict(thing) for thing in things] if data is None else data,
        make_prose=lambda: prose_lines(prose()),
    )
