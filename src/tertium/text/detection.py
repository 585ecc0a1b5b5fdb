"""Language detection: by the script of a text, and by letter trigrams if several languages share the script."""

import unicodedata
import zlib
from collections.abc import Sequence
from functools import cache, cached_property
from math import sqrt
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tertium.kernels.elementary import erfc, exp
from tertium.records import record
from tertium.text.languages import LANGUAGES
from tertium.values import FloatArray

Item = TypeVar("Item")

CountArray = npt.NDArray[np.int64]
CodeArray = npt.NDArray[np.uint32]

# First and last code point of blocks of letters (Unicode 15, Blocks.txt), without digits and symbols
# that several scripts share. Letters of scripts that are missing here are ignored.
_RANGES: dict[str, tuple[tuple[int, int], ...]] = {
    "Latin": (
        (0x41, 0x5A), (0x61, 0x7A), (0xC0, 0xD6), (0xD8, 0xF6), (0xF8, 0x2AF), (0x1E00, 0x1EFF),
        (0x2C60, 0x2C7F), (0xA720, 0xA7FF), (0xAB30, 0xAB6F), (0xFF21, 0xFF3A), (0xFF41, 0xFF5A),
    ),
    "Greek": ((0x370, 0x373), (0x376, 0x37D), (0x386, 0x386), (0x388, 0x3FF), (0x1F00, 0x1FFF)),
    "Cyrillic": ((0x400, 0x52F), (0x1C80, 0x1C8F), (0x2DE0, 0x2DFF), (0xA640, 0xA69F)),
    "Armenian": ((0x531, 0x556), (0x561, 0x587)),
    "Hebrew": ((0x591, 0x5F4), (0xFB1D, 0xFB4F)),
    "Arabic": (
        (0x610, 0x61A), (0x620, 0x65F), (0x66E, 0x6D3), (0x750, 0x77F), (0x8A0, 0x8FF),
        (0xFB50, 0xFDFF), (0xFE70, 0xFEFC),
    ),
    "Syriac": ((0x700, 0x74F),),
    "Thaana": ((0x780, 0x7BF),),
    "Devanagari": ((0x900, 0x963), (0x970, 0x97F)),
    "Bengali": ((0x980, 0x9E3),),
    "Gurmukhi": ((0xA01, 0xA65),),
    "Gujarati": ((0xA81, 0xAE5),),
    "Odia": ((0xB01, 0xB65),),
    "Tamil": ((0xB82, 0xBE5),),
    "Telugu": ((0xC00, 0xC65),),
    "Kannada": ((0xC80, 0xCE5),),
    "Malayalam": ((0xD00, 0xD65),),
    "Sinhala": ((0xD81, 0xDE5),),
    "Thai": ((0xE01, 0xE4E),),
    "Lao": ((0xE81, 0xECF),),
    "Tibetan": ((0xF00, 0xF1F), (0xF34, 0xFFF)),
    "Burmese": ((0x1000, 0x103F), (0x104C, 0x109F)),
    "Georgian": ((0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x2D00, 0x2D2F)),
    "Hangul": ((0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97F), (0xAC00, 0xD7FF)),
    "Ethiopic": ((0x1200, 0x1360), (0x1380, 0x139F), (0x2D80, 0x2DDF)),
    "Cherokee": ((0x13A0, 0x13FF), (0xAB70, 0xABBF)),
    "Canadian syllabics": ((0x1400, 0x167F),),
    "Khmer": ((0x1780, 0x17D3),),
    "Mongolian": ((0x1820, 0x18AF),),
    "Tifinagh": ((0x2D30, 0x2D7F),),
    "Han": (
        (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF),
        (0x20000, 0x3FFFD),
    ),
    "Kana": ((0x3041, 0x309F), (0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9D)),
}  # fmt: skip

_NAMES = ("none", *_RANGES)
SCRIPTS = (*_RANGES, "Japanese")
_HAN, _KANA = _NAMES.index("Han"), _NAMES.index("Kana")
_LAST_CODE_POINT = 0x3FFFF

CASED_SCRIPTS = frozenset({"Latin", "Greek", "Cyrillic", "Armenian"})

# Minimum number of letters: "OK", "km/h" and names occur in text of any language.
MIN_SCRIPT_LETTERS = 5


