"""Likely mistakes in texts and in the choice of metrics, which a table of scores warns about."""

from collections.abc import Sequence
from operator import eq

import numpy as np

from tertium.catalog import LabelledMetric
from tertium.diagnosis.finding import Finding
from tertium.diagnosis.quick import QuickCheck
from tertium.diagnosis.texts import find_unfit_tokenizers
from tertium.errors import InputError
from tertium.evaluation.evaluation import SystemTotals
from tertium.text.detection import TextLanguage
from tertium.values import Corpus


def check_references(metrics: Sequence[LabelledMetric], n_references: tuple[int, int]) -> None:
    """Raise if a metric was given by a signature with another number of references."""
    for metric in metrics:
        found = metric.metric.format_n_references(n_references)
        if metric.n_references not in (None, found):
            raise InputError(
                f"{metric.label}: the signature says nrefs:{metric.n_references}, but the data has nrefs:{found};"
                " give as many references, or leave nrefs out of the signature"
            )


def find_warnings(corpus: Corpus, metrics: Sequence[LabelledMetric], language: TextLanguage) -> list[str]:
    """Describe likely mistakes in the texts, in one line per system."""
    if not corpus.has_references:
        return []
    tokenizers = {name for metric in metrics if (name := metric.metric.word_tokenizer) is not None}
    check = QuickCheck(corpus.target_texts, tokenizers, language)
    found = ((system, check(texts, system)) for system, texts in corpus.systems.items())
    return list(dict.fromkeys(_describe_first(system, findings) for system, findings in found if findings))


# Problems that another option of the same command solves.
_SOLVED_BY_OPTIONS = ("unfit-tokenizer", "normal-form-mismatch", "letter-variants", "case-mismatch")


def _describe_first(system: str, findings: Sequence[Finding]) -> str:
    """Describe the first finding about a system or about the references, which is the most severe."""
    first = findings[0]
    owner = system if first.code in _SOLVED_BY_OPTIONS else first.file
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    remedy = f"; {first.remedy}" if first.code in _SOLVED_BY_OPTIONS else ""
    return f"{owner}: {first.problem}{more}{remedy}; 'tertium doctor' shows details"


def find_equal_outputs(corpus: Corpus) -> list[str]:
    """Warn about systems whose output equals the reference or the output of another system."""
    seen: dict[tuple[str, ...], tuple[str, Sequence[str]]] = {}
    if corpus.has_references:
        seen[_head(corpus.target_texts)] = "the reference", corpus.target_texts
    warnings = []
    for system, texts in corpus.systems.items():
        own = f"that of {system}"
        other, known = seen.setdefault(_head(texts), (own, texts))
        if other != own and all(map(eq, texts, known)):
            warnings.append(f"the output of {system} equals {other}: check the files")
    return warnings


def _head(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the first segments; comparing all of them would take longer than scoring many segments."""
    return tuple(texts[:100])


def find_equal_scores(corpus: Corpus, evaluation: SystemTotals) -> list[str]:
    """Warn if different outputs have the same score, unless it is perfect, as many checks' scores are."""
    if len({_head(texts) for texts in corpus.systems.values()}) < 2:
        return []
    return [
        f"all systems have the same {metric.title}, {scores[0]:.2f}: check the files and the metric's options"
        for metric in evaluation.metrics
        if bool(np.all((scores := evaluation.system_scores(metric.label)) == scores[0]))
        and scores[0] != metric.metric.best
    ]


def find_unfit_metrics(metrics: Sequence[LabelledMetric], corpus: Corpus) -> set[str]:
    """Name the metrics whose tokenizer cannot split the texts into words, so that calibrations do not hold."""
    by_label = {metric.label: metric.metric.word_tokenizer for metric in metrics}
    used = {name for name in by_label.values() if name is not None}
    _, unfit = find_unfit_tokenizers(corpus.target_texts, used)
    return {label for label, name in by_label.items() if name in unfit}
