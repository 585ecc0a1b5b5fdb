"""A search's journal: a line for what is searched, and a line per trial, so that it can go on later."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path

from tertium.errors import InputError
from tertium.files.paths import check_not_pipe, exists
from tertium.files.reading import read_bytes, split_lines
from tertium.files.writing import write_atomically
from tertium.progress import report_message
from tertium.tuning.search import Point, describe_point, point_key
from tertium.tuning.trials import Trial, Trials, Values, total


class Journal:
    """A file that trials are appended to; the task says what they depend on.

    An existing file is read, and its trials count as done. It is written anew at once, so that a line that an
    interruption cut off does not stay in the middle.
    """

    def __init__(self, path: str, task: Mapping[str, object]) -> None:
        self.path = Path(path)
        check_not_pipe(path, "a journal")
        self.trials = read_journal_lines(_read_whole_lines(path), task, path)
        with write_atomically(self.path, InputError) as temporary:
            text = write_head(task) + "".join(map(write_trial, self.trials))
            temporary.write_text(text, encoding="utf-8")

    def append(self, trial: Trial) -> None:
        """Write a trial down before the next one begins."""
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(write_trial(trial))
        except OSError as error:
            raise InputError(f"cannot write {self.path}: {error.strerror or error}") from error


def write_head(task: Mapping[str, object]) -> str:
    """Write the first line: everything that a trial's outcome depends on."""
    return json.dumps({"task": dict(task)}, ensure_ascii=False, sort_keys=True) + "\n"


def write_trial(trial: Trial) -> str:
    """Write the line of a trial; NaN is null."""
    values = {
        statistic: {pair: None if isnan(value) else value for pair, value in by_pair.items()}
        for statistic, by_pair in trial.values.items()
    }
    return json.dumps({"point": dict(trial.point), "values": values}, ensure_ascii=False) + "\n"


def read_journal_lines(lines: Sequence[str], task: Mapping[str, object], path: str) -> list[Trial]:
    """Read a journal's trials.

    Raises
    ------
    InputError
        If it is the journal of another search, or damaged.
    """
    if not lines:
        return []
    if lines[0] + "\n" != write_head(task):
        raise InputError(
            f"{path} is the journal of another search; give another file, or delete it to start anew"
        )
    trials = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            record = json.loads(line)
            trials.append(Trial(_point(record["point"]), _values(record["values"])))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise InputError(
                f"{path}: line {number:,} is not a trial; delete the file to start anew"
            ) from None
    return trials


def _read_whole_lines(path: str) -> list[str]:
    """Read the lines that were written to their end; a full disk may cut the last one even within a letter."""
    if not exists(path):
        return []
    data = read_bytes(path)
    whole = data[: data.rfind(b"\n") + 1]
    try:
        return split_lines(whole.decode())
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8, as journals are; delete the file to start anew") from None


def _point(record: Mapping[str, object]) -> Point:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def _values(record: Mapping[str, Mapping[str, float | None]]) -> Values:
    return {
        statistic: {pair: float("nan") if value is None else float(value) for pair, value in by_pair.items()}
        for statistic, by_pair in record.items()
    }


class WatchedObjective:
    """Runs a trial, writes it to the journal, and reports it if it is the best so far.

    `ahead` tries many points at the same time, and gives their trials in order.
    """

    def __init__(
        self,
        trials: Trials,
        journal: Journal | None,
        ahead: Callable[[Sequence[Point]], Iterable[Trial]] | None = None,
    ) -> None:
        self._trials, self._journal, self._ahead = trials, journal, ahead
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
            report_message("progress", f"trial {len(self._asked):,}: {score:.4f} {describe_point(point)}")
        return score
