"""Measure typical deviations of differences between systems, for `tertium plan`, on test sets of WMT.

    python tools/measure_deviations.py FOLDER…    # each contains PAIR/ref.txt and PAIR/systems/*.txt

For each language pair and metric, systems are ranked and every system is compared with the next one. Writes quartiles over
all language pairs to src/tertium/resources/data/deviations.json.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

from simulate_tests import read_systems
from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.evaluation.planning import measure_deviation

METRICS = "bleu,chrf,chrf:word_order=2,ter,wer,per,cer,sentbleu,wordf,ribes"
TARGET = Path(__file__).parents[1] / "src/tertium/resources/data/deviations.json"


def main() -> None:
    """Measure and write."""
    found: dict[str, list[float]] = {}
    pairs = [
        path
        for folder in sys.argv[1:]
        for path in sorted(Path(folder).glob("*-en"))
        if (path / "systems").is_dir()
    ]
    for path in pairs:
        evaluation = evaluate(read_systems(path), parse_metrics([METRICS]))
        for label in evaluation.labels:
            order = [evaluation.systems[i] for i in np.argsort(evaluation.system_scores(label))]
            for first, second in pairwise(order):
                found.setdefault(label, []).append(
                    measure_deviation(evaluation, label, first, second).deviation
                )
        print(path, evaluation.n_segments, len(evaluation.systems), flush=True)
    metrics = {label: summarise(values) for label, values in found.items()}
    source = (
        f"{', '.join(Path(folder).name for folder in sys.argv[1:])}, {len(pairs)} language pairs into English"
    )
    TARGET.write_text(json.dumps({"source": source, "metrics": metrics}, indent=1) + "\n", encoding="utf-8")


def summarise(values: list[float]) -> dict[str, float]:
    """Compute the quartiles."""
    low, median, high = np.quantile([value for value in values if value > 0], [0.25, 0.5, 0.75])
    return {"low": round(low, 2), "median": round(median, 2), "high": round(high, 2), "pairs": len(values)}


if __name__ == "__main__":
    main()
