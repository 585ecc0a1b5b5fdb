"""Synonyms from WordNet 3.0, looked up by base forms."""

from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import numpy as np

from tertium.kernels.alignment import WordNet as WordNetTable
from tertium.kernels.strings import TextColumn
from tertium.values import IdRows

FILE = Path(__file__).parents[1] / "data" / "wordnet.npz"


class WordNet:
    """Synsets of words, looked up in the same way as METEOR 1.5 (determined by experiments).

    A word has its own synsets and those of its base forms: the bases of an irregular form, otherwise the
    first lemma that a detachment rule gives, regardless of its part of speech. Two words are synonyms if
    they share a synset.
    """

    language = "en"

    def __init__(self, identity: str, table: WordNetTable) -> None:
        self.identity = identity
        self._table = table

    def __reduce__(self) -> tuple[Callable[[], "WordNet"], tuple[()]]:
        """Pickle as a call of `load_wordnet`; each process loads the table itself."""
        return load_wordnet, ()

    def __contains__(self, word: str) -> bool:
        """Whether the word is a lemma."""
        return word in self._table

    def irregular(self, word: str) -> Sequence[str]:
        """Return the base forms of an irregular form; none if the word is regular or unknown."""
        return self._table.irregular(word)

    def synsets(self, words: Sequence[str]) -> IdRows:
        """Return the ids of the synsets of each word, in ascending order."""
        return IdRows(*self._table.synsets(TextColumn.of(words).held))

    def base_forms(self, word: str) -> Sequence[str]:
        """Return the base forms other than the word itself."""
        return self._table.base_forms(word)


@cache
def load_wordnet() -> WordNet:
    """Load the table in this package; it is loaded once per process."""
    data = FILE.read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as file:
        table = WordNetTable(
            file["lemmas"].tobytes(), file["counts"], file["ids"], file["exceptions"].tobytes()
        )
    return WordNet(f"wordnet-3.0[{sha256(data).hexdigest()[:8]}]", table)
