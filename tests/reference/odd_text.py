"""Lines that break tokenisers: every plane, controls, entities, runs of points and digits, long lines."""

import random
from collections.abc import Iterator

__all__ = ["odd_lines", "odd_pairs"]

POOLS = (
    "....,,,,--00112  ab",
    "abc XYZ 019.,-'\"&;:!?()[]{}<>/\\@#$%^*_+=|~` \t\x0b\x0c\x1c\x85\xa0",
    "&quot;&amp;&lt;&gt;<skipped>-\n\n.,",
    "我们。，、3.5％　ａｂ１２．",
    "\u2028\u2001\u3000\u200b\u00ad٣٫٢¼½²€£«»„“”…–—",
)
PIECES = (
    "&quot;", "&amp;", "&lt;", "&gt;", "&amp;quot;", "<skipped>", "-\n", "\n", ".", ",", "3", "a", "-", " ",
    "é", "中",
)  # fmt: skip


# Runs that have their own code somewhere: numbers, times, tags, words that repeat, marks, letters that change length.
RUNS = (
    "1" * 150, "9.9" * 50, "1,000," * 60, "12:30 " * 20, "٣" * 120, "<b>" * 30, "</", "(((" * 50, "http://a.b/c?d", "a" * 300,
    "\u0301" * 200, "a b " * 30, "🙂\u200d👩" * 20, "\U000e0041" * 5, "\ufeff", "e\u0301", "ﬁ", "İ", "ß", "Ǆ", "\u202e",
)  # fmt: skip


def odd_pairs(count: int, seed: int) -> list[tuple[str, list[str]]]:
    """Make hypotheses and their references: equal, shuffled, cut, or unrelated."""
    rng = random.Random(seed)
    lines = [_line(rng, rng.choice((0, 1, 3, 10, 30, 80))) for _ in range(count)]
    lines = [line + rng.choice(RUNS) if rng.random() < 0.4 else line for line in lines]
    return [(_change(rng, line, lines), [line, *rng.sample(lines, rng.choice((0, 0, 1)))]) for line in lines]


def _change(rng: random.Random, line: str, lines: list[str]) -> str:
    words = line.split(" ")
    shuffled = " ".join(rng.sample(words, len(words)))
    return rng.choice((line, shuffled, rng.choice(lines), line[: len(line) // 2] + rng.choice(RUNS)))


def odd_lines(count: int, seed: int) -> Iterator[str]:
    """Yield lines, one in a thousand of them 20,000 characters long."""
    rng = random.Random(seed)
    for _ in range(count):
        length = rng.choice((0, 1, 2, 3, 5, 10, 30, 80)) if rng.random() < 0.999 else 20_000
        yield _line(rng, length)


def _line(rng: random.Random, length: int) -> str:
    kind = rng.random()
    if kind < 0.15:
        return "".join(_code_point(rng) for _ in range(length))
    if kind < 0.3:
        return "".join(rng.choice(PIECES) for _ in range(length))
    pool = rng.choice(POOLS) + rng.choice(POOLS)
    return "".join(rng.choice(pool) if rng.random() < 0.95 else _code_point(rng) for _ in range(length))


def _code_point(rng: random.Random) -> str:
    while True:
        code = rng.randrange(rng.choice((0x80, 0x800, 0x3000, 0x10000, 0x110000)))
        if not 0xD800 <= code <= 0xDFFF:
            return chr(code)
