"""From the options that name resources to the catalogue's providers."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeVar

import click

from tertium.errors import ResourceError

__all__ = [
    "Providers",
    "given_language",
    "in_language",
    "named_resources",
    "resource_options",
    "resource_providers",
]

Providers = dict[type, Callable[[], Any]]
Command = TypeVar("Command", bound=Callable[..., Any])


def resource_options(command: Command) -> Command:
    """Add the options that name resources; every command that builds metrics takes the same ones."""
    for add in reversed(_OPTIONS):
        command = add(command)
    return command


_OPTIONS = (
    click.option("-l", "--language", metavar="LANG", help="Target language or pair (zh, de-en): chooses the tokenizer for zh, ja and ko, and is told to metrics that ask.  [default: what the language pair's name says, if there is one]"),
    click.option("--vectors", metavar="FILE", help="Word vectors for embedding metrics: a file, or 'contextual'.  [default: English, in the package]"),
    click.option("--parser", metavar="MODEL", help="spaCy model for metrics over trees: package, folder, or 'spacy' for its small English one.  [default: ours, English]"),
    click.option("--trees", multiple=True, metavar="FILE", help="CoNLL-U trees of the references (and of the systems, for metrics that parse both) instead of a parser."),
    click.option("--paraphrases", metavar="FILE", help="Paraphrase table in METEOR's format, plain or gzip.  [default: that of an installed pycocoevalcap]"),
    click.option("--function-words", metavar="FILE", help="Function words, separated by white space.  [default: METEOR's if pycocoevalcap is installed, else ours]"),
)  # fmt: skip


def resource_providers(given: dict[str, Any]) -> Providers:
    """Say how to make each resource for the text that `-l` describes."""
    return in_language(named_resources(given), given_language(given))


def given_language(given: dict[str, Any]) -> str | None:
    """The target language that `-l` names."""
    from tertium.text.languages import target_language

    return target_language(given["language"]) if given["language"] else None


def named_resources(given: dict[str, Any]) -> Providers:
    """Say how to make each resource that the user named; the others keep the catalogue's default."""
    from tertium.interfaces import Paraphrases, Trees, WordLists, WordVectors

    if given["parser"] and given["trees"]:
        raise click.UsageError("give either --parser or --trees, not both")
    makers: tuple[tuple[str, type, Callable[[Any], Any]], ...] = (
        ("parser", Trees, _parser),
        ("trees", Trees, _given_trees),
        ("vectors", WordVectors, _vectors),
        ("paraphrases", Paraphrases, _paraphrases),
        ("function_words", WordLists, _function_words),
    )
    return {kind: cache(partial(make, given[name])) for name, kind, make in makers if given[name]}


def in_language(providers: Providers, language: str | None) -> Providers:
    """Parse with the English model only what is English, or of no known language."""
    from tertium.interfaces import Trees

    return {Trees: cache(lambda: _default_parser(language)), **providers}


def _vectors(path_or_name: str) -> Any:
    from tertium.resources.vectors import load_vectors

    return load_vectors(path_or_name)


def _paraphrases(path: str) -> Any:
    from tertium.resources.words.paraphrases import load_paraphrases

    return load_paraphrases(path)


def _function_words(path: str) -> Any:
    from tertium.resources.words.word_lists import load_function_words

    return load_function_words(path)


def _given_trees(paths: tuple[str, ...]) -> Any:
    from tertium.resources.trees import load_trees

    return load_trees(*paths)


def _parser(name: str | None) -> Any:
    from tertium.resources.trees import load_parser

    return load_parser(name)


def _default_parser(language: str | None) -> Any:
    if language not in (None, "en"):
        raise ResourceError(
            f"no parser is known for the language {language!r}: give a spaCy model with --parser MODEL, "
            "or trees with --trees FILE (CoNLL-U)"
        )
    return _parser(None)
