"""Texts with the inline codes of their format, such as `<ph id="1"/>` in XLIFF, which are not part of the text."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, Self, get_args

from tertium.kernels.strings import TextColumn
from tertium.records import record

CodeKind = Literal["start", "end", "alone"]

# The last field of the line of a pair that encloses no text.
_EMPTY = "empty"

# Elements that enclose the text they apply to; a start and an end of other kinds are separate, empty elements.
_ENCLOSING = frozenset({"g", "pc", "hi"})


@record
class InlineCode:
    """A code of the original format inside a text: the start or end of a pair, or a code that stands alone.

    Attributes
    ----------
    element
        The name of its element in the file.
    identity
        The id that a translation of the text repeats; empty if the file has none.
    content
        The code itself, if the file has it.
    pair
        The number that the start and the end of a pair share within the text, if it is not their id.
    is_empty
        Whether this is the start of a pair that encloses no text.
    """

    element: str
    kind: CodeKind
    identity: str = ""
    content: str = ""
    pair: str = ""
    is_empty: bool = False

    @property
    def key(self) -> tuple[CodeKind, str]:
        """The value that is equal for the same code of two texts: the id, or else the code itself."""
        return self.kind, self.identity or self.content or self.pair or self.element

    @property
    def link(self) -> str:
        """The value that the start and the end of a pair share."""
        return self.pair or self.identity

    @property
    def tag(self) -> str:
        """The code as a tag, for messages.

        >>> [InlineCode("ph", "alone", "1", "<br/>").tag, InlineCode("g", "end", "2").tag, InlineCode("ut", "alone", "", "x").tag]
        ['<ph id="1"/>', '</g>', '<ut>x</ut>']
        """
        if self.element in _ENCLOSING and self.kind == "end":
            return f"</{self.element}>"
        if self.content and not self.identity:
            return f"<{self.element}>{self.content}</{self.element}>"
        named = f'{self.element} id="{self.identity}"' if self.identity else self.element
        return f"<{named}>" if self.element in _ENCLOSING else f"<{named}/>"

    def format(self) -> str:
        """Format the code as one line, for files."""
        end = f"\t{_EMPTY}" if self.is_empty else ""
        return f"{self.kind}\t{self.element}\t{self.identity}\t{self.content}\t{self.pair}{end}"


def parse_code(line: str) -> InlineCode:
    """Parse a line that `InlineCode.format` wrote; raise ValueError for anything else."""
    kind, element, identity, content, pair, *more = line.split("\t")
    if more not in ([], [_EMPTY]):
        raise ValueError(f"{more[0]!r} is not a property of an inline code")
    known = next((name for name in get_args(CodeKind) if name == kind), None)
    if known is None:
        raise ValueError(f"there is no kind of inline code {kind!r}")
    return InlineCode(element, known, identity, content, pair, bool(more))


class CodedText(str):
    """A text that had inline codes, which it keeps in their order.

    It equals the text without codes, which is what metrics compare; only the check `markup` reads the codes.

    >>> text = CodedText("Click here", [InlineCode("ph", "alone", "1")])
    >>> text == "Click here", text.codes[0].tag
    (True, '<ph id="1"/>')
    """

    __slots__ = ("codes",)

    codes: tuple[InlineCode, ...]

    def __new__(cls, text: str, codes: Iterable[InlineCode]) -> Self:
        made = super().__new__(cls, text)
        made.codes = tuple(codes)
        return made

    def __reduce__(self) -> tuple[Callable[..., "CodedText"], tuple[str, tuple[InlineCode, ...]]]:
        return CodedText, (str(self), self.codes)


def add_codes(text: str, codes: Sequence[InlineCode]) -> str:
    """Return the text with its codes, or the text itself if there are none."""
    return CodedText(text, codes) if codes else text


def codes_of(text: str) -> tuple[InlineCode, ...]:
    """Return the inline codes of a text; most texts have none."""
    return text.codes if isinstance(text, CodedText) else ()


def has_codes(texts: Iterable[str]) -> bool:
    """Whether any of the texts has inline codes."""
    return not isinstance(texts, TextColumn) and any(isinstance(text, CodedText) for text in texts)
