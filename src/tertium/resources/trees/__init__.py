"""Dependency trees: from a spaCy model, or from CoNLL-U files that the user has."""

from tertium.resources.trees.conllu import read_conllu, render_conllu
from tertium.resources.trees.given import GivenTrees, load_trees
from tertium.resources.trees.spacy_models import find_model
from tertium.resources.trees.spacy_parser import SpacyTrees, load_parser

__all__ = [
    "GivenTrees",
    "SpacyTrees",
    "find_model",
    "load_parser",
    "load_trees",
    "read_conllu",
    "render_conllu",
]
