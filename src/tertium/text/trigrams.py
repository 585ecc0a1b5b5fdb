"""How frequent letter trigrams are in languages that share a script."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from tertium.text.scripts import SCRIPTS, decode_text, number_scripts
from tertium.types import FloatArray

__all__ = ["FLOOR", "STEP", "Rows", "TrigramTable", "load_trigrams"]

# Logarithm of the probability of a trigram that a language has too rarely to be counted, and the step in
# which the others are stored above it.
FLOOR, STEP = -11.0, 1 / 16

_BORDER, _STRANGER = 0, 1
_LAST = 0xFFFF  # no script of the table has letters beyond

# Letters that the counts take for others: Vietnamese vowels with a tone, Romanian commas for cedillas, the
# Persian yeh.
_FOLDED = {**dict.fromkeys(range(0x1EA0, 0x1F00), 0x1EC3), 0x219: 0x15F, 0x21B: 0x163, 0x6CC: 0x64A}

Rows = npt.NDArray[np.int64]
Letters = npt.NDArray[np.uint8]


class TrigramTable:
    """The trigrams of the languages of one script.

    `weights` has a row for each trigram and a column for each language: the logarithm of the trigram's
    probability, above the floor. Row 0 stands for every trigram that no language has often.
    """

    def __init__(self, script: str, codes: Sequence[str], trigrams: str, weights: Letters) -> None:
        self.codes = tuple(codes)
        self.weights: FloatArray = np.vstack([np.zeros(len(codes)), weights * STEP])
        letters = sorted(set(trigrams) - {" "})
        self._size = len(letters) + 2
        self._numbers = _number_letters(script, letters)
        numbers = self._numbers[decode_text(trigrams)].reshape(-1, 3)
        self._rows = np.zeros(self._size**3, dtype=np.int16)
        self._rows[self._places(*numbers.T)] = np.arange(1, len(numbers) + 1)

    def look_up(self, texts: Sequence[str]) -> tuple[Rows, Rows]:
        """Find the trigram around each letter of the texts: its row, and the number of its text."""
        folded = [f" {_fold(text)} " for text in texts]
        numbers = self._numbers[np.minimum(decode_text("".join(folded)), _LAST)]
        middles = np.flatnonzero(numbers)
        rows = self._rows[self._places(numbers[middles - 1], numbers[middles], numbers[middles + 1])]
        ends = np.cumsum([len(text) for text in folded])
        return rows.astype(np.int64), np.searchsorted(ends, middles, side="right")

    def own_surprise(self, language: int) -> float:
        """How much a letter of its own text surprises a language, in nats, on average."""
        weights = self.weights[1:, language]
        logs = weights[weights > 0] + FLOOR
        shares = np.exp(logs)
        return -float((shares * logs).sum() + (1.0 - shares.sum()) * FLOOR)

    def _places(self, first: Letters, second: Letters, third: Letters) -> Rows:
        return (first.astype(np.int64) * self._size + second) * self._size + third


@cache
def load_trigrams(script: str) -> TrigramTable | None:
    """Load the trigrams of a script; None if the package has none."""
    source = files("tertium.text") / "data" / "trigrams.npz"
    with source.open("rb") as file, np.load(file, allow_pickle=False) as data:
        if f"{script} weights" not in data:
            return None
        codes, trigrams = (data[f"{script} {part}"].tobytes().decode() for part in ("languages", "trigrams"))
        return TrigramTable(script, codes.split(), trigrams, data[f"{script} weights"])


def _fold(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text.lower())


def _number_letters(script: str, letters: Sequence[str]) -> Letters:
    """Number the letters from 2 on; other letters of the script are strangers, the rest borders of words."""
    is_letter = number_scripts(np.arange(_LAST + 1, dtype=np.uint32)) == SCRIPTS.index(script) + 1
    numbers = np.where(is_letter, _STRANGER, _BORDER).astype(np.uint8)
    numbers[decode_text("".join(letters))] = np.arange(2, len(letters) + 2)
    for letter, other in _FOLDED.items():
        numbers[letter] = numbers[other]
    return numbers
