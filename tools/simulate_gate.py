"""Measure by simulation on real test sets how often `tertium gate` passes a system that is worse by the margin.

    python tools/simulate_gate.py DATA [--trials N] [--only rates,documents,failures,rules]

DATA contains wmt12/de-en/ref.txt, wmt12/de-en/systems/*.txt and so on, and mt-metrics-eval-v2 for WMT23. A test set is the
population, so the true loss of a system is known; each trial draws segments (or documents) from it with replacement. The test
was chosen on WMT12 to WMT15 and confirmed on WMT21 to WMT23. Prints tables for the documentation.

rates      false passes and power by metric and number of segments, beside the percentile bootstrap and Student's t
documents  the same where whole documents are drawn
failures   what any test of the segments must lose where a few segments fail completely
rules      how often each kind of rule passes, for pairs of systems with a small loss
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from pathlib import Path

import numpy as np

from simulate_tests import draw_segments, print_table, read, read_systems
from tertium.catalog import LabelledMetric, parse_metrics
from tertium.corpus import read_columns
from tertium.engines import evaluate
from tertium.evaluation.comparison import unite_segments
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gating import GatedSet, Rule, apply_rule
from tertium.evaluation.units import choose_units
from tertium.metrics.base import Metric
from tertium.metrics.external_scores import make_external
from tertium.metrics.means import tabulate_scores
from tertium.stats.one_sided import SkewedDifference
from tertium.stats.student import student_tail_quantile
from tertium.values import Corpus, FloatArray, OffsetArray

CHOSEN_ON = (
    "wmt12/de-en", "wmt12/fr-en", "wmt14/cs-en", "wmt14/hi-en",
    "wmt14/ru-en", "wmt15/de-en", "wmt15/en-ru", "wmt15/fi-en",
)  # fmt: skip
CONFIRMED_ON = (
    "wmt21/de-en", "wmt21/zh-en", "wmt21fromen/en-cs", "wmt21fromen/fr-de",
    "wmt22/de-en", "wmt22/ru-en", "wmt22/cs-en", "wmt22/zh-en", "wmt23/he-en",
)  # fmt: skip
WITH_DOCUMENTS = ("wmt21/ja-en", "wmt21/ru-en", "wmt22/de-en", "wmt22/ja-en", "wmt22/ru-en", "wmt22/uk-en")
PAIRS = ((0, 3), (1, 2))  # of the first four systems by name
METRICS = "bleu,chrf,ter,wer,beer"  # BEER is a mean of bounded, smooth segment scores, as COMET is
SIZES = (50, 100, 300, 1000)
DOCUMENTS = (10, 15, 20, 30, 50, 100)
ALPHA, LIMIT = 0.05, 6.0  # the level, and the largest share of false passes in percent
N_RESAMPLES = 400
Z = 1.645
POWERS = (Z, Z + 0.84)  # margins above the loss, in standard errors, for a power of about 50 and 80 %


def main() -> None:
    """Run the requested simulations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--only", default="rates,documents,failures,rules")
    arguments = parser.parse_args()
    simulations: Mapping[str, Callable[[Path, int], None]] = {
        "rates": simulate_rates,
        "documents": simulate_documents,
        "failures": simulate_failures,
        "rules": simulate_rules,
    }
    for name in arguments.only.split(","):
        simulations[name](arguments.data, arguments.trials)


@dataclass(frozen=True, eq=False)
class Pair:
    """Two systems on a population of segments or documents, by one metric; the new one is worse.

    Attributes
    ----------
    base, new
        The statistics of their units.
    loss
        By how much the new system is worse: the margin of the gate.
    """

    name: str
    label: str
    metric: Metric
    base: FloatArray
    new: FloatArray
    loss: float

    @classmethod
    def of(cls, folder: str, evaluation: Evaluation, label: str, systems: tuple[int, int]) -> "Pair":
        metric, table = evaluation.metric(label), evaluation.tables[label]
        sign = 1 if metric.higher_is_better else -1
        scores = sign * evaluation.system_scores(label)
        base, new = sorted(systems, key=lambda system: -scores[system])
        name = f"{folder} {evaluation.systems[base]}, {evaluation.systems[new]}"
        return cls(name, label, metric, table[base], table[new], float(scores[base] - scores[new]))

    @property
    def sign(self) -> int:
        return 1 if self.metric.higher_is_better else -1

    def measure(self, rows: OffsetArray) -> tuple[float, FloatArray]:
        """Measure the gain of the new system on some units, and the influence of each."""
        gain, influence = 0.0, np.zeros(len(rows))
        for table, sign in ((self.new, self.sign), (self.base, -self.sign)):
            drawn = table[rows]
            total = drawn.sum(axis=0)
            score = self.metric.combine(total)
            gain += sign * float(score)
            influence += sign * (score - self.metric.combine(total - drawn))
        return gain, influence

    @cached_property
    def influence(self) -> FloatArray:
        """The influence of each unit of the population, scaled so that its standard deviation is that of one unit."""
        _, influence = self.measure(np.arange(len(self.base)))
        return np.asarray((len(influence) - 1) * (influence - influence.mean()))


