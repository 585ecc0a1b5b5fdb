"""Aligns hypotheses with references by equal words, stems, synonyms and paraphrases."""

from dataclasses import dataclass
from typing import TypeVar

from tertium.interfaces import Paraphrases, Synonyms
from tertium.kernels import align_texts
from tertium.metrics.meteor._word_classes import CodeTable, StemTable, SynsetTable
from tertium.text.columns import References
from tertium.text.meteor_settings import MatchKind
from tertium.types import Alignments, PhrasePairs, TokenColumn

__all__ = ["Aligner", "ChosenParaphrases", "MatchKind", "choose_paraphrases", "if_spoken"]

Resource = TypeVar("Resource", Synonyms, Paraphrases)


@dataclass(frozen=True)
class ChosenParaphrases:
    """The paraphrases that concern one test set: what is left of a large table."""

    identity: str
    language: str | None
    pairs: PhrasePairs

    def select(self, references: TokenColumn) -> PhrasePairs:  # noqa: ARG002 - they have been chosen
        return self.pairs


def choose_paraphrases(paraphrases: Paraphrases, references: TokenColumn) -> ChosenParaphrases:
    """Keep the pairs that can match a text against these references."""
    if isinstance(paraphrases, ChosenParaphrases):
        return paraphrases
    return ChosenParaphrases(paraphrases.identity, paraphrases.language, paraphrases.select(references))


def if_spoken(resource: Resource | None, language: str) -> Resource | None:
    """The resource, unless it is of another language."""
    return resource if resource is not None and resource.language in (None, language) else None


@dataclass(frozen=True)
class Aligner:
    """METEOR's aligner with a choice of match kinds.

    Among the possible matches it looks for the subset that covers most words, in the fewest chunks, by
    the beam search that METEOR 1.5 was observed to do. Like it, it compares words and stems by their hash.
    """

    kinds: tuple[MatchKind, ...]
    language: str = "en"
    synonyms: Synonyms | None = None
    paraphrases: Paraphrases | None = None
    beam: int = 40

    def align(self, hypotheses: TokenColumn, references: TokenColumn, column: References) -> Alignments:
        """Align every hypothesis with each of its references.

        Parameters
        ----------
        hypotheses, references
            The tokens of both sides, over the vocabulary of `column`.
        column
            The references to which `references` belongs; it remembers what is known of their words.
        """
        stems = synsets = None
        if "stem" in self.kinds:
            stems = self._stems(column).stems()
        if "synonym" in self.kinds and self.synonyms is not None:
            synsets = self._synsets(column, self.synonyms).synsets()
        return align_texts(
            hypotheses,
            references,
            column.offsets,
            kinds=[kind for kind in self.kinds if kind != "synonym" or synsets is not None],
            codes=self._codes(column).codes(),
            stems=stems,
            synsets=synsets,
            phrases=self._phrases(references),
            beam=self.beam,
        )

    def _codes(self, column: References) -> CodeTable:
        return column.texts.remember("word codes", lambda: CodeTable(column.vocabulary))

    def _stems(self, column: References) -> StemTable:
        key = ("stems", self.language)
        return column.texts.remember(key, lambda: StemTable(column.vocabulary, self.language))

    def _synsets(self, column: References, synonyms: Synonyms) -> SynsetTable:
        key = ("synsets", synonyms.identity)
        return column.texts.remember(key, lambda: SynsetTable(column.vocabulary, synonyms))

    def _phrases(self, references: TokenColumn) -> PhrasePairs | None:
        if "paraphrase" not in self.kinds or self.paraphrases is None:
            return None
        return self.paraphrases.select(references)
