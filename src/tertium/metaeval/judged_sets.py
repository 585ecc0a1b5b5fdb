"""Judgments matched with a corpus: the system and the segment of each judgment."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

import numpy as np
import numpy.typing as npt

from tertium.corpus.judgments.readers import (
    JudgedTexts,
    Judgments,
    Rankings,
    SegmentJudgments,
    SystemJudgments,
)
from tertium.errors import InputError, argument
from tertium.evaluation.selection import SegmentColumns, part_by, select_texts
from tertium.records import record
from tertium.stats.human import (
    Comparisons,
    average_judgments,
    find_outliers,
    normalise_raters,
    score_systems,
    win_ratios,
)
from tertium.values import Corpus, FloatArray

REFERENCE_SYSTEM = "_ref"  # the name in WMT10 of a reference that was ranked among the systems
ONLY_SYSTEM = "outputs"

Indices = npt.NDArray[np.int64]
Scores = TypeVar("Scores")


@record
class HumanOptions:
    """How judgments become scores."""

    normalise_raters: bool = False
    """Standardise the scores of each rater to mean 0 and variance 1."""
    at_least: int = 1
    """Ignore segments with fewer judgments."""
    by_length: bool = False
    """Weight segments by reference length if system scores are means of segment scores."""
    ratio: Literal["human_gt", "human_ge", "expected_wins"] = "human_gt"
    """How rankings become system scores."""
    skip_unknown: bool = False
    """Leave out judgments of unknown systems and segments instead of raising an error."""
    no_outliers: bool = False
    """Leave out outlier systems at system level, as WMT20 did."""


@record(eq=False)
class JudgedSet:
    """The outputs of one language pair and their human judgments; NaN where there is no judgment."""

    pair: str
    corpus: Corpus
    system_scores: FloatArray | None = None
    segment_scores: FloatArray | None = None
    comparisons: Comparisons | None = None
    part: str = ""
    """The value of a column, if the set contains only the segments with this value."""
    rows: Indices | None = None
    """The places of the segments of a part in the whole set."""
    n_whole: int = 0
    """The number of segments of the whole set, if this is a part."""

    @property
    def name(self) -> str:
        """The language pair, followed by the part if the set is a part."""
        return f"{self.pair} {self.part}".strip()

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.corpus.systems)


def match_judgments(
    corpora: Mapping[str, Corpus],
    judgments: Iterable[Judgments],
    options: HumanOptions | None = None,
    *,
    pairs: Collection[str] = (),
) -> tuple[list[JudgedSet], list[str]]:
    """Match judgments with corpora by language pair; return the sets, and notes on data that were left out.

    `pairs` limits the language pairs. Judgments without a language pair belong to the only corpus. A pair occurs twice if
    a file of judgments contains its own texts.

    Raises
    ------
    InputError
        If a judgment has an unknown system or segment; the message names file and row.
    """
    options = options or HumanOptions()
    sets = {pair: JudgedSet(pair, corpus) for pair, corpus in corpora.items()}
    notes: list[str] = []
    own_texts: list[JudgedSet] = []
    for file in map(_without_checks, judgments):
        if isinstance(file, JudgedTexts):
            own_texts += [text for text in _sets_of_texts(file, corpora) if not pairs or text.pair in pairs]
            continue
        notes += file.notes if isinstance(file, SegmentJudgments) else ()
        for pair, chosen in _by_pair(file, corpora, pairs, notes).items():
            sets[pair] = _add(sets[pair], file, chosen, options, notes)
    derived = [derive_system_scores(judged, options) for judged in sets.values()]
    found = [
        _without_outliers(judged, notes) if options.no_outliers else judged for judged in derived
    ] + own_texts
    with_texts = {text.pair for text in own_texts}
    return [judged for judged in found if _is_judged(judged, with_texts, notes)], list(dict.fromkeys(notes))


def _without_checks(file: Judgments) -> Judgments:
    """Leave out judgments that check a rater's attention instead of judging a system."""
    return file.of_systems() if isinstance(file, SegmentJudgments) else file


