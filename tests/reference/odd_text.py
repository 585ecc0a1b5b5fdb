"""Lines that break tokenisers: every plane, controls, entities, runs of points and digits, long lines."""

import random
from collections.abc import Iterator

__all__ = ["odd_lines"]

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
