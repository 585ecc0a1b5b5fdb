"""Plain text: a line is a segment."""

from collections.abc import Container, Mapping
from dataclasses import dataclass

from tertium.corpus.texts.columns import BEGINNING, Column, Group, Start
from tertium.errors import InputError
from tertium.files.addresses import Address, default_name
from tertium.files.line_streams import open_text
from tertium.files.reading import BYTE_ORDER_MARK, decode_file, read_bytes
from tertium.kernels.text_columns import TextColumn
from tertium.types import ReferenceStreams

__all__ = ["TextFile", "TextStream", "read_text_file"]

_MARK = BYTE_ORDER_MARK.encode()


@dataclass(frozen=True)
class TextFile:
    """A plain text file: one column, whatever it is used for.

    White space at the end of a line is no part of the segment, as for sacreBLEU's command (`chrf:whitespace=yes`
    would count it). Texts that come from Python are taken as they are, as by sacreBLEU's classes.
    """

    lines: TextColumn

    def __len__(self) -> int:
        return len(self.lines)

    def source(self, address: Address) -> Column[str]:
        return self._column(address)

    def references(self, address: Address) -> Column[Group]:
        column = self._column(address)
        return Column(column.label, column.unit, ReferenceStreams([column.values]))

    def systems(self, address: Address) -> list[tuple[str, Column[str]]]:
        return [(default_name(address), self._column(address))]

    def columns(self, texts: Container[str]) -> Mapping[str, Column[str]]:  # noqa: ARG002 - it has none
        """Say nothing: a line is a text."""
        return {}

    def _column(self, address: Address) -> Column[str]:
        if address.column is not None:
            raise InputError(
                f"{address.path} is plain text and has no column {address.column!r};"
                " columns exist in .tsv, .jsonl and .parquet files"
            )
        return Column(address.label, "line", self.lines)


class TextStream:
    """The lines of a plain text file, some at a time."""

    def __init__(self, path: str, start: Start = BEGINNING) -> None:
        self._lines = open_text(path, start_line=start.row, start_byte=start.byte)

    def read(self, n_rows: int) -> TextFile:
        block = self._lines.read_block(n_rows)
        lines = TextColumn.read_lines(block)
        if lines is None:
            self._lines.decode(block)  # which says where
            raise AssertionError("the core and Python disagree about UTF-8")
        return TextFile(lines)

    def close(self) -> None:
        self._lines.close()


def read_text_file(path: str) -> TextFile:
    """Read plain text as a whole; `-` is standard input."""
    data = read_bytes(path)
    lines = TextColumn.read_lines(data.removeprefix(_MARK))
    if lines is None:
        decode_file(path, data)  # which says where
        raise AssertionError("the core and Python disagree about UTF-8")
    return TextFile(lines)
