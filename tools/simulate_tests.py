"""Measure the coverage of intervals and the error rates of tests by simulation on real test sets.

    python tools/simulate_tests.py FOLDER [--trials N] [--only small,levels,families,poisson,further,documents]

FOLDER contains ref.txt and systems/*.txt, such as a language pair of WMT15. Prints tables for the documentation.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.evaluation.comparison import MetricComparison, compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.units import Units
from tertium.stats.analysis import Analysis
from tertium.stats.resampling import kept_totals, resampled_totals
from tertium.stats.significance import sacrebleu_bootstrap_p, tally_resamples, tally_shuffles
from tertium.values import Corpus, FloatArray, OffsetArray

METRICS = "bleu,chrf,ter"
N_SAMPLES = 1000
Row = list[str]


def main() -> None:
    """Run the requested simulations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--only", default=",".join(SIMULATIONS))
    arguments = parser.parse_args()
    evaluation = read(arguments.folder)
    print(f"{arguments.folder.name}: {len(evaluation.systems)} systems, {evaluation.n_segments:,} segments, "
          f"{arguments.trials:,} trials\n")  # fmt: skip
    for name in arguments.only.split(","):
        print_table(SIMULATIONS[name](evaluation, arguments.trials, np.random.default_rng(1)))


def read(folder: Path) -> Evaluation:
    """Score all systems of a folder."""
    return evaluate(read_systems(folder), parse_metrics([METRICS]))


def read_systems(folder: Path) -> Corpus:
    """Read the reference and all systems of a folder."""
    references = (folder / "ref.txt").read_text(encoding="utf-8").splitlines()
    systems = {
        path.stem: path.read_text(encoding="utf-8").splitlines()
        for path in sorted((folder / "systems").glob("*.txt"))
    }
    return Corpus([[text] for text in references], systems)


def print_table(rows: Iterator[Row]) -> None:
    """Print rows as a Markdown table; the first one is the header."""
    for number, row in enumerate(rows):
        print("| " + " | ".join(row) + " |", flush=True)
        if number == 0:
            print("|" + "---|" * len(row))
    print()


def draw_segments(evaluation: Evaluation, segments: OffsetArray, systems: list[int]) -> Evaluation:
    """Select segments of systems, in the given order and with repetitions."""
    tables = {label: table[systems][:, segments] for label, table in evaluation.tables.items()}
    return replace(evaluation, systems=tuple(evaluation.systems[i] for i in systems), tables=tables)


