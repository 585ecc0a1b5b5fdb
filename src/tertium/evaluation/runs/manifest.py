"""The manifest of a run: its metrics, settings, files, and the totals of every system."""

import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, field, replace
from typing import Any, ClassVar, NoReturn

import numpy as np

from tertium import __version__
from tertium.catalog import LabelledMetric, build_metric, find_metric
from tertium.catalog.finding import COMMAND, SUM, is_file, split_name, split_sum
from tertium.errors import InputError, OptionError, ResourceError, TertiumError
from tertium.evaluation.evaluation import Evaluation
from tertium.files.archive import Archive, open_archive
from tertium.interfaces import list_resource_methods
from tertium.metrics.base import Metric, Parts
from tertium.metrics.means import ExternalScores, make_external
from tertium.metrics.options import is_resource_type
from tertium.records import record
from tertium.text.codes import has_codes
from tertium.text.tokenizers import RecordedProgram
from tertium.values import Corpus, FloatArray, TextKind

# A run records every option of a metric as text, and resources by their identity. Formulas need the options only,
# so a recorded metric computes scores without the vectors, trees or word lists behind its statistics.


@record
class RecordedResource:
    """The identity of a resource and its properties that formulas need, without its content."""

    identity: str
    language: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict, compare=False)  # follow from the identity

    reads: ClassVar[frozenset[TextKind]] = frozenset()


def _raise_without_content(resource: RecordedResource, *_: object, **__: object) -> NoReturn:
    raise ResourceError(
        f"a run knows only the name of {resource.identity}, so it cannot score texts with it;"
        " score the files again and name the resource"
    )


for _name in list_resource_methods():
    setattr(RecordedResource, _name, _raise_without_content)


def check_recordable(labels: Sequence[str]) -> None:
    """Raise if a metric comes from a file of the user: opening the run would have to execute that file."""
    for label in labels:
        parts = split_sum(label.removeprefix(SUM)) if label.startswith(SUM) else [("", label)]
        if any(is_file(split_name(part)[0]) for _, part in parts):
            raise OptionError(
                f"{label} cannot be saved in a run, because opening a run executes no file; install the metric as a"
                " package (docs/write-a-metric.md)"
            )


def record_metric(labelled: LabelledMetric, signature: str) -> dict[str, Any]:
    """Serialise a metric with everything that reading its statistics requires."""
    metric = labelled.metric
    return {
        "label": labelled.label,
        "name": metric.name,
        "kind": "given" if isinstance(metric, ExternalScores) else "computed",
        "options": _record_options(metric),
        "resources": _record_resources(metric),
        "signature": signature,
        "preset": labelled.preset,
        "higher_is_better": metric.higher_is_better,
        "bounded": metric.bounded,
    }


def read_metric(record: Mapping[str, Any]) -> LabelledMetric:
    """Build the recorded metric, with resources that have only their names."""
    name, signature = record["name"], record["signature"]
    if is_file(name):
        raise ResourceError(f"metric {name!r} is code in a file, which runs do not execute")
    metric: Metric
    if record["kind"] == "given":
        higher = bool(record["higher_is_better"])
        metric = make_external(name, record["options"]["sha256"], higher_is_better=higher)
    else:
        resources = {key: _read_resource(facts) for key, facts in record["resources"].items()}
        metric = build_metric(name, {**read_options(record), **resources})
    return LabelledMetric(record["label"], metric, record["preset"], signature)


def read_options(record: Mapping[str, Any]) -> dict[str, Any]:
    """Read the option values of a recorded metric, without resources."""
    by_name = {option.name: option for option in find_metric(record["name"]).options()}
    values = {
        key: None if text is None else by_name[key].parse(text, record["name"])
        for key, text in record["options"].items()
    }
    return {key: RecordedProgram(value) if _is_program(value) else value for key, value in values.items()}


def _is_program(value: object) -> bool:
    return isinstance(value, str) and value.startswith(COMMAND)


def _record_options(metric: Metric) -> dict[str, str | None]:
    values = [(option, getattr(metric, option.name)) for option in metric.options()]
    return {
        option.name: None if value is None else option.write(value)
        for option, value in values
        if not is_resource_type(option.type)
    }


def _record_resources(metric: Metric) -> dict[str, dict[str, Any] | None]:
    names = [option.name for option in metric.options() if is_resource_type(option.type)]
    return {name: _record_resource(getattr(metric, name)) for name in names}


