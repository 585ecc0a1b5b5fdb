"""The option `system=mean` of every metric: the system score is the mean of the segment scores (m-BLEU, m-chrF)."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from tertium.metrics.base import Metric, copy_as, derive_class
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, OffsetArray

if TYPE_CHECKING:
    _Base = Metric
else:
    _Base = object

Kind = TypeVar("Kind", bound=Metric)


def tabulate_scores(scores: FloatArray) -> FloatArray:
    """Turn segment scores (...) into statistics (..., 2): the score and 1, or 0 and 0 for NaN."""
    has_score = np.isfinite(scores)
    return np.stack([np.where(has_score, scores, 0.0), has_score.astype(np.float64)], axis=-1)


def average_scores(totals: FloatArray) -> FloatArray:
    """Turn summed statistics of `tabulate_scores` into means; NaN if there is no score."""
    counts = totals[..., 1]
    return np.where(counts > 0, totals[..., 0] / np.where(counts > 0, counts, 1.0), np.nan)


def with_mean(metric: Kind) -> Kind:
    """Return a metric whose system score is the mean of the segment scores of this one."""
    made: Kind = copy_as(metric, derive_class(type(metric), _MeanOfSegments, "system", "mean"))
    return made


class _MeanOfSegments(_Base):
    """Overrides what turns texts into statistics and statistics into scores, before the class of a metric."""

    original: ClassVar[type[Metric]]

    @property
    def _plain(self) -> Metric:
        """The metric itself, with what it learnt."""
        plain: Metric = copy_as(self, self.original)
        return plain

    def __reduce__(self) -> tuple[Callable[[Metric], Metric], tuple[Metric]]:
        return with_mean, (self._plain,)

    def statistics(self, hypotheses: Texts, references: References, *args: Any, **kwargs: Any) -> FloatArray:
        plain = self._plain
        return tabulate_scores(
            plain.segment_scores(plain.statistics(hypotheses, references, *args, **kwargs))
        )

    def count(self, hypotheses: Texts, references: References, *args: Any, **kwargs: Any) -> FloatArray:
        if self.original.weigh is Metric.weigh:
            return self.statistics(hypotheses, references, *args, **kwargs)
        return self._plain.count(hypotheses, references, *args, **kwargs)

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        if self.original.weigh is Metric.weigh:
            return counts
        plain = self._plain
        return tabulate_scores(plain.segment_scores(plain.weigh(counts, groups)))

    def combine(self, totals: FloatArray) -> FloatArray:
        return average_scores(totals)

    def segment_scores(self, rows: FloatArray) -> FloatArray:
        return average_scores(rows)

    def rate_rows(self, rows: FloatArray) -> FloatArray:
        return np.asarray(rows[..., 0] if self.higher_is_better else -rows[..., 0])

    def count_scores(self, totals: FloatArray) -> FloatArray:
        return np.asarray(totals[..., 1])

    def details(self, totals: FloatArray) -> Mapping[str, float]:
        return {"segments": float(totals[1])}

    def explain(self, hypothesis: str, references: Sequence[str], *args: Any, **kwargs: Any) -> Explanation:
        return self._plain.explain(hypothesis, references, *args, **kwargs)

    def signature(self, n_references: tuple[int, int], **extra: str | int) -> str:
        return self.segment_signature(super().signature(n_references, **extra))