def simulate_small(evaluation: Evaluation, n_trials: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure how often equal systems are found different at the 5 % level, by number of segments."""
    yield ["metric", "segments", "bootstrap", "randomization", "sacrebleu-bootstrap"]
    for label, table in evaluation.tables.items():
        combine = evaluation.metric(label).combine
        for n_segments in (1, 2, 3, 5, 10, 20, 30, 40, 50, 100, 200):
            p_values = np.array([test_equal(table, combine, n_segments, rng) for _ in range(n_trials)])
            yield [label, str(n_segments), *(f"{rate:.1%}" for rate in np.mean(p_values < 0.05, axis=0))]


def test_equal(
    table: FloatArray, combine: Callable[[FloatArray], FloatArray], n_segments: int, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Make two systems equal by swapping their segments at random, and test them in three ways."""
    segments = rng.choice(table.shape[1], n_segments, replace=False)
    pair = make_equal(table[rng.choice(len(table), 2, replace=False)][:, segments], rng)
    totals = pair.sum(axis=1)
    scores, resampled = combine(totals), combine(resampled_totals(pair, N_SAMPLES, rng))
    differences = np.subtract.outer(scores, scores)
    of_shuffles = tally_shuffles(totals, kept_totals(pair, N_SAMPLES, rng), combine)
    return (
        float(tally_resamples(scores, resampled).p_values(differences, max(1, n_segments - 1))[0, 1]),
        float(of_shuffles.p_values(differences)[0, 1]),
        float(sacrebleu_bootstrap_p(resampled[0], resampled[1], scores[0] - scores[1])),
    )


def make_equal(tables: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Make systems equal by permuting their outputs of every segment at random."""
    order = rng.random(tables.shape[:2]).argsort(axis=0)
    return np.take_along_axis(tables, order[:, :, None], axis=0)


def simulate_levels(evaluation: Evaluation, n_trials: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure how often p-values of equal systems are below small levels."""
    levels = np.array([0.05, 0.01, 0.001, 0.0001])
    yield ["test", "metric", "segments", *(f"p < {level:g}" for level in levels)]
    for label, table in evaluation.tables.items():
        combine = evaluation.metric(label).combine
        for n_segments in (50, 100, 400):
            p_values = np.array([test_equal(table, combine, n_segments, rng)[:2] for _ in range(n_trials)])
            for test, of_test in zip(("bootstrap", "randomization"), p_values.T, strict=True):
                rates = np.mean(of_test[:, None] < levels, axis=0)
                yield [test, label, str(n_segments), *(f"{rate:.3%}" for rate in rates)]


def simulate_families(evaluation: Evaluation, n_trials: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure how often a table of equal systems has any significant pair."""
    yield ["systems", "segments", "metric", "tables with a significant pair"]
    for n_segments in (50, 100, 400):
        n_wrong = dict.fromkeys(evaluation.labels, 0)
        for trial in range(n_trials):
            segments = rng.choice(evaluation.n_segments, n_segments, replace=False)
            few = draw_segments(evaluation, segments, list(range(len(evaluation.systems))))
            equal = replace(
                few, tables={label: make_equal(table, rng) for label, table in few.tables.items()}
            )
            for label, compared in compare(equal, Analysis.of(seed=trial)).metrics.items():
                n_wrong[label] += bool(np.any(compared.adjusted_p < 0.05))
        for label, n in n_wrong.items():
            yield [str(len(evaluation.systems)), str(n_segments), label, f"{n / n_trials:.1%}"]


def simulate_poisson(evaluation: Evaluation, n_trials: int, rng: np.random.Generator) -> Iterator[Row]:
    """Draw test sets from all segments, and measure how often the interval contains the score of all."""
    yield ["metric", "segments", "index: holds", "Poisson: holds", "Poisson width / index width"]
    truth = {label: evaluation.system_scores(label)[0] for label in evaluation.labels}
    for n_segments in (100, 500, 2000):
        holds: dict[str, list[list[bool]]] = {label: [] for label in truth}
        widths: dict[str, list[float]] = {label: [] for label in truth}
        for trial in range(n_trials):
            drawn = draw_segments(evaluation, rng.integers(evaluation.n_segments, size=n_segments), [0])
            pair = [compare(drawn, Analysis.of(seed=trial), resampling=kind) for kind in ("index", "poisson")]
            for label, score in truth.items():
                index, poisson = (comparison.metrics[label].intervals for comparison in pair)
                holds[label].append([bool(found.low <= score <= found.high) for found in (index, poisson)])
                widths[label].append(float(((poisson.high - poisson.low) / (index.high - index.low))[0]))
        for label in truth:
            by_index, by_poisson = np.mean(holds[label], axis=0)
            yield [
                label,
                str(n_segments),
                f"{by_index:.1%}",
                f"{by_poisson:.1%}",
                f"{np.mean(widths[label]):.3f}",
            ]


def simulate_further(evaluation: Evaluation, n_trials: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure how often the predicted number of further segments separates a pair whose difference is real."""
    yield ["systems", "metric", "pairs tried", "separated"]
    n_segments = 300
    for n_systems in (2, 5, 11):
        found: dict[str, list[bool]] = {label: [] for label in evaluation.labels}
        while min(map(len, found.values())) < n_trials // 5:
            systems = rng.choice(len(evaluation.systems), n_systems, replace=False).tolist()
            few = draw_segments(
                evaluation, rng.choice(evaluation.n_segments, n_segments, replace=False), systems
            )
            for label in found:
                found[label] += try_further(few, label, rng)
        for label, separated in found.items():
            yield [str(n_systems), label, str(len(separated)), f"{np.mean(separated):.0%}"]


def try_further(few: Evaluation, label: str, rng: np.random.Generator) -> list[bool]:
    """Choose the pair that is nearest to significance, and draw the predicted number of segments."""
    few = replace(few, tables={label: few.tables[label]})
    compared = compare(few).metrics[label]
    open_pairs = {
        (a, b): further
        for a in range(len(few.systems))
        for b in range(a)
        if compared.adjusted_p[a, b] >= 0.05
        and (further := compared.further_segments(a, b)) is not None
        and 0 < further <= 20 * few.n_segments
    }
    if not open_pairs:
        return []
    pairs = list(open_pairs)
    a, b = pairs[rng.integers(len(pairs))]
    # the segments are the population, so the observed difference is the true one
    n_together = few.n_segments + open_pairs[a, b]
    many = draw_segments(few, rng.integers(few.n_segments, size=n_together), list(range(len(few.systems))))
    return [
        bool(compare(many, Analysis.of(seed=int(rng.integers(2**31)))).metrics[label].adjusted_p[a, b] < 0.05)
    ]


def simulate_documents(evaluation: Evaluation, n_trials: int, rng: np.random.Generator) -> Iterator[Row]:
    """Measure how much wider intervals are if blocks of adjacent segments are drawn instead of single ones."""
    del n_trials
    yield ["metric", "block", "blocks", "intervals ×", "shuffled", "differences ×", "shuffled"]
    everybody = list(range(len(evaluation.systems)))
    shuffled = draw_segments(evaluation, rng.permutation(evaluation.n_segments), everybody)
    for size in (5, 10, 20, 40):
        groups = [i // size for i in range(evaluation.n_segments)]
        in_order, by_chance = (compare_spreads(tested, groups) for tested in (evaluation, shuffled))
        for label in evaluation.labels:
            pairs = zip(in_order[label], by_chance[label], strict=True)
            yield [
                label,
                str(size),
                str(groups[-1] + 1),
                *(f"{ratio:.2f}" for pair in pairs for ratio in pair),
            ]


def compare_spreads(evaluation: Evaluation, groups: list[int]) -> dict[str, tuple[float, float]]:
    """Compute the mean ratio of grouped to plain interval widths and standard errors of differences."""
    units = Units("document", groups), Units()
    grouped, plain = (compare(replace(evaluation, units=unit)).metrics for unit in units)
    pairs = np.triu_indices(len(evaluation.systems), k=1)

    def ratios(one: MetricComparison, other: MetricComparison) -> tuple[float, float]:
        widths = [comparison.intervals.high - comparison.intervals.low for comparison in (one, other)]
        errors = [comparison.standard_errors[pairs] for comparison in (one, other)]
        return float(np.mean(widths[0] / widths[1])), float(np.mean(errors[0] / errors[1]))

    return {label: ratios(grouped[label], plain[label]) for label in evaluation.labels}


SIMULATIONS = {
    "small": simulate_small,
    "levels": simulate_levels,
    "families": simulate_families,
    "poisson": simulate_poisson,
    "further": simulate_further,
    "documents": simulate_documents,
}

if __name__ == "__main__":
    main()
