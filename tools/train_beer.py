"""Train BEER's weights on relative rankings by pairwise logistic regression.

Run: python tools/train_beer.py --data FOLDER --train wmt10 wmt12 wmt14 --test wmt15

FOLDER contains wmtYY/LP/ref.txt, wmtYY/LP/systems/NAME.txt (one line per segment) and wmtYY/rankings.tsv.gz
(lp, seg_id, judge, ranking_id, sys1, rank1, sys2, rank2; 1 is best).
"""

import argparse
import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from tertium.metrics.lexical.beer import BEER, FEATURES, PENALTIES
from tertium.resources.presets import BEER_WEIGHTS, LearnedWeights
from tertium.text import References, Texts
from tertium.values import FloatArray

EQUAL = LearnedWeights("equal", dict.fromkeys(FEATURES, 1.0))
SIGNS = np.array([1.0] * len(FEATURES) + [-1.0] * len(PENALTIES))


@dataclass(frozen=True)
class Pairs:
    """Human preferences: features of the better translation minus those of the worse, one row per judgment."""

    name: str
    differences: FloatArray


def main() -> None:
    """Train the weights, report on training and test data, and write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--test", nargs="+", default=[])
    parser.add_argument("--l2", type=float, default=1e-4)
    parser.add_argument("--output", type=Path, default=BEER_WEIGHTS)
    given = parser.parse_args()
    train = [pairs for year in given.train for pairs in read_year(given.data / year)]
    weights = learn(np.concatenate([pairs.differences for pairs in train]), given.l2)
    test = [pairs for year in given.test for pairs in read_year(given.data / year)]
    equal = np.concatenate([np.ones(len(FEATURES)), np.zeros(len(PENALTIES))])
    for pairs in (*train, *test):
        print(f"{pairs.name:14} {len(pairs.differences):7,} pairs  tau {tau(pairs, weights):.4f}  equal {tau(pairs, equal):.4f}")  # fmt: skip
    given.output.write_text(render(weights, given, test), encoding="utf-8")


def read_year(folder: Path) -> Iterator[Pairs]:
    """Yield the judged pairs of each language pair whose texts are available."""
    with gzip.open(folder / "rankings.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for pair in sorted({row["lp"] for row in rows}):
        if (folder / pair / "ref.txt").exists():
            judged = [row for row in rows if row["lp"] == pair and row["rank1"] != row["rank2"]]
            yield Pairs(f"{folder.name} {pair}", differences(folder / pair, judged))


def differences(folder: Path, rows: list[dict[str, str]]) -> FloatArray:
    references = References([[text] for text in read_lines(folder / "ref.txt")])
    metric = BEER(weights=EQUAL)
    features = {
        path.stem: metric.features(Texts(read_lines(path), references.vocabulary), references)
        for path in sorted((folder / "systems").glob("*.txt"))
    }
    kept = [row for row in rows if row["sys1"] in features and row["sys2"] in features]
    found = np.empty((len(kept), len(SIGNS)))
    for i, row in enumerate(kept):
        segment, sign = int(row["seg_id"]) - 1, 1 if int(row["rank1"]) < int(row["rank2"]) else -1
        found[i] = sign * (features[row["sys1"]][segment] - features[row["sys2"]][segment])
    return found


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def learn(pairs: FloatArray, l2: float) -> FloatArray:
    """Minimise the logistic loss of the preferences, with weights of at least 0."""
    signed = pairs * SIGNS

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        margins = signed @ weights
        wrong = 1.0 / (1.0 + np.exp(np.clip(margins, -500, 500)))
        gradient = -(wrong @ signed) / len(signed) + l2 * weights
        return float(np.logaddexp(0.0, -margins).mean() + 0.5 * l2 * weights @ weights), gradient

    start = np.full(len(SIGNS), 0.1)
    result = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * len(SIGNS), options={"maxiter": 2000})  # fmt: skip
    return np.asarray(result.x / result.x[: len(FEATURES)].sum())


def tau(pairs: Pairs, weights: FloatArray) -> float:
    """Compute Kendall's tau of WMT 2012: human ties are left out, ties of the metric count as wrong."""
    right: npt.NDArray[np.bool_] = pairs.differences @ (SIGNS * weights) > 0
    return float(2 * right.mean() - 1)


def render(weights: FloatArray, given: argparse.Namespace, test: list[Pairs]) -> str:
    command = f"python tools/train_beer.py --data FOLDER --train {' '.join(given.train)}"
    if given.test:
        command += f" --test {' '.join(given.test)}"
    lines = [
        "# BEER's weights, learned from the relative rankings of the WMT workshops. Made by:",
        f"# {command} --l2 {given.l2:g}",
        *(f"# {pairs.name}: tau {tau(pairs, weights):.4f} on {len(pairs.differences):,} pairs not trained on" for pairs in test),
        "",
        "[weights]",
    ]  # fmt: skip
    names = (*FEATURES, *PENALTIES)
    lines += [
        f'"{name}" = {weight:.6f}' for name, weight in zip(names, weights, strict=True) if weight >= 5e-7
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
