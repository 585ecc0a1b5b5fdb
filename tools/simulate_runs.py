"""Measure the false-alarm rate of the test of systems with several training runs, by simulation on a real test set.

    python tools/simulate_runs.py FOLDER [--trials N] [--metric NAME]

FOLDER contains ref.txt and systems/*.txt. Two neighbouring systems are mixed: a training run takes each segment from the
first system with a probability of its own, so that runs differ as a whole and on single segments. Both "systems" draw
their runs from the same distribution, so every significant difference is a false alarm; 5 % are expected at level 0.05.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from simulate_tests import Row, print_table, read_systems
from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.training_runs import compare_groups
from tertium.stats.student import student_p


def main() -> None:
    """Print the share of significant differences for several numbers of runs, segments and spreads of runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--metric", default="bleu")
    arguments = parser.parse_args()
    evaluation = evaluate(read_systems(arguments.folder), parse_metrics([arguments.metric]))
    print_table(simulate(evaluation, arguments.trials, np.random.default_rng(1)))


def simulate(evaluation: Evaluation, trials: int, rng: np.random.Generator) -> Iterator[Row]:
    """Yield a row for each setting: the model's test, and a test of the mean over runs on segments alone."""
    yield ["runs", "segments", "spread", "runs and segments", "segments alone"]
    for spread in ("none", "some", "large"):
        for n_runs in ((2, 2), (3, 3), (3, 1), (5, 5)):
            for n_segments in (500,):
                yield [
                    f"{n_runs[0]}, {n_runs[1]}",
                    f"{n_segments:,}",
                    spread,
                    *count_alarms(evaluation, trials, rng, n_runs, n_segments, spread),
                ]


def count_alarms(
    evaluation: Evaluation,
    trials: int,
    rng: np.random.Generator,
    n_runs: tuple[int, int],
    n_segments: int,
    spread: str,
) -> list[str]:
    """Count significant differences at the 5 % level."""
    alarms = np.zeros(2)
    for _ in range(trials):
        drawn = draw_runs(evaluation, rng, n_runs, n_segments, spread)
        groups = {
            "a": drawn.systems[: n_runs[0]],
            "b": drawn.systems[n_runs[0] :],
        }
        (label,) = drawn.labels
        test = compare_groups(drawn, groups).pairs[label][0].test
        alone = student_p(np.array([abs(test.difference) / test.variance_of_segments**0.5]), n_segments - 1)
        alarms += [test.p_value < 0.05, alone[0] < 0.05]
    return [f"{100 * share:.1f} %" for share in alarms / trials]


def draw_runs(
    evaluation: Evaluation, rng: np.random.Generator, n_runs: tuple[int, int], n_segments: int, spread: str
) -> Evaluation:
    """Mix two systems with neighbouring scores into training runs on a sample of segments."""
    (label,) = evaluation.labels
    order = np.argsort(evaluation.system_scores(label))
    at = rng.integers(len(order) - 1)
    rows = rng.integers(evaluation.n_segments, size=n_segments)
    one, other = evaluation.tables[label][order[at : at + 2]][:, rows]
    tables = []
    for _ in range(sum(n_runs)):
        share = {"none": 0.5, "some": rng.beta(8, 8), "large": rng.beta(1, 1)}[spread]
        tables.append(np.where(rng.random(n_segments)[:, None] < share, one, other))
    names = tuple(f"run{i}" for i in range(len(tables)))
    return Evaluation(names, evaluation.metrics, {label: np.stack(tables)}, evaluation.n_references)


if __name__ == "__main__":
    main()
