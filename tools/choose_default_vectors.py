"""Compare settings of the default English vectors by the human agreement of STD on WMT15.

Reads da-segments.tsv of the WMT15 metrics task (tab-separated, with the columns lp, ref, hyp and human) and prints
the table of docs/default-vectors.md. Has the requirements of make_default_vectors.py; `--states FILE` caches the
encoder's states for both programs.
"""

import argparse
import csv
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from make_default_vectors import NAME, Settings, States, make_vectors, read_states
from tertium.metrics.embedding.std import STD
from tertium.resources.vectors.loading import load_vectors
from tertium.resources.vectors.writing import write_store
from tertium.text import References, Texts

PAIRS = ("cs-en", "de-en", "fi-en", "ru-en")
CHOSEN = Settings()
VARIANTS = {
    "chosen": CHOSEN,
    "32 dimensions": replace(CHOSEN, dimension=32),
    "48 dimensions": replace(CHOSEN, dimension=48),
    "64 dimensions (too large a file)": replace(CHOSEN, dimension=64),
    "96 dimensions (too large a file)": replace(CHOSEN, dimension=96),
    "components not weighed": replace(CHOSEN, spectrum_power=0.0),
    "components weighed twice as much": replace(CHOSEN, spectrum_power=0.5),
    "not centred": replace(CHOSEN, is_centred=False),
    "states keep their length": replace(CHOSEN, has_unit_length=False),
    "first component removed": replace(CHOSEN, removed=1),
    "first two components removed": replace(CHOSEN, removed=2),
    "plain: 64 dimensions, not weighed, own length": replace(
        CHOSEN, dimension=64, spectrum_power=0.0, has_unit_length=False
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("segments", type=Path, help="da-segments.tsv")
    parser.add_argument("--states", type=Path)
    arguments = parser.parse_args()
    with arguments.segments.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    print(f"| settings | {' | '.join(PAIRS)} | average |\n|---|" + "---|" * (len(PAIRS) + 1))
    for label, correlations in compare(read_states(arguments.states), rows):
        cells = " | ".join(f"{value:.3f}" for value in [*correlations, float(np.mean(correlations))])
        print(f"| {label} | {cells} |", flush=True)


def compare(states: States, rows: list[dict[str, str]]) -> Iterator[tuple[str, list[float]]]:
    """Yield the label of each variant and its correlations, by language pair."""
    for label, settings in VARIANTS.items():
        yield label, correlate(states, settings, rows, has_pieces=True)
    yield "words outside the table dropped", correlate(states, CHOSEN, rows, has_pieces=False)


def correlate(
    states: States, settings: Settings, rows: list[dict[str, str]], *, has_pieces: bool
) -> list[float]:
    """Compute |Pearson's r| of STD and the human scores, with the vectors as they would be shipped."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "variant.vectors"
        write_store(path, make_vectors(states, settings), name=NAME, precision="int8", has_pieces=has_pieces)
        metric = STD(vectors=load_vectors(path), units="types", mass="nsim", order_weight=0.4)
        return [_pearson(metric, [row for row in rows if row["lp"] == pair]) for pair in PAIRS]


def _pearson(metric: STD, rows: list[dict[str, str]]) -> float:
    references = References([[row["ref"]] for row in rows])
    hypotheses = Texts([row["hyp"] for row in rows], references.vocabulary)
    scores = metric.segment_scores(metric.statistics(hypotheses, references))
    return abs(float(np.corrcoef(scores, [float(row["human"]) for row in rows])[0, 1]))


if __name__ == "__main__":
    main()
