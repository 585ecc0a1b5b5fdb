"""Sentences with human scores, from the WMT folders and d2t-sfres, and the scores of metrics for them."""

import gzip
import hashlib
import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from papers.keeping import kept
from papers.scoring import judged_sets
from tertium.catalog import LabelledMetric, parse_metrics
from tertium.engines import evaluate
from tertium.interfaces import WordVectors
from tertium.resources.vectors import load_vectors
from tertium.stats.human import average_judgments, normalise_raters
from tertium.values import Corpus, FloatArray

__all__ = [
    "Rated",
    "assessed",
    "generated",
    "ranked",
    "ranked_alike",
    "score_sentences",
    "score_systems",
    "system_means",
]


@dataclass(frozen=True, eq=False)
class Rated:
    """Sentences with their references, their systems and human scores; higher is better."""

    name: str
    hypotheses: Sequence[str]
    references: Sequence[Sequence[str]]
    systems: Sequence[str]
    human: FloatArray

    def __len__(self) -> int:
        return len(self.hypotheses)

    @cached_property
    def lengths(self) -> FloatArray:
        """The average reference length of each sentence, in words."""
        return np.array([np.mean([len(text.split()) for text in group]) for group in self.references])

    @cached_property
    def checksum(self) -> str:
        text = "\x00".join([*self.hypotheses, *("\x01".join(group) for group in self.references)])
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def names(self) -> list[str]:
        """The systems, from the best to the worst by average human score."""
        found = sorted(set(self.systems))
        means = [float(self.human[self.of(system)].mean()) for system in found]
        return [found[i] for i in np.argsort(-np.array(means), kind="stable")]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for i, system in enumerate(self.systems):
            places.setdefault(system, []).append(i)
        return places

    def of(self, system: str) -> npt.NDArray[np.int64]:
        """Return the indices of a system's sentences."""
        return np.array(self._places[system], dtype=np.int64)

    def take(self, chosen: npt.NDArray[np.int64]) -> "Rated":
        """Return a subset of the sentences."""
        return Rated(
            self.name,
            [self.hypotheses[i] for i in chosen],
            [self.references[i] for i in chosen],
            [self.systems[i] for i in chosen],
            self.human[chosen],
        )

    def shorter_than(self, n_words: int) -> "Rated":
        """Return the sentences whose texts are not longer than a limit, as in the 2003 paper."""
        texts = zip(self.hypotheses, self.references, strict=True)
        longest = [max(len(text.split()) for text in (hyp, *refs)) for hyp, refs in texts]
        return self.take(np.flatnonzero(np.array(longest) <= n_words))


@cache
def assessed(folder: Path, pair: str) -> Rated:
    """Read direct assessments of sentences of many systems, some of which are unnamed."""
    (judged,) = [
        each for each in judged_sets(folder) if each.pair == pair and each.segment_scores is not None
    ]
    (outputs,) = judged.corpus.systems.values()
    assert judged.segment_scores is not None
    return Rated(pair, outputs, judged.corpus.references, [""] * len(outputs), judged.segment_scores[0])


@cache
def ranked(folder: Path, pair: str) -> Rated:
    """Use ranks from 1 to 5 as scores, averaged over judges."""
    return _ranked(folder, pair)[0]


@cache
def ranked_alike(folder: Path, pair: str) -> tuple[Rated, Rated]:
    """Return the same sentences with original ranks, and with those of each judge normalised to mean 0 and variance 1.

    Sentences are left out if all their judges have variance 0.
    """
    every, standard = _ranked(folder, pair)
    chosen = np.flatnonzero(~np.isnan(standard))
    return every.take(chosen), replace(every, human=standard).take(chosen)


