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
from tertium.kernels.embedding import TravelOptions
from tertium.metrics.embedding._transport import TransportMetric, shares_of, vector_lengths
from tertium.metrics.frequencies import InverseDocumentFrequency
from tertium.metrics.options import fitted_field, option
from tertium.text import References, Texts
from tertium.values import Embedding, Explanation, FloatArray, TokenColumn


@dataclass(frozen=True)
class STD(TransportMetric):
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
    repeats its last word. A text without a known word scores 100, or 0 if the other text has the same words in
    the same order (with order_weight=0, unigrams may have any order); the
    authors give it the mean of the other segments.

    With `price`, words need not be moved to unrelated ones: leaving out a unit of weight, in either text, costs the price,
    and the longer text has more weight (partial transport). The score is then a share of the price of leaving out
    everything. This did not increase human agreement (docs/which-metric.md), so by default all weight is moved.

    With contextual vectors and the package's English vectors the defaults are
    `units=occurrences,mass=idf,order_weight=0.2`: every occurrence of a word moves separately, weighted by its
    inverse document frequency in the references (with `mass=nbow`, all weights are equal). The score of a segment
    then depends slightly on the other references. With the package's multilingual vectors the defaults are the
    same except for `order_weight=0.3`. With `units=types`, a word with contextual vectors gets the mean of its
    vectors in the pair.
    """

    paper: ClassVar[str] = "Li, Chen, Zheng, Deng, Ye & Zheng 2019"
    formula_options: ClassVar[frozenset[str]] = frozenset({"segment_weights", "system_weights"})
    worst: ClassVar[float] = 100.0

    shared_mass: Literal["cancel", "travel"] = option(
        "cancel",
        "mass that both texts give to an n-gram stays (cancel) or moves (travel)",
        key="shared",
    )
    mass: Literal["nsim", "nbow", "idf", "norm"] = option(
        "nsim",
        "weight of an n-gram: by similarity to the text, count, inverse document frequency, or length of the vectors",
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
    cost: Literal["clipped", "cosine", "euclidean"] = option(
        "clipped",
        "distance in meaning: 1 - max(0, cosine) (clipped), 1 - cosine, or that of vectors of length 1 (euclidean)",
    )
    price: float | None = option(
        None,
        "cost of leaving out a unit of weight, in the unit of the ground distance (none: all weight is moved)",
        above=0,
        at_most=10,
        grid=[n / 20 for n in range(2, 13)],
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

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the transport of the first order: distances, the mass that moves and stays, and both weight vectors."""
        if self.mass == "idf" and self.frequencies is None:
            return self.fit(References([references])).explain(hypothesis, references)
        return super().explain(hypothesis, references)

    @property
    def _orders(self) -> tuple[int, ...]:
        return self.orders

    def _travel_options(self) -> TravelOptions:
        return TravelOptions(
            order_weight=self.order_weight,
            cost=self.cost,
            price=self.price or 0.0,
            cancels=self.shared_mass == "cancel",
            similarity_mass=self.mass == "nsim",
            centroid_of_list=self.centroid == "list",
            occurrences=self.units == "occurrences",
        )

    def _segment_shares(self) -> FloatArray:
        return shares_of(self.segment_weights or (1.0,) * len(self.orders))

    def _system_shares(self) -> FloatArray:
        by_default = (0.3, 0.7) if self.orders == (1, 2) else (1.0,) * len(self.orders)
        return shares_of(self.system_weights or by_default)

    def _check_weights(self, label: str, weights: tuple[float, ...] | None) -> None:
        if weights is not None and (len(weights) != len(self.orders) or not sum(weights) > 0):
            raise OptionError(
                f"std: {label} must be {len(self.orders)} numbers, one per order, not all 0; given {weights}"
            )

    def _weigh_tokens(self, tokens: TokenColumn, embedding: Embedding) -> FloatArray | None:
        if self.mass == "norm":
            return vector_lengths(embedding)
        # The leading 1 keeps weights positive: in a single text, all tokens have weight 1.
        return None if self.frequencies is None else 1.0 + log(self.frequencies.ratios(tokens))

    def _embedding_key(self) -> tuple[object, ...]:
        return (*super()._embedding_key(), self.oov, self.mass == "norm", id(self.frequencies))

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
