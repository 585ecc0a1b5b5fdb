"""The resources installed for each language, and how to install missing ones; no large package is imported."""

import importlib.util
from collections.abc import Mapping
from typing import Literal

from tertium.errors import argument
from tertium.files.extras import install_hint
from tertium.records import record
from tertium.resources.trees.installed_parsers import installed_models
from tertium.resources.word_lists import find_in_package
from tertium.text.languages import LANGUAGES, LanguageRow
from tertium.text.tokenizers import TOKENIZERS

Family = Literal["lexical", "embedding", "meteor", "syntax"]

_PARAPHRASES = "data/paraphrase-en.gz"
_JAR = "meteor-1.5.jar"
_ENGLISH = "en"


@record
class LanguageResource:
    """A resource for a language.

    Parameters
    ----------
    value
        The name of the resource in use; None if there is none.
    remedy
        How to get the resource or a better one; empty if that is not necessary.
    """

    value: str | None
    remedy: str = ""

    @property
    def works(self) -> bool:
        return self.value is not None


@record
class LanguageReport:
    """The resources for one language on this machine."""

    code: str
    name: str
    tokenizer: LanguageResource
    stems: LanguageResource
    synonyms: LanguageResource
    paraphrases: LanguageResource
    function_words: LanguageResource
    parser: LanguageResource
    vectors: LanguageResource
    meteor: LanguageResource

    @property
    def families(self) -> Mapping[Family, LanguageResource]:
        """The resource that each family of metrics needs for this language."""
        return {
            "lexical": self.tokenizer,
            "embedding": self.vectors if self.tokenizer.works else self.tokenizer,
            "meteor": self.meteor,
            "syntax": self.parser,
        }


def describe_languages() -> list[LanguageReport]:
    """Describe the resources of all languages."""
    return [_describe(row) for row in LANGUAGES.values()]


def _describe(row: LanguageRow) -> LanguageReport:
    return LanguageReport(
        code=row.code,
        name=row.name,
        tokenizer=_tokenizer(row),
        stems=LanguageResource(None if row.stemmer is None else f"snowball {row.stemmer}"),
        synonyms=_synonyms(row),
        paraphrases=_paraphrases(row),
        function_words=_function_words(row),
        parser=_parser(row),
        vectors=_vectors(row),
        meteor=LanguageResource(None if row.meteor is None else "/".join(row.meteor.modules)),
    )


def _tokenizer(row: LanguageRow) -> LanguageResource:
    tokenizer = TOKENIZERS[row.tokenizer]
    return (
        LanguageResource(row.tokenizer)
        if tokenizer.is_installed
        else LanguageResource(None, tokenizer.remedy)
    )


def _synonyms(row: LanguageRow) -> LanguageResource:
    if row.code == _ENGLISH:
        return LanguageResource("wordnet 3.0")
    file = argument("synonyms", "FILE")
    return LanguageResource(None, f"{file} (MyThes format, as in Debian's mythes packages)")


def _paraphrases(row: LanguageRow) -> LanguageResource:
    if row.code != _ENGLISH:
        return LanguageResource(None, f"{argument('paraphrases', 'FILE')} (METEOR's format)")
    if find_in_package(_PARAPHRASES) is None:
        return LanguageResource(None, f"{install_hint('meteor')}, or {argument('paraphrases', 'FILE')}")
    return LanguageResource("pycocoevalcap")


def _function_words(row: LanguageRow) -> LanguageResource:
    has_package = find_in_package(_JAR) is not None
    if "pycocoevalcap" in row.word_lists and has_package:
        return LanguageResource("pycocoevalcap")
    has_list = "pycocoevalcap" in row.word_lists
    remedy = install_hint("meteor") if has_list else argument("function_words", "FILE")
    return LanguageResource("bundled" if "bundled" in row.word_lists else None, remedy)


def _parser(row: LanguageRow) -> LanguageResource:
    if row.code == _ENGLISH:
        return LanguageResource("english")  # the parser in the package
    if (model := next(installed_models(row.code), None)) is not None:
        return LanguageResource(model)
    trees = f"{argument('trees', 'FILE')} (CoNLL-U)"
    if not row.parsers:
        return LanguageResource(None, trees)
    needs_spacy = row.parser_install.startswith("python") and not importlib.util.find_spec("spacy")
    spacy = "pip install spacy; " if needs_spacy else ""
    return LanguageResource(None, f"{spacy}{row.parser_install}, or {trees}")


def _vectors(row: LanguageRow) -> LanguageResource:
    return LanguageResource(row.vectors, "" if row.vectors else argument("vectors", "FILE"))
