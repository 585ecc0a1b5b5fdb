"""Scores of other tools, as metrics beside ours."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from tertium.catalog import LabelledMetric, find_metric, metric_names
from tertium.corpus.external_scores import name_scores, read_external_scores, take_external_scores
from tertium.errors import OptionError, UnknownNameError, argument, suggest
from tertium.evaluation.evaluation import Evaluation, SystemTotals
from tertium.files.paths import parse_address, split_name
from tertium.files.reading import checksum_file
from tertium.metrics.means import make_external, tabulate_scores
from tertium.progress import report_message
from tertium.records import record
from tertium.values import FloatArray

_DIGITS = 16  # of a checksum, enough to distinguish files


@record
class ExternalScoreFile:
    """A file of scores or scores by system, the name of their metric, and whether higher is better."""

    name: str
    given: str | Mapping[str, Iterable[float | None]]
    higher_is_better: bool = True


def list_external_scores(
    scores: Sequence[str] | Mapping[str, Mapping[str, Iterable[float | None]]],
    lower: Sequence[str],
    labels: Sequence[str],
) -> list[ExternalScoreFile]:
    """Parse `NAME=FILE` or `FILE`, or take scores by metric and system.

    `lower` names metrics where lower is better, `labels` the computed metrics.
    """
    if isinstance(scores, Mapping):
        files = [ExternalScoreFile(str(name), given) for name, given in scores.items()]
    else:
        files = [ExternalScoreFile(name or name_scores(path), path) for name, path in map(split_name, scores)]
    names = [file.name for file in files]
    for name in names:
        if names.count(name) > 1 or name in labels:
            raise OptionError(
                f"metric {name!r} is given twice; name the scores with {argument('scores', 'NAME=FILE')}"
            )
    for name in lower:
        if name not in names:
            known = suggest(name, names) if names else f"give scores with {argument('scores', 'NAME=FILE')}"
            raise UnknownNameError(
                f"{argument('lower', name)}: no such metric among the given scores; {known}"
            )
    return [replace(file, higher_is_better=_is_higher_better(file.name, lower)) for file in files]


def _is_higher_better(name: str, lower: Sequence[str]) -> bool:
    """Take the direction from `lower`, or from our metric of the same name."""
    if name in lower:
        return False
    if name.lower() in metric_names() and not find_metric(name.lower()).higher_is_better:
        report_message("note", f"{name}: lower is better, as for our metric of that name")
        return False
    return True


def load_external_scores(
    files: Sequence[ExternalScoreFile], systems: Sequence[str], n_segments: int
) -> list[tuple[LabelledMetric, FloatArray]]:
    """Read the scores of all systems and segments, with a metric for each file."""
    found = []
    for file in files:
        if isinstance(file.given, str):
            scores = read_external_scores(file.given, systems, n_segments)
            digest = checksum_file(parse_address(file.given).path)
        else:
            scores = take_external_scores(file.name, file.given, systems, n_segments)
            digest = sha256(scores.tobytes()).hexdigest()
        metric = make_external(file.name, digest[:_DIGITS], higher_is_better=file.higher_is_better)
        found.append((LabelledMetric(file.name, metric), scores))
    return found


def add_external_scores(
    evaluation: SystemTotals, given: Sequence[tuple[LabelledMetric, FloatArray]]
) -> Evaluation:
    """Add scores of other tools to the metrics of a corpus in memory."""
    assert isinstance(evaluation, Evaluation)  # noqa: S101 - parts take no scores of other tools
    tables = {metric.label: tabulate_scores(scores) for metric, scores in given}
    metrics = tuple(metric for metric, _ in given)
    return replace(
        evaluation, metrics=(*evaluation.metrics, *metrics), tables={**evaluation.tables, **tables}
    )
