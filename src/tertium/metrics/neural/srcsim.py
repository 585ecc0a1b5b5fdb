"""Similarity of source and output in a multilingual space: a metric without references."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.interfaces import Matrix, SentenceEncoder
from tertium.metrics.base import Metric
from tertium.metrics.means import average_scores, tabulate_scores
from tertium.metrics.options import option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TextKind


@dataclass(frozen=True)
class SrcSim(Metric):
    """The cosine between the sentence vectors of source and output, in one space for 16 languages; no references.

    It finds outputs that are not translations of their source: wrong lines, other languages, hallucinations. It is not a
    substitute for references where systems are good. On WMT22 its correlation with human judges is 0.12 (de-en), 0.38
    (ja-en) and 0.11 (ru-en) for segments, where chrF with a reference has 0.33, 0.46 and 0.34 (Pearson); on WMT21's MQM
    it is −0.04 (en-de) and 0.06 (zh-en), against 0.11 and 0.21. Between systems it is 0.27, 0.99, 0.67 and −0.16 (zh-en)
    on WMT22, where chrF has 0.52, 0.99, 0.97 and 0.57, and −0.50 and −0.34 on WMT21's MQM, where chrF has 0.78 and 0.76.
    For languages that the encoder does not know it says nothing (0.04 for liv-en, −0.01 for uk-en).

    A negative cosine counts as 0, and an empty text has the score 0. The system score is the mean.
    """

    title: ClassVar[str] = "SrcSim"
    paper: ClassVar[str] = "Yang et al. 2020 (the encoder)"
    reads: ClassVar[frozenset[TextKind]] = frozenset({"source"})

    encoder: SentenceEncoder = option(None, "an encoder of sentences (extra sentences)", key="encoder")

    def statistics(self, hypotheses: Texts, references: References, source: Texts) -> FloatArray:  # noqa: ARG002
        """Return the cosine of each segment, in percent, and 1."""
        here, there = (self._encode(texts).astype(np.float64) for texts in (hypotheses, source))
        lengths = np.linalg.norm(here, axis=1) * np.linalg.norm(there, axis=1)
        cosines = np.sum(here * there, axis=1) / np.where(lengths > 0, lengths, 1.0)
        return tabulate_scores(100.0 * np.clip(cosines, 0.0, 1.0))

    def combine(self, totals: FloatArray) -> FloatArray:
        return average_scores(totals)

    def explain(self, hypothesis: str, references: Sequence[str], source: str) -> Explanation:
        score = float(
            self.segment_scores(
                self.statistics(Texts([hypothesis]), References([references]), Texts([source]))
            )[0]
        )
        steps = [f"cosine of source and output: {score / 100:.4f}"]
        return Explanation(
            self.name, hypothesis.split(), (), score, steps=steps, source=source.split(), reads=self.reads
        )

    def _encode(self, texts: Texts) -> Matrix:
        def encode() -> Matrix:
            places = {text: row for row, text in enumerate(dict.fromkeys(texts))}
            return self.encoder.encode(list(places))[[places[text] for text in texts]]

        return texts.remember(("sentence vectors", self.encoder.identity), encode)
