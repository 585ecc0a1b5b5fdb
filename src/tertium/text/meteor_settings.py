"""What METEOR 1.5 knows of a language: the fields that the table of languages fills in."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Apostrophes", "MatchKind", "MeteorParameters", "MeteorSettings"]

MatchKind = Literal["exact", "stem", "synonym", "paraphrase"]
Apostrophes = Literal["alone", "with_left", "with_right"]


@dataclass(frozen=True)
class MeteorParameters:
    """α, β, γ, δ of METEOR's formula and a weight for each module in its order."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


@dataclass(frozen=True)
class MeteorSettings:
    """METEOR 1.5's modules for a language, and the parameters for each task to which it was tuned."""

    modules: tuple[MatchKind, ...] = ("exact", "stem")
    rank: MeteorParameters | None = None
    adq: MeteorParameters | None = None
    hter: MeteorParameters | None = None
