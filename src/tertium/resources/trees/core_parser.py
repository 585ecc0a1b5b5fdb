"""The English dependency parser in the package, which needs no other package."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from tertium.errors import ResourceError
from tertium.kernels.syntax import ParserModel, label_texts, make_parser_model, parse_texts
from tertium.records import record
from tertium.resources.synonyms import load_wordnet
from tertium.values import IdArray, TokenColumn, TreeColumn

# WordNet's detachment rules: endings and their replacements, in the order in which they are tried.
_NOUN = (
    ("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"), ("ies", "y"),
)  # fmt: skip
_VERB = (
    ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
)  # fmt: skip
_ADJECTIVE = (("er", ""), ("est", ""), ("er", "e"), ("est", "e"))
_RULES = {"NOUN": _NOUN, "VERB": _VERB, "AUX": _VERB, "ADJ": _ADJECTIVE, "ADV": _ADJECTIVE}

# The lemma of a word with one of these tags is the word itself, in its own case.
_AS_WRITTEN = frozenset({"PROPN", "PUNCT", "NUM", "SYM", "X"})


class Lemmatizer:
    """Finds lemmas by the rules of the model that the parser was trained to imitate.

    Parameters
    ----------
    exceptions
        For each part of speech, the lemmas of forms (in lower case) for which the rules are wrong.
    """

    def __init__(self, exceptions: Mapping[str, Mapping[str, str]]) -> None:
        self._exceptions = exceptions
        self._known: dict[tuple[str, str], str] = {}

    def __call__(self, word: str, tag: str) -> str:
        """Return the lemma of a word with this universal part of speech."""
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
    """Apply the first rule whose result is in WordNet, with a doubled consonant as written or reduced to one."""
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
    """Return the lemma of a word to which no rule applies: an irregular base form, a singular, or the word itself."""
    if rules and (bases := load_wordnet().irregular(word)):
        return bases[0]
    is_plural = rules is _NOUN and len(word) > 3 and word[-1] == "s" and word[-2] not in "sui"
    return word[:-1] if is_plural else word


# The file format of the tagger and parser: a header and some tables of integers.
#
# Layout: the magic `TERTIUMP`, the header's length (uint32), the header (JSON: version, name, tags, relations,
# lemmas, each table's name, type and shape, and a SHA-256), then the tables in order. Numbers are little-endian.
# The checksum covers all tables and the rest of the header.


MAGIC = b"TERTIUMP"
VERSION = 1

Tables = Mapping[str, npt.NDArray[Any]]


@record(eq=False)
class ParserFile:
    """The content of a parser file."""

    name: str
    tags: Sequence[str]
    relations: Sequence[str]
    lemmas: Mapping[str, Mapping[str, str]]
    """For each part of speech, the lemmas of forms for which the rules are wrong."""
    tables: Tables


def write_parser_file(path: Path, parser: ParserFile) -> None:
    """Write a parser file; equal content gives equal bytes."""
    body = b"".join(_little(table).tobytes() for table in parser.tables.values())
    facts = {
        "version": VERSION,
        "name": parser.name,
        "tags": list(parser.tags),
        "relations": list(parser.relations),
        "lemmas": parser.lemmas,
        "tables": [[name, _little(table).dtype.str, table.shape] for name, table in parser.tables.items()],
    }
    header = json.dumps(facts | {"sha256": _digest(facts, body)}, ensure_ascii=False).encode()
    path.write_bytes(MAGIC + len(header).to_bytes(4, "little") + header + body)


def read_parser_file(path: Path) -> tuple[ParserFile, str]:
    """Read a parser file and its checksum.

    Raises
    ------
    ResourceError
        If it is not a parser file, of another version, or damaged.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResourceError(f"the parser {path} cannot be read: {error.strerror or error}") from error
    if not data.startswith(MAGIC):
        raise ResourceError(f"{path} is not a parser of tertium: it does not begin with {MAGIC.decode()}")
    facts, body = _parse_header(path, data)
    checksum = facts.pop("sha256", None)
    if checksum != _digest(facts, body):
        raise _damaged(path, "its content does not match its checksum")
    tables = _split_tables(path, facts["tables"], body)
    parser = ParserFile(facts["name"], facts["tags"], facts["relations"], facts["lemmas"], tables)
    return parser, checksum


def _parse_header(path: Path, data: bytes) -> tuple[dict[str, Any], bytes]:
    begin = len(MAGIC) + 4
    end = begin + int.from_bytes(data[len(MAGIC) : begin], "little")
    try:
        facts = json.loads(data[begin:end])
        version = facts["version"]
    except (ValueError, TypeError, KeyError) as error:
        raise _damaged(path, "its header cannot be read") from error
    if version != VERSION:
        raise ResourceError(
            f"{path}: a parser of version {version}, but this tertium reads version {VERSION}; reinstall tertium"
        )
    return facts, data[end:]


