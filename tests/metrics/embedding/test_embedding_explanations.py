"""Explanations of the embedding metrics: what is shown is what was scored."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reference.vectors import ContextVectors, HandVectors, MadeUpVectors, golden_vectors
from tertium.catalog import build_metric
from tertium.interfaces import WordVectors
from tertium.kernels.embedding import explain_travel, travel_distances
from tertium.metrics.base import Metric
from tertium.metrics.embedding.bleu_modif import BLEUModif
from tertium.metrics.embedding.has import HAS
from tertium.metrics.embedding.mas import MAS
from tertium.metrics.embedding.std import STD
from tertium.metrics.embedding.wer_modif import WERModif

VECTORS = MadeUpVectors()
NAMES = ["std", "wmd", "wrd", "was", "mas", "has", "onehot", "sentvec", "bleu_modif", "wer_modif"]
HYPOTHESIS, REFERENCES = "a b unk1 c d", ["e f g", "a b x c d"]


@pytest.fixture(params=NAMES)
def metric(request: pytest.FixtureRequest) -> Metric:
    return build_metric(request.param, {}, {WordVectors: lambda: VECTORS})


def test_the_explained_score_is_the_score(metric: Metric) -> None:
    explanation = metric.explain(HYPOTHESIS, REFERENCES)
    assert explanation.score == pytest.approx(metric.sentence_score(HYPOTHESIS, REFERENCES).score)
    assert explanation.reference == REFERENCES[1].split()


@pytest.mark.parametrize(
    ("hypothesis", "references"), [("", ["a"]), ("a", [""]), ("", [""]), ("unk1", ["unk2", "a"])]
)
def test_texts_without_known_words_are_explained_too(
    metric: Metric, hypothesis: str, references: list[str]
) -> None:
    score = metric.sentence_score(hypothesis, references).score
    assert metric.explain(hypothesis, references).score == pytest.approx(score)


def test_labels_and_links_fit_the_matrices(metric: Metric) -> None:
    explanation = metric.explain(HYPOTHESIS, REFERENCES)
    shape = len(explanation.rows), len(explanation.columns)
    assert all(matrix.shape == shape for matrix in explanation.matrices.values())
    assert all(0 <= i < shape[0] and 0 <= j < shape[1] for i, j, _ in explanation.links)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"shared_mass": "travel"},
        {"mass": "nbow"},
        {"mass": "idf"},
        {"orders": (2,)},
        {"units": "occurrences"},
        {"vectors": ContextVectors(), "units": "occurrences", "mass": "nbow"},
    ],
)
def test_a_travel_plan_costs_what_is_scored_and_moves_what_differs(options: dict[str, Any]) -> None:
    metric = replace(STD(vectors=VECTORS, orders=(1,)), **options)
    explanation = metric.explain("a b b c d", ["c a x d b"])
    distance, flow = explanation.matrices["distance"], explanation.matrices["flow"]
    assert 100 * (distance * flow).sum() == pytest.approx(explanation.score, abs=1e-9)
    held = dict(zip(explanation.columns, explanation.column_weights, strict=True))
    for label, weight, moved in zip(explanation.rows, explanation.row_weights, flow.sum(axis=1), strict=True):
        if metric.shared_mass == "travel" or label not in held:
            assert moved <= weight + 1e-12
        elif metric.units == "types":
            assert moved == pytest.approx(max(weight - held[label], 0), abs=1e-12)


def test_an_n_gram_of_both_texts_is_linked_with_itself() -> None:
    told = STD(vectors=VECTORS, orders=(1,)).explain("a b c d", ["c a x d"])
    stays = {(told.rows[i], told.columns[j]) for i, j, label in told.links if label.endswith("stays")}
    assert stays == {("a", "a"), ("c", "c"), ("d", "d")}
    assert {(told.rows[i], told.columns[j]) for i, j, _ in told.links} > stays
    assert sum(step.startswith(("a stays: ", "c stays: ", "d stays: ")) for step in told.steps) == 3
    json.dumps(told.links)  # numbers are Python's own


def test_what_moves_and_what_stays_is_all_there_is() -> None:
    told = STD(vectors=VECTORS, orders=(1,), mass="nbow").explain("a b b c d", ["c a x d b"])
    stays = sum(float(label.split()[0]) for _, _, label in told.links if label.endswith("stays"))
    assert stays + told.matrices["flow"].sum() == pytest.approx(1, abs=5e-4)  # labels have four digits


@pytest.mark.parametrize("options", [{"shared_mass": "travel"}, {"units": "occurrences"}])
def test_nothing_stays_where_all_mass_travels(options: dict[str, Any]) -> None:
    told = replace(STD(vectors=VECTORS), **options).explain("a b c d", ["c a x d"])
    assert told.links
    assert not any(label.endswith("stays") for _, _, label in told.links)


def test_the_ground_distance_of_the_papers_first_figure_by_its_formula() -> None:
    metric = STD(vectors=golden_vectors())
    told = metric.explain(
        "The guy is scheduled to France for a vacation.", ["The man will fly to France for a holiday."]
    )
    assert list(told.rows) == ["the", "guy", "is", "scheduled", "to", "france", "for", "a", "vacation", "."]
    assert list(told.columns) == ["the", "man", "will", "fly", "to", "france", "for", "a", "holiday", "."]
    vacation, holiday = (golden_vectors().vectors[w].astype(float) for w in ("vacation", "holiday"))
    cosine = vacation @ holiday / np.sqrt((vacation @ vacation) * (holiday @ holiday))
    assert told.matrices["distance"][8, 8] == pytest.approx(
        0.6 * (1 - cosine), abs=1e-6
    )  # same place: 9 of 10
    assert told.matrices["distance"][0, 9] >= 0.4 * 0.9  # first against last
    assert told.facts == pytest.approx({"order 1": 3.3563454, "order 2": 3.5770673}, abs=1e-5)


def test_has_links_words_one_to_one_and_mas_to_their_nearest() -> None:
    vectors = HandVectors({"a": [1, 0], "b": [0.8, 0.6], "c": [0, 1]})
    one_to_one = HAS(vectors=vectors).explain("b b", ["a c"])
    assert {(i, j) for i, j, _ in one_to_one.links} in ({(0, 0), (1, 1)}, {(0, 1), (1, 0)})
    nearest = MAS(vectors=vectors).explain("b b", ["a c"])
    assert {(i, j) for i, j, _ in nearest.links} == {(0, 0), (1, 0), (0, 1)}
    assert next(iter(nearest.steps)) == "b – a: 0.800"


def test_wer_modif_tells_a_cheapest_sequence_of_edits() -> None:
    vectors = HandVectors({"a": [1, 0], "b": [0.8, 0.6], "c": [0, 1], "d": [-1, 0]})
    told = WERModif(vectors=vectors).explain("a c", ["b c d"])
    assert list(told.steps) == ["a → b: 0.200", "c → c: 0.000", "+ d: 1"]
    told = WERModif(vectors=vectors).explain("x c", ["c"])
    assert list(told.steps) == ["- x: 1", "c → c: 0.000"]


def test_bleu_modif_tells_how_near_every_n_gram_is() -> None:
    vectors = HandVectors({"a": [1, 0], "b": [0.8, 0.6]})
    told = BLEUModif(vectors=vectors, max_ngram_order=2).explain("a a", ["b b", "x"])
    assert list(told.steps) == ["a: 0.800", "a: 0.800", "a a: 0.800"]


def test_wer_modif_explains_the_reference_with_the_cheapest_edits() -> None:
    vectors = HandVectors({"a": [1, 0], "b": [0, 1]})
    references = ["a b b b b b", "x"]  # 5 edits of 6 words, 1 edit of 1 word: the second counts
    told = WERModif(vectors=vectors).explain("a", references)
    assert list(told.reference) == ["x"]


def test_std_solves_each_transport_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []

    def explain(*texts: Any, order: int, **rest: Any) -> Any:
        solved.append(order)
        return explain_travel(*texts, order=order, **rest)

    def measure(*texts: Any, orders: tuple[int, ...], **rest: Any) -> Any:
        solved.extend(orders)
        return travel_distances(*texts, orders=orders, **rest)

    monkeypatch.setattr("tertium.metrics.embedding._transport.explain_travel", explain)
    monkeypatch.setattr("tertium.metrics.embedding._transport.travel_distances", measure)
    STD(vectors=VECTORS, orders=(1, 2, 3)).explain("a b c d", ["c a x d"])
    assert sorted(solved) == [1, 2, 3]


@pytest.mark.parametrize("orders", [(1, 2), (1,), (2, 1, 3)])
def test_the_explained_orders_of_std_are_the_scored_ones(orders: tuple[int, ...]) -> None:
    metric = STD(vectors=VECTORS, orders=orders)
    for hypothesis, reference in [("a b c d", "c a x d"), ("unk1", "a"), ("unk1", "unk1"), ("", "")]:
        told = metric.explain(hypothesis, ["q r s t", reference])
        details = metric.sentence_score(hypothesis, ["q r s t", reference]).details
        if told.reference == reference.split():
            assert list(told.facts.values()) == pytest.approx(list(details.values()), abs=1e-9)
