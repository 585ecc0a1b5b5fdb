"""What a page is made of, before anything is drawn or written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tertium.doctor import Finding
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison
from tertium.report.score_table import ScoreTable
from tertium.types import Corpus

__all__ = ["PageContents"]


@dataclass(frozen=True, eq=False, kw_only=True)
class PageContents:
    """Scored systems, and what readers should know about them.

    Attributes
    ----------
    corpus
        The texts; without them the page has no words to mark.
    columns
        What is known about segments besides their texts.
    table
        With intervals; `comparison` is what its clusters come from.
    command
        What was typed, so that others can repeat it.
    languages
        Of the sources and of the outputs, as `lang` attributes; "" where unknown.
    """

    title: str
    evaluation: Evaluation
    comparison: Comparison
    table: ScoreTable
    corpus: Corpus | None = None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    findings: Mapping[str, Sequence[Finding]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    command: str | None = None
    languages: tuple[str, str] = ("", "")
