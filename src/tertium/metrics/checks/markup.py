"""Markup: tags, placeholders, URLs and e-mail addresses of the source that the output must keep."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.metrics.checks._base import Check, CheckOutcome, compare_items
from tertium.metrics.checks._messages import (
    Message,
    MessageError,
    compare_messages,
    may_be_message,
    parse_message,
)
from tertium.metrics.options import option
from tertium.text.codes import InlineCode, codes_of

_ITEMS = re.compile(
    r"""
      https?://[^\s<>"'」』）\u2e80-\u9fff\uff00-\uffef]+ | www\.[^\s<>"'」』）\u2e80-\u9fff\uff00-\uffef]+                 # addresses of pages
    | [\w.+-]+@[\w-]+\.[\w.-]*\w                                    # e-mail addresses
    | </?[A-Za-z][\w:-]*(?:\s+[\w:-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*\s*/?>   # tags
    | \{\{\s*[\w.]+\s*\}\} | \$\{[\w.]+\} | \{[\w.]*\}                # {{name}}, ${name}, {0}
    | %\(\w+\)[-+0-9.]*[a-zA-Z] | %\d+\$[-+0-9.]*[a-zA-Z] | %[-+0-9.]*[sdifuxXc@](?![\w%])   # %(name)s, %1$s, %d
    | &(?:[A-Za-z]+|\#\d+|\#x[0-9A-Fa-f]+);                         # entities
    """,
    re.VERBOSE,
)


_SIGNS = ("<", "{", "%", "&", "@", "http", "www.")  # every item has one of these; searching them is faster


@dataclass(frozen=True)
class Markup(Check):
    """100 · the share of tags, placeholders, URLs and e-mail addresses that source and output have in common.

    Items are compared as they are written, in any order, each as often as it occurs. Final punctuation is not part
    of a URL. A segment without such items scores 100. `tertium explain`, `tertium segments` and the report list the
    missing and the added items.

    Inline codes of XLIFF and TMX (`<ph id="1"/>`, `<g id="2">`, `<bpt>`) are items although they are not part of the
    text. They are compared by their ids, in any order; the end of a pair that comes before its start or crosses another pair,
    unless it does so in the source, a pair whose text was moved out of it, and a code with another content are faults. An output in a format without codes
    must have them as tags in its text.

    A source that is an ICU message (`{n, plural, one {# file} other {# files}}`) is compared by its variables and branches.
    With a language, the branches of a plural are those that CLDR requires in it; otherwise, those of the source.
    The output must have the variables in each of its branches.

    >>> Markup().sentence_score("Klicken Sie auf <b>OK", source="Click <b>OK</b>").details["faults"]
    1.0
    """

    language: str = option("none", "language of the output, for the plurals of ICU messages")

    def check(self, hypothesis: str, source: str) -> CheckOutcome:
        expected, present = codes_of(source), codes_of(hypothesis)
        if not (expected or present):
            return self._check_text(hypothesis, source)
        found = self._check_text(hypothesis, source, *_name_codes(expected, present))
        return CheckOutcome(found.n_items, (*found.faults, *_compare_codes(expected, present)))

    def _check_text(
        self, hypothesis: str, source: str, expected: Sequence[str] = (), present: Sequence[str] = ()
    ) -> CheckOutcome:
        """Compare the items in the texts, and the tags of their codes."""
        message = _parse_message(source) if may_be_message(source) else None
        if message is None:
            items = [*list_items(source), *expected], [*list_items(hypothesis), *present]
            return compare_items(*items, "item")
        codes = compare_items(expected, present, "item")
        texts = compare_messages(message, hypothesis, self.language, list_items)
        return CheckOutcome(codes.n_items + texts.n_items, (*texts.faults, *codes.faults))


def _parse_message(text: str) -> Message | None:
    """Parse a source as an ICU message; None if it is other text with braces."""
    try:
        return parse_message(text)
    except MessageError:
        return None


def list_items(text: str) -> list[str]:
    """List tags, placeholders, URLs and e-mail addresses of a text.

    >>> list_items("See <a href='x'>https://a.org/b.</a> or write {name} to %s.")
    ["<a href='x'>", 'https://a.org/b', '</a>', '{name}', '%s']
    """
    if not any(sign in text for sign in _SIGNS):
        return []
    return [
        item.rstrip(".,;:!?)…。、") if item[:4].lower() in ("http", "www.") else item
        for item in _ITEMS.findall(text)
    ]


def _name_codes(expected: Sequence[InlineCode], present: Sequence[InlineCode]) -> tuple[list[str], list[str]]:
    """Write the codes of both texts as tags; the same code has one tag even if its elements differ."""
    tags = {code.key: code.tag for code in [*present, *expected]}
    return [tags[code.key] for code in expected], [tags[code.key] for code in present]


def _compare_codes(expected: Sequence[InlineCode], present: Sequence[InlineCode]) -> list[str]:
    """List the codes of both texts that are changed, emptied or misplaced; lost and added codes are not among them.

    A pair is emptied if its text was moved out of it. An end that comes before its start, or between the start and the
    end of another pair, is misplaced unless it is so in the source.
    """
    contents = {code.key: code.content for code in expected}
    shared = Counter(code.key for code in expected) & Counter(code.key for code in present)
    faults, changed = [], set()
    for code in {code.key: code for code in present}.values():
        before = contents.get(code.key)
        if before and code.content and before != code.content:
            changed.add(code.key)
            faults.append(f"changed item: {before} to {code.content}")
    filled = {code.key for code in expected if code.kind == "start" and not code.is_empty}
    emptied = {code.key: code for code in present if code.is_empty and code.key in filled}
    faults += [f"emptied item: {code.tag}" for key, code in emptied.items() if key not in changed]
    allowed = {code.key for code in _find_misplaced(expected)}
    misplaced = {code.key: code for code in _find_misplaced(present)}
    return faults + [
        f"misplaced item: {code.tag}"
        for key, code in misplaced.items()
        if key in shared and key not in allowed and key not in changed
    ]


def _find_misplaced(codes: Sequence[InlineCode]) -> list[InlineCode]:
    """Find the ends that come before their starts, or that cross another pair."""
    is_paired = _paired_links(codes)
    # Starts that an end inside another pair closed stay on the stack until they are on top.
    stack: list[str] = []
    n_open, n_closed = Counter[str](), Counter[str]()
    found = []
    for code in codes:
        if code.link not in is_paired or code.kind == "alone":
            continue
        if code.kind == "start":
            stack.append(code.link)
            n_open[code.link] += 1
            continue
        while stack and n_closed[stack[-1]]:
            n_closed[stack.pop()] -= 1
        if n_open[code.link] and stack[-1] == code.link:
            stack.pop()
        else:
            found.append(code)
            n_closed[code.link] += n_open[code.link] > 0
        n_open[code.link] -= n_open[code.link] > 0
    return found


def _paired_links(codes: Sequence[InlineCode]) -> set[str]:
    """Return the numbers that have both a start and an end; other codes cannot cross."""
    starts, ends = ({code.link for code in codes if code.kind == kind} for kind in ("start", "end"))
    return starts & ends
