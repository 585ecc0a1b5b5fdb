"""WAS, MAS, HAS, one-hot and sentence vectors: their twins, another tool, and laws that all of them keep."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.golden import golden_pairs, golden_table
from reference.vectors import BY_HAND, MadeUpVectors, golden_vectors
from reference.word_similarity import Array, has, mas, mas_directions, similarities, was
from tertium.metrics.base import Metric
from tertium.metrics.embedding._base import EmbeddingMetric, WordPairMetric
from tertium.metrics.embedding.has import HAS
from tertium.metrics.embedding.mas import MAS
from tertium.metrics.embedding.onehot import OneHot
from tertium.metrics.embedding.sentvec import SentVec
from tertium.metrics.embedding.was import WAS

PAIRS = golden_pairs(tokenized=True)
OTHER_TOOL = golden_table("ia4gess")
VECTORS = golden_vectors()
MADE_UP = MadeUpVectors()
ALIGNMENTS = [(WAS, was), (MAS, mas), (HAS, has)]


def score(metric: Metric, hypothesis: str, *references: str) -> float:
    return metric.sentence_score(hypothesis, references).score / 100


words = st.lists(st.sampled_from([*"abcdefgh", "unk1", "unk2"]), min_size=1, max_size=12)
long_words = st.lists(st.integers(0, 150).map(lambda n: f"w{n}"), min_size=60, max_size=100)


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "twin"), ALIGNMENTS)
@settings(max_examples=40, deadline=None)
@given(
    pair=st.one_of(st.tuples(words, words), st.tuples(long_words, long_words)),
    threshold=st.sampled_from([0.0, 0.3, 1.0]),
    strict=st.booleans(),
)
def test_the_kernel_is_its_textbook_twin(
    metric: type[WordPairMetric],
    twin: Callable[[Array], float],
    pair: tuple[list[str], list[str]],
    threshold: float,
    strict: bool,
) -> None:
    known = {w: MADE_UP.vector(w) for side in pair for w in side if not w.startswith("unk")}
    alike = similarities(*pair, known, strict=strict)
    alike[alike > 1 - 1e-9] = 1.0  # an exact match is exactly 1, whatever rounding says
    wanted = twin(np.where(alike >= threshold, alike, 0.0))
    built = metric(
        vectors=MADE_UP, tokenizer="none", threshold=threshold, oov="zero" if strict else "identity"
    )
    assert score(built, " ".join(pair[0]), " ".join(pair[1])) == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("threshold", [0.0, 0.3, 0.5])
def test_another_tool_of_this_kind_agrees(threshold: float) -> None:
    """It rounds similarities to three digits, drops those at the threshold, and punctuation.

    It also weighs both directions of MAS by length, and matches one to one before it applies the threshold.
    """
    options: dict[str, Any] = {"vectors": VECTORS, "tokenizer": "none", "threshold": threshold, "oov": "zero"}
    compared = 0
    for key, (hypothesis, reference, _) in PAIRS.items():
        if not (hypothesis and (hypothesis + reference).replace(" ", "").isalpha()):
            continue
        one, other = hypothesis.lower().split(), reference.lower().split()
        alike = similarities(one, other, VECTORS.vectors, strict=True)
        if threshold and (abs(alike - threshold) < 1e-3).any():
            continue
        whole, maximum, one_to_one = (
            float(OTHER_TOOL[key][f"ia4gess_{kind}_t{threshold}"]) for kind in ("avg", "max", "hun")
        )
        there, back = mas_directions(np.where(alike >= threshold, alike, 0.0))
        pooled = (len(one) * there + len(other) * back) / (len(one) + len(other))
        ours = score(HAS(**options), hypothesis, reference)
        assert score(WAS(**options), hypothesis, reference) == pytest.approx(whole, abs=6e-4), key
        assert pooled == pytest.approx(maximum, abs=6e-4), key
        assert ours >= one_to_one - 6e-4, key
        assert threshold or ours == pytest.approx(one_to_one, abs=6e-4), key
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("metric", [WAS, MAS, HAS])
def test_the_strict_reading_gives_words_without_direction_nothing(metric: type[WordPairMetric]) -> None:
    strict = metric(vectors=BY_HAND, oov="zero")
    assert score(strict, "new", "new") == score(strict, "nil", "nil") == 0.0


@pytest.mark.parametrize("metric", [WAS, MAS, HAS, SentVec])
@settings(max_examples=25, deadline=None)
@given(one=words, other=words)
def test_similarity_is_symmetric(metric: type[EmbeddingMetric], one: list[str], other: list[str]) -> None:
    built = metric(vectors=MADE_UP, tokenizer="none")
    there, back = score(built, " ".join(one), " ".join(other)), score(built, " ".join(other), " ".join(one))
    assert there == pytest.approx(back, abs=1e-9)
    assert 0 <= there <= 1


@pytest.mark.parametrize(
    "metric", [MAS(vectors=MADE_UP), HAS(vectors=MADE_UP), OneHot(), SentVec(vectors=MADE_UP)]
)
def test_the_best_reference_counts_and_the_system_score_is_a_mean(metric: Metric) -> None:
    hypotheses, groups = ["a b c", "d e"], [["x y", "a b c"], ["d f"]]
    alone = score(metric, "d e", "d f")
    together = metric.corpus_score(hypotheses, groups, orientation="segments").value
    assert together == pytest.approx(50 * (1 + alone))
