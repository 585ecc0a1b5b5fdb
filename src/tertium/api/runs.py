"""Runs: what `score` saved, opened, shown and computed again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from itertools import zip_longest
from os import PathLike, fspath
from pathlib import PurePath
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt

from tertium import __version__
from tertium.api.command import CommandOption, FilePath, Opt, Request, Strings, function_of, options_of
from tertium.api.options import AnalysisOptions, ConsentOption, ThreadOptions
from tertium.api.results import Result
from tertium.api.score import ScoreRequest, ScoreResult, find_unfit_metrics
from tertium.api.scores import SystemScores
from tertium.arguments import check_path
from tertium.catalog import ResourceChoice, split_labels
from tertium.corpus import CorpusFiles, expand_names, expand_paths
from tertium.errors import InputError, OptionError, TertiumError, UnknownNameError, argument
from tertium.evaluation import Evaluation
from tertium.evaluation.gaps import describe_gaps
from tertium.evaluation.runs import InputFile, Run, RunFile, list_test_sets
from tertium.evaluation.runs import open_runs as open_file
from tertium.evaluation.runs.files import checksum, checksum_references
from tertium.evaluation.runs.manifest import check_recordable, record_metric
from tertium.evaluation.selection import (
    SegmentColumns,
    parse_conditions,
    select_rows,
    select_segments,
    select_texts,
)
from tertium.files.paths import (
    STDIN,
    Address,
    NamedPath,
    check_not_pipe,
    file_size,
    is_file,
    is_folder,
    parse_address,
    show_path,
    split_name,
    total_memory,
)
from tertium.files.reading import checksum_file
from tertium.records import record
from tertium.reporting.runs import ScoreChange, describe_rerun, describe_run, describe_run_sets
from tertium.reporting.tables.model import Document
from tertium.types import Corpus

RunTableName = Literal["scores", "segments", "run", "metrics", "systems", "columns", "inputs", "signatures"]

MOVED = 3
"""The exit code of `rerun` if a number differs from the run."""

# Where the settings of a run keep the options of a group; the others are kept by name.
_SECTIONS = {"Resources": "resources", "Analysis": "view", "Output": "view"}


def write_settings(request: ScoreRequest) -> dict[str, Any]:
    """Return the options that a run records; a resource that was made in Python by its identity."""
    analysis = request.analysis
    resolved = {"alpha": analysis.alpha, "seed": analysis.seed, "scale": request.score_scale}
    settings: dict[str, Any] = {}
    for option in options_of(ScoreRequest):
        if option.opt.is_recorded:
            section = None if option.name == "where" else _SECTIONS.get(option.opt.group)
            values = settings if section is None else settings.setdefault(section, {})
            values[option.name] = _write_value(resolved.get(option.name, getattr(request, option.name)))
    return settings


def split_address(text: str) -> Address:
    """Split `FILE.run#NAMES` into the file and the names behind it."""
    path, _, names = text.rpartition(".run#")
    return Address(f"{path}.run", names) if path and not is_file(text) else parse_address(text)


def open_address(text: str) -> tuple[RunFile, str | None]:
    """Open `FILE.run`, `FILE.run#SYSTEM`, `FILE.run#SET` or `FILE.run#SET#SYSTEM`, and return the system behind it.

    Every command opens runs here. The settings of a run must have the types and values that their options declare. A
    test set that is chosen is the only run of the file; a system of a file with several test sets chooses those that
    have it.

    Raises
    ------
    InputError
        If the run is damaged.
    """
    address = split_address(text)
    names = address.column
    file = open_file(address.path, None if names is None else lambda each: _is_chosen(each, names))
    for run in file.runs.values():
        _check_settings(run)
    if names is None or not file.has_sets:
        return file, names
    chosen = [name for name in file.names if _is_chosen(name, names)]
    if not chosen:
        kept = _keep_system(
            file.path, {str(name): run.manifest.systems for name, run in file.runs.items()}, names
        )
        return replace(file, runs={name: file.runs[name] for name in kept}), names
    name = max(chosen, key=len)
    return replace(file, runs={None: file.runs[name]}), names.removeprefix(name).removeprefix("#") or None


def _is_chosen(test_set: str, names: str) -> bool:
    return names == test_set or names.startswith(f"{test_set}#")


def list_sets(text: str) -> list[str]:
    """List the test sets of `FILE.run` or `FILE.run#SYSTEM`; none if the file holds one run, or one is chosen."""
    address = split_address(text)
    found, names = list_test_sets(address.path), address.column
    if names is None or not found:
        return list(found)
    return [] if any(_is_chosen(each, names) for each in found) else _keep_system(address.path, found, names)


def _keep_system(path: str, systems: Mapping[str, Sequence[str]], name: str) -> list[str]:
    """List the test sets that have a system."""
    if kept := [test_set for test_set, known in systems.items() if name in known]:
        return kept
    raise UnknownNameError(
        f"{path} has neither a test set nor a system {name!r}; its test sets are {', '.join(systems)}"
    )


def open_checked(path: FilePath) -> Run:
    """Open the run of one test set: `FILE.run`, or `FILE.run#SET` if the file holds several."""
    file, system = open_address(check_path(path, "path"))
    return _take_run(file, system)


def _take_run(file: RunFile, system: str | None) -> Run:
    if system is not None and not file.has_sets:
        raise InputError(f"{file.path}#{system}: all systems of a run are read here; leave out #{system}")
    return file.take_only()


def _check_settings(run: Run) -> None:
    settings = run.manifest.origin.settings
    for option in options_of(ScoreRequest):
        if option.opt.is_recorded:
            section = None if option.name == "where" else _SECTIONS.get(option.opt.group)
            found = settings if section is None else settings.get(section, {})
            try:
                _check_setting(option, found)
            except TertiumError as error:
                raise InputError(f"{run.path} is damaged (its settings: {error}); make it again") from None


def _check_setting(option: CommandOption, found: object) -> None:
    if not isinstance(found, Mapping):
        raise InputError("a section is not a table")
    value = found.get(option.name)
    if value is None:
        return  # earlier versions had fewer options
    if option.name in ("vectors", "align_similar") and not isinstance(value, str):
        raise InputError(f"{argument(option.name)} must be a string, not {value!r}")
    option.check(tuple(value) if isinstance(value, list) else value)


def read_scale(run: Run) -> int:
    """Return the scale with which a run was saved."""
    return int(run.manifest.origin.settings.get("view", {}).get("scale") or 100)


def read_options(path: str, settings: Mapping[str, Any], changes: Mapping[str, Any]) -> AnalysisOptions:
    """Read the analysis options of a run; changes take precedence."""
    known = {option.name for option in options_of(AnalysisOptions) if option.opt.is_recorded} - {"where"}
    try:
        recorded = {key: value for key, value in settings.get("view", {}).items() if key in known}
        if changes.get("paired") is None and not recorded.get("paired"):
            recorded.pop("baseline", None)
        options = AnalysisOptions(**{**recorded, **changes})
        options.check_options()
        if "calibration" not in changes:
            _check_recorded(recorded.get("calibration"))
    except (TypeError, AttributeError):
        raise InputError(f"{path} is damaged (its settings are not valid); make or fetch it again") from None
    return options


def read_resources(settings: Mapping[str, Any]) -> ResourceChoice:
    """Read the resources that a run names."""
    known = {each.name for each in fields(ResourceChoice)}
    found = {key: value for key, value in settings.get("resources", {}).items() if key in known}
    for value in found.values():
        _check_recorded(*(value if isinstance(value, list) else [value]))
    return ResourceChoice(**{**found, "trees": tuple(found.get("trees") or ())})


def _check_recorded(*paths: str | None) -> None:
    """Raise if a path that a run records is a pipe or a device, or larger than the memory: reading it might never end.

    The user did not name these files, so they are checked before they are opened.
    """
    for path in filter(None, paths):
        file = path.rpartition("#")[0] if "#" in path and not is_file(path) else path
        check_not_pipe(file, "a file that a run records")
        if file_size(file) > total_memory():
            raise InputError(
                f"{show_path(file)}, which the run records, is larger than the memory of this machine"
            )


def list_files(request: ScoreRequest) -> tuple[InputFile, ...]:
    """List the files that a request reads, with their checksums; none for texts from Python."""
    files = request.texts
    scores = tuple(_describe_file("scores", path, name) for name, path in map(split_name, request.scores))
    if not isinstance(files, CorpusFiles):
        return scores
    return (
        *(_describe_file("reference", path) for path in expand_paths(files.references)),
        *(_describe_file("system", path, name) for name, path in expand_names(files.hypotheses)),
        *(_describe_file("source", path) for path in (files.source,) if path is not None),
        *(_describe_file("columns", path) for path in (files.columns,) if path is not None),
        *scores,
    )


def _describe_file(role: str, text: str, name: str | None = None) -> InputFile:
    path = parse_address(text).path
    return InputFile(role, text, name, None if path == STDIN else checksum_file(path))


def _write_value(value: object) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, tuple):
        return list(value)
    return fspath(value) if isinstance(value, PathLike) else getattr(value, "identity", None)


@record(eq=False, repr=False)
class RunResult(SystemScores):
    """The scores of a run; statistics and texts are read on demand."""

    run: Run
    asked: AnalysisOptions = field(default_factory=AnalysisOptions)
    """With conditions, metrics that learn from all references keep what they learnt."""

    @property
    def options(self) -> AnalysisOptions:
        return self.asked

    @property
    def target(self) -> str | None:
        return read_resources(self.run.manifest.origin.settings).target

    @property
    def unfit_labels(self) -> set[str]:
        return set() if self.corpus is None else find_unfit_metrics(self.run.manifest.metrics, self.corpus)

    @cached_property
    def evaluation(self) -> Evaluation:  # type: ignore[override]
        return self.run.evaluation if self._rows is None else select_segments(self.run.evaluation, self._rows)

    @cached_property
    def corpus(self) -> Corpus | None:
        """The texts; None if the run has only their checksums."""
        whole = self.run.corpus
        return whole if whole is None or self._rows is None else select_texts(whole, self._rows)

    @cached_property
    def segment_columns(self) -> Mapping[str, Sequence[str]]:
        if self._rows is None:
            return self._all_columns
        return {
            name: [values[row] for row in self._rows.tolist()] for name, values in self._all_columns.items()
        }

    @cached_property
    def _all_columns(self) -> Mapping[str, Sequence[str]]:
        if self.run.corpus is not None:
            return SegmentColumns(self.run.corpus)
        documents = self.run.document_ids
        return {**({} if documents is None else {"document": documents}), **self.run.columns}

    @cached_property
    def _rows(self) -> "npt.NDArray[np.int64] | None":
        if not (conditions := parse_conditions(tuple(self.asked.where))):
            return None
        rows = select_rows(conditions, self._all_columns, self.run.manifest.n_segments)
        self.asked.check_size(len(rows))
        return rows

    @cached_property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        """The systems with segments without a score."""
        return tuple(describe_gaps(self.evaluation))

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """The metrics whose scores on selected segments differ from those of `score` with the same conditions."""
        if self._rows is None:
            return ()
        learnt = [each.label for each in self.run.manifest.metrics if each.metric.learns_from_references]
        if not learnt:
            return ()
        n_segments = self.run.manifest.n_segments
        note = (
            f"{', '.join(learnt)}: computed with what was learnt from all {n_segments:,} segments of the run;"
            f" 'tertium score' with {argument('where')} learns from the selected segments only"
        )
        return (note,)

    def show(self, table: RunTableName) -> Result:
        """Return one of the tables of the run."""
        if table == "scores":
            return self
        return self.by_segment() if table == "segments" else RunTable(self.run, table)


@record
class RunTable(Result):
    """A table of a run other than its scores."""

    run: Run
    table: str

    def document(self) -> Document:
        return describe_run(self.run, self.table)


@record
class SetsTable(Result):
    """A table of the runs of several test sets."""

    file: RunFile
    table: str

    def document(self) -> Document:
        return describe_run_sets(self.file, self.table)


@record
class ShowRequest(AnalysisOptions, Request[Result]):
    """Show a table of a run that `tertium score --save` wrote.

    The scores come with the intervals and tests that were requested when the run was made, and with those requested
    now.
    """

    path: Annotated[
        FilePath,
        Opt(
            "The run; FILE.run#SET chooses one of several test sets.",
            "Input",
            is_argument=True,
            metavar="RUN",
        ),
    ]
    table: Annotated[RunTableName, Opt("The table to show.", "Output", flags=("-t", "--table"))] = "scores"

    def run(self) -> Result:
        if self.by is not None and self.table != "scores":
            raise OptionError(f"{argument('by')} shows scores, not the table {self.table}")
        file, system = open_address(fspath(self.path))
        if file.has_sets:
            return self._show_sets(file)
        run = _take_run(file, system)
        return RunResult(run, self._read_options(run)).show(self.table)

    def _read_options(self, run: Run, **more: Any) -> AnalysisOptions:
        """Read the options of a run; those of the request take precedence."""
        names = [each.name for each in fields(AnalysisOptions)]
        changes = {name: value for name in names if (value := getattr(self, name)) not in (None, False, ())}
        options = read_options(
            run.path, run.manifest.origin.settings, {**changes, "tests_pairs": self.tests_pairs, **more}
        )
        options.check_systems(run.manifest.systems)
        return options

    def _show_sets(self, file: RunFile) -> Result:
        if self.table not in ("scores", "segments"):
            return SetsTable(file, self.table)
        for name in ("by", "paired", "baseline", "group", "sort"):
            if getattr(self, name):
                raise OptionError(
                    f"{argument(name)} shows one test set; choose it: {file.path}#{file.names[0]}"
                )
        if self.table == "segments":
            raise OptionError(
                f"the segments are those of one test set; choose it: {file.path}#{file.names[0]}"
            )
        from tertium.api.score_sets import ScoreSetsResult  # most runs have one test set

        asked = {
            "ci": True,
            "tests_pairs": True,
            "paired": None,
            "baseline": None,
            "group": (),
        }
        results: dict[str, SystemScores] = {
            str(name): RunResult(run, self._read_options(run, **asked)) for name, run in file.runs.items()
        }
        analysis = next(iter(results.values())).options.analysis
        return ScoreSetsResult(results, analysis, autorank=bool(file.settings.get("autorank")))


def open_run(path: FilePath) -> RunResult:
    """Open a run that `tertium score --save` or `result.save` wrote.

    Only the manifest is read now. The result has the intervals and tests that were requested when the run was made.
    `FILE.run#SET` opens one of several test sets.
    """
    run = open_checked(path)
    return RunResult(run, read_options(run.path, run.manifest.origin.settings, {}))


@record
class RerunRequest(ConsentOption, ThreadOptions, Request["RerunResult | RerunSetsResult"]):
    """Compute a run again from its files; report "identical" (exit code 0), or what changed and why (3).

    Files are expected where they were; each given file replaces the recorded file with the same name.
    """

    path: Annotated[
        FilePath,
        Opt(
            "The run; FILE.run#SET chooses one of several test sets.",
            "Input",
            is_argument=True,
            metavar="RUN",
        ),
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
            return self._rerun(_take_run(file, system))
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
        return tuple(each.path for each in self.files if _has_changed(each))

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
        for each in self.files:
            if each.role in ("scores", "columns") and _has_changed(each):
                yield f"{each.role} changed: {each.path}"

    def _file(self, role: str, system: str | None) -> str:
        """Name the file that changed, as far as that is known."""
        paths = [each.path for each in self.files if each.role == role and _has_changed(each)]
        if system is not None:
            named = [path for path in paths if system in PurePath(path).name]
            paths = named or paths
        return ", ".join(paths) or (f"system {system}" if system else f"the {role}")

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


@record(eq=False)
class RerunSetsResult(Result):
    """The reruns of several test sets, by name."""

    path: str
    results: Mapping[str, RerunResult]

    @property
    def is_identical(self) -> bool:
        """Whether every statistic of every segment is the same."""
        return all(each.is_identical for each in self.results.values())

    @property
    def exit_code(self) -> int:
        return 0 if self.is_identical else MOVED

    def document(self) -> Document:
        moved = [replace(each, test_set=name) for name, found in self.results.items() for each in found.moved]
        changed = [path for found in self.results.values() for path in found.changed_files]
        n_scores = sum(each.n_scores for each in self.results.values())
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
            files = [_find_below(path, each) for each in files]
            continue
        name = PurePath(parse_address(path).path).name
        places = [
            i
            for i, each in enumerate(files)
            if PurePath(each.path.rpartition("#")[0] or each.path).name == name
        ]
        if not places:
            known = ", ".join(PurePath(each.path).name for each in files) or "none"
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
        scores=tuple(_write_file(each) for each in files if each.role == "scores"),
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
    _check_recorded(settings.get("align_similar"))
    return {name: settings[name] for name in recorded if settings.get(name) is not None}


def _find_corpus(run: Run, files: Sequence[InputFile]) -> Corpus | CorpusFiles:
    """Return the files of a run, or its texts if it was made in Python."""
    if _is_from_files(files):
        if any(each.sha256 is None for each in files):
            raise InputError(
                f"{run.path} was made from standard input, which cannot be read again; score the text again"
            )
        _check_recorded(*(each.path for each in files))
        return CorpusFiles(
            references=tuple(each.path for each in files if each.role == "reference"),
            hypotheses=tuple(NamedPath(each.name, each.path) for each in files if each.role == "system"),
            source=next((each.path for each in files if each.role == "source"), None),
            columns=next((each.path for each in files if each.role == "columns"), None),
        )
    if run.corpus is None:
        raise InputError(f"{run.path} names no files and has no texts, so it cannot be computed again")
    return run.corpus


def _is_from_files(files: Sequence[InputFile]) -> bool:
    return any(each.role == "system" for each in files)


def _write_file(file: InputFile) -> str:
    return file.path if file.name is None else f"{file.name}={file.path}"


show = function_of("show", ShowRequest)
rerun = function_of("rerun", RerunRequest)
