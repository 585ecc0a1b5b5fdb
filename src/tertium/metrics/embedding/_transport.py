"""Metrics over optimal transport between the embedded n-grams of two texts: the plan, its views, the base class."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tertium.interfaces import vector_kind
from tertium.kernels.embedding import (
    EmbeddedTexts,
    TravelOptions,
    TravelPlan,
    embed_texts,
    explain_travel,
    travel_distances,
)
from tertium.metrics.base import CountingMetric
from tertium.metrics.embedding._base import EmbeddingMetric
from tertium.metrics.inputs import list_references
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Embedding, Explanation, FloatArray, IdArray, OffsetArray, TokenColumn


@record(eq=False)
class PlanView:
    """A transport plan with labels. Rows are n-grams of the hypothesis, columns n-grams of the reference.

    Both texts may give weight to n-grams of the other text. Such n-grams follow as further rows and columns if
    mass leaves or enters them. `flow` is the mass that moves, `distance` the cost of moving one unit, and
    `staying` the mass that both texts give to an n-gram and that does not move. The weights are the masses that
    each text gives to the n-grams. With a `price` above 0, mass that neither moves nor stays is left out at that price
    per unit, and all costs are shares of the price.
    """

    rows: list[str]
    columns: list[str]
    distance: FloatArray
    flow: FloatArray
    staying: FloatArray
    row_weights: list[float]
    column_weights: list[float]
    price: float = 0.0

    def add_to(self, explanation: Explanation) -> Explanation:
        """Return a copy of an explanation with the plan added."""
        return replace(
            explanation,
            rows=self.rows,
            columns=self.columns,
            matrices={"distance": self.distance, "flow": self.flow},
            row_weights=self.row_weights,
            column_weights=self.column_weights,
            links=self.links(),
            steps=self.steps(),
        )

    def links(self) -> list[tuple[int, int, str]]:
        """List the moves, the most expensive first, and then the mass that stays, the largest first."""
        stays = _cells(self.staying, by=self.staying)
        return [
            *((i, j, f"{self.flow[i, j]:.4f}") for i, j in self._moves()),
            *((i, j, f"{self.staying[i, j]:.4f} stays") for i, j in stays),
        ]

    def steps(self) -> list[str]:
        """Describe the moves in words, the most expensive first, then the mass that is left out or stays."""
        unit = 100 / (self.price or 1.0)
        moves = [
            f"{self.rows[i]} → {self.columns[j]}: {self.flow[i, j]:.4f} over {self.distance[i, j]:.3f} "
            f"costs {unit * self.flow[i, j] * self.distance[i, j]:.3f}"
            for i, j in self._moves()
        ]
        stays = _cells(self.staying, by=self.staying)
        return (
            moves + self._omissions() + [f"{self.rows[i]} stays: {self.staying[i, j]:.4f}" for i, j in stays]
        )

    def _omissions(self) -> list[str]:
        if not self.price:
            return []
        used = self.flow + self.staying
        sides = (
            ("is left out", self.rows, np.array(self.row_weights) - used.sum(axis=1)),
            ("is missing", self.columns, np.array(self.column_weights) - used.sum(axis=0)),
        )
        return [
            f"{label} {verb}: {mass:.4f} costs {100 * mass:.3f}"
            for verb, labels, masses in sides
            for label, mass in zip(labels, masses.tolist(), strict=True)
            if mass > _ROUNDING
        ]

    def _moves(self) -> list[tuple[int, int]]:
        return _cells(self.flow, by=self.flow * self.distance)


_ROUNDING = 1e-9  # mass below this is a rounding error


def view_plan(
    plan: TravelPlan,
    hypothesis: Sequence[str],
    reference: Sequence[str],
    *,
    order: int,
    options: TravelOptions,
) -> PlanView:
    """Label a plan with the known words of the texts."""
    labels = _label_ngrams(plan.hypothesis, hypothesis, order) | _label_ngrams(
        plan.reference, reference, order
    )
    rows = list(dict.fromkeys([*plan.hypothesis.tolist(), *plan.sources.tolist()]))
    columns = list(dict.fromkeys([*plan.reference.tolist(), *plan.sinks.tolist()]))
    whole = np.zeros_like(plan.ground)
    whole[np.ix_(plan.sources, plan.sinks)] = plan.flow
    shared = (
        np.minimum(plan.hypothesis_mass, plan.reference_mass) if options.cancels else np.zeros(len(whole))
    )
    block = np.ix_(rows, columns)
    return PlanView(
        [labels[ngram] for ngram in rows],
        [labels[ngram] for ngram in columns],
        plan.ground[block],
        whole[block],
        np.diag(shared)[block],
        plan.hypothesis_mass[rows].tolist(),
        plan.reference_mass[columns].tolist(),
        options.price,
    )


def _cells(matrix: FloatArray, *, by: FloatArray) -> list[tuple[int, int]]:
    """List the nonzero cells of a matrix, in descending order of their values in `by`."""
    rows, columns = (numbers.tolist() for numbers in np.nonzero(matrix > 0))
    return sorted(zip(rows, columns, strict=True), key=lambda cell: -by[cell])


def _label_ngrams(ngrams: IdArray, words: Sequence[str], order: int) -> dict[int, str]:
    padded = [*words, *[words[-1]] * (order - len(words))]
    return {ngram: " ".join(padded[i : i + order]) for i, ngram in enumerate(ngrams.tolist())}


_ONE_REFERENCE = np.array([0, 1], dtype=np.int64)


@dataclass(frozen=True)
class TransportMetric(CountingMetric, EmbeddingMetric):
    """100 · the minimal cost of moving the mass of the hypothesis's n-grams to those of the reference.

    A subclass says how much mass a word has (`_weigh_tokens`), what a move costs (`_travel_options`), and how the
    n-grams are weighted (`_orders` and their shares). Words without a vector are left out. With several references the
    best one counts.
    """

    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float] = 0.0

    @property
    def _orders(self) -> tuple[int, ...]:
        return (1,)

    @abstractmethod
    def _travel_options(self) -> TravelOptions:
        """Return the costs and the masses of the transport."""

    def _weigh_tokens(self, tokens: TokenColumn, embedding: Embedding) -> FloatArray | None:  # noqa: ARG002
        """Compute the mass of each token; None if all are equal or the mass depends on the other text."""
        return None

    def _segment_shares(self) -> FloatArray:
        return shares_of((1.0,) * len(self._orders))

    def _system_shares(self) -> FloatArray:
        return self._segment_shares()

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute the distance to every reference, for every order of n-grams."""
        return travel_distances(
            self._embed(hypotheses),
            self._embed(references.texts),
            references.offsets,
            orders=self._orders,
            options=self._travel_options(),
        )

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        of_segments = _nearest_rows(_mix(counts, self._segment_shares()), groups)
        of_system = _nearest_rows(_mix(counts, self._system_shares()), groups)
        ones = np.ones((len(groups) - 1, 1))
        return np.concatenate([100.0 * counts[of_segments], 100.0 * counts[of_system], ones], axis=1)

    def combine(self, totals: FloatArray) -> FloatArray:
        count = totals[..., -1]
        sums = _mix(totals[..., len(self._orders) : -1], self._system_shares())
        return np.where(count > 0, sums / np.where(count > 0, count, 1.0), self.worst)

    def segment_scores(self, rows: FloatArray) -> FloatArray:
        return _mix(rows[..., : len(self._orders)], self._segment_shares()) / np.maximum(rows[..., -1], 1.0)

    def details(self, totals: FloatArray) -> dict[str, float]:
        means = totals[len(self._orders) : -1] / totals[-1]
        return {f"order_{order}": float(mean) for order, mean in zip(self._orders, means, strict=True)}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the transport of the first order: distances, the mass that moves and stays, and both weight vectors."""
        texts = Texts([hypothesis])
        travels = [
            self._travel(texts, Texts([reference], texts.vocabulary))
            for reference in list_references(references)
        ]
        nearest = min(travels, key=lambda travel: travel.distance)
        explanation = Explanation(
            metric=self.name,
            hypothesis=self._tokens(texts).words(0),
            reference=self._tokens(nearest.reference).words(0),
            score=nearest.distance,
            facts={f"order {n}": d for n, d in zip(self._orders, nearest.distances, strict=True)},
        )
        if nearest.plan is None:
            return replace(explanation, steps=["a text without a known word has no distance"])
        words = self._known_words(texts), self._known_words(nearest.reference)
        view = view_plan(nearest.plan, *words, order=self._orders[0], options=self._travel_options())
        return view.add_to(explanation)

    def _travel(self, hypothesis: Texts, reference: Texts) -> "_Travel":
        """Solve the transport to one reference for each order, and keep the plan of the first order."""
        ours, theirs, options = self._embed(hypothesis), self._embed(reference), self._travel_options()
        plan = explain_travel(ours, theirs, order=self._orders[0], options=options)
        known = [] if plan is None else [plan.distance]
        rest = self._orders[len(known) :]
        if rest:
            known += travel_distances(ours, theirs, _ONE_REFERENCE, orders=rest, options=options)[0].tolist()
        percents = [100.0 * distance for distance in known]
        return _Travel(reference, plan, percents, float(_mix(np.array(percents), self._segment_shares())))

    def _known_words(self, texts: Texts) -> list[str]:
        tokens, embedding = self._look_up(texts)
        return tokens.vocabulary.words(tokens.ids[embedding.rows >= 0])

    def _embed(self, texts: Texts) -> EmbeddedTexts:
        def embed() -> EmbeddedTexts:
            tokens, embedding = self._look_up(texts)
            return embed_texts(tokens, embedding, self._weigh_tokens(tokens, embedding))

        return texts.remember(("transport", *self._embedding_key()), embed)

    @property
    def _is_contextual(self) -> bool:
        return vector_kind(self.vectors) == "contextual"

    def _embedding_key(self) -> tuple[object, ...]:
        """Return everything that the mass of the tokens depends on."""
        return (self.name, self.vectors.identity, self.tokenizer, self.lowercase)


def vector_lengths(embedding: Embedding) -> FloatArray:
    """Compute the length of each token's vector; 0 for a token without one."""
    used, places = np.unique(embedding.rows, return_inverse=True)
    lengths = np.linalg.norm(embedding.matrix[used].astype(np.float64), axis=1)
    return np.where(embedding.rows >= 0, lengths[places], 0.0)


def shares_of(weights: tuple[float, ...]) -> FloatArray:
    """Divide weights by their sum."""
    return np.array(weights, dtype=np.float64) / sum(weights)


def _mix(orders: FloatArray, shares: FloatArray) -> FloatArray:
    """Average the last axis; BLAS would sum in an order that depends on the processor."""
    return np.asarray((orders * shares).sum(axis=-1))


def _nearest_rows(distances: FloatArray, groups: OffsetArray) -> OffsetArray:
    """Find the row of the nearest reference of each segment (the first one on a tie)."""
    if len(distances) == len(groups) - 1:
        return groups[:-1]  # one reference each
    segments = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    ranked = np.lexsort((distances, segments))
    return ranked[groups[:-1]]


@record(eq=False)
class _Travel:
    """The transport to one reference: the distance of each order, 0 to 100, and their weighted mean."""

    reference: Texts
    plan: TravelPlan | None
    distances: Sequence[float]
    distance: float
