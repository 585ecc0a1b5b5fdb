"""Searches without their short cuts, and texts that are hard for searches."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

import tertium._core as _core
from tertium.kernels.strings import number_pairs
from tertium.values import OffsetArray, TokenColumn

__all__ = ["disturb", "draw_pairs", "draw_text", "without_shortcuts"]

Pairs = tuple[TokenColumn, TokenColumn, OffsetArray]


@contextmanager
def without_shortcuts() -> Iterator[None]:
    """Let searches try everything: no bounds, no good guesses, no fast paths for usual sizes."""
    _core.take_shortcuts(False)
    try:
        yield
    finally:
        _core.take_shortcuts(True)


def draw_text(rng: np.random.Generator, longest: int, shortest: int = 0) -> list[int]:
    """Draw a text; one with few symbols makes many ties, one with many symbols is like a sentence."""
    n_symbols = int(rng.choice([1, 2, 3, 8, 40, 5000]))
    words: list[int] = rng.integers(0, n_symbols, int(rng.integers(shortest, longest + 1))).tolist()
    return words


def disturb(rng: np.random.Generator, text: list[int]) -> list[int]:
    """Move, repeat and drop parts of a text, and replace words, a few times; parts are long or short."""
    longest = len(text) if rng.random() < 0.5 else 5
    for _ in range(int(rng.integers(0, 6))):
        begin = int(rng.integers(0, max(1, len(text) - longest + 1)))
        x, y, z = sorted(rng.integers(begin, min(begin + longest, len(text)) + 1, 3).tolist())
        parts = [text[:x], text[x:y], text[y:z], text[z:]]
        order = [(0, 2, 1, 3), (0, 1, 1, 3), (0, 3), (0, 1, 2, 3)][int(rng.integers(4))]
        text = [word for part in order for word in parts[part]]
        if text and rng.random() < 0.7:
            text[int(rng.integers(len(text)))] = int(rng.integers(50))
    return text


def draw_pairs(rng: np.random.Generator, count: int, longest: int, shortest: int = 0) -> Pairs:
    """Draw pairs of texts, most of them rearrangements of each other."""
    first = [draw_text(rng, longest, shortest) for _ in range(count)]
    second = [
        disturb(rng, text) if rng.random() < 0.8 else draw_text(rng, longest, shortest) for text in first
    ]
    return *number_pairs(first, second), np.arange(count + 1, dtype=np.int64)