Verdicts = FloatArray
"""Whether each test passes (bootstrap, Student, ours) with each margin (the loss, and those of `POWERS`)."""


def try_once(pair: Pair, rows: OffsetArray, resamples: FloatArray) -> Verdicts:
    """Test a drawn test set with the margin equal to the true loss, and with larger ones."""
    gain, influence = pair.measure(rows)
    found = SkewedDifference.of(gain, influence)
    error = float(pair.influence.std()) / sqrt(len(rows))
    margins = [pair.loss + z * error for z in (0.0, *POWERS)]
    if found.error == 0:
        return np.array([[gain > -margin for margin in margins]] * 3)
    pseudo = (len(rows) - 1) * (influence - influence.mean())
    low = gain + np.sort(resamples @ pseudo / len(rows))[int(ALPHA * (N_RESAMPLES + 1)) - 1]
    student = gain - found.error * STUDENT[len(rows)]
    return np.array(
        [
            [low > -margin for margin in margins],
            [student > -margin for margin in margins],
            [_passes(found, margin) for margin in margins],
        ]
    )


def _passes(found: SkewedDifference, margin: float) -> bool:
    # below 1.28 standard errors p is above 10 %, whatever the skewness
    return found.value + margin > 1.28 * found.error and found.test_above(-margin) < ALPHA


STUDENT = {n: student_tail_quantile(ALPHA, n - 1) for n in (*SIZES, *DOCUMENTS)}


def try_many(pairs: Sequence[Pair], size: int, n_trials: int, rng: np.random.Generator) -> FloatArray:
    """Return how often each test passes in percent, by pair: (pairs, tests, margins); all pairs share the draws.

    Pairs near the limit are tried twice as often.
    """
    rates = _try(pairs, size, n_trials, rng)
    near = np.flatnonzero(rates[:, 2, 0] > LIMIT - 0.5).tolist()
    if near:
        rates[near] = (rates[near] + _try([pairs[i] for i in near], size, n_trials, rng)) / 2
    return rates


def _try(pairs: Sequence[Pair], size: int, n_trials: int, rng: np.random.Generator) -> FloatArray:
    n_units, sums = len(pairs[0].base), np.zeros((len(pairs), 3, 1 + len(POWERS)))
    for _ in range(n_trials):
        rows = rng.integers(n_units, size=size)
        places = rng.integers(size, size=(N_RESAMPLES, size)) + size * np.arange(N_RESAMPLES)[:, None]
        counts = np.bincount(places.ravel(), minlength=N_RESAMPLES * size).astype(float)
        resamples = counts.reshape(N_RESAMPLES, size)
        sums += [try_once(pair, rows, resamples) for pair in pairs]
    return 100 * sums / n_trials


def read_evaluation(data: Path, name: str) -> Evaluation:
    """Score the first four systems of a folder; WMT23's with COMET's published scores instead of BEER's."""
    year, _, pair = name.partition("/")
    folder = data / name
    if year != "wmt23":
        corpus = _keep_four(read_systems(folder))
        evaluation = evaluate(corpus, parse_metrics([METRICS]))
        path = folder / "columns.tsv"
        columns = read_columns(str(path), len(corpus)) if path.exists() else {}
        return replace(evaluation, units=choose_units(columns))
    root = data / "mt-metrics-eval-v2" / year
    references = (root / "references" / f"{pair}.refA.txt").read_text(encoding="utf-8").splitlines()
    outputs = sorted((root / "system-outputs" / pair).glob("*.txt"))
    systems = {
        path.stem: path.read_text(encoding="utf-8").splitlines()
        for path in outputs
        if not path.stem.startswith("ref")
    }
    corpus = _keep_four(Corpus([[text] for text in references], systems))
    rows = (root / "metric-scores" / pair / "COMET-refA.seg.score").read_text(encoding="utf-8").split("\n")
    scores = {name: [float(row.split("\t")[1]) for row in rows if row.split("\t")[0] == name] for name in corpus.systems}  # fmt: skip
    evaluation = evaluate(corpus, parse_metrics(["bleu,chrf,ter,wer"]))
    comet = LabelledMetric("comet", make_external("comet", ""))
    table = tabulate_scores(np.array([scores[name] for name in corpus.systems]))
    return replace(
        evaluation, metrics=(*evaluation.metrics, comet), tables={**evaluation.tables, "comet": table}
    )


