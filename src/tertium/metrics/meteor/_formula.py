"""METEOR's statistics, formula and published parameters.

Denkowski & Lavie (2014), Meteor Universal: Language Specific Translation Evaluation for Any Target Language.
"""

from dataclasses import replace
from typing import Literal

import numpy as np

from tertium.text.languages import LANGUAGES
from tertium.text.meteor_settings import MatchKind, MeteorParameters
from tertium.types import Alignments, FloatArray, OffsetArray, TokenColumn

__all__ = [
    "COLUMNS",
    "Task",
    "add_synonyms",
    "combine_meteor",
    "count_meteor",
    "meteor_parts",
    "published_modules",
    "published_parameters",
    "weigh_synonyms",
]

Task = Literal["rank", "adq", "hter", "li", "tune"]

_KINDS = Alignments.KINDS
# Lengths and function words of hypothesis and reference; per kind the matched content words of both and
# the matched function words of both; chunks; matched words of both.
COLUMNS = 4 + 4 * len(_KINDS) + 3


# Parameters that METEOR tuned to no language.
_ANY_LANGUAGE = {
    "li": MeteorParameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": MeteorParameters(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
}


def published_modules(language: str) -> tuple[MatchKind, ...]:
    """The modules that METEOR 1.5 has for a language."""
    settings = LANGUAGES[language].meteor
    return () if settings is None else settings.modules


def add_synonyms(modules: tuple[MatchKind, ...]) -> tuple[MatchKind, ...]:
    """Put the synonym module in its place among the modules of a language for which METEOR has none."""
    if "synonym" in modules:
        return modules
    place = _place_of_synonyms(modules)
    return (*modules[:place], "synonym", *modules[place:])


def weigh_synonyms(parameters: MeteorParameters, modules: tuple[MatchKind, ...]) -> MeteorParameters:
    """Give the synonym module that `add_synonyms` adds METEOR's weight for a language that it does not know."""
    if "synonym" in modules:
        return parameters
    place, weights = _place_of_synonyms(modules), parameters.weights
    weight = _ANY_LANGUAGE["li"].weights[_KINDS.index("synonym")]
    return replace(parameters, weights=(*weights[:place], weight, *weights[place:]))


def _place_of_synonyms(modules: tuple[MatchKind, ...]) -> int:
    return sum(_KINDS.index(kind) < _KINDS.index("synonym") for kind in modules)


def published_parameters(language: str, task: Task) -> MeteorParameters | None:
    """Look up METEOR 1.5's parameters; without tuned ones for ranking, a language has the universal ones."""
    if task in _ANY_LANGUAGE:
        return _ANY_LANGUAGE[task]
    known: MeteorParameters | None = getattr(LANGUAGES[language].meteor, task)
    return _ANY_LANGUAGE["li"] if known is None and task == "rank" else known


def count_meteor(
    hypotheses: TokenColumn,
    references: TokenColumn,
    alignments: Alignments,
    groups: OffsetArray,
    is_function_word: FloatArray,
) -> FloatArray:
    """Count METEOR's sufficient statistics for every pair of a segment and a reference.

    Parameters
    ----------
    is_function_word
        One or zero for each word of the vocabulary.

    A pair that is aligned word for word in one chunk counts no chunk.
    """
    rows = np.zeros((len(alignments), COLUMNS))
    segments = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    _count_side(rows, 0, (hypotheses, segments), alignments, is_function_word)
    _count_side(rows, 1, (references, np.arange(len(references))), alignments, is_function_word)
    is_whole = (rows[:, -2] == rows[:, 0]) & (rows[:, -1] == rows[:, 1]) & (alignments.chunks == 1)
    rows[:, -3] = np.where(is_whole, 0, alignments.chunks)
    return rows


def _count_side(
    rows: FloatArray,
    side: int,
    texts: tuple[TokenColumn, OffsetArray],
    alignments: Alignments,
    is_function_word: FloatArray,
) -> None:
    """Fill in what concerns the hypotheses (side 0) or the references (1), of which each pair has one."""
    column, owners = texts
    pairs = np.repeat(np.arange(len(alignments)), np.diff(alignments.offsets))
    place, covered = alignments.matches[:, 2 - 2 * side], alignments.matches[:, 3 - 2 * side]
    function_words = np.concatenate([[0.0], np.cumsum(is_function_word[column.ids])])
    begins, ends = column.offsets[owners], column.offsets[owners + 1]
    rows[:, side] = ends - begins
    rows[:, 2 + side] = function_words[ends] - function_words[begins]
    starts = begins[pairs] + place
    functional = function_words[starts + covered] - function_words[starts]
    width = COLUMNS - 7
    cells = pairs * width + 4 * alignments.matches[:, 4] + side
    for shift, words in ((0, covered - functional), (2, functional)):
        sums = np.bincount(cells + shift, words, minlength=len(rows) * width)
        rows[:, 4:-3] += sums.reshape(-1, width)
    rows[:, COLUMNS - 2 + side] = np.bincount(pairs, covered, minlength=len(rows))


def combine_meteor(totals: FloatArray, parameters: MeteorParameters, weights: FloatArray) -> FloatArray:
    """Compute 100 · (1 − γ·(chunks / matches)^β) · P·R / (α·P + (1 − α)·R).

    `weights` has one entry per kind of match. Without any match the score is zero.
    """
    precision, recall, penalty = meteor_parts(totals, parameters, weights)
    mixed = parameters.alpha * precision + (1.0 - parameters.alpha) * recall
    mean = precision * recall / np.where(mixed > 0, mixed, 1.0)
    return np.asarray(100.0 * mean * (1.0 - penalty))


def meteor_parts(
    totals: FloatArray, parameters: MeteorParameters, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Compute weighted precision, weighted recall and the penalty for chunks."""
    delta = parameters.delta
    matches = totals[..., 4:-3].reshape(*totals.shape[:-1], len(_KINDS), 2, 2)
    # Content words count δ, function words 1 − δ; the last axis is hypothesis and reference.
    weighted = delta * matches[..., 0, :] + (1.0 - delta) * matches[..., 1, :]
    lengths = delta * (totals[..., :2] - totals[..., 2:4]) + (1.0 - delta) * totals[..., 2:4]
    sums = (weights[:, None] * weighted).sum(axis=-2)
    precision, recall = np.moveaxis(sums / np.where(lengths > 0, lengths, 1.0), -1, 0)
    matched = totals[..., -2:].sum(axis=-1) / 2.0
    fragmentation = totals[..., -3] / np.where(matched > 0, matched, 1.0)
    penalty = np.where(fragmentation > 0, parameters.gamma * fragmentation**parameters.beta, 0.0)
    return precision, recall, penalty
