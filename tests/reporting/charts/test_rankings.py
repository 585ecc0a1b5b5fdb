"""Rankings: a line per system, numbers that count, metrics in order of agreement."""

import numpy as np

from reference.pictures import boxes, shapes, size, texts
from tertium.commands.meta.rankings_chart import draw_rankings

LONG = "bleu:tokenizer=intl,lowercase=yes,max_ngram_order=2,smooth_method=floor,smooth_value=0.1"


def ranked(*names: str) -> dict[str, float]:
    """Scores that rank the systems in this order."""
    return {name: -float(place) for place, name in enumerate(names)}


def heights(path: str) -> list[float]:
    return [float(point.split(",")[1]) for point in path.removeprefix("M").split("L")]


def test_a_line_per_system_crosses_where_a_metric_disagrees() -> None:
    svg = draw_rankings({"people": ranked("a", "b", "c"), "bleu": ranked("b", "a", "c")}, title="t").svg()
    lines = [heights(line.element.get("d", "")) for line in shapes(svg, "path", group="mark-line")]
    assert lines == [[0, 24], [24, 0], [48, 48]]


def test_metrics_stand_by_their_agreement_with_people() -> None:
    rankings = {"people": ranked("a", "b", "c"), "bad": ranked("c", "b", "a"), "good": ranked("a", "b", "c")}
    places = boxes(draw_rankings(rankings, title="t").svg())
    assert places["people"][0] < places["good"][0] < places["bad"][0]
    assert places["1.00"][0] < places["−1.00"][0]


def test_every_dot_of_a_ranking_has_the_place_that_people_gave() -> None:
    svg = draw_rankings({"people": ranked("a", "b"), "bleu": ranked("b", "a")}, title="t").svg()
    numbers = {(shape.x, shape.y): shape.text for shape in shapes(svg, "text") if shape.text in ("1", "2")}
    assert [numbers[place] for place in sorted(numbers)] == ["1", "2", "2", "1"]


def test_systems_are_named_on_both_sides() -> None:
    shown = texts(draw_rankings({"people": ranked("a", "b"), "bleu": ranked("b", "a")}, title="t").svg())
    assert [shown.count(name) for name in ("a", "b")] == [2, 2]


def test_long_heads_are_turned_and_stay_on_the_paper() -> None:
    rng = np.random.default_rng(5)
    names = [f"system-with-a-name.{4000 + i}" for i in range(25)]
    metrics = {f"{LONG}@{i}": ranked(*rng.permutation(names).tolist()) for i in range(30)}
    svg = draw_rankings({"people": ranked(*names), **metrics}, title="t").svg()
    assert sum(shape.is_turned for shape in shapes(svg, "text")) == 31
    width, height = size(svg)
    assert all(0 <= shape.x <= width and 0 <= shape.y <= height for shape in shapes(svg, "text"))


def test_only_people_are_heads_in_bold() -> None:
    svg = draw_rankings({"people": ranked("a"), "bleu": ranked("a")}, title="t").svg()
    bold = [shape.text for shape in shapes(svg, "text") if shape.element.get("font-weight") == "bold"]
    assert bold == ["people"]


def test_a_metric_without_differences_has_neither_ranks_nor_a_correlation() -> None:
    svg = draw_rankings({"people": ranked("a", "b")}, title="t", constant=["flat"]).svg()
    assert not any("ρ" in text or "0." in text for text in texts(svg))
    assert any("all systems have the same score: flat" in text for text in texts(svg))


def test_systems_with_equal_scores_share_a_rank_whatever_their_names_are() -> None:
    human = ranked("d", "c", "b", "a")
    scores = {"a": 1.0, "b": 1.0, "c": 1.0, "d": 2.0}
    rhos = {
        text
        for order in ("abcd", "dcba", "bdac")
        for text in texts(
            draw_rankings({"people": human, "m": {k: scores[k] for k in order}}, title="t").svg()
        )
        if text.startswith("0.")
    }
    assert rhos == {"0.77"}  # Spearman's ρ of 1, 2, 3, 4 and 1, 3, 3, 3
