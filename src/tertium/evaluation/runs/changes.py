"""Differences between a run and its recomputation, and their causes: texts, files, resources, defaults, the version."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import PurePath
from typing import Any

import numpy as np

from tertium import __version__
from tertium.evaluation.evaluation import Evaluation
from tertium.evaluation.runs import Run
from tertium.evaluation.runs.files import checksum, checksum_references
from tertium.evaluation.runs.manifest import InputFile, record_metric
from tertium.files.paths import parse_address
from tertium.files.reading import checksum_file
from tertium.records import record
from tertium.values import Corpus, FloatArray


@record
class ScoreChange:
    """A score that differs from the recorded one.

    Attributes
    ----------
    after
        None if the score could not be computed.
    n_segments
        The number of segments whose statistics differ; None if the segments cannot be matched.
    test_set
        The test set, if the run has several.
    """

    metric: str
    system: str
    before: float
    after: float | None
    n_segments: int | None
    reasons: tuple[str, ...]
    test_set: str | None = None


@record(eq=False)
class Recomputation:
    """A run, and the statistics and texts that were computed again from its files.

    Attributes
    ----------
    files
        The files of the run, where they are now.
    """

    old: Run
    new: Evaluation
    corpus: Corpus
    files: Sequence[InputFile]

    def list_changes(self) -> Iterator[ScoreChange]:
        """List the scores that changed, with the likely reasons."""
        for label in self.old.evaluation.tables:
            yield from self._compare(label)

    def list_changed_files(self) -> Iterator[str]:
        """List the files whose content changed."""
        return (file.path for file in self.files if _has_changed(file))

    def _compare(self, label: str) -> Iterator[ScoreChange]:
        old, new = self.old.evaluation, self.new
        before = old.system_scores(label)
        after = new.system_scores(label) if label in new.tables else None
        for i, system in enumerate(old.systems):
            if after is None or system not in new.systems:
                yield ScoreChange(label, system, float(before[i]), None, None, self._explain(label, system))
                continue
            j = new.systems.index(system)
            n_moved = _count_moved(old.tables[label][i], new.tables[label][j])
            if n_moved != 0 or before[i] != after[j]:
                facts = float(before[i]), float(after[j]), n_moved
                yield ScoreChange(label, system, *facts, self._explain(label, system))

    def _explain(self, label: str, system: str) -> tuple[str, ...]:
        """List all changes that may explain a changed score."""
        reasons = [*self._text_changes(system), *self._metric_changes(label)]
        if self.old.manifest.tertium != __version__:
            reasons.append(f"version changed: tertium {self.old.manifest.tertium}, now {__version__}")
        return tuple(reasons) or ("nothing that the run records has changed",)

    def _text_changes(self, system: str) -> Iterator[str]:
        now = self.corpus
        references = _first_change(self.old.reference_checksums, checksum_references(now.references))
        if references is not None:
            yield f"text changed: {self._file('reference', None)}, first at segment {references:,}"
        sources = None if now.sources is None else list(map(checksum, now.sources))
        source = _first_change(self.old.source_checksums or (), sources or ())
        if source is not None:
            yield f"text changed: {self._file('source', None)}, first at segment {source:,}"
        if system not in now.systems:
            yield f"{system} is no longer among the systems"
            return
        recorded = self.old.outputs(system)
        known = list(map(checksum, recorded)) if self.old.manifest.has_texts else recorded
        output = _first_change(known, list(map(checksum, now.systems[system])))
        if output is not None:
            yield f"text changed: {self._file('system', system)}, first at segment {output:,}"
        for file in self.files:
            if file.role in ("scores", "columns") and _has_changed(file):
                yield f"{file.role} changed: {file.path}"

    def _file(self, role: str, system: str | None) -> str:
        """Name the file that changed, as far as that is known."""
        paths = [file.path for file in self.files if file.role == role and _has_changed(file)]
        if system is not None:
            named = [path for path in paths if system in PurePath(path).name]
            paths = named or paths
        return ", ".join(paths) or (f"system {system}" if system else f"the {role}")

    def _metric_changes(self, label: str) -> Iterator[str]:
        before = next(recorded for recorded in self.old.manifest.records if recorded["label"] == label)
        made = next((metric for metric in self.new.metrics if metric.label == label), None)
        if made is None:
            yield f"{label} was not computed"
            return
        now = record_metric(made, "")
        for name, facts in before["resources"].items():
            then, today = _identity(facts), _identity(now["resources"].get(name))
            if then != today:
                yield f"resource changed: {name} was {then}, now {today}"
        for name, text in now["options"].items():
            if before["options"].get(name) != text and now["kind"] == "computed":
                yield f"option default changed: {name} was {before['options'].get(name)}, now {text}"


def _count_moved(before: FloatArray, after: FloatArray) -> int | None:
    """Count the segments whose statistics differ; None if there are more or fewer segments."""
    if before.shape != after.shape:
        return None
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    return int((~same.all(axis=1)).sum())


def _first_change(before: Sequence[object], after: Sequence[object]) -> int | None:
    """The number of the first segment that differs, from 1."""
    pairs = enumerate(zip_longest(before, after), start=1)
    return next((number for number, (one, other) in pairs if one != other), None)


def _identity(facts: Mapping[str, Any] | None) -> str:
    return "none" if facts is None else str(facts["identity"])


def _has_changed(file: InputFile) -> bool:
    return file.sha256 is not None and checksum_file(parse_address(file.path).path) != file.sha256
