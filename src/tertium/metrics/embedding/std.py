"""Semantic Travel Distance: optimal transport between the embedded n-grams of two texts.

Li, Chen, Zheng, Deng, Ye & Zheng (2019), STD: An Automatic Evaluation Metric for Machine Translation
Based on Word Embeddings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from tertium.errors import OptionError
from tertium.kernels.embedding import EmbeddedTexts, embed_texts
from tertium.kernels.transport import TravelOptions, TravelPlan, explain_travel, travel_distances
from tertium.metrics.counting import CountingMetric
from tertium.metrics.embedding._base import EmbeddingMetric
from tertium.metrics.embedding._idf import InverseDocumentFrequency
from tertium.metrics.embedding._travel_plans import view_plan
from tertium.metrics.inputs import read_references
from tertium.metrics.options import fitted_field, option
from tertium.text import References, Texts
from tertium.types import Embedding, Explanation, FloatArray, OffsetArray, TokenColumn

__all__ = ["STD"]

_ONE_REFERENCE = np.array([0, 1], dtype=np.int64)


@dataclass(frozen=True)
class STD(CountingMetric, EmbeddingMetric):
    """100 · the least cost of carrying the weight of the hypothesis' n-grams onto the reference's.

    An n-gram's vector is its words' vectors end to end. Each text spreads a mass of 1 over all n-grams of
    the pair, in proportion to e¹ for its own n-grams and to e^cosine(n-gram, centre of the text) for the
    others (nSIM). Moving mass from one n-gram to another costs
    0.6·(1 − max(0, cosine)) + 0.4·|difference of relative places|.
    A segment scores the mean over unigrams and bigrams, a system 0.3·mean(unigrams) +
    0.7·mean(bigrams) over its segments; the best reference counts. Lower is better.

    That is the authors' program (`std@program`), and what the defaults are with vectors from a file. Where program
    and paper differ, the program agrees better with people:

    * it leaves mass that both texts have in an n-gram where it is, so a word both have never pays for
      its order (`shared_mass=cancel`); the paper's linear program moves all mass (`travel`);
    * it averages the list of n-grams, with repeats, into a text's centre (`centroid=list`); the paper
      averages their set.

    Both place a repeated n-gram where it stands last, and give two n-grams that occur in the same text
    only no distance in order. Words without a vector are dropped, or read as `unk` if the vectors have
    that word (`oov=drop` always drops them); a text shorter than an n-gram repeats its last word. A
    text with no known word scores 100, unless the other has the same words (0); the authors give it
    the mean of the other segments.

    With contextual vectors and the package's English ones the defaults are `units=occurrences,mass=idf,order_weight=0.2`:
    every occurrence of a word is moved by itself, and weighs by the logarithm of how few references have the
    word (`mass=nbow`: all weigh the same), so that a segment's score depends a little on the other references.
    With the package's multilingual vectors they are the same but for `order_weight=0.3`. With `units=types` a word whose vector changes with its context has the
    mean of the pair's.
    """

    paper: ClassVar[str] = "Li, Chen, Zheng, Deng, Ye & Zheng 2019"
    higher_is_better: ClassVar[bool] = False
    formula_options: ClassVar[frozenset[str]] = frozenset({"segment_weights", "system_weights"})
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    shared_mass: Literal["cancel", "travel"] = option(
        "cancel",
        "mass that both texts have in an n-gram stays (cancel) or moves at its cost (travel)",
        key="shared",
    )
    mass: Literal["nsim", "nbow", "idf"] = option(
        "nsim",
        "what an n-gram weighs: by similarity to the text, by its count, or by its rarity",
        key="mass",
        by_vectors={"contextual": "idf", "english": "idf", "multilingual": "idf"},
    )
    units: Literal["types", "occurrences"] = option(
        "types",
        "whether equal n-grams are one, or each occurrence is one of its own",
        key="units",
        by_vectors={"contextual": "occurrences", "english": "occurrences", "multilingual": "occurrences"},
    )
    centroid: Literal["list", "set"] = option(
        "list", "what is averaged into a text's centre: n-grams with repeats or without"
    )
    order_weight: float = option(
        0.4,
        "the share of word order in the ground distance",
        at_least=0,
        at_most=1,
        grid=[n / 10 for n in range(11)],
        by_vectors={"contextual": 0.2, "english": 0.2, "multilingual": 0.3},
    )
    orders: tuple[int, ...] = option((1, 2), "the lengths of n-grams", key="orders", at_least=1, at_most=32)
    segment_weights: tuple[float, ...] | None = option(
        None, "the weight of each order in a segment score (none: equal)", at_least=0
    )
    system_weights: tuple[float, ...] | None = option(
        None,
        "the weight of each order in a system score (none: 0.3/0.7 for orders 1/2, else equal)",
        at_least=0,
    )
    oov: Literal["unk", "drop"] = option(
        "unk", "a word without a vector is read as `unk` if that has one, or dropped"
    )
    frequencies: InverseDocumentFrequency | None = fitted_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.orders)) < len(self.orders):
            raise OptionError(f"std: an order of n-grams is given twice: {'/'.join(map(str, self.orders))}")
        for label in ("segment_weights", "system_weights"):
            self._check_weights(label, getattr(self, label))

    def fit(self, references: References) -> Self:
        learnt = self.learn(references)
        return self if learnt is None else self.fit_learnt(learnt)

    def learn(self, references: References) -> InverseDocumentFrequency | None:
        if self.mass != "idf":
            return None
        return InverseDocumentFrequency.count(references.tokens(self.tokenizer, lowercase=self.lowercase))

    def fit_learnt(self, learnt: InverseDocumentFrequency) -> Self:
        return replace(self, frequencies=learnt)

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the distance to every reference, for every order of n-grams."""
        return travel_distances(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            orders=self.orders,
            options=self._travel_options(),
        )

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        of_segments = _nearest_rows(counts @ self._segment_shares(), groups)
        of_system = _nearest_rows(counts @ self._system_shares(), groups)
        ones = np.ones((len(groups) - 1, 1))
        return np.concatenate([100.0 * counts[of_segments], 100.0 * counts[of_system], ones], axis=1)

    def combine(self, totals: FloatArray) -> FloatArray:
        count = totals[..., -1]
        sums = totals[..., len(self.orders) : -1] @ self._system_shares()
        return np.where(count > 0, sums / np.where(count > 0, count, 1.0), self.worst)

    def segment_scores(self, rows: FloatArray) -> FloatArray:
        return rows[..., : len(self.orders)] @ self._segment_shares() / np.maximum(rows[..., -1], 1.0)

    def details(self, totals: FloatArray) -> dict[str, float]:
        means = totals[len(self.orders) : -1] / totals[-1]
        return {f"order_{order}": float(mean) for order, mean in zip(self.orders, means, strict=True)}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the transport of the first order: ground distance, what moves and stays, and both weight vectors."""
        if self.mass == "idf" and self.frequencies is None:
            return self.fit(References([references])).explain(hypothesis, references)
        texts = Texts([hypothesis])
        travels = [
            self._travel(texts, Texts([each], texts.vocabulary)) for each in read_references(references)
        ]
        nearest = min(travels, key=lambda each: each.distance)
        told = Explanation(
            metric=self.name,
            hypothesis=self._tokens(texts).words(0),
            reference=self._tokens(nearest.reference).words(0),
            score=nearest.distance,
            facts={f"order {n}": d for n, d in zip(self.orders, nearest.distances, strict=True)},
        )
        if nearest.plan is None:
            return replace(told, steps=["a text without a known word has no distance"])
        words = self._known_words(texts), self._known_words(nearest.reference)
        view = view_plan(nearest.plan, *words, order=self.orders[0], cancels=self._travel_options().cancels)
        return view.add_to(told)

    def _travel(self, hypothesis: Texts, reference: Texts) -> "_Travel":
        """Solve each order's transport to one reference once, and keep the plan of the first order."""
        ours, theirs, options = self._embed(hypothesis), self._embed(reference), self._travel_options()
        plan = explain_travel(ours, theirs, order=self.orders[0], options=options)
        known = [] if plan is None else [plan.distance]
        rest = self.orders[len(known) :]
        if rest:
            known += travel_distances(ours, theirs, _ONE_REFERENCE, orders=rest, options=options)[0].tolist()
        percents = [100.0 * distance for distance in known]
        return _Travel(reference, plan, percents, float(np.array(percents) @ self._segment_shares()))

    def _known_words(self, texts: Texts) -> list[str]:
        tokens, embedding = self._look_up(texts)
        return tokens.vocabulary.words(tokens.ids[embedding.rows >= 0])

    def _travel_options(self) -> TravelOptions:
        return TravelOptions(
            order_weight=self.order_weight,
            cancels=self.shared_mass == "cancel",
            similarity_mass=self.mass == "nsim",
            centroid_of_list=self.centroid == "list",
            occurrences=self.units == "occurrences",
        )

    def _segment_shares(self) -> FloatArray:
        return _shares(self.segment_weights or (1.0,) * len(self.orders))

    def _system_shares(self) -> FloatArray:
        by_default = (0.3, 0.7) if self.orders == (1, 2) else (1.0,) * len(self.orders)
        return _shares(self.system_weights or by_default)

    def _check_weights(self, label: str, weights: tuple[float, ...] | None) -> None:
        if weights is not None and (len(weights) != len(self.orders) or not sum(weights) > 0):
            raise OptionError(
                f"std: {label} must be {len(self.orders)} numbers, one per order, not all 0; given {weights}"
            )

    def _embed(self, texts: Texts) -> EmbeddedTexts:
        if self.oov == "drop" and self.mass != "idf":
            return super()._embed(texts)
        idf = self.frequencies
        key = ("std", self.vectors.identity, self.tokenizer, self.lowercase, self.oov, id(idf))
        return texts.remember(key, lambda: self._embed_weighted(texts))

    def _embed_weighted(self, texts: Texts) -> EmbeddedTexts:
        tokens, embedding = self._look_up(texts)
        idf = self.frequencies
        return embed_texts(tokens, embedding, None if idf is None else idf.weigh(tokens))

    def _look_up(self, texts: Texts) -> tuple[TokenColumn, Embedding]:
        tokens, embedding = super()._look_up(texts)
        unknown = embedding.rows < 0
        if self.oov == "drop" or not unknown.any():
            return tokens, embedding
        unk = np.array([texts.vocabulary.intern("unk")], dtype=np.int32)
        alone = TokenColumn(unk, np.array([0, 1]), tokens.vocabulary)
        if self._find_vectors(alone).rows[0] < 0:
            return tokens, embedding
        replaced = TokenColumn(np.where(unknown, unk, tokens.ids), tokens.offsets, tokens.vocabulary)
        return replaced, self._find_vectors(replaced)


def _shares(weights: tuple[float, ...]) -> FloatArray:
    return np.array(weights, dtype=np.float64) / sum(weights)


def _nearest_rows(distances: FloatArray, groups: OffsetArray) -> OffsetArray:
    """For each segment, find its nearest reference's row (the first one on a tie)."""
    if len(distances) == len(groups) - 1:
        return groups[:-1]  # one reference each
    segments = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    ranked = np.lexsort((distances, segments))
    return ranked[groups[:-1]]


@dataclass(frozen=True, eq=False)
class _Travel:
    """The way to one reference: the distance of every order on the scale 0 to 100, and their weighted mean."""

    reference: Texts
    plan: TravelPlan | None
    distances: Sequence[float]
    distance: float
