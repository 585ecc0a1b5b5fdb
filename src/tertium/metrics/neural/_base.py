"""The base class of neural metrics: a checkpoint of the user scores each segment, and scores are cached."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from tertium.files.cache import content_key, open_cache
from tertium.interfaces import NeuralModel
from tertium.metrics.means import MeanMetric
from tertium.metrics.options import option
from tertium.progress import report_progress
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TextKind

_AT_ONCE = 512  # segments between two writes to the cache
_DIGITS = 6  # batches of other sizes change the seventh digit

TextItem = tuple[str, str, str]
"""A hypothesis, a reference and a source; the last two are "" if the metric does not read them."""


@dataclass(frozen=True)
class NeuralMetric(MeanMetric):
    """A metric computed by a neural network. The score of a segment is that with its best reference.

    Scores are rounded to six digits, because a network's arithmetic depends on the batch beyond them, and cached by
    texts and checkpoint, so that a stopped run continues.
    """

    reads: ClassVar[frozenset[TextKind]] = frozenset({"references"})
    main_option: ClassVar[str] = "model"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "reads", self.texts_read)  # for other metrics a fact of the class

    @property
    def network(self) -> NeuralModel:
        """The checkpoint."""
        model: NeuralModel = getattr(self, "model")  # noqa: B009 - a field of the subclasses, each with its own type
        return model

    @property
    def texts_read(self) -> frozenset[TextKind]:
        """The texts that the metric reads besides the hypotheses."""
        return self.network.reads

    @property
    def cache_name(self) -> str:
        """Everything that the scores of the same texts depend on."""
        return f"neural-{self.network.identity}"

    @property
    def segments_per_batch(self) -> int:
        size: int = getattr(self, "batch_size")  # noqa: B009 - as above
        return size

    def rate(self, hypotheses: Texts, references: References, source: Texts | None) -> FloatArray:
        """Score each segment with each of its references, and keep the best score."""
        sources = list(source) if source is not None and "source" in self.reads else [""] * len(hypotheses)
        if "references" not in self.reads:
            return self._score([(text, "", origin) for text, origin in zip(hypotheses, sources, strict=True)])
        items = [
            (text, reference, origin)
            for text, group, origin in zip(hypotheses, references, sources, strict=True)
            for reference in group
        ]
        scores = self._score(items)
        parts = [scores[start:end] for start, end in pairwise(references.offsets.tolist())]
        best = np.max if self.higher_is_better else np.min
        return np.array([best(part) for part in parts], dtype=np.float64)

    def explain(self, hypothesis: str, references: Sequence[str], *args: Any, **kwargs: Any) -> Explanation:
        source = str(args[0]) if args else kwargs.get("source")
        texts = References([list(references)])
        scores = self.rate(Texts([hypothesis]), texts, None if source is None else Texts([source]))
        return Explanation(
            self.name,
            hypothesis.split(),
            references[0].split() if "references" in self.reads else (),
            float(scores[0]),
            steps=[f"{self.network.identity}: {scores[0]:.6g}"],
            source=(source or "").split() if "source" in self.reads else (),
            reads=self.reads,
        )

    def _score(self, items: Sequence[TextItem]) -> FloatArray:
        cache = open_cache(self.cache_name)
        keys = {item: content_key(*item) for item in items}
        known = {} if cache is None else cache.get_many(list(keys.values()))
        scores = {item: struct.unpack("<d", known[key])[0] for item, key in keys.items() if key in known}
        missing = [item for item in keys if item not in scores]
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            found = dict(zip(part, self.compute(part), strict=True))
            if cache is not None:
                cache.put_many({keys[item]: struct.pack("<d", score) for item, score in found.items()})
            scores |= found
            report_progress(self.name, start + len(part), len(missing))
        return np.array([scores[item] for item in items], dtype=np.float64)

    def compute(self, items: Sequence[TextItem]) -> list[float]:
        """Run the network."""
        hypotheses, references, sources = (list(column) for column in zip(*items, strict=True))
        scores = self.network.score(
            hypotheses,
            references if "references" in self.network.reads else None,
            sources if "source" in self.network.reads else None,
            self.segments_per_batch,
        )
        rounded: list[float] = np.round(scores, _DIGITS).tolist()
        return rounded


def batch_option() -> Any:
    """Declare the number of segments that the network computes at once."""
    return option(16, "segments that are computed at once", at_least=1, in_signature=False)