def reference_lengths(corpus: Corpus) -> FloatArray:
    """Compute the mean number of words, separated by white space, of the references of each segment.

    Without references, the words of the source are counted.
    """
    return np.array([np.mean([len(text.split()) for text in group]) for group in corpus.measured_texts])


def _is_judged(judged: JudgedSet, with_texts: Collection[str], notes: list[str]) -> bool:
    kinds = (judged.system_scores, judged.segment_scores, judged.comparisons)
    if any(kind is not None for kind in kinds):
        return True
    if judged.pair in with_texts:
        notes.append(
            f"{judged.pair}: only the texts in a file of judgments are used; the outputs have no judgments"
        )
    else:
        notes.append(f"{judged.pair or 'these outputs'}: left out, there are no judgments")
    return False


def _by_pair(
    file: Judgments, corpora: Mapping[str, Corpus], wanted: Collection[str], notes: list[str]
) -> dict[str, Indices]:
    pairs = np.array(file.pairs, dtype=object)
    found: dict[str, Indices] = {}
    for pair in dict.fromkeys(file.pairs):
        target = next(iter(corpora)) if not pair and len(corpora) == 1 else pair
        if target in corpora:
            found[target] = np.flatnonzero(pairs == pair)
        elif not pair:
            raise InputError(f"{file.path} has no language pairs; add a column lp")
        elif not wanted or pair in wanted:
            notes.append(
                f"{file.path}: judgments of {pair} are left out, there are no references and outputs"
            )
    return found


def _add(
    judged: JudgedSet, file: Judgments, chosen: Indices, options: HumanOptions, notes: list[str]
) -> JudgedSet:
    matcher = _Matcher(judged, file, chosen, options, notes)
    if isinstance(file, Rankings):
        return replace(
            judged, comparisons=matcher.once("comparisons", lambda: _match_rankings(matcher, file))
        )
    if isinstance(file, SystemJudgments):
        return replace(
            judged, system_scores=matcher.once("system_scores", lambda: _match_system_scores(matcher, file))
        )
    if isinstance(file, SegmentJudgments):
        return replace(
            judged,
            segment_scores=matcher.once("segment_scores", lambda: _match_segment_scores(matcher, file)),
        )
    raise InputError(f"{file.path}: judgments of this kind cannot be matched with outputs")


@record(eq=False)
class _Matcher:
    """Matches the judgments of one file and one language pair with systems and segments."""

    judged: JudgedSet
    file: Judgments
    chosen: Indices
    options: HumanOptions
    notes: list[str]

    def once(self, kind: str, make: Callable[[], Scores]) -> Scores:
        """Return the present scores of the set, or make them; only the first file of a kind is used."""
        if (present := getattr(self.judged, kind)) is None:
            return make()
        self.notes.append(f"{self.file.path} is not used: another file has judgments of the same kind")
        kept: Scores = present
        return kept

    def systems(self, names: Sequence[str]) -> Indices:
        """Map system names to indices; -1 marks rows to skip."""
        known = {name: i for i, name in enumerate(self.judged.systems)}
        return self._index(names, known, f"outputs: {', '.join(known)}", "system")

    def segments(self, labels: Sequence[str]) -> Indices:
        ids = self.judged.corpus.segment_ids or [str(i + 1) for i in range(len(self.judged.corpus))]
        known = {label: i for i, label in enumerate(ids)}
        return self._index(labels, known, f"segments {ids[0]} to {ids[-1]}", "segment")

    def _index(self, names: Sequence[str], known: Mapping[str, int], existing: str, kind: str) -> Indices:
        indices = np.array([known.get(names[i], -1) for i in self.chosen], dtype=np.int64)
        unknown = Counter(names[i] for i in self.chosen[indices < 0])
        where = f"{self.file.path}: {self.judged.pair}".rstrip(": ")
        if kind == "system" and unknown.pop(REFERENCE_SYSTEM, 0):
            self.notes.append(f"{self.file.path}: judgments of the reference itself are left out")
        if unknown and not self.options.skip_unknown:
            first = next(i for i in self.chosen if names[i] in unknown)
            raise InputError(
                f"{self.file.place(int(first))} has a judgment of {kind} {names[first]!r}, but {self.judged.pair or 'the test set'}"
                f" has {existing}"
            )
        if unknown:
            self.notes.append(f"{where}: {sum(unknown.values()):,} judgments of unknown {kind}s are left out")
        return indices


