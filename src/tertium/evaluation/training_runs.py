"""Systems that were trained several times: mean scores over their runs, and tests with runs and segments as random."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from tertium.errors import OptionError, UnknownNameError, argument, suggest
from tertium.evaluation.comparison import unite_segments
from tertium.evaluation.differences import measure_influence
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.units import Tested
from tertium.records import record
from tertium.stats.analysis import Analysis
from tertium.stats.run_effects import (
    RunDifference,
    RunSample,
    jackknife_variance,
    measure_interaction,
    test_run_means,
)
from tertium.stats.significance import holm

Groups = Mapping[str, tuple[str, ...]]
"""The runs of each system, by the system's name."""


@record
class PairOfGroups:
    """The test of two systems under a metric; `p_adjusted` is adjusted for all pairs (Holm)."""

    label: str
    first: str
    second: str
    test: RunDifference
    p_adjusted: float


@record
class RunComparison:
    """Mean scores over runs, and tests of all pairs of systems.

    Attributes
    ----------
    groups
        The runs of each system; a system that was trained once has one.
    samples
        By metric, the scores of each system's runs.
    pairs
        By metric, all pairs of systems.
    tested
        The unit that is random besides the runs, and the number of units.
    """

    groups: Groups
    samples: Mapping[str, Mapping[str, RunSample]]
    pairs: Mapping[str, Sequence[PairOfGroups]]
    tested: Tested


def parse_groups(texts: Sequence[str], systems: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Parse groups such as `ours=seed1,seed2`; systems in no group follow as groups of one.

    Raises
    ------
    OptionError
        If a group is malformed, has fewer than two runs, or a run is in two groups.
    UnknownNameError
        If there is no system of the name of a run.

    Examples
    --------
    >>> parse_groups(["ours=a,b"], ["a", "b", "c"])
    {'ours': ('a', 'b'), 'c': ('c',)}
    """
    groups: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, runs = _split_group(text, systems)
        for run in runs:
            if run not in systems:
                raise UnknownNameError(f"{argument('group')}: no system {run!r}; {suggest(run, systems)}")
        if len(set(runs)) < 2:
            raise OptionError(f"{text!r} has one run; a group has several")
        _check_new(groups, name, runs)
        groups[name] = runs
    grouped = {run for runs in groups.values() for run in runs}
    rest = [system for system in systems if system not in grouped]
    for system in rest:
        _check_new(groups, system, (system,))
        groups[system] = (system,)
    return groups


def _split_group(text: str, systems: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Split `NAME=SYSTEM,SYSTEM` at the first `=` that systems follow; at the first one if none does."""
    ends = [i for i, character in enumerate(text) if character == "=" and i > 0]
    splits = [(text[:i], tuple(run.strip() for run in text[i + 1 :].split(","))) for i in ends]
    if not splits or "" in splits[0][1]:
        raise OptionError(f"{text!r} is not a group; write NAME=SYSTEM,SYSTEM")
    return next((split for split in splits if all(run in systems for run in split[1])), splits[0])


def _check_new(groups: Groups, name: str, runs: Sequence[str]) -> None:
    if name in groups:
        raise OptionError(f"two systems are called {name!r}; give each its own name")
    taken = {run for group in groups.values() for run in group}
    twice = next((run for run in runs if run in taken or runs.count(run) > 1), None)
    if twice is not None:
        raise OptionError(f"{twice!r} is in two groups, or twice in one; every run belongs to one system")


def compare_groups(
    evaluation: Evaluation, groups: Groups, factors: Mapping[str, float] | None = None
) -> RunComparison:
    """Compute mean scores over runs, and test all pairs of systems under every metric.

    Runs are random, and so are segments, or documents where they are known. `factors` multiply the scores of each metric, for
    another scale.
    """
    units = unite_segments(evaluation)
    samples: dict[str, dict[str, RunSample]] = {}
    pairs: dict[str, list[PairOfGroups]] = {}
    for label in evaluation.labels:
        samples[label], pairs[label] = _compare(units, label, groups, (factors or {}).get(label, 1.0))
    analysis = evaluation.units.complete(Analysis(), len(evaluation.systems))
    return RunComparison(groups, samples, pairs, (analysis, units.n_segments))


def _compare(
    evaluation: Evaluation, label: str, groups: Groups, factor: float
) -> tuple[dict[str, RunSample], list[PairOfGroups]]:
    rows = {name: [evaluation.systems.index(run) for run in runs] for name, runs in groups.items()}
    scores = factor * evaluation.system_scores(label)
    influence = factor * measure_influence(evaluation, label)
    samples = {
        name: RunSample(tuple(scores[places].tolist()), measure_interaction(influence[places]))
        for name, places in rows.items()
    }
    means = {name: influence[places].mean(axis=0) for name, places in rows.items()}
    listed = list(combinations(groups, 2))
    tests = [
        test_run_means(
            samples[one], samples[other], jackknife_variance(means[other] - means[one]), evaluation.n_segments
        )
        for one, other in listed
    ]
    adjusted = holm(np.array([test.p_value for test in tests])) if tests else np.array([])
    return samples, [
        PairOfGroups(label, one, other, test, float(p))
        for (one, other), test, p in zip(listed, tests, adjusted, strict=True)
    ]