@cache
def _ranked(folder: Path, pair: str) -> tuple[Rated, FloatArray]:
    corpus = next(each.corpus for each in judged_sets(folder) if each.pair == pair)
    rows = [row for row in _read_ranks(folder / "rankings.tsv.gz", pair) if row[1] in corpus.systems]
    items = list(dict.fromkeys(row[:2] for row in rows))
    judges = {judge: i for i, judge in enumerate(dict.fromkeys(row[2] for row in rows))}
    plain = np.array([-row[3] for row in rows])
    standard = normalise_raters(plain, np.array([judges[row[2]] for row in rows], dtype=np.int32)).scores
    places = {item: i for i, item in enumerate(items)}
    cells = np.array([places[row[:2]] for row in rows])
    human, standardised = (average_judgments(scores, cells, len(items)) for scores in (plain, standard))
    outputs = [corpus.systems[system][segment] for segment, system in items]
    references = [corpus.references[segment] for segment, _ in items]
    return Rated(pair, outputs, references, [system for _, system in items], human), standardised


def _read_ranks(path: Path, pair: str) -> Iterator[tuple[int, str, str, float]]:
    """Read segment, system, judge and rank; each system of a ranking once, although it is in several pairs."""
    seen = set()
    with gzip.open(path, "rt", encoding="utf-8") as file:
        next(file)
        for line in file:
            of_pair, segment, judge, ranking, *placed = line.rstrip("\n").split("\t")
            if of_pair != pair:
                continue
            for system, rank in (placed[:2], placed[2:]):
                if (ranking, segment, judge, system) not in seen:
                    seen.add((ranking, segment, judge, system))
                    yield int(segment) - 1, system, judge, float(rank)


@cache
def generated(path: Path, scale: str, n_references: int | None = None) -> Rated:
    """Read the sentences of d2t-sfres with one scale of judgments and a maximal number of distinct references."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    references = [list(dict.fromkeys(record["refs"]))[:n_references] for record in records]
    hypotheses = [record["hyp"] for record in records]
    human = np.array([record["human"][scale] for record in records], dtype=np.float64)
    return Rated("d2t-sfres", hypotheses, references, [""] * len(records), human)


def score_sentences(label: str, rated: Rated, vectors: str = "") -> FloatArray:
    """Compute a metric's scores of the sentences, where higher is better; `vectors` is a value of `--vectors`."""
    return _score(label, rated, vectors, _sentence_scores, "segment")


def score_systems(label: str, rated: Rated, vectors: str = "") -> FloatArray:
    """Compute the metric's system scores, in the order of `names`."""
    parts = [rated.take(rated.of(system)) for system in rated.names]
    return np.array([_score(label, part, vectors, _own_score, "system")[0] for part in parts])


def system_means(values: FloatArray, rated: Rated, *, by_length: bool = False) -> FloatArray:
    """Average the values of each system's sentences, in the order of `names`."""
    weights = rated.lengths if by_length else np.ones(len(rated))
    chosen = [rated.of(system) for system in rated.names]
    return np.array([np.average(values[each], weights=weights[each]) for each in chosen])


def _sentence_scores(corpus: Corpus, metric: LabelledMetric) -> FloatArray:
    scores: FloatArray = evaluate(corpus, [metric]).segment_scores(metric.label)[0]
    return _sign(metric) * scores


def _own_score(corpus: Corpus, metric: LabelledMetric) -> FloatArray:
    return _sign(metric) * evaluate(corpus, [metric]).system_scores(metric.label)


def _sign(metric: LabelledMetric) -> float:
    return 1.0 if metric.metric.higher_is_better else -1.0


def _score(
    label: str,
    rated: Rated,
    vectors: str,
    score: Callable[[Corpus, LabelledMetric], FloatArray],
    level: str,
) -> FloatArray:
    metric = _build(label, vectors)

    def compute() -> FloatArray:
        return score(Corpus(rated.references, {"outputs": rated.hypotheses}), metric)

    return kept([label, vectors, level, rated.checksum, metric.metric.signature((1, 1))], compute)


@cache
def _build(label: str, vectors: str) -> LabelledMetric:
    providers: dict[type, Callable[[], WordVectors]] = (
        {WordVectors: lambda: _load(vectors)} if vectors else {}
    )
    (metric,) = parse_metrics([label], providers=providers)
    return metric


@cache
def _load(vectors: str) -> WordVectors:
    return load_vectors(vectors)
