"""From the name of a parser, or a language, to the parser."""

from tertium.files.cache import check_cache
from tertium.interfaces import Trees
from tertium.resources.trees.core_parser import load_core_parser
from tertium.resources.trees.natasha_parser import NatashaTrees, find_natasha
from tertium.resources.trees.parses import CachedTrees
from tertium.resources.trees.spacy_models import NATASHA, find_model, installed_models
from tertium.resources.trees.spacy_parser import SpacyTrees

# Names an installed spaCy model of the language, whichever package brings it.
SPACY = "spacy"


def load_parser(name: str | None = None, language: str | None = None) -> Trees:
    """Take the English parser in the package, a spaCy model, or natasha for Russian.

    Parameters
    ----------
    name
        A spaCy model by its package or folder, `spacy` for an installed one of the language, or `natasha`.
        Without a name, English is parsed by the package itself and other languages by what is installed.
    language
        The language of the text; None means English.

    Raises
    ------
    ResourceError
        If there is no such model, or the trees that it makes could not be kept.
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
