"""Terms: translations of a glossary's terms that are missing, or not the same throughout a document."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import ClassVar

from tertium.interfaces import Glossary
from tertium.metrics.checks._base import Check, CheckOutcome, split_words
from tertium.metrics.options import option
from tertium.metrics.word_alignment import stem_words
from tertium.records import record
from tertium.text.languages import find_language

# Languages that write compounds as one word: a translation may be the beginning or the end of a longer word.
_COMPOUNDING = frozenset({"da", "de", "et", "fi", "hu", "is", "nl", "no", "sv"})
_MIN_COMPOUND_PART = 4  # letters; shorter words begin or end many others by chance


class WordKeys:
    """Keys of words that are equal for inflected forms: stems if the language has a stemmer, otherwise lower case."""

    def __init__(self, language: str) -> None:
        row = find_language(language)
        self._language = row.code if row is not None and row.stemmer else None
        self._known: dict[str, str] = {}

    def of(self, words: list[str]) -> list[str]:
        """Return the key of each word."""
        known = self._known
        try:
            return [known[word] for word in words]
        except KeyError:
            self._learn(words)
            return [known[word] for word in words]

    def _learn(self, words: list[str]) -> None:
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        lowered = [word.lower() for word in new]
        stems = lowered if self._language is None else stem_words(self._language, lowered)
        known = {word: stem or low for word, stem, low in zip(new, stems, lowered, strict=True)}
        self._known.update(known)


@cache
def word_keys(language: str) -> WordKeys:
    """Return the keys for a language, whose stems are computed once."""
    return WordKeys(language)


@record
class Phrase:
    """The words of a term: their keys, and the words that must be written exactly so, such as EU."""

    text: str
    keys: tuple[str, ...]
    exact: tuple[str | None, ...]

    @classmethod
    def of(cls, text: str, keys: WordKeys) -> "Phrase":
        words = split_words(text)
        return cls(text, tuple(keys.of(words)), tuple(word if _is_acronym(word) else None for word in words))

    def begins_at(self, place: int, words: Sequence[str], keys: Sequence[str]) -> bool:
        """Whether these words begin at a place of a text."""
        end = place + len(self.keys)
        return tuple(keys[place:end]) == self.keys and all(
            exact is None or exact == word for exact, word in zip(self.exact, words[place:end], strict=True)
        )


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper() and word.isalpha()


class PhraseIndex:
    """Phrases by their first word, the longest first."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._by_first: dict[str, list[Phrase]] = {}
        for phrase in sorted(phrases, key=lambda phrase: -len(phrase.keys)):
            self._by_first.setdefault(phrase.keys[0], []).append(phrase)

    def find(self, words: Sequence[str], keys: Sequence[str]) -> Iterator[tuple[int, Phrase]]:
        """Yield the phrases in a text from left to right, at phrase place the longest; they do not overlap."""
        end = 0
        for place, key in enumerate(keys):
            if place >= end and key in self._by_first:
                listed = self._by_first[key]
                found = next((phrase for phrase in listed if phrase.begins_at(place, words, keys)), None)
                if found is not None:
                    yield place, found
                    end = place + len(found.keys)


@record(eq=False)
class CompiledGlossary:
    """A glossary for two languages: the index of its source terms, and the allowed translations of each."""

    terms: PhraseIndex
    targets: Mapping[str, tuple[Phrase, ...]]


@lru_cache(maxsize=16)
def _compile(glossary: Glossary, source_language: str, language: str) -> CompiledGlossary:
    ours, theirs = word_keys(source_language), word_keys(language)
    entries = glossary.entries()
    targets = {entry.source: tuple(Phrase.of(text, theirs) for text in entry.targets) for entry in entries}
    return CompiledGlossary(PhraseIndex([Phrase.of(entry.source, ours) for entry in entries]), targets)


