"""A linear mixed model of human scores: fixed effects of systems, random effects of items and raters, by REML.

    score = system + item + rater + residual

Bates et al. (2015), Fitting Linear Mixed-Effects Models Using lme4, with variances relative to that of the residual.
Items are eliminated first (their block of the normal equations is diagonal), so that a fit with thousands of items takes
milliseconds.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.kernels.elementary import log, log1p
from tertium.values import FloatArray

Indices = npt.NDArray[np.int64]


class Variances(NamedTuple):
    """Variance components of scores: items, raters and residual."""

    item: float
    rater: float
    residual: float


class MixedModel(NamedTuple):
    """A fitted model.

    Attributes
    ----------
    effects
        The expected score of each system for the average item and rater, (systems,).
    covariance
        The covariance of the effects, (systems, systems), if the variances are true.
    raters
        The predicted deviation of each rater, shrunk towards 0; empty without raters.
    variances
        Estimated by REML.
    log_likelihood
        The restricted log-likelihood.
    design
        The judgments, for `influence`.
    """

    effects: FloatArray
    covariance: FloatArray
    raters: FloatArray
    variances: Variances
    log_likelihood: float
    design: "_Design"

    def influence(self, units: Indices, n_units: int) -> FloatArray:
        """Compute how much each unit of whole items moves each effect, (systems, units): a jackknife.

        It is the effect with all units minus that without one, for the same variances; the rows are centred. `units`
        has the unit, such as the document, of every item.
        """
        return self.design.influence(self, units, n_units)


def fit_mixed_model(
    scores: FloatArray,
    systems: Indices,
    items: Indices,
    raters: Indices | None = None,
    *,
    known: Variances | None = None,
) -> MixedModel:
    """Fit the model; every judgment has a score, and the indices of its system, item and rater.

    Without raters, the model has items only. With `known` variances only the effects are estimated.

    Raises
    ------
    InputError
        If there are too few judgments to estimate a variance.

    Examples
    --------
    >>> scores = np.array([1.0, 3.0, 2.0, 5.0, 2.5, 4.0])
    >>> model = fit_mixed_model(scores, np.array([0, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 2]))
    >>> np.round(model.effects, 3).tolist()  # the means, because every item has both systems
    [1.833, 4.0]
    """
    n_systems = int(systems.max()) + 1
    if len(scores) <= n_systems:
        raise InputError(
            f"{len(scores)} judgments of {n_systems} systems leave nothing to estimate a variance from; judge more outputs"
        )
    design = _Design(scores, systems, items, raters, n_systems)
    n_ratios = 1 if raters is None else 2
    if known is not None:
        return design.solve(np.array([known.item, known.rater][:n_ratios]) / known.residual)
    start = np.full(n_ratios, 0.5)
    return design.solve(np.square(minimise(lambda theta: design.deviance(np.square(theta)), start)))


class _Design:
    """The judgments, and the parts of the normal equations that do not depend on the variances."""

    def __init__(
        self,
        scores: FloatArray,
        systems: Indices,
        items: Indices,
        raters: Indices | None,
        n_systems: int,
    ) -> None:
        self.scores, self.systems, self.items, self.raters = scores, systems, items, raters
        self.n_systems, self.n_items = n_systems, int(items.max()) + 1
        self.n_raters = 0 if raters is None else int(raters.max()) + 1
        n_columns = n_systems + self.n_raters
        columns = [systems] if raters is None else [systems, n_systems + raters]
        self.counts = np.zeros((self.n_items, n_columns))  # judgments by item and column
        self.cross = np.zeros((n_columns, n_columns))
        self.totals = np.zeros(n_columns)
        for one in columns:
            np.add.at(self.counts, (items, one), 1.0)
            np.add.at(self.totals, one, scores)
            for other in columns:
                np.add.at(self.cross, (one, other), 1.0)
        self.item_sizes = np.bincount(items, minlength=self.n_items).astype(float)
        self.item_totals = np.bincount(items, weights=scores, minlength=self.n_items)
        self.square = float(scores @ scores)

    def deviance(self, ratios: FloatArray) -> float:
        """Compute minus twice the restricted log-likelihood, at the best residual variance."""
        *_, deviance = self._eliminate(ratios)
        return deviance

    def solve(self, ratios: FloatArray) -> MixedModel:
        """Solve the normal equations for given ratios of the variances to the residual variance."""
        inverse, solution, residual, deviance = self._eliminate(ratios)
        n = self.n_systems
        rater_scale = np.sqrt(ratios[1]) if len(ratios) > 1 else 0.0
        return MixedModel(
            solution[:n],
            residual * inverse[:n, :n],
            solution[n:] * rater_scale,
            Variances(residual * ratios[0], residual * ratios[1] if len(ratios) > 1 else 0.0, residual),
            -deviance / 2,
            self,
        )

    def _eliminate(self, ratios: FloatArray) -> tuple[FloatArray, FloatArray, float, float]:
        """Eliminate the items; return the inverse, the solution, the residual variance and the deviance."""
        scale = self._column_scale(ratios)
        item_weight = ratios[0] / (1 + ratios[0] * self.item_sizes)  # what remains of an item's mean
        counts = self.counts * scale
        matrix = self.cross * np.outer(scale, scale) - (counts * item_weight[:, None]).T @ counts
        matrix[np.diag_indices(len(scale))] += np.arange(len(scale)) >= self.n_systems
        right = self.totals * scale - counts.T @ (item_weight * self.item_totals)
        lower = np.linalg.cholesky(matrix)
        inverse = np.linalg.inv(matrix)
        solution = inverse @ right
        n_free = len(self.scores) - self.n_systems
        rest = self.square - float(item_weight @ np.square(self.item_totals)) - float(right @ solution)
        residual = max(rest, 1e-12 * max(self.square, 1.0)) / n_free
        determinant = 2 * float(log(np.diag(lower)).sum())
        determinant += float(log1p(ratios[0] * self.item_sizes).sum())
        return inverse, solution, residual, determinant + n_free * (1 + float(log(2 * np.pi * residual)))

    def _column_scale(self, ratios: FloatArray) -> FloatArray:
        """Scale the columns of raters by their standard deviation, so that a variance of 0 is an ordinary value."""
        scale = np.ones(self.n_systems + self.n_raters)
        if self.n_raters:
            scale[self.n_systems :] = np.sqrt(ratios[1])
        return scale

    def influence(self, model: MixedModel, units: Indices, n_units: int) -> FloatArray:
        variances = model.variances
        ratios = np.array([variances.item, variances.rater][: 1 + (self.raters is not None)])
        ratios = ratios / variances.residual
        inverse, *_ = self._eliminate(ratios)
        scale, item_weight = self._column_scale(ratios), ratios[0] / (1 + ratios[0] * self.item_sizes)
        left = self._left(model, item_weight)
        order = np.argsort(units[self.items], kind="stable")
        ends = np.searchsorted(units[self.items][order], np.arange(n_units), side="right")
        moved = np.zeros((self.n_systems, n_units))
        for unit, rows in enumerate(np.split(order, ends[:-1])):
            if len(rows):
                moved[:, unit] = self._move(rows, left, inverse, scale, item_weight)
        return np.asarray(moved - moved.mean(axis=1, keepdims=True))

    def _left(self, model: MixedModel, item_weight: FloatArray) -> FloatArray:
        """Compute the residual of each judgment: the score minus the effects of its system, rater and item."""
        left = self.scores - model.effects[self.systems]
        if self.raters is not None:
            left = left - model.raters[self.raters]
        items = item_weight * np.bincount(self.items, weights=left, minlength=self.n_items)
        return np.asarray(left - items[self.items])

    def _move(
        self, rows: Indices, left: FloatArray, inverse: FloatArray, scale: FloatArray, item_weight: FloatArray
    ) -> FloatArray:
        """Compute the effects minus the effects without the judgments `rows`, which are all judgments of some items."""
        sides = [self.systems[rows]]
        if self.raters is not None:
            sides.append(self.n_systems + self.raters[rows])
        columns, places = np.unique(np.concatenate(sides), return_inverse=True)
        design = np.zeros((len(rows), len(columns)))
        for side in places.reshape(len(sides), -1):
            design[np.arange(len(rows)), side] = scale[columns[side]]
        _, item_of = np.unique(self.items[rows], return_inverse=True)
        sums = np.zeros((int(item_of.max()) + 1, len(columns)))
        np.add.at(sums, item_of, design)
        weights = np.zeros(len(sums))
        weights[item_of] = item_weight[self.items[rows]]
        own = design.T @ design - (sums * weights[:, None]).T @ sums  # its part of the normal equations
        score = design.T @ left[rows]
        rest = np.eye(len(columns)) - own @ inverse[np.ix_(columns, columns)]
        if np.linalg.cond(rest) < _MAX_CONDITION:  # otherwise no other unit has these systems or raters
            score = np.asarray(np.linalg.solve(rest, score))
        return np.asarray(inverse[: self.n_systems, columns] @ score)


_MAX_CONDITION = 1e8


def minimise(
    function: Callable[[FloatArray], float],
    start: FloatArray,
    *,
    step: float = 0.5,
    tolerance: float = 1e-13,
    max_calls: int = 600,
) -> FloatArray:
    """Find a minimum of a function of a few variables by the method of Nelder and Mead (1965).

    >>> np.round(minimise(lambda x: float((x[0] - 2) ** 2 + (x[1] + 1) ** 2), np.zeros(2)), 4).tolist()
    [2.0, -1.0]
    """
    points = [start, *(start + step * row for row in np.eye(len(start)))]
    values = [function(point) for point in points]
    n_calls = len(points)
    while n_calls < max_calls:
        order = np.argsort(values, kind="stable")
        points, values = [points[i] for i in order], [values[i] for i in order]
        if values[-1] - values[0] <= tolerance * (abs(values[0]) + tolerance):
            break
        centre = np.mean(points[:-1], axis=0)
        direction = centre - points[-1]
        candidate = centre + direction
        value = function(candidate)
        n_calls += 1
        if value < values[0]:
            further = centre + 2 * direction
            far_value = function(further)
            n_calls += 1
            candidate, value = (further, far_value) if far_value < value else (candidate, value)
        elif value >= values[-2]:
            candidate = centre + (0.5 if value < values[-1] else -0.5) * direction
            value = function(candidate)
            n_calls += 1
        if value < values[-1]:
            points[-1], values[-1] = candidate, value
        else:
            points = [points[0], *(points[0] + (point - points[0]) / 2 for point in points[1:])]
            values = [values[0], *(function(point) for point in points[1:])]
            n_calls += len(start)
    return points[int(np.argmin(values))]
