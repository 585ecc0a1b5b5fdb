"""Comparison of two ICU messages: variables and branches that are missing or added, in every branch."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from tertium.metrics.checks._base import CheckOutcome
from tertium.metrics.checks._messages import (
    CATEGORIES,
    OTHER,
    PLURAL,
    SELECT,
    Message,
    MessageError,
    Selector,
    Variable,
    choose_branches,
    list_selectors,
    parse_message,
)
from tertium.text.languages import find_language

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
    missing = [key for key in expected if any(key not in each.branches for each in ours)]
    present = dict.fromkeys(chain.from_iterable(each.branches for each in ours))
    added = [key for key in present if key not in expected and not _may_be_added(key, theirs[0].kind)]
    faults = [f"missing branch: {key} of {item}" for key in missing]
    faults += [f"added branch: {key} of {item}" for key in added]
    if {each.offset for each in ours} != {each.offset for each in theirs}:
        faults.append(f"changed item: {item} to {ours[0].item}")
    return faults, 1 + len(expected) + len(added)


def _expected_branches(theirs: Sequence[Selector], language: str) -> list[str]:
    known = dict.fromkeys([*chain.from_iterable(each.branches for each in theirs), OTHER])
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