@dataclass(frozen=True)
class Terms(Check):
    """100 · the share of source terms with an allowed translation in the output: `terms:glossary.tsv`.

    The glossary has a source term, a tab and its translations, separated by `|`, on each line; or it is a CSV file or an
    XLSX workbook whose first row names the columns `source` and `target`. Terms are found in the source by their words, in any case and inflection (with the stemmer of the language, if there is one; words in capital
    letters, such as EU, only as they are written). Of terms that overlap, the longest counts, so that *European Union* is
    not also *union*. Each occurrence in the source needs its own occurrence of a translation in the output. In languages
    that write compounds as one word, such as German, a translation may be the beginning or the end of a longer word. Text
    without spaces is compared by characters.

    With `consistent=yes`, a term that is translated in several ways within a segment is a fault for each occurrence
    that differs from the most frequent translation; with `--unit document`, the segments are whole documents. The items
    are the occurrences of terms in the source.
    """

    main_option: ClassVar[str] = "glossary"

    glossary: Glossary = option(None, "a glossary: write terms:FILE.tsv", key="glossary")
    language: str = option("none", "language of the output, for its stemmer", key="lang")
    source_language: str = option("none", "language of the source, for its stemmer", key="srclang")
    consistent: bool = option(
        False, "count different translations of a term in a segment or document as faults", key="consistent"
    )

    def check(self, hypothesis: str, source: str) -> CheckOutcome:
        compiled = _compile(self.glossary, self.source_language, self.language)
        words = split_words(source)
        keys = word_keys(self.source_language).of(words)
        needed = Counter(term.text for _, term in compiled.terms.find(words, keys))
        if not needed:
            return CheckOutcome(0)
        allowed = {term: compiled.targets[term] for term in needed}
        used = self._match(hypothesis, needed, allowed)
        faults = list(_describe_missing(needed, used, allowed))
        if self.consistent:
            faults += _describe_inconsistent(used)
        return CheckOutcome(needed.total(), tuple(faults))

    def _match(
        self, hypothesis: str, needed: Counter[str], allowed: Mapping[str, tuple[Phrase, ...]]
    ) -> dict[str, Counter[str]]:
        """Assign the translations in the output to source terms; return how often each term has each of them."""
        words = split_words(hypothesis)
        keys = word_keys(self.language).of(words)
        index = PhraseIndex([phrase for phrases in allowed.values() for phrase in phrases])
        found = list(index.find(words, keys))
        texts = {term: [phrase.text for phrase in phrases] for term, phrases in allowed.items()}
        used = assign(needed, Counter(phrase.text for _, phrase in found), texts)
        if self.language in _COMPOUNDING and needed.total() > sum(map(Counter.total, used.values())):
            taken = {place + i for place, phrase in found for i in range(len(phrase.keys))}
            free = [(words[i].lower(), keys[i]) for i in range(len(words)) if i not in taken]
            _match_compounds(needed, used, allowed, free)
        return used


def assign(
    needed: Counter[str], present: Counter[str], allowed: Mapping[str, Sequence[str]]
) -> dict[str, Counter[str]]:
    """Assign as many translations to terms as possible, each occurrence once: a maximum flow.

    >>> assign(Counter(a=1, b=1), Counter(x=1, y=1), {"a": ["x", "y"], "b": ["x"]})
    {'a': Counter({'y': 1}), 'b': Counter({'x': 1})}
    """
    used: dict[str, Counter[str]] = {term: Counter() for term in needed}
    free = Counter(present)

    def give(term: str, visited: set[str]) -> bool:
        """Find a translation for one more occurrence, if need be by giving another term another one."""
        for target in allowed[term]:
            if target in visited or not present[target]:
                continue
            visited.add(target)
            if free[target]:
                free[target] -= 1
            else:
                owner = next((other for other in used if used[other][target] and give(other, visited)), None)
                if owner is None:
                    continue
                used[owner] -= Counter({target: 1})
            used[term][target] += 1
            return True
        return False

    for term, count in needed.items():
        for _ in range(count):
            if not give(term, set()):
                break
    return used


def _match_compounds(
    needed: Counter[str],
    used: Mapping[str, Counter[str]],
    allowed: Mapping[str, tuple[Phrase, ...]],
    free: list[tuple[str, str]],
) -> None:
    """Use free words of the output that begin or end with a translation of a term that is still missing."""
    for term, count in needed.items():
        for phrase in allowed[term]:
            part, text = phrase.keys[0], phrase.text.lower()
            if len(phrase.keys) > 1 or len(part) < _MIN_COMPOUND_PART:
                continue
            for pair in list(free):
                word, key = pair
                fits = word.startswith(part) or word.endswith(text) or key.endswith(part)
                if used[term].total() < count and fits:
                    used[term][phrase.text] += 1
                    free.remove(pair)


def _describe_missing(
    needed: Counter[str], used: Mapping[str, Counter[str]], allowed: Mapping[str, tuple[Phrase, ...]]
) -> Iterator[str]:
    for term, count in needed.items():
        targets = " or ".join(phrase.text for phrase in allowed[term])
        yield from [f"missing term: {targets} for {term}"] * (count - used[term].total())


def _describe_inconsistent(used: Mapping[str, Counter[str]]) -> list[str]:
    faults = []
    for term, targets in used.items():
        (usual, _), *others = targets.most_common() or [("", 0)]
        faults += [
            f"inconsistent term: {target} for {term}, otherwise {usual}"
            for target, count in others
            for _ in range(count)
        ]
    return faults
