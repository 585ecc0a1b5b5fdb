"""The segments of a run: texts or only their checksums, ids, and the columns that subsets are made of."""

import hashlib
from collections.abc import Iterable, Sequence

from tertium.types import Corpus

__all__ = ["COLUMN", "SYSTEM", "checksum", "checksum_references", "join_checksums", "lay_out_segments"]

# What the names of columns begin with, so that a system or a column of any name has its own.
SYSTEM, COLUMN = "system:", "column:"


def checksum(text: str) -> str:
    """Compute 64 bits that tell a text from others, as 16 hexadecimal digits.

    >>> checksum("")
    'e4a6a0577479b2b4'
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def checksum_references(references: Iterable[Sequence[str]]) -> list[list[str]]:
    """Compute the checksums of all references of all segments."""
    return [[checksum(text) for text in group] for group in references]


def join_checksums(references: Iterable[Sequence[str]]) -> str:
    """Compute one checksum of all references' checksums, which tells a test set from others."""
    digest = hashlib.sha256()
    for group in references:
        digest.update((" ".join(group) + "\n").encode())
    return digest.hexdigest()


def lay_out_segments(
    corpus: Corpus, checksums: list[list[str]], *, with_texts: bool
) -> dict[str, list[str] | list[list[str]]]:
    """Lay out all that is known about segments as columns of a table."""
    columns: dict[str, list[str] | list[list[str]]] = {}
    if corpus.segment_ids is not None:
        columns["id"] = list(corpus.segment_ids)
    if corpus.document_ids is not None:
        columns["document"] = list(corpus.document_ids)
    columns |= {f"{COLUMN}{name}": list(values) for name, values in corpus.columns.items()}
    if corpus.sources is not None:
        columns["source"] = _texts(corpus.sources, with_texts=with_texts)
    columns["references"] = [list(group) for group in corpus.references] if with_texts else checksums
    for name, texts in corpus.systems.items():
        columns[f"{SYSTEM}{name}"] = _texts(texts, with_texts=with_texts)
    return columns


def _texts(texts: Sequence[str], *, with_texts: bool) -> list[str]:
    return list(texts) if with_texts else list(map(checksum, texts))
