"""From the name of a parser, or a language, to the parser."""

from tertium.files.cache import check_cache
from tertium.interfaces import Trees
from tertium.resources.trees.core_parser import load_core_parser
from tertium.resources.trees.spacy_models import find_model
from tertium.resources.trees.spacy_parser import SpacyTrees

__all__ = ["SPACY", "load_parser"]

# Names an installed spaCy model of the language, whichever package brings it.
SPACY = "spacy"


def load_parser(name: str | None = None, language: str | None = None) -> Trees:
    """Take the English parser in the package, or a spaCy model.

    Parameters
    ----------
    name
        A spaCy model by its package or folder, or `spacy` for an installed one of the language. Without a name,
        English is parsed by the package itself and other languages by an installed spaCy model.
    language
        The language of the text; None means English.

    Raises
    ------
    ResourceError
        If there is no such model, or the trees that it makes could not be kept.
    """
    if name is None and language in (None, "en"):
        return load_core_parser()
    trees = SpacyTrees(find_model(None if name == SPACY else name, language))
    check_cache(trees.cache_name)
    return trees
