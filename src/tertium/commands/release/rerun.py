"""Rerun."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import zip_longest
from os import fspath
from pathlib import PurePath
from typing import Annotated, Any

import numpy as np

from tertium import __version__
from tertium.catalog import split_labels
from tertium.commands.base.options import ConsentOption, ThreadOptions
from tertium.commands.base.request import FilePath, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.runs import check_recorded, open_address, read_resources, take_run
from tertium.commands.base.scoring import ScoreRequest, ScoreResult
from tertium.commands.base.text_options import RUN
from tertium.corpus import CorpusFiles
from tertium.declarations import Opt, options_of
from tertium.errors import InputError, OptionError
from tertium.evaluation.runs import InputFile, Run, RunFile
from tertium.evaluation.runs.files import checksum, checksum_references
from tertium.evaluation.runs.manifest import check_recordable, record_metric
from tertium.files.paths import NamedPath, is_file, is_folder, parse_address
from tertium.files.reading import checksum_file
from tertium.presentation.run_tables import ScoreChange, describe_rerun
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.values import Corpus

MOVED = 3
"""The exit code of `rerun` if a number differs from the run."""


@record
class RerunRequest(ConsentOption, ThreadOptions, Request["RerunResult | RerunSetsResult"]):
    """Compute a run again from its files; report "identical" (exit code 0), or what changed and why (3).

    Files are expected where they were; each given file replaces the recorded file with the same name.
    """

    path: Annotated[
        FilePath,
        RUN,
    ]
    files: Annotated[
        Strings,
        Opt(
            "Files that have moved since, or a folder that has them at the ends of their former paths.",
            "Input",
            is_argument=True,
            metavar="[FILE]...",
        ),
    ] = ()

    def run(self) -> "RerunResult | RerunSetsResult":
        file, system = open_address(fspath(self.path))
        if not file.has_sets:
            return self._rerun(take_run(file, system))
        self._check_moved(file)
        return RerunSetsResult(file.path, {str(name): self._rerun(run) for name, run in file.runs.items()})

    def _check_moved(self, file: RunFile) -> None:
        """Raise on files that would replace those of several test sets: most have the same names."""
        for path in self.files:
            if not is_folder(path):
                raise OptionError(
                    f"{file.path} holds several test sets, so give the folder that has moved instead of {path},"
                    f" or choose one of them: {file.path}#{file.names[0]}"
                )

    def _rerun(self, old: Run) -> "RerunResult":
        files = _replace_files(old, tuple(self.files))
        with self.ask_consent(old.path):
            try:
                request = _rebuild(old, files, self.threads)
            except (TypeError, AttributeError, KeyError):
                raise InputError(
                    f"{self.path} is damaged (its settings are not valid); make it again"
                ) from None
            return RerunResult(old, request.run(), tuple(files))


@record(eq=False)
class RerunResult(Result):
    """The run, the new result, and the differences between them."""

    old: Run
    new: ScoreResult
    files: tuple[InputFile, ...]

    @property
    def is_identical(self) -> bool:
        """Whether every statistic of every segment is the same."""
        return not self.moved

    @property
    def exit_code(self) -> int:
        return 0 if self.is_identical else MOVED

    @cached_property
    def moved(self) -> tuple[ScoreChange, ...]:
        """Scores that changed, each with the likely reasons."""
        return tuple(each for label in self.old.evaluation.tables for each in self._compare(label))

    @cached_property
    def changed_files(self) -> tuple[str, ...]:
        """Files whose content changed."""
        return tuple(file.path for file in self.files if _has_changed(file))

    @property
    def n_scores(self) -> int:
        """Number of scores of the run."""
        return len(self.old.evaluation.systems) * len(self.old.evaluation.metrics)

    def document(self) -> Document:
        return describe_rerun(self.old.path, self.n_scores, self.moved, self.changed_files)

    def _compare(self, label: str) -> Iterator[ScoreChange]:
        old, new = self.old.evaluation, self.new.tables
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
        now = self.new.sample
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
        before = next(each for each in self.old.manifest.records if each["label"] == label)
        made = next((metric for metric in self.new.evaluation.metrics if metric.label == label), None)
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


@record(eq=False)
class RerunSetsResult(Result):
    """The reruns of several test sets, by name."""

    path: str
    results: Mapping[str, RerunResult]

    @property
    def is_identical(self) -> bool:
        """Whether every statistic of every segment is the same."""
        return all(result.is_identical for result in self.results.values())

    @property
    def exit_code(self) -> int:
        return 0 if self.is_identical else MOVED

    def document(self) -> Document:
        moved = [replace(each, test_set=name) for name, found in self.results.items() for each in found.moved]
        changed = [path for found in self.results.values() for path in found.changed_files]
        n_scores = sum(result.n_scores for result in self.results.values())
        return describe_rerun(self.path, n_scores, moved, changed)


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
    """Replace recorded paths by the given files with the same name."""
    files = list(run.manifest.origin.files)
    for path in given:
        if is_folder(path):
            files = [_find_below(path, file) for file in files]
            continue
        name = PurePath(parse_address(path).path).name
        places = [
            i
            for i, each in enumerate(files)
            if PurePath(each.path.rpartition("#")[0] or each.path).name == name
        ]
        if not places:
            known = ", ".join(PurePath(file.path).name for file in files) or "none"
            raise InputError(f"{path} replaces no file of {run.path}; the run was made from {known}")
        for i in places:
            _, mark, column = files[i].path.rpartition("#")
            moved = f"{path}#{column}" if mark and "#" not in path else path
            files[i] = InputFile(files[i].role, moved, files[i].name, files[i].sha256)
    return files


def _find_below(folder: str, file: InputFile) -> InputFile:
    """Find a file in a folder by the longest end of its former path; keep its path if there is none."""
    path, mark, column = file.path.rpartition("#") if "#" in file.path else (file.path, "", "")
    parts = PurePath(path).parts[1:] if PurePath(path).is_absolute() else PurePath(path).parts
    for first in range(len(parts)):
        moved = str(PurePath(folder, *parts[first:]))
        if is_file(moved):
            return replace(file, path=f"{moved}{mark}{column}")
    return file


def _rebuild(run: Run, files: Sequence[InputFile], threads: int | None) -> ScoreRequest:
    settings = run.manifest.origin.settings
    check_recordable(split_labels(settings["metrics"]))
    return ScoreRequest(
        _find_corpus(run, files),
        metrics=tuple(settings["metrics"]),
        tokenizer=settings["tokenizer"],
        lowercase=settings["lowercase"],
        where=tuple(settings["where"]) if _is_from_files(files) else (),
        scores=tuple(_write_file(file) for file in files if file.role == "scores"),
        lower=tuple(settings["lower"]),
        threads=threads,
        **(_read_text_options(settings) if _is_from_files(files) else {}),
        **vars(read_resources(settings)),
    )


def _read_text_options(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Read the options that say how texts are read, cut and joined; the texts in a run are cut and joined already."""
    recorded = [
        each.name for each in options_of(ScoreRequest) if each.opt.is_recorded and each.opt.group == "Input"
    ]
    return {name: settings[name] for name in recorded if settings.get(name) is not None}


def _find_corpus(run: Run, files: Sequence[InputFile]) -> Corpus | CorpusFiles:
    """Return the files of a run, or its texts if it was made in Python."""
    if _is_from_files(files):
        if any(file.sha256 is None for file in files):
            raise InputError(
                f"{run.path} was made from standard input, which cannot be read again; score the text again"
            )
        check_recorded(*(file.path for file in files))
        return CorpusFiles(
            references=tuple(file.path for file in files if file.role == "reference"),
            hypotheses=tuple(NamedPath(file.name, file.path) for file in files if file.role == "system"),
            source=next((file.path for file in files if file.role == "source"), None),
            columns=next((file.path for file in files if file.role == "columns"), None),
        )
    if run.corpus is None:
        raise InputError(f"{run.path} names no files and has no texts, so it cannot be computed again")
    return run.corpus


def _is_from_files(files: Sequence[InputFile]) -> bool:
    return any(file.role == "system" for file in files)


def _write_file(file: InputFile) -> str:
    return file.path if file.name is None else f"{file.name}={file.path}"


rerun = function_of("rerun", RerunRequest)
