"""Scores of other tools beside those of our metrics."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tertium.catalog import LabelledMetric
from tertium.catalog.finding import suggest
from tertium.corpus import split_system
from tertium.corpus.external_scores import name_scores, read_external_scores
from tertium.errors import OptionError, UnknownNameError
from tertium.evaluation import Evaluation
from tertium.files.paths import parse_address
from tertium.files.reading import checksum_file
from tertium.metrics.external_scores import make_external, tabulate_scores
from tertium.types import FloatArray

__all__ = ["GivenFile", "add_given", "list_given", "read_given"]

_DIGITS = 16  # of a checksum, enough to tell files apart


@dataclass(frozen=True)
class GivenFile:
    """A file of scores, the name under which they stand, and which way is better."""

    name: str
    path: str
    higher_is_better: bool = True


def list_given(scores: Sequence[str], lower: Sequence[str], labels: Sequence[str]) -> list[GivenFile]:
    """Read `NAME=FILE` or `FILE`; `lower` names those where lower is better, `labels` are names that are taken."""
    files = []
    for name, path in map(split_system, scores):
        files.append(GivenFile(name or name_scores(path), path))
    names = [each.name for each in files]
    for name in names:
        if names.count(name) > 1 or name in labels:
            raise OptionError(f"metric {name!r} is given twice; name the scores with --scores NAME=FILE")
    for name in lower:
        if name not in names:
            known = suggest(name, names) if names else "give them with --scores NAME=FILE"
            raise UnknownNameError(f"--lower names {name!r}, but --scores gives no such metric; {known}")
    return [replace(each, higher_is_better=each.name not in lower) for each in files]


def read_given(
    files: Sequence[GivenFile], systems: Sequence[str], n_segments: int
) -> list[tuple[LabelledMetric, FloatArray]]:
    """Read the scores of all systems and segments, each with the metric under which they stand."""
    found = []
    for each in files:
        scores = read_external_scores(each.path, systems, n_segments)
        digest = checksum_file(parse_address(each.path).path)[:_DIGITS]
        metric = make_external(each.name, digest, higher_is_better=each.higher_is_better)
        found.append((LabelledMetric(each.name, metric), scores))
    return found


def add_given(evaluation: Evaluation, given: Sequence[tuple[LabelledMetric, FloatArray]]) -> Evaluation:
    """Put scores of other tools beside the metrics that were computed."""
    tables = {each.label: tabulate_scores(scores) for each, scores in given}
    metrics = tuple(each for each, _ in given)
    return replace(
        evaluation, metrics=(*evaluation.metrics, *metrics), tables={**evaluation.tables, **tables}
    )
