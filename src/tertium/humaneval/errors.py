"""Error spans of a human evaluation: rates by category and severity, frequent spans, agreement, automatic spans."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tertium.corpus.judgments.readers import SegmentJudgments, Spans
from tertium.errors import InputError
from tertium.humaneval.ranking import Ranking
from tertium.records import record
from tertium.stats.mixed_model import fit_mixed_model
from tertium.stats.significance import holm
from tertium.stats.span_scores import (
    ErrorFreeScore,
    SpanScore,
    SpanTotals,
    count_characters,
    match_spans,
    score_error_free,
)
from tertium.stats.student import student_p
from tertium.text.tokenizers import count_length
from tertium.values import FloatArray

ALL_SYSTEMS = ""


@record
class MarkedErrorRate:
    """How often a system has errors of a kind.

    Attributes
    ----------
    severity, category
        The kind of error; the category is "" for all errors of the severity.
    count, per_segment, per_1000_words
        The number of errors, also per judged output and per 1,000 words of output; no words without texts.
    difference
        The difference of errors per output from the mean of all systems, as the mixed model estimates it.
    p_adjusted
        The p-value of this difference, adjusted by Holm's method over all kinds and systems.
    """

    severity: str
    category: str
    system: str
    count: int
    per_segment: float
    per_1000_words: float | None
    difference: float
    p_adjusted: float


@record
class SpanAgreement:
    """How well the error spans of a judge agree with those of raters.

    Attributes
    ----------
    judge
        The automatic judge's file, or the word for pairs of raters.
    n_outputs
        Number of outputs (for raters: of pairs of judgments) that both judged.
    characters, matched
        Precision, recall and F1 of characters as in WMT25, and of matched spans.
    error_free
        Detection of outputs without errors; None for raters.
    """

    judge: str
    n_outputs: int
    characters: SpanScore
    matched: SpanScore
    error_free: ErrorFreeScore | None


def measure_errors(ranking: Ranking) -> list[MarkedErrorRate]:
    """Count the errors of each kind and system, and test which systems differ from the mean of all.

    Raises
    ------
    InputError
        If the judgments have no error spans.
    """
    errors = _Errors(ranking)
    rates = [errors.rates(kind) for kind in errors.kinds()]
    adjusted = holm(np.array([[rate.p_adjusted for rate in row] for row in rates]))
    return [
        MarkedErrorRate(**{**vars(rate), "p_adjusted": float(p)})
        for row, ps in zip(rates, adjusted, strict=True)
        for rate, p in zip(row, ps, strict=True)
    ]


@record(eq=False)
class _Errors:
    """The error spans of a ranked campaign."""

    ranking: Ranking

    @cached_property
    def spans(self) -> Sequence[Spans]:
        judged = self.ranking.campaign.judged
        if judged.spans is None:
            raise InputError(f"{judged.path} has no error spans; they are in MQM and ESA annotations")
        return judged.spans

    @cached_property
    def words(self) -> FloatArray | None:
        """The words of each system's judged outputs, counted once per judgment."""
        campaign = self.ranking.campaign
        targets = campaign.judged.targets
        if targets is None:
            return None
        lengths = {text: count_length(text) for text in set(targets)}
        weights = [lengths[text] for text in targets]
        totals = np.bincount(campaign.system_of, weights=weights, minlength=len(campaign.systems))
        return totals.astype(np.float64)

    def kinds(self) -> list[tuple[str, str]]:
        """List severities, each followed by its categories, the most frequent first."""
        severities = Counter(span.severity for spans in self.spans for span in spans)
        categories = Counter((span.severity, span.category) for spans in self.spans for span in spans)
        found: list[tuple[str, str]] = []
        for severity in sorted(
            severities, key=lambda severity: (_ORDER.get(severity, len(_ORDER)), severity)
        ):
            found.append((severity, ""))
            found += [kind for kind, _ in categories.most_common() if kind[0] == severity and kind[1]]
        return found

    def rates(self, kind: tuple[str, str]) -> list[MarkedErrorRate]:
        """Measure one kind for every system; p-values are not adjusted yet."""
        campaign = self.ranking.campaign
        counts = np.array([_count(spans, kind) for spans in self.spans], dtype=float)
        totals = np.bincount(campaign.system_of, weights=counts, minlength=len(campaign.systems))
        outputs = np.bincount(campaign.system_of, minlength=len(campaign.systems))
        differences, p_values = self._test(counts)
        if totals.sum() < _MIN_EXPECTED * len(totals):
            p_values = np.ones(len(totals))  # too rare for Student's t
        return [
            MarkedErrorRate(
                severity=kind[0],
                category=kind[1],
                system=campaign.systems[i],
                count=int(totals[i]),
                per_segment=float(totals[i] / outputs[i]),
                per_1000_words=None
                if self.words is None
                else float(1000 * totals[i] / max(self.words[i], 1)),
                difference=float(differences[i]),
                p_adjusted=float(p_values[i]),
            )
            for i in self.ranking.order
        ]

    def _test(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Estimate each system's difference from the mean of all, and its p-value over documents or segments."""
        campaign, unit = self.ranking.campaign, self.ranking.unit
        model = fit_mixed_model(
            counts, campaign.system_of, campaign.item_of, campaign.rater_of if campaign.raters else None
        )
        units = campaign.document_of if unit == "document" else np.arange(len(campaign.items))
        moved = model.influence(units, self.ranking.n_units)
        moved = moved - moved.mean(axis=0)
        errors = np.sqrt(np.sum(moved**2, axis=1) * (self.ranking.n_units - 1) / self.ranking.n_units)
        errors = np.maximum(errors, np.median(errors))  # a system without errors has no spread of its own
        differences = model.effects - model.effects.mean()
        ratios = np.divide(differences, errors, out=np.zeros_like(differences), where=errors > 0)
        return differences, student_p(ratios, self.ranking.n_units - 1)


_ORDER = {"critical": 0, "major": 1, "minor": 2}
_MIN_EXPECTED = 5  # errors per system


def _count(spans: Spans, kind: tuple[str, str]) -> int:
    severity, category = kind
    return sum(span.severity == severity and (not category or span.category == category) for span in spans)


def agree_on_spans(ranking: Ranking, automatic: Sequence[SegmentJudgments]) -> list[SpanAgreement]:
    """Compare the raters' error spans with each other, where several judged an output, and with those of judges.

    Raises
    ------
    InputError
        If a file has no error spans, or judges none of the outputs.
    """
    gold = _by_output(ranking.campaign.judged, _Errors(ranking).spans)
    pairs = [
        (one, other) for judged in gold.values() for one in judged for other in judged if one is not other
    ]
    found = []
    if pairs:
        spans = [(one.spans, other.spans) for one, other in pairs]
        found.append(SpanAgreement("pairs of raters", len(pairs) // 2, *_score(spans), None))
    return found + [_compare_judge(gold, file) for file in automatic]


class _Judged(NamedTuple):
    """One judgment of an output: its spans and score."""

    spans: Spans
    score: float


_Outputs = dict[tuple[str, str], list[_Judged]]


def _by_output(judged: SegmentJudgments, spans: Sequence[Spans]) -> _Outputs:
    found: _Outputs = {}
    rows = zip(judged.systems, judged.segments, spans, judged.scores, strict=True)
    for system, segment, marked, score in rows:
        found.setdefault((system, segment), []).append(_Judged(marked, float(score)))
    return found


def _compare_judge(gold: _Outputs, file: SegmentJudgments) -> SpanAgreement:
    if file.spans is None:
        raise InputError(f"{file.path} has no error spans to compare with those of the raters")
    own = _by_output(file, file.spans)
    pairs = list(_pair(gold, own))
    if not pairs:
        system, segment = next(iter(own))
        raise InputError(
            f"{file.path} judges none of the raters' outputs, such as system {system!r}, segment {segment!r};"
            " systems and segments need the same names"
        )
    right, predicted = zip(*pairs, strict=True)
    error_free = score_error_free(
        [not judgment.spans for judgment in right],
        [not judgment.spans for judgment in predicted],
        np.array([judgment.score for judgment in predicted]),
    )
    return SpanAgreement(
        file.path,
        len({key for key in own if key in gold}),
        *_score((one.spans, other.spans) for one, other in pairs),
        error_free,
    )


def _pair(gold: _Outputs, own: _Outputs) -> Iterator[tuple[_Judged, _Judged]]:
    for key, judged in own.items():
        for right in gold.get(key, ()):
            for predicted in judged:
                yield right, predicted


def _score(pairs: Iterable[tuple[Spans, Spans]]) -> tuple[SpanScore, SpanScore]:
    characters, matched = SpanTotals(), SpanTotals()
    for gold, predicted in pairs:
        characters = characters.add(count_characters(gold, predicted))
        matched = matched.add(match_spans(gold, predicted))
    return characters.score(), matched.score()
