"""Which language a text is in: by its script, and by letter trigrams where languages share one."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt

import numpy as np

from tertium.text.languages import LANGUAGES
from tertium.text.scripts import count_scripts, name_main_script
from tertium.text.trigrams import FLOOR, Rows, TrigramTable, load_trigrams
from tertium.types import FloatArray

__all__ = ["LanguageGuess", "can_detect", "detect_language", "find_foreign_lines", "sample_texts"]

# So much is looked at, whatever the size of the text.
SAMPLE_TEXTS, SAMPLE_CHARACTERS = 200, 500

# Less than a sentence says little: names and loan words look alike everywhere.
FEWEST_LETTERS = 30

# How much more a letter of the text may surprise a language than a letter of its own text does, in nats.
# Measured on ten sentences each: at most 0.7 in 32 languages, but 0.8 in Nepali; at least 0.79 in 15 languages
# that the table does not have. Malay (-0.2) and Ligurian (0.7) pass for Indonesian and Italian.
MOST_SURPRISE = 0.75

# No language is named with less confidence. Measured: no wrong name for 6,300 single lines of WMT12 and WMT15
# in seven languages; a name for 58 % of the lines of 40 to 60 characters, and 97 % of those beyond 120.
LEAST_CONFIDENCE = 0.95

# There are many lines, and hardly one may be accused by bad luck. Measured: one of 22,000 lines of WMT12 and
# WMT15 is accused, an English title in a German translation; of foreign lines, 85 to 96 % are found.
LEAST_LINE_CONFIDENCE = 0.995

BLOCK_LINES = 4096

# Trigrams overlap, so that two of them count as one observation.
OVERLAP = 2


@dataclass(frozen=True)
class LanguageGuess:
    """The language and the script of a text; None where the text does not tell.

    `confidence` is a probability: that the language is rather this one than the second best.
    """

    code: str | None
    script: str | None
    confidence: float


def detect_language(texts: Sequence[str]) -> LanguageGuess:
    """Guess the language of texts that are all in the same one, from a sample of them.

    No language is named on little evidence: few letters, two languages that fit about equally well, or
    a text that surprises every known language.

    >>> detect_language(["Der Rat tritt am Dienstag zusammen, um über die Preise zu beraten."]).code
    'de'
    >>> detect_language(["OK", "Paris 2015"])
    LanguageGuess(code=None, script='Latin', confidence=0.0)
    """
    taken = [text[:SAMPLE_CHARACTERS] for text in sample_texts(texts, SAMPLE_TEXTS)]
    counts = count_scripts(taken)
    script = name_main_script(counts)
    if script is None or counts[:, 1:].sum() < FEWEST_LETTERS:
        return LanguageGuess(None, script, 0.0)
    table = load_trigrams(script)
    code, confidence = _only_language(script) if table is None else _best_language(table, taken)
    return LanguageGuess(code if confidence >= LEAST_CONFIDENCE else None, script, confidence)


def can_detect(code: str) -> bool:
    """Whether a text in this language can be known as such."""
    scripts = LANGUAGES[code].scripts if code in LANGUAGES else ()
    return bool(_tables_of(code)) or any(_only_language(script)[0] == code for script in scripts)


def sample_texts(texts: Sequence[str], size: int) -> Sequence[str]:
    """Take at most `size` texts at equal distances."""
    return texts[:: max(1, -(-len(texts) // size))]


def _only_language(script: str) -> tuple[str | None, float]:
    codes = [code for code, row in LANGUAGES.items() if script in row.scripts]
    return (codes[0], 1.0) if len(codes) == 1 else (None, 0.0)


def _best_language(table: TrigramTable, texts: Sequence[str]) -> tuple[str | None, float]:
    rows, _ = table.look_up(texts)
    if len(rows) < FEWEST_LETTERS:
        return None, 0.0
    counts = np.bincount(rows, minlength=len(table.weights))
    means: FloatArray = counts @ table.weights / len(rows)
    second, best = np.argsort(means)[-2:]
    if -(means[best] + FLOOR) - table.own_surprise(int(best)) > MOST_SURPRISE:
        return None, 0.0
    differences = table.weights[:, best] - table.weights[:, second]
    return table.codes[best], _confidence(counts, differences)


def _confidence(counts: Rows, differences: FloatArray) -> float:
    """The probability that the mean difference is truly above zero, from its standard error."""
    n = counts.sum()
    mean = (counts * differences).sum() / n
    variance = (counts * (differences - mean) ** 2).sum() / n
    error = sqrt(max(variance, 1e-12) * OVERLAP / n)
    return 0.5 * (1.0 + erf(mean / error / sqrt(2)))


def find_foreign_lines(lines: Sequence[str], code: str) -> dict[int, str]:
    """Find the lines that are clearly in another language than `code`, though in its script.

    Returns
    -------
    The other language of each such line, by its row. Short lines are never among them.
    """
    found: dict[int, str] = {}
    for table in _tables_of(code):
        for first in range(0, len(lines), BLOCK_LINES):
            block = lines[first : first + BLOCK_LINES]
            own = table.codes.index(code)
            doubtful = _doubtful_lines(table, block, own)
            others = ((row, _other_language(table, block[row], own)) for row in doubtful)
            found |= {first + row: other for row, other in others if other is not None}
    return found


def _tables_of(code: str) -> list[TrigramTable]:
    scripts = LANGUAGES[code].scripts if code in LANGUAGES else ()
    tables = [load_trigrams(script) for script in scripts]
    return [table for table in tables if table is not None and code in table.codes]


def _doubtful_lines(table: TrigramTable, lines: Sequence[str], own: int) -> list[int]:
    """Choose the lines that surprise the language more than its own text does."""
    rows, owners = table.look_up(lines)
    n_letters = np.bincount(owners, minlength=len(lines))
    means = np.bincount(owners, table.weights[rows, own], len(lines)) / np.maximum(n_letters, 1)
    is_doubtful = -(means + FLOOR) > table.own_surprise(own)
    found: list[int] = np.flatnonzero(is_doubtful & (n_letters >= FEWEST_LETTERS)).tolist()
    return found


def _other_language(table: TrigramTable, line: str, own: int) -> str | None:
    counts = np.bincount(table.look_up([line])[0], minlength=len(table.weights))
    best = int((counts @ table.weights).argmax())
    differences = table.weights[:, best] - table.weights[:, own]
    if best == own or _confidence(counts, differences) < LEAST_LINE_CONFIDENCE:
        return None
    return table.codes[best]
