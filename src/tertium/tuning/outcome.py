"""What a search found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.tuning.trials import Trial
from tertium.tuning.validation import Validation

__all__ = ["Outcome"]


@dataclass(frozen=True)
class Outcome:
    """The best trial of a search, and all that a reader needs to judge it."""

    metric: str
    fixed: Mapping[str, Any]
    """Options that were not searched."""
    best: Trial
    objective: str
    search: str
    n_trials: int
    validation: Validation | None

    @property
    def options(self) -> dict[str, Any]:
        return {**self.fixed, **self.best.point}

    @property
    def facts(self) -> dict[str, float | int | str]:
        """How the options were found, for the preset file."""
        known: dict[str, float | int | str] = {
            "objective": self.objective,
            "search": self.search,
            "trials": self.n_trials,
        }
        if self.validation is not None:
            numbers = ("train", "train_before", "held_out", "held_out_before")
            known |= {name: round(getattr(self.validation, name), 6) for name in numbers}
            known["held_out_how"] = self.validation.how
        return known