def _match_rankings(matcher: _Matcher, file: Rankings) -> Comparisons:
    columns: list[Indices] = [
        matcher.segments(file.segments),
        matcher.systems(file.first),
        matcher.systems(file.second),
    ]
    kept = np.all([column >= 0 for column in columns], axis=0)
    segments, first, second = (column[kept].astype(np.int32) for column in columns)
    return Comparisons(segments, first, second, file.preferences[matcher.chosen][kept])


def _match_system_scores(matcher: _Matcher, file: SystemJudgments) -> FloatArray:
    systems = matcher.systems(file.systems)
    kept = systems >= 0
    return average_judgments(file.scores[matcher.chosen][kept], systems[kept], len(matcher.judged.systems))


def _match_segment_scores(matcher: _Matcher, file: SegmentJudgments) -> FloatArray | None:
    systems, segments = matcher.systems(file.systems), matcher.segments(file.segments)
    scores = file.scores[matcher.chosen]
    if matcher.options.normalise_raters:
        scores = _normalise(matcher, file, scores)
    kept = (systems >= 0) & (segments >= 0)
    shape = len(matcher.judged.systems), len(matcher.judged.corpus)
    cells = systems[kept] * shape[1] + segments[kept]
    means = average_judgments(scores[kept], cells, shape[0] * shape[1], at_least=matcher.options.at_least)
    if np.isnan(means).all():
        where = f"{file.path}: {matcher.judged.pair}".rstrip(": ")
        matcher.notes.append(f"{where}: left out, no segment has {matcher.options.at_least:,} judgments")
        return None
    return means.reshape(shape)


def _normalise(matcher: _Matcher, file: SegmentJudgments, scores: FloatArray) -> FloatArray:
    if file.raters is None:
        raise InputError(
            f"{file.path} does not name the raters; add a column rater, or do not use {argument('normalise_raters')}"
        )
    names, numbers = np.unique([file.raters[i] for i in matcher.chosen], return_inverse=True)
    result = normalise_raters(scores, numbers.astype(np.int32))
    reasons = (result.single, "judged once"), (result.constant, "always gave the same score")
    for raters, reason in reasons:
        if len(raters):
            listed = ", ".join(str(names[i]) for i in raters[:5]) + (", …" if len(raters) > 5 else "")
            matcher.notes.append(
                f"{file.path}: {listed} {reason}, so the scores have no variance and are left out"
            )
    return result.scores


def _without_outliers(judged: JudgedSet, notes: list[str]) -> JudgedSet:
    if judged.system_scores is None or not (outliers := find_outliers(judged.system_scores)).any():
        return judged
    names = [name for name, is_outlier in zip(judged.systems, outliers, strict=True) if is_outlier]
    notes.append(f"{judged.pair}: outliers are left out at system level: {', '.join(names)}".lstrip(": "))
    return replace(judged, system_scores=np.where(outliers, np.nan, judged.system_scores))


def leave_out_systems(sets: Sequence[JudgedSet], names: Collection[str]) -> list[JudgedSet]:
    """Leave out systems by name.

    Raises
    ------
    InputError
        If no set has a system of this name.
    """
    known = sorted({system for judged in sets for system in judged.systems})
    for name in names:
        if name not in known:
            raise InputError(
                f"{argument('leave_out', name)}: there is no such system; there are {', '.join(known)}"
            )
    return [_keep_systems(judged, [system not in names for system in judged.systems]) for judged in sets]


