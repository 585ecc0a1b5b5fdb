"""METEOR 1.5: words aligned by equality, stem, synonym or paraphrase, with a penalty for fragmentation.

Denkowski & Lavie (2014), Meteor Universal: Language Specific Translation Evaluation for Any Target Language.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from tertium.errors import OptionError, ResourceError, UnknownNameError, argument
from tertium.files.extras import install_hint
from tertium.interfaces import WordLists
from tertium.kernels.elementary import power
from tertium.kernels.strings import tokenize_meteor
from tertium.metrics.base import best_reference, keep_best
from tertium.metrics.options import option
from tertium.metrics.word_alignment import MeteorAligner, WordAligningMetric, describe_matches
from tertium.text import References, Texts
from tertium.text.languages import LANGUAGES, METEOR_LANGUAGES, MatchKind, MeteorParameters, find_language
from tertium.values import Explanation, FloatArray, OffsetArray, TokenColumn, WordAlignments


def _links(found: WordAlignments) -> list[tuple[int, int, str]]:
    """List the hypothesis word, reference word and kind of each link; a phrase links all its words."""
    return [
        (h + i, r + j, found.KINDS[kind])
        for r, r_length, h, h_length, kind in found.of(0).tolist()
        for i in range(h_length)
        for j in range(r_length)
    ]


def explain_word_alignment(
    metric: str, score: float, hypothesis: Sequence[str], reference: Sequence[str], found: WordAlignments
) -> Explanation:
    """Explain the alignment of one pair: each match with its kind, then the words without a match."""
    links = _links(found)
    facts: dict[str, float | str] = {"chunks": float(found.chunks[0])}
    for kind in found.KINDS:
        facts[f"{kind} matches"] = float(sum(found.KINDS[k] == kind for k in found.of(0)[:, 4]))
    steps = [
        *describe_matches(hypothesis, reference, found),
        _left_over("hypothesis", hypothesis, {h for h, _, _ in links}),
        _left_over("reference", reference, {r for _, r, _ in links}),
    ]
    return Explanation(metric, hypothesis, reference, score, links=links, steps=steps, facts=facts)


def _left_over(side: str, words: Sequence[str], used: set[int]) -> str:
    rest = [f"{word} ({at + 1})" for at, word in enumerate(words) if at not in used]
    return f"without a match in the {side}: {', '.join(rest) or 'none'}"


Task = Literal["rank", "adq", "hter", "li", "tune"]

_KINDS = WordAlignments.KINDS


# METEOR's language-independent parameters.
_ANY_LANGUAGE = {
    "li": MeteorParameters(0.75, 1.4, 0.7, 0.5, (1.0, 0.5, 0.5, 0.5)),
    "tune": MeteorParameters(0.5, 1.0, 0.5, 0.5, (1.0, 0.5, 0.5, 0.5)),
}


def published_modules(language: str) -> tuple[MatchKind, ...]:
    """Return the modules that METEOR 1.5 has for a language."""
    settings = LANGUAGES[language].meteor
    return () if settings is None else settings.modules


def add_synonyms(modules: tuple[MatchKind, ...]) -> tuple[MatchKind, ...]:
    """Insert the synonym module in its place if METEOR does not have it for the language."""
    if "synonym" in modules:
        return modules
    place = _place_of_synonyms(modules)
    return (*modules[:place], "synonym", *modules[place:])


def weigh_synonyms(parameters: MeteorParameters, modules: tuple[MatchKind, ...]) -> MeteorParameters:
    """Add METEOR's language-independent weight for the synonym module that `add_synonyms` inserts."""
    if "synonym" in modules:
        return parameters
    place, weights = _place_of_synonyms(modules), parameters.weights
    weight = _ANY_LANGUAGE["li"].weights[_KINDS.index("synonym")]
    return replace(parameters, weights=(*weights[:place], weight, *weights[place:]))


def _place_of_synonyms(modules: tuple[MatchKind, ...]) -> int:
    return sum(_KINDS.index(kind) < _KINDS.index("synonym") for kind in modules)


def published_parameters(language: str, task: Task) -> MeteorParameters | None:
    """Look up METEOR 1.5's parameters; a language without tuned parameters for ranking has the universal ones."""
    if task in _ANY_LANGUAGE:
        return _ANY_LANGUAGE[task]
    known: MeteorParameters | None = getattr(LANGUAGES[language].meteor, task)
    return _ANY_LANGUAGE["li"] if known is None and task == "rank" else known


