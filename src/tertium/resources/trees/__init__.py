"""Dependency trees from the parser in the package, a spaCy model, natasha, or CoNLL-U files."""

from tertium.resources.trees.conllu import SuppliedTrees, load_trees, read_conllu, render_conllu
from tertium.resources.trees.core_parser import CoreTrees, load_core_parser
from tertium.resources.trees.loading import load_parser
from tertium.resources.trees.spacy_models import find_model
from tertium.resources.trees.spacy_parser import SpacyTrees

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