def decode_text(text: str) -> CodeArray:
    """Return the code points of a text; lone surrogates are kept."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def number_scripts(codes: CodeArray) -> npt.NDArray[np.uint8]:
    """Map each code point to the number of its script: 1 for the first of `SCRIPTS`, 0 if it is not a letter."""
    return _script_table()[np.minimum(codes, _LAST_CODE_POINT)]


def count_scripts(lines: Sequence[str]) -> CountArray:
    """Count the letters of each script in each line: (lines, scripts), column 0 for everything else."""
    scripts = number_scripts(decode_text("".join(lines)))
    owners = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    size = len(_NAMES)
    return np.bincount(owners * size + scripts, minlength=len(lines) * size).reshape(len(lines), size)


def name_main_script(counts: CountArray) -> str | None:
    """Return the script of more than half of the letters of a text; a mixture of Han and kana is Japanese."""
    totals = counts.sum(axis=0)
    totals[0] = 0
    main = int(totals.argmax())
    if 2 * totals[main] <= totals.sum() or totals[main] < MIN_SCRIPT_LETTERS:
        return _name_mixture(totals)
    return _name_mixture(totals) or _NAMES[main]


def find_line_scripts(counts: CountArray) -> CountArray:
    """Return the number of the script of more than half of the letters of each line; 0 if there is none."""
    merged = merge_kana(counts)
    main = merged.argmax(axis=1)
    largest = merged.max(axis=1)
    clear = (2 * largest > merged.sum(axis=1)) & (largest >= MIN_SCRIPT_LETTERS)
    return np.where(clear, main, 0)


def find_other_scripts(lines: Sequence[str], scripts: Sequence[str], *, min_letters: int) -> dict[int, str]:
    """Find the lines with few letters of the given scripts, and Chinese lines that are Japanese or the other way round.

    Few are fewer than half of at least `min_letters` letters; where the script is not Latin, in which names of people
    and products are often written, fewer than a tenth.

    Returns
    -------
    The script of most letters of each such line, by line number from 0.
    """
    if not lines:
        return {}
    counts = count_scripts(lines)
    counts[:, 0] = 0
    names = {name for script in scripts for name in (("Han", "Kana") if script == "Japanese" else (script,))}
    own = counts[:, [_NAMES.index(name) for name in names]].sum(axis=1)
    total, kana = counts.sum(axis=1), counts[:, _KANA]
    is_foreign = (2 if "Latin" in names else 10) * own < total
    if "Japanese" in scripts:
        is_foreign |= (kana == 0) & (counts[:, _HAN] >= MIN_LETTERS)
    elif "Han" in names:
        is_foreign |= 10 * kana > counts[:, _HAN] + kana
    rows = np.flatnonzero(is_foreign & (total >= min_letters)).tolist()
    return {row: name_main_script(counts[row : row + 1]) or "unknown" for row in rows}


def merge_kana(counts: CountArray) -> CountArray:
    """Count kana as Han, since a short line may be Japanese without kana, and leave out other characters than letters."""
    merged = counts.copy()
    merged[:, 0] = 0
    merged[:, _HAN] += merged[:, _KANA]
    merged[:, _KANA] = 0
    return merged


def _name_mixture(totals: CountArray) -> str | None:
    han_kana = totals[_HAN] + totals[_KANA]
    # Chinese text has a few kana in names; Japanese text is one third to two thirds kana.
    if 2 * han_kana > totals.sum() and 10 * totals[_KANA] > han_kana >= MIN_SCRIPT_LETTERS:
        return "Japanese"
    return None


@cache
def _script_table() -> npt.NDArray[np.uint8]:
    table = np.zeros(_LAST_CODE_POINT + 1, dtype=np.uint8)
    for number, name in enumerate(_NAMES[1:], start=1):
        for first, last in _RANGES[name]:
            table[first : last + 1] = number
    return table


# Log-probability of a trigram that is too rare in a language to be stored, and the resolution with which the
# log-probabilities above it are stored.
FLOOR, STEP = -11.0, 1 / 16

_BORDER, _STRANGER = 0, 1
_LAST = 0xFFFF  # no script with trigrams has letters above this code point

# Letters that are counted as another letter: Vietnamese vowels with a tone, Romanian letters with a comma (as
# those with a cedilla), and the Persian yeh.
_FOLDED = {**dict.fromkeys(range(0x1EA0, 0x1F00), 0x1EC3), 0x219: 0x15F, 0x21B: 0x163, 0x6CC: 0x64A}

Rows = npt.NDArray[np.int64]
Letters = npt.NDArray[np.uint8]


class TrigramTable:
    """The trigrams of the languages of one script.

    `weights` has a row for each trigram and a column for each language: the trigram's log-probability minus
    the floor, in units of `STEP`. Row 0 is for all trigrams that are rare in every language.
    """

    def __init__(self, script: str, codes: Sequence[str], trigrams: str, weights: Letters) -> None:
        self.codes = tuple(codes)
        self.weights: Letters = np.vstack([np.zeros(len(codes), dtype=np.uint8), weights])
        letters = sorted(set(trigrams) - {" "})
        self._size = len(letters) + 2
        self._numbers = _number_letters(script, letters)
        numbers = self._numbers[decode_text(trigrams)].reshape(-1, 3)
        self._rows = np.zeros(self._size**3, dtype=np.int16)
        self._rows[self._places(*numbers.T)] = np.arange(1, len(numbers) + 1)

    def look_up(self, texts: Sequence[str]) -> tuple[Rows, Rows]:
        """Return the row of the trigram around each letter of the texts, and the index of the letter's text."""
        lowered = [f" {text.lower()} " for text in texts]
        folded = [text if text.isascii() else unicodedata.normalize("NFC", text) for text in lowered]
        numbers = self._numbers[np.minimum(decode_text("".join(folded)), _LAST)]
        middles = np.flatnonzero(numbers)
        rows = self._rows[self._places(numbers[middles - 1], numbers[middles], numbers[middles + 1])]
        ends = np.cumsum([len(text) for text in folded])
        return rows.astype(np.int64), np.searchsorted(ends, middles, side="right")

    def weigh(self, counts: Rows) -> FloatArray:
        """Sum the weights of trigrams, given the count of each row, for every language."""
        used = np.flatnonzero(counts)
        return np.asarray(counts[used] @ (self.weights[used] * STEP))

    def compare(self, one: int, other: int) -> FloatArray:
        """Subtract the weights of another language from the weights of one."""
        return self.weights[:, one] * STEP - self.weights[:, other] * STEP

    def own_surprise(self, language: int) -> float:
        """Return the mean surprisal per letter of text in a language under its own model (its entropy), in nats."""
        weights = self.weights[1:, language]
        logs = weights[weights > 0] * STEP + FLOOR
        shares = exp(logs)
        return -float((shares * logs).sum() + (1.0 - shares.sum()) * FLOOR)

    def _places(self, first: Letters, second: Letters, third: Letters) -> Rows:
        return (first.astype(np.int64) * self._size + second) * self._size + third


