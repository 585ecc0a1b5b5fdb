"""Word frequencies: a table of words and counts, or a training corpus whose words are counted."""

from collections import Counter

from tertium.decimals import parse_integer
from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.files.reading import read_lines
from tertium.text import Texts

_AT_ONCE = 100_000  # lines that are tokenised at once


def load_frequencies(path: str, *, tokenizer: str = "13a") -> Counter[str]:
    """Read word frequencies.

    A file in which every line has a word, a tab and a whole number is a table; any other file is a text, whose words
    are counted.

    Raises
    ------
    ResourceError
        If the file cannot be read, has no words, or is a table with a line that is not like the others.
    """
    lines = read_lines(path, error=ResourceError)
    counts = _parse_table(lines, show_path(path)) if lines and "\t" in lines[0] else _count(lines, tokenizer)
    if not counts:
        raise ResourceError(
            f"{show_path(path)} has no words; give a text, or a word, a tab and its count per line"
        )
    return counts


def _parse_table(lines: list[str], shown: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        word, _, written = line.partition("\t")
        count = parse_integer(written)
        if not word or count is None or count < 0:
            raise ResourceError(
                f"{shown}, line {number:,}: {line[:40]!r} is not a word, a tab and a whole number"
            )
        counts[word] += count
    return counts


def _count(lines: list[str], tokenizer: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for start in range(0, len(lines), _AT_ONCE):
        tokens = Texts(lines[start : start + _AT_ONCE]).tokens(tokenizer)
        counts.update(tokens.vocabulary.words(tokens.ids))
    return counts
