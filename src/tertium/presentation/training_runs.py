"""Documents of systems with several training runs: mean ± standard deviation, and tests of all pairs."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.evaluation.training_runs import PairOfGroups, RunComparison
from tertium.evaluation.units import describe_units
from tertium.presentation.score_table import format_p
from tertium.presentation.tables.fields import (
    EVERYWHERE,
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
)
from tertium.presentation.tables.model import Document, Mark, Note
from tertium.stats.letters import are_equal
from tertium.stats.run_effects import RunSample
from tertium.verdicts import ADJUSTED, P_ADJUSTED, explain_direction


def describe_training_runs(
    found: RunComparison,
    metrics: Sequence[LabelledMetric],
    signatures: Mapping[str, str],
    *,
    n_segments: int,
    alpha: float,
) -> Document:
    """Describe mean scores over runs with their standard deviations, and the tests of all pairs."""
    names = list(found.groups)
    score_fields = [
        Field[str]("system", get=str, is_key=True),
        Field[str]("runs", int, lambda name: len(found.groups[name])),
        *(_score_field(found, metric) for metric in metrics),
    ]
    pairs = [pair for listed in found.pairs.values() for pair in listed]
    rows = [(label, name) for label in found.samples for name in names]
    record_fields = _record_fields(found)
    pair_fields = _pair_fields(alpha, {metric.label: metric.title for metric in metrics})
    return Document(
        "training runs",
        lambda: [
            make_table(score_fields, names, notes=[*map(Note, _score_notes(n_segments))]),
            *([make_table(pair_fields, pairs, title="differences between systems", notes=[*map(Note, _test_notes(found, alpha))])] if pairs else []),
        ],
        lambda: make_records(record_fields, rows),
        lambda: {
            "schema_version": 1,
            "segments": n_segments,
            "alpha": alpha,
            "signatures": dict(signatures),
            "scores": [make_object(record_fields, row) for row in rows],
            "pairs": [make_object(pair_fields, pair) for pair in pairs],
        },
        [Note(f"{label}: {signature}", is_signature=True) for label, signature in signatures.items()],
    )  # fmt: skip


def _score_field(found: RunComparison, metric: LabelledMetric) -> Field[str]:
    samples, higher = found.samples[metric.label], metric.metric.higher_is_better
    means = [sample.mean for sample in samples.values()]
    best, has_best = (max if higher else min)(means), not are_equal(np.array(means))
    return Field(
        metric.label,
        float,
        lambda name: samples[name].mean,
        heading=f"{metric.title} {'↑' if higher else '↓'}",
        text=lambda name: _write_sample(samples[name]),
        marks=lambda name: (Mark.BEST,) if has_best and samples[name].mean == best else (),
    )


def _write_sample(sample: RunSample) -> str:
    if sample.deviation is None:
        return f"{sample.mean:.2f}       "
    return f"{sample.mean:.2f} ±{sample.deviation:5.2f}"


def _record_fields(found: RunComparison) -> list[Field[tuple[str, str]]]:
    def sample(row: tuple[str, str]) -> RunSample:
        return found.samples[row[0]][row[1]]

    return [
        Field("system", get=lambda row: row[1]),
        Field("metric", get=lambda row: row[0]),
        Field("runs", int, lambda row: len(sample(row).scores)),
        Field("mean", float, lambda row: sample(row).mean),
        Field("sd", float, lambda row: sample(row).deviation),
        Field("scores", list, lambda row: list(sample(row).scores), outputs=JSON),
    ]


def _pair_fields(alpha: float, titles: Mapping[str, str]) -> list[Field[PairOfGroups]]:
    fields: list[Field[Any]] = [
        Field("metric", get=lambda pair: pair.label, is_key=True, text=lambda pair: titles[pair.label]),
        Field("first", is_key=True),
        Field("second", is_key=True),
        Field("difference", float, lambda pair: pair.test.difference, form="{:+.2f}"),
        Field("error", float, lambda pair: pair.test.error, heading="standard error", form="{:.2f}"),
        Field("share_of_runs", float, _share_of_runs, heading="of which runs", form="{:.0%}", missing="–"),
        Field("degrees", float, lambda pair: pair.test.degrees, heading="df", form="{:.1f}"),
        Field("p_value", float, lambda pair: pair.test.p_value, outputs=RECORDS | JSON),
        Field("p_adjusted", float, heading=P_ADJUSTED, text=lambda pair: format_p(pair.p_adjusted)),
        Field(
            "is_significant",
            bool,
            partial(_is_significant, alpha),
            heading="significant",
            outputs=TABLE | JSON,
        ),
    ]
    return [field for field in fields if field.outputs & EVERYWHERE]


def _share_of_runs(pair: PairOfGroups) -> float | None:
    total = pair.test.variance_of_runs + pair.test.variance_of_segments
    return pair.test.variance_of_runs / total if total else None


def _is_significant(alpha: float, pair: PairOfGroups) -> bool:
    return pair.p_adjusted < alpha


def _score_notes(n_segments: int) -> list[str]:
    arrows = f"↑ {explain_direction(higher_is_better=True)}, ↓ {explain_direction(higher_is_better=False)}"
    return [f"{n_segments:,} segments; mean ± standard deviation over training runs; {arrows}, * best"]


def _test_notes(found: RunComparison, alpha: float) -> list[str]:
    unit = found.tested[0].unit
    model = (
        f"runs and {unit}s are random ({describe_units([found.tested])}): Welch–Satterthwaite t test, all pairs,"
        f" {ADJUSTED}, level {alpha:g}"
    )
    notes = [f"{model}; of which runs: share of the variance that comes from the training runs"]
    single = [name for name, runs in found.groups.items() if len(runs) == 1]
    if single:
        verb = "has" if len(single) == 1 else "have"
        notes.append(
            f"{', '.join(single)} {verb} one run: against a system with several runs, that system's variance between runs is"
            f" assumed; two systems with one run each are tested on {unit}s alone"
        )
    return notes
