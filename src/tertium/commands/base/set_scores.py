"""Many test sets that are added up one after the other: their summary, their messages, and the run that holds them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tertium.commands.base.request import FilePath
from tertium.commands.base.results import Result
from tertium.commands.base.scores import SystemScores
from tertium.errors import OptionError
from tertium.evaluation.many_sets import ManySets, SetTally
from tertium.files.paths import is_folder, show_path
from tertium.presentation.sets_tables import describe_sets
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.stats.analysis import Analysis

if TYPE_CHECKING:
    from tertium.evaluation.runs import RunContents

R = TypeVar("R", bound=SystemScores)

_MOST_NAMED = 3
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class SetMessages:
    """The notes or warnings about test sets: lines that differ in their numbers only are summed up.

    A line about more than three test sets is kept for the first of them, with the number of the other test sets.

    Examples
    --------
    >>> messages = SetMessages()
    >>> for number in range(5):
    ...     messages.add(f"set{number}", [f"{number} segments are empty"])
    >>> messages.lines
    ('set0: 0 segments are empty (similar on 4 more test sets)',)
    """

    def __init__(self) -> None:
        self._kept: dict[str, list[tuple[int, str]]] = {}
        self._counts: Counter[str] = Counter()

    def add(self, test_set: str, lines: Iterable[str]) -> None:
        """Add the lines of a test set."""
        for line in lines:
            kind = _NUMBER.sub("0", line)
            self._counts[kind] += 1
            if len(kept := self._kept.setdefault(kind, [])) < _MOST_NAMED:
                kept.append((self._counts.total(), f"{test_set}: {line}"))

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, in the order in which they were added."""
        shown = list[tuple[int, str]]()
        for kind, kept in self._kept.items():
            n_more = self._counts[kind] - 1
            summed = [(kept[0][0], f"{kept[0][1]} (similar on {n_more:,} more test sets)")]
            shown += kept if self._counts[kind] <= _MOST_NAMED else summed
        return tuple(line for _, line in sorted(shown))


@record(eq=False)
class SetsSummary(Result):
    """Averages, ranks and tests over many test sets, without the texts and the statistics of any."""

    many: ManySets
    analysis: Analysis
    autorank: bool = False
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()

    def document(self) -> Document:
        return describe_sets(self.many, self.analysis, autorank=self.autorank)


class SetsCollector:
    """Adds up test sets that are scored one after the other, and keeps none of them.

    Parameters
    ----------
    systems
        The systems of each test set, by its name.
    """

    def __init__(self, systems: Mapping[str, Sequence[str]], analysis: Analysis) -> None:
        self._analysis = analysis
        self._tally = SetTally(systems, alpha=analysis.alpha, seed=analysis.seed)
        self._warnings, self._notes = SetMessages(), SetMessages()

    def collect(self, scored: Iterable[tuple[str, R]]) -> Iterator[tuple[str, R]]:
        """Add test sets, and hand each on."""
        for name, result in scored:
            if (comparison := result.comparison) is not None:
                self._tally.add(name, result.evaluation, comparison)
            self._warnings.add(name, result.warnings)
            self._notes.add(name, result.notes)
            yield name, result

    def finish(self, *, autorank: bool) -> SetsSummary:
        """Return the summary of all test sets."""
        warnings, notes = self._warnings.lines, self._notes.lines
        return SetsSummary(self._tally.finish(), self._analysis, autorank, warnings, notes)


def save_sets(
    path: FilePath, contents: "Iterable[tuple[str, RunContents]]", *, autorank: bool, texts: bool
) -> None:
    """Save test sets as one run; each is packed before the next is read."""
    from tertium.evaluation.runs import save_runs

    if is_folder(path):
        raise OptionError(
            f"{show_path(path)} is a folder; give a file such as {show_path(Path(path) / 'all.run')}"
        )
    save_runs(fspath(path), contents, settings={"autorank": autorank}, with_texts=texts)
