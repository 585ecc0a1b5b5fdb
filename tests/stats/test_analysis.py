"""The options of tests and intervals are checked once, and their defaults follow the test."""

from typing import Any

import pytest

from tertium.errors import OptionError
from tertium.stats.analysis import MAX_SAMPLES, Analysis, MetricAnalysis


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "alpha= must be at least 1e-09 and below 1, not 0"),
        ({"alpha": 1.0}, "alpha= must be at least 1e-09 and below 1, not 1"),
        ({"n_samples": 0}, "samples= must be at least 1 and at most 1,000,000, not 0"),
        ({"n_samples": MAX_SAMPLES + 1}, "samples= must be at least 1 and at most 1,000,000, not 1,000,001"),
        ({"seed": -1}, "seed= must be at least 0, not -1"),
    ],
    ids=["alpha 0", "alpha 1", "no sample", "too many samples", "negative seed"],
)
def test_impossible_options_are_rejected(options: dict[str, Any], message: str) -> None:
    for kind in (Analysis, MetricAnalysis):
        with pytest.raises(OptionError, match=message):
            kind(**options)


def test_an_option_that_is_none_has_its_default() -> None:
    assert MetricAnalysis.of(alpha=None, seed=3) == MetricAnalysis(seed=3)


def test_the_number_of_samples_follows_the_test_unless_it_is_given() -> None:
    assert Analysis.of().n_samples == 1000
    assert Analysis.of(test="randomization").n_samples == 10_000
    assert Analysis.of(test="randomization", n_samples=50).n_samples == 50


def test_only_a_test_that_nobody_chose_is_open() -> None:
    assert Analysis.of().is_open
    assert not Analysis.of(test="bootstrap").is_open


def test_labels_name_the_level_the_unit_and_the_samples() -> None:
    analysis = Analysis(test="randomization", unit="document", n_samples=2000, alpha=0.1)
    assert analysis.pair_test == "approximate randomization over documents, 2,000 samples"
    assert analysis.interval_name == "90 % bootstrap interval over documents"
    assert MetricAnalysis(alpha=0.1).interval_name == "90 % bootstrap interval"
