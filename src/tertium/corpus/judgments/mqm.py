"""MQM error lists as Google publishes them: a row per error, weighted and summed into segment scores.

Freitag et al. (2021), Experts, Errors, and Context: the weights below are theirs.
"""

from collections.abc import Mapping

import numpy as np

from tertium.corpus.judgments.readers import SegmentJudgments, open_judgment_table, pair_column, text_column
from tertium.corpus.texts.tables import Table
from tertium.errors import InputError

__all__ = ["GOOGLE_WEIGHTS", "error_weight", "is_mqm", "mqm_in", "read_mqm"]

# severity, or severity/category, or severity/category/subcategory; the most specific one counts
GOOGLE_WEIGHTS: Mapping[str, float] = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "major/non-translation!": 25.0,
    "minor/fluency/punctuation": 0.1,
}

_COLUMNS = ("system", "rater", "category", "severity")


def read_mqm(path: str, *, weights: Mapping[str, float] = GOOGLE_WEIGHTS, pair: str = "") -> SegmentJudgments:
    """Read a table of MQM errors into one score per system, segment and rater: minus the weighted errors.

    The columns are system, doc, doc_id or seg_id (or global_seg_id), rater, category, severity; a row
    without an error is in the file too, so that a perfect translation has the score 0.

    Raises
    ------
    InputError
        If a column is missing or a severity has no weight.
    """
    return mqm_in(open_judgment_table(path), weights=weights, pair=pair)


def is_mqm(table: Table) -> bool:
    """Whether a table lists errors."""
    return all(name in table.names for name in _COLUMNS)


def mqm_in(
    table: Table, *, weights: Mapping[str, float] = GOOGLE_WEIGHTS, pair: str = ""
) -> SegmentJudgments:
    """Sum the errors of a table that was read already; `pair` is for one without such a column."""
    system, rater, category, severity = (text_column(table, name) for name in _COLUMNS)
    pairs = [each or pair for each in pair_column(table, len(system))]
    totals: dict[tuple[str, str, str, str], float] = {}
    lines: dict[tuple[str, str, str, str], int] = {}
    for row, key in enumerate(zip(pairs, system, _segments(table), rater, strict=True)):
        weight = error_weight(severity[row], category[row], weights)
        if weight is None:
            raise InputError(
                f"{table.path}: {table.place(row)} has the severity {severity[row]!r}, which has no weight;"
                f" known are {', '.join(name for name in weights if '/' not in name)}"
            )
        totals[key] = totals.get(key, 0.0) + weight
        lines.setdefault(key, table.number(row))
    pairs, systems, segments, raters = (list(side) for side in zip(*totals, strict=True))
    scores = 0.0 - np.array(list(totals.values()))  # not -0.0
    return SegmentJudgments(table.path, list(lines.values()), pairs, systems, segments, scores, raters)


def error_weight(severity: str, category: str, weights: Mapping[str, float]) -> float | None:
    """Find the weight of an error: that of the longest known prefix of severity/category/subcategory.

    Examples
    --------
    >>> error_weight("Minor", "Fluency/Punctuation", GOOGLE_WEIGHTS)
    0.1
    """
    parts = [severity, *category.split("/")]
    names = ("/".join(parts[:n]).lower() for n in range(len(parts), 0, -1))
    return next((weights[name] for name in names if name in weights), None)


def _segments(table: Table) -> list[str]:
    """Label segments by their number in the test set, or else by document and number in it."""
    for name in ("global_seg_id", "globalSegId", "seg_id"):
        if name in table.names:
            return text_column(table, name)
    if not {"doc", "doc_id"} <= set(table.names):
        raise InputError(
            f"{table.path} has no column global_seg_id or seg_id, nor doc and doc_id;"
            f" it has: {', '.join(table.names)}"
        )
    documents, numbers = text_column(table, "doc"), text_column(table, "doc_id")
    return [f"{document}::{number}" for document, number in zip(documents, numbers, strict=True)]
