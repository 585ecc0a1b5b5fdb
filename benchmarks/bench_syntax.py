"""RED against plain Python once the references are parsed; our parser against spaCy's, with and without the cache."""

import os
import tempfile
from collections.abc import Iterator

import numpy as np

from harness import Row, Sample, median_seconds
from plain_red import plain_red
from tertium.kernels import use_threads
from tertium.metrics.syntax.red import RED
from tertium.resources.trees import load_parser
from tertium.text import References, Texts

__all__ = ["measure"]


def measure(sample: Sample) -> Iterator[Row]:
    """Time our parser and spaCy's, spaCy's cache, and RED's matching."""
    with tempfile.TemporaryDirectory() as folder, use_threads(1):
        os.environ["TERTIUM_CACHE"] = folder
        _parse_seconds(Sample("warm-up", [], ["It loads the models."]), None)
        _parse_seconds(Sample("warm-up", [], ["It loads the models."]), "spacy")
        theirs = _parse_seconds(sample, "spacy")
        yield Row(
            "references' trees, one thread", "spaCy", _parse_seconds(sample, None, repeats=3), theirs, 40
        )
        yield Row("references' trees from the cache", "spaCy", _parse_seconds(sample, "spacy"), theirs, 20)
        yield _red(sample)


def _parse_seconds(sample: Sample, parser: str | None, repeats: int = 1) -> float:
    tokens = Texts(sample.references).tokens("13a")
    return median_seconds(lambda: load_parser(parser).parse(tokens), repeats=repeats)


def _red(sample: Sample) -> Row:
    metric = RED(trees=load_parser())
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
        ours = median_seconds(lambda: metric.statistics(outputs, references))
    return Row("RED, tokens and parsed references in", "plain Python", ours, median_seconds(peer), 10)
