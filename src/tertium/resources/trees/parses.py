"""One sentence's tree as plain data: into columns, and to bytes and back for the cache."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from tertium.types import TreeColumn

__all__ = ["EMPTY", "PARSE_FORMAT", "Parse", "decode_parse", "encode_parse", "make_column"]


@dataclass(frozen=True)
class Parse:
    """The tree of a sentence: a head (-1 at the root), lemma, part of speech and relation per token."""

    heads: Sequence[int]
    lemmas: Sequence[str]
    tags: Sequence[str]
    relations: Sequence[str]

    def __len__(self) -> int:
        return len(self.heads)


EMPTY = Parse((), (), (), ())


def make_column(parses: Sequence[Parse]) -> TreeColumn:
    """Put the trees of many sentences side by side."""
    offsets = np.zeros(len(parses) + 1, dtype=np.int64)
    np.cumsum([len(parse) for parse in parses], out=offsets[1:])
    heads = np.fromiter(chain.from_iterable(parse.heads for parse in parses), np.int32, int(offsets[-1]))
    return TreeColumn(
        heads,
        offsets,
        list(chain.from_iterable(parse.lemmas for parse in parses)),
        list(chain.from_iterable(parse.tags for parse in parses)),
        list(chain.from_iterable(parse.relations for parse in parses)),
    )


# Goes up whenever `encode_parse` changes, so that no tree is ever read in another format than its own.
PARSE_FORMAT = 1


def encode_parse(parse: Parse) -> bytes:
    """Write a tree as JSON."""
    fields = [list(parse.heads), list(parse.lemmas), list(parse.tags), list(parse.relations)]
    return json.dumps(fields, separators=(",", ":")).encode("ascii")


def decode_parse(data: bytes) -> Parse:
    """Read a tree that `encode_parse` wrote."""
    return Parse(*json.loads(data))
