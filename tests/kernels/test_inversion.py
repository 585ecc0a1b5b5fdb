"""The inversion edit distance against its textbook twin, its laws, its derivations and its budget."""

import json
import math
import os
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.edits import bag_distance, levenshtein
from reference.golden import FOLDER, golden_pairs
from reference.inversion import Prices
from reference.inversion import inversion_distance as textbook
from tertium.errors import InputError, OptionError
from tertium.kernels.edits import (
    Derivation,
    Edit,
    EditKind,
    Inversion,
    InversionCosts,
    count_inversions,
    inversion_derivation,
    inversion_distance,
    inversion_distances,
)
from tertium.kernels.strings import number_pairs
from tertium.kernels.threads import use_threads

# Whole numbers, a common scale, no common scale, free edits, a price far above the others.
PRICES = [
    Prices(),
    Prices(inversion=0.5),
    Prices(1, 2, 1.5, 0.7),
    Prices(math.sqrt(2), math.pi / 3, 1, 0.6),
    Prices(inversion=0),
    Prices(insertion=0, deletion=1),
    Prices(substitution=3, inversion=2),
    Prices(1, 1, 1, 1000),
]
LONG = st.lists(st.integers(0, 30), max_size=75)


def shuffled_pairs(count: int, longest: int, seed: int) -> list[tuple[list[int], list[int]]]:
    """Half random, half the same sequence with some blocks moved and symbols changed."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(count):
        symbols = rng.choice([2, 3, 4, 8])
        a = [rng.randrange(symbols) for _ in range(rng.randint(0, longest))]
        b = [rng.randrange(symbols) for _ in range(rng.randint(0, longest))]
        if rng.random() < 0.5 and len(a) > 2:
            x, y, z = sorted(rng.sample(range(len(a) + 1), 3))
            b = a[:x] + a[y:z] + a[x:y] + a[z:]
            b[rng.randrange(len(b))] = rng.randrange(symbols)
        pairs.append((a, b))
    return pairs


def distances(pairs: list[tuple[list[int], list[int]]], prices: Prices) -> list[float]:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    return list(map(float, inversion_distances(first, second, **prices._asdict())))


@pytest.mark.slow
@pytest.mark.parametrize("longest", [4, 5, 6])
def test_distances_equal_the_recursion(longest: int) -> None:
    pairs = shuffled_pairs(1000, longest, seed=longest)
    assert distances(pairs, Prices()) == [textbook(a, b) for a, b in pairs]


@pytest.mark.slow
@pytest.mark.parametrize("prices", PRICES, ids=lambda prices: "/".join(f"{p:.3g}" for p in prices))
def test_distances_equal_the_recursion_at_any_prices(prices: Prices) -> None:
    pairs = shuffled_pairs(300, 6, seed=11)
    expected = [textbook(a, b, prices) for a, b in pairs]
    assert distances(pairs, prices) == pytest.approx(expected, rel=1e-12)  # sums round in another order


@pytest.mark.slow
@pytest.mark.parametrize("prices", PRICES, ids=lambda prices: "/".join(f"{p:.3g}" for p in prices))
def test_distances_with_several_inversions_equal_the_recursion_at_any_prices(prices: Prices) -> None:
    rng = random.Random(7)
    pairs = []
    for _ in range(4):
        first = [rng.randrange(6) for _ in range(8)]
        second = first[2:4] + first[:2] + first[6:] + first[4:6]
        second[rng.randrange(8)] = 8
        pairs.append((first, second))
    expected = [textbook(a, b, prices) for a, b in pairs]
    assert distances(pairs, prices) == pytest.approx(expected, rel=1e-12)


def test_distances_of_real_sentences_equal_the_recursion() -> None:
    sentences = [(h.split(), r.split()) for h, r, _ in golden_pairs(tokenized=True).values()]
    short = [(a, b) for a, b in sentences if max(len(a), len(b)) <= 12 and len(a) * len(b) <= 90]
    assert len(short) > 20
    for a, b in short:
        assert inversion_distance(a, b) == textbook(a, b), a


def test_distances_of_long_sequences_equal_the_recursion() -> None:
    lines = (FOLDER / "inversion_long.tsv").read_text(encoding="utf-8").splitlines()[2:]
    rows = [line.split("\t") for line in lines]
    found = inversion_distances([row[0].split() for row in rows], [row[1].split() for row in rows])
    assert found.tolist() == [float(row[2]) for row in rows]
    assert max(len(row[0].split()) for row in rows) > 64


def test_the_papers_example_is_three_by_its_own_recursion() -> None:
    assert inversion_distance("abcd", "bdac") == 3 == textbook("abcd", "bdac")


def test_the_triangle_inequality_fails() -> None:
    assert inversion_distance("abcd", "abdc") == 1
    assert inversion_distance("abdc", "bdac") == 1
    assert inversion_distance("abcd", "bdac") > 2


def test_leading_insertions_are_not_overcounted() -> None:
    assert inversion_distance("ab", "xyab") == 2


def test_a_common_prefix_may_matter() -> None:
    # Found by a random search: the distance falls when the shared first symbol may be matched elsewhere.
    pairs = [(a, b) for a, b in shuffled_pairs(4000, 7, seed=3) if a and b and a[0] == b[0]]
    whole = distances(pairs, Prices())
    rest = distances([(a[1:], b[1:]) for a, b in pairs], Prices())
    assert all(x <= y for x, y in zip(whole, rest, strict=True))
    assert any(x < y for x, y in zip(whole, rest, strict=True))


@given(a=LONG, b=LONG)
@settings(max_examples=60, deadline=None)
def test_the_distance_lies_between_per_and_wer(a: list[int], b: list[int]) -> None:
    assert bag_distance(a, b) <= inversion_distance(a, b) <= levenshtein(a, b)


@given(a=LONG)
def test_a_sequence_is_at_no_distance_from_itself(a: list[int]) -> None:
    assert inversion_distance(a, a) == 0


@given(a=LONG, b=LONG, inversion=st.sampled_from([0.5, 1, 1.7]))
@settings(max_examples=40, deadline=None)
def test_the_distance_is_symmetric_if_insertions_cost_what_deletions_do(
    a: list[int], b: list[int], inversion: float
) -> None:
    there = inversion_distance(a, b, insertion=2, deletion=2, inversion=inversion)
    assert there == inversion_distance(b, a, insertion=2, deletion=2, inversion=inversion)


@given(a=LONG, cut=st.integers(1, 70))
def test_a_rotation_costs_one_inversion_at_most(a: list[int], cut: int) -> None:
    assert inversion_distance(a, a[cut:] + a[:cut]) <= 1


def spans(steps: tuple[Edit | Inversion, ...], derivation: Derivation) -> tuple[list[int], list[int]]:
    """The symbols of the first and of the second sequence in the order in which the steps yield them."""
    first: list[int] = []
    second: list[int] = []
    for step in steps:
        if isinstance(step, Inversion):
            left, right = spans(step.left, derivation), spans(step.right, derivation)
            first += left[0] + right[0]
            second += right[1] + left[1]
            continue
        first += [step.i] if step.i is not None else []
        second += [step.j] if step.j is not None else []
        if step.i is not None and step.j is not None:
            same = derivation.first[step.i] == derivation.second[step.j]
            assert step.kind is (EditKind.MATCH if same else EditKind.SUBSTITUTION)
    return first, second


@pytest.mark.parametrize("prices", PRICES, ids=lambda prices: "/".join(f"{p:.3g}" for p in prices))
def test_a_derivation_yields_both_sequences_at_the_distances_price(prices: Prices) -> None:
    pairs = shuffled_pairs(200, 14, seed=5)
    for (a, b), distance in zip(pairs, distances(pairs, prices), strict=True):
        derivation = inversion_derivation(a, b, **prices._asdict())
        assert derivation.cost == pytest.approx(distance, rel=1e-12)
        assert spans(derivation.steps, derivation) == (list(range(len(a))), list(range(len(b))))


def test_a_derivation_of_long_sequences_yields_both() -> None:
    rng = random.Random(2)
    words = [str(rng.randrange(40)) for _ in range(80)]
    moved = words[50:70] + words[10:50] + words[:10] + words[70:75] + ["new"] + words[76:]
    derivation = inversion_derivation(words, moved)
    assert derivation.cost == inversion_distance(words, moved)
    assert spans(derivation.steps, derivation) == (list(range(80)), list(range(len(moved))))


def test_a_derivation_reads_as_in_the_paper() -> None:
    derivation = inversion_derivation(
        ["we", "will", "meet", "at", "noon", "in", "the", "lobby"],
        ["we", "will", "meet", "in", "the", "lobby", "at", "twelve", "o'clock"],
    )
    assert derivation.cost == 3
    assert derivation.counts() == {
        "match": 7, "substitution": 1, "deletion": 0, "insertion": 1, "inversion": 1,
    }  # fmt: skip
    assert str(derivation) == (
        "[we/we will/will meet/meet ⟨[at/at noon/twelve] [in/in the/the lobby/lobby]⟩ ε/o'clock]"
    )


def test_distances_do_not_depend_on_threads() -> None:
    pairs = shuffled_pairs(400, 25, seed=8)
    results = []
    for threads in (1, 3):
        with use_threads(threads):
            results.append(distances(pairs, Prices()))
    assert results[0] == results[1]


@pytest.mark.parametrize("cost", [-1, -0.001, math.nan, math.inf, "1"])
@pytest.mark.parametrize("edit", ["insertion", "deletion", "substitution", "inversion"])
def test_a_cost_that_is_no_price_is_refused(edit: str, cost: float) -> None:
    with pytest.raises(OptionError, match=f"the cost of an {edit} must be a finite number at least 0"):
        inversion_distance("ab", "ba", **{edit: cost})  # type: ignore[arg-type]


def test_symbols_that_are_not_hashable_are_refused() -> None:
    with pytest.raises(InputError, match="hashable"):
        inversion_distance([["a"]], [["b"]])  # type: ignore[list-item]


def test_pairs_of_unequal_number_are_refused() -> None:
    with pytest.raises(InputError, match="2 against 1"):
        inversion_distances(["a", "b"], ["a"])


@pytest.mark.parametrize("budget", [0, -1, 1.5, True])
def test_a_memory_budget_that_is_none_is_refused(budget: int) -> None:
    with pytest.raises(OptionError, match="max_memory must be a whole number of megabytes, at least 1"):
        inversion_distance("ab", "ba", max_memory=budget)


def hard_pair(length: int, symbols: int = 4) -> tuple[list[int], list[int]]:
    rng = random.Random(length)
    a, b = ([rng.randrange(symbols) for _ in range(length)] for _ in range(2))
    return a, b


def test_a_search_beyond_its_memory_is_refused_by_number() -> None:
    easy, hard = ([1, 2], [2, 1]), hard_pair(100)
    with pytest.raises(
        InputError, match="pair 2: the inversion distance of 100 and 100 symbols needs more than 1 meg"
    ):
        inversion_distances([easy[0], hard[0]], [easy[1], hard[1]], max_memory=1)
    with pytest.raises(InputError, match=r"this pair: .*max_memory"):
        inversion_derivation(*hard, max_memory=1)


@pytest.mark.slow
def test_texts_far_too_long_are_refused_at_once() -> None:
    a, b = hard_pair(6000)
    with pytest.raises(InputError, match="6,000 and 6,000 symbols"):
        inversion_distance(a, b)


def test_beyond_its_memory_a_search_gives_a_bound_and_says_so() -> None:
    a, b = hard_pair(90)
    first, second = number_pairs([a, [1, 2]], [b, [2, 1]])
    groups = np.arange(3, dtype=np.int64)
    rows = count_inversions(first, second, groups, costs=InversionCosts(), max_memory=2, takes_bounds=True)
    assert rows[:, 2].tolist() == [1, 0]
    assert rows[1, 0] == 1
    assert bag_distance(a, b) < rows[0, 0] <= levenshtein(a, b)


def test_a_bound_is_never_below_the_distance() -> None:
    rng = random.Random(1)
    pairs = [hard_pair(rng.randint(30, 40), symbols=6) for _ in range(4)]
    first, second = number_pairs([a for a, _ in pairs], [b for _, b in pairs])
    groups = np.arange(len(pairs) + 1, dtype=np.int64)
    exact = count_inversions(first, second, groups, costs=InversionCosts())
    bound = count_inversions(first, second, groups, costs=InversionCosts(), max_memory=1, takes_bounds=True)
    assert (bound[:, 0] >= exact[:, 0]).all()
    assert ((bound[:, 0] == exact[:, 0]) | (bound[:, 2] == 1)).all()
    assert bound[:, 2].any()


@pytest.mark.parametrize("budget", [0, -1, 1.5, True])
def test_a_budget_of_steps_that_is_none_is_refused(budget: int) -> None:
    first, second = number_pairs(["ab"], ["ba"])
    with pytest.raises(OptionError, match="max_steps must be a whole number of million steps, at least 1"):
        count_inversions(first, second, np.arange(2), costs=InversionCosts(), max_steps=budget)


def test_beyond_its_steps_a_search_is_refused_by_number() -> None:
    first, second = number_pairs(["ab", hard_pair(90)[0]], ["ba", hard_pair(90)[1]])
    with pytest.raises(
        InputError, match=r"segment 2: .* or 1 million steps; shorten them, increase max_memory or"
    ):
        count_inversions(first, second, np.arange(3), costs=InversionCosts(), max_steps=1)


def test_beyond_its_steps_a_search_gives_the_same_bound_on_any_number_of_threads() -> None:
    pairs = [hard_pair(length) for length in (88, 89, 90)]
    first, second = number_pairs([a for a, _ in pairs], [b for _, b in pairs])

    def count(threads: int) -> list[list[float]]:
        with use_threads(threads):
            rows = count_inversions(
                first, second, np.arange(4), costs=InversionCosts(), max_steps=1, takes_bounds=True
            )
        return [[float(number) for number in row] for row in rows]

    rows = count(1)
    assert rows == count(3)
    for (cost, _, is_bound), (a, b) in zip(rows, pairs, strict=True):
        assert is_bound == 1
        assert bag_distance(a, b) < cost <= levenshtein(a, b)


@pytest.mark.parametrize("inversion", [1, 0.5, 0.7, math.sqrt(2)])
def test_a_search_repeats_itself_at_no_price(inversion: float) -> None:
    first, second = number_pairs(*([part] for part in hard_pair(50, symbols=40)))
    costs = InversionCosts(inversion=inversion)
    rows = count_inversions(first, second, np.arange(2), costs=costs, max_steps=300, takes_bounds=True)
    assert rows[0, 2] == 0


SEARCH = """
import json, sys
import numpy as np
from tertium.kernels.edits import InversionCosts, count_inversions
from tertium.kernels.strings import number_pairs
pairs, options = json.loads(sys.stdin.read())
first, second = number_pairs(*zip(*pairs))
costs = InversionCosts(inversion=options.pop("inversion"))
groups = np.arange(len(pairs) + 1)
rows = count_inversions(first, second, groups, costs=costs, takes_bounds=True, **options)
print(json.dumps(rows.tolist()))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"inversion": 1}, {"inversion": math.sqrt(2)}, {"inversion": 1, "max_steps": 1}]
)
def test_wide_registers_find_the_same_distances_and_stop_at_the_same_step(options: dict[str, float]) -> None:
    pairs = shuffled_pairs(100, 12, seed=4) + [hard_pair(length, symbols=100) for length in (60, 63, 66, 70)]
    found = [
        subprocess.run(
            [sys.executable, "-c", SEARCH],
            input=json.dumps([pairs, options]),
            env={**os.environ, **environment},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for environment in ({}, {"TERTIUM_BASELINE": "1"})
    ]
    assert len(json.loads(found[0])) == len(pairs)
    assert found[0] == found[1]


def test_steps_of_a_derivation_are_frozen() -> None:
    derivation = inversion_derivation("ab", "ba")
    with pytest.raises(AttributeError):
        derivation.steps = ()  # type: ignore[misc]
    assert all(isinstance(step, Edit | Inversion) for step in derivation.steps)
