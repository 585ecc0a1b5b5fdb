"""Synonyms: WordNet 3.0 for English, and thesauri in MyThes format for other languages."""

import codecs
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import Stemmer

from tertium.errors import ResourceError, argument
from tertium.files.reading import read_bytes
from tertium.kernels.meteor import WordNet as WordNetTable
from tertium.kernels.strings import TextColumn
from tertium.text.languages import find_language, target_language
from tertium.values import IdRows

WORDNET = Path(__file__).parent / "data" / "wordnet.npz"


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
    data = WORDNET.read_bytes()
    with np.load(BytesIO(data), allow_pickle=False) as file:
        table = WordNetTable(
            file["lemmas"].tobytes(), file["counts"], file["ids"], file["exceptions"].tobytes()
        )
    return WordNet(f"wordnet-3.0[{sha256(data).hexdigest()[:8]}]", table)


# Remarks on words that are not synonyms; other remarks name a style or a region.
_RELATIONS = frozenset(
    {"antonym", "generic term", "related term", "similar term", "oberbegriff", "unterbegriff", "assoziation"}
)
_REMARK = re.compile(r"\(([^()]*)\)")
_NAME = re.compile(r"th(?:es)?_([a-z]{2,3})(?![a-z])")
_ENTRY = re.compile(r"(.*)\|\s*(\d{1,9})\s*")
_MAX_SHOWN = 40  # characters of a wrong line


class Thesaurus:
    """Sets of synonyms of one language.

    A word that is not listed has the synonyms of all listed words with the same stem, if the language has a
    stemmer.
    """

    def __init__(self, identity: str, language: str, synsets: Mapping[str, Sequence[int]]) -> None:
        self.identity = identity
        self.language = language
        self._synsets = synsets
        self._by_stem: dict[str, list[str]] = defaultdict(list)
        row = find_language(language)
        self._stem = Stemmer.Stemmer(row.stemmer, 0).stemWord if row and row.stemmer else str
        for word in synsets:
            self._by_stem[self._stem(word)].append(word)

    def __reduce__(self) -> tuple[type["Thesaurus"], tuple[Any, ...]]:
        """Pickle without the stemmer (not picklable)."""
        return Thesaurus, (self.identity, self.language, self._synsets)

    def __repr__(self) -> str:
        return f"Thesaurus({self.identity}, {self.language}, {len(self._synsets):,} words)"

    def synsets(self, words: Sequence[str]) -> list[Sequence[int]]:
        """Return the ids of the synsets of each word, in ascending order."""
        return [self._look_up(word) for word in words]

    def _look_up(self, word: str) -> Sequence[int]:
        if word in self._synsets:
            return self._synsets[word]
        relatives = self._by_stem.get(self._stem(word), ())
        return sorted({number for relative in relatives for number in self._synsets[relative]})


def load_thesaurus(path: str | Path, language: str | None = None) -> Thesaurus:
    """Read a thesaurus, such as `/usr/share/mythes/th_de_DE_v2.dat`.

    Parameters
    ----------
    language
        Its language; None to infer it from the file's name, such as `th_de_DE_v2.dat`.

    Raises
    ------
    ResourceError
        If the file cannot be read or is not in MyThes format; the message names the line.
    """
    file = Path(path)
    data = read_bytes(file, error=ResourceError)
    text = _decode(file, data)
    sets: dict[frozenset[str], int] = {}
    members: dict[str, set[int]] = defaultdict(set)
    for words in _meanings(file, text.split("\n")):
        number = sets.setdefault(words, len(sets))
        for word in words:
            members[word].add(number)
    if not members:
        raise ResourceError(f"{file} has no synonyms; give a thesaurus in MyThes format (th_*.dat)")
    identity = f"{file.stem}[{sha256(data).hexdigest()[:8]}]"
    return Thesaurus(identity, _language_of(file, language), {w: sorted(n) for w, n in members.items()})


def _decode(file: Path, data: bytes) -> str:
    first, _, rest = data.removeprefix(codecs.BOM_UTF8).partition(b"\n")
    encoding = first.decode("ascii", "replace").strip()
    try:
        return codecs.decode(rest, encoding.removeprefix("microsoft-"))
    except UnicodeDecodeError as error:
        line = rest.count(b"\n", 0, error.start) + 2
        raise ResourceError(
            f"{file}, line {line:,}: byte {rest[error.start]:#04x} is not {encoding}"
        ) from error
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise ResourceError(
            f"{file}, line 1: {_show(encoding)} is not an encoding; a thesaurus in MyThes format begins with "
            "an encoding, such as UTF-8"
        ) from error


def _language_of(file: Path, language: str | None) -> str:
    if language is not None:
        return target_language(language)
    named = _NAME.match(file.name)
    if named is None:
        raise ResourceError(
            f"{file}: the name does not contain the language, as in th_de_DE.dat; give {argument('language', 'LANG')}"
        )
    return target_language(named[1])


def _meanings(file: Path, lines: Sequence[str]) -> Iterator[frozenset[str]]:
    """Yield the single-word synonyms of each meaning, in lower case; skip meanings with fewer than two."""
    known: dict[str, frozenset[str]] = {}  # a meaning is repeated for every word that has it
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        entry = _ENTRY.fullmatch(lines[at])
        if entry is None:
            raise _wrong(file, at, f"word|number of meanings was expected, not {_show(lines[at])}")
        meanings = lines[at + 1 : at + 1 + int(entry[2])]
        if len(meanings) < int(entry[2]) or not all(meanings):
            raise _wrong(file, at, f"{_show(entry[1])} has fewer than {int(entry[2]):,} meanings")
        for meaning in meanings:
            if meaning not in known:
                known[meaning] = _single_words(meaning.split("|")[1:])
            words = known[meaning] | _single_words([entry[1]])
            if len(words) > 1:
                yield words
        at += 1 + len(meanings)


def _single_words(texts: Sequence[str]) -> frozenset[str]:
    """Return the synonyms that are single words, without remarks and in lower case."""
    words = (_REMARK.sub("", text).strip().lower() for text in texts if _is_synonym(text))
    return frozenset(word for word in words if word and " " not in word and "..." not in word)


def _is_synonym(text: str) -> bool:
    return "(" not in text or _RELATIONS.isdisjoint(remark.lower() for remark in _REMARK.findall(text))


def _wrong(file: Path, at: int, what: str) -> ResourceError:
    return ResourceError(f"{file}, line {at + 2:,}: {what}")


def _show(text: str) -> str:
    return repr(text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…")
