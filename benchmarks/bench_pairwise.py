"""Time the scores of all pairs of texts, for minimum Bayes risk decoding, against loops over other tools."""

from collections.abc import Callable, Iterator

import fastchrf
import numpy as np
import sacrebleu

import tertium
from bench_embedding import Vectors, load_vectors, make_up_vectors
from harness import Row, Sample, alternating_seconds
from peer_std_numpy import std_with_numpy
from tertium.evaluation.pairwise import CandidateGroup, score_groups
from tertium.kernels.threads import use_threads
from tertium.metrics import BLEU, STD, ChrF
from tertium.metrics.base import Metric
from tertium.text import Texts

__all__ = ["measure"]

N_CANDIDATES = 64
MIN_WORDS = 20  # candidates of short texts are often equal, and equal texts are scored once
# A thousand sources with 64 candidates each must be decoded in a minute on two threads.
SOURCES, LIMIT = 1000, 60.0

Groups = list[list[str]]


def measure(sample: Sample) -> Iterator[Row]:
    """Time chrF, sentence BLEU and STD of all pairs; then a whole run of MBR, by its processor time on one thread."""
    rng = np.random.default_rng(1)
    texts = [text for text in sample.hypotheses if len(text.split()) >= MIN_WORDS][: SOURCES // 10]
    groups = [[_vary(text, rng) for _ in range(N_CANDIDATES)] for text in texts]
    many, few, one = groups[:16], groups[:4], groups[:1]
    words = _tokenize(one[0])
    vectors = make_up_vectors(word for text in words for word in text)
    yield _beside("chrF of all pairs", "fastchrf", ChrF(), many, lambda: _fastchrf(many), 5)
    yield _beside(
        "sentence BLEU of all pairs", "loop over sacreBLEU", BLEU(), few, lambda: _sacrebleu(few), 100
    )
    std = STD(vectors=load_vectors(vectors))
    yield _beside("STD of all pairs", "loop over POT", std, one, lambda: _loop_over_pot(words, vectors), 20)
    yield _decode(groups)


def _beside(
    job: str, peer: str, metric: Metric, groups: Groups, work: Callable[[], object], aim: float
) -> Row:
    """Time a metric and its peer on all pairs of candidates, after checking that the numbers are the same."""
    candidates = [CandidateGroup(texts, texts) for texts in groups]

    def ours() -> object:
        return score_groups(metric, candidates)

    with use_threads(1):
        np.testing.assert_allclose(np.array(ours()), np.array(work()), atol=1e-3)
        mine, theirs = alternating_seconds([ours, work])
    return Row(f"{job}, {len(groups)} × {N_CANDIDATES}²", peer, mine, theirs, aim, None)


def _fastchrf(groups: Groups) -> object:
    return fastchrf.pairwise_chrf(groups, groups, 6, 2.0)


def _sacrebleu(groups: Groups) -> object:
    metric = sacrebleu.BLEU(effective_order=True)
    return [
        [[metric.sentence_score(one, [other]).score for other in texts] for one in texts] for texts in groups
    ]


def _tokenize(texts: list[str]) -> list[list[str]]:
    column = Texts(texts).tokens("13a", lowercase=True)
    return [column.words(i) for i in range(len(texts))]


def _loop_over_pot(words: list[list[str]], vectors: Vectors) -> object:
    return [
        [
            [50 * sum(std_with_numpy(one, other, vectors, order) for order in (1, 2)) for other in words]
            for one in words
        ]
    ]


def _decode(groups: Groups) -> Row:
    """Time MBR by chrF on a tenth of the sources."""
    (ours,) = alternating_seconds([lambda: tertium.mbr(groups, threads=1)])
    job = f"MBR by chrF, {len(groups)} × {N_CANDIDATES} candidates"
    return Row(job, f"{LIMIT:.0f} s for {SOURCES}", ours, LIMIT * len(groups) / SOURCES, 1, None)


def _vary(text: str, rng: np.random.Generator) -> str:
    """Leave out some words, so that candidates differ as samples of a model do."""
    words = text.split()
    kept = [word for word, stays in zip(words, rng.random(len(words)) < 0.9, strict=True) if stays]
    return " ".join(kept or words)
