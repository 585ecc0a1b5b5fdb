"""The contents of the HTML report, and the short answer at its top."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from tertium.diagnosis.finding import Finding
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import Comparison
from tertium.metaeval import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.metaeval.tables import MetaTable
from tertium.records import record
from tertium.reporting.score_table import MetricColumn, ScoreTable
from tertium.stats.letters import share_letter
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
    """

    judged: JudgedSet
    tables: Sequence[MetaTable]
    scores: Mapping[str, MetricScores]
    is_normalised: bool = False


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
    languages: tuple[str, str] = ("", "")


_MOST_NAMES = 4
_MOST_GROUPS = 2  # of metrics with the same rivals; more are summarised


def describe_answer(table: ScoreTable) -> list[str]:
    """Describe the best system under most metrics, systems without a significant difference to it, and other winners."""
    if len(table.systems) < 2:
        return [f"One system was scored, {table.systems[0]}: there is nothing to compare it with."]
    best = {column.label: _best(column) for column in table.columns}
    winner, n_wins = Counter(best.values()).most_common(1)[0]
    rivals = {
        column.label: _rivals(column, winner) for column in table.columns if best[column.label] == winner
    }
    return [
        _count_wins(winner, n_wins, len(best)),
        *_describe_rivals(rivals, is_tested=_is_tested(table)),
        *_describe_others({label: name for label, name in best.items() if name != winner}),
    ]


def join_words(words: Sequence[str]) -> str:
    """Join words with commas and "and".

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _is_tested(table: ScoreTable) -> bool:
    return table.comparison is not None and table.comparison.untested is None


def _best(column: MetricColumn) -> str:
    return next((cell.system for cell in column.cells if cell.is_best), column.cells[0].system)


def _rivals(column: MetricColumn, winner: str) -> tuple[str, ...]:
    """Return the systems that do not differ significantly from the winner."""
    (letters,) = [cell.letters or "" for cell in column.cells if cell.system == winner]
    return tuple(
        cell.system
        for cell in column.cells
        if cell.system != winner and share_letter(cell.letters or "", letters)
    )


def _count_wins(winner: str, n_wins: int, n_metrics: int) -> str:
    if n_metrics == 1:
        return f"{winner} scores best."
    share = f"all {n_metrics}" if n_wins == n_metrics else f"{n_wins} of {n_metrics}"
    return f"{winner} scores best under {share} metrics."


def _describe_rivals(rivals: Mapping[str, tuple[str, ...]], *, is_tested: bool) -> Iterator[str]:
    """Group metrics by the systems that do not differ significantly from the winner."""
    if not is_tested:
        yield "There are too few segments for significance tests."
        return
    groups: dict[tuple[str, ...], list[str]] = {}
    for label, names in rivals.items():
        groups.setdefault(names, []).append(label)
    if sure := groups.pop((), None):
        yield f"It is significantly better than every other system under {join_words(sure)}."
    if len(groups) <= _MOST_GROUPS:
        for names, labels in groups.items():
            yield f"Its difference from {_shorten(names)} is not significant under {join_words(labels)}."
        return
    n_metrics = sum(map(len, groups.values()))
    counts = Counter(name for names, labels in groups.items() for name in names for _ in labels)
    systems = [f"{name} ({n})" for name, n in counts.most_common()]
    yield f"Its difference from others is not significant under {n_metrics} metrics: {_shorten(systems)}."


def _shorten(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMES:
        return join_words(names)
    return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} others"


def _describe_others(best: Mapping[str, str]) -> Iterator[str]:
    groups: dict[str, list[str]] = {}
    for label, name in best.items():
        groups.setdefault(name, []).append(label)
    for name, labels in groups.items():
        yield f"{name} scores best under {join_words(labels)}."
