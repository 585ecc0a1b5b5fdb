"""Plain text: a line is a segment."""

import os
from dataclasses import dataclass

from tertium.corpus.texts.columns import Column, Group
from tertium.errors import InputError
from tertium.files.addresses import Address, default_name
from tertium.files.reading import read_text

__all__ = ["TextFile", "read_lines"]


def read_lines(path: str | os.PathLike[str]) -> list[str]:
    r"""Read the lines of a UTF-8 file, of a gzip or xz file, or of standard input (`-`).

    A line is what `\n` or `\r\n` ends and nothing else: U+2028, U+0085, form feeds, a lone `\r` and NUL
    are text. Blank lines count, the last line may lack its end, and an empty file has no lines. A byte
    order mark at the start of the file is removed; anywhere else U+FEFF is text.

    Raises
    ------
    InputError
        If the file is missing, unreadable, damaged or not UTF-8, or standard input was read before.
    """
    text = read_text(os.fspath(path))
    if "\r" in text:  # one character is found much faster than two
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()  # what follows the last line end is a line only if there is something
    return lines


@dataclass(frozen=True)
class TextFile:
    """A plain text file: one column, whatever it is used for."""

    lines: list[str]

    def source(self, address: Address) -> Column[str]:
        return self._column(address)

    def references(self, address: Address) -> Column[Group]:
        column = self._column(address)
        return Column(column.label, column.unit, list(zip(column.values, strict=True)))

    def systems(self, address: Address) -> list[tuple[str, Column[str]]]:
        return [(default_name(address), self._column(address))]

    def _column(self, address: Address) -> Column[str]:
        if address.column is not None:
            raise InputError(
                f"{address.path} is plain text and has no column {address.column!r};"
                " columns exist in .tsv, .jsonl and .parquet files"
            )
        return Column(address.label, "line", self.lines)
