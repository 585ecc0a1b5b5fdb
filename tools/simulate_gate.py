"""Measure by simulation on a real test set how often `tertium gate` passes a worse system, and an equal one.

    python tools/simulate_gate.py FOLDER [--trials N]

FOLDER contains ref.txt and systems/*.txt, such as a language pair of WMT15. Its segments are the population, so the true
difference of two systems is known; each trial draws a test set from them. Prints a table for the documentation.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from simulate_tests import draw_segments, print_table, read
from tertium.evaluation.gating import GatedSet, Rule, apply_rule
from tertium.evaluation.statistics import Evaluation

SIZES = (100, 300, 1000, 3000)
LARGEST_MARGIN = 2.0  # larger margins are not useful, so pairs of systems that differ by more are not tried
SMALLEST_MARGIN = 0.2


@dataclass(frozen=True)
class Pair:
    """The indices of two systems, and by how much the second one is worse."""

    base: int
    new: int
    loss: float


def main() -> None:
    """Print how often each rule passes, by metric and size of the test set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trials", type=int, default=500)
    arguments = parser.parse_args()
    evaluation = read(arguments.folder)
    print(f"{arguments.folder.name}: {len(evaluation.systems)} systems, {evaluation.n_segments:,} segments, "
          f"{arguments.trials:,} trials\n")  # fmt: skip
    print_table(simulate(evaluation, arguments.trials, np.random.default_rng(1)))


def simulate(evaluation: Evaluation, n_trials: int, rng: np.random.Generator) -> Iterator[list[str]]:
    """Draw test sets for pairs of systems, and apply both kinds of rules to them."""
    yield [
        "metric", "segments", "worse by the margin: not shown to be worse", "worse by the margin: shown to be within it",
        "equal: shown to be within it", "equal: undecided",
    ]  # fmt: skip
    for label in evaluation.labels:
        pairs = find_pairs(evaluation, label)
        for n_segments in SIZES:
            drawn = [try_once(evaluation, label, pairs, n_segments, rng) for _ in range(n_trials)]
            yield [label, f"{n_segments:,}", *(f"{rate:.1%}" for rate in np.mean(drawn, axis=0))]


def find_pairs(evaluation: Evaluation, label: str) -> list[Pair]:
    """Find the pairs in which the new system is a little worse than the base."""
    sign = 1 if evaluation.metric(label).higher_is_better else -1
    scores = sign * evaluation.system_scores(label)
    pairs = [
        Pair(base, new, float(scores[base] - scores[new]))
        for base in range(len(scores))
        for new in range(len(scores))
    ]
    return [pair for pair in pairs if SMALLEST_MARGIN <= pair.loss <= LARGEST_MARGIN]


def try_once(
    evaluation: Evaluation, label: str, pairs: list[Pair], n_segments: int, rng: np.random.Generator
) -> tuple[bool, bool, bool, bool]:
    """Draw one test set for a pair that differs by exactly the margin, and one for two equal systems."""
    pair = pairs[rng.integers(len(pairs))]
    segments = rng.integers(evaluation.n_segments, size=n_segments)
    worse = draw_segments(evaluation, segments, [pair.base, pair.new])
    proof = Rule(metric=label, not_worse=pair.loss)
    no_proof = Rule(metric=label, not_significantly_worse=True)
    of_equal = judge(make_equal(worse, label, rng), proof, rng)
    return (
        judge(worse, no_proof, rng) == "pass",
        judge(worse, proof, rng) == "pass",
        of_equal == "pass",
        of_equal == "undecided",
    )


def make_equal(evaluation: Evaluation, label: str, rng: np.random.Generator) -> Evaluation:
    """Swap segments of the two systems at random, so that neither is better."""
    table = np.array(evaluation.tables[label])
    swapped = rng.random(evaluation.n_segments) < 0.5
    table[:, swapped] = table[::-1, swapped]
    return replace(evaluation, tables={label: table})


def judge(evaluation: Evaluation, rule: Rule, rng: np.random.Generator) -> str:
    """Apply a rule to the second system, against the first."""
    base, new = evaluation.systems
    (found,) = apply_rule([GatedSet(evaluation, base, new)], rule, seed=int(rng.integers(2**31)))
    return found.verdict


if __name__ == "__main__":
    main()
