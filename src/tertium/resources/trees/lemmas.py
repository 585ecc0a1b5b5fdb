"""Base forms of English words by their parts of speech: listed ones from a table, the others by rules."""

from collections.abc import Mapping, Sequence

from tertium.resources.words.wordnet import load_wordnet

__all__ = ["Lemmatizer"]

# WordNet's rules of detachment: endings and what takes their place, in the order in which they are tried.
_NOUN = (
    ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
)  # fmt: skip
_VERB = (
    ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
)  # fmt: skip
_ADJECTIVE = (("er", ""), ("est", ""), ("er", "e"), ("est", "e"))
_RULES = {"NOUN": _NOUN, "VERB": _VERB, "AUX": _VERB, "ADJ": _ADJECTIVE, "ADV": _ADJECTIVE}

# These keep their case.
_AS_WRITTEN = frozenset({"PROPN", "PUNCT", "NUM", "SYM", "X"})


class Lemmatizer:
    """Finds base forms as the parser's teacher does.

    Parameters
    ----------
    exceptions
        By part of speech, the forms in lower case for which the rules are wrong, and their base forms.
    """

    def __init__(self, exceptions: Mapping[str, Mapping[str, str]]) -> None:
        self._exceptions = exceptions
        self._known: dict[tuple[str, str], str] = {}

    def __call__(self, word: str, tag: str) -> str:
        """The base form of a word that has this universal part of speech."""
        key = (word, tag)
        if (known := self._known.get(key)) is None:
            known = self._known[key] = self._find(word, tag)
        return known

    def _find(self, word: str, tag: str) -> str:
        lower = word.lower()
        listed = self._exceptions.get(tag, {}).get(lower)
        if listed is not None:
            return listed
        if tag in _AS_WRITTEN:
            return word
        return _detach(lower, _RULES.get(tag, ()))


def _detach(word: str, rules: Sequence[tuple[str, str]]) -> str:
    """Take off the first ending that leaves a word of WordNet; a doubled consonant counts as one."""
    wordnet = load_wordnet()
    for ending, by in rules:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2 or word.endswith("ss"):
            continue
        doubled = stem[:-1] if not by and stem[-1] == stem[-2] and stem[-1] not in "ls" else stem + by
        for base in (stem + by, doubled):
            if base in wordnet:
                return base
    return _guess(word, rules)


def _guess(word: str, rules: Sequence[tuple[str, str]]) -> str:
    """The base form of a word that no rule leads to WordNet: an irregular one, a plural, or itself."""
    if rules and (bases := load_wordnet().irregular(word)):
        return bases[0]
    is_plural = rules is _NOUN and len(word) > 3 and word[-1] == "s" and word[-2] not in "sui"
    return word[:-1] if is_plural else word