def _keep_systems(judged: JudgedSet, is_kept: Sequence[bool]) -> JudgedSet:
    kept = np.flatnonzero(is_kept)
    systems = {
        name: judged.corpus.systems[name] for name, keep in zip(judged.systems, is_kept, strict=True) if keep
    }
    scores, segments, comparisons = judged.system_scores, judged.segment_scores, judged.comparisons
    return replace(
        judged,
        corpus=replace(judged.corpus, systems=systems),
        system_scores=None if scores is None else scores[kept],
        segment_scores=None if segments is None else segments[kept],
        comparisons=None if comparisons is None else _between(comparisons, kept, len(is_kept)),
    )


def _between(comparisons: Comparisons, kept: Indices, n_systems: int) -> Comparisons | None:
    """Keep the comparisons of two systems that are both kept."""
    places = np.full(n_systems, -1, dtype=np.int32)
    places[kept] = np.arange(len(kept), dtype=np.int32)
    first, second = places[comparisons.first], places[comparisons.second]
    both = (first >= 0) & (second >= 0)
    if not both.any():
        return None
    return Comparisons(comparisons.segments[both], first[both], second[both], comparisons.preferences[both])


def derive_system_scores(judged: JudgedSet, options: HumanOptions) -> JudgedSet:
    """Compute missing system scores from segment scores or rankings."""
    if judged.system_scores is not None:
        return judged
    if judged.segment_scores is not None:
        weights = reference_lengths(judged.corpus) if options.by_length else None
        return replace(judged, system_scores=score_systems(judged.segment_scores, weights))
    if judged.comparisons is not None:
        ratios = win_ratios(judged.comparisons, len(judged.systems))
        return replace(judged, system_scores=getattr(ratios, options.ratio))
    return judged


def _sets_of_texts(file: JudgedTexts, corpora: Mapping[str, Corpus]) -> list[JudgedSet]:
    pairs = np.array(file.pairs, dtype=object)
    sets = []
    for pair in dict.fromkeys(file.pairs):
        rows: list[int] = np.flatnonzero(pairs == pair).tolist()
        corpus = Corpus(
            [[file.references[i]] for i in rows], {ONLY_SYSTEM: [file.hypotheses[i] for i in rows]}
        )
        label = pair or (next(iter(corpora)) if len(corpora) == 1 else "")
        sets.append(JudgedSet(label, corpus, segment_scores=file.scores[rows].reshape(1, -1)))
    return sets


def part_sets(sets: Sequence[JudgedSet], column: str, options: HumanOptions) -> list[JudgedSet]:
    """Split each set by the values of a column of its segments, such as `document` or `domain`.

    Raises
    ------
    UnknownNameError
        If a set has no such column.
    """
    return [
        replace(select_segments(judged, rows, options), part=value)
        for judged in sets
        for value, rows in part_by(SegmentColumns(judged.corpus), column).items()
    ]


def select_segments(judged: JudgedSet, rows: npt.NDArray[np.int64], options: HumanOptions) -> JudgedSet:
    """Keep some segments and their judgments; judgments of whole systems do not apply to a part."""
    scores, comparisons = judged.segment_scores, judged.comparisons
    part = JudgedSet(
        judged.pair,
        select_texts(judged.corpus, rows),
        segment_scores=None if scores is None else scores[:, rows],
        comparisons=None if comparisons is None else _select(comparisons, rows, len(judged.corpus)),
        rows=rows,
        n_whole=len(judged.corpus),
    )
    return derive_system_scores(part, options)


def _select(comparisons: Comparisons, rows: npt.NDArray[np.int64], n_segments: int) -> Comparisons | None:
    places = np.full(n_segments, -1, dtype=np.int32)
    places[rows] = np.arange(len(rows), dtype=np.int32)
    segments = places[comparisons.segments]
    kept = segments >= 0
    chosen = [side[kept] for side in (comparisons.first, comparisons.second, comparisons.preferences)]
    return Comparisons(segments[kept], *chosen) if kept.any() else None
