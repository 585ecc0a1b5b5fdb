"""What a page is made of, before anything is drawn or written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tertium.agreement import JudgedSet
from tertium.agreement.scoring import MetricScores
from tertium.agreement.tables import MetaTable
from tertium.doctor.finding import Finding
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison
from tertium.report.score_table import ScoreTable
from tertium.types import Corpus

__all__ = ["PageContents", "People"]


@dataclass(frozen=True, eq=False, kw_only=True)
class People:
    """What people said of the systems, and how far metrics agree with them.

    Attributes
    ----------
    tables
        A table per statistic, with one column: these outputs.
    scores
        What metrics say, by their labels.
    is_normalised
        Whether each rater was brought to mean 0 and variance 1.
    """

    judged: JudgedSet
    tables: Sequence[MetaTable]
    scores: Mapping[str, MetricScores]
    is_normalised: bool = False


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
    people
        Human judgments, if there are any.
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
    people: People | None = None
    languages: tuple[str, str] = ("", "")
