"""Columns of texts as the compiled core reads them: views of Python's strings, or of the bytes of a file."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

import tertium._core as _core
from tertium.errors import InputError

__all__ = ["TextColumn", "are_strings", "interleave_texts", "lower_texts"]


class TextColumn(Sequence[str]):
    r"""A sequence of texts that becomes Python strings only where someone looks at them.

    >>> texts = TextColumn.read_lines(b"The cat sat.\r\nIt rained. \n")
    >>> texts[1], len(texts)
    ('It rained.', 2)
    >>> texts[:1] == ["The cat sat."]
    True
    """

    __slots__ = ("held",)

    def __init__(self, held: _core.TextColumn) -> None:
        self.held = held

    @classmethod
    def of(cls, strings: Sequence[str]) -> "TextColumn":
        """View strings that are there already; what is a column stays as it is."""
        return strings if isinstance(strings, TextColumn) else cls.keep(list(strings))

    @classmethod
    def keep(cls, texts: list[str]) -> "TextColumn":
        """View the strings of a list that nobody is going to change."""
        try:
            return cls(_core.TextColumn(texts))
        except UnicodeEncodeError as error:
            raise _surrogate_error(texts) from error

    @classmethod
    def read_lines(cls, data: bytes) -> "TextColumn | None":
        r"""Cut the bytes of a file into lines, without the white space at their ends; None if they are not UTF-8.

        A line is what `\n` ends; the last one may lack its end.
        """
        held = _core.TextColumn.from_lines(data, of_file=True)
        return None if held is None else cls(held)

    def __len__(self) -> int:
        return len(self.held)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> "TextColumn": ...
    def __getitem__(self, index: int | slice) -> "str | TextColumn":
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step < 0:
                return TextColumn.of(self.held.to_list()[index])
            return TextColumn(self.held.slice(start, stop, step))
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"no text {index}: there are {len(self):,}")
        return self.held.at(position)

    def __iter__(self) -> Iterator[str]:
        return iter(self.held.to_list())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        return self.held.to_list() == list(other)

    __hash__ = None  # type: ignore[assignment] # as a list

    def __repr__(self) -> str:
        return f"<TextColumn: {len(self):,} texts>"

    def __reduce__(self) -> tuple[Callable[[list[str]], "TextColumn"], tuple[list[str]]]:
        return TextColumn.of, (self.held.to_list(),)


def are_strings(values: list[Any]) -> bool:
    """Whether all are Python's own strings, not None, say, nor numpy's."""
    return _core.are_strings(values)


def interleave_texts(columns: Sequence[TextColumn]) -> TextColumn:
    """Put columns of the same length together: the first text of each, then the second of each, and so on."""
    if len(columns) == 1:
        return columns[0]
    return TextColumn(_core.TextColumn.interleave([column.held for column in columns]))


def lower_texts(texts: TextColumn) -> TextColumn:
    """Bring texts into lower case, as `str.lower` does with each."""
    lowered, others = texts.held.lower_ascii()
    if others:
        lowered.put(others, _lower_unicode(texts.held.pick(others)))
    return TextColumn(lowered)


def _lower_unicode(texts: _core.TextColumn) -> _core.TextColumn:
    whole = texts.joined()
    if whole is None:
        return _core.TextColumn([text.lower() for text in texts.to_list()])
    # What becomes of a letter depends on its neighbours (Σ at the end of a word), but never beyond a line end.
    lowered = _core.TextColumn.from_lines(whole.decode().lower().encode(), of_file=False)
    assert lowered is not None  # noqa: S101 - it was encoded here
    return lowered


def _surrogate_error(texts: list[str]) -> InputError:
    for number, text in enumerate(texts, start=1):
        for position, character in enumerate(text, start=1):
            if "\ud800" <= character <= "\udfff":
                return InputError(
                    f"segment {number}, character {position} is the lone surrogate U+{ord(character):04X}, "
                    "which is no text; decode the input as UTF-8 with errors='strict'"
                )
    return InputError("the text cannot be encoded as UTF-8")
