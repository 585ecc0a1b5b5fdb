"""The objective of a search, watched: trials go to the journal, and the best so far is told."""

from collections.abc import Callable, Iterable, Sequence

from tertium.tuning.journal import Journal
from tertium.tuning.space import Point, describe_point, point_key
from tertium.tuning.trials import Trial, Trials, total

__all__ = ["WatchedObjective"]


class WatchedObjective:
    """Runs a trial, writes it to the journal, and tells when it is the best so far.

    `ahead` tries many points at the same time, and gives their trials in order.
    """

    def __init__(
        self,
        trials: Trials,
        journal: Journal | None,
        tell: Callable[[str, str], None] | None,
        ahead: Callable[[Sequence[Point]], Iterable[Trial]] | None = None,
    ) -> None:
        self._trials, self._journal, self._tell, self._ahead = trials, journal, tell, ahead
        self._best = float("-inf")
        self._asked: set[str] = set()
        if journal is not None and journal.trials:
            trials.known |= {point_key(trial.point): trial for trial in journal.trials}

    def expect(self, points: Sequence[Point]) -> None:
        """Try points that will be asked soon, if there is something that tries many at the same time."""
        if self._ahead is None:
            return
        new = {point_key(point): point for point in points if point_key(point) not in self._trials.known}
        for key, trial in zip(new, self._ahead(list(new.values())), strict=True):
            self._trials.known[key] = trial
            if self._journal is not None:
                self._journal.append(trial)

    def __call__(self, point: Point) -> float:
        self._asked.add(point_key(point))  # counted as if nothing were in the journal
        n_before = len(self._trials.known)
        trial = self._trials.run(point)
        if self._journal is not None and len(self._trials.known) > n_before:
            self._journal.append(trial)
        score = total(trial.values)
        if score > self._best:
            self._best = score
            if self._tell is not None:
                self._tell("progress", f"trial {len(self._asked):,}: {score:.4f} {describe_point(point)}")
        return score
