"""Cite metrics and tests in a paper: BibTeX entries and a sentence on the methods."""

import re
from dataclasses import KW_ONLY, replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated

from tertium import __version__
from tertium.catalog import find_metric, split_labels
from tertium.catalog.labels import parse_label
from tertium.commands.base.options import METRICS, TEST
from tertium.commands.base.request import Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.metrics.base import Metric
from tertium.presentation.tables.fields import Field, make_records, make_table
from tertium.presentation.tables.model import Document, Line, prose_lines
from tertium.records import record
from tertium.stats.analysis import PairedTest
from tertium.verdicts import join_words

_TESTS = {
    "bootstrap": "paired bootstrap tests",
    "randomization": "approximate randomization tests",
    "sacrebleu-bootstrap": "sacreBLEU's paired bootstrap tests",
}
_PAPERS = {
    "bootstrap": "bootstrap",
    "randomization": "randomization",
    "sacrebleu-bootstrap": "bootstrap; sacrebleu",
}

_ENTRY = re.compile(r"^@\w+\{(?P<key>[^,]+),.*?^\}$", re.MULTILINE | re.DOTALL)


@record
class Citation:
    """A BibTeX entry and its key."""

    key: str
    bibtex: str


_TERTIUM = Citation(
    "tertium",
    f"@software{{tertium,\n  title = {{Tertium: machine translation evaluation}},\n  author = {{{{The Tertium authors}}}},\n"
    f"  version = {{{__version__}}},\n}}",
)


def find_citations(paper: str) -> list[Citation]:
    """Return the entries of a paper, as metrics name it, or of papers with semicolons between them.

    >>> [entry.key for entry in find_citations("Kos & Bojar 2009; Macháček & Bojar 2011")]
    ['kos-bojar-2009-evaluation', 'machacek-bojar-2011-approximating']
    """
    known = read_citations()
    return [entry for part in paper.split("; ") for entry in known.get(part, ())]


@cache
def read_citations() -> dict[str, tuple[Citation, ...]]:
    """Read all entries, by the name of their paper."""
    text = (files("tertium.resources") / "data" / "citations.bib").read_text(encoding="utf-8")
    found = {}
    for part in re.split(r"^% ", text, flags=re.MULTILINE)[2:]:
        name, _, entries = part.partition("\n")
        found[name] = tuple(Citation(entry["key"], entry[0]) for entry in _ENTRY.finditer(entries))
    return found


@record
class CiteRequest(Request["Citations"]):
    """Print BibTeX entries of metrics and of the significance test, and a sentence for the methods section."""

    metrics: Annotated[
        Strings,
        replace(
            METRICS,
            help="Metrics, as in 'tertium score -m'.",
            flags=(),
            is_argument=True,
            metavar="[METRICS]",
            is_many=True,
        ),
    ] = ("bleu",)
    _: KW_ONLY
    test: Annotated[PairedTest, TEST] = "bootstrap"

    def run(self) -> "Citations":
        names = [parse_label(label).name for label in split_labels(tuple(self.metrics) or ("bleu",))]
        return Citations(tuple(dict.fromkeys(map(find_metric, names))), self.test)


@record
class CitedMetric:
    """A metric, its paper, and the keys of its BibTeX entries."""

    metric: str
    paper: str
    keys: str


@record(eq=False)
class Citations(Result):
    """BibTeX entries, and a sentence for the methods section."""

    metrics: tuple[type[Metric], ...]
    test: PairedTest

    @cached_property
    def entries(self) -> tuple[Citation, ...]:
        """The entries of the metrics, the test and Tertium, each once."""
        papers = [*(metric.paper for metric in self.metrics), _PAPERS[self.test], "holm"]
        found = [citation for paper in papers for citation in find_citations(paper)]
        return (*{citation.key: citation for citation in found}.values(), _TERTIUM)

    @property
    def bibtex(self) -> str:
        """All entries."""
        return "\n\n".join(entry.bibtex for entry in self.entries)

    @property
    def methods(self) -> str:
        """A sentence for the methods section, in LaTeX."""
        metrics = join_words([f"{metric.title}{_cite(metric.paper)}" for metric in self.metrics])
        return (
            f"We report {metrics}, computed with Tertium {__version__}~\\citep{{tertium}}. Differences between systems are"
            f" tested by {_TESTS[self.test]}{_cite(_PAPERS[self.test])}, adjusted for all pairs of systems by Holm's"
            f" method{_cite('holm')}."
        )

    def document(self) -> Document:
        rows = [
            CitedMetric(
                metric.title, metric.paper, ", ".join(found.key for found in find_citations(metric.paper))
            )
            for metric in self.metrics
        ]
        fields: list[Field[CitedMetric]] = [Field("metric", is_key=True), Field("paper"), Field("keys")]
        return Document(
            "citations",
            lambda: [make_table(fields, rows)],
            lambda: make_records(fields, rows),
            lambda: {"metrics": [vars(row) for row in rows], "bibtex": self.bibtex, "methods": self.methods},
            make_prose=self._write_lines,
        )

    def _write_lines(self) -> list[Line]:
        lacking = [metric for metric in self.metrics if not find_citations(metric.paper)]
        notes = [
            f"% {metric.title}: no entry; see {metric.paper or 'its documentation'}" for metric in lacking
        ]
        return prose_lines([*self.bibtex.split("\n"), *notes, "", f"% {self.methods}"])


def _cite(paper: str) -> str:
    keys = [citation.key for citation in find_citations(paper)]
    return f"~\\citep{{{','.join(keys)}}}" if keys else ""


cite = function_of("cite", CiteRequest)