def combine_meteor(totals: FloatArray, parameters: MeteorParameters, weights: FloatArray) -> FloatArray:
    """Compute 100 · (1 − γ·(chunks / matches)^β) · P·R / (α·P + (1 − α)·R).

    `weights` has one entry per kind of match. The score is zero if there is no match.
    """
    precision, recall, penalty = meteor_parts(totals, parameters, weights)
    mixed = parameters.alpha * precision + (1.0 - parameters.alpha) * recall
    mean = precision * recall / np.where(mixed > 0, mixed, 1.0)
    return np.asarray(100.0 * mean * (1.0 - penalty))


def meteor_parts(
    totals: FloatArray, parameters: MeteorParameters, weights: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Compute weighted precision, weighted recall and the penalty for chunks."""
    delta = parameters.delta
    matches = totals[..., 4:-3].reshape(*totals.shape[:-1], len(_KINDS), 2, 2)
    # Content words count δ, function words 1 − δ; the last axis is hypothesis and reference.
    weighted = delta * matches[..., 0, :] + (1.0 - delta) * matches[..., 1, :]
    lengths = delta * (totals[..., :2] - totals[..., 2:4]) + (1.0 - delta) * totals[..., 2:4]
    sums = (weights[:, None] * weighted).sum(axis=-2)
    precision, recall = np.moveaxis(sums / np.where(lengths > 0, lengths, 1.0), -1, 0)
    matched = totals[..., -2:].sum(axis=-1) / 2.0
    fragmentation = totals[..., -3] / np.where(matched > 0, matched, 1.0)
    penalty = np.where(fragmentation > 0, parameters.gamma * power(fragmentation, parameters.beta), 0.0)
    return precision, recall, penalty


def meteor_tokens(texts: Texts, language: str, words: WordLists, *, normalize: bool = True) -> TokenColumn:
    """Tokenise texts as METEOR 1.5 does with `-norm`; without `normalize`, as with `-lower`."""
    if not normalize:
        return texts.tokens("none", lowercase=True)
    key = ("meteor tokens", language, words.identity)
    return texts.remember(key, lambda: _normalize(texts, language, words))


def _normalize(texts: Texts, language: str, words: WordLists) -> TokenColumn:
    row = find_language(language)
    return tokenize_meteor(
        texts.column(),
        texts.vocabulary,
        abbreviations=words.abbreviations(language),
        apostrophes="alone" if row is None else row.apostrophes,
        lowercase=True,
    )


@dataclass(frozen=True)
class METEOR(WordAligningMetric):
    """The weighted harmonic mean of precision and recall of aligned words, with a penalty for fragmentation.

    Words match if they are equal, have the same stem (Snowball), are synonyms (WordNet 3.0), or belong to phrases
    that are paraphrases. Each of these modules has a weight; content words have weight δ and function words 1 − δ.
    The alignment is the result of METEOR 1.5's beam search. With several references the best one counts. The
    system score is computed from statistics summed over all segments. Scores equal METEOR 1.5's with
    `-l LANGUAGE -norm -t TASK`.

    Two parts of METEOR's distribution are not in this package; they are used if `pycocoevalcap` is installed. One
    is the paraphrase table: without it the score is that of `-m "exact stem synonym"`; the option `paraphrases`
    names another table. The other part is the lists of function words and abbreviations: without them, our own
    English lists are used, and scores are similar but not equal. The signature names the resources that were used.
    A thesaurus in MyThes format adds the synonym module to other languages, which METEOR has for English only; its
    weight is METEOR's language-independent one, 0.5.

    METEOR uses its English function words for every language, and so does this metric. It has normalisation rules
    for cs, de, en, es, fr and ru; other languages use the German ones. With `normalize=no` text is split at
    spaces, as METEOR does with `-lower`. As in METEOR, weights are assigned to modules by their order.

    Unexpected properties of METEOR's alignments are kept:

    * If words can be matched in several ways, a match of two single words by stem, synonym or paraphrase does not
      count in the choice, and is often left out.
    * Words and stems are compared by 32-bit hashes, so that a few different words count as equal (French n' and
      le, English f1 and do).
    * WordNet's synsets are compared by their position in its files, regardless of the part of speech.
    * Stems are those of the Snowball version of that time.

    A segment whose alignment would need more than 4 gigabytes raises an error: the same word more than 2,500
    times, or more than about 10,000 words of normal text.
    """

    fit_saves_work: ClassVar[bool] = True
    paper: ClassVar[str] = "Denkowski & Lavie 2014"
    takes_best_reference: ClassVar[bool] = True
    formula_options: ClassVar[frozenset[str]] = frozenset(
        {"task", "weights", "alpha", "beta", "gamma", "delta"}
    )

    word_lists: WordLists = option(None, "function words and abbreviations", key="words")
    language: str = option("en", f"language of the text: {', '.join(METEOR_LANGUAGES)}", key="lang")
    task: Task = option("rank", "kind of judgments that METEOR's parameters were tuned on", key="task")
    modules: tuple[MatchKind, ...] | None = option(
        None, "kinds of matches (none: all that the language and the resources support)"
    )
    weights: tuple[float, ...] | None = option(
        None, "weights of the modules, in their order (none: those of the task)", at_least=0, at_most=1
    )
    alpha: float | None = option(
        None,
        "weight of recall relative to precision",
        at_least=0,
        at_most=1,
        grid=(0.5, 0.65, 0.75, 0.85, 0.95),
    )
    beta: float | None = option(
        None, "exponent of the chunk penalty", at_least=0, grid=(0.1, 0.2, 0.5, 1.0, 1.4, 2.0)
    )
    gamma: float | None = option(
        None, "size of the chunk penalty", at_least=0, at_most=1, grid=(0.3, 0.45, 0.6, 0.7)
    )
    delta: float | None = option(
        None, "weight of content words", at_least=0, at_most=1, grid=(0.5, 0.6, 0.7, 0.75, 0.8)
    )
    normalize: bool | Literal["nfc", "nfkc"] = option(  # type: ignore[misc, assignment] # METEOR's -norm
        True,
        "tokenise as METEOR does (yes) or split at spaces (no); nfc and nfkc: bring text into this Unicode normal form, and"
        " tokenise it as METEOR does",
        key="norm",
    )
    beam: int = option(40, "number of partial alignments kept in the search", at_least=1, at_most=1_000)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.language not in METEOR_LANGUAGES:
            raise UnknownNameError(
                f"meteor: unknown language {self.language!r}; METEOR supports {', '.join(METEOR_LANGUAGES)}"
                " (chrf works for every language)"
            )
        self._check_modules()
        self._check_parameters()

    def _check_modules(self) -> None:
        if self.modules is None:
            return
        if len(set(self.modules)) < len(self.modules):
            raise OptionError(f"meteor: a module is given twice: {'/'.join(self.modules)}")
        if "paraphrase" in self.modules and self.usable_paraphrases is None:
            raise ResourceError(
                f"meteor: module paraphrase needs a table: pass {argument('paraphrases', 'FILE')} (METEOR's format),"
                f" or for English {install_hint('meteor')}"
            )
        if "synonym" in self.modules and self.usable_synonyms is None:
            raise OptionError(
                f"meteor: there are no synonyms for {self.language}; leave the module out, or pass a "
                f"thesaurus in MyThes format with {argument('synonyms', 'FILE')}"
            )
        if "stem" in self.modules and "stem" not in published_modules(self.language):
            raise OptionError(f"meteor: there is no stemmer for {self.language}; leave the module out")

    def _check_parameters(self) -> None:
        given = (self.alpha, self.beta, self.gamma, self.delta, self.weights)
        if None in given and published_parameters(self.language, self.task) is None:
            raise OptionError(
                f"meteor: METEOR was not tuned to task {self.task} for {self.language}; choose rank, li or "
                "tune, or give alpha, beta, gamma, delta and weights"
            )
        if self.weights is not None and len(self.weights) < len(self.kinds):
            raise OptionError(
                f"meteor: {len(self.weights)} weights for {len(self.kinds)} modules ({'/'.join(self.kinds)})"
            )

    @cached_property
    def kinds(self) -> tuple[MatchKind, ...]:
        """The modules that are used."""
        if self.modules is not None:
            return self.modules
        missing = {"synonym": self.usable_synonyms is None, "paraphrase": self.usable_paraphrases is None}
        return tuple(
            kind for kind in add_synonyms(published_modules(self.language)) if not missing.get(kind, False)
        )

    @property
    def wants_paraphrases(self) -> bool:
        known = published_modules(self.language) if self.modules is None else self.modules
        return "paraphrase" in known

    @cached_property
    def parameters(self) -> MeteorParameters:
        """The parameters in use: the published parameters of the task, unless options override them."""
        names = ("alpha", "beta", "gamma", "delta", "weights")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        known = published_parameters(self.language, self.task)
        if known is None:
            return MeteorParameters(**given)
        if "synonym" in self.kinds and self.modules is None:
            known = weigh_synonyms(known, published_modules(self.language))
        return replace(known, **given)

    def fit(self, references: References) -> Self:
        """Open the paraphrases, so that a damaged table is reported before scoring begins."""
        if "paraphrase" in self.kinds and self.usable_paraphrases is not None:
            self.usable_paraphrases.phrases()
        return super().fit(references)

    def count(self, hypotheses: Texts, references: References) -> FloatArray:
        """Count METEOR's 23 statistics for every reference."""
        column, tokens = self.tokens(hypotheses), self.tokens(references.texts)
        is_function_word = self._function_words(references)
        return self._aligner().count(column, tokens, references, is_function_word)

    def weigh(self, counts: FloatArray, groups: OffsetArray) -> FloatArray:
        return keep_best(counts, groups, self.combine)

    def combine(self, totals: FloatArray) -> FloatArray:
        return combine_meteor(totals, self.parameters, self._kind_weights())

    def _kind_weights(self) -> FloatArray:
        weights = np.zeros(len(WordAlignments.KINDS))
        for kind, weight in zip(self.kinds, self.parameters.weights, strict=False):
            weights[WordAlignments.KINDS.index(kind)] = weight
        return weights

    def details(self, totals: FloatArray) -> dict[str, float]:
        return {
            "hypothesis_length": float(totals[0]),
            "reference_length": float(totals[1]),
            "hypothesis_matches": float(totals[-2]),
            "reference_matches": float(totals[-1]),
            "chunks": float(totals[-3]),
        }

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the alignment with the best reference, the module of each match, and the parts of the formula."""
        column = References([references])
        fitted = self.fit(column)
        texts = Texts([hypothesis], column.vocabulary)
        chosen = references[best_reference(fitted, hypothesis, references)]
        best = References([[chosen]], column.vocabulary)
        words, tokens = fitted.tokens(texts), fitted.tokens(best.texts)
        found = fitted._aligner().align(words, tokens, best)  # noqa: SLF001 - a copy of its own
        row = fitted.statistics(texts, best)[0]
        score = float(fitted.combine(row))
        explanation = explain_word_alignment(self.name, score, words.words(0), tokens.words(0), found)
        parts = meteor_parts(row, self.parameters, self._kind_weights())
        names = ("precision", "recall", "penalty")
        facts = {name: float(part) for name, part in zip(names, parts, strict=True)}
        return replace(explanation, facts={**facts, **explanation.facts})

    def tokens(self, texts: Texts) -> TokenColumn:
        """Tokenise texts into the words that are matched."""
        form = self.normalize if isinstance(self.normalize, str) else "none"
        return meteor_tokens(
            texts.normalized(form), self.language, self.word_lists, normalize=bool(self.normalize)
        )

    def _aligner(self) -> MeteorAligner:
        return MeteorAligner(
            self.kinds, self.language, self.usable_synonyms, self.usable_paraphrases, self.beam
        )

    @cached_property
    def _listed_words(self) -> list[str]:
        # Observed: METEOR 1.5 uses its English list for every language.
        return sorted(self.word_lists.function_words("en"))

    def _function_words(self, references: References) -> npt.NDArray[np.bool_]:
        """Return whether each word of the vocabulary is a function word."""

        def mark(_: object) -> npt.NDArray[np.bool_]:
            ids = references.vocabulary.intern_all(self._listed_words)
            flags = np.zeros(len(references.vocabulary), dtype=bool)
            flags[ids] = True
            return flags

        return references.texts.renew(("function words", self.word_lists.identity), mark)