def _record_resource(resource: Any) -> dict[str, Any] | None:
    if resource is None:
        return None
    facts: dict[str, Any] = {"identity": resource.identity, "language": getattr(resource, "language", None)}
    if isinstance(resource, Parts):
        parts = [
            LabelledMetric(name, part) for name, part in zip(resource.names, resource.metrics, strict=True)
        ]
        return facts | {"parts": [record_metric(part, part.metric.signature((1, 1))) for part in parts]}
    weights = getattr(resource, "weights", None)
    return facts | ({"weights": dict(weights)} if isinstance(weights, Mapping) else {})


def _read_resource(facts: Mapping[str, Any] | None) -> RecordedResource | Parts | None:
    if facts is None:
        return None
    if "parts" in facts:
        if any(part["resources"].get("parts") for part in facts["parts"]):
            raise _ShapeError("a part has parts itself")
        return Parts(tuple(read_metric(part).metric for part in facts["parts"]))
    return RecordedResource(facts["identity"], facts["language"], facts.get("weights", {}))


KIND = "tertium run"
FORMAT = 2
"""The format of a run."""
MANY_FORMAT = 3
"""The format of a file with the runs of several test sets."""


SYSTEM = "system:"
"""The prefix of the columns of outputs."""


@record
class InputFile:
    """An input file: its role, its name, and the checksum of its bytes."""

    role: str
    path: str
    name: str | None
    sha256: str | None
    """None for standard input, which cannot be read again."""


