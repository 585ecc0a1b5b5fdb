"""METEOR's statistics, formula and published parameters.

Denkowski & Lavie (2014), Meteor Universal: Language Specific Translation Evaluation for Any Target Language.
"""

from dataclasses import replace
from typing import Literal

import numpy as np

from tertium.kernels.elementary import power
from tertium.text.languages import LANGUAGES
from tertium.text.meteor_settings import MatchKind, MeteorParameters
from tertium.types import Alignments, FloatArray

__all__ = [
    "Task",
    "add_synonyms",
    "combine_meteor",
    "meteor_parts",
    "published_modules",
    "published_parameters",
    "weigh_synonyms",
]

Task = Literal["rank", "adq", "hter", "li", "tune"]

_KINDS = Alignments.KINDS


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
    penalty = np.where(fragmentation > 0, parameters.gamma * power(fragmentation, parameters.beta), 0.0)
    return precision, recall, penalty
