"""REDp: RED with stems, synonyms, paraphrases and function words.

Yu, Wu, Xie, Jiang, Liu & Lin (2014), RED: A Reference Dependency Based MT Evaluation Metric, Section 3.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError
from tertium.kernels.elementary import exp
from tertium.metrics.base import best_reference, keep_best
from tertium.metrics.options import option
from tertium.metrics.syntax._base import (
    DependencyNgramMetric,
    capitals_option,
    combine_orders,
    explain_ngrams,
    sum_by_order,
)
from tertium.metrics.word_alignment import MeteorAligner, WordAligningMetric, describe_matches
from tertium.records import record
from tertium.text import References, Texts
from tertium.text.languages import MatchKind
from tertium.values import (
    DependencyNgrams,
    Explanation,
    FloatArray,
    IdArray,
    OffsetArray,
    TokenColumn,
    WordAlignments,
)

_STRUCTURE = DependencyNgrams.KINDS.index("structure")
_UNMATCHED = -1
_EXACT = WordAlignments.KINDS.index("exact")
# A kind of match that the aligner treats as exact: equal in lower case only.
OTHER_CASE = len(WordAlignments.KINDS)


@record(eq=False)
class WordMatches:
    """For each token of the references, the matching hypothesis token (-1: none) and the kind of match."""

    places: IdArray
    kinds: IdArray


def word_matches(alignments: WordAlignments, offsets: OffsetArray) -> WordMatches:
    """Assign matches of single words to the tokens of the references."""
    pairs = np.repeat(np.arange(len(alignments)), np.diff(alignments.offsets))
    at = offsets[pairs] + alignments.matches[:, 0]
    places = np.full(offsets[-1], _UNMATCHED, dtype=np.int32)
    kinds = np.zeros(offsets[-1], dtype=np.int32)
    places[at] = alignments.matches[:, 2]
    kinds[at] = alignments.matches[:, 4]
    return WordMatches(places, kinds)


def mark_case_differences(
    matches: WordMatches, hypotheses: TokenColumn, references: TokenColumn, groups: OffsetArray
) -> WordMatches:
    """Change the kind of exact matches of words whose case differs to `OTHER_CASE`."""
    segments = np.repeat(np.arange(len(groups) - 1), np.diff(groups))
    begins = np.repeat(hypotheses.offsets[segments], references.lengths)
    exact = np.flatnonzero((matches.places != _UNMATCHED) & (matches.kinds == _EXACT))
    partners = hypotheses.ids[begins[exact] + matches.places[exact]]
    kinds = matches.kinds.copy()
    kinds[exact[partners != references.ids[exact]]] = OTHER_CASE
    return replace(matches, kinds=kinds)


def match_ngrams(ngrams: DependencyNgrams, matches: WordMatches, offsets: OffsetArray) -> FloatArray:
    """Score each n-gram by position: Formulas 2 and 4 with aligned instead of equal words.

    An n-gram matches if all its words are aligned in the same order; the words of a structure must also
    be contiguous.
    """
    scores = np.zeros(len(ngrams.kinds))
    for length in np.unique(ngrams.lengths):
        chosen = np.flatnonzero(ngrams.lengths == length)
        positions = _words_of(ngrams, chosen, int(length))
        places = matches.places[offsets[ngrams.texts[chosen], None] + positions]
        is_structure = ngrams.kinds[chosen] == _STRUCTURE
        holds = (places != _UNMATCHED).all(axis=1) & _keeps_order(positions, places)
        holds &= ~is_structure | (np.diff(places, axis=1) == 1).all(axis=1)
        scores[chosen] = np.where(holds, np.where(is_structure, 1.0, _nearness(positions, places)), 0.0)
    return scores


def mean_over_ngrams(ngrams: DependencyNgrams, offsets: OffsetArray, values: FloatArray) -> FloatArray:
    """Average a value of each token of the references over the words of each n-gram."""
    tokens = np.repeat(offsets[ngrams.texts], ngrams.lengths) + ngrams.positions
    return mean_over_spans(values[tokens], ngrams.starts[:-1], ngrams.lengths)


def mean_over_spans(values: FloatArray, begins: OffsetArray, lengths: OffsetArray) -> FloatArray:
    """Average each span of values; the result does not depend on values outside the span."""
    sums = np.zeros(len(begins))
    for i in range(int(lengths.max(initial=0))):
        inside = lengths > i
        sums[inside] += values[begins[inside] + i]
    return np.asarray(sums / lengths)


def _words_of(ngrams: DependencyNgrams, chosen: OffsetArray, length: int) -> IdArray:
    return np.asarray(ngrams.positions[ngrams.starts[chosen, None] + np.arange(length)])


def _keeps_order(positions: IdArray, places: IdArray) -> npt.NDArray[np.bool_]:
    kept = np.ones(len(positions), dtype=bool)
    for i in range(positions.shape[1]):
        for j in range(i):
            kept &= (positions[:, i] > positions[:, j]) == (places[:, i] > places[:, j])
    return kept


def _nearness(positions: IdArray, places: IdArray) -> FloatArray:
    """Compute exp(−Σ|dis_r − dis_h| / (n − 1)), which is 1 for a single word."""
    if positions.shape[1] == 1:
        return np.ones(len(positions))
    gaps = np.abs(np.abs(np.diff(positions, axis=1)) - np.abs(np.diff(places, axis=1)))
    return np.asarray(exp(-gaps.mean(axis=1)))


_ORDER = 3
_MODULES: tuple[MatchKind, ...] = ("exact", "stem", "synonym")
_GRID = tuple(i / 10 for i in range(11))


def _share(default: float, help: str) -> float:  # noqa: A002 - as `option` names it
    declared: float = option(default, help, at_least=0, at_most=1, grid=_GRID)
    return declared


@dataclass(frozen=True)
class REDp(WordAligningMetric, DependencyNgramMetric):
    """The weighted sum of F-scores over dependency n-grams of an aligned reference.

    The n-grams are RED's. METEOR's aligner matches words of the reference with words of the hypothesis, by
    equality, stem or synonym. An n-gram matches if all its words have matches in the same order, and adjacent ones
    if it is a structure. Its score is the score by position, as in RED, times the mean weight of the modules that
    matched its words (Formula 7), times the mean weight of its words, w_fun for a function word and 1 − w_fun for
    a content word (Formula 8).

    Paraphrases come from a second alignment, by paraphrases alone. A paraphrase that covers n words of the
    reference counts as an n-gram with the score w_par times Formula 8. Precision divides by the length of the
    hypothesis, recall by the n-grams and paraphrases of the reference. With several references the best one
    counts. The system score is the mean of the segment scores.

    Three defaults differ from the paper, all chosen on WMT10, 12, 14 and 15 (docs/which-metric.md); `redp@paper` has
    the paper's. In recall an n-gram counts as the weight of Formula 8, so that a reference with many function
    words does not score low; with `recall=plain` it counts as 1 (Formula 10). Pairs of words have weight 0.3
    instead of 0.5. Equal words whose case differs score a quarter less (`capitals`). The other defaults are the
    values that the authors tuned on WMT 2010.

    No n-gram gets the full score: a perfect translation scores about 80, and no translation scores above 100.
    Where the paper is silent, the decisions are RED's. English text is split into METEOR's tokens, for which the
    aligner was made, text in other languages into 13a's. Paraphrases need a table: the option `paraphrases`, or an
    installed pycocoevalcap.
    """

    paper: ClassVar[str] = "Yu, Wu, Xie, Jiang, Liu & Lin 2014"
    perfect_from: ClassVar[int | None] = None
    formula_options: ClassVar[frozenset[str]] = frozenset(
        {
            "alpha",
            "function",
            "exact",
            "stem",
            "synonym",
            "paraphrase",
            "one",
            "two",
            "three",
            "recall",
            "capitals",
        }
    )

    alpha: float = _share(0.9, "weight of recall relative to precision")
    function: float = _share(0.2, "w_fun, weight of function words; content words have weight 1 − w_fun")
    exact: float = _share(0.9, "weight of equal words")
    stem: float = _share(0.6, "weight of words with the same stem")
    synonym: float = _share(0.6, "weight of synonyms")
    paraphrase: float = _share(0.6, "weight of paraphrases")
    one: float = _share(0.6, "weight of single words")
    two: float = _share(0.3, "weight of n-grams of two words")
    three: float = _share(0.1, "weight of n-grams of three words")
    capitals: float = capitals_option(0.25, "an equal word")
    recall: Literal["weighed", "plain"] = option(
        "weighed",
        "count of an n-gram in recall: the mean weight of its words (weighed), or 1 as in the paper (plain)",
        key="recall",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.one + self.two + self.three > 0:
            raise OptionError("redp: the weights one, two and three are all 0; at least one must be above 0")

    @property
    def wants_paraphrases(self) -> bool:
        return self.paraphrase > 0

    def fit(self, references: References) -> Self:
        """Check that the trees match the references, and open the paraphrases before scoring begins."""
        if self.usable_paraphrases is not None:
            self.usable_paraphrases.phrases()
        return super().fit(references)

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Compute, for each reference: hypothesis length, n-grams and paraphrases by order, and their scores.

        The n-grams have two groups of columns: their number, and the summed shares of function words in them.
        Scores are ordered by module, then by kind of word (function, content), then by order. Equal words whose
        case differs are the second-last module, paraphrases the last.
        """
        words, tokens = self.words(hypotheses), self.words(references.texts)
        ngrams, functional = self.ngrams(references.texts), self._function_words(tokens, references)
        matches = self._match_words(self._align(words, tokens, references), hypotheses, references)
        scored = self._score_ngrams(ngrams, matches, tokens, functional)
        n_phrases, phrases = self._count_paraphrases(words, tokens, references, functional)
        by_order = [sum_by_order(ngrams, _ORDER, scores) for scores in scored]
        lengths = np.repeat(words.lengths, np.diff(references.offsets)).astype(np.float64)
        share = mean_over_ngrams(ngrams, tokens.offsets, functional)
        counts = sum_by_order(ngrams, _ORDER) + n_phrases
        shares = sum_by_order(ngrams, _ORDER, share) + phrases[0]
        # column-major, because `weigh` reads whole columns
        return np.asfortranarray(np.column_stack([lengths, counts, shares, *by_order, *phrases]))

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        """Compute, for each segment: score, 1, hypothesis length, matches and n-grams by order."""
        lengths, ngrams, shares, scored = np.split(counts, [1, 1 + _ORDER, 1 + 2 * _ORDER], axis=1)
        matches = np.zeros_like(ngrams)
        for i, weight in enumerate(self._match_weights()):
            if weight:
                matches += weight * scored[:, i * _ORDER : (i + 1) * _ORDER]
        scores = self._combine_orders(matches, self._weigh_ngrams(ngrams, shares), lengths[:, 0])
        rows = np.column_stack([scores, np.ones_like(scores), lengths, matches, ngrams])
        return keep_best(rows, groups)

    def combine(self, totals: FloatArray) -> FloatArray:
        return np.asarray(totals[..., 0] / np.maximum(totals[..., 1], 1.0))

    def ngrams(self, texts: Texts) -> DependencyNgrams:
        """Extract the dependency n-grams of a column of references, once."""
        return self.extract_ngrams(texts, _ORDER)

    def details(self, totals: FloatArray) -> dict[str, float | Sequence[float]]:
        return {
            "matches": totals[3 : 3 + _ORDER].tolist(),
            "ngrams": totals[3 + _ORDER :].tolist(),
            "hypothesis_length": float(totals[2]),
        }

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the tree of the best reference, the score of each of its n-grams, and the alignments."""
        fitted = self.fit(References([references]))
        column = References([[references[best_reference(fitted, hypothesis, references)]]])
        texts = Texts([hypothesis], column.vocabulary)
        words, tokens = fitted.words(texts), fitted.words(column.texts)
        found = fitted._align(words, tokens, column)  # noqa: SLF001
        phrases = fitted._align_phrases(words, tokens, column)  # noqa: SLF001
        ngrams, functional = fitted.ngrams(column.texts), fitted._function_words(tokens, column)  # noqa: SLF001
        matches = fitted._match_words(found, texts, column)  # noqa: SLF001
        parts = fitted._score_ngrams(ngrams, matches, tokens, functional)  # noqa: SLF001
        weights = self._match_weights()[: len(parts)]
        scored = np.sum([w * part for w, part in zip(weights, parts, strict=True)], axis=0)
        explanation = explain_ngrams(
            self.name,
            float(fitted.statistics(texts, column)[0, 0]),
            hypothesis=texts.tokens(self.tokenizer).words(0),
            reference=column.tokens(self.tokenizer).words(0),
            trees=fitted.parse(column.texts),
            ngrams=list(zip(ngrams.of(0), scored.tolist(), strict=True)),
        )
        steps = list(explanation.steps)
        titles = ("aligned words:", "paraphrases, aligned separately:")
        for title, alignments in zip(titles, (found, phrases), strict=True):
            lines = describe_matches(words.words(0), tokens.words(0), alignments)
            steps += [title, *(f"  {line}" for line in lines)]
        return replace(explanation, steps=steps)

    def _align(self, words: TokenColumn, tokens: TokenColumn, references: References) -> WordAlignments:
        aligner = MeteorAligner(_MODULES, self.language, self.usable_synonyms)
        return aligner.align(words, tokens, references)

    def _align_phrases(
        self, words: TokenColumn, tokens: TokenColumn, references: References
    ) -> WordAlignments:
        aligner = MeteorAligner(("paraphrase",), self.language, paraphrases=self.usable_paraphrases)
        return aligner.align(words, tokens, references)

    def _match_words(self, found: WordAlignments, hypotheses: Texts, references: References) -> WordMatches:
        """Find the match of each token of the references, and mark matches whose case differs."""
        written = self.cased_words(references.texts)
        matches = word_matches(found, written.offsets)
        return mark_case_differences(matches, self.cased_words(hypotheses), written, references.offsets)

    def _function_words(self, tokens: TokenColumn, references: References) -> FloatArray:
        """Return 1 for each reference token that is a function word, otherwise 0."""
        vocabulary = references.vocabulary
        known = [vocabulary.intern(word) for word in sorted(self.word_lists.function_words(self.language))]
        by_word = np.zeros(len(vocabulary))
        by_word[known] = 1.0
        return np.asarray(by_word[tokens.ids])

    def _score_ngrams(
        self, ngrams: DependencyNgrams, matches: WordMatches, tokens: TokenColumn, functional: FloatArray
    ) -> list[FloatArray]:
        """Compute the score of each n-gram by position, divided by module and kind of word (Formulas 7 and 8)."""
        scored = match_ngrams(ngrams, matches, tokens.offsets)
        share = mean_over_ngrams(ngrams, tokens.offsets, functional)
        modules = [
            scored * mean_over_ngrams(ngrams, tokens.offsets, (matches.kinds == kind).astype(np.float64))
            for kind in (*range(len(_MODULES)), OTHER_CASE)
        ]
        return [part * kind for part in modules for kind in (share, 1.0 - share)]

    def _count_paraphrases(
        self, words: TokenColumn, tokens: TokenColumn, references: References, functional: FloatArray
    ) -> tuple[FloatArray, list[FloatArray]]:
        """Count the paraphrases of each reference and order, and compute their scores by kind of word."""
        phrases = self._align_phrases(words, tokens, references)
        short = phrases.matches[:, 1] <= _ORDER
        pairs = np.repeat(np.arange(len(phrases)), np.diff(phrases.offsets))[short]
        begins, lengths = phrases.matches[short, 0], phrases.matches[short, 1]
        share = mean_over_spans(functional, tokens.offsets[pairs] + begins, lengths)
        cells = pairs * _ORDER + lengths - 1
        tables = [
            np.bincount(cells, credit, minlength=len(phrases) * _ORDER).astype(np.float64).reshape(-1, _ORDER)
            for credit in (np.ones_like(share), share, 1.0 - share)
        ]
        return tables[0], tables[1:]

    def _match_weights(self) -> list[float]:
        """List the weights of matches, by module and kind of word, in the order of the counts."""
        other_capitals = self.exact * (1.0 - self.capitals)
        modules = (self.exact, self.stem, self.synonym, other_capitals, self.paraphrase)
        return [module * kind for module in modules for kind in (self.function, 1.0 - self.function)]

    def _weigh_ngrams(self, ngrams: FloatArray, shares: FloatArray) -> FloatArray:
        """Compute the weighted numbers of n-grams in recall from their numbers and shares of function words."""
        if self.recall == "plain":
            return ngrams
        return self.function * shares + (1.0 - self.function) * (ngrams - shares)

    def _combine_orders(self, matches: FloatArray, ngrams: FloatArray, lengths: FloatArray) -> FloatArray:
        weights = np.array([self.one, self.two, self.three])
        return combine_orders(matches, ngrams, lengths, alpha=self.alpha, weights=weights)
