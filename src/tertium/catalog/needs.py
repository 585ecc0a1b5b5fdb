"""What metrics need to know of a language: their resources and options, asked for the languages they are made for."""

from collections.abc import Sequence
from typing import Any

from tertium.catalog.building import LabelledMetric
from tertium.doctor.fit import Need, check_resources_fit
from tertium.errors import ResourceError
from tertium.interfaces import known_languages
from tertium.text.detection import detect_language
from tertium.text.languages import DEFAULT_TOKENIZER, find_language
from tertium.types import Corpus

__all__ = ["check_languages", "guess_vectors_language", "language_needs"]


def check_languages(corpus: Corpus, metrics: Sequence[LabelledMetric], language: str | None) -> list[str]:
    """Raise if the metrics' resources are of another script than the references; returns smaller doubts."""
    needs = language_needs(metrics)
    if not any(need.languages for need in needs):
        return []
    misfits = check_resources_fit(corpus.first_references, language, needs)
    for misfit in misfits:
        if misfit.severity == "error":
            raise ResourceError(misfit.message)
    return [misfit.message for misfit in misfits]


def guess_vectors_language(corpus: Corpus, metrics: Sequence[LabelledMetric]) -> str | None:
    """The language of the references, if the package has vectors for it that the metrics do not use.

    None where the language also needs another tokenizer: then the user should name it.
    """
    known = [known_languages(metric.vectors) for metric in _with_vectors(metrics)]
    if not any(known):
        return None
    code = detect_language(corpus.first_references).code
    row = None if code is None else find_language(code)
    if row is None or row.vectors is None or row.tokenizer != DEFAULT_TOKENIZER:
        return None
    return row.code if any(each is not None and row.code not in each for each in known) else None


def _with_vectors(metrics: Sequence[LabelledMetric]) -> list[Any]:
    return [each.metric for each in metrics if hasattr(each.metric, "vectors")]


def language_needs(metrics: Sequence[LabelledMetric]) -> list[Need]:
    """List what the metrics read a text with that knows certain languages only."""
    return [need for each in metrics for need in _needs_of(each)]


def _needs_of(each: LabelledMetric) -> list[Need]:
    metric: Any = each.metric
    needs = []
    if hasattr(metric, "vectors"):
        known = known_languages(metric.vectors)
        needs.append(Need(each.label, "vectors", known, "--vectors FILE", serves_script=True))
    if hasattr(metric, "trees"):
        known = known_languages(metric.trees)
        needs.append(Need(each.label, "syntax", known, "--parser MODEL or --trees FILE"))
    if hasattr(metric, "word_lists"):
        needs.append(Need(each.label, "stems", frozenset({metric.language}), serves_script=True))
    return needs
