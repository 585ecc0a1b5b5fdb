"""Judgments laid onto a corpus: which system and which segment each one speaks of."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
from tertium.errors import InputError
from tertium.evaluation.selection import SegmentColumns, part_by, select_texts
from tertium.stats.human import (
    Comparisons,
    average_judgments,
    find_outliers,
    normalise_raters,
    score_systems,
    win_ratios,
)
from tertium.types import Corpus, FloatArray

REFERENCE_SYSTEM = "_ref"  # how WMT10 calls the reference when it was ranked among the systems
ONLY_SYSTEM = "outputs"

Indices = npt.NDArray[np.int64]
Laid = TypeVar("Laid")


@dataclass(frozen=True)
class HumanOptions:
    """How judgments become scores."""

    normalise_raters: bool = False
    """Bring each rater to mean 0 and variance 1."""
    at_least: int = 1
    """Judgments that a segment needs to count."""
    by_length: bool = False
    """Weigh segments by reference length where system scores are made of segment scores."""
    ratio: Literal["human_gt", "human_ge", "expected_wins"] = "human_gt"
    """How rankings become system scores."""
    skip_unknown: bool = False
    """Leave out judgments of systems and segments that do not exist, instead of stopping."""
    no_outliers: bool = False
    """Leave out systems far from the rest at system level, as WMT20 did."""


@dataclass(frozen=True, eq=False)
class JudgedSet:
    """One language pair's outputs and what people said of them; NaN where nobody judged."""

    pair: str
    corpus: Corpus
    system_scores: FloatArray | None = None
    segment_scores: FloatArray | None = None
    comparisons: Comparisons | None = None
    part: str = ""
    """The value of a column, if only the segments that have it are here."""

    @property
    def name(self) -> str:
        """The language pair, and the part of it if it is one."""
        return f"{self.pair} {self.part}".strip()

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.corpus.systems)


def align_judgments(
    corpora: Mapping[str, Corpus],
    judgments: Iterable[Judgments],
    options: HumanOptions | None = None,
    *,
    pairs: Collection[str] = (),
) -> tuple[list[JudgedSet], list[str]]:
    """Bring judgments and corpora together, by language pair.

    `pairs` limits the language pairs. Judgments without one go to the only corpus. A pair may come twice: its outputs, and
    judged texts that bring their own references. Returns the sets, and notes on what was left out.

    Raises
    ------
    InputError
        If a judgment is of a system or segment that does not exist, with its file and row.
    """
    options = options or HumanOptions()
    sets = {pair: JudgedSet(pair, corpus) for pair, corpus in corpora.items()}
    notes: list[str] = []
    own_texts: list[JudgedSet] = []
    for file in judgments:
        if isinstance(file, JudgedTexts):
            own_texts += [each for each in _sets_of_texts(file, corpora) if not pairs or each.pair in pairs]
            continue
        for pair, chosen in _by_pair(file, corpora, pairs, notes).items():
            sets[pair] = _add(sets[pair], file, chosen, options, notes)
    derived = [derive_system_scores(each, options) for each in sets.values()]
    every = [_without_outliers(each, notes) if options.no_outliers else each for each in derived] + own_texts
    elsewhere = {each.pair for each in own_texts}  # judged with texts of their own
    return [each for each in every if _is_judged(each, elsewhere, notes)], list(dict.fromkeys(notes))


def reference_lengths(corpus: Corpus) -> FloatArray:
    """Count the words of each segment's references, on average, cut at white space."""
    return np.array([np.mean([len(text.split()) for text in group]) for group in corpus.references])


def _is_judged(judged: JudgedSet, elsewhere: Collection[str], notes: list[str]) -> bool:
    kinds = (judged.system_scores, judged.segment_scores, judged.comparisons)
    if any(kind is not None for kind in kinds):
        return True
    if judged.pair in elsewhere:
        notes.append(f"{judged.pair}: nobody judged the outputs as a whole; judged texts stand for the pair")
    else:
        notes.append(f"nobody judged {judged.pair or 'these outputs'}: left out")
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
            raise InputError(f"{file.path} names no language pairs; give a column lp")
        elif not wanted or pair in wanted:
            notes.append(f"{file.path} judges {pair}, which has no references and outputs here: left out")
    return found


def _add(
    judged: JudgedSet, file: Judgments, chosen: Indices, options: HumanOptions, notes: list[str]
) -> JudgedSet:
    lay = _Layer(judged, file, chosen, options, notes)
    if isinstance(file, Rankings):
        return replace(judged, comparisons=lay.once("comparisons", lambda: _compare(lay, file)))
    if isinstance(file, SystemJudgments):
        return replace(judged, system_scores=lay.once("system_scores", lambda: _score_systems(lay, file)))
    if isinstance(file, SegmentJudgments):
        return replace(judged, segment_scores=lay.once("segment_scores", lambda: _score_segments(lay, file)))
    raise InputError(f"{file.path}: judgments of this kind cannot be laid onto outputs")


