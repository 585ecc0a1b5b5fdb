"""Where the names of dots go, so that they cover neither dots nor one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

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
    options = _Candidates(np.array(dots).reshape(-1, 2), np.array(sizes).reshape(-1, 2), radius)
    costs = options.costs(frame, radius)
    chosen: dict[int, int] = {}
    for _ in range(_ROUNDS):
        before = dict(chosen)
        for i in range(len(dots)):
            best = int(np.argmin(costs[i]))
            if best != chosen.get(i):
                costs += options.nuisance(i, best)
                costs -= options.nuisance(i, chosen[i]) if i in chosen else 0.0
                chosen[i] = best
        if chosen == before:
            break
    return [options.place(i, chosen[i]) for i in range(len(dots))]


class _Candidates:
    """The places that each label may take: boxes (labels, places, 4) and leaders (labels, places, points, 2)."""

    def __init__(self, dots: FloatArray, sizes: FloatArray, radius: float) -> None:
        angles = np.tile(2 * pi * np.arange(_DIRECTIONS) / _DIRECTIONS, len(_DISTANCES))
        self.distances = np.repeat(_DISTANCES, _DIRECTIONS)
        # right of the dot is where readers look first, then left, then above and below
        self.aside = np.where(angles == 0, 0.0, np.where(angles == pi, 1.0, 1.5))
        self.dots = dots
        self.boxes = _boxes(dots, sizes, radius + self.distances, angles)
        self.leaders = self._leaders()

    def _leaders(self) -> FloatArray:
        """Points on the way from the dot to the label; infinitely far away for a near label."""
        start = self.dots[:, None]
        ends = np.clip(start, self.boxes[..., :2], self.boxes[..., 2:])
        points = start[:, :, None] + (ends - start)[:, :, None] * np.linspace(0, 1, 9)[:, None]
        return np.where((self.distances > _LEADER)[:, None, None], points, np.inf)

    def costs(self, frame: Box, radius: float) -> FloatArray:
        """What each place costs before other labels are looked at."""
        edge = radius + 1
        circles = np.concatenate([self.dots - edge, self.dots + edge], axis=1)
        costs = np.tile(self.distances + self.aside, (len(self.dots), 1)) + 1000 * _outside(self.boxes, frame)
        for circle in circles:
            costs += 50 * _overlaps(self.boxes, circle) + 30 * _crossed(self.leaders[:, :, 2:], circle)
        return costs

    def nuisance(self, i: int, place: int) -> FloatArray:
        """What a label there adds to the costs of all places of the others."""
        box, leader = self.boxes[i, place], self.leaders[i, place]
        costs = 5 * _overlaps(self.boxes, box) + 20 * _crossed(self.leaders, box)
        if np.isfinite(leader).all():
            costs += 20 * _crossed(leader, self.boxes[:, :, None]) + 60 * _meet(leader, self.leaders)
        costs[i] = 0.0
        return costs

    def place(self, i: int, place: int) -> Place:
        left, top, right, bottom = self.boxes[i, place].tolist()
        end_x, end_y = self.leaders[i, place, -1].tolist()
        return Place((left, top, right, bottom), (end_x, end_y) if np.isfinite(end_x) else None)


def _boxes(dots: FloatArray, sizes: FloatArray, distances: FloatArray, angles: FloatArray) -> FloatArray:
    """Put the boxes so that their edges, not their middles, are that far from the dots."""
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    near = dots[:, None] + ways * distances[:, None]
    corners = near - sizes[:, None] * (1 - ways) / 2
    return np.concatenate([corners, corners + sizes[:, None]], axis=-1)


def _overlaps(boxes: FloatArray, other: FloatArray) -> FloatArray:
    """How many pixels of the other box each box covers."""
    sides = np.minimum(boxes[..., 2:], other[2:]) - np.maximum(boxes[..., :2], other[:2])
    return np.asarray(np.maximum(sides[..., 0], 0) * np.maximum(sides[..., 1], 0))


def _outside(boxes: FloatArray, frame: Box) -> FloatArray:
    low, high = np.array(frame[:2]), np.array(frame[2:])
    beyond = np.clip(low - boxes[..., :2], 0, None) + np.clip(boxes[..., 2:] - high, 0, None)
    return np.asarray(beyond.sum(axis=-1))


def _meet(leader: FloatArray, others: FloatArray) -> FloatArray:
    """Which of the other leaders run across this one."""
    a, b, starts, ends = leader[0], leader[-1], others[..., 0, :], others[..., -1, :]
    with np.errstate(invalid="ignore"):  # infinitely far leaders meet nothing
        apart = _side(a, b, starts) * _side(a, b, ends) < 0
        return np.asarray(apart & (_side(starts, ends, a) * _side(starts, ends, b) < 0))


def _side(a: FloatArray, b: FloatArray, point: FloatArray) -> FloatArray:
    """On which side of the line from a to b a point lies, by sign."""
    along, beside = b - a, point - a
    return np.asarray(np.sign(along[..., 0] * beside[..., 1] - along[..., 1] * beside[..., 0]))


def _crossed(leaders: FloatArray, boxes: FloatArray) -> FloatArray:
    """How many points of each leader, its start not counted, lie in the boxes."""
    x, y = leaders[..., 1:, 0], leaders[..., 1:, 1]
    left, top, right, bottom = np.moveaxis(boxes, -1, 0)
    inside = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
    return np.asarray(np.count_nonzero(inside, axis=-1))
