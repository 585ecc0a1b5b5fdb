"""Time chrF and TER against sacreBLEU and fastchrf, CharacTER against cer, RIBES and NIST against nltk."""

from collections.abc import Callable, Iterator
from typing import Any

import fastchrf
from cer import calculate_cer_corpus
from nltk.translate.nist_score import corpus_nist
from nltk.translate.ribes_score import corpus_ribes
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER as PEER_TER

from harness import Row, Sample, compared_row
from tertium.kernels.threads import use_threads
from tertium.metrics.base import Metric
from tertium.metrics.lexical.character import CharacTER
from tertium.metrics.lexical.chrf import ChrF
from tertium.metrics.lexical.nist import NIST
from tertium.metrics.lexical.ribes import RIBES
from tertium.metrics.lexical.ter import TER

__all__ = ["measure"]


def measure(sample: Sample) -> Iterator[Row]:
    """Time the lexical metrics, and check that both tools give the same score where they should."""
    yield _chrf(sample, {})
    yield _chrf(sample, {"word_order": 2})
    yield _fastchrf(sample)
    yield _ter(sample)
    yield _character(sample)
    yield _ribes(sample)
    yield _nist(sample)


def _chrf(sample: Sample, options: dict[str, Any]) -> Row:
    def peer() -> float:
        return float(CHRF(**options).corpus_score(sample.hypotheses, [sample.references]).score)

    _check(_score(ChrF(**options), sample), peer())
    name = "chrF++" if options else "chrF"
    return _compare(f"{name}, raw text in, score out", ChrF(**options), sample, "sacreBLEU", peer, 20)


def _fastchrf(sample: Sample) -> Row:
    hypotheses, references = [[text] for text in sample.hypotheses], [[text] for text in sample.references]

    def peer() -> Any:
        return fastchrf.pairwise_chrf(hypotheses, references, 6, 2.0)

    return _compare("chrF, raw text in, scores out", ChrF(), sample, "fastchrf", peer, 4)


def _ter(sample: Sample) -> Row:
    def peer() -> float:
        return float(PEER_TER().corpus_score(sample.hypotheses, [sample.references]).score)

    _check(_score(TER(), sample), peer())
    return _compare("TER, raw text in, score out", TER(), sample, "sacreBLEU", peer, 50)


def _character(sample: Sample) -> Row:
    hypotheses = [text.split() for text in sample.hypotheses]
    references = [text.split() for text in sample.references]

    def peer() -> float:
        return 100 * float(calculate_cer_corpus(hypotheses, references)["mean"])

    _check(_score(CharacTER(), sample), peer())
    return _compare("CharacTER, raw text in, score out", CharacTER(), sample, "cer", peer, 30)


def _ribes(sample: Sample) -> Row:
    hypotheses = [text.split() for text in sample.hypotheses]
    references = [[text.split()] for text in sample.references]

    def peer() -> object:
        return corpus_ribes(references, hypotheses)

    metric = RIBES(tokenizer="none", lowercase=False)
    return _compare("RIBES, raw text in, score out", metric, sample, "nltk", peer, 10)


def _nist(sample: Sample) -> Row:
    hypotheses = [text.split() for text in sample.hypotheses]
    references = [[text.split()] for text in sample.references]

    def peer() -> float:
        return float(corpus_nist(references, hypotheses))

    metric = NIST(tokenizer="none")
    _check(_score(metric, sample), peer())
    return _compare("NIST, raw text in, score out", metric, sample, "nltk", peer, 40)


def _score(metric: Metric, sample: Sample) -> float:
    with use_threads(1):
        return metric.corpus_score(sample.hypotheses, [sample.references], orientation="streams").score


def _compare(
    job: str, metric: Metric, sample: Sample, name: str, peer: Callable[[], object], aim: float
) -> Row:
    return compared_row(job, name, lambda: _score(metric, sample), peer, aim)


def _check(ours: float, theirs: float) -> None:
    if abs(ours - theirs) > 1e-9 * max(1.0, abs(theirs)):
        raise RuntimeError(f"the scores differ: {ours!r} and {theirs!r}; what was timed is not the same job")
