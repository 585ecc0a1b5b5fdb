"""Parsers of other packages that are installed: spaCy models, and natasha for Russian."""

import importlib.util
import json
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tertium.consent import check_consent
from tertium.errors import MissingExtraError, ResourceError, argument
from tertium.files.extras import install_hint
from tertium.files.overwriting import note_input
from tertium.files.paths import list_folder, show_path
from tertium.records import record
from tertium.resources.trees.parses import CachedTrees, Model, Parse, Sentence
from tertium.text.languages import LANGUAGES, find_language

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

ENGLISH = "en"
NATASHA = "natasha"  # a Russian parser without spaCy

# The components that influence trees, lemmas and tags; others are neither loaded nor part of the checksum.
COMPONENTS = (
    "tok2vec",
    "transformer",
    "tagger",
    "morphologizer",
    "parser",
    "attribute_ruler",
    "lemmatizer",
    "trainable_lemmatizer",
)

_ENGLISH_MODELS = LANGUAGES[ENGLISH].parsers[:2]  # one of them is part of the extra 'syntax'


def find_model(name: str | None = None, language: str | None = None) -> Model:
    """Find a model by its package name or folder; without a name, the preferred model of a language.

    Parameters
    ----------
    language
        The language of the text; None means English.

    Raises
    ------
    MissingExtraError
        If spaCy or the model is not installed; the message contains the command that installs it.
    ResourceError
        If no model is installed for a language other than English.
    """
    code = language or ENGLISH
    if name is not None:
        check_parser(name)
    if name is None:
        name = next(installed_models(code), None)
        if name is None:
            raise _no_model(code)
    elif not _has_spacy():
        raise _no_spacy()
    if (folder := _folder_of(name)) is None:
        raise MissingExtraError(_missing(name))
    return _read_model(name, folder)


def installed_models(language: str) -> Iterator[str]:
    """Yield the names of the installed models of a language, the preferred ones first."""
    row = find_language(language)
    preferred = () if row is None else row.parsers
    yield from (name for name in preferred if _is_installed(name))
    if not _has_spacy():
        return
    codes = (language,) if row is None else (row.code, *row.aliases)
    for name in sorted(_advertised_models() - set(preferred)):
        if name.partition("_")[0] in codes and _folder_of(name) is not None:
            yield name


def _is_installed(name: str) -> bool:
    if name == NATASHA:
        return importlib.util.find_spec(NATASHA) is not None
    return _has_spacy() and _folder_of(name) is not None


@cache
def _advertised_models() -> frozenset[str]:
    """Return the models that installed packages register with spaCy."""
    return frozenset(entry_points(group="spacy_models").names)


def _has_spacy() -> bool:
    return importlib.util.find_spec("spacy") is not None


def check_parser(name: str) -> None:
    """Raise if the model is a folder that a file names without consent: its components may unpickle."""
    if _is_path(name):
        check_consent(f"the parser {show_path(name)}")


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.startswith(".")


def _folder_of(name: str) -> Path | None:
    """Return the folder of a model given by its folder or its package; None if there is none."""
    if _is_path(name):
        return Path(name) if (Path(name) / "meta.json").is_file() else None
    spec = importlib.util.find_spec(name) if name.isidentifier() else None
    folders = spec.submodule_search_locations if spec is not None else None
    return next((Path(folder) for folder in folders or () if (Path(folder) / "meta.json").is_file()), None)


def _read_model(name: str, folder: Path) -> Model:
    try:
        facts = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        version, language = str(facts["version"]), facts.get("lang")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ResourceError(f"{folder / 'meta.json'} does not describe a spaCy model: {error!r}") from error
    inner = next((inner for inner in list_folder(folder) if inner.name.endswith(f"-{version}")), folder)
    return Model(name, version, _checksum(inner), language)


def _checksum(folder: Path) -> str:
    digest = sha256()
    for component in COMPONENTS:
        for path in sorted((folder / component).rglob("*")):
            if path.is_file():
                digest.update(path.relative_to(folder).as_posix().encode())
                note_input(path)
                digest.update(path.read_bytes())
    return digest.hexdigest()


def _no_spacy() -> MissingExtraError:
    return MissingExtraError(
        f"no parser is installed: {install_hint('syntax')}, or give trees with {argument('trees', 'FILE')} (CoNLL-U)"
    )


def _no_model(language: str) -> MissingExtraError | ResourceError:
    if language == ENGLISH:
        return MissingExtraError(_english_missing()) if _has_spacy() else _no_spacy()
    row = find_language(language)
    known = f", or {row.parser_install}" if row is not None and row.parsers else ""
    return ResourceError(
        f"no parser is installed for the language {language!r}: give a spaCy model with {argument('parser', 'MODEL')}, "
        f"or trees with {argument('trees', 'FILE')} (CoNLL-U){known}"
    )


def _missing(name: str) -> str:
    if name in _ENGLISH_MODELS:
        return _english_missing()
    if not name.isidentifier():
        return f"no spaCy model in {name!r}: the folder must contain the meta.json of a spaCy model"
    return f"the parser model {name!r} is not installed: python -m spacy download {name}"


