"""How systems are compared: significance level, test, resamples, seed, resampling unit and baseline."""

from dataclasses import dataclass
from typing import Any, Literal, Self

from tertium.errors import OptionError, argument

PairedTest = Literal["bootstrap", "randomization"]

DEFAULT_ALPHA = 0.05
# sacreBLEU's defaults, so that the numbers agree without any option.
DEFAULT_SEED = 12345
DEFAULT_SAMPLES = {"bootstrap": 1000, "randomization": 10_000}

SEGMENT = "segment"


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """One value from the options to the labels of tables.

    Attributes
    ----------
    n_samples
        Number of resamples of intervals and of tests against the baseline.
    alpha
        Significance level; confidence intervals have level 1 − alpha.
    unit
        What is drawn and exchanged as a whole: segments, or groups of them such as documents.
    baseline
        The system that every other one is tested against; None for no such test.
    """

    test: PairedTest = "bootstrap"
    n_samples: int = DEFAULT_SAMPLES["bootstrap"]
    seed: int = DEFAULT_SEED
    alpha: float = DEFAULT_ALPHA
    unit: str = SEGMENT
    baseline: str | None = None

    @classmethod
    def of(cls, *, test: PairedTest | None = None, n_samples: int | None = None, **given: Any) -> Self:
        """Make an analysis from options of which those that are None have their defaults."""
        chosen: PairedTest = test or "bootstrap"
        known = {name: value for name, value in given.items() if value is not None}
        return cls(
            test=chosen, n_samples=DEFAULT_SAMPLES[chosen] if n_samples is None else n_samples, **known
        )

    def __post_init__(self) -> None:
        if not 0 < self.alpha < 1:
            raise OptionError(f"{argument('alpha')} must be above 0 and below 1, not {self.alpha:g}")
        if self.n_samples < 1:
            raise OptionError(f"{argument('samples')} must be at least 1, not {self.n_samples}")
        if self.seed < 0:
            raise OptionError(f"{argument('seed')} must be at least 0, not {self.seed}")

    @property
    def interval_name(self) -> str:
        """The name of the confidence intervals, such as "95 % bootstrap interval"."""
        return f"{self.level} bootstrap interval"

    @property
    def level(self) -> str:
        """The confidence level in percent.

        >>> Analysis().level, Analysis(alpha=0.3).level, Analysis(alpha=0.001).level
        ('95 %', '70 %', '99.9 %')
        """
        return f"{100 * (1 - self.alpha):.10g} %"
