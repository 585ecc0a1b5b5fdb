"""A weighted sum of metrics, with weights of the user or learnt from human judgments by `tertium tune --mix`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import inf
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from tertium.errors import OptionError
from tertium.metrics.base import Metric, Parts, ReferenceCounts
from tertium.metrics.options import option
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TextKind

Number = TypeVar("Number", float, FloatArray)


@record
class MixCounts:
    """The counts in the references that each part of a mix needs; None for a part that needs none."""

    by_part: tuple[ReferenceCounts | None, ...]

    def merge(self, other: "MixCounts") -> "MixCounts":
        both = zip(self.by_part, other.by_part, strict=True)
        return MixCounts(
            tuple(ours if ours is None or theirs is None else ours.merge(theirs) for ours, theirs in both)
        )


@dataclass(frozen=True)
class Mix(Metric):
    """Σ weight · score of several metrics: `mix:0.5*chrf+0.5*std`.

    The segment score is the weighted sum of the segment scores of the parts, and the system score that of their system
    scores; a segment for which a part has no score has none. Weights are at least 0. Scores enter as each metric defines
    them, bounded ones on 0 to 100. If some parts are better when higher and others when lower, such as TER and STD, the
    mix is better when higher, and the latter enter as 100 − score (as −score without bounds). A mix of parts that are all
    better when lower is better when lower, so that `mix:1*ter` is TER. If a part is unbounded, such as NIST, so is the
    mix, and the weights must balance the scales.

    A part may have options, `mix:0.5*chrf:word_order=2+0.5*bleu:lowercase=yes`. `tertium tune --mix chrf,std,redp` learns
    weights on human judgments and writes a file for `mix@FILE`. The signature contains the signatures of all parts.
    """

    title: ClassVar[str] = "mix"
    paper: ClassVar[str] = "a weighted sum, not from a paper"
    main_option: ClassVar[str] = "parts"
    formula_options: ClassVar[frozenset[str]] = frozenset({"weights"})
    uses_core_only: ClassVar[bool] = False
    reads: ClassVar[frozenset[TextKind]] = frozenset()

    parts: Parts = option(None, "metrics with weights: write mix:0.5*chrf+0.5*std", key="parts")
    weights: tuple[float, ...] | None = option(
        None, "weight of each part; equal weights by default", key="weights", at_least=0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        metrics = self.parts.metrics
        if self.weights is None:
            object.__setattr__(self, "weights", (1.0 / len(metrics),) * len(metrics))
        self._check_weights()
        for name, value in self._facts().items():  # for other metrics these are facts of the class
            object.__setattr__(self, name, value)

    def _check_weights(self) -> None:
        names = self.parts.names
        if len(self.shares) != len(names):
            raise OptionError(f"{self.name}: {len(self.shares)} weights for {len(names)} metrics")
        if not any(self.shares):
            raise OptionError(f"{self.name}: all weights are 0; give one metric a weight above 0")
        if any(isinstance(metric, Mix) for metric in self.parts.metrics):
            raise OptionError(f"{self.name}: a part cannot be a mix itself; list its parts here")

    def _facts(self) -> dict[str, Any]:
        metrics = self.parts.metrics
        needs = [metric.perfect_from for metric in metrics]
        is_bounded = all(metric.bounded for metric in metrics)
        higher = self._turns or metrics[0].higher_is_better
        sides = (inf, -inf) if higher else (-inf, inf)
        if is_bounded:
            oriented = [
                (metric.worst, metric.best) if turns else (metric.best, metric.worst)
                for metric, turns in self._turned
            ]
            bests, worsts = zip(*oriented, strict=True)
            sides = (float(np.dot(self.shares, bests)), float(np.dot(self.shares, worsts)))
        return {
            "reads": frozenset().union(*(metric.reads for metric in metrics)),
            "higher_is_better": higher,
            "bounded": is_bounded,
            "best": sides[0],
            "worst": sides[1],
            "perfect_from": None if None in needs else max(need or 0 for need in needs),
            "empty_is_worst": all(metric.empty_is_worst for metric in metrics),
        }

    @property
    def _turns(self) -> bool:
        """Whether some parts are better when higher and others when lower; the scores of the latter are turned round."""
        return len({metric.higher_is_better for metric in self.parts.metrics}) > 1

    @property
    def _turned(self) -> list[tuple[Metric, bool]]:
        """Return each part and whether its scores are turned round."""
        turns = self._turns
        return [(metric, turns and not metric.higher_is_better) for metric in self.parts.metrics]

    @property
    def shares(self) -> tuple[float, ...]:
        """The weights."""
        return self.weights or ()

    @property
    def weighted_parts(self) -> tuple[tuple[float, Metric], ...]:
        return tuple(zip(self.shares, self.parts.metrics, strict=True))

    @property
    def most_segments(self) -> int | None:
        return min((n for metric in self.parts.metrics if (n := metric.most_segments)), default=None)

    @property
    def word_tokenizer(self) -> str | None:
        names = {metric.word_tokenizer for metric in self.parts.metrics}
        return names.pop() if len(names) == 1 else None

    def for_texts(self, available: frozenset[TextKind]) -> Self:
        super().for_texts(available)
        return self._map([metric.for_texts(available) for metric in self.parts.metrics])

    def statistics(
        self, hypotheses: Texts, references: References, source: Texts | None = None
    ) -> FloatArray:
        """Return the number of statistics of each part, 1, and the statistics of all parts.

        With these numbers, sums of rows can be divided among the parts wherever they were computed.
        """
        tables = [metric.checked_statistics(hypotheses, references, source) for metric in self.parts.metrics]
        sizes = np.array([*(table.shape[1] for table in tables), 1], dtype=np.float64)
        return np.hstack([np.tile(sizes, (len(hypotheses), 1)), *tables])

    def combine(self, totals: FloatArray) -> FloatArray:
        return self._add(totals, [metric.combine for metric in self.parts.metrics])

    def segment_scores(self, rows: FloatArray) -> FloatArray:
        return self._add(rows, [metric.segment_scores for metric in self.parts.metrics])

    def part_scores(self, rows: FloatArray) -> list[FloatArray]:
        """Return the segment scores of each part."""
        tables = _divide(rows, len(self.parts.metrics))
        if tables is None:
            return [np.full(rows.shape[:-1], np.nan)] * len(self.parts.metrics)
        return [
            metric.segment_scores(table) for metric, table in zip(self.parts.metrics, tables, strict=True)
        ]

    def _add(self, totals: FloatArray, formulas: Sequence[Callable[[FloatArray], FloatArray]]) -> FloatArray:
        tables = _divide(totals, len(formulas))
        if tables is None:
            return np.full(totals.shape[:-1], np.nan)
        scores = [formula(table) for formula, table in zip(formulas, tables, strict=True)]
        return np.asarray(reduce(np.add, [added for _, added in self._weigh(scores) if added is not None]))

    def _weigh(self, scores: Sequence[Number]) -> Iterator[tuple[Number, Number | None]]:
        """Yield the score of each part as it enters the sum, and the weighted score; None for a weight of 0."""
        for weight, (metric, turns), score in zip(self.shares, self._turned, scores, strict=True):
            oriented = _turn(score, metric) if turns else score
            yield oriented, weight * oriented if weight else None

    def count_scores(self, totals: FloatArray) -> FloatArray | None:
        """Return the number of scores of the part with the fewest."""
        tables = _divide(totals, len(self.parts.metrics))
        if tables is None:
            return None
        counts = [
            metric.count_scores(table) for metric, table in zip(self.parts.metrics, tables, strict=True)
        ]
        known = [count for count in counts if count is not None]
        return np.min(known, axis=0) if known else None

    def details(self, totals: FloatArray) -> Mapping[str, float]:
        """Return the score of each part."""
        tables = _divide(totals, len(self.parts.metrics))
        if tables is None:
            return {}
        both = zip(self.parts.names, self.parts.metrics, tables, strict=True)
        return {name: float(metric.combine(table)) for name, metric, table in both}

    def explain(self, hypothesis: str, references: Sequence[str], source: str | None = None) -> Explanation:
        """Show the score of each part and its share of the sum."""
        group = list(references) or None
        scores = [
            metric.sentence_score(hypothesis, group, source=source).value for metric in self.parts.metrics
        ]
        entered = list(self._weigh(scores))
        steps = []
        for i, (name, (oriented, added)) in enumerate(zip(self.parts.names, entered, strict=True)):
            note = f" ({name} is better when lower: {scores[i]:.2f})" if self._turned[i][1] else ""
            steps.append(f"{name}: {self.shares[i]:g} × {oriented:.2f} = {added or 0.0:.2f}{note}")
        total = sum(added for _, added in entered if added is not None)
        reference = references[0].split() if "references" in self.reads else ()
        origin = (source or "").split() if "source" in self.reads else ()
        return Explanation(
            self.name, hypothesis.split(), reference, total, steps=steps, source=origin, reads=self.reads
        )

    @property
    def learns_from_references(self) -> bool:
        return any(metric.learns_from_references for metric in self.parts.metrics)

    def fit(self, references: References) -> Self:
        return self._map([metric.fit(references) for metric in self.parts.metrics])

    def learn(self, references: References) -> MixCounts | None:
        learnt = tuple(metric.learn(references) for metric in self.parts.metrics)
        return MixCounts(learnt) if any(counts is not None for counts in learnt) else None

    def fit_learnt(self, learnt: MixCounts) -> Self:
        both = zip(self.parts.metrics, learnt.by_part, strict=True)
        return self._map([metric if counts is None else metric.fit_learnt(counts) for metric, counts in both])

    def missing(self) -> str | None:
        return next((lack for metric in self.parts.metrics if (lack := metric.missing()) is not None), None)

    def _map(self, metrics: Sequence[Metric]) -> Self:
        return replace(self, parts=Parts(tuple(metrics)))


def _turn(score: Number, metric: Metric) -> Number:
    """Turn the score of a metric that is better when lower round: 100 − score, or −score without bounds."""
    return (metric.best + metric.worst) - score if metric.bounded else -score


def _divide(totals: FloatArray, n_parts: int) -> list[FloatArray] | None:
    """Divide sums of rows among the parts; None if they are sums of no rows."""
    head = totals[..., : n_parts + 1].reshape(-1, n_parts + 1)
    counted = head[np.argmax(np.abs(head[:, -1]))] if len(head) else np.zeros(n_parts + 1)
    if counted[-1] == 0:
        return None
    sizes = np.rint(counted[:-1] / counted[-1]).astype(int)
    return list(_cut(totals, n_parts + 1, sizes.tolist()))


def _cut(totals: FloatArray, start: int, sizes: Sequence[int]) -> Iterator[FloatArray]:
    if start + sum(sizes) != totals.shape[-1]:
        raise ValueError("the statistics are not those of the parts")
    for size in sizes:
        yield totals[..., start : start + size]
        start += size
