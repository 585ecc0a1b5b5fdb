"""The agreement between human judges: half of the raters against the other half, and each rater against the others."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tertium.corpus.judgments.readers import Judgments, Rankings, SegmentJudgments
from tertium.errors import InputError
from tertium.metaeval.agreement import StatisticSpec, compute_statistic
from tertium.metaeval.agreement_statistics import MIN_SYSTEMS
from tertium.metaeval.judged_sets import HumanOptions, JudgedSet, match_judgments
from tertium.metaeval.scoring import MetricScores
from tertium.stats.agreement import sign_flip_p
from tertium.stats.analysis import DEFAULT_SEED
from tertium.stats.human import Comparisons
from tertium.values import Corpus, FloatArray

Ceilings = Mapping[tuple[str, str], float]
Rows = npt.NDArray[np.int64]

MAX_RATERS = 12  # as many rows as fit below a table


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
    named = _with_raters(judgments)
    rng = np.random.default_rng(seed)
    found: dict[tuple[str, str], list[float]] = {}
    for _ in range(n_splits):
        chosen = {file.path: _draw_half(file, rng) for file in named}
        for key, value in _compare(specs, _split(named, chosen, corpora, options)):
            found.setdefault(key, []).append(value)
    return {key: float(np.mean(values)) for key, values in found.items()}


def find_rater_agreement(
    specs: Sequence[StatisticSpec],
    corpora: Mapping[str, Corpus],
    judgments: Sequence[Judgments],
    options: HumanOptions,
    *,
    most: int = MAX_RATERS,
) -> Mapping[tuple[str, str], Mapping[str, float]]:
    """Compute each statistic between one rater and the mean of the others, for the raters with most judgments.

    Raters need not have judged the same outputs: statistics of segments use the outputs that the rater and others judged.
    Statistics of systems use all judgments of both sides, because the means of systems can be compared even if the raters
    share no segment.

    Returns
    -------
    mapping
        From (statistic, language pair) to the values by rater; undefined values are missing.
    """
    named = _with_raters(judgments)
    counts = Counter(name for file in named for name in _raters(file) or ())
    found: dict[tuple[str, str], dict[str, float]] = {}
    for rater, _ in counts.most_common(most):
        chosen = {file.path: {rater} for file in named}
        for key, value in _compare(specs, _split(named, chosen, corpora, options)):
            found.setdefault(key, {})[rater] = value
    return found


def _with_raters(judgments: Sequence[Judgments]) -> list[Judgments]:
    named = [judgment for judgment in judgments if _raters(judgment) is not None]
    if not named:
        raise InputError(
            "no file of judgments names the raters, so they cannot be split into halves; add a column rater or judge"
        )
    return named


def _draw_half(file: Judgments, rng: np.random.Generator) -> set[str]:
    names = np.unique(np.array(_raters(file), dtype=object).astype(str))
    return set(names[rng.permutation(len(names)) < len(names) / 2].tolist())


def _split(
    judgments: Sequence[Judgments],
    chosen: Mapping[str, Collection[str]],
    corpora: Mapping[str, Corpus],
    options: HumanOptions,
) -> tuple[dict[str, JudgedSet], dict[str, JudgedSet]]:
    """Split the judgments of each file into those of chosen raters and those of the others, by language pair."""
    sides: tuple[list[Judgments], list[Judgments]] = [], []
    for file in judgments:
        is_chosen = np.array([str(name) in chosen[file.path] for name in _raters(file) or ()])
        for side, rows in zip(sides, (is_chosen, ~is_chosen), strict=True):
            if rows.any():
                side.append(_select_rows(file, np.flatnonzero(rows)))
    first, second = (
        {judged.pair: judged for judged in match_judgments(corpora, side, options)[0]} if side else {}
        for side in sides
    )
    return first, second


def _compare(
    specs: Sequence[StatisticSpec], sides: tuple[Mapping[str, JudgedSet], Mapping[str, JudgedSet]]
) -> Iterator[tuple[tuple[str, str], float]]:
    """Compute the statistics between two sides; yield those that are defined."""
    first, second = sides
    for pair in first.keys() & second.keys():
        for spec in specs:
            value = _agree(spec, first[pair], second[pair])
            if not np.isnan(value):
                yield (str(spec), pair), value


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
    common = _keep_common(second, metric)
    value = compute_statistic(spec, common, metric)[0]
    if spec.name == "spa" and np.isnan(value) and segments is not None and second.segment_scores is not None:
        return _agree_softly(segments, second.segment_scores)
    return value


def _agree_softly(first: FloatArray, second: FloatArray) -> float:
    """Compute soft pairwise accuracy of two sides that judged different segments, each with its own."""
    complete = [side[:, ~np.isnan(side).any(axis=0)] for side in (first, second)]
    if len(first) < MIN_SYSTEMS or not all(side.shape[1] for side in complete):
        return float("nan")
    p = [sign_flip_p(side) for side in complete]
    return float(1 - np.abs(p[0] - p[1])[np.triu_indices(len(first), k=1)].mean())


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
