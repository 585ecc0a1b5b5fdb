"""A checksum of judged data: equal for equal texts and judgments, wherever they were read from."""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np

from tertium.agreement.judged_sets import JudgedSet
from tertium.types import Corpus

__all__ = ["fingerprint"]


def fingerprint(sets: Sequence[JudgedSet]) -> str:
    """Compute 16 hexadecimal digits that change with any text, system, judgment or rater normalisation."""
    digest = hashlib.sha256()
    for judged in sets:
        for part in (judged.pair, *_texts(judged.corpus)):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little") + data)
        for array in _arrays(judged):
            digest.update(repr((array.dtype.str, array.shape)).encode() + array.tobytes())
    return digest.hexdigest()[:16]


def _texts(corpus: Corpus) -> Iterable[str]:
    for group in corpus.references:
        yield str(len(group))
        yield from group
    for name, outputs in corpus.systems.items():
        yield name
        yield from outputs


def _arrays(judged: JudgedSet) -> Iterable["np.ndarray[tuple[int, ...], np.dtype[np.generic]]"]:
    nothing = np.zeros(0)
    yield nothing if judged.system_scores is None else judged.system_scores
    yield nothing if judged.segment_scores is None else judged.segment_scores
    if judged.comparisons is not None:
        yield from judged.comparisons
