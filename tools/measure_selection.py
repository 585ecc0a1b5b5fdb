"""Measure how many segments each method of `tertium select` needs to reproduce the human ranking of systems.

    python tools/measure_selection.py FOLDER... [--metrics chrf,ter,bleu] [--repeats 20]

Every language pair of the judged folders that has segment scores is used. A repeat draws 70 % of the judged segments;
the ranking by all of them is the goal. A method chooses a share of them, and its accuracy is the share of pairs of
systems in the goal's order. The table has the mean accuracy over language pairs at some shares, and the smallest share
with an accuracy of 95 %, with 95 % intervals from a bootstrap over language pairs.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import get_args

import numpy as np

import tertium
from tertium.evaluation.item_choice import ChoiceMethod, rate_segments
from tertium.metaeval.scoring import MetricScores

METHODS: tuple[ChoiceMethod, ...] = get_args(ChoiceMethod)
SHARES = tuple(round(0.05 * i, 2) for i in range(1, 20))
SHOWN = (0.05, 0.1, 0.2, 0.3, 0.5)
GOAL = 0.95
POOL = 0.7


def measure(
    folders: list[str], metrics: str, n_repeats: int, dump: str | None
) -> dict[str, dict[str, np.ndarray]]:
    """Measure accuracy by language pair and method, (repeats, shares)."""
    found = {}
    for folder in folders:
        result = tertium.meta(folder, metrics)
        for judged, by_label in zip(result.sets, result.scored, strict=True):
            if judged.segment_scores is None or len(judged.systems) < 3:
                continue
            judged_systems = np.flatnonzero(~np.all(np.isnan(judged.segment_scores), axis=1))
            human = judged.segment_scores[judged_systems]
            by_name = {label: _oriented(each)[judged_systems] for label, each in by_label.items()}
            texts = list(judged.corpus.systems.values())
            outputs = [list(texts[i]) for i in judged_systems]
            name = f"{Path(folder).name} {judged.pair}"
            if dump:
                _dump(dump, name, [judged.systems[i] for i in judged_systems], human, by_name, outputs)
            found[name] = _repeat(human, np.stack(list(by_name.values())), outputs, n_repeats)
            print(name, len(human), "systems", flush=True)
    return found


def _oriented(scores: MetricScores) -> np.ndarray:
    values = np.asarray(scores.segment_scores)
    return values if scores.higher_is_better else -values


def _dump(
    folder: str,
    name: str,
    systems: Sequence[str],
    human: np.ndarray,
    by_label: Mapping[str, np.ndarray],
    outputs: Sequence[Sequence[str]],
) -> None:
    """Write the data of a language pair for other tools."""
    rows = [
        {
            "scores": {
                system: {"human": None if np.isnan(human[i, j]) else human[i, j]}
                | {label: float(each[i, j]) for label, each in by_label.items()}
                for i, system in enumerate(systems)
            },
            "tgt": {system: outputs[i][j] for i, system in enumerate(systems)},
        }
        for j in range(human.shape[1])
    ]
    Path(folder).mkdir(exist_ok=True)
    (Path(folder) / f"{name.replace(' ', '.')}.json").write_text(json.dumps(rows))


def _repeat(
    human: np.ndarray, scores: np.ndarray, outputs: list[list[str]], n_repeats: int
) -> dict[str, np.ndarray]:
    judged = np.flatnonzero((~np.isnan(human)).sum(axis=0) >= 2)
    diversity = rate_segments("diversity", scores, outputs, np.random.default_rng(0))
    accuracies: dict[str, list[list[float]]] = {method: [] for method in METHODS}
    for repeat in range(n_repeats):
        rng = np.random.default_rng(repeat)
        pool = np.sort(rng.choice(judged, size=int(POOL * len(judged)), replace=False))
        goal = np.nanmean(human[:, pool], axis=1)
        for method in METHODS:
            ratings = (
                diversity[pool]
                if method == "diversity"
                else rate_segments(method, scores[..., pool], outputs, rng)
            )
            order = pool[np.argsort(-ratings, kind="stable")]
            accuracies[method].append(
                [_accuracy(goal, human, order[: int(share * len(pool))]) for share in SHARES]
            )
    return {method: np.array(rows) for method, rows in accuracies.items()}


def _accuracy(goal: np.ndarray, human: np.ndarray, chosen: np.ndarray) -> float:
    with np.errstate(invalid="ignore"):
        means = np.nanmean(human[:, chosen], axis=1)
    pairs = [(a, b) for a, b in combinations(range(len(goal)), 2) if goal[a] != goal[b]]
    return float(np.mean([(goal[a] > goal[b]) == (means[a] > means[b]) for a, b in pairs]))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--metrics", default="chrf,ter,bleu")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--dump", help="folder for the data of each language pair")
    options = parser.parse_args()
    found = measure(options.folders, options.metrics, options.repeats, options.dump)
    rng = np.random.default_rng(0)
    draws = rng.integers(len(found), size=(2000, len(found)))
    print(
        "method        " + "".join(f"   {100 * share:3.0f} %" for share in SHOWN) + f"   share for {GOAL:.0%}"
    )
    for method in METHODS:
        curves = np.array([each[method].mean(axis=0) for each in found.values()])
        shown = "".join(_show(curves[:, SHARES.index(share)], draws) for share in SHOWN)
        needed = [_needed(curves[draw].mean(axis=0)) for draw in draws]
        low, high = np.quantile(needed, [0.025, 0.975])
        print(f"{method:14}{shown}   {_needed(curves.mean(axis=0)):.2f} [{low:.2f}, {high:.2f}]")


def _show(values: np.ndarray, draws: np.ndarray) -> str:
    low, high = np.quantile(values[draws].mean(axis=1), [0.025, 0.975])
    return f"  {values.mean():.2f} [{low:.2f} {high:.2f}]"


def _needed(curve: np.ndarray) -> float:
    reached = np.flatnonzero(curve >= GOAL)
    return SHARES[reached[0]] if len(reached) else 1.0


if __name__ == "__main__":
    main()
