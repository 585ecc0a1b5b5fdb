"""How much a place in an output looks like the boundary of a segment: its punctuation, capital letters, line breaks."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.alignment.streams import CLOSING, Stream, may_begin
from tertium.values import FloatArray, IdArray

Classes = npt.NDArray[np.int8]

# How a text ends, apart from closing quotes and brackets.
ENDS = ("stop", "question", "exclamation", "colon", "comma", "closed", "open")
_END_MARKS = {
    mark: number
    for number, marks in enumerate((".…。｡۔।॥။។", "?？؟", "!！", ":;：；؛", ",、，،-–—"))
    for mark in marks
}
_CLOSED, _OPEN = ENDS.index("closed"), ENDS.index("open")
_N_SENTENCE_ENDS = 3  # the first ones

# How a text begins, apart from opening quotes and brackets. Only words of an output are known to be names: words that
# have a capital letter at every place, alone or behind another capitalised word.
STARTS = ("capital", "lower", "digit", "symbol", "uncased", "name", "inner name")
_CAPITAL, _LOWER, _DIGIT, _SYMBOL, _UNCASED, _NAME, _INNER_NAME = range(len(STARTS))
N_REFERENCE_STARTS = _NAME
_LETTERS = ((str.isdigit, _DIGIT), (str.isupper, _CAPITAL), (str.islower, _LOWER))
_OPENING = "\"'“„«‹‘「『（(《〈[【"
_PUNCTUATION = ".,;:!?\"'()[]{}«»“”‘’„‚…-–—"

# The costs of cuts: how much rarer each combination is at true boundaries than at other places (logarithm, least cost of
# the row 0, a cut in the middle of a sentence about 1). Learnt by tools/learn_boundaries.py from outputs of WMT15 and
# WMT22, two systems of each language pair into English. A row is the end or start of a reference, a column that of the
# output.
END_COSTS: FloatArray = np.array(
    [
        [0.00, 0.18, 0.23, 0.46, 0.47, 0.29, 0.45],
        [0.31, 0.00, 0.22, 0.59, 0.61, 0.43, 0.55],
        [0.29, 0.22, 0.00, 0.55, 0.63, 0.36, 0.56],
        [0.10, 0.13, 0.18, 0.00, 0.50, 0.36, 0.43],
        [0.03, 0.00, 0.10, 0.29, 0.13, 0.28, 0.31],
        [0.05, 0.06, 0.07, 0.35, 0.38, 0.00, 0.33],
        [0.00, 0.01, 0.08, 0.21, 0.31, 0.12, 0.16],
    ]
)
START_COSTS: FloatArray = np.array(
    [
        [0.00, 0.38, 0.28, 0.25, 0.39, 0.11, 0.24],
        [0.00, 0.15, 0.27, 0.14, 0.12, 0.10, 0.22],
        [0.07, 0.38, 0.00, 0.35, 0.20, 0.20, 0.30],
        [0.10, 0.42, 0.35, 0.00, 0.19, 0.21, 0.29],
        [0.00, 0.37, 0.21, 0.20, 0.05, 0.11, 0.24],
    ]
)
OPENING_COSTS: FloatArray = np.array(
    [
        [0.00, 0.05],
        [0.35, 0.00],
    ]
)
_NO_BREAK = 0.25  # the output has no line break there; chosen on the same texts


class Starts(NamedTuple):
    """How texts begin: their class of `STARTS`, and whether they begin with an opening quote or bracket."""

    classes: Classes
    openings: npt.NDArray[np.bool_]


def classify_ends(texts: Sequence[str]) -> Classes:
    """Return the class of each text's end.

    >>> [ENDS[end] for end in classify_ends(["It rained.", 'Who said "no"?', "Chapter (2)", "Chapter One"])]
    ['stop', 'question', 'closed', 'open']
    """
    return np.array([_classify_end(text) for text in texts], dtype=np.int8)


def _classify_end(text: str) -> int:
    inner = text.rstrip(CLOSING)
    return _END_MARKS.get(inner[-1:], _OPEN if len(inner) == len(text) else _CLOSED)


def classify_starts(texts: Sequence[str]) -> Starts:
    """Return the class of each text's start, without names.

    >>> found = classify_starts(["Rain", "rain", '"Rain', "3 days", "雨"])
    >>> [STARTS[start] for start in found.classes], found.openings.tolist()
    (['capital', 'lower', 'capital', 'digit', 'uncased'], [False, False, True, False, False])
    """
    classes = np.array([_classify_start(text) for text in texts], dtype=np.int8)
    return Starts(classes, np.array([text[:1] in _OPENING and text != "" for text in texts], dtype=bool))


def _classify_start(text: str) -> int:
    first = next((character for character in text.partition(" ")[0][:6] if character.isalnum()), "")
    if not first:
        return _SYMBOL
    return next((number for is_such, number in _LETTERS if is_such(first)), _UNCASED)


class Places(NamedTuple):
    """The places where a stream may be cut, before each unit and at its end, with the classes of the texts on both sides."""

    ends: Classes
    starts: Starts


def classify_places(stream: Stream) -> Places:
    """Classify the texts before and behind each place; capitalised words that never occur in lower case are names."""
    texts, index = stream.distinct, stream.index
    ends, starts = classify_ends(texts)[index], classify_starts(texts)
    lower = {text.strip(_PUNCTUATION) for text in texts if text[:1].islower()}
    is_capital = starts.classes == _CAPITAL
    is_common = np.array([text.strip(_PUNCTUATION).lower() in lower for text in texts], dtype=bool)
    classes = np.where(is_capital & ~is_common, _NAME, starts.classes)[index]
    is_behind_capital = np.zeros(len(index), dtype=bool)
    is_behind_capital[1:] = is_capital[index[:-1]] & (ends[:-1] >= _N_SENTENCE_ENDS)
    classes[(classes == _NAME) & is_behind_capital] = _INNER_NAME
    return Places(
        np.append(_OPEN, ends).astype(np.int8),
        Starts(np.append(classes, _SYMBOL).astype(np.int8), np.append(starts.openings[index], values=False)),
    )


class CutCosts(NamedTuple):
    """The costs of cuts: a row per kind of cut with the cost at each place, and the kind of each segment's cut."""

    rows: FloatArray
    kinds: IdArray


