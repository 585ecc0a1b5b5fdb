"""The base classes of metrics over dependency trees, their F-score, and explanations by trees."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from tertium.errors import OptionError, argument
from tertium.interfaces import Trees, known_languages
from tertium.kernels.syntax import extract_dependency_ngrams
from tertium.metrics.base import Metric
from tertium.metrics.options import Option, lowercase_option, option, tokenizer_option
from tertium.text import References, Texts
from tertium.text.columns import lower_tokens
from tertium.text.languages import DEFAULT_TOKENIZER
from tertium.text.tokenizers import METEOR
from tertium.values import DependencyNgrams, Explanation, FloatArray, TokenColumn, TreeColumn


@dataclass(frozen=True)
class ParsedTextMetric(Metric):
    """A metric over trees. Text is parsed with its capitals, and words are matched in lower case."""

    takes_best_reference: ClassVar[bool] = True
    fit_saves_work: ClassVar[bool] = True  # it only checks whole files; a text without a tree raises anyway

    trees: Trees = option(
        None,
        "dependency trees, from a parser or from CoNLL-U files, which are matched by the words of a sentence: a repeated"
        " sentence gets its first tree",
        key="trees",
    )
    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=True)

    def fit(self, references: References) -> Self:
        """Check that the trees match the references."""
        matched = self.trees.match_to(references.tokens(self.tokenizer))
        return self if matched is self.trees else replace(self, trees=matched)

    def words(self, texts: Texts) -> TokenColumn:
        """Tokenise texts into the words that are matched."""
        return lower_tokens(texts, self.tokenizer) if self.lowercase else texts.tokens(self.tokenizer)

    def parse(self, texts: Texts) -> TreeColumn:
        """Parse a column once; its trees have the same offsets as its words."""
        key = ("trees", self.trees.identity, self.tokenizer)
        return texts.remember(key, lambda: self.trees.parse(texts.tokens(self.tokenizer)))


@dataclass(frozen=True)
class DependencyNgramMetric(ParsedTextMetric):
    """A metric over dependency n-grams of the references: RED and REDp.

    English text is split into METEOR's tokens, text in other languages into 13a's. Words match regardless of case,
    but words whose case differs score less, unless `lowercase` is set.
    """

    tokenizer: str = tokenizer_option(METEOR, outside_english=DEFAULT_TOKENIZER)
    lowercase: bool = lowercase_option(default=False)
    language: str = option("en", "language of the text, which selects the tokenizer", key="lang")

    def __post_init__(self) -> None:
        if self.tokenizer is None:
            object.__setattr__(self, "tokenizer", self._usual_tokenizer())
        super().__post_init__()
        known = known_languages(self.trees)
        if known is not None and self.language not in known:
            raise OptionError(
                f"{self.name}: the parser supports {', '.join(sorted(known))}, but language is {self.language!r};"
                f" pass {argument('language', self.language)}, which also selects a parser"
            )

    def usual(self, option: Option) -> Any:
        return self._usual_tokenizer() if option.name == "tokenizer" else super().usual(option)

    def _usual_tokenizer(self) -> str:
        """Return METEOR's tokenizer for English, where its human agreement is higher, otherwise 13a."""
        return METEOR if self.language == "en" else DEFAULT_TOKENIZER

    def words(self, texts: Texts) -> TokenColumn:
        """Tokenise texts into lower-cased words, which are matched first."""
        return lower_tokens(texts, self.tokenizer)

    def cased_words(self, texts: Texts) -> TokenColumn:
        """Tokenise texts into words with their capitals, or into lower-cased words if case is ignored."""
        return self.words(texts) if self.lowercase else texts.tokens(self.tokenizer)

    def extract_ngrams(self, texts: Texts, order: int) -> DependencyNgrams:
        """Extract the dependency n-grams of a column of references, once."""
        key = ("dependency n-grams", self.trees.identity, self.tokenizer, order)
        return texts.remember(key, lambda: extract_dependency_ngrams(self.parse(texts), order=order))


def capitals_option(default: float, unit: str) -> Any:
    """Declare the penalty for a difference in case.

    It has no grid, so that a search over the paper's parameters leaves it unchanged unless it is named.
    """
    help_text = f"share of its score that {unit} loses if case differs; 0 ignores case, as `lowercase` does"
    return option(default, help_text, at_least=0, at_most=1)


ScoredNgram = tuple[tuple[str, tuple[int, ...]], float]

_JOINTS = {"word": " ", "chain": " > ", "structure": " "}


def explain_ngrams(
    metric: str,
    score: float,
    *,
    hypothesis: Sequence[str],
    reference: Sequence[str],
    trees: TreeColumn,
    ngrams: Sequence[ScoredNgram],
) -> Explanation:
    """Explain dependency n-grams: the tree, then the n-grams of several words that match and that do not."""
    kept = {positions[0] for (kind, positions), value in ngrams if kind == "word" and value > 0}
    longer = [(kind, positions, value) for (kind, positions), value in ngrams if kind != "word"]
    steps = [
        "reference tree (+ marks words with a match):",
        *_render_tree(reference, trees, 0, kept),
        "matched:",
        *(_line(kind, at, reference, value) for kind, at, value in longer if value > 0),
        "not matched:",
        *(_line(kind, at, reference, value) for kind, at, value in longer if value == 0),
    ]
    return Explanation(
        metric,
        hypothesis,
        reference,
        score,
        steps=steps,
        facts=_facts(ngrams),
        heads=_heads(trees, 0),
        ngrams=[(kind, tuple(at), float(value)) for (kind, at), value in ngrams],
    )


