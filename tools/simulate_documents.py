"""Measure how well intervals and tests hold where the documents of a test set are drawn again.

    python tools/simulate_documents.py SET:PAIR... [--trials N] [--documents 6,10,15,20,30,50,100]

SET is a folder with a test set that names its documents, such as wmt22:ru-en. In each trial as many documents as the
heading of a column says are drawn with replacement, and four systems are scored on them: by documents, as by default, and by
segments. Prints two tables for docs/significance.md: the share of 95 % intervals that contain the score on all documents,
and the share of pairs with p < 0.05 among systems that are equal, because their outputs of whole documents were
exchanged at random. Cells have the lowest and the highest value over BLEU, chrF, TER and EED.
"""

import argparse
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.catalog import parse_metrics
from tertium.corpus import read_corpus
from tertium.corpus.test_sets import open_pair
from tertium.engines import evaluate
from tertium.evaluation.comparison import compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.selection import SegmentColumns, select_segments, select_systems
from tertium.evaluation.units import Units, choose_units
from tertium.records import record
from tertium.stats.analysis import DOCUMENT, Analysis
from tertium.values import FloatArray

METRICS = "bleu,chrf,ter,eed"
N_SYSTEMS = 4
ALL = "all"


@record(eq=False)
class DocumentedSet:
    """A test set, and the segments of each of its documents."""

    name: str
    evaluation: Evaluation
    rows: list[npt.NDArray[np.intp]]

    def draw(self, n_documents: int, rng: np.random.Generator) -> Evaluation:
        """Draw documents with replacement, and some systems; a document that is drawn twice counts as two."""
        drawn = [self.rows[i] for i in rng.integers(len(self.rows), size=n_documents)]
        names = rng.choice(
            self.evaluation.systems, min(N_SYSTEMS, len(self.evaluation.systems)), replace=False
        )
        chosen = select_segments(select_systems(self.evaluation, names.tolist()), np.concatenate(drawn))
        groups = np.repeat(np.arange(n_documents), list(map(len, drawn)))
        return replace(chosen, units=Units(DOCUMENT, groups.tolist(), is_chosen=True))


def main() -> None:
    """Simulate, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("sets", nargs="+", metavar="SET:PAIR")
    parser.add_argument("--trials", type=int, default=400)
    parser.add_argument("--documents", default="6,10,15,20,30,50,100")
    arguments = parser.parse_args()
    sizes = [*arguments.documents.split(","), ALL]
    rows = []
    for text in arguments.sets:
        name, _, pair = text.rpartition(":")
        rows.append(simulate(read_set(name, pair), sizes, arguments.trials))
        print("\n".join(rows[-1]), flush=True)
    heading = ["test set", "documents", *sizes, f"{ALL}, by segments"]
    titles = ("Coverage of 95 % intervals, in %", "Equal systems with p < 0.05, in %")
    for title, table in zip(titles, zip(*rows, strict=True), strict=True):
        print(f"\n{title}\n", write_row(heading), f"|{'---|' * len(heading)}", *table, sep="\n")


def read_set(name: str, pair: str) -> DocumentedSet:
    """Score all systems of a test set."""
    files = open_pair(name, pair)
    systems = [(system, str(path)) for system, path in files.systems.items()]
    corpus = read_corpus([str(files.references[0])], systems, columns=str(files.columns))
    groups = choose_units(SegmentColumns(corpus), DOCUMENT).groups or ()
    rows: dict[object, list[int]] = {}
    for row, group in enumerate(groups):
        rows.setdefault(group, []).append(row)
    arrays = [np.array(row, dtype=np.intp) for row in rows.values()]
    return DocumentedSet(
        f"{files.pair}, {name.rpartition('/')[2]}", evaluate(corpus, parse_metrics([METRICS])), arrays
    )


def simulate(whole: DocumentedSet, sizes: list[str], n_trials: int) -> list[str]:
    """Return the row of the test set in each table: the lowest and the highest share over the metrics."""
    n_all = len(whole.rows)
    shares = [measure(whole, n_all if size == ALL else int(size), n_trials) for size in sizes]
    shares.append(measure(whole, n_all, n_trials // 4, by_document=False))
    names = [whole.name, str(n_all)]
    return [write_row([*names, *(write_range(share[place]) for share in shares)]) for place in (0, 1)]


def write_range(shares: FloatArray) -> str:
    """Write the lowest and the highest share in percent; a dash if nothing was tested."""
    if not shares.any():
        return "–"
    return f"{100 * shares.min():.1f}–{100 * shares.max():.1f}"


def measure(
    whole: DocumentedSet, n_documents: int, n_trials: int, *, by_document: bool = True
) -> tuple[FloatArray, FloatArray]:
    """Measure the coverage of intervals and the rate of false alarms, (metrics,) each."""
    rng = np.random.default_rng([n_documents, by_document])
    labels = whole.evaluation.labels
    truth = {
        label: dict(zip(whole.evaluation.systems, whole.evaluation.system_scores(label), strict=True))
        for label in labels
    }
    holds, alarms = np.zeros(len(labels)), np.zeros(len(labels))
    for trial in range(n_trials):
        drawn = whole.draw(n_documents, rng)
        units = drawn.units if by_document else Units()
        # 999 samples: the number is the user's, so that the default of 10,000 does not replace it
        analysis = Analysis.of(n_samples=999, seed=trial)
        scored = compare(replace(drawn, units=units), replace(analysis, test="bootstrap", is_open=False))
        equal = compare(replace(make_equal(drawn, rng), units=units), analysis)
        pairs = np.triu_indices(len(drawn.systems), k=1)
        for number, label in enumerate(labels):
            scores = np.array([truth[label][system] for system in drawn.systems])
            interval = scored.metrics[label].intervals
            holds[number] += np.mean((interval.low <= scores) & (scores <= interval.high))
            alarms[number] += np.mean(equal.metrics[label].pair_p[pairs] < 0.05)
    return holds / n_trials, alarms / n_trials


def make_equal(evaluation: Evaluation, rng: np.random.Generator) -> Evaluation:
    """Make systems equal by permuting their outputs of every document at random."""
    groups = np.array(evaluation.units.groups)
    order = rng.random((len(evaluation.systems), groups.max() + 1)).argsort(axis=0)[:, groups]
    tables = {
        label: np.take_along_axis(table, order[:, :, None], axis=0)
        for label, table in evaluation.tables.items()
    }
    return replace(evaluation, tables=tables)


def write_row(cells: list[str]) -> str:
    """Write a row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
