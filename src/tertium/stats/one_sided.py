"""A one-sided test of a difference whose units are skewed or have long tails, and the interval that agrees with it.

A few segments on which a system fails make its differences skewed. Test sets that happen to have few of them show a small
loss and a small standard error at the same time, so Student's t and the percentiles of a bootstrap call too many losses
small. The test compares D / SE with a critical value that allows for both:

    c(α) = t + max(0, −γ · (1 + 2 t²) / (6 √n)),  t = t(α, ν),  ν = min(n − 1, 2 n / (κ − 1))

γ is the skewness of the units (Johnson, 1978, "Modified t Tests and Confidence Intervals for Asymmetrical Populations", solved
for the critical value). ν are the degrees of freedom of a standard error from units of kurtosis κ, by the rule of Welch and
Satterthwaite (1946). The skewness of a sample is uncertain itself, so c is never below t. SE, γ and κ come from the influence
of each unit (the jackknife), whether a metric is a mean over segments or not.
"""

from dataclasses import replace
from math import inf, sqrt

import numpy as np

from tertium.records import record
from tertium.stats.student import SMALLEST_P, student_p, student_tail_quantile
from tertium.values import FloatArray


@record
class SkewedDifference:
    """A difference with its standard error, and the shape of the influences of its units.

    Attributes
    ----------
    degrees
        The degrees of freedom of the standard error.
    """

    value: float
    error: float
    skewness: float
    degrees: float
    n_units: int

    @classmethod
    def of(cls, value: float, influence: FloatArray) -> "SkewedDifference":
        """Measure a difference from the influence of each unit: the value with the unit minus the value without it.

        >>> SkewedDifference.of(1.0, np.array([0.1, -0.1, 0.3, -0.3]))
        SkewedDifference(value=1.0, error=0.387298..., skewness=0.0, degrees=3, n_units=4)
        """
        n = len(influence)
        centred = influence - influence.mean()
        variance = float(np.mean(centred**2))
        if variance == 0:
            return cls(value, 0.0, 0.0, n - 1, n)
        skewness = float(np.mean(centred**3)) / variance**1.5
        kurtosis = float(np.mean(centred**4)) / variance**2
        degrees = min(
            n - 1, 2 * n / max(kurtosis - 1, 1e-9)
        )  # two values of equal share have a kurtosis of 1
        return cls(value, sqrt((n - 1) * variance), skewness, degrees, n)

    @property
    def turned(self) -> "SkewedDifference":
        """The difference in the other direction."""
        return replace(self, value=-self.value, skewness=-self.skewness)

    def lower_end(self, alpha: float) -> float:
        """Return the lower end of the one-sided interval at the level 1 − alpha."""
        t = student_tail_quantile(alpha, self.degrees)
        return self.value - self.error * self._raise(t) if self.error else self.value

    def upper_end(self, alpha: float) -> float:
        """Return the upper end of the one-sided interval at the level 1 − alpha."""
        return -self.turned.lower_end(alpha)

    def test_above(self, limit: float) -> float:
        """Return the p-value of "the true difference is at most the limit"; `lower_end(p)` is the limit.

        It is not below `SMALLEST_P`.
        """
        distance = self.value - limit
        if self.error == 0:
            return SMALLEST_P if distance > 0 else 1.0
        t = self._lower(distance / self.error)
        half = float(student_p(t, self.degrees)) / 2
        return half if t > 0 else 1 - half

    @property
    def _slope(self) -> float:
        """The factor of 1 + 2 t² in the critical value."""
        return max(0.0, -self.skewness / (6 * sqrt(self.n_units)))

    def _raise(self, t: float) -> float:
        """Turn a quantile of Student's t into the critical value."""
        if t == inf:
            return inf
        return t + self._slope * (1 + 2 * max(t, 0.0) ** 2)

    def _lower(self, critical: float) -> float:
        """Turn a critical value into the quantile of Student's t."""
        rest = critical - self._slope
        return rest if rest <= 0 else 2 * rest / (1 + sqrt(1 + 8 * self._slope * rest))
