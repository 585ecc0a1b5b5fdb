"""From the name of a parser to the parser."""

from tertium.interfaces import Trees
from tertium.resources.trees.core_parser import load_core_parser
from tertium.resources.trees.spacy_models import find_model
from tertium.resources.trees.spacy_parser import SpacyTrees

__all__ = ["SPACY", "load_parser"]

# Names spaCy's small English model, whichever package brings it.
SPACY = "spacy"


def load_parser(name: str | None = None) -> Trees:
    """Take the English parser in the package, or a spaCy model.

    Parameters
    ----------
    name
        A spaCy model by its package or folder, or `spacy` for its small English one.
    """
    if name is None:
        return load_core_parser()
    return SpacyTrees(find_model(None if name == SPACY else name))
