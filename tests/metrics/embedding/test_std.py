"""STD against its authors' program, its paper's linear program, its twin and the laws of a distance."""

import math
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.golden import golden_table
from reference.std import ngrams_of, travel
from reference.transport import partial_cost
from reference.vectors import ContextVectors, HandVectors, MadeUpVectors, golden_vectors
from tertium.errors import OptionError, ResourceError
from tertium.kernels.threads import use_threads
from tertium.metrics.embedding.std import STD
from tertium.text import References, Texts

GOLDEN = golden_table("std")
PLAIN = STD(vectors=golden_vectors(), tokenizer="none")
WITH_UNK = STD(vectors=golden_vectors(with_unk=True), tokenizer="none")
MADE_UP = STD(vectors=MadeUpVectors(), tokenizer="none")
CONTEXTUAL: dict[str, Any] = {"units": "occurrences", "mass": "nbow", "order_weight": 0.2, "orders": (1,)}

# The program worked in single precision, which is good to about 1e-7.
SINGLE = 2e-7


def distance(metric: STD, hypothesis: str, *references: str) -> float:
    return metric.sentence_score(hypothesis, references).score / 100


@pytest.mark.parametrize("shared_mass", ["cancel", "travel"])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("suffix", ["", "_unk"])
def test_both_readings_of_the_authors_program(
    shared_mass: Literal["cancel", "travel"], order: int, suffix: str
) -> None:
    metric = replace(WITH_UNK if suffix else PLAIN, shared_mass=shared_mass, orders=(order,))
    for key, row in GOLDEN.items():
        if (wanted := row[f"{shared_mass}_{order}{suffix}"]) != "-":
            assert distance(metric, row["hypothesis"], row["reference"]) == pytest.approx(
                float(wanted), abs=SINGLE
            ), key


@pytest.mark.parametrize("suffix", ["", "_unk"])
def test_segment_scores_are_the_authors(suffix: str) -> None:
    metric = WITH_UNK if suffix else PLAIN
    for key, row in GOLDEN.items():
        if row[f"cancel_1{suffix}"] != "-":  # where there is no distance they put the others' mean
            wanted = float(row[f"authors{suffix}"])
            assert distance(metric, row["hypothesis"], row["reference"]) == pytest.approx(
                wanted, abs=SINGLE
            ), key


def test_the_system_score_is_the_authors() -> None:
    rows = [row for row in GOLDEN.values() if row["cancel_1"] != "-"]
    score = PLAIN.corpus_score([row["hypothesis"] for row in rows], [[row["reference"] for row in rows]])
    # Their program on the 56 pairs; the two without a distance take the others' mean and change nothing.
    assert score.value / 100 == pytest.approx(0.058188207, abs=SINGLE)
    assert score.details == pytest.approx({"order_1": 5.0855458, "order_2": 6.1330814}, abs=1e-5)


def test_the_system_score_weighs_the_orders_means() -> None:
    rows = list(GOLDEN.values())[:5]
    hypotheses, references = [r["hypothesis"] for r in rows], [r["reference"] for r in rows]
    means = [np.mean([float(row[f"cancel_{order}"]) for row in rows]) for order in (1, 2)]
    for weights, wanted in (
        (None, 0.3 * means[0] + 0.7 * means[1]),
        ((3.0, 1.0), 0.75 * means[0] + 0.25 * means[1]),
    ):
        score = replace(PLAIN, system_weights=weights).corpus_score(
            hypotheses, [references], orientation="streams"
        )
        assert score.value / 100 == pytest.approx(wanted, abs=SINGLE)


words = st.lists(st.sampled_from([*"abcdefgh", "unknown1", "unknown2"]), max_size=12)
long_words = st.lists(st.integers(0, 150).map(lambda n: f"w{n}"), min_size=1, max_size=100)


