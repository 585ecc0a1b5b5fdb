"""Time RED on parsed references against plain Python, and our parser against spaCy's, with and without the cache."""

import itertools
import os
import tempfile
from collections.abc import Iterator
from functools import partial

import numpy as np

from harness import Row, Sample, compared_row, median_seconds
from plain_red import plain_red
from tertium.kernels.threads import use_threads
from tertium.metrics.syntax.red import RED
from tertium.resources.trees import load_parser
from tertium.text import References, Texts

__all__ = ["measure"]


def measure(sample: Sample) -> Iterator[Row]:
    """Time our parser and spaCy's, spaCy's cache, and RED's matching."""
    with tempfile.TemporaryDirectory() as folder, use_threads(1):
        sample = Sample(
            sample.name, sample.hypotheses[:500], sample.references[:500]
        )  # spaCy parses them five times
        os.environ["TERTIUM_CACHE"] = folder
        _parse_seconds(Sample("warm-up", [], ["It loads the models."]), None)
        _parse_seconds(Sample("warm-up", [], ["It loads the models."]), "spacy")
        theirs = _parse_seconds(sample, "spacy", is_cached=False)
        yield Row("references' trees, one thread", "spaCy", _parse_seconds(sample, None), theirs, 40)
        yield Row("references' trees from the cache", "spaCy", _parse_seconds(sample, "spacy"), theirs, 20)
        yield _red(sample)


def _parse_seconds(sample: Sample, parser: str | None, *, is_cached: bool = True) -> float:
    tokens = Texts(sample.references).tokens("13a")
    shared = os.environ["TERTIUM_CACHE"]
    fresh = itertools.count()

    def work() -> None:
        os.environ["TERTIUM_CACHE"] = shared if is_cached else f"{shared}/{next(fresh)}"
        load_parser(parser).parse(tokens)

    seconds = median_seconds(work)
    os.environ["TERTIUM_CACHE"] = shared
    return seconds


def _red(sample: Sample) -> Row:
    metric = RED(trees=load_parser(), tokenizer="13a", lowercase=True)  # as in the paper
    references = References([[text] for text in sample.references])
    ngrams = metric.ngrams(references.texts)
    words = metric.words(references.texts)
    table = [(words.words(i), ngrams.of(i)) for i in range(len(references))]
    outputs = Texts(sample.hypotheses, references.vocabulary)
    tokens = metric.words(outputs)
    hypotheses = [tokens.words(i) for i in range(len(outputs))]

    def peer() -> list[float]:
        return [plain_red(h, r, n) if h else 0.0 for h, (r, n) in zip(hypotheses, table, strict=True)]

    np.testing.assert_allclose(
        metric.statistics(outputs, references)[:, 0], 100 * np.array(peer()), rtol=1e-9
    )
    with use_threads(1):
        ours = partial(metric.statistics, outputs, references)
        return compared_row("RED, tokens and parsed references in", "plain Python", ours, peer, 10)
