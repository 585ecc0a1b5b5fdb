"""The time for one segment grows with its length as SECURITY.md says, also for texts made to be slow."""

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
