"""Search for installed spaCy models and natasha, without importing them."""

import importlib.util
import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path

from tertium.consent import check_consent
from tertium.errors import MissingExtraError, ResourceError, argument
from tertium.files.extras import install_hint
from tertium.files.overwriting import note_input
from tertium.files.paths import list_folder, show_path
from tertium.records import record
from tertium.text.languages import LANGUAGES, find_language

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


@record
class Model:
    """An installed model: its name in spaCy, version, checksum of its weights, and language."""

    name: str
    version: str
    checksum: str
    language: str | None = None

    @property
    def identity(self) -> str:
        return f"{self.name}-{self.version}[{self.checksum[:8]}]"


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
    inner = next((each for each in list_folder(folder) if each.name.endswith(f"-{version}")), folder)
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
