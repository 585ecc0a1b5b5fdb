"""Time grows with the length of a segment as SECURITY.md says, and not faster than the pairs of systems."""

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium
from tertium.catalog import self_contained_names
from tertium.errors import TertiumError

SECURITY = (Path(__file__).parents[1] / "SECURITY.md").read_text(encoding="utf-8")
# The exponent of each class, and a length whose time is short enough for a test and long enough to be measured.
CLASSES = {"n log n": (1, 4000), "n²": (2, 800), "n³": (3, 250), "n⁴": (4, 40), "n⁶": (6, 40)}
GROWTH = {
    name: CLASSES[growth]
    for growth, listed in re.findall(r"^\| (n[ \w⁶⁴³²]+) \| (.*) \|$", SECURITY, flags=re.MULTILINE)
    for name in listed.split(", ")
}
TEXTS: dict[str, Callable[[int], tuple[str, str]]] = {
    "one word": lambda n: ("cat " * n, "cat " * n),
    "two words, uneven": lambda n: ("cat " * n, "dog " * (n // 2 + 1)),
    "few words": lambda n: ("the cat sat on a mat " * (n // 6), "a mat sat on the cat " * (n // 6)),
    "all words differ": lambda n: (
        " ".join(f"w{i}" for i in range(n)),
        " ".join(f"w{i * 7 % n}" for i in range(n)),
    ),
    "marks": lambda n: ("a" + "\u0301" * n, "a" + "\u0301" * n),
}
MEASURABLE = 0.1  # seconds; shorter times are mostly the time of a call
TOLERANCE = 1.8  # a busy machine and caches that become too small


def seconds(metric: str, texts: tuple[str, str]) -> float | None:
    """Measure the processor time; None if the metric rejects the texts."""
    began = time.process_time()
    try:
        tertium.score([texts[0]], [texts[1]], metric, source=[texts[1]], language="en", threads=1)
    except TertiumError:
        return None
    return time.process_time() - began


@pytest.mark.parametrize("metric", self_contained_names())
def test_time_grows_no_faster_than_the_table_says(metric: str) -> None:
    exponent, length = GROWTH[metric]
    seconds(metric, ("a b", "a b"))  # resources are loaded once
    for name, make in TEXTS.items():
        once, twice = (seconds(metric, make(n)) for n in (length, 2 * length))
        if once is None or twice is None or twice < MEASURABLE:
            continue
        assert twice < TOLERANCE * 2**exponent * max(once, MEASURABLE / 2**exponent), (name, once, twice)


N_SYSTEMS = 125


def make_systems(n_systems: int) -> tuple[dict[str, list[str]], list[str]]:
    """Make references, and systems that replace more and more of their words."""
    draw = random.Random(5)
    words = [f"w{i}" for i in range(500)]
    references = [" ".join(draw.choices(words, k=12)) for _ in range(100)]
    return {
        f"s{n}": [
            " ".join(
                word if draw.random() > 0.1 + 0.5 * n / n_systems else draw.choice(words)
                for word in line.split()
            )
            for line in references
        ]
        for n in range(n_systems)
    }, references


@pytest.mark.parametrize("form", ["text", "csv", "json", "page"])
def test_a_table_costs_no_more_than_its_pairs(form: str) -> None:
    spent = []
    for n_systems in (2, N_SYSTEMS, 2 * N_SYSTEMS):  # the first one loads what is loaded once
        result = tertium.score(*make_systems(n_systems), "bleu", tests_pairs=True)
        _ = result.comparison
        began = time.process_time()
        if form == "page":
            tertium.report(result).render()
        else:
            result.render(form)
        spent.append(time.process_time() - began)
    once, twice = spent[1:]
    assert twice < TOLERANCE * 4 * max(once, MEASURABLE / 4), (once, twice)


def test_tests_and_table_of_many_systems_cost_about_as_much_as_their_scores() -> None:
    texts, references = make_systems(2 * N_SYSTEMS)
    tertium.score({"a": references, "b": references}, references, "bleu").render()
    began = time.process_time()
    result = tertium.score(texts, references, "bleu")
    scored = time.process_time()
    result.render()
    assert time.process_time() - scored < 10 * max(scored - began, MEASURABLE)
