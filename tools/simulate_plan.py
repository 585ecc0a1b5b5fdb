"""Check the power that `tertium plan` promises, by simulation on a real test set.

    python tools/simulate_plan.py FOLDER [--trials N]

FOLDER contains ref.txt and systems/*.txt. A pair of systems is drawn; its segments are the population, so that its difference
is the true one. As many segments as the plan asks for are drawn from it, and the two systems are tested by the paired
bootstrap. 80 % of the tests should be significant.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from simulate_tests import METRICS, Row, print_table, read
from tertium.evaluation.comparison import compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.planning import Deviation, measure_deviation
from tertium.evaluation.selection import select_segments, select_systems
from tertium.stats.analysis import Analysis
from tertium.stats.significance import units_for

MOST_SEGMENTS = 20_000  # plans that need more take too long to check


def main() -> None:
    """Print the share of significant tests for each metric."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trials", type=int, default=500)
    arguments = parser.parse_args()
    print_table(simulate(read(arguments.folder), arguments.trials, np.random.default_rng(1)))


def simulate(evaluation: Evaluation, trials: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield a row for each metric."""
    yield ["metric", "power", "median of segments"]
    for label in METRICS.split(","):
        found = [check_plan(evaluation, label, rng) for _ in range(trials)]
        share = np.mean([is_significant for _, is_significant in found])
        median = np.median([n for n, _ in found])
        yield [label, f"{100 * share:.1f} %", f"{median:,.0f}"]


def check_plan(evaluation: Evaluation, label: str, rng: np.random.Generator) -> tuple[int, bool]:
    """Plan a test for a random pair of systems, and carry it out on a new sample."""
    pair, n = draw_pair(evaluation, label, rng)
    sample = select_segments(pair, rng.integers(pair.n_segments, size=n))
    compared = compare(sample, Analysis.of(n_samples=1000, seed=int(rng.integers(2**31)))).metrics[label]
    return n, bool(compared.adjusted_p[0, 1] < 0.05)


def draw_pair(evaluation: Evaluation, label: str, rng: np.random.Generator) -> tuple[Evaluation, int]:
    """Draw two systems whose plan is neither trivial nor too large."""
    while True:
        first, second = rng.choice(len(evaluation.systems), size=2, replace=False)
        names = [evaluation.systems[first], evaluation.systems[second]]
        pair = select_systems(evaluation, names)
        found: Deviation = measure_deviation(pair, label, *names)
        if found.observed and 60 < (n := units_for(found.observed, found.deviation)) < MOST_SEGMENTS:
            return pair, n


if __name__ == "__main__":
    main()
