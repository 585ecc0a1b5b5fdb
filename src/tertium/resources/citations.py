"""BibTeX entries of the papers of metrics and tests, in `data/citations.bib`."""

import re
from functools import cache
from importlib.resources import files

from tertium.records import record

_ENTRY = re.compile(r"^@\w+\{(?P<key>[^,]+),.*?^\}$", re.MULTILINE | re.DOTALL)


@record
class Citation:
    """A BibTeX entry and its key."""

    key: str
    bibtex: str


def find_citations(paper: str) -> list[Citation]:
    """Return the entries of a paper, as metrics name it, or of papers with semicolons between them.

    >>> [each.key for each in find_citations("Kos & Bojar 2009; Macháček & Bojar 2011")]
    ['kos-bojar-2009-evaluation', 'machacek-bojar-2011-approximating']
    """
    known = read_citations()
    return [each for part in paper.split("; ") for each in known.get(part, ())]


@cache
def read_citations() -> dict[str, tuple[Citation, ...]]:
    """Read all entries, by the name of their paper."""
    text = (files("tertium.resources") / "data" / "citations.bib").read_text(encoding="utf-8")
    found = {}
    for part in re.split(r"^% ", text, flags=re.MULTILINE)[2:]:
        name, _, entries = part.partition("\n")
        found[name] = tuple(Citation(each["key"], each[0]) for each in _ENTRY.finditer(entries))
    return found
