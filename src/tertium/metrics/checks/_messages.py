"""ICU messages, such as `{n, plural, one {# file} other {# files}}`: their variables and branches as items.

The syntax is that of ICU's MessageFormat: a variable with a type, and for `plural`, `selectordinal` and `select` a
message per branch; an apostrophe before a brace begins a quotation.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from tertium.records import record

PLURAL, ORDINAL, SELECT = "plural", "selectordinal", "select"
OTHER = "other"
CATEGORIES = frozenset({"zero", "one", "two", "few", "many", OTHER})

_SELECTORS = (PLURAL, ORDINAL, SELECT)
_MOST_LEVELS = 20  # no message for readers has as many; deeper ones are not parsed
_TYPED = re.compile(
    r"\{\s*[\w.-]+\s*,\s*(?:(?:plural|selectordinal|select)\s*,|(?:number|date|time|spellout|ordinal|duration)\s*[,}])"
)
_NAME = re.compile(r"\s*([\w.-]+)\s*")
_BRANCH = re.compile(r"\s*(=\d+|[^\s{},='#]+)\s*\{")
_OFFSET = re.compile(r"\s*offset\s*:\s*([0-9]{1,9})(?![0-9])")
_SPACE = re.compile(r"\s*")
# A run of text; a quotation from an apostrophe before a brace (or before # in a plural) to the next apostrophe.
_TEXT = re.compile(r"''|'(?=[{}#])((?:[^']|'')*)(?:'|$)|[^{}'#]+|'")


class MessageError(ValueError):
    """A text is not a valid message."""


@record
class Variable:
    """A variable without branches, such as `{name}` or `{day, date, short}`, or the `#` of a plural."""

    name: str
    kind: str = ""

    @property
    def item(self) -> str:
        """The variable without its style, which may differ between languages."""
        return f"{{{self.name}, {self.kind}}}" if self.kind else f"{{{self.name}}}"


@record
class Selector:
    """A variable that selects one of several messages."""

    name: str
    kind: str
    branches: Mapping[str, "Message"]
    offset: int = 0

    @property
    def item(self) -> str:
        offset = f", offset:{self.offset}" if self.offset else ""
        return f"{{{self.name}, {self.kind}{offset}}}"


Message = Sequence[str | Variable | Selector]


def may_be_message(text: str) -> bool:
    """Whether a text has a variable with a type; `{name}` alone is a placeholder of many formats."""
    return "{" in text and _TYPED.search(text) is not None


def parse_message(text: str) -> Message:
    """Parse a message.

    Raises
    ------
    MessageError
        If it is not valid.

    >>> [part if isinstance(part, str) else part.item for part in parse_message("{n, plural, other {#}} of {name}")]
    ['{n, plural}', ' of ', '{name}']
    """
    message, end = _parse(text, 0, "", 0)
    if end < len(text):
        raise MessageError(f"the brace at character {end + 1} closes nothing")
    return message


def _parse(text: str, at: int, plural: str, level: int) -> tuple[Message, int]:
    """Parse from a position to the closing brace or the end; `plural` names the variable of `#`."""
    if level > _MOST_LEVELS:
        raise MessageError("it is nested too deeply")
    parts: list[str | Variable | Selector] = []
    while at < len(text) and text[at] != "}":
        if text[at] == "{":
            part, at = _parse_variable(text, at + 1, plural, level)
            parts.append(part)
        elif text[at] == "#":
            parts.append(Variable(plural) if plural else "#")
            at += 1
        else:
            piece, at = _parse_text(text, at, quotes_number=bool(plural))
            parts.append(piece)
    return parts, at


def _parse_text(text: str, at: int, *, quotes_number: bool) -> tuple[str, int]:
    if text.startswith("'#", at) and not quotes_number:
        return "'", at + 1
    found = _TEXT.match(text, at)
    assert found is not None  # noqa: S101 - every other character matches
    if found[1] is not None:
        return found[1].replace("''", "'"), found.end()
    return "'" if found[0] == "''" else found[0], found.end()


def _parse_variable(text: str, at: int, plural: str, level: int) -> tuple[Variable | Selector, int]:
    """Parse a variable, from the character after its brace."""
    name, at = _parse_name(text, at)
    if text.startswith("}", at):
        return Variable(name), at + 1
    kind, at = _parse_name(text, _skip(text, at, ","))
    if kind in _SELECTORS:
        return _parse_branches(text, _skip(text, at, ","), Selector(name, kind, {}), plural, level)
    end = _end_of_style(text, at)
    return Variable(name, kind), end + 1


def _parse_name(text: str, at: int) -> tuple[str, int]:
    found = _NAME.match(text, at)
    if found is None:
        raise MessageError(f"a name is missing at character {at + 1}")
    return found[1], found.end()


def _skip(text: str, at: int, sign: str) -> int:
    if not text.startswith(sign, at):
        raise MessageError(f"{sign} is missing at character {at + 1}")
    return at + 1


def _end_of_style(text: str, at: int) -> int:
    """Find the brace that closes a style; braces in it are balanced."""
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth < 0:
            return place
    raise MessageError("} is missing at the end")


def _parse_branches(text: str, at: int, selector: Selector, plural: str, level: int) -> tuple[Selector, int]:
    offset = 0
    if selector.kind != SELECT and (found := _OFFSET.match(text, at)):
        offset, at = int(found[1]), found.end()
    inner = plural if selector.kind == SELECT else selector.name
    branches: dict[str, Message] = {}
    while (branch := _BRANCH.match(text, at)) is not None:
        if branch[1] in branches:
            raise MessageError(f"the branch {branch[1]} of {selector.item} occurs twice")
        branches[branch[1]], at = _parse(text, branch.end(), inner, level + 1)
        at = _skip(text, at, "}")
    at = _skip(text, _skip_space(text, at), "}")
    if not branches:
        raise MessageError(f"{selector.item} has no branches")
    return Selector(selector.name, selector.kind, branches, offset), at


def _skip_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


def list_selectors(message: Message) -> Iterator[Selector]:
    """Yield the selectors of a message and of its branches."""
    for part in message:
        if isinstance(part, Selector):
            yield part
            for branch in part.branches.values():
                yield from list_selectors(branch)


def choose_branches(message: Message, chosen: Mapping[tuple[str, str], str]) -> Iterator[str | Variable]:
    """Yield texts and variables for a choice of branches by variable and kind; `other` if a branch is missing."""
    for part in message:
        if not isinstance(part, Selector):
            yield part
            continue
        branch = part.branches.get(chosen.get((part.name, part.kind), OTHER))
        yield from choose_branches(part.branches.get(OTHER, ()) if branch is None else branch, chosen)