def explain_chains(
    metric: str, score: float, tokens: TokenColumn, words: TokenColumn, trees: TreeColumn, *, order: int
) -> Explanation:
    """Explain headword chains: both trees and the chains that they share; text 0 is the hypothesis."""
    chains = [_chains(words.words(i), _heads(trees, i), order) for i in (0, 1)]
    shared = chains[0] & chains[1]
    known = {chain[0] for chain in shared if len(chain) == 1}
    shown = [tokens.words(i) for i in (0, 1)]
    steps: list[str] = []
    for i, title in enumerate(("hypothesis", "reference")):
        marked = {at for at, word in enumerate(words.words(i)) if word in known}
        steps += [f"{title} tree (+ marks words of both):", *_render_tree(shown[i], trees, i, marked)]
    steps.append("shared chains:")
    steps += [f"  {' > '.join(chain)}" + (f" ({n} times)" if n > 1 else "") for chain, n in shared.items()]
    facts: dict[str, float | str] = {}
    for n in range(1, order + 1):
        facts[f"shared chains of {n}"] = float(sum(v for chain, v in shared.items() if len(chain) == n))
        facts[f"hypothesis chains of {n}"] = float(
            sum(v for chain, v in chains[0].items() if len(chain) == n)
        )
    heads = _heads(trees, 1)
    ngrams = _find_shared(words.words(1), heads, shared)
    return Explanation(
        metric, shown[0], shown[1], score, steps=steps, facts=facts, heads=heads, ngrams=ngrams
    )


def _find_shared(
    words: Sequence[str], heads: Sequence[int], shared: Collection[tuple[str, ...]]
) -> list[tuple[str, tuple[int, ...], float]]:
    """List the words and the arcs of a tree, with 1 for words and arcs that the other tree also has."""
    single = [("word", (at,), float((word,) in shared)) for at, word in enumerate(words)]
    pairs = [(head, at) for at, head in enumerate(heads) if head != -1]
    return single + [("chain", pair, float((words[pair[0]], words[pair[1]]) in shared)) for pair in pairs]


def _chains(words: Sequence[str], heads: Sequence[int], order: int) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for bottom in range(len(words)):
        path: tuple[str, ...] = ()
        at = bottom
        while at != -1 and len(path) < order:
            path = (words[at], *path)
            found[path] += 1
            at = heads[at]
    return found


def _heads(trees: TreeColumn, i: int) -> list[int]:
    heads: list[int] = trees.heads[trees.offsets[i] : trees.offsets[i + 1]].tolist()
    return heads


def _render_tree(words: Sequence[str], trees: TreeColumn, i: int, marked: set[int]) -> Iterator[str]:
    """Render the tree of text i: one word per line, indented below its head."""
    children: dict[int, list[int]] = {}
    for word, head in enumerate(_heads(trees, i)):
        children.setdefault(head, []).append(word)
    waiting = [(word, 1) for word in reversed(children.get(-1, []))]
    while waiting:
        word, depth = waiting.pop()
        relation = trees.relations[int(trees.offsets[i]) + word] or "dep"
        mark = "+" if word in marked else "-"
        yield f"{'  ' * depth}{mark} {words[word]} ({relation}, {word + 1})"
        waiting += [(child, depth + 1) for child in reversed(children.get(word, []))]


def _line(kind: str, positions: tuple[int, ...], words: Sequence[str], value: float) -> str:
    return f"  {kind} {_JOINTS[kind].join(words[at] for at in positions)}: {value:.3f}"


def _facts(ngrams: Sequence[ScoredNgram]) -> dict[str, float | str]:
    facts: dict[str, float | str] = {}
    for kind in ("word", "chain", "structure"):
        values = [value for (found, _), value in ngrams if found == kind]
        facts[f"{kind}s"] = float(len(values))
        facts[f"{kind}s matched"] = sum(values)
    return facts


# The F-scores of RED and REDp: precision divides by words, recall by n-grams (Yu et al. 2014, Formulas 5 and 6).


def sum_by_order(ngrams: DependencyNgrams, order: int, scores: FloatArray | None = None) -> FloatArray:
    """Sum the scores of n-grams, or count the n-grams, per text and length: an (n, order) array."""
    bins = ngrams.texts * order + ngrams.lengths - 1
    return np.bincount(bins, scores, minlength=len(ngrams) * order).astype(np.float64).reshape(-1, order)


def combine_orders(
    matches: FloatArray, counts: FloatArray, lengths: FloatArray, *, alpha: float, weights: FloatArray
) -> FloatArray:
    """Compute 100 · Σ w_n F_n, where F = P·R / (α·P + (1 − α)·R).

    Orders without n-grams in the reference are left out, and the other weights are rescaled. If there is no
    n-gram at all, the score is 100 for an empty hypothesis and 0 for any other.

    Parameters
    ----------
    matches, counts
        Per order (..., N): the summed scores of n-grams, and the number of n-grams of the reference.
    lengths
        The lengths of the hypotheses (...).
    """
    # With M the matches, P = M / length and R = M / count: F = M / (α·count + (1 − α)·length).
    sizes = alpha * counts + (1.0 - alpha) * lengths[..., None]
    f_scores = np.where(matches > 0, matches / np.where(sizes > 0, sizes, 1.0), 0.0)
    present = np.where(counts > 0, weights, 0.0)
    share = present.sum(axis=-1)
    mean = (present * f_scores).sum(axis=-1) / np.where(share > 0, share, 1.0)
    empty = np.where(lengths > 0, 0.0, 100.0)
    return np.where(share > 0, 100.0 * weights.sum() * mean, empty)
