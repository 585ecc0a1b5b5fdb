"""Time BLEU against sacreBLEU, WER against rapidfuzz, and two threads against one."""

import os
from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist
from sacrebleu.metrics import BLEU as PEER_BLEU

from harness import Row, Sample, alternating_seconds, compared_row, threaded_row
from tertium.commands.base.scoring import ScoreRequest
from tertium.corpus import CorpusFiles, read_corpus
from tertium.evaluation.evaluation import SegmentBatch, compute_statistics
from tertium.evaluation.resampling import POISSON_FROM
from tertium.kernels.edits import count_levenshtein, levenshtein_distances
from tertium.kernels.strings import number_pairs
from tertium.kernels.sums import sum_rows
from tertium.kernels.threads import use_threads
from tertium.metrics.lexical.bleu import BLEU
from tertium.metrics.lexical.wer import WER
from tertium.values import TokenColumn

__all__ = ["measure"]


def measure(sample: Sample) -> Iterator[Row]:
    """Time the jobs of the foundation."""
    yield _bleu(sample)
    yield _bleu_of_files(sample)
    yield from _wer(sample)
    yield _wer_of_text(sample)
    yield from _threads(sample)


def _bleu(sample: Sample) -> Row:
    def peer() -> object:  # a new object each time, because its tokenizer caches every line
        return PEER_BLEU().corpus_score(sample.hypotheses, [sample.references])

    ours = partial(_with_threads, 1, partial(_score_bleu, sample))
    return compared_row("BLEU, raw text in, score out", "sacreBLEU", ours, peer, 20)


def _bleu_of_files(sample: Sample) -> Row:
    with TemporaryDirectory() as folder:
        ours, theirs = Path(folder, "ours.txt"), Path(folder, "theirs.txt")
        ours.write_text("\n".join(sample.hypotheses) + "\n", encoding="utf-8")
        theirs.write_text("\n".join(sample.references) + "\n", encoding="utf-8")

        def work() -> float:
            corpus = read_corpus([str(theirs)], [("ours", str(ours))])
            (table,) = compute_statistics(
                SegmentBatch(corpus.references, list(corpus.systems.values())), [BLEU()]
            )
            return float(BLEU().combine(sum_rows(table))[0])

        def peer() -> object:
            texts = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (ours, theirs)]
            return PEER_BLEU().corpus_score(texts[0], [texts[1]])

        alone = partial(_with_threads, 1, work)
        return compared_row("BLEU, files in, score out", "sacreBLEU", alone, peer, 60)


def _wer(sample: Sample) -> Iterator[Row]:
    hypotheses = [text.split() for text in sample.hypotheses]
    references = [text.split() for text in sample.references]
    first, second = number_pairs(hypotheses, references)
    each = np.arange(len(second) + 1, dtype=np.int64)
    pairs = [_arrays(first), _arrays(second)]
    ours, one_by_one, batch = alternating_seconds(
        [
            lambda: _with_threads(1, lambda: count_levenshtein(first, second, each)),
            lambda: sum(map(Levenshtein.distance, *pairs)),
            lambda: cpdist(*pairs, scorer=Levenshtein.distance, workers=1),
        ],
        repeats=15,
    )
    yield Row("WER edits, token ids in", "rapidfuzz", ours, min(one_by_one, batch), 3)
    # Both must read Python's strings, which takes most of the time; rapidfuzz only reads their hashes.
    ours, one_by_one, batch = alternating_seconds(
        [
            lambda: _with_threads(1, lambda: levenshtein_distances(hypotheses, references)),
            lambda: sum(map(Levenshtein.distance, hypotheses, references)),
            lambda: cpdist(hypotheses, references, scorer=Levenshtein.distance, workers=1),
        ],
        repeats=15,
    )
    yield Row("WER edits, token lists in", "rapidfuzz", ours, min(one_by_one, batch), 1)


def _arrays(column: TokenColumn) -> "list[array[int]]":
    """Return the ids of each text in a form that rapidfuzz compares without accessing Python objects."""
    return [array("i", part.tolist()) for part in np.split(column.ids, column.offsets[1:-1])]


def _wer_of_text(sample: Sample) -> Row:
    metric = WER(tokenizer="none")

    def ours() -> float:
        return metric.corpus_score(sample.hypotheses, [sample.references], orientation="streams").value

    def peer() -> float:
        pairs = [(h.split(), r.split()) for h, r in zip(sample.hypotheses, sample.references, strict=True)]
        return 100 * sum(Levenshtein.distance(*pair) for pair in pairs) / sum(len(r) for _, r in pairs)

    if abs(ours() - peer()) > 1e-9:
        raise AssertionError(f"rapidfuzz: {peer()} is not our {ours()}")
    alone = partial(_with_threads, 1, ours)
    return compared_row("WER, raw text in, score out", "rapidfuzz", alone, peer, 3)


def _threads(sample: Sample) -> Iterator[Row]:
    """Score files in parts, as `tertium score` does with large files."""
    times = int(np.ceil(2.5 * POISSON_FROM / len(sample.hypotheses)))
    with TemporaryDirectory() as folder:
        paths = []
        for name, lines in (("ref", sample.references), ("hyp", sample.hypotheses)):
            paths.append(Path(folder, f"{name}.txt"))
            paths[-1].write_text("".join(f"{line}\n" for line in lines) * times, encoding="utf-8")
        os.sync()  # otherwise the system writes them to disk during the first runs, on a core that is measured
        files = CorpusFiles(references=(str(paths[0]),), hypotheses=(str(paths[1]),))
        for metrics in ("bleu", "bleu,chrf,ter"):
            requests = {n: ScoreRequest(files, metrics=metrics, tests_pairs=False, threads=n) for n in (1, 2)}
            job = f"{metrics}, {times * len(sample.hypotheses):,} pairs in files, two threads"
            yield threaded_row(job, partial(_run_one_of, requests), 1.85, n_turns=9, n_texts=times)


def _run_one_of(requests: Mapping[int, ScoreRequest], n_threads: int) -> None:
    requests[n_threads].run()


def _score_bleu(sample: Sample) -> object:
    return BLEU().corpus_score(sample.hypotheses, [sample.references], orientation="streams")


def _with_threads(count: int, work: Callable[[], object]) -> object:
    with use_threads(count):
        return work()
