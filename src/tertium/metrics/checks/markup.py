"""Markup: tags, placeholders, URLs and e-mail addresses of the source that the output must keep."""

import re
from dataclasses import dataclass

from tertium.metrics.checks._base import Check, CheckOutcome, compare_items

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
    of a URL. A segment without such items scores 100. `tertium explain` and the report list what is missing or added.

    >>> Markup().sentence_score("Klicken Sie auf <b>OK", source="Click <b>OK</b>").details["faults"]
    1.0
    """

    def check(self, hypothesis: str, source: str) -> CheckOutcome:
        return compare_items(list_items(source), list_items(hypothesis), "item")


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
