"""Every sentence that says which system is better or that none is, and the legends of tests, letters and intervals.

Tables, the page, notebooks, gates, histories and plans take them from here, so that a claim is worded in one way.
"""

from collections.abc import Iterable, Mapping, Sequence

from tertium.stats.letters import are_tied, share_letter

_MOST_NAMES = 4

# Legends

NO_DIFFERENCE = "do not differ significantly"
SHARED_LETTERS = f"systems that share a letter {NO_DIFFERENCE}"
NAMED_LETTERS = f"a, b, …: {SHARED_LETTERS}"
SHADED = "shaded: not significantly worse than the best score"
ADJUSTED = "Holm-adjusted"
ADJUSTED_OVER_PAIRS = f"{ADJUSTED} over all pairs of systems"
P_ADJUSTED = "p (Holm)"
"""The heading of adjusted p-values."""
WINS = "significantly worse systems, summed over test sets"
RELEASE_MARKS = "▲ ▼: significantly better or worse"
OUTPERFORMED = "† significantly outperformed by another metric"
OVERLAP = "Two systems can differ significantly although their intervals overlap: the tests compare them segment by segment."
PAIR_ARROWS = "← the row’s system is significantly better, ↑ the column’s"
SIGNIFICANT_ON = "Significant differences on {}"
"""The title of a chart of p-values by a metric."""
ERROR_SIGNS = "+ and -: significantly more or fewer than the mean of all systems"
STRATIFIED = "the average is tested by resampling within each test set"


def explain_direction(*, higher_is_better: bool) -> str:
    """Say which scores of a metric are better."""
    return f"{'higher' if higher_is_better else 'lower'} is better"


def explain_interval(name: str, sign: str = "±") -> str:
    """Explain the number behind the sign.

    >>> explain_interval("95 % confidence interval")
    '± half of the 95 % confidence interval'
    """
    return f"{sign} half of the {name}"


def explain_mark(mark: str, baseline: str) -> str:
    """Explain the mark of a score that differs from the baseline's."""
    return f"{mark}: significantly different from {baseline}"


def explain_level(alpha: float) -> str:
    """Name the level of adjusted tests.

    >>> explain_level(0.05)
    'Holm-adjusted p < 0.05'
    """
    return f"{ADJUSTED} p < {alpha:g}"


# Names in sentences


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


def round_number(n: int) -> str:
    """Write a number with two significant digits.

    >>> round_number(8624), round_number(42), round_number(1961)
    ('8,600', '42', '2,000')
    """
    unit: int = 10 ** max(0, len(str(n)) - 2)
    return f"{round(n / unit) * unit:,}"


# Verdicts


def describe_better(better: str, worse: str) -> str:
    """Say that a system is better than another one or than several."""
    return f"{better} is significantly better than {worse}"


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
        return describe_better(leaders[0], others[0] if len(others) == 1 else "all others")
    if not are_tied([letters[system] for system in leaders]):
        first = letters[leaders[0]]
        n_beaten = sum(not share_letter(first, letter) for letter in letters.values())
        if not n_beaten:
            return f"{leaders[0]} is not significantly better than any other"
        return describe_better(leaders[0], f"{n_beaten} of the {len(letters) - 1} others")
    if not others:
        return f"{name_all(list(letters))} {tie}"
    return f"{shorten_names([system for system in letters if system in leaders])} {tie}"


def describe_close(first: str, second: str, *, p_value: str = "", further: str = "") -> str:
    """Say that two systems do not differ significantly, and name the data that would separate them.

    Parameters
    ----------
    p_value
        The p-value as text.
    further
        The further segments or judgments that would separate them, such as "about 800 more segments".

    Examples
    --------
    >>> describe_close("x", "y", p_value="0.20", further="about 800 more segments")
    'x and y do not differ significantly (p = 0.20); if the observed difference is real, about 800 more segments would show it (80 % power)'
    """
    found = f" (p = {p_value})" if p_value else ""
    more = f"; if the observed difference is real, {further} would show it (80 % power)" if further else ""
    return f"{first} and {second} {NO_DIFFERENCE}{found}{more}"


