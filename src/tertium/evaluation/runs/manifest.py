"""The manifest of a run: its metrics, settings, files, and the totals of every system."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, field
from typing import Any, NoReturn

import numpy as np

from tertium import __version__
from tertium.catalog import LabelledMetric, build_metric, find_metric
from tertium.catalog.finding import is_file, split_name
from tertium.errors import InputError, OptionError, ResourceError, TertiumError
from tertium.evaluation.statistics import Evaluation
from tertium.files.archive import Archive, open_archive
from tertium.metrics.base import Metric
from tertium.metrics.external_scores import ExternalScores, make_external
from tertium.metrics.options import is_resource_type
from tertium.records import record
from tertium.types import Corpus, FloatArray

# A run records every option of a metric as text, and resources by their identity. Formulas need the options only,
# so a recorded metric computes scores without the vectors, trees or word lists behind its statistics.


@record
class RecordedResource:
    """The identity of a resource and its properties that formulas need, without its content."""

    identity: str
    language: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)

    def embed(self, tokens: object) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def parse(self, tokens: object) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def align(self, references: object) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def synsets(self, words: Sequence[str]) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def phrases(self) -> NoReturn:
        self._refuse()

    def function_words(self, language: str) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def abbreviations(self, language: str) -> NoReturn:  # noqa: ARG002
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ResourceError(
            f"a run knows only the name of {self.identity}, so it cannot score texts with it;"
            " score the files again and name the resource"
        )


def check_recordable(labels: Sequence[str]) -> None:
    """Raise if a metric comes from a file of the user: opening the run would have to execute that file."""
    for label in labels:
        if is_file(split_name(label)[0]):
            raise OptionError(
                f"{label} cannot be saved in a run, because opening a run executes no file; install the metric as a"
                " package (docs/write-a-metric.md)"
            )


def record_metric(each: LabelledMetric, signature: str) -> dict[str, Any]:
    """Serialise a metric with everything that reading its statistics requires."""
    metric = each.metric
    return {
        "label": each.label,
        "name": metric.name,
        "kind": "given" if isinstance(metric, ExternalScores) else "computed",
        "options": _record_options(metric),
        "resources": _record_resources(metric),
        "signature": signature,
        "preset": each.preset,
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
    by_name = {each.name: each for each in find_metric(record["name"]).options()}
    return {
        key: None if text is None else by_name[key].parse(text, record["name"])
        for key, text in record["options"].items()
    }


def _record_options(metric: Metric) -> dict[str, str | None]:
    values = [(each, getattr(metric, each.name)) for each in metric.options()]
    return {
        each.name: None if value is None else each.write(value)
        for each, value in values
        if not is_resource_type(each.type)
    }


def _record_resources(metric: Metric) -> dict[str, dict[str, Any] | None]:
    names = [each.name for each in metric.options() if is_resource_type(each.type)]
    return {name: _record_resource(getattr(metric, name)) for name in names}


def _record_resource(resource: Any) -> dict[str, Any] | None:
    if resource is None:
        return None
    facts: dict[str, Any] = {"identity": resource.identity, "language": getattr(resource, "language", None)}
    weights = getattr(resource, "weights", None)
    return facts | ({"weights": dict(weights)} if isinstance(weights, Mapping) else {})


def _read_resource(facts: Mapping[str, Any] | None) -> RecordedResource | None:
    if facts is None:
        return None
    return RecordedResource(facts["identity"], facts["language"], facts.get("weights", {}))


KIND = "tertium run"
FORMAT = 2
"""The format that is written; format 1 had Parquet tables."""


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

    format: int
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
    records: tuple[Mapping[str, Any], ...]
    metrics: tuple[LabelledMetric, ...]
    totals: Mapping[str, FloatArray]


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
        "files": [asdict(each) for each in origin.files],
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
        "metrics": [_record(evaluation, each) for each in evaluation.metrics],
    }


def _record(evaluation: Evaluation, each: LabelledMetric) -> dict[str, Any]:
    numbers = {
        "totals": [_write_numbers(row) for row in evaluation.totals(each.label)],
        "scores": _write_numbers(evaluation.system_scores(each.label)),
    }
    return record_metric(each, evaluation.signature(each.label)) | numbers


def _write_numbers(numbers: FloatArray) -> list[float | str]:
    """Write numbers without loss; NaN becomes a word, because JSON does not have it."""
    return [number if math.isfinite(number) else str(number) for number in numbers.tolist()]


def read_manifest(path: str) -> tuple[Archive, Manifest]:
    """Open a run and read its manifest.

    Raises
    ------
    InputError
        If the file is missing, damaged, not a run, or of a newer format.
    """
    archive = open_archive(path, kind=KIND)
    _check_format(path, archive.manifest)
    try:
        return archive, _read(archive.manifest)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        if isinstance(error, TertiumError):
            raise InputError(f"{path} cannot be read here: {error}") from None
        raise _damaged(path, error) from None
    except TertiumError as error:
        raise InputError(f"{path} cannot be read here: {error}") from None


def _check_format(path: str, manifest: Mapping[str, Any]) -> None:
    number = manifest.get("format")
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise InputError(f"{path} is damaged (its manifest names no format); make or fetch it again")
    if number > FORMAT:
        raise InputError(
            f"{path} has format {number} of runs, but this version of tertium ({__version__}) reads formats up"
            f" to {FORMAT}; it was written by tertium {manifest.get('tertium')}: update to that version"
        )


def _damaged(path: str, error: Exception) -> InputError:
    what = f"{type(error).__name__} {error}".splitlines()[0]
    return InputError(
        f"{path} is damaged (its manifest does not hold what a run's does: {what}); make it again"
    )


def _read(found: Mapping[str, Any]) -> Manifest:
    systems = _read_names(found["systems"])
    records = tuple(found["metrics"])
    metrics = tuple(read_metric(record) for record in records)
    labels = _read_names([each.label for each in metrics])
    for each in metrics:
        _read_text(each.recorded)
    totals = {
        label: _read_totals(record["totals"], len(systems))
        for label, record in zip(labels, records, strict=True)
    }
    low, high = (_read_count(number, least=0) for number in found["n_references"])
    if not systems or not records or len(totals) != len(records):
        raise ValueError("no systems or no metrics, or two of a name")
    _check_totals(metrics, totals)
    return Manifest(
        format=int(found["format"]),
        tertium=_read_text(found["tertium"]),
        origin=_read_origin(found),
        systems=systems,
        n_segments=_read_count(found["n_segments"]),
        n_references=(low, high),
        test_set=_read_text(found["test_set"]),
        has_texts=_read_flag(found["texts"]),
        has_sources=_read_flag(found["sources"]),
        has_ids=_read_flag(found["ids"]),
        has_documents=_read_flag(found["documents"]),
        columns=_read_names(found["columns"]),
        records=records,
        metrics=metrics,
        totals=totals,
    )


def _read_origin(found: Mapping[str, Any]) -> Origin:
    files = tuple(
        InputFile(each["role"], each["path"], each["name"], each["sha256"]) for each in found["files"]
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
        for each in metrics:
            each.metric.combine(totals[each.label])


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} instead of a text")
    return value


def _read_names(values: Sequence[object]) -> tuple[str, ...]:
    names = tuple(map(_read_text, values))
    if len(set(names)) < len(names):
        raise ValueError("a name occurs twice")
    return names


def _read_count(value: object, *, least: int = 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{value!r} instead of a count")
    return value


def _read_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} instead of true or false")
    return value