def _split_tables(path: Path, described: Sequence[tuple[str, str, Sequence[int]]], body: bytes) -> Tables:
    tables: dict[str, npt.NDArray[Any]] = {}
    at = 0
    for name, kind, shape in described:
        table = np.frombuffer(body, np.dtype(kind), int(np.prod(shape)), at).reshape(shape)
        tables[name] = table.astype(table.dtype.newbyteorder("="))
        at += table.nbytes
    if at != len(body):
        raise _damaged(path, f"{len(body) - at:,} bytes follow its last table")
    return tables


def _digest(facts: Mapping[str, Any], body: bytes) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + body).hexdigest()


def _little(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.ascontiguousarray(table, table.dtype.newbyteorder("<"))


def _damaged(path: Path, why: str) -> ResourceError:
    return ResourceError(f"{path}: this parser is damaged: {why}; reinstall tertium")


FILE = Path(__file__).parents[1] / "data" / "english.parser"


class LoadedParser(NamedTuple):
    """A parser that is ready to use."""

    name: str
    checksum: str
    model: ParserModel
    tags: tuple[str, ...]
    relations: tuple[str, ...]
    lemmatize: Lemmatizer


@record
class CoreTrees:
    """Parses tokens with the package's English parser.

    Every text is one sentence: its tree is projective and has one root. The parser imitates spaCy's
    small English model; docs/parser.md reports how well.
    """

    path: Path

    languages: ClassVar[frozenset[str] | None] = frozenset({"en"})

    @property
    def model(self) -> ParserModel:
        """The model as the compiled core reads it; it is loaded once."""
        return _load(self.path).model

    @property
    def identity(self) -> str:
        loaded = _load(self.path)
        return f"{loaded.name}[{loaded.checksum[:8]}]"

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Parse every text."""
        loaded = _load(self.path)
        heads = parse_texts(tokens, loaded.model)
        labels = Labels(tokens, heads, loaded)
        return TreeColumn(
            heads,
            tokens.offsets,
            lemmas=Lazy(lambda: labels.lemmas),
            tags=Lazy(lambda: labels.tags),
            relations=Lazy(lambda: labels.relations),
        )

    def match_to(self, references: TokenColumn) -> Self:  # noqa: ARG002 - a parser takes any text
        """Return itself: a parser does not depend on the test set."""
        return self


def load_core_parser(path: Path = FILE) -> CoreTrees:
    """Load the parser in the package, or one from another file.

    Raises
    ------
    ResourceError
        If the file is missing, of another version, or damaged.
    """
    _load(path)
    return CoreTrees(path)


@cache
def _load(path: Path) -> LoadedParser:
    parser, checksum = read_parser_file(path)
    try:
        model = make_parser_model(parser.tables)
    except (KeyError, ValueError, RuntimeError) as error:
        raise ResourceError(f"{path}: {error}; create the parser again") from error
    return LoadedParser(
        parser.name, checksum, model, tuple(parser.tags), tuple(parser.relations), Lemmatizer(parser.lemmas)
    )


class Labels:
    """Tags, relations and lemmas of trees, computed on first use, because most metrics only need the heads."""

    def __init__(self, tokens: TokenColumn, heads: IdArray, parser: LoadedParser) -> None:
        self._tokens, self._heads, self._parser = tokens, heads, parser

    @cached_property
    def tags(self) -> list[str]:
        names: list[str] = np.array(self._parser.tags, dtype=object)[self._numbers[0]].tolist()
        return names

    @cached_property
    def relations(self) -> list[str]:
        names = np.array([*self._parser.relations, "ROOT"], dtype=object)  # the root has number -1
        found: list[str] = names[self._numbers[1]].tolist()
        return found

    @cached_property
    def lemmas(self) -> list[str]:
        """The lemmas; each distinct pair of word and part of speech is lemmatised once."""
        names = self._parser.tags
        pairs, positions = np.unique(
            self._tokens.ids.astype(np.int64) * len(names) + self._numbers[0], return_inverse=True
        )
        words = self._tokens.vocabulary.words((pairs // len(names)).astype(np.int32))
        tags = [names[tag] for tag in (pairs % len(names)).tolist()]
        lemmas = [self._parser.lemmatize(word, tag) for word, tag in zip(words, tags, strict=True)]
        found: list[str] = np.array(lemmas, dtype=object)[positions].tolist()
        return found

    @cached_property
    def _numbers(self) -> tuple[IdArray, IdArray]:
        return label_texts(self._tokens, self._heads, self._parser.model)


class Lazy(Sequence[str]):
    """A sequence of strings that is computed on first use."""

    def __init__(self, find: Callable[[], list[str]]) -> None:
        self._find = find

    def __len__(self) -> int:
        return len(self._find())

    def __getitem__(self, index):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN204 - as list does
        return self._find()[index]

    def __iter__(self) -> Iterator[str]:
        return iter(self._find())
