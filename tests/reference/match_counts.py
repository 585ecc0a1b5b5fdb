"""METEOR's counts of matched words in plain Python, word by word."""

from collections.abc import Sequence

from tertium.values import WordAlignments

__all__ = ["count_pair"]

KINDS = len(WordAlignments.KINDS)


def count_pair(
    texts: tuple[Sequence[int], Sequence[int]],
    matches: Sequence[tuple[int, int, int, int, int]],
    chunks: int,
    is_function_word: Sequence[bool],
) -> list[int]:
    """Count for one hypothesis and one reference, given as ids."""
    lengths = [len(text) for text in texts]
    functional = [sum(is_function_word[word] for word in text) for text in texts]
    by_kind = [0] * (4 * KINDS)
    matched = [0, 0]
    for reference, reference_length, hypothesis, hypothesis_length, kind in matches:
        ends = ((hypothesis, hypothesis_length), (reference, reference_length))
        for side, (begin, length) in enumerate(ends):
            for word in texts[side][begin : begin + length]:
                by_kind[4 * kind + 2 * is_function_word[word] + side] += 1
                matched[side] += 1
    is_whole = matched == lengths and chunks == 1
    return [*lengths, *functional, *by_kind, 0 if is_whole else chunks, *matched]
