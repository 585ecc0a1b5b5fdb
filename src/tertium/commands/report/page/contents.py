"""The contents of the HTML report, and the short answer at its top."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from tertium import __version__
from tertium.diagnosis.finding import Finding
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison
from tertium.evaluation.history import Release
from tertium.humaneval.ranking import Ranking
from tertium.metaeval import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.metaeval.tables import MetaTable
from tertium.presentation.score_table import ScoreTable
from tertium.presentation.segment_tables import Annotations
from tertium.presentation.tables.model import Document
from tertium.presentation.verdict import describe_verdict
from tertium.records import record
from tertium.stats.human import Comparisons
from tertium.stats.letters import are_tied
from tertium.values import Corpus, FloatArray
from tertium.verdicts import NO_DIFFERENCE, describe_human_tie, describe_leaders, name_all

if TYPE_CHECKING:
    from tertium.metaeval.calibration import Calibration


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
    ranking
        The systems ranked with tests, if segments were judged.
    evaluation
        The ranking, the raters and the errors, as far as the judgments have them.
    annotations
        Error spans that raters marked in the outputs.
    """

    judged: JudgedSet
    tables: Sequence[MetaTable]
    scores: Mapping[str, MetricScores]
    is_normalised: bool = False
    ranking: Ranking | None = None
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
    test_set
        The names of the reference files; "" if unknown.
    languages
        The languages of the sources and of the outputs, as `lang` attributes; "" if unknown.
    history
        The scores of a system in earlier releases and in this one.
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
    calibration: "Calibration | None" = None
    test_set: str = ""
    languages: tuple[str, str] = ("", "")
    history: Sequence[Release] = ()

    @property
    def broken(self) -> list[str]:
        """The systems with an error in their texts, which makes their scores meaningless."""
        return [
            system
            for system, found in self.findings.items()
            if any(finding.severity == "error" for finding in found)
        ]


def describe_answer(contents: PageContents) -> list[str]:
    """Describe the best systems in full sentences; what human judges say comes first, mistakes in the texts last."""
    table = contents.table
    if len(table.systems) < 2:
        return [f"One system was scored, {table.systems[0]}: there is nothing to compare it with."]
    parts = [f"{part}." for part in describe_verdict(table).split("; ") if part]
    names = tuple(table.systems)
    verdict = [part if part.startswith(names) else part[:1].upper() + part[1:] for part in parts]
    return [*describe_human_ranking(contents.human), *verdict, *describe_mistakes(contents.findings)]


def describe_human_ranking(human: HumanJudgments | None) -> list[str]:
    """Describe the best systems by the ranking of the human judgments that the page prints."""
    if human is None or (ranking := human.ranking) is None:
        scored = human is not None and human.judged.system_scores is not None
        return ["The human scores are not of single segments, so their differences are not tested."] * scored
    if ranking.untested is not None:
        return [f"The human judgments are not tested: {ranking.untested}."]
    systems = ranking.campaign.systems
    letters = {systems[i]: ranking.comparison.letters[i] for i in ranking.order}
    if not ranking.leaders:
        return [f"By the human judgments, {name_all(list(letters))} have the same score."]
    if len(ranking.leaders) == len(systems) > 2 and are_tied(list(letters.values())):
        return [f"By the human judgments, {describe_human_tie(len(systems))}."]
    # not "tie": where there are few judgments, the scores may be far apart
    leaders = describe_leaders([systems[i] for i in ranking.leaders], letters, tie=NO_DIFFERENCE)
    return [f"By the human judgments, {leaders}."]


def describe_mistakes(findings: Mapping[str, Sequence[Finding]]) -> list[str]:
    """Warn about systems with an error, which makes their scores meaningless; the page's details list all findings."""
    errors = [
        f"{system}: {found.problem.rstrip('.')}"
        for system, of_system in findings.items()
        for found in [finding for finding in of_system if finding.severity == "error"][:1]
    ]
    more = [f"{len(errors) - _MOST_ERRORS} more under Details"] if len(errors) > _MOST_ERRORS else []
    return [f"Possible mistakes: {'; '.join([*errors[:_MOST_ERRORS], *more])}."] if errors else []


def describe_facts(contents: PageContents) -> list[str]:
    """List the test set, the language pair, the size of the test, the date and the version of Tertium."""
    table, languages = contents.table, [language for language in contents.languages if language]
    counted = (
        (len(table.systems), "system"),
        (len(table.columns), "metric"),
        (table.n_segments, "segment"),
    )
    return [
        *([f"test set {contents.test_set}"] if contents.test_set else []),
        *([" → ".join(languages)] if languages else []),
        *(f"{number:,} {noun}{'s' if number != 1 else ''}" for number, noun in counted),
        date.today().isoformat(),  # noqa: DTZ011 - the date where the page is made
        f"tertium {__version__}",
    ]


_MOST_ERRORS = 3  # at the top of a page
_FOLDERS = re.compile(r"""(?<![\w.~])(?:~|[A-Za-z]:)?[/\\](?:[^\s/\\'"=]+[/\\])*(?=[^\s/\\])""")


def hide_folders(command: str) -> str:
    """Shorten absolute paths in a command to file names: a page is mailed, and folders are private."""
    return _FOLDERS.sub("", command)


def score_segments(human: HumanJudgments) -> FloatArray | None:
    """Return human scores, (systems, segments); rankings become the share of comparisons that are won."""
    if human.judged.segment_scores is not None:
        return human.judged.segment_scores
    if human.judged.comparisons is None:
        return None
    shape = len(human.judged.systems), len(human.judged.corpus)
    return _share_of_wins(human.judged.comparisons, shape)


def _share_of_wins(comparisons: Comparisons, shape: tuple[int, int]) -> FloatArray:
    decided = comparisons.decided()
    size = shape[0] * shape[1]
    won, lost = (
        np.bincount(systems.astype(np.int64) * shape[1] + decided.segments, minlength=size)
        for systems in (decided.first, decided.second)
    )
    shares = np.where(won + lost > 0, 100 * won / np.maximum(won + lost, 1), np.nan)
    return shares.reshape(shape)
