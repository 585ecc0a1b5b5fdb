"""ICU messages, such as `{n, plural, one {# file} other {# files}}`: their variables and branches as items.

The syntax is that of ICU's MessageFormat: a variable with a type, and for `plural`, `selectordinal` and `select` a
message per branch; an apostrophe before a brace begins a quotation. A translation is compared with its source in every
branch.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from tertium.metrics.checks._base import CheckOutcome
from tertium.records import record
from tertium.text.languages import find_language

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


# Categories of whole numbers in CLDR 46 (supplemental/plurals.xml); every message has `other` as well. Categories that
# only fractions or millions have, such as many in French and Czech, are not required.
_CATEGORIES = (
    ((), "id ja jv km ko lo ms my th vi yue zh"),
    (
        ("one",),
        "af am az bg bn ca da de el en es et eu fa fi fil fr gl gu hi hu hy is it ka kk kn ky mk ml mn mr nb ne nl nn",
    ),
    (("one",), "no pa ps pt si sq sv sw ta te tl tr ur uz"),
    (("one", "few"), "bs cs hr lt ro sh sk sr"),
    (("one", "few", "many"), "be pl ru uk"),
    (("one", "two"), "he"),
    (("zero", "one"), "lv"),
    (("one", "two", "few"), "sl"),
    (("one", "two", "few", "many"), "ga mt"),
    (("zero", "one", "two", "few", "many"), "ar cy"),
)
_PLURALS = {code: categories for categories, codes in _CATEGORIES for code in codes.split()}
_MOST_CHOICES = 100  # messages for readers have a few branches; the time for thousands would be quadratic
_UNCOUNTED = frozenset({"zero", "one", "two"})  # in these branches, words may replace the number

_Key = tuple[str, str]
ListItems = Callable[[str], Sequence[str]]


def compare_messages(source: Message, hypothesis: str, language: str, list_items: ListItems) -> CheckOutcome:
    """Compare the message of a source with a text that must be a message, too.

    Parameters
    ----------
    language
        The language of the hypothesis, whose plural categories are required; if it is not known, those of the source.
    list_items
        Lists tags and placeholders in the texts of the messages.
    """
    try:
        message = parse_message(hypothesis)
    except MessageError as error:
        return CheckOutcome(1, (f"broken message: {error}",))
    ours, theirs = _group_selectors(message), _group_selectors(source)
    faults, n_items = list[str](), 0
    for key in dict.fromkeys([*theirs, *ours]):
        found, n_found = _compare_selectors(theirs.get(key, ()), ours.get(key, ()), language)
        faults, n_items = faults + found, n_items + n_found
    found, n_found = _compare_choices(source, message, list_items)
    return CheckOutcome(max(n_items + n_found, len(faults) + len(found)), (*faults, *found))


def _group_selectors(message: Message) -> dict[_Key, list[Selector]]:
    groups: dict[_Key, list[Selector]] = {}
    for selector in list_selectors(message):
        groups.setdefault((selector.name, selector.kind), []).append(selector)
    return groups


def _compare_selectors(
    theirs: Sequence[Selector], ours: Sequence[Selector], language: str
) -> tuple[list[str], int]:
    """Compare the selectors of one variable: return the faults, and the number of items."""
    if not (theirs and ours):
        name = "missing" if theirs else "added"
        return [f"{name} item: {(theirs or ours)[0].item}"], 1
    expected = _expected_branches(theirs, language)
    item = theirs[0].item
    missing = [key for key in expected if any(key not in selector.branches for selector in ours)]
    present = dict.fromkeys(chain.from_iterable(selector.branches for selector in ours))
    added = [key for key in present if key not in expected and not _may_be_added(key, theirs[0].kind)]
    faults = [f"missing branch: {key} of {item}" for key in missing]
    faults += [f"added branch: {key} of {item}" for key in added]
    if {selector.offset for selector in ours} != {selector.offset for selector in theirs}:
        faults.append(f"changed item: {item} to {ours[0].item}")
    return faults, 1 + len(expected) + len(added)


def _expected_branches(theirs: Sequence[Selector], language: str) -> list[str]:
    known = dict.fromkeys([*chain.from_iterable(selector.branches for selector in theirs), OTHER])
    if theirs[0].kind == SELECT:
        return list(known)
    exact = [key for key in known if key not in CATEGORIES]
    if theirs[0].kind != PLURAL:  # ordinals have other categories, which are not listed here
        return [*exact, OTHER]
    row = find_language(language)
    categories = _PLURALS.get(language if row is None else row.code)
    return list(known) if categories is None else [*exact, *categories, OTHER]


def _may_be_added(key: str, kind: str) -> bool:
    return kind != SELECT and (key in CATEGORIES or key.startswith("="))


def _compare_choices(source: Message, message: Message, list_items: ListItems) -> tuple[list[str], int]:
    """Compare the items for each branch of the output, with all other variables at `other`."""
    choices: list[dict[_Key, str]] = [{}]
    for key, selectors in _group_selectors(message).items():
        choices += [
            {key: branch} for selector in selectors for branch in selector.branches if branch != OTHER
        ]
    missing, added, whole = Counter[str](), Counter[str](), Counter[str]()
    for chosen in choices[:_MOST_CHOICES]:
        expected = _count_items(source, chosen, list_items)
        present = _count_items(message, chosen, list_items)
        missing |= expected - present
        added |= present - expected
        whole |= expected | present
    faults = [f"missing item: {item}" for item in missing.elements()]
    return faults + [f"added item: {item}" for item in added.elements()], whole.total()


def _count_items(message: Message, chosen: Mapping[_Key, str], list_items: ListItems) -> Counter[str]:
    """Count variables, tags and placeholders; not the number itself in branches such as `one` and `=0`."""
    optional = {
        name
        for (name, kind), key in chosen.items()
        if kind != SELECT and (key in _UNCOUNTED or key.startswith("="))
    }
    parts = list(choose_branches(message, chosen))
    return Counter(chain.from_iterable(_items_of(part, optional, list_items) for part in parts))


def _items_of(part: str | Variable, optional: set[str], list_items: ListItems) -> Iterable[str]:
    if isinstance(part, str):
        return list_items(part)
    return () if part.name in optional and not part.kind else (part.item,)
