"""What METEOR knows of the words of the golden pairs, and small resources by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from reference.golden import FOLDER
from tertium.kernels.meteor import make_phrase_table
from tertium.values import PhrasePairs

__all__ = ["GOLDEN_PARAPHRASES", "GOLDEN_WORDS", "HandParaphrases", "HandSynonyms", "HandWords"]


@dataclass(frozen=True)
class HandWords:
    """A few function words; no abbreviations but Mr and, before a number, No."""

    words: frozenset[str] = frozenset()
    identity: str = "by hand"

    def function_words(self, language: str) -> frozenset[str]:
        return self.words

    def abbreviations(self, language: str) -> tuple[frozenset[str], frozenset[str]]:
        return frozenset({"Mr"}), frozenset({"No"})


@dataclass(frozen=True)
class HandSynonyms:
    """Groups of words that mean the same."""

    groups: tuple[tuple[str, ...], ...] = ()
    identity: str = "by hand"
    language: str = "en"

    def synsets(self, words: Sequence[str]) -> list[Sequence[int]]:
        return [[i for i, group in enumerate(self.groups) if word in group] for word in words]


@dataclass(frozen=True)
class HandParaphrases:
    """Pairs of phrases."""

    pairs: tuple[tuple[str, str], ...] = field(default=())
    identity: str = "by hand"
    language: str | None = "en"

    def phrases(self) -> PhrasePairs:
        return make_phrase_table(self.pairs)


def _golden_words() -> frozenset[str]:
    lines = (FOLDER / "meteor" / "function_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("# ") for word in line.split())


def _golden_pairs() -> tuple[tuple[str, str], ...]:
    lines = (FOLDER / "meteor" / "paraphrases.txt").read_text(encoding="utf-8").splitlines()
    return tuple(zip(lines[1::3], lines[2::3], strict=True))


GOLDEN_WORDS = HandWords(_golden_words())
GOLDEN_PARAPHRASES = HandParaphrases(_golden_pairs())