@dataclass(frozen=True, eq=False)
class _Layer:
    """One file's judgments of one language pair, on their way to indices."""

    judged: JudgedSet
    file: Judgments
    chosen: Indices
    options: HumanOptions
    notes: list[str]

    def once(self, kind: str, make: Callable[[], Laid]) -> Laid:
        """Make what is not there yet; a second file that says the same of a pair is not used."""
        if (present := getattr(self.judged, kind)) is None:
            return make()
        self.notes.append(f"{self.file.path} judges what another file judged already: not used")
        kept: Laid = present
        return kept

    def systems(self, names: Sequence[str]) -> Indices:
        """Number systems; -1 for what is to be left out."""
        known = {name: i for i, name in enumerate(self.judged.systems)}
        return self._number(names, known, f"outputs: {', '.join(known)}", "system")

    def segments(self, labels: Sequence[str]) -> Indices:
        ids = self.judged.corpus.segment_ids or [str(i + 1) for i in range(len(self.judged.corpus))]
        known = {label: i for i, label in enumerate(ids)}
        return self._number(labels, known, f"segments {ids[0]} to {ids[-1]}", "segment")

    def _number(self, names: Sequence[str], known: Mapping[str, int], existing: str, what: str) -> Indices:
        numbers = np.array([known.get(names[i], -1) for i in self.chosen], dtype=np.int64)
        unknown = Counter(names[i] for i in self.chosen[numbers < 0])
        where = f"{self.file.path}: {self.judged.pair}".rstrip(": ")
        if what == "system" and unknown.pop(REFERENCE_SYSTEM, 0):
            self.notes.append(f"{self.file.path}: judgments of the reference itself are left out")
        if unknown and not self.options.skip_unknown:
            first = next(i for i in self.chosen if names[i] in unknown)
            raise InputError(
                f"{self.file.place(int(first))} judges {what} {names[first]!r}, but {self.judged.pair or 'the test set'}"
                f" has {existing}"
            )
        if unknown:
            self.notes.append(f"{where}: {sum(unknown.values()):,} judgments of unknown {what}s are left out")
        return numbers


def _compare(lay: _Layer, file: Rankings) -> Comparisons:
    columns: list[Indices] = [lay.segments(file.segments), lay.systems(file.first), lay.systems(file.second)]
    kept = np.all([column >= 0 for column in columns], axis=0)
    segments, first, second = (column[kept].astype(np.int32) for column in columns)
    return Comparisons(segments, first, second, file.preferences[lay.chosen][kept])


def _score_systems(lay: _Layer, file: SystemJudgments) -> FloatArray:
    systems = lay.systems(file.systems)
    kept = systems >= 0
    return average_judgments(file.scores[lay.chosen][kept], systems[kept], len(lay.judged.systems))


def _score_segments(lay: _Layer, file: SegmentJudgments) -> FloatArray | None:
    systems, segments = lay.systems(file.systems), lay.segments(file.segments)
    scores = file.scores[lay.chosen]
    if lay.options.normalise_raters:
        scores = _normalise(lay, file, scores)
    kept = (systems >= 0) & (segments >= 0)
    shape = len(lay.judged.systems), len(lay.judged.corpus)
    cells = systems[kept] * shape[1] + segments[kept]
    means = average_judgments(scores[kept], cells, shape[0] * shape[1], at_least=lay.options.at_least)
    if np.isnan(means).all():
        where = f"{file.path}: {lay.judged.pair}".rstrip(": ")
        lay.notes.append(f"{where}: no segment has {lay.options.at_least:,} judgments that count: left out")
        return None
    return means.reshape(shape)


def _normalise(lay: _Layer, file: SegmentJudgments, scores: FloatArray) -> FloatArray:
    if file.raters is None:
        raise InputError(
            f"{file.path} does not say who judged; raters cannot be normalised without a column rater"
        )
    names, numbers = np.unique([file.raters[i] for i in lay.chosen], return_inverse=True)
    result = normalise_raters(scores, numbers.astype(np.int32))
    for raters, why in ((result.single, "judged once"), (result.constant, "gave the same score each time")):
        if len(raters):
            listed = ", ".join(str(names[i]) for i in raters[:5]) + (", …" if len(raters) > 5 else "")
            lay.notes.append(f"{file.path}: {listed} {why}, so there is no variance to normalise: left out")
    return result.scores


def _without_outliers(judged: JudgedSet, notes: list[str]) -> JudgedSet:
    if judged.system_scores is None or not (outliers := find_outliers(judged.system_scores)).any():
        return judged
    names = [name for name, is_outlier in zip(judged.systems, outliers, strict=True) if is_outlier]
    notes.append(
        f"{judged.pair}: left out at system level as far from the rest: {', '.join(names)}".lstrip(": ")
    )
    return replace(judged, system_scores=np.where(outliers, np.nan, judged.system_scores))


def derive_system_scores(judged: JudgedSet, options: HumanOptions) -> JudgedSet:
    """Make system scores of segment scores or rankings where there are none."""
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
    """Part each set by the values of a column of its segments, such as `document` or `domain`.

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
    """Keep some segments and what people said of them; judgments of whole systems say nothing about a part."""
    scores, comparisons = judged.segment_scores, judged.comparisons
    part = JudgedSet(
        judged.pair,
        select_texts(judged.corpus, rows),
        segment_scores=None if scores is None else scores[:, rows],
        comparisons=None if comparisons is None else _select(comparisons, rows, len(judged.corpus)),
    )
    return derive_system_scores(part, options)


def _select(comparisons: Comparisons, rows: npt.NDArray[np.int64], n_segments: int) -> Comparisons | None:
    places = np.full(n_segments, -1, dtype=np.int32)
    places[rows] = np.arange(len(rows), dtype=np.int32)
    segments = places[comparisons.segments]
    kept = segments >= 0
    chosen = [each[kept] for each in (comparisons.first, comparisons.second, comparisons.preferences)]
    return Comparisons(segments[kept], *chosen) if kept.any() else None
