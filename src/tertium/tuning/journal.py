"""The journal of a search: one line for the task and one per trial, so that an interrupted search can continue."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path

from tertium.errors import InputError
from tertium.files.paths import check_not_pipe, exists
from tertium.files.reading import read_bytes, split_lines
from tertium.files.writing import append_text, write_atomically
from tertium.progress import report_message
from tertium.tuning.search import Point, describe_point, point_key
from tertium.tuning.trials import Trial, Trials, Values, total


class Journal:
    """A file to which trials are appended; `task` holds everything that their results depend on.

    An existing file is read, and its trials are not run again. It is rewritten at once, because an interruption
    may have cut off its last line.
    """

    def __init__(self, path: str, task: Mapping[str, object]) -> None:
        self.path = Path(path)
        check_not_pipe(path, "a journal")
        self.trials = parse_journal(_read_whole_lines(path), task, path)
        with write_atomically(self.path, InputError) as temporary:
            text = format_head(task) + "".join(map(format_trial, self.trials))
            temporary.write_text(text, encoding="utf-8")

    def append(self, trial: Trial) -> None:
        """Write a trial before the next one begins."""
        append_text(self.path, format_trial(trial), InputError)


def format_head(task: Mapping[str, object]) -> str:
    """Format the first line: everything that the results of trials depend on."""
    return json.dumps({"task": dict(task)}, ensure_ascii=False, sort_keys=True) + "\n"


def format_trial(trial: Trial) -> str:
    """Format the line of a trial in ASCII, which half a surrogate pair fits as well; NaN becomes null."""
    values = {
        statistic: {pair: None if isnan(value) else value for pair, value in by_pair.items()}
        for statistic, by_pair in trial.values.items()
    }
    return json.dumps({"point": dict(trial.point), "values": values}) + "\n"


def parse_journal(lines: Sequence[str], task: Mapping[str, object], path: str) -> list[Trial]:
    """Parse the trials of a journal.

    Raises
    ------
    InputError
        If the journal belongs to another search or is damaged.
    """
    if not lines:
        return []
    if lines[0] + "\n" != format_head(task):
        raise InputError(
            f"{path} is the journal of another search; pass another file, or delete it to start again"
        )
    trials = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            record = json.loads(line)
            trials.append(Trial(_point(record["point"]), _values(record["values"])))
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise InputError(
                f"{path}: line {number:,} is not a trial; delete the file to start again"
            ) from None
    return trials


def _read_whole_lines(path: str) -> list[str]:
    """Read the complete lines; a full disk may have cut the last one, even within a character."""
    if not exists(path):
        return []
    data = read_bytes(path)
    whole = data[: data.rfind(b"\n") + 1]
    try:
        return split_lines(whole.decode())
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8; delete the file to start again") from None


def _point(record: Mapping[str, object]) -> Point:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def _values(record: Mapping[str, Mapping[str, float | None]]) -> Values:
    return {
        statistic: {pair: float("nan") if value is None else float(value) for pair, value in by_pair.items()}
        for statistic, by_pair in record.items()
    }


class WatchedObjective:
    """Run a trial, write it to the journal, and report it if it is the best so far.

    `ahead` runs the trials of many points in parallel and returns them in order.
    """

    def __init__(
        self,
        trials: Trials,
        journal: Journal | None,
        ahead: Callable[[Sequence[Point]], Iterable[Trial]] | None = None,
    ) -> None:
        self._trials, self._journal, self._ahead = trials, journal, ahead
        self._best = float("-inf")
        self._requested: set[str] = set()
        if journal is not None and journal.trials:
            trials.known |= {point_key(trial.point): trial for trial in journal.trials}

    def expect(self, points: Sequence[Point]) -> None:
        """Run the trials of points that the search will need, if they can run in parallel."""
        if self._ahead is None:
            return
        new = {point_key(point): point for point in points if point_key(point) not in self._trials.known}
        for key, trial in zip(new, self._ahead(list(new.values())), strict=True):
            self._trials.known[key] = trial
            if self._journal is not None:
                self._journal.append(trial)

    def __call__(self, point: Point) -> float:
        self._requested.add(point_key(point))  # also counts trials that the journal had
        n_before = len(self._trials.known)
        trial = self._trials.run(point)
        if self._journal is not None and len(self._trials.known) > n_before:
            self._journal.append(trial)
        score = total(trial.values)
        if score > self._best:
            self._best = score
            report_message("progress", f"trial {len(self._requested):,}: {score:.4f} {describe_point(point)}")
        return score
