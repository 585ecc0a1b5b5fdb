"""The calibration of human agreement by `meta`: fitted on judged sets, validated on collections that were left out."""

from collections.abc import Mapping, Sequence

from tertium.commands.base.results import Result
from tertium.metaeval.calibration import CalibratedMetric, Calibration, read_calibration, render_calibration
from tertium.metaeval.calibration_fitting import (
    HeldOutResult,
    calibrate,
    leave_out_collections,
    pool_calibrations,
)
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.presentation.tables.fields import Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Document, Note, Table
from tertium.records import record


def _reach_field(share: float) -> Field[CalibratedMetric]:
    """The difference at which human judges agree with the metric in a share of pairs; None if it is never reached."""
    name = f"{share:.0%}"
    return Field(
        f"at_{name}", float, lambda row: row.curve.reach(share), heading=name, form="{:.3g}", missing="…"
    )


_CURVE_FIELDS: list[Field[CalibratedMetric]] = [
    Field("metric", get=lambda row: row.name, is_key=True),
    Field("pairs", int, lambda row: row.n_pairs),
    *map(_reach_field, (0.6, 0.7, 0.8, 0.9)),
    Field(
        "significant",
        float,
        lambda row: row.expect_agreement(row.curve.reach(0.8) or 0.0).significant,
        heading="significant at 80%",
        form="{:.0%}",
        missing="–",
    ),
]


_HELD_OUT_FIELDS: list[Field[HeldOutResult]] = [
    Field("metric", is_key=True),
    Field("collection", heading="left out", is_key=True),
    Field("n_pairs", int, heading="pairs"),
    Field("fitted", float, form="{:.1%}"),
    Field("predicted", float, heading="promised", form="{:.1%}"),
    Field("seen", float, heading="observed", form="{:.1%}"),
    Field("error", float, form="{:.3f}"),
    Field("chance", float, heading="by chance", form="{:.3f}"),
    Field("chance_high", float, heading="at most", form="{:.3f}"),
    Field("covered", float, heading="in interval", form="{:.0%}"),
]


def describe_calibration(calibration: Calibration) -> Document:
    """Describe the score difference at which human judges agree with a metric in 60 %, 70 %, … of pairs of systems."""
    rows = list(calibration.metrics)
    left_out = [row for metric in rows for row in leave_out_collections(metric)]

    def tables() -> list[Table]:
        notes = [
            Note("60 %, 70 %, …: the difference at which human judges are expected to agree that often; pairs: pairs of systems"),
            Note("significant: share of pairs with about the difference of 80 % that the human judgments themselves separate (rank-sum test, p < 0.05)"),
        ]  # fmt: skip
        curves = make_table(_CURVE_FIELDS, rows, notes=notes)
        return [curves, *([_make_held_out_table(left_out)] if left_out else [])]

    return Document(
        "calibration",
        tables,
        lambda: make_records(_CURVE_FIELDS, rows),
        lambda: {
            "metrics": [make_object(_CURVE_FIELDS, row) for row in rows],
            "left_out": [vars(row) for row in left_out],
        },
    )


def _make_held_out_table(rows: Sequence[HeldOutResult]) -> Table:
    notes = [
        Note("each row: agreement on a collection as predicted from the other years (last row: from the other language pairs), and observed"),
        Note("fitted: predicted by the curve; promised: with its margin; in interval: test sets with the observed agreement in the interval"),
        Note("error: expected calibration error in five bins; by chance: mean error of a correct calibration, as pairs share systems"),
        Note("at most: the error that a correct calibration exceeds by chance in one of 20 cases"),
    ]  # fmt: skip
    return make_table(
        _HELD_OUT_FIELDS, rows, title="Validation on collections that were left out", notes=notes
    )


@record
class CalibrationResult(Result):
    """The probability of human agreement as a function of the score difference, for each metric."""

    calibration: Calibration

    def to_file(self) -> str:
        """Render the table for `tertium score --calibration FILE`."""
        return render_calibration(self.calibration)

    def document(self) -> Document:
        return describe_calibration(self.calibration)


def fit_calibration(
    sets: Sequence[JudgedSet],
    scored: Sequence[Mapping[str, MetricScores]],
    collection: str,
    pool: Sequence[str],
) -> CalibrationResult:
    """Fit the calibration of judged sets, and combine it with the calibration tables of other sets."""
    tables = [calibrate(sets, scored, collection=collection), *map(read_calibration, pool)]
    return CalibrationResult(tables[0] if len(tables) == 1 else pool_calibrations(tables))