@cache
def load_trigrams(script: str) -> TrigramTable | None:
    """Load the trigrams of a script; None if the package has none."""
    source = Path(__file__).parent / "data" / "trigrams" / f"{script}.z"
    if not source.exists():
        return None
    # compressed with zlib: a line of languages, a line of trigrams, and the weights (trigrams, languages)
    codes, trigrams, weights = zlib.decompress(source.read_bytes()).split(b"\n", 2)
    languages = codes.decode().split()
    table = np.frombuffer(weights, dtype=np.uint8).reshape(-1, len(languages))
    return TrigramTable(script, languages, trigrams.decode(), table)


def _number_letters(script: str, letters: Sequence[str]) -> Letters:
    """Number the letters from 2 on; other letters of the script are 1, and all other characters 0 (word borders)."""
    is_letter = number_scripts(np.arange(_LAST + 1, dtype=np.uint32)) == SCRIPTS.index(script) + 1
    numbers = np.where(is_letter, _STRANGER, _BORDER).astype(np.uint8)
    numbers[decode_text("".join(letters))] = np.arange(2, len(letters) + 2)
    for letter, other in _FOLDED.items():
        numbers[letter] = numbers[other]
    return numbers


# The size of the sample, regardless of the size of the text.
SAMPLE_TEXTS, SAMPLE_CHARACTERS = 200, 500

# Less than a sentence is little evidence: names and loan words are similar in many languages.
MIN_LETTERS = 30

# Maximum excess of the text's mean surprisal per letter over the entropy of the language, in nats.
# Measured on ten sentences each: at most 0.7 in 32 languages, but 0.8 in Nepali; at least 0.79 in 15 languages
# that the table does not have. Malay (-0.2) and Ligurian (0.7) are detected as Indonesian and Italian.
MAX_SURPRISE = 0.75

# Minimum confidence for naming a language. Measured on 6,300 single lines of WMT12 and WMT15 in seven languages:
# no line is assigned a wrong language; 58 % of the lines of 40 to 60 characters and 97 % of those with more than
# 120 are assigned one.
MIN_CONFIDENCE = 0.95

# Minimum confidence for reporting a line as foreign: high, because many lines are tested. Measured: one of 22,000
# lines of WMT12 and WMT15 is reported, an English title in a German translation; 85 to 96 % of foreign lines are
# found.
MIN_LINE_CONFIDENCE = 0.995

BLOCK_LINES = 4096

# Trigrams overlap, so two of them count as one observation.
OVERLAP = 2


@record
class LanguageGuess:
    """The language and the script of a text; None if it cannot be determined.

    `confidence` is the probability that this language fits better than the second best.
    """

    code: str | None
    script: str | None
    confidence: float


@record(eq=False, repr=False)
class TextLanguage:
    """The language of texts, detected once, on first use."""

    texts: Sequence[str]

    @cached_property
    def guess(self) -> LanguageGuess:
        return detect_language(self.texts)


