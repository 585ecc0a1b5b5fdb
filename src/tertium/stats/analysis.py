"""How systems and metrics are compared: test, resamples, seed, significance level and the level of intervals."""

from typing import Any, Literal, Self

from tertium.errors import OptionError, argument
from tertium.records import record

PairedTest = Literal["bootstrap", "randomization", "sacrebleu-bootstrap"]
MetricTest = Literal["perm-both", "williams", "none"]

DEFAULT_ALPHA = 0.05
# sacreBLEU's defaults, so that the numbers agree without any option.
DEFAULT_SEED = 12345
DEFAULT_SAMPLES = {"bootstrap": 1000, "randomization": 10_000, "sacrebleu-bootstrap": 1000}
PAIR_TESTS = {
    "bootstrap": "paired bootstrap",
    "randomization": "approximate randomization",
    "sacrebleu-bootstrap": "paired bootstrap",
}
"""The name of the test of all pairs of systems, by the chosen test."""

MIN_ALPHA = (
    1e-9  # a confidence level of 1 - alpha must differ from 1, and resampling cannot show smaller values
)
MAX_SAMPLES = 1_000_000
MAX_SEED = 2**64 - 1

SEGMENT, DOCUMENT = "segment", "document"
"""Units of resampling."""


@record(kw_only=True)
class Resampling:
    """The options that tests and confidence intervals share.

    Attributes
    ----------
    n_samples
        Number of resamples of intervals and of tests.
    alpha
        Significance level; confidence intervals have level 1 − alpha.
    """

    n_samples: int = DEFAULT_SAMPLES["bootstrap"]
    seed: int = DEFAULT_SEED
    alpha: float = DEFAULT_ALPHA

    @classmethod
    def of(cls, **options: Any) -> Self:
        """Build the value from options; None means the default."""
        return cls(**{name: value for name, value in options.items() if value is not None})

    def __post_init__(self) -> None:
        if not MIN_ALPHA <= self.alpha < 1:
            raise OptionError(
                f"{argument('alpha')} must be at least {MIN_ALPHA:g} and below 1, not {self.alpha:g}"
            )
        if not 1 <= self.n_samples <= MAX_SAMPLES:
            raise OptionError(
                f"{argument('samples')} must be at least 1 and at most {MAX_SAMPLES:,}, not {self.n_samples:,}"
            )
        if self.seed < 0:
            raise OptionError(f"{argument('seed')} must be at least 0, not {self.seed}")

    @property
    def confidence(self) -> float:
        """The level of confidence intervals, such as 0.95."""
        return 1 - self.alpha

    @property
    def level(self) -> str:
        """The confidence level in percent.

        >>> Resampling().level, Resampling(alpha=0.3).level, Resampling(alpha=0.001).level
        ('95 %', '70 %', '99.9 %')
        """
        return f"{100 * self.confidence:.10g} %"

    @property
    def interval_name(self) -> str:
        """The name of the confidence intervals, such as "95 % bootstrap interval"."""
        return f"{self.level} bootstrap interval"


@record(kw_only=True)
class Analysis(Resampling):
    """How systems are compared: one value from the options to the labels of tables.

    Attributes
    ----------
    test
        The paired test. With "sacrebleu-bootstrap" the p-values against the baseline are those of sacreBLEU's paired bootstrap,
        which are not adjusted, and pairs of systems without the baseline are tested by "bootstrap".
    unit
        The unit of resampling: segments, or groups of them such as documents.
    unit_reason
        Why segments are resampled although documents are known; empty otherwise.
    is_open
        Whether the test was left to the default, which depends on the unit.
    baseline
        The system that every other system is tested against; None for no such test.
    """

    test: PairedTest = "bootstrap"
    unit: str = SEGMENT
    unit_reason: str = ""
    is_open: bool = False
    baseline: str | None = None

    @property
    def pair_test(self) -> str:
        """The test of all pairs of systems for readers, such as "paired bootstrap over segments, 1,000 samples"."""
        return f"{PAIR_TESTS[self.test]} over {self.unit}s, {self.n_samples:,} samples"

    @property
    def interval_name(self) -> str:
        """The name of the confidence intervals, such as "95 % bootstrap interval over documents"."""
        return f"{super().interval_name} over {self.unit}s"

    def describe_unit(self, n_units: int) -> str:
        """Describe in one phrase what intervals and tests resample.

        >>> Analysis(unit="document").describe_unit(227), Analysis().describe_unit(2016)
        ('227 documents resampled', 'segments taken as independent')
        >>> Analysis(unit_reason="4 documents are too few to resample").describe_unit(80)
        'segments taken as independent: 4 documents are too few to resample'
        """
        if self.unit != SEGMENT:
            return f"{n_units:,} {self.unit}s resampled"
        return "segments taken as independent" + (f": {self.unit_reason}" if self.unit_reason else "")

    @classmethod
    def of(cls, *, test: PairedTest | None = None, n_samples: int | None = None, **options: Any) -> Self:
        """Build the value from options; None means the default, which for `n_samples` depends on the test."""
        chosen: PairedTest = test or "bootstrap"
        return super().of(
            test=chosen,
            n_samples=DEFAULT_SAMPLES[chosen] if n_samples is None else n_samples,
            is_open=test is None,
            **options,
        )


@record(kw_only=True)
class MetricAnalysis(Resampling):
    """How metrics are compared with each other: one value from the options to the labels of tables.

    Attributes
    ----------
    method
        The significance test between metrics.
    intervals
        Whether the values of statistics get confidence intervals.
    resample
        The unit of segments that the user chose: "segment", "document" or a column; None for documents where they are known.
    """

    method: MetricTest = "perm-both"
    intervals: bool = False
    resample: str | None = None
