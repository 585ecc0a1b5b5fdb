"""Semantic Travel Distance: optimal transport between the embedded n-grams of two texts.

Li, Chen, Zheng, Deng, Ye & Zheng (2019), STD: An Automatic Evaluation Metric for Machine Translation
Based on Word Embeddings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from tertium.errors import OptionError
from tertium.kernels.elementary import log
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
from tertium.metrics.frequencies import InverseDocumentFrequency
from tertium.metrics.inputs import list_references
from tertium.metrics.options import fitted_field, option
from tertium.records import record
from tertium.text import References, Texts
from tertium.types import Embedding, Explanation, FloatArray, IdArray, OffsetArray, TokenColumn


@record(eq=False)
class PlanView:
    """A transport plan with labels. Rows are n-grams of the hypothesis, columns n-grams of the reference.

    Both texts may give weight to n-grams of the other text. Such n-grams follow as further rows and columns if
    mass leaves or enters them. `flow` is the mass that moves, `distance` the cost of moving one unit, and
    `staying` the mass that both texts give to an n-gram and that does not move. The weights are the masses that
    each text gives to the n-grams.
    """

    rows: list[str]
    columns: list[str]
    distance: FloatArray
    flow: FloatArray
    staying: FloatArray
    row_weights: list[float]
    column_weights: list[float]

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
        """Describe the moves in words, the most expensive first, and then the mass that stays."""
        moves = [
            f"{self.rows[i]} → {self.columns[j]}: {self.flow[i, j]:.4f} over {self.distance[i, j]:.3f} "
            f"costs {100 * self.flow[i, j] * self.distance[i, j]:.3f}"
            for i, j in self._moves()
        ]
        stays = _cells(self.staying, by=self.staying)
        return moves + [f"{self.rows[i]} stays: {self.staying[i, j]:.4f}" for i, j in stays]

    def _moves(self) -> list[tuple[int, int]]:
        return _cells(self.flow, by=self.flow * self.distance)


def view_plan(
    plan: TravelPlan, hypothesis: Sequence[str], reference: Sequence[str], *, order: int, cancels: bool
) -> PlanView:
    """Label a plan with the known words of the texts; with `cancels`, mass that both texts have stays."""
    labels = _label_ngrams(plan.hypothesis, hypothesis, order) | _label_ngrams(
        plan.reference, reference, order
    )
    rows = list(dict.fromkeys([*plan.hypothesis.tolist(), *plan.sources.tolist()]))
    columns = list(dict.fromkeys([*plan.reference.tolist(), *plan.sinks.tolist()]))
    whole = np.zeros_like(plan.ground)
    whole[np.ix_(plan.sources, plan.sinks)] = plan.flow
    shared = np.minimum(plan.hypothesis_mass, plan.reference_mass) if cancels else np.zeros(len(whole))
    block = np.ix_(rows, columns)
    return PlanView(
        [labels[ngram] for ngram in rows],
        [labels[ngram] for ngram in columns],
        plan.ground[block],
        whole[block],
        np.diag(shared)[block],
        plan.hypothesis_mass[rows].tolist(),
        plan.reference_mass[columns].tolist(),
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
class STD(CountingMetric, EmbeddingMetric):
    """100 · the minimal cost of moving the weight of the hypothesis's n-grams to the reference's n-grams.

    The vector of an n-gram is the concatenation of its words' vectors. Each text distributes a mass of 1 over all
    n-grams of the pair, in proportion to e¹ for its own n-grams and to e^cosine(n-gram, centre of the text) for
    the others (nSIM). Moving mass from one n-gram to another costs
    0.6·(1 − max(0, cosine)) + 0.4·|difference of relative positions|.
    A segment score is the mean over unigrams and bigrams. The system score is 0.3·mean(unigrams) +
    0.7·mean(bigrams) over all segments. With several references the best one counts. Lower is better.

    This is the authors' program (`std@program`), and the default with vectors from a file. Where program and
    paper differ, the program has the higher human agreement:

    * Mass that both texts give to an n-gram does not move, so a shared word is never penalised for its
      position (`shared_mass=cancel`); the paper's linear program moves all mass (`travel`).
    * The centre of a text is the mean of the list of its n-grams, with repetitions (`centroid=list`); the paper
      uses the mean of their set.

    The order term of `std@paper` follows the paper's linear program. Its Algorithm 1, read literally, gives scores that
    differ by about 0.2 %.

    In both, the position of a repeated n-gram is that of its last occurrence, and two n-grams that occur in
    the same text only have no difference in position. Words without a vector are replaced by `unk` if the
    vectors have that word, otherwise dropped (`oov=drop` always drops them). A text shorter than an n-gram
    repeats its last word. A text without a known word scores 100, or 0 if the other text has the same words; the
    authors give it the mean of the other segments.

    With contextual vectors and the package's English vectors the defaults are
    `units=occurrences,mass=idf,order_weight=0.2`: every occurrence of a word moves separately, weighted by its
    inverse document frequency in the references (with `mass=nbow`, all weights are equal). The score of a segment
    then depends slightly on the other references. With the package's multilingual vectors the defaults are the
    same except for `order_weight=0.3`. With `units=types`, a word with contextual vectors gets the mean of its
    vectors in the pair.
    """

    paper: ClassVar[str] = "Li, Chen, Zheng, Deng, Ye & Zheng 2019"
    higher_is_better: ClassVar[bool] = False
    formula_options: ClassVar[frozenset[str]] = frozenset({"segment_weights", "system_weights"})
    best: ClassVar[float] = 0.0
    worst: ClassVar[float] = 100.0

    shared_mass: Literal["cancel", "travel"] = option(
        "cancel",
        "mass that both texts give to an n-gram stays (cancel) or moves (travel)",
        key="shared",
    )
    mass: Literal["nsim", "nbow", "idf"] = option(
        "nsim",
        "weight of an n-gram: by similarity to the text, by count, or by inverse document frequency",
        key="mass",
        by_vectors={"contextual": "idf", "english": "idf", "multilingual": "idf"},
    )
    units: Literal["types", "occurrences"] = option(
        "types",
        "whether equal n-grams are one unit (types) or separate units (occurrences)",
        key="units",
        by_vectors={"contextual": "occurrences", "english": "occurrences", "multilingual": "occurrences"},
    )
    centroid: Literal["list", "set"] = option(
        "list", "centre of a text: mean of its n-grams with (list) or without (set) repetitions"
    )
    order_weight: float = option(
        0.4,
        "share of the difference in position in the ground distance",
        at_least=0,
        at_most=1,
        grid=[n / 10 for n in range(11)],
        by_vectors={"contextual": 0.2, "english": 0.2, "multilingual": 0.3},
    )
    orders: tuple[int, ...] = option((1, 2), "lengths of n-grams", key="orders", at_least=1, at_most=32)
    segment_weights: tuple[float, ...] | None = option(
        None, "weight of each order in a segment score (none: equal weights)", at_least=0
    )
    system_weights: tuple[float, ...] | None = option(
        None,
        "weight of each order in a system score (none: 0.3/0.7 for orders 1/2, otherwise equal weights)",
        at_least=0,
    )
    oov: Literal["unk", "drop"] = option(
        "unk", "a word without a vector is replaced by `unk` if that has one (unk), or dropped (drop)"
    )
    frequencies: InverseDocumentFrequency | None = fitted_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.orders)) < len(self.orders):
            raise OptionError(f"std: an order of n-grams is given twice: {'/'.join(map(str, self.orders))}")
        for label in ("segment_weights", "system_weights"):
            self._check_weights(label, getattr(self, label))

    @property
    def learns_from_references(self) -> bool:
        return self.mass == "idf"

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
        """Show the transport of the first order: distances, the mass that moves and stays, and both weight vectors."""
        if self.mass == "idf" and self.frequencies is None:
            return self.fit(References([references])).explain(hypothesis, references)
        texts = Texts([hypothesis])
        travels = [
            self._travel(texts, Texts([each], texts.vocabulary)) for each in list_references(references)
        ]
        nearest = min(travels, key=lambda each: each.distance)
        explanation = Explanation(
            metric=self.name,
            hypothesis=self._tokens(texts).words(0),
            reference=self._tokens(nearest.reference).words(0),
            score=nearest.distance,
            facts={f"order {n}": d for n, d in zip(self.orders, nearest.distances, strict=True)},
        )
        if nearest.plan is None:
            return replace(explanation, steps=["a text without a known word has no distance"])
        words = self._known_words(texts), self._known_words(nearest.reference)
        view = view_plan(nearest.plan, *words, order=self.orders[0], cancels=self._travel_options().cancels)
        return view.add_to(explanation)

    def _travel(self, hypothesis: Texts, reference: Texts) -> "_Travel":
        """Solve the transport to one reference for each order, and keep the plan of the first order."""
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
        # The leading 1 keeps weights positive: in a single text, all tokens have weight 1.
        weights = None if idf is None else 1.0 + log(idf.ratios(tokens))
        return embed_texts(tokens, embedding, weights)

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
