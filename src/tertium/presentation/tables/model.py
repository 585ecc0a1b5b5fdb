"""The output of every command as plain data: tables for readers, records for programs, one object for JSON."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import cached_property
from typing import Generic, TypeVar

from tertium.records import record

Value = str | float | int | bool | None
"""The value of one field of a record."""

T = TypeVar("T")


class Mark(Enum):
    """A property of a cell that each format shows in its own way."""

    BEST = auto()
    SECOND = auto()
    LEADING = auto()
    """Not significantly worse than any other. Formats with colours show it."""
    OUTPERFORMED = auto()
    """Another row is significantly better."""


class MarkPlace(Enum):
    """Where formats without bold type write a cell's marks."""

    BEFORE = auto()
    """A star before the best number."""
    BEHIND = auto()
    """Two characters after the number, blank if there are no marks, so that decimal points are aligned."""


class Tone(Enum):
    """The meaning of a piece of prose; terminals show it by colours."""

    PLAIN = auto()
    STRONG = auto()
    DIM = auto()
    GOOD = auto()
    NOTE = auto()
    WARNING = auto()
    ERROR = auto()
    SURPLUS = auto()
    """Words of an output that its reference does not have."""
    MISSING = auto()
    """Words of a reference that the output does not have."""
    MAJOR = auto()
    """Words that a rater marked as a major or critical error."""
    MINOR = auto()
    """Words that a rater marked as a minor error."""


@record
class Detail:
    """A text beside a number: `±2.10`, `p=0.0120`, `ab`.

    A narrow terminal omits details, those of the first kind first, and prints the kind (a plural).
    """

    kind: str
    text: str


@record
class Cell:
    """One cell: its text, its value in full precision, its marks and its details."""

    text: str
    value: Value = None
    marks: Collection[Mark] = ()
    details: Sequence[Detail] = ()
    spans: Sequence["Span"] = ()
    """The text in pieces, for formats that show the tone of each piece."""


Row = Sequence[Cell]


@record
class Column:
    """A column: its name in records and its heading in tables.

    Key columns name the row; they are repeated when a narrow terminal shows the others in several blocks. A last
    column that wraps contains whole sentences, which a terminal breaks into lines.
    """

    name: str
    heading: str
    is_number: bool = False
    is_key: bool = False
    wraps: bool = False


@record
class Note:
    """A line below a table.

    If it explains marks (the best and the second), the format's words for them are written between `text` and `after`.
    """

    text: str
    marks: tuple[Mark, ...] = ()
    after: str = ""
    is_signature: bool = False
    is_hint: bool = False
    """Whether the note says how to see the signatures, where they are not shown."""

    def format(self, words: Mapping[Mark, str]) -> str:
        """Write the note with a format's words for the marks."""
        return self.text + ", ".join(words[mark] for mark in self.marks) + self.after


def choose_notes(notes: Sequence[Note], *, signatures: bool) -> list[Note]:
    """Return the notes to show: signatures, or the hint that says how to see them."""
    return [note for note in notes if not (note.is_hint if signatures else note.is_signature)]


@record
class Table:
    """A table for readers: formatted cells with a title and notes."""

    columns: Sequence[Column]
    rows: Iterable[Row]
    title: str = ""
    notes: Sequence[Note] = ()
    mark_place: MarkPlace = MarkPlace.BEFORE


@record
class Records:
    """A long table for programs: each column's name and type, and rows of values in full precision."""

    columns: Mapping[str, type]
    rows: Iterable[Sequence[Value]]


@record
class Span:
    """A piece of a line of prose."""

    text: str
    tone: Tone = Tone.PLAIN


Line = Sequence[Span]


@record
class Document:
    """The output of a command in every format; each part is made when a format asks for it, and kept.

    Text, terminals, Markdown, LaTeX and HTML show `tables` and then `notes`; CSV, TSV, pandas and Arrow show
    `records`; JSON shows `data`. Where the natural text is not a table, text and terminals show `prose`.
    Nothing in here is escaped: the renderers do that.
    """

    name: str
    make_tables: Callable[[], Sequence[Table]]
    make_records: Callable[[], Records]
    make_data: Callable[[], object]
    notes: Sequence[Note] = ()
    make_prose: Callable[[], Sequence[Line]] = tuple

    @cached_property
    def tables(self) -> Sequence[Table]:
        return self.make_tables()

    @cached_property
    def records(self) -> Records:
        return self.make_records()

    @cached_property
    def data(self) -> object:
        return self.make_data()

    @cached_property
    def prose(self) -> Sequence[Line]:
        return self.make_prose()


@record
class LazyRows(Generic[T]):
    """Rows that are made each time they are read, for tables that are too long to be kept."""

    make: Callable[[], Iterator[T]]

    def __iter__(self) -> Iterator[T]:
        return self.make()


def prose_lines(lines: Iterable[str]) -> list[Line]:
    """Make prose of plain lines."""
    return [(Span(line),) for line in lines]


def type_of_values(values: Iterable[object]) -> type:
    """Find the type of a records' column that holds these values, apart from None.

    >>> type_of_values([1, None, 2.5]), type_of_values([1, "x"]), type_of_values([])
    (<class 'float'>, <class 'str'>, <class 'str'>)
    """
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) == 1 and kinds < {bool, int, float}:
        return kinds.pop()
    return float if kinds == {int, float} else str


# ALM, LRM, RLM, embeddings, overrides, isolates: they let a name rearrange the text around it.
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# C0 and C1 controls (ESC begins terminal commands; so does U+009B), DEL, and halves of surrogate pairs,
# which UTF-8 cannot encode.
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
_SPACES = "\r\n|[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]"  # tabs, and the line ends of splitlines()
_UNSAFE = f"[{_CONTROLS}{_BIDI}]"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def clean_line(text: str) -> str:
    r"""Make a text safe as a part of one line: breaks and tabs become spaces, controls U+FFFD.

    >>> clean_line("a\tb\nc"), clean_line("\x1b[31m")
    ('a b c', '�[31m')
    """
    return text if _is_plain(text) else re.sub(_UNSAFE, _REPLACEMENT, re.sub(_SPACES, " ", text))


def clean_field(text: str) -> str:
    r"""Replace controls by U+FFFD, but keep tabs and line breaks: the format quotes them.

    >>> clean_field("a\tb\x1b")
    'a\tb�'
    """
    return text if _is_plain(text) else re.sub(_UNSAFE, _REPLACEMENT, text)


def display_width(text: str) -> int:
    """Count the columns of a text in a terminal: two for a Chinese character, none for an accent.

    >>> display_width("abc"), display_width("中文"), display_width("e\N{COMBINING ACUTE ACCENT}")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def format_value(value: Value) -> str:
    """Format a value for a table: whole numbers with commas, yes or no, and an empty text for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else value
