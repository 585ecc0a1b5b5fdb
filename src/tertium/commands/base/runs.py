"""Runs: what `score` saved, opened, shown and computed again."""

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import PurePath
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tertium.arguments import check_path
from tertium.catalog import ResourceChoice
from tertium.commands.base.options import AnalysisOptions
from tertium.commands.base.request import FilePath
from tertium.commands.base.results import Result
from tertium.commands.base.scores import SystemScores
from tertium.commands.base.scoring import ScoreRequest
from tertium.corpus import CorpusFiles, expand_names, expand_paths
from tertium.declarations import CommandOption, options_of
from tertium.errors import InputError, TertiumError, UnknownNameError, argument
from tertium.evaluation import Evaluation
from tertium.evaluation.gaps import describe_gaps
from tertium.evaluation.likely_mistakes import find_unfit_metrics
from tertium.evaluation.runs import InputFile, Run, RunFile, list_test_sets
from tertium.evaluation.runs import open_runs as open_file
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
    check_not_pipe,
    file_size,
    is_file,
    parse_address,
    show_path,
    split_name,
    total_memory,
)
from tertium.files.reading import checksum_file
from tertium.presentation.run_tables import describe_run, describe_run_sets
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.values import Corpus

RunTableName = Literal["scores", "segments", "run", "metrics", "systems", "columns", "inputs", "signatures"]


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
    file = open_file(address.path, None if names is None else lambda name: _is_chosen(name, names))
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


_ZIP = b"PK\x03\x04"
_OTHER_ZIPS = (".xlsx", ".docx", ".pptx", ".odt", ".ods", ".odp", ".epub")


def is_run(text: str) -> bool:
    """Whether the path is a run, or at least a file with the name of one."""
    path = split_address(text).path
    if path.endswith((".run", ".run.gz", ".run.xz")):  # a compressed run is rejected with the reason
        return True
    if not is_file(path) or PurePath(path).suffix in _OTHER_ZIPS:
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - Path rejects names that open accepts
            return file.read(len(_ZIP)) == _ZIP
    except OSError:
        return False


def choose_set(given: str, test_set: str) -> str:
    """Choose a test set of a run; the system behind it is kept.

    >>> choose_set("new=all.run#ours", "de-en")
    'new=all.run#de-en#ours'
    """
    name, path = split_name(given)
    address = split_address(path)
    chosen = "#".join(filter(None, (address.path, test_set, address.column)))
    return chosen if name is None else f"{name}={chosen}"


def list_sets(text: str) -> list[str]:
    """List the test sets of `FILE.run` or `FILE.run#SYSTEM`; none if the file holds one run, or one is chosen."""
    address = split_address(text)
    found, names = list_test_sets(address.path), address.column
    if names is None or not found:
        return list(found)
    return [] if any(_is_chosen(name, names) for name in found) else _keep_system(address.path, found, names)


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
    return take_run(file, system)


def take_run(file: RunFile, system: str | None) -> Run:
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
        return
    if option.name == "vectors" and not isinstance(value, str):
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
            check_recorded(recorded.get("calibration"))
    except (TypeError, AttributeError):
        raise InputError(f"{path} is damaged (its settings are not valid); make or fetch it again") from None
    return options


def read_resources(settings: Mapping[str, Any]) -> ResourceChoice:
    """Read the resources that a run names."""
    known = {field.name for field in fields(ResourceChoice)}
    found = {key: value for key, value in settings.get("resources", {}).items() if key in known}
    for value in found.values():
        check_recorded(*(value if isinstance(value, list) else [value]))
    return ResourceChoice(**{**found, "trees": tuple(found.get("trees") or ())})


def check_recorded(*paths: str | None) -> None:
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
    named = () if isinstance(request.scores, Mapping) else request.scores
    scores = tuple(_describe_file("scores", path, name) for name, path in map(split_name, named))
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
        learnt = [
            metric.label for metric in self.run.manifest.metrics if metric.metric.learns_from_references
        ]
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
