"""The verdict on a table of scores: the best systems, and the segments that would separate them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tertium.presentation.score_table import MetricColumn, ScoreTable
from tertium.verdicts import (
    describe_leaders,
    describe_separation,
    join_words,
    name_all,
    name_metrics,
    round_number,
    shorten_names,
)

_MOST_GROUPS = 2  # of metrics with the same leading systems; more are summarised


def describe_verdict(table: ScoreTable) -> str:
    """Describe in one line which systems are the best; an empty text for a single system or without tests.

    A system is called better than another only if the letters of the table say so.
    """
    if table.comparison is None or len(table.systems) < 2:
        return ""
    ranking = [column for column in table.columns if not column.is_constant]
    constant = [column.title for column in table.columns if column.is_constant]
    same = [f"{name_all(table.systems)} have the same {join_words(constant)}"] if constant else []
    if table.untested is not None:
        return "; ".join([table.untested, *_name_best(ranking), *same])
    sentences: dict[str, list[str]] = {}
    for column in ranking:
        letters = {cell.system: cell.letters or "" for cell in column.cells}
        sentences.setdefault(describe_leaders(column.leaders, letters), []).append(column.title)
    if len(sentences) <= _MOST_GROUPS:
        found = [f"{words} on {name_metrics(titles, len(ranking))}" for words, titles in sentences.items()]
    else:
        found = [_count_leads({column.title: column.leaders for column in ranking})]
    return "; ".join([*found, *same, *_describe_separation(table, ranking, is_single=len(sentences) == 1)])


def _name_best(columns: Sequence[MetricColumn]) -> list[str]:
    """Name the system with the best score on each metric, where no test says more."""
    best: dict[str, list[str]] = {}
    for column in columns:
        winners = [cell.system for cell in column.cells if cell.is_best]
        if len(winners) == 1:
            best.setdefault(winners[0], []).append(column.title)
    return [
        f"without a test of all pairs, {system} scores best on {name_metrics(titles, len(columns))}"
        for system, titles in best.items()
    ]


def _count_leads(leaders: Mapping[str, tuple[str, ...]]) -> str:
    """Count on how many metrics each system is among the best."""
    counts = Counter(system for systems in leaders.values() for system in systems)
    by_count: dict[int, list[str]] = {}
    for system, n in counts.most_common():
        by_count.setdefault(n, []).append(system)
    most = max(by_count)
    share = f"all {most}" if most == len(leaders) else f"{most} of {len(leaders)}"
    first = f"{shorten_names(by_count.pop(most))} {_verb(most, counts)} among the best on {share} metrics"
    rest = [f"{shorten_names(names)} on {n}" for n, names in by_count.items()]
    return ", ".join([first, *rest])


def _verb(most: int, counts: Mapping[str, int]) -> str:
    return "is" if sum(n == most for n in counts.values()) == 1 else "are"


def _describe_separation(
    table: ScoreTable, columns: Sequence[MetricColumn], *, is_single: bool
) -> Iterator[str]:
    """Estimate how many segments would separate the systems with the two best scores where they tie."""
    assert table.comparison is not None  # noqa: S101 - checked by the caller
    alpha = table.comparison.analysis.alpha
    ties = {
        column.title: (column.pairs[0].further_segments, {column.pairs[0].better, column.pairs[0].worse})
        for column in columns
        if (p := column.pairs[0].p_adjusted) is not None and p >= alpha
    }
    needed = sorted((n, title) for title, (n, _) in ties.items() if n is not None)
    if not needed:
        return
    pairs = [pair for _, pair in ties.values()]
    is_same_pair = is_single and all(pair == pairs[0] for pair in pairs)
    them = "them" if is_same_pair and len(columns[0].leaders) == 2 else "the two best scores"
    low, high = needed[0], needed[-1]
    if len(needed) == 1:
        amount = round_number(low[0]) + (f" ({low[1]})" if len(table.columns) > 1 else "")
    else:
        amount = f"{round_number(low[0])} ({low[1]}) to {round_number(high[0])} ({high[1]})"
    yield describe_separation(them, amount)
