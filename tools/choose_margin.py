"""Choose the margin of the default calibration table: how often would a promise hold in a year that was left out?

    python tools/choose_margin.py

Each draw leaves out a year of WMT21–22 and fits the curve to a bootstrap sample of the test sets of the other year. Six of
ten test sets of the year that was left out, drawn at random, judge the curve with each margin: is the mean promise at most
5 points above the observed agreement, and is the calibration error at most 0.08?
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium.metaeval.calibration import CalibratedMetric, JudgedPairs, fit_pairs, read_calibration
from tertium.stats.agreement_curve import calibration_error

MARGINS = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8)
METRICS = ("bleu", "chrf", "ter", "std", "meteor", "beer", "redp")
MAX_EXCESS, MAX_ERROR = 0.05, 0.08
# A sample with fewer pairs of systems says little about calibration.
MIN_PAIRS = 100


def main() -> None:
    print(tabulate_margins(read_calibration().metrics))


def tabulate_margins(metrics: Sequence[CalibratedMetric], *, n_draws: int = 200) -> str:
    """Compute how often each margin keeps the bounds, as a table in Markdown."""
    rng = np.random.default_rng(12345)
    drawn = [draw_errors(metric, rng) for _ in range(n_draws) for metric in metrics if metric.name in METRICS]
    found = np.array([each for each in drawn if each is not None])  # (draws, margins, excess and error)
    holds = found <= (MAX_EXCESS, MAX_ERROR)
    lines = [
        "| margin | mean excess | excess ≤ 0.05 | mean error | error ≤ 0.08 | both |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for i, margin in enumerate(MARGINS):
        excess, error = found[:, i].mean(axis=0)
        within, small = holds[:, i].mean(axis=0)
        both = holds[:, i].all(axis=1).mean()
        lines.append(f"| {margin} | {excess:+.3f} | {within:.0%} | {error:.3f} | {small:.0%} | {both:.0%} |")
    return "\n".join(lines)


def draw_errors(metric: CalibratedMetric, rng: np.random.Generator) -> list[tuple[float, float]] | None:
    """Return the excess of the promise over the observed rate and the calibration error with each margin."""
    year = str(rng.choice(["wmt21", "wmt22"]))
    others = [pair for pair in metric.pairs if not pair.collection.startswith(year)]
    tested = [pair for pair in metric.pairs if pair.collection.startswith(year) and rng.random() < 0.6]
    sampled = [others[i] for i in rng.integers(0, len(others), len(others))]
    if sum(len(each.agreed) for each in tested) < MIN_PAIRS:
        return None
    return [judge_margin(sampled, tested, margin) for margin in MARGINS]


def judge_margin(
    fitted: Sequence[JudgedPairs], tested: Sequence[JudgedPairs], margin: float
) -> tuple[float, float]:
    promised = replace(fit_pairs(fitted), margin=margin)(
        np.concatenate([each.differences for each in tested])
    )
    agreed = np.concatenate([np.array(each.agreed, dtype=bool) for each in tested])
    return float(promised.mean() - agreed.mean()), calibration_error(promised, agreed)


if __name__ == "__main__":
    main()