def weigh_cuts(stream: Stream, references: Sequence[str]) -> CutCosts:
    """Compute the costs of cutting a stream at each place, relative to a cut in the middle of a sentence.

    Parameters
    ----------
    references
        A reference of each segment. How it ends, and how the next one begins, determines the kind of the cut behind
        the segment.
    """
    places = classify_places(stream)
    ends, starts = classify_ends(references), classify_starts([*references[1:], ""])
    shape = (len(ENDS), N_REFERENCE_STARTS, 2)
    kinds = np.ravel_multi_index((ends, starts.classes, starts.openings.astype(np.int8)), shape)
    different, numbers = np.unique(kinds, return_inverse=True)
    rows = np.array(
        [
            END_COSTS[end, places.ends]
            + START_COSTS[start, places.starts.classes]
            + OPENING_COSTS[opening, places.starts.openings.astype(np.int8)]
            for end, start, opening in zip(*np.unravel_index(different, shape), strict=True)
        ]
    )
    rows[:, -1] = 0.0  # nothing follows
    rows += _NO_BREAK * ~np.array([False, *stream.breaks[1:], False])[: len(stream) + 1]
    is_closing = np.array([not may_begin(text) for text in stream.distinct], dtype=bool)[stream.index]
    rows[:, :-1][:, is_closing] = np.inf
    rows[:, 0] = 1.0  # the first segment may be empty
    return CutCosts(rows, numbers.astype(np.int32))
