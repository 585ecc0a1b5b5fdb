"""The verdict on a table of scores: the best systems, and the segments that would separate them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tertium.reporting.score_table import MetricColumn, ScoreTable
from tertium.stats.letters import share_letter

_MOST_NAMES = 4
_MOST_GROUPS = 2  # of metrics with the same leading systems; more are summarised


def describe_verdict(table: ScoreTable) -> str:
    """Describe in one line which systems are the best; an empty text for a single system or without tests."""
    comparison = table.comparison
    if comparison is None or len(table.systems) < 2:
        return ""
    if comparison.untested is not None:
        return "; ".join([*_name_best(table), comparison.untested])
    leaders = {column.title: find_leaders(column) for column in table.columns}
    groups: dict[tuple[str, ...], list[str]] = {}
    for title, systems in leaders.items():
        groups.setdefault(tuple(sorted(systems, key=table.systems.index)), []).append(title)
    if len(groups) <= _MOST_GROUPS:
        sentences = [
            _describe_leaders(systems, name_metrics(titles, len(leaders)), table.systems)
            for systems, titles in groups.items()
        ]
    else:
        sentences = [_count_leads(leaders)]
    return "; ".join([*sentences, *_describe_separation(table, is_single=len(groups) == 1)])


def _name_best(table: ScoreTable) -> list[str]:
    """Name the system with the best score on each metric."""
    best: dict[str, list[str]] = {}
    for column in table.columns:
        winners = [cell.system for cell in column.cells if cell.is_best]
        if len(winners) == 1:
            best.setdefault(winners[0], []).append(column.title)
    return [
        f"{system} scores best on {name_metrics(titles, len(table.columns))}"
        for system, titles in best.items()
    ]


def find_leaders(column: MetricColumn) -> tuple[str, ...]:
    """Return the best system and those that do not differ significantly from it, the best first."""
    best = next((cell for cell in column.cells if cell.is_best), column.cells[0])
    others = [
        cell.system
        for cell in column.cells
        if cell is not best and share_letter(cell.letters or "", best.letters or "")
    ]
    return best.system, *others


def join_words(words: Sequence[str]) -> str:
    """Join words with commas and "and".

    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def shorten_names(names: Sequence[str]) -> str:
    """Join names; more than four are cut.

    >>> shorten_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 others'
    """
    if len(names) <= _MOST_NAMES:
        return join_words(names)
    return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} others"


def name_metrics(titles: Sequence[str], n_metrics: int) -> str:
    """Name some of the metrics, or all.

    >>> name_metrics(["BLEU"], 1), name_metrics(["BLEU", "TER"], 2), name_metrics(["BLEU", "TER", "chrF"], 3)
    ('BLEU', 'both metrics', 'all 3 metrics')
    """
    if len(titles) < n_metrics or n_metrics == 1:
        return join_words(titles)
    return "both metrics" if n_metrics == 2 else f"all {n_metrics} metrics"


def _describe_leaders(leaders: Sequence[str], metrics: str, systems: Sequence[str]) -> str:
    if len(leaders) > 1:
        return f"{shorten_names(leaders)} tie on {metrics}"
    others = [system for system in systems if system not in leaders]
    return f"{leaders[0]} is significantly better than {others[0] if len(others) == 1 else 'all others'} on {metrics}"


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


def _describe_separation(table: ScoreTable, *, is_single: bool) -> Iterator[str]:
    """Estimate how many segments would separate the two best systems where they tie."""
    assert table.comparison is not None  # noqa: S101 - checked by the caller
    alpha = table.comparison.analysis.alpha
    ties = {
        column.title: (column.pairs[0].further_segments, {column.pairs[0].better, column.pairs[0].worse})
        for column in table.columns
        if column.pairs[0].p_adjusted >= alpha
    }
    needed = sorted((n, title) for title, (n, _) in ties.items() if n is not None)
    if not needed:
        return
    pairs = [pair for _, pair in ties.values()]
    is_same_pair = is_single and all(pair == pairs[0] for pair in pairs)
    leaders = find_leaders(table.columns[0])
    them = "them" if is_same_pair and len(leaders) == 2 else "the two best"
    low, high = needed[0], needed[-1]
    if len(needed) == 1:
        amount = _round(low[0]) + (f" ({low[1]})" if len(table.columns) > 1 else "")
    else:
        amount = f"{_round(low[0])} ({low[1]}) to {_round(high[0])} ({high[1]})"
    yield f"separating {them} would take about {amount} more segments"


def _round(n: int) -> str:
    """Write a number with two significant digits.

    >>> _round(8624), _round(42), _round(1961)
    ('8,600', '42', '2,000')
    """
    unit: int = 10 ** max(0, len(str(n)) - 2)
    return f"{round(n / unit) * unit:,}"
