"""WordNet 3.0: which words share a meaning, found by their base forms."""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import numpy as np

from tertium.kernels import WordNetTable
from tertium.types import IdRows

FILE = Path(__file__).parents[1] / "data" / "wordnet.npz"


class WordNet:
    """Synsets of words, looked up as METEOR 1.5 was observed to do.

    A word has its own synsets and those of its base form: the bases of an irregular form, else the
    first lemma that a rule of detachment gives, whatever its part of speech. Two words mean the same if
    they share a synset.
    """

    language = "en"

    def __init__(self, identity: str, table: WordNetTable) -> None:
        self.identity = identity
        self._table = table

    def __reduce__(self) -> tuple[Callable[[], "WordNet"], tuple[()]]:
        """Travel to another process as a question: each one loads the table by itself."""
        return load_wordnet, ()

    def __contains__(self, word: str) -> bool:
        """Whether the word is a lemma."""
        return word in self._table

    def irregular(self, word: str) -> Sequence[str]:
        """The base forms of an irregular form; none if the word is regular or unknown."""
        return self._table.irregular(word)

    def synsets(self, words: Sequence[str]) -> IdRows:
        """The synsets of each word, as rising numbers."""
        return IdRows(*self._table.synsets(list(words)))

    def base_forms(self, word: str) -> Sequence[str]:
        """The base forms other than the word itself."""
        return self._table.base_forms(word)


@cache
def load_wordnet() -> WordNet:
    """Load the table in this package, once."""
    data = FILE.read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as file:
        table = WordNetTable(
            file["lemmas"].tobytes(), file["counts"], file["ids"], file["exceptions"].tobytes()
        )
    return WordNet(f"wordnet-3.0[{sha256(data).hexdigest()[:8]}]", table)
