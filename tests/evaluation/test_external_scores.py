"""Scores of other tools, faults that checks find, and metrics that do not fit the texts."""

from dataclasses import replace

import pytest

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.errors import InputError
from tertium.evaluation.external_scores import list_external_scores
from tertium.evaluation.faults import FaultFinder
from tertium.evaluation.likely_mistakes import check_references
from tertium.progress import use_progress
from tertium.values import Corpus


def test_scores_named_like_our_metric_have_its_direction() -> None:
    """A note says so; for other names higher is better."""
    messages: list[tuple[str, str]] = []
    with use_progress(None, lambda kind, text: messages.append((kind, text))):
        files = list_external_scores(["TER=a.tsv", "mine=b.tsv"], [], [])
    assert {file.name: file.higher_is_better for file in files} == {"TER": False, "mine": True}
    assert messages == [("note", "TER: lower is better, as for our metric of that name")]


def test_without_checks_there_are_no_faults() -> None:
    corpus = Corpus([["a b"]], {"s": ["a"]})
    assert list(FaultFinder(evaluate(corpus, parse_metrics(["bleu"])), corpus).find_all()) == []


def test_a_signature_with_another_number_of_references_is_rejected() -> None:
    metrics = [replace(metric, n_references="2") for metric in parse_metrics(["bleu"])]
    with pytest.raises(InputError, match="bleu: the signature says nrefs:2, but the data has nrefs:1"):
        check_references(metrics, (1, 1))
    check_references(metrics, (2, 2))