def _keep_four(corpus: Corpus) -> Corpus:
    names = sorted(corpus.systems)[:4]
    return replace(corpus, systems={name: corpus.systems[name] for name in names})


def list_pairs(data: Path, folder: str, *, by_document: bool = False) -> list[Pair]:
    """List the pairs of systems of a folder by each metric."""
    evaluation = read_evaluation(data, folder)
    evaluation = unite_segments(evaluation) if by_document else replace(evaluation, units=choose_units({}))
    return [Pair.of(folder, evaluation, label, systems) for systems in PAIRS for label in evaluation.tables]


@dataclass(frozen=True, eq=False)
class Cell:
    """The rates of one pair, metric and size."""

    pair: Pair
    size: int
    rates: FloatArray


def simulate_rates(data: Path, n_trials: int) -> None:
    """Print the rates by metric and number of segments for both halves of the data."""
    for title, folders in (("chosen on", CHOSEN_ON), ("confirmed on", CONFIRMED_ON)):
        rng, cells = np.random.default_rng(1), list[Cell]()
        for folder in folders:
            pairs = list_pairs(data, folder)
            for size in SIZES:
                rates = try_many(pairs, size, n_trials, rng)
                cells += [Cell(pair, size, each) for pair, each in zip(pairs, rates, strict=True)]
        print(
            f"{title} {', '.join(folders)}: {n_trials:,} trials in each cell, twice as many near the limit\n"
        )
        print_table(summarise(cells))
        print_table(list_high(cells))


def summarise(cells: Sequence[Cell], units: str = "segments") -> Iterator[list[str]]:
    """Summarise cells by metric and size: the mean and the largest rate, and the power lost."""
    yield [
        "metric", units, "cells", "bootstrap: mean", "worst", "Student's t: mean", "worst", "gate: mean", "worst",
        f"above {LIMIT:g} %", "power at 50 %", "lost", "power at 80 %", "lost",
    ]  # fmt: skip
    keys = dict.fromkeys((cell.pair.label, cell.size) for cell in cells)
    for label, size in keys:
        group = [cell for cell in cells if (cell.pair.label, cell.size) == (label, size)]
        yield [label, f"{size:,}", *_summarise(np.array([cell.rates for cell in group]))]
    for size in dict.fromkeys(size for _, size in keys):
        group = [cell for cell in cells if cell.size == size]
        yield ["all", f"{size:,}", *_summarise(np.array([cell.rates for cell in group]))]


def _summarise(rates: FloatArray) -> Iterator[str]:
    """Power is compared where the bootstrap passes at most 6 % of the worse systems."""
    yield str(len(rates))
    for test in range(3):
        yield f"{rates[:, test, 0].mean():.1f} %"
        yield f"{rates[:, test, 0].max():.1f} %"
    yield str(np.count_nonzero(rates[:, 2, 0] > LIMIT))
    holding = rates[rates[:, 0, 0] <= LIMIT]
    for margin in range(1, 1 + len(POWERS)):
        if not len(holding):
            yield from ("–", "–")
            continue
        yield f"{holding[:, 2, margin].mean():.1f} %"
        yield f"{(holding[:, 0, margin] - holding[:, 2, margin]).mean():.1f}"


def list_high(cells: Sequence[Cell]) -> Iterator[list[str]]:
    """List the cells with too many false passes, the highest first."""
    yield ["pair", "metric", "size", "loss", "kurtosis", "bootstrap", "Student's t", "gate"]
    for cell in sorted(cells, key=lambda each: -each.rates[2, 0]):
        if cell.rates[2, 0] > LIMIT:
            values = cell.pair.influence
            kurtosis = float(np.mean(values**4) / np.mean(values**2) ** 2)
            facts = (
                cell.pair.name,
                cell.pair.label,
                f"{cell.size:,}",
                f"{cell.pair.loss:.2f}",
                f"{kurtosis:.0f}",
            )
            yield [*facts, *(f"{rate:.1f} %" for rate in cell.rates[:, 0])]


def simulate_documents(data: Path, n_trials: int) -> None:
    """Print the rates by metric and number of documents."""
    rng, cells = np.random.default_rng(2), list[Cell]()
    for folder in WITH_DOCUMENTS:
        pairs = list_pairs(data, folder, by_document=True)
        for size in DOCUMENTS:
            rates = try_many(pairs, size, n_trials, rng)
            cells += [Cell(pair, size, each) for pair, each in zip(pairs, rates, strict=True)]
    print(f"documents of {', '.join(WITH_DOCUMENTS)}: {n_trials:,} trials in each cell\n")
    print_table(summarise(cells, "documents"))


RARE = 8.0  # standard deviations from which on a loss counts as a failure


