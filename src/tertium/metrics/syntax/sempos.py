"""SEMPOS: overlap of lemmas by part of speech.

Macháček & Bojar (2011), Approximating a Deep-Syntactic Metric for MT Evaluation and Tuning.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tertium.errors import OptionError, UnknownNameError, suggest
from tertium.kernels.ngrams import count_overlaps
from tertium.metrics.base import best_reference, keep_best
from tertium.metrics.options import option
from tertium.metrics.syntax._base import ParsedTextMetric
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, OffsetArray, TokenColumn

# The universal parts of speech, which spaCy and CoNLL-U share: universaldependencies.org/u/pos
_PARTS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT",
    "SCONJ", "SYM", "VERB", "X",
)  # fmt: skip


@dataclass(frozen=True)
class SEMPOS(ParsedTextMetric):
    """The overlap of lemmas for each part of speech: Σ min(counts) / Σ max(counts).

    The original uses deep-syntactic lemmas and semantic parts of speech of content words; this is the approximation
    with the lemmas and parts of speech of a tagger. `average=macro` is the mean overlap of the parts of speech that
    occur; `average=micro` pools all parts of speech. With several references the best one counts. The system score
    is computed from counts summed over all segments. If neither text has a content word, all lemmas are compared.
    """

    paper: ClassVar[str] = "Kos & Bojar 2009; Macháček & Bojar 2011"

    parts: tuple[str, ...] = option(
        ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "PRON", "NUM"), "parts of speech that are compared"
    )
    average: Literal["macro", "micro"] = option(
        "macro", "mean over parts of speech (macro), or pooled counts (micro)", key="average"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for part in self.parts:
            _check_part(part)
        if len(set(self.parts)) < len(self.parts):
            raise OptionError(f"{self.name}: parts contains a part of speech twice: {'/'.join(self.parts)}")

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        """Sum the smaller and the larger counts of lemmas in each segment, by part of speech and then of all lemmas."""
        texts = references.texts
        tables = [
            _count_overlap(self._lemmas(hypotheses, part), self._lemmas(texts, part), references.offsets)
            for part in (*self.parts, None)
        ]
        rows = np.concatenate(tables, axis=-1)
        return keep_best(rows, references.offsets, self.combine)

    def combine(self, totals: FloatArray) -> FloatArray:
        common, union = totals[..., 0:-2:2], totals[..., 1:-2:2]
        if self.average == "micro":
            score, has_content = _ratio(common.sum(axis=-1), union.sum(axis=-1)), union.sum(axis=-1) > 0
        else:
            n_parts = (union > 0).sum(axis=-1)
            sums = np.where(union > 0, _ratio(common, union), 0.0).sum(axis=-1)
            score, has_content = sums / np.maximum(n_parts, 1), n_parts > 0
        return np.asarray(100.0 * np.where(has_content, score, _ratio(totals[..., -2], totals[..., -1])))

    def details(self, totals: FloatArray) -> dict[str, float]:
        overlaps = _ratio(totals[0:-2:2], totals[1:-2:2])
        return {part: float(value) for part, value in zip(self.parts, overlaps, strict=True)}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show, for each part of speech, the lemmas of both texts and the lemmas of only one text."""
        nearest = best_reference(self, hypothesis, references)
        column = References([[references[nearest]]])
        texts = Texts([hypothesis], column.vocabulary)
        row = self.checked_statistics(texts, column)[0]
        steps: list[str] = []
        for part in self.parts if row[1:-2:2].any() else (None,):
            ours, theirs = (Counter(self._lemmas(side, part).words(0)) for side in (texts, column.texts))
            steps += _describe_part(part or "all lemmas", ours, theirs)
        return Explanation(
            metric=self.name,
            hypothesis=texts.tokens(self.tokenizer).words(0),
            reference=column.tokens(self.tokenizer).words(0),
            score=float(self.combine(row)),
            steps=steps,
            facts={**self.details(row), "nearest_reference": nearest + 1},
        )

    def _lemmas(self, texts: Texts, part: str | None) -> TokenColumn:
        """Return the ids of the lemmas of one part of speech, or of all lemmas."""
        key = ("lemmas", self.trees.identity, self.tokenizer, self.lowercase, part)
        return texts.remember(key, lambda: self._select_lemmas(texts, part))

    def _select_lemmas(self, texts: Texts, part: str | None) -> TokenColumn:
        trees = self.parse(texts)
        if part is None:
            lemmas = [lemma.lower() for lemma in trees.lemmas] if self.lowercase else trees.lemmas
            ids = np.array([texts.vocabulary.intern(lemma) for lemma in lemmas], dtype=np.int32)
            return TokenColumn(ids, trees.offsets, texts.vocabulary)
        everything = self._lemmas(texts, None)
        chosen = np.array([tag == part for tag in trees.tags], dtype=bool)
        offsets = np.concatenate([[0], np.cumsum(chosen)])[trees.offsets].astype(np.int64)
        return TokenColumn(everything.ids[chosen], offsets, texts.vocabulary)


def _check_part(part: str) -> None:
    if part in _PARTS:
        return
    raise UnknownNameError(f"sempos: unknown part of speech {part!r}; {suggest(part.upper(), _PARTS)}")


def _describe_part(title: str, ours: Counter[str], theirs: Counter[str]) -> Iterator[str]:
    sides = {
        "in both": ours & theirs,
        "only in the hypothesis": ours - theirs,
        "only in the reference": theirs - ours,
    }
    if ours or theirs:
        yield f"{title}: {(ours & theirs).total()} of {(ours | theirs).total()}"
    for name, counts in sides.items():
        if counts:
            yield f"  {name}: {', '.join(counts.elements())}"


def _count_overlap(hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray) -> FloatArray:
    """Sum the smaller and the larger counts over all lemmas of each reference and its hypothesis."""
    common = count_overlaps(hypotheses, references, groups, order=1)[:, 2]
    lengths = np.repeat(hypotheses.lengths, np.diff(groups)) + references.lengths
    return np.stack([common, lengths - common], axis=-1)


def _ratio(common: FloatArray, union: FloatArray) -> FloatArray:
    return np.where(
        union > 0, common / np.where(union > 0, union, 1.0), 1.0
    )  # two texts without lemmas are equal
