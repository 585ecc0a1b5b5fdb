"""Small trees by hand and at random, for tests that need no parser."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from tertium.values import TokenColumn, TreeColumn

__all__ = ["HandTrees", "heads_strategy", "tree_column"]


def tree_column(
    heads: Sequence[Sequence[int]],
    *,
    lemmas: Iterable[str] | None = None,
    tags: Iterable[str] | None = None,
) -> TreeColumn:
    """Make a column from heads per sentence (-1 for a root)."""
    lengths = [len(sentence) for sentence in heads]
    flat = np.array([head for sentence in heads for head in sentence], dtype=np.int32)
    blank = [""] * len(flat)
    return TreeColumn(
        flat,
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        list(lemmas) if lemmas is not None else blank,
        list(tags) if tags is not None else blank,
        blank,
    )


@st.composite
def heads_strategy(draw: st.DrawFn, *, max_size: int = 9) -> list[int]:
    """Draw any forest over up to `max_size` words, crossing edges included."""
    size = draw(st.integers(0, max_size))
    order = draw(st.permutations(range(size)))
    heads = [-1] * size
    for i in range(1, size):
        heads[order[i]] = draw(st.sampled_from([-1, *order[:i]]))
    return heads


@dataclass(frozen=True)
class HandTrees:
    """Trees for known texts: heads, and where needed lemmas and tags, by the text's words.

    A text that is not in the table is a chain in which every word hangs under the one before it.
    """

    heads: dict[str, list[int]] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    lemmas: dict[str, str] = field(default_factory=dict)
    identity: str = "by-hand"

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        texts = [tokens.words(i) for i in range(len(tokens))]
        heads = [self.heads.get(" ".join(words), list(range(-1, len(words) - 1))) for words in texts]
        flat = [word for words in texts for word in words]
        return tree_column(
            heads,
            lemmas=[self.lemmas.get(word, word) for word in flat],
            tags=[self.tags.get(word, "X") for word in flat],
        )

    def match_to(self, references: TokenColumn) -> "HandTrees":
        return self
