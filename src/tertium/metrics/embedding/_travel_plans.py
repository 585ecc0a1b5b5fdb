"""Explanations of a transport between n-grams: how far they are apart, what moves and what stays."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tertium.kernels.transport import TravelPlan
from tertium.types import Explanation, FloatArray, IdArray

__all__ = ["PlanView", "view_plan"]


@dataclass(frozen=True, eq=False)
class PlanView:
    """A plan with labels. Rows are the hypothesis' n-grams, columns the reference's.

    Since both texts may give weight to the other's n-grams, more rows and columns follow for those that mass
    leaves or enters. `flow` is the mass that moves, `distance` what moving costs, and `staying` the mass that
    both sides have in an n-gram, for which nobody pays. The weights are what each text gives the n-grams.
    """

    rows: list[str]
    columns: list[str]
    distance: FloatArray
    flow: FloatArray
    staying: FloatArray
    row_weights: list[float]
    column_weights: list[float]

    def add_to(self, explanation: Explanation) -> Explanation:
        """Add to an explanation what the plan tells."""
        return replace(
            explanation,
            rows=self.rows,
            columns=self.columns,
            matrices={"distance": self.distance, "flow": self.flow},
            row_weights=self.row_weights,
            column_weights=self.column_weights,
            links=self.links(),
            steps=self.steps(),
        )

    def links(self) -> list[tuple[int, int, str]]:
        """List every movement, the dearest first, and then what stays, the largest mass first."""
        stays = _cells(self.staying, by=self.staying)
        return [
            *((i, j, f"{self.flow[i, j]:.4f}") for i, j in self._moves()),
            *((i, j, f"{self.staying[i, j]:.4f} stays") for i, j in stays),
        ]

    def steps(self) -> list[str]:
        """Tell every movement in words, the dearest first, and then what stays."""
        moves = [
            f"{self.rows[i]} → {self.columns[j]}: {self.flow[i, j]:.4f} over {self.distance[i, j]:.3f} "
            f"costs {100 * self.flow[i, j] * self.distance[i, j]:.3f}"
            for i, j in self._moves()
        ]
        stays = _cells(self.staying, by=self.staying)
        return moves + [f"{self.rows[i]} stays: {self.staying[i, j]:.4f}" for i, j in stays]

    def _moves(self) -> list[tuple[int, int]]:
        return _cells(self.flow, by=self.flow * self.distance)


def view_plan(
    plan: TravelPlan, hypothesis: Sequence[str], reference: Sequence[str], *, order: int, cancels: bool
) -> PlanView:
    """Label a plan with the texts' known words; `cancels` says whether mass that both texts have stays."""
    labels = _label_ngrams(plan.hypothesis, hypothesis, order) | _label_ngrams(
        plan.reference, reference, order
    )
    rows = list(dict.fromkeys([*plan.hypothesis.tolist(), *plan.sources.tolist()]))
    columns = list(dict.fromkeys([*plan.reference.tolist(), *plan.sinks.tolist()]))
    whole = np.zeros_like(plan.ground)
    whole[np.ix_(plan.sources, plan.sinks)] = plan.flow
    shared = np.minimum(plan.hypothesis_mass, plan.reference_mass) if cancels else np.zeros(len(whole))
    block = np.ix_(rows, columns)
    return PlanView(
        [labels[ngram] for ngram in rows],
        [labels[ngram] for ngram in columns],
        plan.ground[block],
        whole[block],
        np.diag(shared)[block],
        plan.hypothesis_mass[rows].tolist(),
        plan.reference_mass[columns].tolist(),
    )


def _cells(matrix: FloatArray, *, by: FloatArray) -> list[tuple[int, int]]:
    """List the cells of a matrix that are not 0, in falling order of what `by` has there."""
    rows, columns = (numbers.tolist() for numbers in np.nonzero(matrix > 0))
    return sorted(zip(rows, columns, strict=True), key=lambda cell: -by[cell])


def _label_ngrams(ngrams: IdArray, words: Sequence[str], order: int) -> dict[int, str]:
    padded = [*words, *[words[-1]] * (order - len(words))]
    return {ngram: " ".join(padded[i : i + order]) for i, ngram in enumerate(ngrams.tolist())}
