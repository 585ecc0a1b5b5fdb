"""Where the names of dots go, so that they cover neither dots nor one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np

from tertium.types import FloatArray

__all__ = ["Place", "place_labels"]

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_DISTANCES = (3.0, 9.0, 18.0, 30.0, 45.0, 65.0, 90.0)
_DIRECTIONS = 16
_ROUNDS = 6
_LEADER = 12.0  # a name farther than this from its dot gets a line to it


@dataclass(frozen=True)
class Place:
    """The box of a name, and the end of the line that leads to it from its dot, if it is far."""

    box: Box
    leader: tuple[float, float] | None


def place_labels(
    dots: Sequence[tuple[float, float]], sizes: Sequence[tuple[float, float]], frame: Box, *, radius: float
) -> list[Place]:
    """Place a label of each size (width, height) near its dot, inside the frame.

    Labels are placed one by one where they cover least, near before far and right of the dot before
    elsewhere; then each is placed again in view of all the others, until nothing moves.
    """
    edge = radius + 1
    circles = np.array([(x - edge, y - edge, x + edge, y + edge) for x, y in dots]).reshape(-1, 4)
    options = [_Candidates(dot, size, frame, radius, circles) for dot, size in zip(dots, sizes, strict=True)]
    chosen: dict[int, int] = {}
    for _ in range(_ROUNDS):
        before = dict(chosen)
        for i, option in enumerate(options):
            others = [options[j].boxes[place] for j, place in chosen.items() if j != i]
            chosen[i] = option.best(np.array(others).reshape(-1, 4))
        if chosen == before:
            break
    return [option.place(chosen[i]) for i, option in enumerate(options)]


class _Candidates:
    """The places that a label may take, and what each costs before other labels are looked at."""

    def __init__(
        self, dot: tuple[float, float], size: tuple[float, float], frame: Box, radius: float, circles: FloatArray
    ) -> None:  # fmt: skip
        ways = [
            (distance, 2 * pi * step / _DIRECTIONS) for distance in _DISTANCES for step in range(_DIRECTIONS)
        ]
        self.dot = dot
        self.boxes = np.array([_box(dot, size, radius + distance, angle) for distance, angle in ways])
        self.distances = np.array([distance for distance, _ in ways])
        # right of the dot is where readers look first, then left, then above and below
        aside = np.array([0.0 if angle == 0 else 1.0 if angle == pi else 1.5 for _, angle in ways])
        self.leaders = self._leaders()
        self.costs = self.distances + aside + 50 * _overlaps(self.boxes, circles)
        self.costs += 1000 * _outside(self.boxes, frame) + 8 * _crossed(self.leaders[:, 2:], circles)

    def _leaders(self) -> FloatArray:
        """Points on the way from the dot to the label, (candidates, points, 2); none for a near label."""
        start = np.array(self.dot)
        ends = np.clip(start, self.boxes[:, :2], self.boxes[:, 2:])
        steps = np.linspace(0, 1, 9)[None, :, None]
        points = start + (ends - start)[:, None] * steps
        return np.where((self.distances > _LEADER)[:, None, None], points, np.inf)

    def best(self, others: FloatArray) -> int:
        costs = self.costs + 5 * _overlaps(self.boxes, others) + 20 * _crossed(self.leaders, others)
        return int(np.argmin(costs))

    def place(self, chosen: int) -> Place:
        left, top, right, bottom = self.boxes[chosen].tolist()
        end_x, end_y = self.leaders[chosen, -1].tolist()
        return Place((left, top, right, bottom), (end_x, end_y) if np.isfinite(end_x) else None)


def _box(dot: tuple[float, float], size: tuple[float, float], distance: float, angle: float) -> Box:
    """Put the box so that its edge, not its middle, is that far from the dot."""
    width, height = size
    x, y = dot[0] + distance * cos(angle), dot[1] + distance * sin(angle)
    left = x - width * (1 - cos(angle)) / 2
    top = y - height * (1 - sin(angle)) / 2
    return left, top, left + width, top + height


def _overlaps(boxes: FloatArray, others: FloatArray) -> FloatArray:
    """How many pixels of others each box covers."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.prod(np.clip(high - low, 0, None), axis=-1).sum(axis=-1))


def _outside(boxes: FloatArray, frame: Box) -> FloatArray:
    low, high = np.array(frame[:2]), np.array(frame[2:])
    beyond = np.clip(low - boxes[:, :2], 0, None) + np.clip(boxes[:, 2:] - high, 0, None)
    return np.asarray(beyond.sum(axis=-1))


def _crossed(leaders: FloatArray, boxes: FloatArray) -> FloatArray:
    """How many points of each leader, its start not counted, lie in boxes."""
    points = leaders[:, 1:, None, :]
    inside = (points >= boxes[:, :2]) & (points <= boxes[:, 2:])
    return np.asarray(np.count_nonzero(inside.all(axis=-1), axis=(1, 2)))
