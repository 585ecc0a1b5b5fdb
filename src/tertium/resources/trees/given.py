"""Trees that the user gives as CoNLL-U files, fitted to the text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from tertium.errors import ResourceError
from tertium.resources.trees.conllu import Sentence, read_conllu
from tertium.resources.trees.parses import EMPTY, Parse, make_column
from tertium.types import TokenColumn, TreeColumn

__all__ = ["GivenTrees", "load_trees"]

Words = tuple[str, ...]


@dataclass(frozen=True)
class GivenTrees:
    """Trees from files. A text gets the tree of the sentence that has the same words.

    When the words of a single file differ from the text's (another parser's brackets or quotation
    marks), its sentences are taken in the references' order, and must be as many and as long as they;
    letters and digits must be the same, upper and lower case aside.
    A sentence that occurs twice has its first tree. A whole file has the references' sentences and
    no others; one that is not `whole` may have more.
    """

    paths: tuple[str, ...]
    identity: str
    whole: bool = True
    sentences: tuple[Sentence, ...] = field(default=(), repr=False, compare=False)
    by_words: Mapping[Words, Parse] = field(default_factory=dict, repr=False, compare=False)

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Look up every text's tree."""
        return make_column([self._find(tuple(tokens.words(i))) for i in range(len(tokens))])

    def align(self, references: TokenColumn) -> "GivenTrees":
        """Return trees that fit these references.

        Raises
        ------
        ResourceError
            If a file has more or fewer sentences than the references, or one has other tokens.
        """
        texts = [words for i in range(len(references)) if (words := tuple(references.words(i)))]
        if len(self.paths) == 1 and self.whole:
            self._check_count(texts)
        if len(self.paths) > 1 or all(words in self.by_words for words in texts):
            return self
        if len(self.sentences) != len(texts):
            return self  # parse() names the first text without a tree
        _check_words(self.sentences, texts)
        by_order = {
            words: each.parse for words, each in zip(reversed(texts), reversed(self.sentences), strict=True)
        }
        return replace(self, by_words={**self.by_words, **by_order})

    def _check_count(self, texts: Sequence[Words]) -> None:
        if len(self.sentences) != len(texts):
            first = _first_difference(self.sentences, texts)
            raise ResourceError(
                f"{self.paths[0]} has {len(self.sentences):,} sentences but the references have "
                f"{len(texts):,} that are not empty (first difference: sentence {first:,})"
            )

    def _find(self, words: Words) -> Parse:
        if not words:
            return EMPTY
        if words in self.by_words:
            return self.by_words[words]
        raise ResourceError(
            f"{', '.join(self.paths)}: no tree over the tokens {_quote(words)}; trees must be over the "
            "metric's own tokens ('tertium parse' writes them; red, redp: --tokenizer meteor), and a metric that compares trees also "
            "needs those of the systems' outputs (--trees once more)"
        )


def load_trees(*paths: str, whole: bool = True) -> GivenTrees:
    """Read CoNLL-U files: the references' trees, and where a metric wants them the systems'."""
    sentences = tuple(sentence for path in paths for sentence in read_conllu(path))
    digest = sha256()
    for each in sentences:
        digest.update(repr((each.words, each.parse)).encode())
    by_words = {each.words: each.parse for each in reversed(sentences)}
    identity = f"conllu[{digest.hexdigest()[:8]}]"
    return GivenTrees(tuple(paths), identity, whole, sentences, by_words)


def _check_words(sentences: Sequence[Sentence], texts: Sequence[Words]) -> None:
    for each, words in zip(sentences, texts, strict=True):
        if len(each.words) != len(words):
            raise ResourceError(
                f"{each.place}: {len(each.words)} tokens but the reference has {len(words)}: "
                f"{_quote(words)}; 'tertium parse' writes trees over the metric's tokens (red, redp: --tokenizer meteor)"
            )
        for number, (theirs, ours) in enumerate(zip(each.words, words, strict=True), start=1):
            if _letters(ours) and _letters(theirs) != _letters(ours):
                raise ResourceError(
                    f"{each.place}: token {number} is {theirs!r} but the reference has {ours!r}: "
                    f"{_quote(words)}; 'tertium parse' writes trees over the metric's tokens (red, redp: --tokenizer meteor)"
                )


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word)).casefold()


def _first_difference(sentences: Sequence[Sentence], texts: Sequence[Words]) -> int:
    shorter = min(len(sentences), len(texts))
    differing = (i + 1 for i in range(shorter) if len(sentences[i].words) != len(texts[i]))
    return next(differing, shorter + 1)


def _quote(words: Words) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= 60 else text[:57] + "...")
