"""A run, computed again from its files: whether every number is the same, and otherwise the changes and their causes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import fspath
from pathlib import PurePath
from typing import Annotated, Any

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
from tertium.evaluation.runs.changes import Recomputation, ScoreChange
from tertium.evaluation.runs.manifest import check_recordable
from tertium.files.paths import NamedPath, is_file, is_folder, parse_address
from tertium.presentation.tables.fields import Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Document, Line, Span, Tone
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
        """The scores that changed, with the likely reasons."""
        return tuple(self._recomputation.list_changes())

    @cached_property
    def changed_files(self) -> tuple[str, ...]:
        """Files whose content changed."""
        return tuple(self._recomputation.list_changed_files())

    @property
    def _recomputation(self) -> Recomputation:
        return Recomputation(self.old, self.new.tables, self.new.sample, self.files)

    @property
    def n_scores(self) -> int:
        """Number of scores of the run."""
        return len(self.old.evaluation.systems) * len(self.old.evaluation.metrics)

    def document(self) -> Document:
        return describe_rerun(self.old.path, self.n_scores, self.moved, self.changed_files)


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
        moved = [
            replace(change, test_set=name) for name, found in self.results.items() for change in found.moved
        ]
        changed = [path for found in self.results.values() for path in found.changed_files]
        n_scores = sum(result.n_scores for result in self.results.values())
        return describe_rerun(self.path, n_scores, moved, changed)


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
            for i, file in enumerate(files)
            if PurePath(file.path.rpartition("#")[0] or file.path).name == name
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
        option.name
        for option in options_of(ScoreRequest)
        if option.opt.is_recorded and option.opt.group == "Input"
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


_SET = Field[ScoreChange]("test_set")
_FIELDS: list[Field[ScoreChange]] = [
    Field("metric"),
    Field("system"),
    Field("before", float, form="{:.6f}"),
    Field("after", float, form="{:.6f}"),
    Field("segments", int, lambda change: change.n_segments, form="{}"),
    Field("why", get=lambda change: "; ".join(change.reasons)),
]


def describe_rerun(
    path: str, n_scores: int, changes: Sequence[ScoreChange], changed_files: Sequence[str]
) -> Document:
    """Describe which scores changed and why, or that all are identical."""
    has_sets = any(change.test_set is not None for change in changes)
    columns = [_SET, *_FIELDS] if has_sets else _FIELDS
    return Document(
        "rerun",
        lambda: [make_table(columns, changes)],
        lambda: make_records(columns, changes),
        lambda: {
            "run": path,
            "identical": not changes,
            "scores": n_scores,
            "moved": [make_object(columns, change) for change in changes],
            "changed_files": list(changed_files),
        },
        make_prose=lambda: [*_describe_changes(n_scores, changes, changed_files)],
    )


def _describe_changes(
    n_scores: int, changes: Sequence[ScoreChange], changed_files: Sequence[str]
) -> Iterator[Line]:
    if not changes:
        yield (Span(f"identical: all {n_scores:,} scores and their statistics", Tone.GOOD),)
        for path in changed_files:
            yield (
                Span(f"note: the bytes of {path} have changed, but not the texts that are scored", Tone.NOTE),
            )
        return
    yield (Span(f"{len(changes):,} of {n_scores:,} scores changed", Tone.ERROR),)
    for change in changes:
        after = "not computed" if change.after is None else f"{change.after:.6f}"
        segments = "" if change.n_segments is None else f" (segments that differ: {change.n_segments:,})"
        where = "" if change.test_set is None else f" on {change.test_set}"
        yield (
            Span(
                f"{change.metric} of {change.system}{where}: {change.before:.6f} → {after}{segments}",
                Tone.STRONG,
            ),
        )
        for reason in change.reasons:
            yield (Span(f"    {reason}"),)


rerun = function_of("rerun", RerunRequest)
