"""Segments that belong together, such as those of a document, as one row of an evaluation."""

from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from tertium.errors import InputError
from tertium.evaluation.statistics import Evaluation

__all__ = ["unite_groups"]


def unite_groups(evaluation: Evaluation, groups: Sequence[Hashable]) -> Evaluation:
    """Make one row of all segments of a group, such as a document, so that groups are drawn and exchanged whole.

    Groups come in the order of their first segments.
    """
    if len(groups) != evaluation.n_segments:
        raise InputError(
            f"{len(groups):,} segments have a group, but {evaluation.n_segments:,} were scored; "
            "name the group of every segment"
        )
    number: dict[Hashable, int] = {}
    group_of = np.array([number.setdefault(group, len(number)) for group in groups])
    order = np.argsort(group_of, kind="stable")
    starts = np.searchsorted(group_of[order], np.arange(len(number)))
    tables = {
        label: np.add.reduceat(table[:, order], starts, axis=1) for label, table in evaluation.tables.items()
    }
    return replace(evaluation, tables=tables)
