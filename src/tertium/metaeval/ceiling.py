"""The agreement between human judges: half of the raters against the other half."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.corpus.judgments.readers import Judgments, Rankings, SegmentJudgments
from tertium.errors import InputError
from tertium.metaeval.judged_sets import HumanOptions, JudgedSet, align_judgments
from tertium.metaeval.scoring import MetricScores
from tertium.metaeval.statistics import StatisticSpec, compute_statistic
from tertium.stats.analysis import DEFAULT_SEED
from tertium.stats.human import Comparisons
from tertium.types import Corpus, FloatArray

Ceilings = Mapping[tuple[str, str], float]
Rows = npt.NDArray[np.int64]


def find_ceilings(
    specs: Sequence[StatisticSpec],
    corpora: Mapping[str, Corpus],
    judgments: Sequence[Judgments],
    options: HumanOptions,
    *,
    n_splits: int = 20,
    seed: int = DEFAULT_SEED,
) -> Ceilings:
    """Compute each statistic between two halves of the raters, averaged over random splits.

    The judgments of one half are treated as the scores of a metric and compared with those of the other half, where both
    halves have judgments. Each half has only half of the judgments, so the agreement of all raters is higher than this.

    Returns
    -------
    mapping
        From (statistic, language pair) to the value; statistics that are undefined in every split are missing.

    Raises
    ------
    InputError
        If no file names the raters.
    """
    named = [each for each in judgments if _raters(each) is not None]
    if not named:
        raise InputError(
            "no file of judgments names the raters, so they cannot be split into halves; add a column rater or judge"
        )
    rng = np.random.default_rng(seed)
    found: dict[tuple[str, str], list[float]] = {}
    for _ in range(n_splits):
        first, second = ({each.pair: each for each in half} for half in _split(named, corpora, options, rng))
        for pair in first.keys() & second.keys():
            for spec in specs:
                value = _agree(spec, first[pair], second[pair])
                if not np.isnan(value):
                    found.setdefault((str(spec), pair), []).append(value)
    return {key: float(np.mean(values)) for key, values in found.items()}


def _split(
    judgments: Sequence[Judgments],
    corpora: Mapping[str, Corpus],
    options: HumanOptions,
    rng: np.random.Generator,
) -> list[list[JudgedSet]]:
    halves: list[list[Judgments]] = [[], []]
    for file in judgments:
        names, raters = np.unique(np.array(_raters(file), dtype=object).astype(str), return_inverse=True)
        is_first = rng.permutation(len(names)) < len(names) / 2
        for half, chosen in zip(halves, (is_first[raters], ~is_first[raters]), strict=True):
            half.append(_select_rows(file, np.flatnonzero(chosen)))
    return [align_judgments(corpora, half, options)[0] for half in halves]


def _raters(file: Judgments) -> Sequence[str] | None:
    if isinstance(file, Rankings):
        return file.judges if any(file.judges) else None
    return file.raters if isinstance(file, SegmentJudgments) else None


def _select_rows(file: Judgments, rows: Rows) -> Judgments:
    """Return some of the judgments of a file."""
    pick: Callable[[Sequence[str]], list[str]] = lambda values: [values[i] for i in rows.tolist()]  # noqa: E731
    frame = {"lines": [file.lines[i] for i in rows.tolist()], "pairs": pick(file.pairs)}
    if isinstance(file, Rankings):
        sides = {name: pick(getattr(file, name)) for name in ("segments", "judges", "first", "second")}
        return replace(file, **frame, **sides, preferences=file.preferences[rows])  # type: ignore[arg-type]
    if isinstance(file, SegmentJudgments) and file.raters is not None:
        return file.select(rows.tolist())
    raise InputError(f"{file.path} does not name the raters")


def _agree(spec: StatisticSpec, first: JudgedSet, second: JudgedSet) -> float:
    """Compute a statistic between the judgments of one half, as a metric, and those of the other half."""
    segments = first.segment_scores
    if segments is None and first.comparisons is not None:
        segments = _net_wins(first.comparisons, len(first.systems), len(first.corpus))
    metric = MetricScores("human", True, system_scores=first.system_scores, segment_scores=segments)
    return compute_statistic(spec, _keep_common(second, metric), metric)[0]


def _net_wins(comparisons: Comparisons, n_systems: int, n_segments: int) -> FloatArray:
    """Score each output by its wins minus its losses; NaN if it was not compared."""
    totals, counts = np.zeros((n_systems, n_segments)), np.zeros((n_systems, n_segments))
    for side, sign in ((comparisons.first, 1), (comparisons.second, -1)):
        np.add.at(totals, (side, comparisons.segments), sign * comparisons.preferences)
        np.add.at(counts, (side, comparisons.segments), 1)
    return np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)


def _keep_common(judged: JudgedSet, metric: MetricScores) -> JudgedSet:
    """Leave out outputs that the other half did not judge."""
    systems, segments, comparisons = judged.system_scores, judged.segment_scores, judged.comparisons
    if systems is not None and metric.system_scores is not None:
        systems = np.where(np.isnan(metric.system_scores), np.nan, systems)
    if segments is not None and metric.segment_scores is not None:
        segments = np.where(np.isnan(metric.segment_scores), np.nan, segments)
    if comparisons is not None and metric.segment_scores is not None:
        known = ~np.isnan(
            metric.segment_scores[comparisons.first, comparisons.segments]
            + metric.segment_scores[comparisons.second, comparisons.segments]
        )
        comparisons = Comparisons(*(column[known] for column in comparisons))
    return replace(judged, system_scores=systems, segment_scores=segments, comparisons=comparisons)