@record(kw_only=True)
class Origin:
    """Where a run comes from.

    Attributes
    ----------
    command
        The command line; None for a run made in Python.
    settings
        The metrics, resources and tests of the request as plain data.
    """

    command: str | None = None
    files: tuple[InputFile, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


@record(eq=False)
class Manifest:
    """The checked content of a run's manifest.

    `records` are the metrics as recorded, `metrics` the metrics that read their statistics.
    """

    tertium: str
    origin: Origin
    systems: tuple[str, ...]
    n_segments: int
    n_references: tuple[int, int]
    test_set: str
    has_texts: bool
    has_sources: bool
    has_ids: bool
    has_documents: bool
    columns: tuple[str, ...]
    coded: tuple[str, ...]
    """The columns of texts that have inline codes."""
    records: tuple[Mapping[str, Any], ...]
    metrics: tuple[LabelledMetric, ...]
    totals: Mapping[str, FloatArray]


def join_manifests(manifests: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Describe the runs of several test sets as one file, whose members are in the folders 1/, 2/, …"""
    return {
        "kind": KIND,
        "format": MANY_FORMAT,
        "tertium": __version__,
        "settings": dict(settings),
        "test_sets": [{"name": name, "manifest": dict(manifest)} for name, manifest in manifests.items()],
    }


def make_manifest(
    evaluation: Evaluation, corpus: Corpus, origin: Origin, *, test_set: str, with_texts: bool
) -> dict[str, Any]:
    """Describe a run as plain data, without its tables."""
    low, high = evaluation.n_references
    return {
        "kind": KIND,
        "format": FORMAT,
        "tertium": __version__,
        "command": origin.command,
        "files": [asdict(file) for file in origin.files],
        "settings": dict(origin.settings),
        "systems": list(evaluation.systems),
        "n_segments": evaluation.n_segments,
        "n_references": [low, high],
        "test_set": test_set,
        "texts": with_texts,
        "sources": corpus.sources is not None,
        "ids": corpus.segment_ids is not None,
        "documents": corpus.document_ids is not None,
        "columns": list(corpus.columns),
        **({"coded": coded} if with_texts and (coded := list(find_coded(corpus))) else {}),
        "metrics": [_record(evaluation, metric) for metric in evaluation.metrics],
    }


def find_coded(corpus: Corpus) -> dict[str, Sequence[str]]:
    """Find the columns of texts that have inline codes."""
    columns = {} if corpus.sources is None else {"source": corpus.sources}
    columns |= {f"{SYSTEM}{name}": texts for name, texts in corpus.systems.items()}
    return {name: texts for name, texts in columns.items() if has_codes(texts)}


def _record(evaluation: Evaluation, metric: LabelledMetric) -> dict[str, Any]:
    numbers = {
        "totals": [_write_numbers(row) for row in evaluation.totals(metric.label)],
        "scores": _write_numbers(evaluation.system_scores(metric.label)),
    }
    return record_metric(metric, evaluation.signature(metric.label)) | numbers


def _write_numbers(numbers: FloatArray) -> list[float | str]:
    """Write numbers without loss; NaN becomes a word, because JSON does not have it."""
    return [number if math.isfinite(number) else str(number) for number in numbers.tolist()]


def list_test_sets(path: str) -> dict[str, list[str]]:
    """List the test sets of a file with the names of their systems; none if the file holds one run."""
    archive = _open_checked(path)
    if archive.manifest["format"] != MANY_FORMAT:
        return {}
    return {entry["name"]: entry["manifest"]["systems"] for entry in archive.manifest["test_sets"]}


def read_manifests(
    path: str, only: Callable[[str], bool] | None = None
) -> tuple[dict[str | None, tuple[Archive, Manifest]], Mapping[str, Any]]:
    """Open the runs of a file by the names of their test sets, and return what was recorded about all of them.

    A file with one run has no name for its test set.

    Parameters
    ----------
    only
        Whether the run of a test set is needed. All are read if none is needed.

    Raises
    ------
    InputError
        If the file is missing, damaged, not a run, or of a newer format.
    """
    archive = _open_checked(path)
    if archive.manifest["format"] != MANY_FORMAT:
        return {None: (archive, _read_manifest(path, archive.manifest))}, {}
    listed = {
        entry["name"]: (number, entry["manifest"])
        for number, entry in enumerate(archive.manifest["test_sets"], 1)
    }
    needed = [name for name in listed if only is not None and only(name)] or list(listed)
    found: dict[str | None, tuple[Archive, Manifest]] = {}
    for name in needed:
        number, manifest = listed[name]
        read = _read_manifest(path, manifest)
        found[name] = replace(archive, prefix=f"{number}/"), read
    return found, archive.manifest["settings"]


def _open_checked(path: str) -> Archive:
    """Open a run of a known format; the test sets of a file with several have different names."""
    archive = open_archive(path, kind=KIND)
    _check_format(path, archive.manifest)
    if archive.manifest["format"] != MANY_FORMAT:
        return archive
    try:
        _check_shape(archive.manifest, _MANY_SHAPE, "")
        names = _read_names([entry["name"] for entry in archive.manifest["test_sets"]])
    except _ShapeError as error:
        raise _damaged(path, error) from None
    if not names:
        raise _damaged(path, _ShapeError("test_sets is empty"))
    return archive


def _read_manifest(path: str, manifest: Mapping[str, Any]) -> Manifest:
    try:
        return _read(manifest)
    except TertiumError as error:
        raise InputError(f"{path} cannot be read here: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise _damaged(path, error) from None


def _check_format(path: str, manifest: Mapping[str, Any]) -> None:
    number = manifest.get("format")
    if not isinstance(number, int) or isinstance(number, bool) or number < FORMAT:
        raise InputError(f"{path} is damaged (its manifest names no known format); make or fetch it again")
    if number > MANY_FORMAT:
        raise InputError(
            f"{path} has format {number} of runs, but this version of tertium ({__version__}) reads formats up"
            f" to {MANY_FORMAT}; it was written by tertium {manifest.get('tertium')}: update to that version"
        )


_OPTIONAL_TEXT = (str, type(None))
_NOT_FINITE = ("nan", "inf", "-inf")


@record
class _Number:
    """A number as `_write_numbers` writes it."""


@record
class _Each:
    """A table with any keys, whose values all have one shape."""

    shape: Any


# The shape of a manifest: types, lists of one shape, and tables; a key with a question mark may be missing.
_SHAPE: Mapping[str, Any] = {
    "tertium": str,
    "command": _OPTIONAL_TEXT,
    "files": [{"role": str, "path": str, "name": _OPTIONAL_TEXT, "sha256": _OPTIONAL_TEXT}],
    "settings": dict,
    "systems": [str],
    "n_segments": int,
    "n_references": [int],
    "test_set": str,
    "texts": bool,
    "sources": bool,
    "ids": bool,
    "documents": bool,
    "columns": [str],
    "coded?": [str],
    "metrics": [
        {
            "label": str,
            "name": str,
            "kind": str,
            "options": _Each(_OPTIONAL_TEXT),
            "resources": _Each(
                (
                    {
                        "identity": str,
                        "language": _OPTIONAL_TEXT,
                        "weights?": _Each(_Number()),
                        "parts?": [dict],
                    },
                    type(None),
                )
            ),
            "signature": str,
            "preset": _OPTIONAL_TEXT,
            "higher_is_better": bool,
            "bounded?": bool,
            "totals": [[_Number()]],
            "scores?": [_Number()],
        }
    ],
}


_MANY_SHAPE: Mapping[str, Any] = {
    "settings": dict,
    "test_sets": [{"name": str, "manifest": {"systems": [str]}}],
}


class _ShapeError(ValueError):
    """A value of the manifest has another type than runs have there."""


def _check_shape(value: object, shape: Any, place: str) -> None:
    """Raise if plain data have another shape."""
    if isinstance(shape, tuple):
        if value is None and type(None) in shape:
            return
        shape = next(kind for kind in shape if kind is not type(None))
    if not _has_type(value, shape):
        raise _ShapeError(f"{place} is {reprlib.repr(value)}")
    if isinstance(shape, list) and isinstance(value, list):
        for i, item in enumerate(value):
            _check_shape(item, shape[0], f"{place}[{i}]")
    elif isinstance(shape, Mapping | _Each) and isinstance(value, dict):
        shapes = dict.fromkeys(value, shape.shape) if isinstance(shape, _Each) else shape
        for key, inner in shapes.items():
            name = key if isinstance(shape, _Each) else key.rstrip("?")
            if name in value:
                _check_shape(value[name], inner, f"{place}.{name}" if place else name)
            elif name == key:
                raise _ShapeError(f"{place}.{name} is missing".removeprefix("."))


def _has_type(value: object, shape: Any) -> bool:
    if isinstance(shape, list):
        return isinstance(value, list)
    if isinstance(shape, Mapping | _Each):
        return isinstance(value, dict)
    if isinstance(shape, _Number):
        return value in _NOT_FINITE if isinstance(value, str) else type(value) in (int, float)
    return type(value) is shape


def _damaged(path: str, error: Exception) -> InputError:
    if isinstance(error, _ShapeError):
        return InputError(f"{path} is damaged (in its manifest, {error}); make it again")
    what = f"{type(error).__name__} {error}".splitlines()[0]
    return InputError(
        f"{path} is damaged (its manifest does not hold what a run's does: {what}); make it again"
    )


def _read(found: Mapping[str, Any]) -> Manifest:
    _check_shape(found, _SHAPE, "")
    systems = _read_names(found["systems"])
    records = tuple(found["metrics"])
    metrics = tuple(read_metric(record) for record in records)
    labels = _read_names([metric.label for metric in metrics])
    for metric, recorded in zip(metrics, records, strict=True):
        if metric.metric.higher_is_better != recorded["higher_is_better"]:
            raise _ShapeError(f"the direction of {metric.label} is not that of the metric")
    totals = {
        label: _read_totals(record["totals"], len(systems))
        for label, record in zip(labels, records, strict=True)
    }
    low, high = (_read_count(number, least=0) for number in found["n_references"])
    if low > high:
        raise _ShapeError("n_references is not a range")
    if not systems or not records or len(totals) != len(records):
        raise ValueError("no systems or no metrics, or two of a name")
    _check_totals(metrics, totals)
    return Manifest(
        tertium=found["tertium"],
        origin=_read_origin(found),
        systems=systems,
        n_segments=_read_count(found["n_segments"]),
        n_references=(low, high),
        test_set=found["test_set"],
        has_texts=found["texts"],
        has_sources=found["sources"],
        has_ids=found["ids"],
        has_documents=found["documents"],
        columns=_read_names(found["columns"]),
        coded=_read_names(found.get("coded", ())),
        records=records,
        metrics=metrics,
        totals=totals,
    )


def _read_origin(found: Mapping[str, Any]) -> Origin:
    files = tuple(
        InputFile(file["role"], file["path"], file["name"], file["sha256"]) for file in found["files"]
    )
    return Origin(command=found["command"], files=files, settings=dict(found["settings"]))


def _read_totals(rows: Sequence[Sequence[float | str]], n_systems: int) -> FloatArray:
    totals = np.array([[float(number) for number in row] for row in rows], dtype=np.float64)
    if totals.ndim != 2 or len(totals) != n_systems:
        raise ValueError("totals of other systems")
    return totals


def _check_totals(metrics: Sequence[LabelledMetric], totals: Mapping[str, FloatArray]) -> None:
    """Raise if the totals have a wrong number of statistics for a metric."""
    with np.errstate(all="ignore"):
        for metric in metrics:
            metric.metric.combine(totals[metric.label])


def _read_names(names: Sequence[str]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        raise _ShapeError("a name occurs twice")
    return tuple(names)


def _read_count(value: int, *, least: int = 1) -> int:
    if value < least:
        raise _ShapeError(f"{value} stands for a count")
    return value
