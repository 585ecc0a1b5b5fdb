"""Sentinels: scores without any knowledge of translation quality, which a metric must beat.

Perrella et al. (2024), "Guardians of the Machine Translation Meta-Evaluation": a meta-evaluation in which such scores do well
rewards spurious correlations.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.text.detection import count_scripts, name_main_script, sample_texts
from tertium.text.tokenizers import UNSPACED_SCRIPTS
from tertium.values import FloatArray

SENTINEL = "sentinel-"
"""The beginning of every sentinel's name; those of WMT24 have it, too."""


def score_sentinels(judged: JudgedSet, *, seed: int) -> dict[str, MetricScores]:
    """Score a judged set by the lengths of source, output and reference, by rare words, and at random.

    Longer texts and rare words count as worse, because they have more errors. Sources and references are left out if the
    set has none.
    """
    corpus, shape = judged.corpus, (len(judged.systems), len(judged.corpus))
    outputs = list(corpus.systems.values())
    found = {
        "output-length": np.array([_lengths(texts) for texts in outputs]),
        "rare-words": _rare_shares(outputs, [text for group in corpus.references for text in group]),
        "random": np.random.default_rng(seed).normal(size=shape),
    }
    if corpus.sources is not None:
        found["source-length"] = np.broadcast_to(_lengths(corpus.sources), shape)
    if corpus.has_references:
        lengths = [np.mean([len(text) for text in group]) for group in corpus.references]
        found["reference-length"] = np.broadcast_to(np.array(lengths), shape)
    return {
        (label := f"{SENTINEL}{name}"): MetricScores(
            label, name == "random", "", scores.mean(axis=1), scores.astype(np.float64)
        )
        for name, scores in found.items()
    }


def is_sentinel(label: str) -> bool:
    return label.startswith(SENTINEL)


def _lengths(texts: Sequence[str]) -> FloatArray:
    return np.array([len(text) for text in texts], dtype=np.float64)


def _rare_shares(outputs: Sequence[Sequence[str]], references: Sequence[str]) -> FloatArray:
    """Compute the share of words of each output that occur at most once in the references, or in all outputs without them."""
    known = references or [text for texts in outputs for text in texts]
    script = name_main_script(count_scripts(sample_texts(known, 400)))
    split: Callable[[str], Sequence[str]] = list if script in UNSPACED_SCRIPTS else str.split
    counts = Counter(word for text in known for word in split(text))

    def share(text: str) -> float:
        words = split(text)
        return sum(counts[word] < 2 for word in words) / max(1, len(words))

    return np.array([[share(text) for text in texts] for texts in outputs])
