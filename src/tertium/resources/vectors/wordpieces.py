"""Words into pieces: the longest known beginning first, then the longest known continuations.

The scheme is BERT's WordPiece (lower case, no accents, cut at punctuation), over any inventory in which
a continuation is written with `##` before it.
"""

import unicodedata
from collections.abc import Callable

__all__ = ["CONTINUATION", "cut_word"]

CONTINUATION = "##"
# No piece of BERT's vocabulary is longer; trying longer ones would only cost time.
LONGEST_PIECE = 18


def cut_word(word: str, find: Callable[[bytes], int]) -> list[int]:
    """The rows of a word's pieces, left to right; characters that no piece covers are left out.

    `find` gives a piece's row, or -1.
    """
    return [row for part in _parts(_plain(word)) for row in _cut_part(part, find)]


def _cut_part(part: str, find: Callable[[bytes], int]) -> list[int]:
    rows, start = [], 0
    while start < len(part):
        row, end = _longest_piece(part, start, find)
        if row >= 0:
            rows.append(row)
        start = end
    return rows


def _longest_piece(part: str, start: int, find: Callable[[bytes], int]) -> tuple[int, int]:
    mark = CONTINUATION if start else ""
    for end in range(min(len(part), start + LONGEST_PIECE), start, -1):
        row = find((mark + part[start:end]).encode(errors="surrogatepass"))
        if row >= 0:
            return row, end
    return -1, start + 1


def _plain(word: str) -> str:
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFD", word.lower())
    return "".join(character for character in decomposed if unicodedata.category(character) != "Mn")


def _parts(word: str) -> list[str]:
    if word.isalnum() and word.isascii():
        return [word]
    spaced = "".join(f" {character} " if _stands_alone(character) else character for character in word)
    return spaced.split()


def _stands_alone(character: str) -> bool:
    is_ascii_symbol = character.isascii() and not character.isalnum()
    is_ideograph = "\u4e00" <= character <= "\u9fff"
    return is_ascii_symbol or is_ideograph or unicodedata.category(character).startswith("P")
