"""Compare the defaults of metrics with those of their papers, and with values near them, on years left out of the choice.

    python tools/choose_defaults.py --data FOLDER [--only std,red]

Prints the tables of docs/which-metric.md. For every year, the value with the best mean over the other years is chosen
and compared with the paper's in the year left out. A default may differ from the paper only if it is better on the left-out
years of both eras: WMT12, 14 and 15 (τ of rankings), WMT21 and 22 (r of direct assessments). FOLDER is that of
measure_presets.py.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from measure_presets import ASSESSED, COLLECTIONS, RANKINGS, agreement

# Candidates by metric; the first is the paper's definition, the second the default.
CANDIDATES: Mapping[str, Sequence[str]] = {
    "std": (
        "std@paper",
        "std",
        "std@program",
        *(f"std:order_weight={weight}" for weight in (0, 0.1, 0.3, 0.4)),
        "std:mass=nbow",
        "std:mass=nsim",
        "std:units=types",
        "std:orders=1",
        "std:orders=1/2/3",
    ),
    "bleu_modif": (
        "bleu_modif@paper",
        "bleu_modif",
        *(f"bleu_modif:threshold={threshold}" for threshold in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9)),
    ),
    "mas": ("mas@paper", "mas", *(f"mas:threshold={threshold}" for threshold in (0, 0.1, 0.3, 0.4, 0.5))),
    "has": ("has@paper", "has", *(f"has:threshold={threshold}" for threshold in (0, 0.2, 0.3, 0.5))),
    "red": (
        "red@paper",
        "red",
        "red@paper:tokenizer=meteor",
        *(f"red:capitals={weight}" for weight in (0.25, 0.75, 1)),
        "red:alpha=0.7",
        "red:weights=0.5/0.3/0.2",
        "red:weights=0.2/0.3/0.5",
    ),
    "redp": (
        "redp@paper",
        "redp",
        "redp@wmt10",
        "redp@paper:recall=weighed",
        "redp:recall=plain",
        "redp:lowercase=yes",
        *(f"redp:two={weight}" for weight in (0.1, 0.5)),
        *(f"redp:capitals={weight}" for weight in (0.5, 1)),
        "redp:alpha=0.7",
    ),
}
SEGMENTS = {
    "wmt12": "segment",
    "wmt14": "segment",
    "wmt15": "segment",
    "wmt21": "assessment",
    "wmt22": "assessment",
}
CHECKED = {"wmt21": "accuracy", "wmt22": "accuracy"}

Figures = Mapping[tuple[str, str], Mapping[str, float]]
"""By year and kind of figure, the value of each candidate."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", default=",".join(CANDIDATES))
    given = parser.parse_args()
    for metric in given.only.split(","):
        figures = measure(CANDIDATES[metric], given.data)
        print(
            "\n".join(
                [*tabulate(CANDIDATES[metric], figures), "", *leave_out(CANDIDATES[metric], figures), ""]
            ),
            flush=True,
        )


def measure(labels: Sequence[str], root: Path) -> Figures:
    """Measure candidates on whole test sets into English."""
    found: dict[tuple[str, str], dict[str, float]] = {}
    for collection in COLLECTIONS:
        if collection.name in SEGMENTS:
            wanted = RANKINGS if "segment:wmt14" in collection.statistics else ASSESSED[:-1]
            for label, year, kind, value in agreement(
                collection.data(root), collection, metrics=labels, statistics=wanted
            ):
                found.setdefault((year, kind), {})[label] = value
    return found


def tabulate(labels: Sequence[str], figures: Figures) -> list[str]:
    columns = [*SEGMENTS.items(), *CHECKED.items()]
    names = {"segment": "τ", "assessment": "DA", "accuracy": "SPA"}
    head = " | ".join(f"{year.upper()} {names[kind]}" for year, kind in columns)
    rows = [f"| options | {head} |", f"|---|{'--:|' * len(columns)}"]
    for label in labels:
        shown = f"**`{label}`**" if label == labels[1] else f"`{label}`"
        rows.append(f"| {shown} | {' | '.join(f'{figures[column][label]:.3f}' for column in columns)} |")
    return rows


def leave_out(labels: Sequence[str], figures: Figures) -> list[str]:
    """Show the choice made without each year, and its gain over the paper in this year beside the default's."""
    paper, default = labels[:2]
    rows = [
        "| left out | chosen on the other years | gain over the paper | gain of the default |",
        "|---|---|--:|--:|",
    ]
    for left in SEGMENTS.items():
        others = [each for each in SEGMENTS.items() if each != left]
        chosen = max(labels, key=lambda label: fmean(figures[each][label] for each in others))
        gains = [figures[left][label] - figures[left][paper] for label in (chosen, default)]
        rows.append(f"| {left[0].upper()} | `{chosen}` | {gains[0]:+.3f} | {gains[1]:+.3f} |")
    return rows


if __name__ == "__main__":
    main()
