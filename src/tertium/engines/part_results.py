"""What a part of a corpus comes to: sums or rows of its statistics, as plain arrays that travel as bytes."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Self

import numpy as np

from tertium.errors import InputError
from tertium.evaluation.streaming import StreamedSums
from tertium.types import FloatArray

__all__ = ["PartResult", "is_sound"]

_MAGIC = b"tertium-part-1\n"
_SUM_SIZE = 16
_START = len(_MAGIC) + _SUM_SIZE


@dataclass(frozen=True, eq=False)
class PartResult:
    """The statistics of a part.

    Attributes
    ----------
    n_references
        The smallest and the largest number of references of a segment.
    widths
        Each metric's number of statistics.
    sums
        None if the rows were kept.
    rows
        For each metric a table (systems, segments, k); none if they were summed.
    scores
        For each metric the segments' scores (systems, segments), if they were asked for.
    """

    n_references: tuple[int, int]
    widths: tuple[int, ...]
    sums: StreamedSums | None = None
    rows: Sequence[FloatArray] = ()
    scores: Sequence[FloatArray] = ()

    def to_bytes(self) -> bytes:
        """Write the result down, with a checksum."""
        stream = io.BytesIO()
        arrays: dict[str, Any] = {f"rows{i}": each for i, each in enumerate(self.rows)}
        arrays |= {f"scores{i}": each for i, each in enumerate(self.scores)}
        np.savez(
            stream,
            n_references=np.array(self.n_references),
            widths=np.array(self.widths),
            sums=np.frombuffer(b"" if self.sums is None else self.sums.to_bytes(), np.uint8),
            **arrays,
        )
        content = stream.getvalue()
        return _MAGIC + _digest(content) + content

    @classmethod
    def from_bytes(cls, saved: bytes) -> Self:
        """Read what `to_bytes` wrote.

        Raises
        ------
        InputError
            If a byte is missing or changed.
        """
        if not is_sound(saved):
            raise InputError("a result is damaged; it must be computed again")
        with np.load(io.BytesIO(saved[_START:]), allow_pickle=False) as arrays:
            low, high = arrays["n_references"].tolist()
            widths = tuple(arrays["widths"].tolist())
            tables = {
                kind: [arrays[f"{kind}{i}"] for i in range(len(widths)) if f"{kind}{i}" in arrays]
                for kind in ("rows", "scores")
            }
            sums = arrays["sums"].tobytes()
            return cls((low, high), widths, StreamedSums.from_bytes(sums) if sums else None, **tables)


def is_sound(saved: bytes) -> bool:
    """Whether these are the bytes of a result, all of them and unchanged."""
    return saved.startswith(_MAGIC) and saved[len(_MAGIC) : _START] == _digest(saved[_START:])


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_SUM_SIZE).digest()
