"""The verdict on a table of scores: the best systems, and the segments that would separate them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tertium.presentation.score_table import MetricColumn, ScoreTable
from tertium.stats.letters import are_tied, share_letter

_MOST_NAMES = 4
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


def name_all(names: Sequence[str]) -> str:
    """Name all systems, or give their number if there are more than four.

    >>> name_all(["a", "b"]), name_all(["a", "b", "c", "d", "e"])
    ('a and b', 'all 5 systems')
    """
    return join_words(names) if len(names) <= _MOST_NAMES else f"all {len(names)} systems"


def name_metrics(titles: Sequence[str], n_metrics: int) -> str:
    """Name some of the metrics, or all.

    >>> name_metrics(["BLEU"], 1), name_metrics(["BLEU", "TER"], 2), name_metrics(["BLEU", "TER", "chrF"], 3)
    ('BLEU', 'both metrics', 'all 3 metrics')
    """
    if len(titles) < n_metrics or n_metrics == 1:
        return join_words(titles)
    return "both metrics" if n_metrics == 2 else f"all {n_metrics} metrics"


def describe_leaders(leaders: Sequence[str], letters: Mapping[str, str], *, tie: str = "tie") -> str:
    """Describe the systems that are not significantly worse than the best one.

    Parameters
    ----------
    leaders
        These systems, the best first; see `find_best_group`.
    letters
        The letters of all systems, in the order in which sentences name them.
    tie
        The verb for systems that do not differ significantly.

    Examples
    --------
    >>> describe_leaders(["x", "y"], {"y": "a", "x": "a", "z": "b"})
    'y and x tie'
    >>> describe_leaders(["x"], {"x": "a", "y": "b", "z": "b"})
    'x is significantly better than all others'
    """
    others = [system for system in letters if system not in leaders]
    if len(leaders) == 1:
        return f"{leaders[0]} is significantly better than {others[0] if len(others) == 1 else 'all others'}"
    if not are_tied([letters[system] for system in leaders]):
        first = letters[leaders[0]]
        n_beaten = sum(not share_letter(first, letter) for letter in letters.values())
        if not n_beaten:
            return f"{leaders[0]} is not significantly better than any other"
        return f"{leaders[0]} is significantly better than {n_beaten} of the {len(letters) - 1} others"
    if not others:
        return f"{name_all(list(letters))} {tie}"
    return f"{shorten_names([system for system in letters if system in leaders])} {tie}"


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
    yield f"separating {them} would take about {amount} more segments"


def round_number(n: int) -> str:
    """Write a number with two significant digits.

    >>> round_number(8624), round_number(42), round_number(1961)
    ('8,600', '42', '2,000')
    """
    unit: int = 10 ** max(0, len(str(n)) - 2)
    return f"{round(n / unit) * unit:,}"