@settings(max_examples=60, deadline=None)
@given(
    pair=st.one_of(st.tuples(words, words), st.tuples(long_words, long_words)),
    order=st.integers(1, 4),
    cancel=st.booleans(),
    nsim=st.booleans(),
    centroid_of_list=st.booleans(),
)
def test_the_kernel_is_its_textbook_twin(
    pair: tuple[list[str], list[str]], order: int, cancel: bool, nsim: bool, centroid_of_list: bool
) -> None:
    vectors = MadeUpVectors()
    known = {w: vectors.vector(w) for side in pair for w in side if not w.startswith("unknown")}
    metric = STD(
        vectors=vectors,
        tokenizer="none",
        orders=(order,),
        shared_mass="cancel" if cancel else "travel",
        mass="nsim" if nsim else "nbow",
        centroid="list" if centroid_of_list else "set",
    )
    twin = travel(*pair, known, order, cancel=cancel, nsim=nsim, centroid_of_list=centroid_of_list)
    wanted = float(pair[0] != pair[1]) if twin is None else twin.cost
    assert distance(metric, " ".join(pair[0]), " ".join(pair[1])) == pytest.approx(wanted, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    pair=st.one_of(st.tuples(words, words), st.tuples(long_words, long_words)),
    order=st.integers(1, 3),
    mass=st.sampled_from(["nbow", "nsim"]),
    price=st.sampled_from([0.05, 0.2, 0.35, 0.5, 2.0]),
)
def test_partial_transport_is_a_linear_program(
    pair: tuple[list[str], list[str]], order: int, mass: Literal["nbow", "nsim"], price: float
) -> None:
    vectors = MadeUpVectors()
    known = {w: vectors.vector(w) for side in pair for w in side if not w.startswith("unknown")}
    metric = STD(vectors=vectors, tokenizer="none", orders=(order,), mass=mass, price=price)
    twin = travel(*pair, known, order, nsim=mass == "nsim")
    wanted = float(pair[0] != pair[1])
    if twin is not None:
        sizes = [len(ngrams_of([w for w in side if w in known], order)) for side in pair]
        share = sizes[0] / sum(sizes) if mass == "nbow" else 0.5
        masses = share * twin.hypothesis_mass, (1 - share) * twin.reference_mass
        shared = np.minimum(*masses)
        wanted = partial_cost(masses[0] - shared, masses[1] - shared, twin.distances, price) / price
    assert distance(metric, " ".join(pair[0]), " ".join(pair[1])) == pytest.approx(wanted, abs=1e-6)


def test_an_extra_word_costs_its_price_only() -> None:
    vectors = HandVectors({"a": [1, 0, 0], "b": [0, 1, 0], "x": [0, 0, 1]})
    metric = STD(vectors=vectors, orders=(1,), order_weight=0.0, mass="nbow", price=0.3)
    # of four words one is left out
    assert distance(metric, "a b x", "a") == pytest.approx(2 / 4)
    assert distance(metric, "a b", "a x") == pytest.approx(
        2 / 4
    )  # moving b to x would cost more than 2 · 0.3
    assert distance(replace(metric, price=0.8), "a b", "a x") == pytest.approx(1 / 4 / 0.8)
    told = metric.explain("a b x", ["a"])
    assert told.steps == [
        "b is left out: 0.2500 costs 25.000", "x is left out: 0.2500 costs 25.000", "a stays: 0.2500",
    ]  # fmt: skip


def test_equally_long_texts_cost_the_same_at_half_the_largest_distance() -> None:
    metric = replace(MADE_UP, mass="nbow")
    for text, other in (("a b c", "d e f"), ("a b c d", "d c b f")):
        assert distance(replace(metric, price=0.5), text, other) == pytest.approx(
            distance(metric, text, other)
        )


@settings(max_examples=60, deadline=None)
@given(
    text=words,
    other=words,
    options=st.sampled_from([{}, {"shared_mass": "travel"}, {"mass": "nbow"}, {"price": 0.3}, CONTEXTUAL]),
)
def test_it_is_a_distance_up_to_the_triangle(
    text: list[str], other: list[str], options: dict[str, Any]
) -> None:
    metric = replace(MADE_UP, **options)
    one, two = " ".join(text), " ".join(other)
    assert distance(metric, one, one) == pytest.approx(0.0, abs=1e-12)
    assert 0 <= distance(metric, one, two) <= 1
    if options.get("shared_mass") != "travel":  # whose order distance is not symmetric (Algorithm 1)
        assert distance(metric, one, two) == pytest.approx(distance(metric, two, one), abs=1e-7)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "wanted"),
    [
        ("", "a", 1), ("a", "", 1), ("", "", 0), ("unknown1", "unknown1", 0), ("unknown1", "unknown2", 1),
        ("unknown1", "a", 1), ("a unknown1", "a unknown2", 0), ("a", "a", 0),
    ],
)  # fmt: skip
def test_texts_without_known_words(hypothesis: str, reference: str, wanted: float) -> None:
    assert distance(MADE_UP, hypothesis, reference) == wanted


def test_a_zero_vector_is_far_from_everything_but_shared_mass_stays() -> None:
    vectors = HandVectors({"nil": [0, 0], "a": [1, 0], "b": [0, 1]})
    stays = STD(vectors=vectors, orders=(1,), order_weight=0.0)
    assert distance(stays, "nil", "nil") == 0
    assert distance(replace(stays, shared_mass="travel"), "nil", "nil") == 1
    moved = math.e / (math.e + 1) - 1 / (math.e + 1)  # nil is unlike any centre: e^0 against e^1
    assert distance(stays, "nil", "a") == pytest.approx(moved)


def test_a_one_word_text_has_the_bigram_of_that_word_twice() -> None:
    metric = replace(MADE_UP, orders=(2,))
    assert distance(metric, "a", "b") == pytest.approx(distance(metric, "a a", "b b"))