def describe_separation(them: str, amount: str) -> str:
    """Say how many segments would separate systems that tie."""
    return f"separating {them} would take about {amount} more segments"


def describe_pair(
    first: str, second: str, better: Sequence[str], worse: Sequence[str], n_metrics: int
) -> str:
    """Say which of two systems is better.

    Parameters
    ----------
    better, worse
        The metrics on which `second` is significantly better, and worse.

    Examples
    --------
    >>> describe_pair("old", "new", ["BLEU", "TER"], [], 2)
    'new is significantly better than old on both metrics'
    >>> describe_pair("old", "new", [], [], 2)
    'no significant difference between old and new'
    """
    if better and worse:
        return f"metrics disagree: {second} is better on {', '.join(better)}, {first} on {', '.join(worse)}"
    if better:
        return f"{describe_better(second, first)} on {_count_metrics(len(better), n_metrics)}"
    if worse:
        return f"{describe_better(first, second)} on {_count_metrics(len(worse), n_metrics)}"
    return f"{describe_difference('')} between {first} and {second}"


def _count_metrics(n: int, n_all: int) -> str:
    if n < n_all:
        return f"{n} of {n_all} metrics"
    return "the metric" if n_all == 1 else "both metrics" if n_all == 2 else f"all {n_all} metrics"


def describe_difference(better: str) -> str:
    """Say which system is better by a metric; "" for none."""
    return f"{better} is better" if better else "no significant difference"


def describe_clear_sets(metric: str, clear: Mapping[str, Sequence[str]], n_tested: int, sets: str) -> str:
    """Say on which test sets one system is better than all others.

    Parameters
    ----------
    clear
        These test sets by their best system.
    sets
        The noun for test sets.

    Examples
    --------
    >>> describe_clear_sets("BLEU", {"x": ["news", "talks"]}, 3, "test sets")
    'On 2 of 3 test sets one system is significantly better on BLEU than all others: x (news and talks); on the other 1 the best systems tie.'
    """
    n_clear = sum(map(len, clear.values()))
    if not clear:
        return f"On none of {n_tested} {sets} is one system significantly better on {metric} than all others."
    share = f"{n_clear} of {n_tested}" if n_clear < n_tested else f"all {n_tested}"
    where = f"{share} {sets}" if n_tested > 1 else f"the only {sets[:-1]}"
    listed = shorten_names([f"{system} ({shorten_names(names)})" for system, names in clear.items()])
    rest = f"; on the other {n_tested - n_clear} the best systems tie" if n_clear < n_tested else ""
    return f"On {where} one system is significantly better on {metric} than all others: {listed}{rest}."


def describe_human_tie(n_systems: int) -> str:
    """Say that human judgments separate no two systems."""
    return f"no two of the {n_systems} systems differ significantly"


def describe_sentinels(column: str, beaten: Iterable[str]) -> str:
    """Name the metrics that are not better than every sentinel."""
    return f"not significantly better than every sentinel ({column}): {', '.join(beaten) or 'none'}"


# Gates


def name_demand(*, has_margin: bool) -> str:
    """Name the demand of a rule that compares two systems."""
    return "not worse" if has_margin else "not significantly worse"


def describe_test(*, is_worse: bool) -> str:
    """Say whether the test against the system in use is significant."""
    return "significantly worse" if is_worse else "not significantly worse"


def describe_uncertain(change: str, interval: str, *, is_worse: bool) -> str:
    """Say on which side of the margin a change probably is.

    >>> describe_uncertain("−0.74", "95 % interval −1.31 to −0.16", is_worse=True)
    'probably worse than allowed (−0.74; 95 % interval −1.31 to −0.16), not certain'
    """
    guess = "probably worse than allowed" if is_worse else "probably not worse than allowed"
    return f"{guess} ({change}; {interval}), not certain"
