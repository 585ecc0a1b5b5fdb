"""Lists of words: function words and abbreviations of languages, and word frequencies from a file."""

import importlib.util
import zipfile
from collections import Counter
from dataclasses import field
from functools import cache
from hashlib import sha256
from pathlib import Path

from tertium.decimals import parse_integer
from tertium.errors import ResourceError
from tertium.files.paths import show_path
from tertium.files.reading import read_lines, read_text
from tertium.interfaces import WordLists
from tertium.records import record
from tertium.text import Texts
from tertium.text.columns import Abbreviations, own_abbreviations, parse_word_list, read_word_list
from tertium.text.languages import LANGUAGES, WordListOrigin

PACKAGE = "pycocoevalcap"


def find_in_package(name: str) -> Path | None:
    """Find a file in the METEOR folder of pycocoevalcap, without importing the package."""
    spec = importlib.util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder) / "meteor" / name
        if path.is_file():
            return path
    return None


_DATA = Path(__file__).parent / "data"


@record
class OwnWordLists:
    """The short word lists in this package; only English has any."""

    identity: str

    def function_words(self, language: str) -> frozenset[str]:
        return _parse_words(_own_text("function-words", language))

    def abbreviations(self, language: str) -> Abbreviations:
        return own_abbreviations(language)


@record
class MeteorWordLists:
    """The word lists in METEOR's jar, read on demand."""

    jar: Path
    identity: str

    def function_words(self, language: str) -> frozenset[str]:
        return _parse_words(self._read("function", language, "words"))

    def abbreviations(self, language: str) -> Abbreviations:
        return _parse_prefixes(self._read("nonbreaking", language, "prefixes"))

    def _read(self, folder: str, language: str, suffix: str) -> str:
        """Read a list; METEOR's files are named after the language in English."""
        if not _has_lists(language, "pycocoevalcap"):
            return ""
        return _read_member(self.jar, f"{folder}/{LANGUAGES[language].name.lower()}.{suffix}")


@record
class SuppliedFunctionWords:
    """Function words from a file, with the default abbreviations."""

    identity: str
    words: frozenset[str] = field(repr=False)
    others: WordLists = field(repr=False)

    def function_words(self, language: str) -> frozenset[str]:  # noqa: ARG002 - the user chose them
        return self.words

    def abbreviations(self, language: str) -> Abbreviations:
        return self.others.abbreviations(language)


def find_word_lists() -> WordLists:
    """Return METEOR's word lists if they are installed, otherwise the lists of this package."""
    jar = find_in_package("meteor-1.5.jar")
    if jar is None:
        text = _own_text("function-words", "en") + read_word_list("en")
        return OwnWordLists(f"tertium[{_digest(text)}]")
    text = _read_member(jar, "function/english.words") + _read_member(jar, "nonbreaking/english.prefixes")
    return MeteorWordLists(jar, f"meteor-1.5[{_digest(text)}]")


def load_function_words(path: str | Path) -> SuppliedFunctionWords:
    """Read function words from a file, separated by white space; lines that begin with `# ` are comments."""
    file = Path(path)
    text = read_text(file, error=ResourceError)
    words = frozenset(word.lower() for word in parse_word_list(text))
    if not words:
        raise ResourceError(f"{file} has no words; give function words separated by white space")
    others = find_word_lists()
    return SuppliedFunctionWords(f"{file.name}[{_digest(text)}]+{others.identity}", words, others)


def _has_lists(language: str, origin: WordListOrigin) -> bool:
    return language in LANGUAGES and origin in LANGUAGES[language].word_lists


@cache  # once for all batches of texts
def _parse_words(text: str) -> frozenset[str]:
    return frozenset(parse_word_list(text))


@cache
def _parse_prefixes(text: str) -> Abbreviations:
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    numeric = frozenset(line[0] for line in lines if "#NUMERIC_ONLY#" in line)
    return frozenset(line[0] for line in lines if line) - numeric, numeric


@cache
def _own_text(name: str, language: str) -> str:
    if not _has_lists(language, "bundled"):
        return ""
    return (_DATA / f"{name}-{language}.txt").read_text(encoding="utf-8")


@cache
def _read_member(jar: Path, name: str) -> str:
    try:
        with zipfile.ZipFile(jar) as archive:
            return archive.read(name).decode("utf-8") if name in archive.namelist() else ""
    except (OSError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise ResourceError(f"METEOR's lists in {jar} cannot be read: {error}") from error


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]


_AT_ONCE = 100_000  # lines that are tokenised at once


def load_frequencies(path: str, *, tokenizer: str = "13a") -> Counter[str]:
    """Read word frequencies.

    A file in which every line has a word, a tab and a whole number is a table; any other file is a text, whose words
    are counted.

    Raises
    ------
    ResourceError
        If the file cannot be read, has no words, or is a table with a line that is not like the others.
    """
    lines = read_lines(path, error=ResourceError)
    counts = _parse_table(lines, show_path(path)) if lines and "\t" in lines[0] else _count(lines, tokenizer)
    if not counts:
        raise ResourceError(
            f"{show_path(path)} has no words; give a text, or a word, a tab and its count per line"
        )
    return counts


def _parse_table(lines: list[str], shown: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        word, _, written = line.partition("\t")
        count = parse_integer(written)
        if not word or count is None or count < 0:
            raise ResourceError(
                f"{shown}, line {number:,}: {line[:40]!r} is not a word, a tab and a whole number"
            )
        counts[word] += count
    return counts


def _count(lines: list[str], tokenizer: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for start in range(0, len(lines), _AT_ONCE):
        tokens = Texts(lines[start : start + _AT_ONCE]).tokens(tokenizer)
        counts.update(tokens.vocabulary.words(tokens.ids))
    return counts