def test_shared_words_pay_for_their_order_only_when_they_travel() -> None:
    metric = replace(MADE_UP, orders=(1,))
    assert distance(metric, "a b c d", "d c b a") == pytest.approx(0, abs=1e-12)
    assert distance(replace(metric, shared_mass="travel"), "a b c d", "d c b a") > 0.1


def test_the_best_reference_counts_at_either_level() -> None:
    near, far = "a b c d e", "f g h"
    both = MADE_UP.corpus_score(["a b c d f"], [[far, near]], orientation="segments").value
    alone = MADE_UP.corpus_score(["a b c d f"], [[near]], orientation="segments").value
    assert both == alone
    assert distance(MADE_UP, "a b c d f", far, near) == distance(MADE_UP, "a b c d f", near)


def test_occurrences_with_even_mass_are_an_assignment_when_texts_are_equally_long() -> None:
    vectors = HandVectors({"a": [1, 0], "b": [0, 1], "c": [0.6, 0.8]})
    metric = STD(vectors=vectors, units="occurrences", mass="nbow", orders=(1,), order_weight=0.2)
    # a stays in its place; b moves one place to c: 0.8 · (1 - 0.8); cosine of b and c is 0.8
    assert distance(metric, "a b", "a c") == pytest.approx((0.8 * 0.2) / 2, abs=1e-7)


def test_contextual_vectors_tell_equal_words_apart() -> None:
    types = STD(vectors=ContextVectors(), tokenizer="none", orders=(1,))
    metric = replace(types, **CONTEXTUAL)
    assert distance(metric, "a b c", "a b c") == pytest.approx(0, abs=1e-12)
    assert distance(metric, "c b a", "a b c") > 0.05
    assert distance(types, "c b a", "a b c") == pytest.approx(0, abs=1e-12)


def test_rare_words_weigh_more_under_idf() -> None:
    metric = replace(MADE_UP, mass="idf", orders=(1,), order_weight=0.0)
    even = replace(metric, mass="nbow")
    references = [["a b"], ["a c"], ["a d"]]
    hypotheses = ["a e", "a c", "a d"]  # the rare b is missed, the common a is there
    weighted, plain = (
        m.corpus_score(hypotheses, references, orientation="segments").value for m in (metric, even)
    )
    assert weighted > 1.1 * plain


def test_idf_weights_by_hand() -> None:
    metric = replace(MADE_UP, mass="idf", orders=(1,), order_weight=0.0)
    references = References([["a b"], ["b c"]])
    rows = metric.fit(references).statistics(Texts(["a b", "b"], references.vocabulary), references)
    # b is in both texts and weighs 1 + ln(3/3), a and c 1 + ln(3/2): the mass of c is to be brought from b
    share = (1 + np.log(3 / 2)) / (2 + np.log(3 / 2))
    c, b = (metric.vectors.vector(word).astype(float) for word in "cb")  # type: ignore[attr-defined]
    cosine = c @ b / np.sqrt((c @ c) * (b @ b))
    np.testing.assert_allclose(rows[:, 0], [0, 100 * share * (1 - max(cosine, 0))], atol=1e-5)


def test_all_words_of_a_single_text_weigh_the_same_under_idf() -> None:
    metric = replace(MADE_UP, mass="idf")
    even = replace(MADE_UP, mass="nbow")
    assert distance(metric, "a b", "a b c d") == pytest.approx(distance(even, "a b", "a b c d"))


def test_threads_do_not_change_a_digit() -> None:
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice([*"abcdefghijkl"], rng.integers(0, 20))) for _ in range(600)]
    references = References([[text] for text in texts[:300]])
    hypotheses = Texts(texts[300:], references.vocabulary)
    with use_threads(1):
        one = MADE_UP.statistics(hypotheses, references)
    with use_threads(4):
        four = MADE_UP.statistics(hypotheses, references)
    np.testing.assert_array_equal(one, four)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"orders": (1, 1)}, "an order of n-grams is given twice: 1/1"),
        ({"segment_weights": (1.0,)}, "segment_weights must be 2 numbers"),
        ({"system_weights": (0.0, 0.0)}, "not all 0"),
        ({"orders": (0,)}, "orders must be"),
        ({"price": 0.0}, "price must be"),
        ({"order_weight": 1.5}, "order_weight must be"),
        ({"mass": "uniform"}, "mass must be nsim, nbow, idf or norm"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        replace(MADE_UP, **options)


def test_vectors_are_asked_for() -> None:
    with pytest.raises(ResourceError, match="std needs word vectors"):
        STD()


def test_the_signature_names_the_vectors() -> None:
    assert "|vectors:made-up|" in MADE_UP.signature((1, 1))


def test_only_rarity_is_learnt_from_the_references() -> None:
    assert STD(vectors=MadeUpVectors(), mass="idf").learns_from_references
    assert not STD(vectors=MadeUpVectors(), mass="nbow").learns_from_references
