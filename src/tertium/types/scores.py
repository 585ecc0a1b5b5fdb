"""What a metric says of a text: a score, and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tertium.types.columns import FloatArray

__all__ = ["Explanation", "Score"]


@dataclass(frozen=True)
class Score:
    """A system or segment score, with the numbers it was made from."""

    name: str
    value: float
    signature: str
    details: Mapping[str, float | Sequence[float]] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The value, under the name sacreBLEU gives it."""
        return self.value

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.name} = {self.value:.2f}"


@dataclass(frozen=True)
class Explanation:
    """Why a pair got its score, as plain data that the terminal and the report draw.

    A metric fills what it has: `rows` and `columns` label the axes of `matrices` (name to array,
    rows are hypothesis units), and `row_weights` and `column_weights` say how much each unit counts;
    `links` join a row with a column, under a label; `steps` is a readable account line by line.
    `heads` is the reference's tree (-1 for the root), and `ngrams` are parts of it: kind, places, what each earned.
    """

    metric: str
    hypothesis: Sequence[str]
    reference: Sequence[str]
    score: float
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    matrices: Mapping[str, FloatArray] = field(default_factory=dict)
    row_weights: Sequence[float] = ()
    column_weights: Sequence[float] = ()
    links: Sequence[tuple[int, int, str]] = ()
    steps: Sequence[str] = ()
    facts: Mapping[str, float | str] = field(default_factory=dict)
    heads: Sequence[int] = ()
    ngrams: Sequence[tuple[str, tuple[int, ...], float]] = ()

    def __iter__(self) -> Iterator[str]:
        return iter(self.steps)
