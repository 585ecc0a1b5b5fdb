"""Measure by simulation on real test sets how often `tertium gate` passes a system that is worse by the margin.

    python tools/simulate_gate.py DATA [--trials N] [--only rates,documents,rules]

DATA contains wmt12/de-en/ref.txt, wmt12/de-en/systems/*.txt and so on, and mt-metrics-eval-v2 for WMT23. A test set is the
population, so the true loss of a system is known; each trial draws segments (or documents) from it with replacement. The test
was chosen on WMT12 to WMT15 and confirmed on WMT21 to WMT23. Prints tables for the documentation.

rates      false passes and power by metric and number of segments, beside Student's t
documents  the same where whole documents are drawn
rules      how often each kind of rule passes, for pairs of systems with a small loss
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np

from simulate_tests import draw_segments, print_table, read, read_systems
from tertium.catalog import LabelledMetric, parse_metrics
from tertium.corpus import read_columns
from tertium.engines import evaluate
from tertium.evaluation.comparison import unite_segments
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.gate_rules import Rule
from tertium.evaluation.gating import GatedSet, apply_rule
from tertium.evaluation.units import choose_units
from tertium.metrics.base import Metric
from tertium.metrics.means import make_external, tabulate_scores
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
N_DRAWN = 60_000  # units drawn at a time, so that their statistics fit into the cache of the processor
Z = 1.645
POWERS = (Z, Z + 0.84)  # margins above the loss, in standard errors, for a power of about 50 and 80 %


def main() -> None:
    """Run the requested simulations."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--trials", type=int, default=4000)
    parser.add_argument("--only", default="rates,documents,rules")
    arguments = parser.parse_args()
    simulations: Mapping[str, Callable[[Path, int], None]] = {
        "rates": simulate_rates,
        "documents": simulate_documents,
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

    def measure(self, rows: OffsetArray) -> tuple[FloatArray, FloatArray]:
        """Measure the gain of the new system on test sets (a row of units per set), and the influence of the units."""
        sign = 1 if self.metric.higher_is_better else -1
        gains, influence = np.zeros(len(rows)), np.zeros(rows.shape)
        for table, factor in ((self.new, sign), (self.base, -sign)):
            drawn = table[rows]
            totals = drawn.sum(axis=1)
            scores = self.metric.combine(totals)
            gains += factor * scores
            influence += factor * (scores[:, None] - self.metric.combine(totals[:, None] - drawn))
        return gains, influence

    def population(self) -> tuple[float, float]:
        """Return the standard deviation of the influence of one unit in the population, and the kurtosis."""
        (influence,) = self.measure(np.arange(len(self.base))[None])[1]
        centred = (len(influence) - 1) * (influence - influence.mean())
        variance = float(np.mean(centred**2))
        return sqrt(variance), float(np.mean(centred**4)) / variance**2


@dataclass(frozen=True, eq=False)
class Cell:
    """How often the tests pass one pair by one metric, for one number of units.

    Attributes
    ----------
    kurtosis
        The kurtosis of the influence of the units in the population.
    rates
        In percent, for Student's t and for the test of the gate (rows): with a margin equal to the loss, and with those of
        `POWERS`.
    """

    pair: str
    label: str
    size: int
    loss: float
    kurtosis: float
    rates: FloatArray


def try_folder(
    data: Path, n_trials: int, sizes: Sequence[int], folder: str, *, by_document: bool = False
) -> list[Cell]:
    """Measure the rates of all pairs of a folder; all pairs are tested on the same draws."""
    rng = np.random.default_rng(list(folder.encode()))
    pairs = list_pairs(data, folder, by_document=by_document)
    cells = []
    for size in sizes:
        student = student_tail_quantile(ALPHA, size - 1)
        passed = np.zeros((len(pairs), 2, 1 + len(POWERS)))
        for n_sets in _split(n_trials, max(1, N_DRAWN // size)):
            rows = rng.integers(len(pairs[0].base), size=(n_sets, size))
            passed += [count_passes(pair, rows, student) for pair in pairs]
        rates = 100 * passed / n_trials
        for pair, of_pair in zip(pairs, rates, strict=True):
            cells.append(Cell(pair.name, pair.label, size, pair.loss, pair.population()[1], of_pair))
    return cells


def _split(total: int, size: int) -> Iterator[int]:
    for start in range(0, total, size):
        yield min(size, total - start)


def count_passes(pair: Pair, rows: OffsetArray, student: float) -> FloatArray:
    """Count the test sets that each test passes, with a margin equal to the true loss and with larger margins."""
    error = pair.population()[0] / sqrt(rows.shape[1])
    margins = -np.array([pair.loss + z * error for z in (0.0, *POWERS)])[:, None]
    gains, influence = pair.measure(rows)
    errors = np.sqrt(rows.shape[1] - 1) * influence.std(axis=1)
    ends = gains - errors * np.array([np.full(len(rows), student), find_critical(influence)])
    first = SkewedDifference.of(float(gains[0]), influence[0])
    np.testing.assert_allclose(ends[1, 0], first.lower_end(ALPHA), rtol=1e-5, atol=1e-6)
    return np.asarray(np.count_nonzero(ends[:, None] > margins, axis=-1), dtype=np.float64)


def find_critical(influence: FloatArray) -> FloatArray:
    """Compute the critical values of `SkewedDifference` for many test sets, from the influence of their units."""
    n = influence.shape[1]
    centred = influence - influence.mean(axis=1, keepdims=True)
    squares = centred * centred
    variance = np.maximum(squares.mean(axis=1), 1e-300)
    skewness = (squares * centred).mean(axis=1) / variance**1.5
    kurtosis = (squares * squares).mean(axis=1) / variance**2
    t = np.interp(np.maximum(1 / (n - 1), (kurtosis - 1) / (2 * n)), *_tabulate_quantiles())
    return np.asarray(t + np.maximum(0.0, -skewness * (1 + 2 * t * t) / (6 * sqrt(n))))


@cache
def _tabulate_quantiles() -> tuple[FloatArray, FloatArray]:
    """Tabulate the quantile of Student's t by the inverse of its degrees of freedom, which are never below 2."""
    inverse = np.linspace(0.0001, 0.5, 2000)
    return inverse, np.array([student_tail_quantile(ALPHA, 1 / share) for share in inverse])


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


def simulate_rates(data: Path, n_trials: int) -> None:
    """Print the rates by metric and number of segments for both halves of the data, and for all."""
    found = dict[str, list[Cell]]()
    for title, folders in (("chosen on", CHOSEN_ON), ("confirmed on", CONFIRMED_ON)):
        found[f"{title} {', '.join(folders)}"] = try_folders(data, n_trials, SIZES, folders)
    found["all"] = [cell for cells in found.values() for cell in cells]
    for title, cells in found.items():
        print(f"{title}: {n_trials:,} trials in each cell\n")
        print_table(summarise(cells, "segments"))
        print_table(list_high(cells))


def try_folders(
    data: Path, n_trials: int, sizes: Sequence[int], folders: Sequence[str], *, by_document: bool = False
) -> list[Cell]:
    """Measure the rates of all pairs of several folders, one process per processor."""
    work = partial(try_folder, data, n_trials, sizes, by_document=by_document)
    with ProcessPoolExecutor() as pool:
        return [cell for cells in pool.map(work, folders) for cell in cells]


def summarise(cells: Sequence[Cell], units: str) -> Iterator[list[str]]:
    """Summarise cells by metric and size: the mean and the largest rate, and the power lost against Student's t."""
    yield [
        "metric", units, "pairs", "Student's t", "worst", "gate", "worst", f"above {LIMIT:g} %", "t holds",
        "power at 50 %", "power at 80 %",
    ]  # fmt: skip
    keys = dict.fromkeys((cell.label, cell.size) for cell in cells)
    for label, size in keys:
        group = [cell for cell in cells if (cell.label, cell.size) == (label, size)]
        yield [label, f"{size:,}", *_summarise(group)]
    for size in dict.fromkeys(size for _, size in keys):
        yield ["all", f"{size:,}", *_summarise([cell for cell in cells if cell.size == size])]
    yield ["all", "all", *_summarise(cells)]


def _summarise(cells: Sequence[Cell]) -> Iterator[str]:
    """Student's t holds where it passes at most 6 % of the worse systems; there its power is compared."""
    rates = np.array([cell.rates for cell in cells])
    yield f"{len(rates):,}"
    for test in range(2):
        yield f"{rates[:, test, 0].mean():.1f} %"
        yield f"{rates[:, test, 0].max():.1f} %"
    yield str(np.count_nonzero(rates[:, 1, 0] > LIMIT))
    holding = rates[rates[:, 0, 0] <= LIMIT]
    yield f"{len(holding):,}"
    for margin in range(1, 1 + len(POWERS)):
        lost = holding[:, 0, margin] - holding[:, 1, margin]
        yield f"{-lost.mean():+.1f}".replace("-", "−") if len(lost) else "–"


def list_high(cells: Sequence[Cell]) -> Iterator[list[str]]:
    """List the cells with too many false passes, the highest first."""
    yield ["pair", "metric", "size", "loss", "kurtosis", "Student's t", "gate"]
    for cell in sorted(cells, key=lambda cell: -cell.rates[1, 0]):
        if cell.rates[1, 0] > LIMIT:
            facts = (cell.pair, cell.label, f"{cell.size:,}", f"{cell.loss:.2f}", f"{cell.kurtosis:.0f}")
            yield [*facts, *(f"{rate:.1f} %" for rate in cell.rates[:, 0])]


def simulate_documents(data: Path, n_trials: int) -> None:
    """Print the rates by metric and number of documents."""
    cells = try_folders(data, n_trials, DOCUMENTS, WITH_DOCUMENTS, by_document=True)
    print(f"documents of {', '.join(WITH_DOCUMENTS)}: {n_trials:,} trials in each cell\n")
    print_table(summarise(cells, "documents"))
    print_table(list_high(cells))


LARGEST_MARGIN = 2.0  # larger margins are not useful, so pairs of systems that differ by more are not tried
SMALLEST_MARGIN = 0.2


def simulate_rules(data: Path, n_trials: int) -> None:
    """Print how often each kind of rule passes on WMT15 German–English."""
    rows = list(product(("bleu", "chrf", "ter"), (100, 300, 1000, 3000)))
    with ProcessPoolExecutor() as pool:
        print_table(iter([_RULE_HEADINGS, *pool.map(partial(try_rules, data, n_trials), rows)]))


_RULE_HEADINGS = [
    "metric", "segments", "worse by the margin: not shown to be worse", "worse by the margin: shown to be within it",
    "equal: shown to be within it", "equal: undecided",
]  # fmt: skip


def try_rules(data: Path, n_trials: int, row: tuple[str, int]) -> list[str]:
    """Draw test sets for pairs of systems, and apply both kinds of rules to them."""
    label, n_segments = row
    evaluation = read(data / "wmt15" / "de-en")
    pairs, rng = list(_find_close(evaluation, label)), np.random.default_rng(list(label.encode()))
    drawn = [_try_rule(evaluation, label, pairs, n_segments, rng) for _ in range(n_trials)]
    return [label, f"{n_segments:,}", *(f"{rate:.1%}" for rate in np.mean(drawn, axis=0))]


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
