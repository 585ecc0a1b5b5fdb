"""Writing systems: which script a line or a whole text is written in."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

__all__ = [
    "CASED_SCRIPTS",
    "FEWEST_LETTERS",
    "SCRIPTS",
    "count_scripts",
    "decode_text",
    "find_line_scripts",
    "name_main_script",
    "number_scripts",
]

CountArray = npt.NDArray[np.int64]
CodeArray = npt.NDArray[np.uint32]

# First and last code point of blocks of letters (Unicode 15, Blocks.txt), without digits and signs
# that several scripts share. Scripts missing here count as no script, and are never reported.
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
_LAST = 0x3FFFF

CASED_SCRIPTS = frozenset({"Latin", "Greek", "Cyrillic", "Armenian"})

# Fewer letters than this say nothing: "OK", "km/h" and a name are at home in every text.
FEWEST_LETTERS = 5


def decode_text(text: str) -> CodeArray:
    """The code points of a text; lone surrogates are kept."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def number_scripts(codes: CodeArray) -> npt.NDArray[np.uint8]:
    """Give each code point the number of its script: 1 for the first of `SCRIPTS`, 0 if it is not a letter."""
    return _script_table()[np.minimum(codes, _LAST)]


def count_scripts(lines: Sequence[str]) -> CountArray:
    """Count the letters of each script in each line: (lines, scripts), column 0 for everything else."""
    scripts = number_scripts(decode_text("".join(lines)))
    owners = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    size = len(_NAMES)
    return np.bincount(owners * size + scripts, minlength=len(lines) * size).reshape(len(lines), size)


def name_main_script(counts: CountArray) -> str | None:
    """Name the script of most letters of a text; Japanese is a mixture of its own."""
    totals = counts.sum(axis=0)
    totals[0] = 0
    main = int(totals.argmax())
    if 2 * totals[main] <= totals.sum() or totals[main] < FEWEST_LETTERS:
        return _name_mixture(totals)
    return _name_mixture(totals) or _NAMES[main]


def find_line_scripts(counts: CountArray) -> CountArray:
    """Number the script of most letters of each line; 0 where there is none."""
    merged = counts.copy()
    merged[:, 0] = 0
    merged[:, _HAN] += merged[:, _KANA]  # a short line may be Japanese without kana
    merged[:, _KANA] = 0
    main = merged.argmax(axis=1)
    largest = merged.max(axis=1)
    clear = (2 * largest > merged.sum(axis=1)) & (largest >= FEWEST_LETTERS)
    return np.where(clear, main, 0)


def _name_mixture(totals: CountArray) -> str | None:
    han_kana = totals[_HAN] + totals[_KANA]
    # Chinese text has a few kana in names; Japanese text is one third to two thirds kana.
    if 2 * han_kana > totals.sum() and 10 * totals[_KANA] > han_kana >= FEWEST_LETTERS:
        return "Japanese"
    return None


@cache
def _script_table() -> npt.NDArray[np.uint8]:
    table = np.zeros(_LAST + 1, dtype=np.uint8)
    for number, name in enumerate(_NAMES[1:], start=1):
        for first, last in _RANGES[name]:
            table[first : last + 1] = number
    return table
