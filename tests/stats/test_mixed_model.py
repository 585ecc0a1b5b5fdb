"""The mixed model of system, item and rater: equal to statsmodels, to dense linear algebra, and to simple means."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.stats.mixed_model import MixedModel, Variances, fit_mixed_model, minimise
from tertium.values import FloatArray

# 12 items × 3 systems by one of 4 raters each, simulated; fitted with statsmodels 0.15.0:
# the formula y ~ 0 + C(s), one group, variance components 0 + C(i) and 0 + C(r), REML.
SCORES = [
    63.5, 68.1, 66.9, 58.3, 65.3, 59.2, 74.3, 79.6, 85.9, 57.2, 79.6, 70.6, 82.6, 59.7, 75.2, 65.2, 59.4, 71.4,
    71.8, 68.2, 87.1, 66.5, 69.7, 83.7, 54.1, 60.6, 60.9, 47.9, 61.5, 50.1, 74.5, 56.0, 69.5, 45.3, 81.1, 52.0,
]  # fmt: skip
RATERS = [
    0,
    3,
    0,
    0,
    1,
    3,
    2,
    1,
    1,
    1,
    1,
    1,
    1,
    0,
    1,
    0,
    3,
    1,
    3,
    0,
    3,
    0,
    3,
    3,
    3,
    2,
    1,
    1,
    2,
    2,
    2,
    3,
    1,
    0,
    1,
    0,
]
STATSMODELS_EFFECTS = [64.26890, 66.87580, 68.23751]
STATSMODELS_VARIANCES = [47.7390, 20.8644, 64.6427]
STATSMODELS_LOG_LIKELIHOOD = -127.40006385777


def example() -> MixedModel:
    """Fit the recorded data."""
    systems, items = np.tile(np.arange(3), 12), np.repeat(np.arange(12), 3)
    return fit_mixed_model(np.array(SCORES), systems, items, np.array(RATERS))


def draw(seed: int, n: int = 80) -> tuple[FloatArray, np.ndarray, np.ndarray, np.ndarray]:
    """Draw an incomplete design with all systems, items and raters."""
    rng = np.random.default_rng(seed)
    systems, items, raters = (
        np.concatenate([np.arange(size), rng.integers(size, size=n - size)]) for size in (3, 12, 4)
    )
    effects = rng.normal(size=12)[items] + 2 * rng.normal(size=4)[raters]
    return effects + systems + rng.normal(size=n), systems, items, raters


def solve_densely(
    scores: FloatArray, systems: np.ndarray, items: np.ndarray, raters: np.ndarray, variances: Variances
) -> tuple[FloatArray, FloatArray, float]:
    """Solve the textbook way: V, its inverse, generalised least squares, and the restricted log-likelihood."""
    fixed, item, rater = (np.eye(int(numbers.max()) + 1)[numbers] for numbers in (systems, items, raters))
    covariance = variances.item * item @ item.T + variances.rater * rater @ rater.T
    covariance += variances.residual * np.eye(len(scores))
    inverse = np.linalg.inv(covariance)
    information = fixed.T @ inverse @ fixed
    effects = np.linalg.solve(information, fixed.T @ inverse @ scores)
    left = scores - fixed @ effects
    parts = np.linalg.slogdet(covariance)[1] + np.linalg.slogdet(information)[1] + left @ inverse @ left
    n_free = len(scores) - fixed.shape[1]
    return effects, np.linalg.inv(information), float(-(parts + n_free * np.log(2 * np.pi)) / 2)


def test_the_model_equals_statsmodels() -> None:
    """The optimisers stop at slightly different places, so the variances agree to five digits."""
    model = example()
    assert model.effects == pytest.approx(STATSMODELS_EFFECTS, abs=2e-5)
    assert list(model.variances) == pytest.approx(STATSMODELS_VARIANCES, rel=1e-5)
    assert model.log_likelihood == pytest.approx(STATSMODELS_LOG_LIKELIHOOD, abs=1e-8)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_elimination_of_items_equals_dense_algebra(seed: int) -> None:
    """Effects, their covariance and the likelihood, for incomplete designs."""
    scores, systems, items, raters = draw(seed)
    model = fit_mixed_model(scores, systems, items, raters)
    effects, covariance, log_likelihood = solve_densely(scores, systems, items, raters, model.variances)
    assert model.effects == pytest.approx(effects, abs=1e-7)
    assert model.covariance == pytest.approx(covariance, abs=1e-7)
    assert model.log_likelihood == pytest.approx(log_likelihood, abs=1e-6)


@given(st.integers(0, 10_000))
@settings(max_examples=10, deadline=None)
def test_the_fit_is_a_maximum_of_the_restricted_likelihood(seed: int) -> None:
    """Larger and smaller variances are less likely."""
    scores, systems, items, raters = draw(seed)
    model = fit_mixed_model(scores, systems, items, raters)
    for place in range(3):
        for factor in (0.8, 1.25):
            changed = model.variances._replace(**{Variances._fields[place]: model.variances[place] * factor})
            *_, log_likelihood = solve_densely(scores, systems, items, raters, changed)
            assert log_likelihood <= model.log_likelihood + 1e-6


def test_influence_is_the_change_without_a_unit() -> None:
    """It equals refitting without each document, for the same variances."""
    scores, systems, items, raters = draw(3, n=200)
    model = fit_mixed_model(scores, systems, items, raters)
    documents = np.arange(12) // 2
    refitted = []
    for document in range(6):
        kept = documents[items] != document
        rest = fit_mixed_model(
            scores[kept],
            systems[kept],
            np.unique(items[kept], return_inverse=True)[1],
            raters[kept],
            known=model.variances,
        )
        refitted.append(model.effects - rest.effects)
    expected = np.array(refitted).T
    expected -= expected.mean(axis=1, keepdims=True)
    assert model.influence(documents, 6) == pytest.approx(expected, abs=1e-10)


def test_a_complete_design_has_the_means_as_effects() -> None:
    """If every item has every system once and there are no raters, nothing needs to be adjusted."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(4, 1)) + rng.normal(size=(4, 30))
    systems, items = np.indices(table.shape)
    model = fit_mixed_model(table.ravel(), systems.ravel(), items.ravel())
    assert model.effects == pytest.approx(table.mean(axis=1), abs=1e-9)
    assert model.variances.rater == 0