def _english_missing() -> str:
    return f"the English parser model is not installed: {install_hint('syntax')}"


@record
class SpacyTrees(CachedTrees):
    """Parses with a spaCy model."""

    def _run(self, sentences: Sequence[Sentence]) -> Iterator[Parse]:
        pipeline = _load_pipeline(self.model.name)
        for words in sentences:
            if (size := sum(map(len, words))) > pipeline.max_length:
                raise ResourceError(
                    f"a sentence of {size:,} characters is longer than the parser {self.model.name} accepts "
                    f"({pipeline.max_length:,}); it begins {' '.join(words[:8])[:60]!r}; split it, "
                    f"or give its tree with {argument('trees', 'FILE')}"
                )
        documents = [_as_document(pipeline, words) for words in sentences]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # spaCy's warnings are for developers
            yield from map(_as_parse, pipeline.pipe(documents))


@cache
def _load_pipeline(name: str) -> "Language":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as: trained with another minor version
        import spacy  # noqa: PLC0415 - takes seconds

        try:
            pipeline = spacy.load(name)
        except (OSError, ValueError, KeyError, ImportError) as error:  # spaCy's errors for a broken model
            reason = " ".join(str(error).split())[:120]
            raise ResourceError(
                f"the spaCy model {name!r} cannot be loaded ({reason}); install or save it again"
            ) from error
        for component in pipeline.pipe_names:
            if component not in COMPONENTS:
                pipeline.remove_pipe(component)
    if "parser" not in pipeline.pipe_names:
        raise ResourceError(f"the spaCy model {name!r} has no parser; choose one that lists 'parser'")
    return pipeline


def _as_document(pipeline: "Language", words: Sentence) -> "Doc":
    from spacy.tokens import Doc  # noqa: PLC0415

    document = Doc(pipeline.vocab, words=list(words))
    for token in document[1:]:
        token.is_sent_start = False  # a segment is one tree
    return document


def _as_parse(document: "Doc") -> Parse:
    heads = [-1 if token.head.i == token.i else token.head.i for token in document]
    root = heads.index(-1)
    return Parse(
        # Tokens that the parser did not attach, such as white space, are attached to the root.
        [root if head == -1 and i != root else head for i, head in enumerate(heads)],
        [token.lemma_ or token.text for token in document],
        [token.pos_ for token in document],
        [token.dep_ for token in document],
    )


_FILES = {
    "embedding": "emb/navec_news_v1_1B_250K_300d_100q.tar",
    "tags": "model/slovnet_morph_news_v1.tar",
    "heads": "model/slovnet_syntax_news_v1.tar",
}


@record
class NatashaTrees(CachedTrees):
    """Parses Russian with natasha. The lemma of a token is the token in lower case."""

    def _run(self, sentences: Sequence[Sentence]) -> Iterator[Parse]:
        tagger, parser = _load_models()
        texts = [list(words) for words in sentences]
        for words, tags, tree in zip(texts, tagger.map(texts), parser.map(texts), strict=True):
            yield Parse(
                untangle_heads([int(token.head_id) - 1 for token in tree.tokens]),
                [word.lower() for word in words],
                [token.pos for token in tags.tokens],
                [token.rel for token in tree.tokens],
            )


def find_natasha() -> Model:
    """Find the installed package.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    if importlib.util.find_spec(NATASHA) is None:
        raise MissingExtraError("the Russian parser natasha is not installed: pip install natasha")
    digest = sha256()
    for path in _model_files().values():
        digest.update(path.read_bytes())
    return Model(NATASHA, version(NATASHA), digest.hexdigest(), "ru")


def untangle_heads(heads: Sequence[int]) -> list[int]:
    """Turn heads that were predicted independently into a tree with one root (-1) and no cycles.

    The root is the first root, or the first token if there is none. All other roots and the first token of
    every cycle are attached to it.

    >>> untangle_heads([1, -1, -1, 4, 3])
    [1, -1, 1, 1, 3]
    """
    root = heads.index(-1) if -1 in heads else 0
    tree = [root if head in (-1, i) else head for i, head in enumerate(heads)]
    tree[root] = -1
    for start in range(len(tree)):
        if _is_in_cycle(tree, start):
            tree[start] = root
    return tree


def _is_in_cycle(tree: Sequence[int], start: int) -> bool:
    token = tree[start]
    for _ in tree:
        if token in (-1, start):
            break
        token = tree[token]
    return token == start


def _model_files() -> dict[str, Path]:
    spec = importlib.util.find_spec(NATASHA)
    folder = Path(spec.origin or "").parent / "data" if spec is not None else Path()
    return {name: folder / place for name, place in _FILES.items()}


@cache
def _load_models() -> tuple[Any, Any]:
    # natasha itself is not imported, because its morphological dictionary does not run on newer Pythons.
    from navec import Navec  # noqa: PLC0415 - an optional package
    from slovnet import Morph, Syntax  # noqa: PLC0415

    files = _model_files()
    embedding = Navec.load(files["embedding"])
    tagger, parser = Morph.load(files["tags"]), Syntax.load(files["heads"])
    tagger.navec(embedding)
    parser.navec(embedding)
    return tagger, parser
