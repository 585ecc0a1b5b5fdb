"""The options `system` (m-BLEU, m-chrF) and `normalize` of every metric: classes derived from the class of a metric."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from tertium.metrics.base import Metric, copy_as, derive_class
from tertium.metrics.means import average_scores, tabulate_scores
from tertium.text import NormalForm, References, Texts
from tertium.text.columns import normalize_text
from tertium.values import Explanation, FloatArray, OffsetArray

if TYPE_CHECKING:
    _Base = Metric
else:
    _Base = object

Kind = TypeVar("Kind", bound=Metric)


def with_mean(metric: Kind) -> Kind:
    """Return a metric whose system score is the mean of the segment scores of this one."""
    made: Kind = copy_as(metric, derive_class(type(metric), _MeanOfSegments, "system", "mean"))
    return made


class _MeanOfSegments(_Base):
    """Replaces the methods of a metric that turn texts into statistics and statistics into scores."""

    original: ClassVar[type[Metric]]

    @property
    def _plain(self) -> Metric:
        """The metric itself, with the values that it learnt."""
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


def with_normal_form(metric: Kind, form: NormalForm) -> Kind:
    """Return the metric for texts in a normal form; with the form "none", the metric itself."""
    if form == "none":
        return metric
    made: Kind = copy_as(metric, derive_class(type(metric), _changes_for(type(metric)), "normalize", form))
    return made


def _changes_for(cls: type[Metric]) -> type:
    """Return the methods that see texts; `fit` and `learn` only for a metric that learns from references."""
    return _OfNormalizedTexts if cls.fit is Metric.fit else _LearningFromNormalizedTexts


class _OfNormalizedTexts(_Base):
    """Overrides all methods of a metric that receive texts. Normalising a text again does not change it."""

    original: ClassVar[type[Metric]]

    def __reduce__(self) -> tuple[Callable[[Metric, NormalForm], Metric], tuple[Metric, NormalForm]]:
        return with_normal_form, (copy_as(self, self.original), self.normalize)

    def statistics(self, hypotheses: Texts, references: References, *args: Any, **kwargs: Any) -> FloatArray:
        return super().statistics(  # type: ignore[safe-super] # of a metric, where it is not abstract
            *self._prepare(hypotheses, references, *args), **kwargs
        )

    def count(self, hypotheses: Texts, references: References, *args: Any, **kwargs: Any) -> FloatArray:
        return super().count(*self._prepare(hypotheses, references, *args), **kwargs)

    def _prepare(self, *texts: Texts | References | None) -> list[Any]:
        return [None if text is None else text.normalized(self.normalize) for text in texts]

    def explain(self, hypothesis: str, references: Sequence[str], *args: Any, **kwargs: Any) -> Explanation:
        group = [normalize_text(reference, self.normalize) for reference in references]
        return super().explain(self._normalize(hypothesis), group, *map(self._normalize, args), **kwargs)

    def list_faults(self, hypothesis: str, source: str | None) -> Sequence[str]:
        return super().list_faults(normalize_text(hypothesis, self.normalize), self._normalize(source))

    def _normalize(self, text: Any) -> Any:
        return None if text is None else normalize_text(text, self.normalize)


class _LearningFromNormalizedTexts(_OfNormalizedTexts):
    """Overrides the methods that learn from references, too."""

    def fit(self, references: References) -> Self:
        return super().fit(references.normalized(self.normalize))

    def learn(self, references: References) -> Any:
        return super().learn(references.normalized(self.normalize))
