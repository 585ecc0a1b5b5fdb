"""Measure the false-alarm rate of the stratified test over many test sets by simulation.

    python tools/simulate_sets.py FOLDER [--trials N]

FOLDER has a test set per language pair, such as WMT21's. In each trial two systems of every test set exchange their
outputs on a random half of the segments, which makes them equal; the share of trials in which their averages differ
significantly should be 5 %.
"""

import argparse
from dataclasses import replace

import numpy as np

from tertium.catalog import MetricMaker, ResourceChoice
from tertium.corpus import CorpusFiles
from tertium.corpus.test_sets import list_members
from tertium.engines import evaluate
from tertium.evaluation.comparison import Comparison, compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.many_sets import add_sets
from tertium.stats.analysis import Analysis

METRICS = ["bleu", "chrf", "ter"]
SYSTEMS = ("one", "other")


def main() -> None:
    """Run the simulation and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--trials", type=int, default=1000)
    arguments = parser.parse_args()
    sets = read(arguments.folder)
    rng = np.random.default_rng(1)
    alarms = dict.fromkeys(METRICS, 0)
    for trial in range(arguments.trials):
        mixed = [(name, *exchange(scored, rng, trial)) for name, scored in sets.items()]
        many = add_sets(dict.fromkeys(sets, SYSTEMS), mixed, alpha=0.05, seed=trial)
        for label in METRICS:
            first, second = many.summarise(label)
            alarms[label] += not set(first.overall) & set(second.overall)
    for label, number in alarms.items():
        print(
            f"{label}: {number / arguments.trials:.1%} of {arguments.trials:,} trials, {len(sets)} test sets"
        )


def read(folder: str) -> dict[str, Evaluation]:
    """Score two systems of each test set."""
    found = {}
    for member in list_members([folder], (), (), ()):
        outputs = tuple(f"{name}={path}" for name, path in [*member.systems.items()][:2])
        metrics = MetricMaker(ResourceChoice(language=member.language)).make_all(METRICS)
        corpus = CorpusFiles(references=member.references, hypotheses=outputs).read()
        found[member.name] = replace(evaluate(corpus, metrics), systems=SYSTEMS)
    return found


def exchange(evaluation: Evaluation, rng: np.random.Generator, seed: int) -> tuple[Evaluation, Comparison]:
    """Exchange both systems' rows on a random half of the segments, and compare the systems."""
    swapped = rng.random(evaluation.n_segments) < 0.5
    tables = {
        label: np.where(swapped[None, :, None], table[::-1], table)
        for label, table in evaluation.tables.items()
    }
    mixed = replace(evaluation, tables=tables)
    return mixed, compare(mixed, Analysis(n_samples=1000, seed=seed))


if __name__ == "__main__":
    main()
