"""Documents that describe saved runs and their reruns."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from tertium.errors import UnknownNameError, suggest
from tertium.evaluation.runs import Run, RunFile
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.model import Document, Value

_Things = Sequence[Mapping[str, Value]]


def describe_run(run: Run, table: str) -> Document:
    """Describe one of a run's tables of facts."""
    return describe_listing(table, _find_table(table)(run))


def describe_run_sets(file: RunFile, table: str) -> Document:
    """Describe one of the tables of facts of several test sets, with the test set in the first column."""
    find = _find_table(table)
    return describe_listing(
        table, [{"test_set": name, **found} for name, run in file.runs.items() for found in find(run)]
    )


def _find_table(table: str) -> Callable[[Run], _Things]:
    if table not in RUN_TABLES:
        raise UnknownNameError(f"a run has no table {table!r}; {suggest(table, RUN_TABLES)}")
    return RUN_TABLES[table]


def _list_facts(run: Run) -> _Things:
    facts = run.manifest
    low, high = facts.n_references
    shown: dict[str, str] = {
        "tertium": facts.tertium,
        "command": facts.origin.command or "",
        "systems": f"{len(facts.systems):,}",
        "segments": f"{facts.n_segments:,}",
        "references": str(low) if low == high else f"{low} to {high}",
        "texts": "yes" if facts.has_texts else "only checksums",
        "test set": facts.test_set,
    }
    return [{"fact": key, "value": value} for key, value in shown.items()]


def _list_metrics(run: Run) -> _Things:
    return [
        {
            "metric": record["label"],
            "name": record["name"],
            "kind": record["kind"],
            "higher_is_better": record["higher_is_better"],
            "options": ", ".join(f"{key}={_or_none(text)}" for key, text in record["options"].items()),
            "resources": ", ".join(
                f"{key}={_or_none(facts and facts['identity'])}" for key, facts in record["resources"].items()
            ),
            "preset": record["preset"],
        }
        for record in run.manifest.records
    ]


def _list_systems(run: Run) -> _Things:
    scores = {metric.label: run.evaluation.system_scores(metric.label) for metric in run.evaluation.metrics}
    return [
        {"system": system, **{label: float(row[i]) for label, row in scores.items()}}
        for i, system in enumerate(run.manifest.systems)
    ]


def _list_columns(run: Run) -> _Things:
    return [
        {"column": name, "value": value, "segments": count}
        for name, values in run.columns.items()
        for value, count in Counter(values).most_common()
    ]


def _list_inputs(run: Run) -> _Things:
    return [
        {"role": file.role, "name": file.name, "path": file.path, "sha256": file.sha256}
        for file in run.manifest.origin.files
    ]


def _list_signatures(run: Run) -> _Things:
    return [
        {"metric": metric.label, "signature": run.evaluation.signature(metric.label)}
        for metric in run.evaluation.metrics
    ]


def _or_none(value: str | None) -> str:
    return "none" if value is None else value


RUN_TABLES: Mapping[str, Callable[[Run], _Things]] = {
    "run": _list_facts,
    "metrics": _list_metrics,
    "systems": _list_systems,
    "columns": _list_columns,
    "inputs": _list_inputs,
    "signatures": _list_signatures,
}
"""The tables besides `scores` and `segments`."""
