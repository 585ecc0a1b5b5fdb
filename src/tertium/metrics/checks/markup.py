"""Markup: tags, placeholders, URLs and e-mail addresses of the source that the output must keep."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.metrics.checks._base import Check, CheckOutcome, compare_items
from tertium.metrics.checks._branches import compare_messages
from tertium.metrics.checks._codes import compare_codes, name_codes
from tertium.metrics.checks._messages import Message, MessageError, may_be_message, parse_message
from tertium.metrics.options import option
from tertium.text.codes import codes_of

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
        found = self._check_text(hypothesis, source, *name_codes(expected, present))
        return CheckOutcome(found.n_items, (*found.faults, *compare_codes(expected, present)))

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
