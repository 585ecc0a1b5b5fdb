"""Tables of accuracy on challenge sets: a row per phenomenon, a column per metric."""

from collections.abc import Sequence

from tertium.metaeval.challenge import ChallengeCell
from tertium.presentation.tables.fields import (
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_wide_table,
)
from tertium.presentation.tables.model import Document, Note, Table


def _write_interval(cell: ChallengeCell) -> str:
    return f"[{cell.low:.3f}, {cell.high:.3f}]" if cell.n_examples else ""


CHALLENGE_FIELDS: list[Field[ChallengeCell]] = [
    Field("phenomenon", is_key=True),
    Field("n_examples", int, heading="examples"),
    Field("metric", outputs=~TABLE),
    Field("accuracy", float, form="{:.3f}", missing="–"),
    Field("interval", list, lambda cell: (cell.low, cell.high), TABLE, detail="intervals", text=_write_interval),
    Field("ci_low", float, lambda cell: cell.low, ~TABLE),
    Field("ci_high", float, lambda cell: cell.high, ~TABLE),
    Field("tied", float, outputs=~TABLE),
    Field("tau", float, lambda cell: 2 * cell.accuracy - 1, RECORDS),
]  # fmt: skip
"""The accuracy of a metric on a phenomenon."""


def describe_challenge(cells: Sequence[ChallengeCell], *, level: float) -> Document:
    """Describe the accuracy of metrics on the phenomena of a challenge set."""
    metrics = list(dict.fromkeys(cell.metric for cell in cells))
    by_place = {(cell.phenomenon, cell.metric): cell for cell in cells}
    phenomena = list(dict.fromkeys(cell.phenomenon for cell in cells))

    def tables() -> list[Table]:
        rows = [
            [cell for metric in metrics if (cell := by_place.get((each, metric))) is not None]
            for each in phenomena
        ]
        complete = [row for row in rows if len(row) == len(metrics)]
        notes = [
            Note(
                f"share of examples in which the good translation has the better score; [{level:.0%} interval]"
            ),
            Note("a tie counts as wrong: ACES's τ is 2 · accuracy − 1"),
        ]
        if len(complete) < len(rows):
            notes.append(Note("phenomena that a metric could not score are left out; CSV and JSON have them"))
        headings = {metric: metric for metric in metrics}
        return [
            make_wide_table(CHALLENGE_FIELDS, complete, headings, title="Accuracy by phenomenon", notes=notes)
        ]

    return Document(
        "challenge",
        tables,
        lambda: make_records(CHALLENGE_FIELDS, cells),
        lambda: {"cells": [make_object(CHALLENGE_FIELDS, cell) for cell in cells]},
    )