def test_equal_raters_have_no_variance() -> None:
    """The estimate is at the limit 0, not below it."""
    rng = np.random.default_rng(1)
    systems, items, raters = rng.integers(2, size=300), rng.integers(50, size=300), rng.integers(5, size=300)
    model = fit_mixed_model(rng.normal(size=300), systems, items, raters)
    assert 0 <= model.variances.rater < 0.05
    assert np.abs(model.raters).max() < 0.2


def test_strict_raters_do_not_move_the_effects() -> None:
    """A rater with scores lower by 10 judges the better system most; means alone would turn the order."""
    rng = np.random.default_rng(2)
    n = 400
    systems = rng.integers(2, size=n)
    raters = np.where(rng.random(n) < np.where(systems == 1, 0.8, 0.2), 1, 0)
    scores = 2.0 * systems - 10.0 * raters + rng.normal(size=n)
    model = fit_mixed_model(scores, systems, np.arange(n) % 100, raters)
    assert scores[systems == 1].mean() < scores[systems == 0].mean()
    assert model.effects[1] - model.effects[0] == pytest.approx(2.0, abs=0.4)


def test_as_many_systems_as_judgments_are_refused() -> None:
    """No variance can be estimated."""
    with pytest.raises(InputError, match="2 judgments of 2 systems leave nothing"):
        fit_mixed_model(np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 0]))


def test_influence_without_raters_is_the_change_without_a_unit() -> None:
    """A unit without items moves nothing; the rows are centred over all units."""
    scores, systems, items, _ = draw(3, n=200)
    model = fit_mixed_model(scores, systems, items)
    moved = np.zeros((len(model.effects), 13))
    for item in range(12):
        kept = items != item
        places = np.unique(items[kept], return_inverse=True)[1]
        rest = fit_mixed_model(scores[kept], systems[kept], places, known=model.variances)
        moved[:, item] = model.effects - rest.effects
    expected = moved - moved.mean(axis=1, keepdims=True)
    assert model.influence(np.arange(12), 13) == pytest.approx(expected, abs=1e-10)


def test_a_unit_with_all_judgments_of_a_system_has_a_finite_influence() -> None:
    """Without it the system has no effect, so it counts with its share of the estimate."""
    rng = np.random.default_rng(4)
    systems, items = np.repeat([0, 1, 2], [40, 40, 10]), np.concatenate([np.arange(80), np.full(10, 80)])
    model = fit_mixed_model(rng.normal(size=90), systems, items % 81)
    influence = model.influence(np.arange(81) // 27, 3)
    assert np.isfinite(influence).all()


def test_the_search_for_a_minimum_ends_after_its_calls() -> None:
    """It returns the best point so far."""
    tried: list[FloatArray] = []

    def distance(point: FloatArray) -> float:
        tried.append(point)
        return float(np.sum((point - 3.0) ** 2))

    found = minimise(distance, np.zeros(2), max_calls=10)
    assert 10 <= len(tried) <= 13
    assert float(np.sum((found - 3.0) ** 2)) == min(float(np.sum((point - 3.0) ** 2)) for point in tried)