def simulate_failures(data: Path, n_trials: int) -> None:
    """Print what any test must lose where segments with failures are rare.

    A test set of n segments from a population with a share s of failures has none with the probability (1 − s)ⁿ, and is then
    a test set from the population without failures. A test that passes at most 6 % of all test sets therefore passes at most
    6 % / (1 − s)ⁿ of the test sets from the population without failures, with the same margin.
    """
    rng = np.random.default_rng(3)
    print_table(_compare_with_bound(data, n_trials, rng))


def _compare_with_bound(data: Path, n_trials: int, rng: np.random.Generator) -> Iterator[list[str]]:
    yield [
        "pair",
        "metric",
        "segments",
        "failures",
        "without failures: bootstrap passes",
        "any test passes at most",
    ]
    for folder in ("wmt15/de-en", "wmt22/cs-en"):
        for pair in list_pairs(data, folder):
            is_rare = pair.influence < -RARE * pair.influence.std()
            if pair.label not in ("ter", "wer") or not is_rare.any():
                continue
            clean = replace(pair, base=pair.base[~is_rare], new=pair.new[~is_rare])  # with the same margin
            for size in SIZES[:3]:
                (rates,) = try_many([clean], size, n_trials, rng)
                bound = LIMIT / (1 - is_rare.mean()) ** size
                n_failures = f"{is_rare.sum()} of {len(is_rare):,}"
                facts = pair.name, pair.label, f"{size:,}", n_failures
                yield [*facts, f"{rates[0, 0]:.1f} %", f"{bound:.1f} %"]


LARGEST_MARGIN = 2.0  # larger margins are not useful, so pairs of systems that differ by more are not tried
SMALLEST_MARGIN = 0.2


def simulate_rules(data: Path, n_trials: int) -> None:
    """Print how often each kind of rule passes on WMT15 German–English."""
    evaluation = read(data / "wmt15" / "de-en")
    print_table(_try_rules(evaluation, n_trials, np.random.default_rng(1)))


def _try_rules(evaluation: Evaluation, n_trials: int, rng: np.random.Generator) -> Iterator[list[str]]:
    """Draw test sets for pairs of systems, and apply both kinds of rules to them."""
    yield [
        "metric", "segments", "worse by the margin: not shown to be worse", "worse by the margin: shown to be within it",
        "equal: shown to be within it", "equal: undecided",
    ]  # fmt: skip
    for label in evaluation.labels:
        pairs = list(_find_close(evaluation, label))
        for n_segments in (100, 300, 1000, 3000):
            drawn = [_try_rule(evaluation, label, pairs, n_segments, rng) for _ in range(n_trials)]
            yield [label, f"{n_segments:,}", *(f"{rate:.1%}" for rate in np.mean(drawn, axis=0))]


def _find_close(evaluation: Evaluation, label: str) -> Iterator[tuple[int, int, float]]:
    """Find the pairs in which the new system is a little worse than the base, with its loss."""
    sign = 1 if evaluation.metric(label).higher_is_better else -1
    scores = sign * evaluation.system_scores(label)
    for base in range(len(scores)):
        for new in range(len(scores)):
            loss = float(scores[base] - scores[new])
            if SMALLEST_MARGIN <= loss <= LARGEST_MARGIN:
                yield base, new, loss


def _try_rule(
    evaluation: Evaluation,
    label: str,
    pairs: Sequence[tuple[int, int, float]],
    n_segments: int,
    rng: np.random.Generator,
) -> tuple[bool, bool, bool, bool]:
    """Draw one test set for a pair that differs by exactly the margin, and one for two equal systems."""
    base, new, loss = pairs[int(rng.integers(len(pairs)))]
    segments = rng.integers(evaluation.n_segments, size=n_segments)
    worse = draw_segments(evaluation, segments, [base, new])
    proof, no_proof = Rule(metric=label, not_worse=loss), Rule(metric=label, not_significantly_worse=True)
    of_equal = _judge(_make_equal(worse, label, rng), proof)
    return (
        _judge(worse, no_proof) == "pass",
        _judge(worse, proof) == "pass",
        of_equal == "pass",
        of_equal == "undecided",
    )


def _make_equal(evaluation: Evaluation, label: str, rng: np.random.Generator) -> Evaluation:
    """Swap segments of the two systems at random, so that neither is better."""
    table = np.array(evaluation.tables[label])
    swapped = rng.random(evaluation.n_segments) < 0.5
    table[:, swapped] = table[::-1, swapped]
    return replace(evaluation, tables={label: table})


def _judge(evaluation: Evaluation, rule: Rule) -> str:
    """Apply a rule to the second system, against the first."""
    base, new = evaluation.systems
    (found,) = apply_rule([GatedSet(evaluation, base, new)], rule)
    return found.verdict


if __name__ == "__main__":
    main()
