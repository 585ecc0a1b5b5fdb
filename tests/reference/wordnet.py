"""WordNet's look-up in plain Python."""

from collections.abc import Iterator, Sequence

import numpy as np

from tertium.resources.synonyms import WORDNET

__all__ = ["PlainWordNet"]

# WordNet's rules of detachment for nouns, verbs and adjectives, in its order.
RULES = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
    ("ies", "y"), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"),
    ("ing", ""), ("er", ""), ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip


class PlainWordNet:
    """Dictionaries of lemmas and of irregular forms."""

    def __init__(self) -> None:
        with np.load(WORDNET, allow_pickle=False) as table:
            lemmas = table["lemmas"].tobytes().decode().split("\n")
            rows = np.split(table["ids"], np.cumsum(table["counts"], dtype=np.int64)[:-1])
            forms = [line.split() for line in table["exceptions"].tobytes().decode().split("\n")]
        self.synsets_of = dict(zip(lemmas, (row.tolist() for row in rows), strict=True))
        self.bases = {form: bases for form, *bases in forms}

    def base_forms(self, word: str) -> Sequence[str]:
        """The bases of an irregular form, else the first lemma that a rule gives."""
        return self.bases[word] if word in self.bases else list(self._detach(word))[:1]

    def synsets(self, word: str) -> Sequence[int]:
        """Those of the word and of its bases."""
        words = [word, *self.base_forms(word)]
        return sorted({number for word in words for number in self.synsets_of.get(word, ())})

    def _detach(self, word: str) -> Iterator[str]:
        if len(word) <= 2 or word.endswith("ss"):
            return
        for ending, by in RULES:
            if word.endswith(ending) and (base := word.removesuffix(ending) + by) in self.synsets_of:
                yield base
