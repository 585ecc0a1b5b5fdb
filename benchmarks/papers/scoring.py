"""Our values in the papers' tables: judged data, tokenised text, scores and their statistics."""

import math
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from papers.keeping import kept
from papers.layout import Column, Row, Tokens
from tertium.catalog import LabelledMetric, parse_metrics
from tertium.corpus.judgments.folders import read_judged_folder
from tertium.engines import evaluate
from tertium.errors import TertiumError
from tertium.interfaces import Paraphrases, Trees
from tertium.metaeval import JudgedSet, match_judgments
from tertium.metaeval.agreement import StatisticSpec, can_show, compute_statistic
from tertium.metaeval.scoring import MetricScores, with_mean_scores
from tertium.metrics.meteor.meteor import meteor_tokens
from tertium.resources.trees import load_parser
from tertium.resources.word_lists import find_word_lists
from tertium.text import Texts
from tertium.values import FloatArray, TokenColumn, TreeColumn

__all__ = ["judged_sets", "ours"]

# Paths of presets in labels are relative to this folder.
ROOT = Path(__file__).parents[2]
Cutter = Callable[[Sequence[str]], list[str]]


@dataclass(frozen=True)
class NoTrees:
    """Trees without syntax: the head of each word is the word before it."""

    identity: str = "each-under-the-one-before"

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        heads = [np.arange(-1, length - 1, dtype=np.int32) for length in tokens.lengths]
        blank = [""] * int(tokens.offsets[-1])
        return TreeColumn(np.concatenate(heads), tokens.offsets, blank, blank, blank)

    def align(self, references: TokenColumn) -> "NoTrees":  # noqa: ARG002 - fits any text
        return self


def ours(spec: StatisticSpec, row: Row, column: Column, folder: Path) -> float | None:
    """Compute our value, averaged over the column's language pairs; None if one of them is missing."""
    values = [value for pair in column.pairs for value in _values(spec, row, pair, folder)[:1]]
    if len(values) < len(column.pairs) or any(map(math.isnan, values)):
        return None
    return sum(values) / len(values)


def _values(spec: StatisticSpec, row: Row, pair: str, folder: Path) -> list[float]:
    scores = _scores(row.label, row.tokens, row.without, row.parser, folder, pair)
    return [
        compute_statistic(spec, judged, with_mean_scores(judged, found) if row.means else found)[0]
        for judged, found in zip(_sets_of_pair(folder, pair), scores, strict=bool(scores))
        if can_show(spec, judged)
    ]


@cache
def judged_sets(folder: Path) -> list[JudgedSet]:
    """Read the outputs and the human judgments of a year."""
    read = read_judged_folder(str(folder))
    return match_judgments(read.corpora, read.judgments)[0]


@cache
def _sets_of_pair(folder: Path, pair: str, tokens: Tokens = "") -> list[JudgedSet]:
    found = [judged for judged in judged_sets(folder) if judged.pair == pair]
    return [_cut(judged, _cutter(tokens)) for judged in found] if tokens else found


@cache
def _scores(
    label: str, tokens: Tokens, without: tuple[str, ...], parser: str, folder: Path, pair: str
) -> list[MetricScores]:
    """Compute a metric's scores of each judged set of a pair; an empty list if that is impossible here."""
    try:
        metric = _build(label, without, parser)
        wanted = _sets_of_pair(folder, pair, tokens)
        return [
            _score_set(
                metric,
                judged,
                [label, tokens, *without, parser, folder.name, pair, str(i), metric.metric.signature((1, 1))],
            )
            for i, judged in enumerate(wanted)
        ]
    except (TertiumError, ImportError) as error:
        print(f"{label}: {error}", file=sys.stderr)
        return []


@cache
def _build(label: str, without: tuple[str, ...], parser: str) -> LabelledMetric:
    taken: dict[str, tuple[type, Callable[[], Any]]] = {
        "paraphrases": (Paraphrases, lambda: None),
        "trees": (Trees, NoTrees),
    }
    name = label.replace("@benchmarks/", f"@{ROOT}/benchmarks/")
    providers = dict(taken[resource] for resource in without)
    if parser:
        providers[Trees] = partial(load_parser, parser)
    (metric,) = parse_metrics([name], providers=providers)
    return LabelledMetric(label, metric.metric)


def _score_set(metric: LabelledMetric, judged: JudgedSet, key: Sequence[str]) -> MetricScores:
    """Compute the scores of a judged set, cached as a column of system scores followed by segment scores."""

    def compute() -> FloatArray:
        done = evaluate(judged.corpus, [metric])
        return np.column_stack([done.system_scores(metric.label), done.segment_scores(metric.label)])

    values = kept(key, compute)
    return MetricScores(
        metric.label,
        metric.metric.higher_is_better,
        system_scores=values[:, 0],
        segment_scores=values[:, 1:],
    )


def _cut(judged: JudgedSet, cut: Cutter) -> JudgedSet:
    corpus = judged.corpus
    lengths = [len(reference) for reference in corpus.references]
    flat = iter(cut([text for reference in corpus.references for text in reference]))
    references = [[next(flat) for _ in range(length)] for length in lengths]
    systems = {name: cut(outputs) for name, outputs in corpus.systems.items()}
    return replace(judged, corpus=replace(corpus, references=references, systems=systems))


def _cutter(tokens: Tokens) -> Cutter:
    """Tokenise English text with the packages of benchmarks/requirements.txt."""
    if tokens == "meteor":
        return _cut_as_meteor
    if tokens == "bare":
        return lambda texts: [" ".join(re.findall(r"\w+", text)) for text in texts]
    if tokens == "moses":
        from sacremoses import MosesTokenizer

        moses = MosesTokenizer("en")
        return lambda texts: [moses.tokenize(text, return_str=True, escape=False) for text in texts]
    from nltk.tokenize import TreebankWordTokenizer

    penn = TreebankWordTokenizer()
    return lambda texts: [" ".join(penn.tokenize(text)) for text in texts]


def _cut_as_meteor(texts: Sequence[str]) -> list[str]:
    tokens = meteor_tokens(Texts(list(texts)), "en", find_word_lists())
    return [" ".join(tokens.words(i)) for i in range(len(tokens))]
