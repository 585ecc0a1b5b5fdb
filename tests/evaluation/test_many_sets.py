"""Many test sets: averages, tests over all of them, wins and AutoRank."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.evaluation.comparison import Comparison, compare
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.many_sets import ManySets, SetColumn, SetTally, add_sets
from tertium.stats.analysis import Analysis
from tertium.values import Corpus

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs", "run", "over", "green", "hills"]

Scored = tuple[str, Evaluation, Comparison]


def make_set(name: str, rates: dict[str, float], seed: int, n_segments: int = 120) -> Scored:
    """A test set whose systems replace this share of the words."""
    rng = np.random.default_rng(seed)
    references = [list(rng.choice(WORDS, 12)) for _ in range(n_segments)]
    systems = {
        system: [" ".join(word if rng.random() > rate else "wrong" for word in text) for text in references]
        for system, rate in rates.items()
    }
    corpus = Corpus([[" ".join(text)] for text in references], systems)
    evaluation = evaluate(corpus, parse_metrics(["chrf,wer"]))
    return name, evaluation, compare(evaluation, Analysis(n_samples=500))


def add_up(sets: list[Scored]) -> ManySets:
    systems = {name: evaluation.systems for name, evaluation, _ in sets}
    return add_sets(systems, sets, alpha=0.05, seed=1)


@pytest.fixture(scope="module")
def many() -> ManySets:
    rates = {"good": 0.1, "similar": 0.11, "bad": 0.4}
    return add_up([make_set(f"set{k}", rates, k) for k in range(4)])


def test_averages_are_means_over_the_test_sets(many: ManySets) -> None:
    for label in ("chrf", "wer"):
        for row in many.summarise(label):
            assert row.average == pytest.approx(
                np.mean([score for score in row.scores.values() if score is not None])
            )
            assert row.interval is not None
            assert row.average is not None
            assert row.interval[0] < row.average < row.interval[1]


def test_the_best_system_comes_first_whatever_the_direction(many: ManySets) -> None:
    for label in ("chrf", "wer"):
        rows = many.summarise(label)
        assert rows[-1].system == "bad"
        assert "a" in rows[0].overall
        assert not set(rows[0].overall) & set(rows[-1].overall)
        assert rows[-1].mean_rank == 3.0
        assert rows[-1].n_wins == 0
        assert rows[0].n_wins >= 4


def test_more_test_sets_find_smaller_differences() -> None:
    rates = {"one": 0.200, "other": 0.235}
    sets = [make_set(f"set{k}", rates, 10 + k) for k in range(12)]
    alone = [
        not set(a) & set(b) for a, b in (comparison.metrics["chrf"].letters for _, _, comparison in sets)
    ]
    first, second = add_up(sets).summarise("chrf")
    assert not set(first.overall) & set(second.overall)
    assert sum(alone) < len(sets)


def test_only_common_test_sets_are_averaged() -> None:
    sets = [
        make_set("a", {"x": 0.1, "y": 0.2}, 1),
        make_set("b", {"x": 0.1}, 2),
        make_set("c", {"x": 0.1, "y": 0.3}, 3),
    ]
    many = add_up(sets)
    assert [scored.name for scored in many.common] == ["a", "c"]
    row = next(row for row in many.summarise("chrf") if row.system == "x")
    scores = row.scores
    assert scores["b"] is not None
    assert row.average == pytest.approx((scores["a"] + scores["c"]) / 2)  # type: ignore[operator]


def test_systems_that_miss_a_test_set_have_no_average_if_none_is_common() -> None:
    sets = [make_set("a", {"x": 0.1, "y": 0.2}, 1), make_set("b", {"x": 0.1, "z": 0.2}, 2)]
    rows = {row.system: row for row in add_up(sets).summarise("chrf")}
    assert rows["x"].average is not None
    assert rows["y"].average is None
    assert rows["y"].scores["b"] is None


def test_auto_rank_runs_from_one_to_the_number_of_systems(many: ManySets) -> None:
    ranks = many.auto_ranks()
    assert min(ranks.values()) == 1
    assert max(ranks.values()) == ranks["bad"] == 3
    # by hand: one metric on one test set with scores 0, 10, 30 (higher is better)
    # median 10, 25th percentile 5: scaled −2, 0, 4; mapped to 3, 2.333, 1
    column = SetColumn(np.array([0.0, 10.0, 30.0]), ("a", "b", "c"), (0, 1, 2), "")
    single = replace(many, common=[replace(many.sets[0], columns={"chrf": column})])
    object.__setattr__(single, "labels", ["chrf"])
    assert list(single.auto_ranks().values()) == pytest.approx([3, 1 + 2 * 4 / 6, 1])


def test_without_a_system_on_all_test_sets_there_is_no_average() -> None:
    """Three test sets with two of three systems each: no test set has all systems, no system all test sets."""
    pairs = [("x", "y"), ("y", "z"), ("x", "z")]
    sets = [make_set(f"set{k}", dict.fromkeys(pair, 0.2), k) for k, pair in enumerate(pairs)]
    many = add_up(sets)
    assert many.averaged == []
    assert many.auto_ranks() == {}
    assert all(row.average is None and row.mean_rank is None for row in many.summarise("chrf"))


def test_resampled_averages_are_means_over_test_sets_in_an_order_of_their_own() -> None:
    sets = [make_set(f"set{k}", {"x": 0.1, "y": 0.2 + 0.05 * k}, k) for k in range(3)]
    drawn = []
    for number, (_, _, comparison) in enumerate(sets):
        scores = comparison.metrics["wer"].resampled_scores
        drawn.append(scores[:, np.random.default_rng([1, number]).permutation(scores.shape[1])])
    assert add_up(sets).resampled["wer"].tolist() == np.mean(drawn, axis=0).tolist()


def test_test_sets_with_fewer_resamples_shorten_those_of_the_average() -> None:
    name, evaluation, _ = make_set("a", {"x": 0.1, "y": 0.2}, 1)
    few = compare(evaluation, Analysis(n_samples=300))
    many = add_up([make_set("b", {"x": 0.1, "y": 0.2}, 2), (name, evaluation, few)])
    assert many.resampled["chrf"].shape == (2, 300)
    assert [row.system for row in many.summarise("chrf")] == ["x", "y"]


def test_a_metric_that_a_test_set_lacks_is_left_out() -> None:
    name, evaluation, comparison = make_set("a", {"x": 0.1, "y": 0.2}, 1)
    tables = {"wer": evaluation.tables["wer"]}
    without = (
        replace(evaluation, tables=tables),
        replace(comparison, metrics={"wer": comparison.metrics["wer"]}),
    )
    many = add_up([make_set("b", {"x": 0.1, "y": 0.2}, 2), (name, *without)])
    assert many.labels == list(many.resampled) == ["wer"]


def test_adding_test_sets_keeps_neither_statistics_nor_resamples() -> None:
    n_sets, n_samples = 40, 2000
    tally = SetTally({str(k): ("x", "y") for k in range(n_sets)}, alpha=0.05, seed=1)
    _, evaluation, _ = make_set("a", {"x": 0.1, "y": 0.2}, 1)
    sizes = []
    tracemalloc.start()
    try:
        for k in range(n_sets):
            tally.add(str(k), evaluation, compare(evaluation, Analysis(n_samples=n_samples, seed=k)))
            sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    resamples = 2 * 2 * n_samples * 8  # systems, metrics, samples, bytes
    assert sizes[-1] - sizes[9] < 30 * resamples / 4
    assert tally.finish().common == tally.finish().sets
