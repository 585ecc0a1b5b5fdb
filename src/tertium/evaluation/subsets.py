"""Parts of a test set: some segments of a corpus, and the parts that a column makes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tertium.evaluation.conditions import find_column
from tertium.text.lengths import mean_lengths
from tertium.types import Corpus

__all__ = ["LENGTH", "SegmentColumns", "part_by", "select_texts"]

T = TypeVar("T")
Rows = npt.NDArray[np.int64]

LENGTH = "length"
"""A column that every corpus has: the mean length of a segment's references, as `count_length` counts it."""


class SegmentColumns(Mapping[str, Sequence[str]]):
    """The columns of a corpus, its documents and the length of its references, which are measured when asked for."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._known = dict(corpus.columns)
        if corpus.document_ids is not None:
            self._known.setdefault("document", corpus.document_ids)

    def __getitem__(self, name: str) -> Sequence[str]:
        if name == LENGTH and name not in self._known:
            self._known[name] = [f"{length:g}" for length in mean_lengths(self._corpus.references)]
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._known, LENGTH]))

    def __len__(self) -> int:
        return len(self._known) + (LENGTH not in self._known)


def select_texts(corpus: Corpus, rows: Rows) -> Corpus:
    """Keep some segments of a corpus."""
    return replace(
        corpus,
        references=_pick(corpus.references, rows),
        systems={name: _pick(texts, rows) for name, texts in corpus.systems.items()},
        sources=None if corpus.sources is None else _pick(corpus.sources, rows),
        segment_ids=None if corpus.segment_ids is None else _pick(corpus.segment_ids, rows),
        document_ids=None if corpus.document_ids is None else _pick(corpus.document_ids, rows),
        columns={name: _pick(values, rows) for name, values in corpus.columns.items()},
    )


def part_by(columns: Mapping[str, Sequence[str]], name: str) -> dict[str, Rows]:
    """Group the segments by the values of a column: numbers in their order, texts as they first occur."""
    groups: dict[str, list[int]] = {}
    for row, value in enumerate(find_column(columns, name)):
        groups.setdefault(value, []).append(row)
    values = sorted(groups, key=float) if all(map(_is_number, groups)) else list(groups)
    return {value: np.array(groups[value]) for value in values}


def _pick(values: Sequence[T], rows: Rows) -> list[T]:
    return [values[row] for row in rows.tolist()]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
