"""Time the accumulator against torchmetrics over batches of 32 segments. Requires torchmetrics, which requires PyTorch.

    python benchmarks/bench_accumulator.py OUTPUT REFERENCE [--batches 1000] [--metrics bleu,chrf]

Both tools read the same batches in turns, on one thread; the table shows processor time and both scores.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import torch
from torchmetrics.text import CHRFScore, SacreBLEUScore

import tertium
from tertium.kernels.threads import use_threads

PEERS = {"bleu": SacreBLEUScore, "chrf": partial(CHRFScore, n_word_order=0)}  # its default is chrF++
SIZE = 32
TURNS = 3

Batch = tuple[list[str], list[str]]


def main() -> None:
    """Print a line per metric."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("reference", type=Path)
    parser.add_argument("--batches", type=int, default=1000)
    parser.add_argument("--metrics", default="bleu,chrf")
    arguments = parser.parse_args()
    batches = draw_batches(arguments.output, arguments.reference, arguments.batches)
    torch.set_num_threads(1)
    print(
        f"{arguments.batches:,} batches of {SIZE} segments, seconds of processor time, median of {TURNS} turns"
    )
    with use_threads(1):
        for label in arguments.metrics.split(","):
            print(measure(label, batches))


def draw_batches(output: Path, reference: Path, n_batches: int) -> list[Batch]:
    """Draw segments at random, the same ones for both tools."""
    texts = [path.read_text(encoding="utf-8").splitlines() for path in (output, reference)]
    rows = list(zip(*texts, strict=True))
    rng = random.Random(1)
    drawn = [rng.choices(rows, k=SIZE) for _ in range(n_batches)]
    return [([row[0] for row in batch], [row[1] for row in batch]) for batch in drawn]


def measure(label: str, batches: Sequence[Batch]) -> str:
    """Return a line of the table."""

    def ours() -> float:
        scores = tertium.Accumulator(label)
        for hypotheses, references in batches:
            scores.update(hypotheses, references)
        return float(scores.compute()[label])

    def theirs() -> float:
        metric = PEERS[label]()
        for hypotheses, references in batches:
            metric.update(hypotheses, [[reference] for reference in references])
        return 100 * float(metric.compute())

    times: dict[Callable[[], float], list[float]] = {ours: [], theirs: []}
    scores = {}
    for _ in range(TURNS):
        for tool, seconds in times.items():
            start = time.process_time()
            scores[tool] = tool()
            seconds.append(time.process_time() - start)
    our_seconds, their_seconds = (statistics.median(seconds) for seconds in times.values())
    return (
        f"{label:6} Tertium {our_seconds:.3f} s ({scores[ours]:.4f})   torchmetrics {their_seconds:.2f} s"
        f" ({scores[theirs]:.4f})   ratio {their_seconds / our_seconds:.0f}"
    )


if __name__ == "__main__":
    main()
