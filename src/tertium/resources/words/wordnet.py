"""WordNet 3.0: which words share a meaning, found by their base forms."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import numpy as np

from tertium.types import IdArray, OffsetArray

__all__ = ["WordNet", "load_wordnet"]

FILE = Path(__file__).parents[1] / "data" / "wordnet.npz"

# WordNet's rules of detachment for nouns, verbs and adjectives, in its order, by the last letter of the word.
_RULES = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
    ("ies", "y"), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
    ("ing", ""), ("er", ""), ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip
_RULES_BY_LETTER = {letter: tuple(rule for rule in _RULES if rule[0].endswith(letter)) for letter in "sndgrt"}


_MOST = 1_000_000  # words remembered before all are forgotten


class WordNet:
    """Synsets of words, looked up as METEOR 1.5 was observed to do.

    A word has its own synsets and those of its base form: the bases of an irregular form, else the
    first lemma that a rule of detachment gives, whatever its part of speech. Two words mean the same if
    they share a synset.
    """

    language = "en"

    def __init__(
        self,
        identity: str,
        lemmas: Sequence[str],
        offsets: OffsetArray,
        synsets: IdArray,
        bases: Mapping[str, Sequence[str]],
    ) -> None:
        self.identity = identity
        self._lemmas = {lemma: i for i, lemma in enumerate(lemmas)}
        self._offsets: list[int] = offsets.tolist()
        self._synsets: list[int] = synsets.tolist()
        self._bases = bases
        self._known: dict[str, Sequence[int]] = {}

    def __contains__(self, word: str) -> bool:
        """Whether the word is a lemma."""
        return word in self._lemmas

    def irregular(self, word: str) -> Sequence[str]:
        """The base forms of an irregular form; none if the word is regular or unknown."""
        return self._bases.get(word, ())

    def synsets(self, words: Sequence[str]) -> list[Sequence[int]]:
        """The synsets of each word, as rising numbers."""
        known = self._known
        if len(known) > _MOST:
            known.clear()
        for word in words:
            if word not in known:
                known[word] = self._lookup(word)
        return [known[word] for word in words]

    def base_forms(self, word: str) -> Sequence[str]:
        """The base forms other than the word itself."""
        if word in self._bases:
            return self._bases[word]
        return list(self._detach(word))[:1]

    def _lookup(self, word: str) -> Sequence[int]:
        own = self._of_lemma(word)
        if word[-1:] not in _RULES_BY_LETTER and word not in self._bases:
            return own  # most words: no rule can apply
        return sorted({*own, *(each for base in self.base_forms(word) for each in self._of_lemma(base))})

    def _of_lemma(self, lemma: str) -> list[int]:
        if (i := self._lemmas.get(lemma)) is None:
            return []
        return self._synsets[self._offsets[i] : self._offsets[i + 1]]

    def _detach(self, word: str) -> Iterator[str]:
        if len(word) <= 2 or word.endswith("ss"):
            return
        for ending, by in _RULES_BY_LETTER.get(word[-1], ()):
            if word.endswith(ending) and (base := word.removesuffix(ending) + by) in self._lemmas:
                yield base


@cache
def load_wordnet() -> WordNet:
    """Load the table in this package, once."""
    data = FILE.read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as table:
        lemmas = table["lemmas"].tobytes().decode().split("\n")
        offsets = np.concatenate([[0], np.cumsum(table["counts"], dtype=np.int64)])
        exceptions = table["exceptions"].tobytes().decode().split("\n")
        synsets = table["ids"]
    bases = {form: rest.split() for form, _, rest in (line.partition(" ") for line in exceptions)}
    return WordNet(f"wordnet-3.0[{sha256(data).hexdigest()[:8]}]", lemmas, offsets, synsets, bases)
