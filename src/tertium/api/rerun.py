"""Compute a run again from its files, and say what moved and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from pathlib import PurePath
from typing import Any

import numpy as np

from tertium import __version__
from tertium.api.results import Progress, Shown
from tertium.api.score import ScoreRequest, ScoreResult
from tertium.api.settings import read_resources
from tertium.corpus import CorpusFiles
from tertium.errors import InputError
from tertium.evaluation.runs import InputFile, Run, open_run
from tertium.evaluation.runs.files import checksum, checksum_references
from tertium.evaluation.runs.manifest import record_metric
from tertium.files.paths import parse_address
from tertium.files.reading import checksum_file
from tertium.report.runs import ScoreChange, describe_rerun
from tertium.report.tables.model import Document
from tertium.types import Corpus

__all__ = ["RerunRequest", "RerunResult"]


@dataclass(frozen=True, kw_only=True)
class RerunRequest:
    """Everything that `tertium rerun` can be told.

    Attributes
    ----------
    files
        Where files lie now, if not where the run says; each takes the place of the one of its name.
    """

    path: str
    files: tuple[str, ...] = ()
    threads: int | None = None

    def run(self, progress: Progress | None = None) -> "RerunResult":
        """Score everything again as it was scored then."""
        old = open_run(self.path)
        files = _replace_files(old, self.files)
        try:
            request = _rebuild(old, files, self.threads)
        except (TypeError, AttributeError, KeyError):
            raise InputError(
                f"{self.path} is damaged (its settings are not a run's); make it again"
            ) from None
        return RerunResult(old, request.run(progress), tuple(files))


@dataclass(frozen=True, eq=False)
class RerunResult(Shown):
    """The run, what was computed now, and what differs between them."""

    old: Run
    new: ScoreResult
    files: tuple[InputFile, ...]

    @property
    def is_identical(self) -> bool:
        """Whether every statistic of every segment is what it was."""
        return not self.moved

    @cached_property
    def moved(self) -> tuple[ScoreChange, ...]:
        """Scores that are not what they were, each with the likely reasons."""
        return tuple(each for label in self.old.evaluation.tables for each in self._compare(label))

    @cached_property
    def changed_files(self) -> tuple[str, ...]:
        """Files whose bytes are not what they were."""
        return tuple(each.path for each in self.files if _has_changed(each))

    def document(self) -> Document:
        evaluation = self.old.evaluation
        n_scores = len(evaluation.systems) * len(evaluation.metrics)
        return describe_rerun(self.old.path, n_scores, self.moved, self.changed_files)

    def _compare(self, label: str) -> Iterator[ScoreChange]:
        old, new = self.old.evaluation, self.new.evaluation
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
        """Name everything that has changed and may have moved a score."""
        reasons = [*self._text_changes(system), *self._metric_changes(label)]
        if self.old.manifest.tertium != __version__:
            reasons.append(f"version changed: tertium {self.old.manifest.tertium}, now {__version__}")
        return tuple(reasons) or ("nothing that the run records has changed",)

    def _text_changes(self, system: str) -> Iterator[str]:
        now = self.new.corpus
        references = _first_change(self.old.reference_checksums, checksum_references(now.references))
        if references is not None:
            yield f"text changed: {self._file('reference', None)}, first at segment {references:,}"
        if system not in now.systems:
            yield f"{system} is no longer among the systems"
            return
        recorded = self.old.outputs(system)
        known = list(map(checksum, recorded)) if self.old.manifest.has_texts else recorded
        output = _first_change(known, list(map(checksum, now.systems[system])))
        if output is not None:
            yield f"text changed: {self._file('system', system)}, first at segment {output:,}"
        for each in self.files:
            if each.role in ("scores", "columns") and _has_changed(each):
                yield f"{each.role} changed: {each.path}"

    def _file(self, role: str, system: str | None) -> str:
        """Name the file that has changed, if it can be told."""
        paths = [each.path for each in self.files if each.role == role and _has_changed(each)]
        if system is not None:
            named = [path for path in paths if system in PurePath(path).name]
            paths = named or paths
        return ", ".join(paths) or (f"system {system}" if system else "the references")

    def _metric_changes(self, label: str) -> Iterator[str]:
        before = next(each for each in self.old.manifest.records if each["label"] == label)
        made = next((each for each in self.new.evaluation.metrics if each.label == label), None)
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


def _count_moved(before: Any, after: Any) -> int | None:
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


def _replace_files(run: Run, given: Sequence[str]) -> list[InputFile]:
    """Put files that were given in the places of those of the same name."""
    files = list(run.manifest.origin.files)
    for path in given:
        name = PurePath(parse_address(path).path).name
        places = [
            i
            for i, each in enumerate(files)
            if PurePath(each.path.rpartition("#")[0] or each.path).name == name
        ]
        if not places:
            known = ", ".join(PurePath(each.path).name for each in files) or "none"
            raise InputError(f"{path} takes the place of no file of {run.path}; the run was made of {known}")
        for i in places:
            _, mark, column = files[i].path.rpartition("#")
            moved = f"{path}#{column}" if mark and "#" not in path else path
            files[i] = InputFile(files[i].role, moved, files[i].name, files[i].sha256)
    return files


def _rebuild(run: Run, files: Sequence[InputFile], threads: int | None) -> ScoreRequest:
    settings = run.manifest.origin.settings
    return ScoreRequest(
        corpus=_find_corpus(run, files),
        metrics=tuple(settings["metrics"]),
        tokenizer=settings["tokenizer"],
        lowercase=settings["lowercase"],
        resources=read_resources(settings),
        where=tuple(settings["where"]) if _is_from_files(files) else (),
        scores=tuple(_spell(each) for each in files if each.role == "scores"),
        lower=tuple(settings["lower"]),
        threads=threads,
    )


def _find_corpus(run: Run, files: Sequence[InputFile]) -> Corpus | CorpusFiles:
    """Name the files of a run; a run that was made in Python has none, but may have texts."""
    if _is_from_files(files):
        if any(each.sha256 is None for each in files):
            raise InputError(
                f"{run.path} was made from standard input, which cannot be read again; score it anew"
            )
        return CorpusFiles(
            references=tuple(each.path for each in files if each.role == "reference"),
            hypotheses=tuple(_spell(each) for each in files if each.role == "system"),
            source=next((each.path for each in files if each.role == "source"), None),
            columns=next((each.path for each in files if each.role == "columns"), None),
        )
    if run.corpus is None:
        raise InputError(f"{run.path} names no files and has no texts, so it cannot be computed again")
    return run.corpus


def _is_from_files(files: Sequence[InputFile]) -> bool:
    return any(each.role == "reference" for each in files)


def _spell(file: InputFile) -> str:
    return file.path if file.name is None else f"{file.name}={file.path}"
