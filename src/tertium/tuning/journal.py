"""A search's journal: a line for what is searched, and a line per trial, so that it can go on later."""

import json
from collections.abc import Mapping, Sequence
from math import isnan

from tertium.errors import InputError
from tertium.tuning.space import Point
from tertium.tuning.trials import Trial, Values

__all__ = ["read_journal_lines", "write_head", "write_trial"]


def write_head(task: Mapping[str, object]) -> str:
    """Write the first line: the metric, its fixed options, the objective, the data."""
    return json.dumps({"task": dict(task)}, ensure_ascii=False, sort_keys=True) + "\n"


def write_trial(trial: Trial) -> str:
    """Write the line of a trial; NaN is null."""
    values = {
        statistic: {pair: None if isnan(value) else value for pair, value in by_pair.items()}
        for statistic, by_pair in trial.values.items()
    }
    return json.dumps({"point": dict(trial.point), "values": values}, ensure_ascii=False) + "\n"


def read_journal_lines(lines: Sequence[str], task: Mapping[str, object], path: str) -> list[Trial]:
    """Read a journal's trials; a last line that an interruption cut off is passed over.

    Raises
    ------
    InputError
        If it is the journal of another search, or damaged elsewhere.
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
        except (ValueError, KeyError, TypeError, AttributeError):
            if number == len(lines):
                break
            raise InputError(f"{path}: line {number:,} is no trial; delete the file to start anew") from None
    return trials


def _point(record: Mapping[str, object]) -> Point:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def _values(record: Mapping[str, Mapping[str, float | None]]) -> Values:
    return {
        statistic: {pair: float("nan") if value is None else float(value) for pair, value in by_pair.items()}
        for statistic, by_pair in record.items()
    }