def detect_language(texts: Sequence[str]) -> LanguageGuess:
    """Detect the language of texts that are all in the same language, from a sample of them.

    The language is None if the evidence is weak: few letters, two languages that fit about equally well, or a
    text that is improbable in every known language.

    >>> detect_language(["Der Rat tritt am Dienstag zusammen, um über die Preise zu beraten."]).code
    'de'
    >>> detect_language(["OK", "Paris 2015"])
    LanguageGuess(code=None, script='Latin', confidence=0.0)
    """
    taken = [text[:SAMPLE_CHARACTERS] for text in sample_texts(texts, SAMPLE_TEXTS)]
    counts = count_scripts(taken)
    script = name_main_script(counts)
    if script is None or counts[:, 1:].sum() < MIN_LETTERS:
        return LanguageGuess(None, script, 0.0)
    table = load_trigrams(script)
    code, confidence = _only_language(script) if table is None else _best_language(table, taken)
    return LanguageGuess(code if confidence >= MIN_CONFIDENCE else None, script, confidence)


def can_detect(code: str) -> bool:
    """Whether `detect_language` knows this language."""
    scripts = LANGUAGES[code].scripts if code in LANGUAGES else ()
    return bool(_tables_of(code)) or any(_only_language(script)[0] == code for script in scripts)


def sample_texts(texts: Sequence[Item], size: int) -> Sequence[Item]:
    """Return at most `size` texts at equal distances."""
    return texts[:: max(1, -(-len(texts) // size))]


def _only_language(script: str) -> tuple[str | None, float]:
    codes = [code for code, row in LANGUAGES.items() if script in row.scripts]
    return (codes[0], 1.0) if len(codes) == 1 else (None, 0.0)


def _best_language(table: TrigramTable, texts: Sequence[str]) -> tuple[str | None, float]:
    rows, _ = table.look_up(texts)
    if len(rows) < MIN_LETTERS:
        return None, 0.0
    counts = np.bincount(rows, minlength=len(table.weights))
    means = table.weigh(counts) / len(rows)
    second, best = np.argsort(means)[-2:]
    if -(means[best] + FLOOR) - table.own_surprise(int(best)) > MAX_SURPRISE:
        return None, 0.0
    return table.codes[best], _confidence(counts, table.compare(int(best), int(second)))


def _confidence(counts: Rows, differences: FloatArray) -> float:
    """Return the probability that the true mean difference is above zero, by its standard error."""
    n = counts.sum()
    mean = (counts * differences).sum() / n
    variance = (counts * (differences - mean) ** 2).sum() / n
    error = sqrt(max(variance, 1e-12) * OVERLAP / n)
    return float(1.0 - 0.5 * erfc(mean / error / sqrt(2)))


def find_foreign_lines(lines: Sequence[str], code: str, *, min_excess: float = 0.0) -> dict[int, str]:
    """Find the lines that are clearly in another language than `code` but in the same script.

    Parameters
    ----------
    min_excess
        The least excess of a line's mean surprisal per letter over the entropy of the language, in nats. With 0.4 the
        search takes a fifth of the time and finds 96 to 99 % of the lines.

    Returns
    -------
    The detected language of each such line, by line number from 0. Short lines are never included.
    """
    found: dict[int, str] = {}
    for table in _tables_of(code):
        for first in range(0, len(lines), BLOCK_LINES):
            block = lines[first : first + BLOCK_LINES]
            own = table.codes.index(code)
            candidates = _find_candidates(table, block, own, min_excess)
            others = ((row, _other_language(table, block[row], own)) for row in candidates)
            found |= {first + row: other for row, other in others if other is not None}
    return found


def _tables_of(code: str) -> list[TrigramTable]:
    scripts = LANGUAGES[code].scripts if code in LANGUAGES else ()
    tables = [load_trigrams(script) for script in scripts]
    return [table for table in tables if table is not None and code in table.codes]


def _find_candidates(table: TrigramTable, lines: Sequence[str], own: int, min_excess: float) -> list[int]:
    """Find the lines that are less probable in the language `own` than its average text."""
    rows, owners = table.look_up(lines)
    n_letters = np.bincount(owners, minlength=len(lines))
    means = np.bincount(owners, table.weights[rows, own] * STEP, len(lines)) / np.maximum(n_letters, 1)
    is_improbable = -(means + FLOOR) > table.own_surprise(own) + min_excess
    found: list[int] = np.flatnonzero(is_improbable & (n_letters >= MIN_LETTERS)).tolist()
    return found


def _other_language(table: TrigramTable, line: str, own: int) -> str | None:
    counts = np.bincount(table.look_up([line])[0], minlength=len(table.weights))
    best = int(table.weigh(counts).argmax())
    if best == own or _confidence(counts, table.compare(best, own)) < MIN_LINE_CONFIDENCE:
        return None
    return table.codes[best]
