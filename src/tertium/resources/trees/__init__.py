"""Dependency trees from the parser in the package, a spaCy model, natasha, or CoNLL-U files."""

from tertium.files.cache import check_cache
from tertium.interfaces import Trees
from tertium.resources.trees.conllu import SuppliedTrees, load_trees, read_conllu, render_conllu
from tertium.resources.trees.core_parser import CoreTrees, load_core_parser
from tertium.resources.trees.installed_parsers import (
    NATASHA,
    NatashaTrees,
    SpacyTrees,
    find_model,
    find_natasha,
    installed_models,
)
from tertium.resources.trees.parses import CachedTrees

__all__ = [
    "CoreTrees",
    "SpacyTrees",
    "SuppliedTrees",
    "find_model",
    "load_core_parser",
    "load_parser",
    "load_trees",
    "read_conllu",
    "render_conllu",
]

# The name that chooses any installed spaCy model of the language.
SPACY = "spacy"


def load_parser(name: str | None = None, language: str | None = None) -> Trees:
    """Load the English parser in the package, a spaCy model, or natasha for Russian.

    Parameters
    ----------
    name
        A spaCy model by its package or folder, `spacy` for an installed model of the language, or `natasha`.
        By default, the parser in the package for English, and an installed model for other languages.
    language
        The language of the text; None means English.

    Raises
    ------
    ResourceError
        If there is no such model, or its trees could not be cached.
    """
    if name is None and language in (None, "en"):
        return load_core_parser()
    trees = _find_trees(name, language)
    check_cache(trees.cache_name)
    return trees


def _find_trees(name: str | None, language: str | None) -> CachedTrees:
    if name == NATASHA or (name is None and next(installed_models(language or ""), None) == NATASHA):
        return NatashaTrees(find_natasha())
    return SpacyTrees(find_model(None if name == SPACY else name, language))
