"""Measure how often a history of ten releases raises a false alarm, and how often it finds two real changes.

    python tools/simulate_history.py FOLDER PAIR [--trials N]

FOLDER has a test set per language pair, such as WMT21's. In each trial a release takes the output of one of the two
best systems of the pair, at random for each segment, so that equal releases differ on half of the segments. In
histories with real changes, releases 4 to 7 take the output of the worst system on two fifths of the segments.
"""

import argparse

import numpy as np

from tertium.catalog import MetricMaker, ResourceChoice
from tertium.corpus import CorpusFiles
from tertium.corpus.test_sets import list_members
from tertium.engines import evaluate
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.history import measure_history
from tertium.stats.analysis import Analysis

METRICS = ["bleu", "chrf"]
N_RELEASES, N_SAMPLES = 10, 1000
BAD_SHARE = 0.4
CHANGES = {3: "worse", 7: "better"}  # numbers of releases, from 0


def main() -> None:
    """Run the simulation and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("pair")
    parser.add_argument("--trials", type=int, default=300)
    arguments = parser.parse_args()
    scored = read(arguments.folder, arguments.pair)
    rng = np.random.default_rng(1)
    for label in METRICS:
        alarms = sum(bool(find(scored, label, rng, is_changed=False)) for _ in range(arguments.trials))
        found = [find(scored, label, rng, is_changed=True) for _ in range(arguments.trials)]
        both = sum(set(CHANGES.items()) <= changes for changes in found)
        more = sum(bool(changes - set(CHANGES.items())) for changes in found)
        print(
            f"{label}: false alarms in {alarms / arguments.trials:.1%} of the histories without changes; both changes"
            f" found in {both / arguments.trials:.1%}, with a false one in {more / arguments.trials:.1%}"
        )


def read(folder: str, pair: str) -> Evaluation:
    """Score the systems of a language pair."""
    (member,) = list_members([folder], (), (), [pair])
    files = CorpusFiles(
        references=member.references,
        hypotheses=tuple(f"{name}={path}" for name, path in member.systems.items()),
    )
    return evaluate(files.read(), MetricMaker(ResourceChoice(language=pair)).make_all(METRICS))


def find(
    scored: Evaluation, label: str, rng: np.random.Generator, *, is_changed: bool
) -> set[tuple[int, str]]:
    """Make a history and return the significant changes."""
    order = np.argsort(scored.system_scores(label))
    worst, one, other = (scored.tables[label][order[k]] for k in (0, -2, -1))
    is_bad = rng.random(scored.n_segments) < BAD_SHARE
    rows = []
    for number in range(N_RELEASES):
        table = np.where((rng.random(scored.n_segments) < 0.5)[:, None], one, other)
        if is_changed and min(CHANGES) <= number < max(CHANGES):
            table = np.where(is_bad[:, None], worst, table)
        rows.append(table)
    names = tuple(str(number) for number in range(N_RELEASES))
    metric = next(metric for metric in scored.metrics if metric.label == label)
    releases = Evaluation(names, (metric,), {label: np.stack(rows)}, scored.n_references)
    found = measure_history({"": releases}, Analysis(n_samples=N_SAMPLES, seed=int(rng.integers(1 << 30))))
    return {
        (int(row.release), "better" if (row.gain or 0) > 0 else "worse")
        for row in found
        if row.is_significant
    }


if __name__ == "__main__":
    main()
