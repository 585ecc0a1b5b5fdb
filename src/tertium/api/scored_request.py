"""What every command is told that takes runs and outputs: how outputs are scored, and how systems are tested."""

from dataclasses import dataclass

from tertium.api.inputs import ScoredInputs, load_scored
from tertium.api.results import Progress
from tertium.catalog import ResourceChoice
from tertium.evaluation.comparison import DEFAULT_SEED
from tertium.stats.significance import PairedTest

__all__ = ["ScoredRequest"]


@dataclass(frozen=True, kw_only=True)
class ScoredRequest:
    """Runs, outputs or both, and how systems are compared.

    Attributes
    ----------
    inputs
        As `load_scored` takes them; `references` to `threads` are for outputs that are scored now.
    """

    inputs: tuple[str, ...]
    references: tuple[str, ...] = ()
    source: str | None = None
    columns: str | None = None
    metrics: tuple[str, ...] | None = None
    tokenizer: str | None = None
    lowercase: bool = False
    resources: ResourceChoice | None = None
    threads: int | None = None
    test: PairedTest = "bootstrap"
    samples: int | None = None
    seed: int = DEFAULT_SEED
    alpha: float = 0.05

    def load(self, progress: Progress | None) -> ScoredInputs:
        """Open runs and score outputs."""
        return load_scored(
            self.inputs,
            references=self.references,
            source=self.source,
            columns=self.columns,
            metrics=self.metrics,
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            resources=self.resources,
            threads=self.threads,
            progress=progress,
        )
