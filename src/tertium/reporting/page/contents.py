"""The contents of the HTML report, and the short answer at its top."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from tertium.diagnosis.finding import Finding
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison
from tertium.metaeval import JudgedSet
from tertium.metaeval.calibration import Calibration
from tertium.metaeval.scoring import MetricScores
from tertium.metaeval.tables import MetaTable
from tertium.records import record
from tertium.reporting.score_table import ScoreTable
from tertium.reporting.segments import Annotations
from tertium.reporting.tables.model import Document
from tertium.reporting.verdict import describe_verdict
from tertium.types import Corpus


@record(eq=False, kw_only=True)
class HumanJudgments:
    """Human judgments of the systems, and the agreement of metrics with them.

    Attributes
    ----------
    tables
        A table per statistic, with one column.
    scores
        Scores by metric label.
    is_normalised
        Whether the scores of each rater were normalised to mean 0 and variance 1.
    evaluation
        The ranking, the raters and the errors, as far as the judgments have them.
    annotations
        Error spans that raters marked in the outputs.
    """

    judged: JudgedSet
    tables: Sequence[MetaTable]
    scores: Mapping[str, MetricScores]
    is_normalised: bool = False
    evaluation: Sequence[Document] = ()
    annotations: Annotations = field(default_factory=dict)


@record(eq=False, kw_only=True)
class PageContents:
    """Scored systems and the facts about them.

    Attributes
    ----------
    corpus
        The texts; None if the page is made from a run without texts.
    columns
        Attributes of segments besides their texts, such as documents.
    table
        With intervals, and letters from `comparison`.
    command
        The command that made the page, if it is known.
    human
        Human judgments, if there are any.
    calibration
        How often human judges agree with a difference, if the page shows it.
    languages
        The languages of the sources and of the outputs, as `lang` attributes; "" if unknown.
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
    human: HumanJudgments | None = None
    calibration: Calibration | None = None
    languages: tuple[str, str] = ("", "")


def describe_answer(table: ScoreTable) -> list[str]:
    """Describe the best systems in full sentences."""
    if len(table.systems) < 2:
        return [f"One system was scored, {table.systems[0]}: there is nothing to compare it with."]
    return [f"{part}." for part in describe_verdict(table).split("; ") if part]
