"""Compare the defaults of metrics with those of their papers, and with values near them, on years left out of the choice.

    python tools/choose_defaults.py --data FOLDER [--only std,red]

Prints the tables of docs/which-metric.md. For every year, the value with the best mean over the other years is chosen
and compared with the paper's in the year left out. A default may differ from the paper only if it is better on the left-out
years of both eras: WMT12, 14 and 15 (τ of rankings), WMT21 and 22 (r of direct assessments). FOLDER is that of
measure_presets.py, or has a part of its segments and language pairs: the page has 450 ranked segments of each pair of
WMT12, 14 and 15, and the pairs of WMT21 and 22 whose segments were assessed.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from measure_presets import ASSESSED, COLLECTIONS, RANKINGS, agreement
from tertium.commands.inspect.metric_tables import STATISTICS

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
    "mas": (
        "mas@paper",
        "mas",
        *(f"mas:threshold={threshold}" for threshold in (0, 0.1, 0.2, 0.3, 0.4, 0.5)),
    ),
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
    found = {metric: measure(CANDIDATES[metric], given.data) for metric in given.only.split(",")}
    print("\n".join([*compare_with_papers(found), "", *tabulate(found)]))


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


def compare_with_papers(found: Mapping[str, Figures]) -> list[str]:
    """Show the gain over the paper of each default, and of the value chosen without a year in this year."""
    rows = [f"| metric | {' | '.join(year.upper() for year in SEGMENTS)} |", f"|---|{'---|' * len(SEGMENTS)}"]
    for metric, figures in found.items():
        paper, default = CANDIDATES[metric][:2]
        gains = [_gain(figures, year, default, paper) for year in SEGMENTS.items()]
        choices = [(year, _choose(CANDIDATES[metric], figures, year)) for year in SEGMENTS.items()]
        chosen = [f"{_gain(figures, year, label, paper)} `{label}`" for year, label in choices]
        rows += [
            f"| **`{default}`** | {' | '.join(gains)} |",
            f"| best of the other years | {' | '.join(chosen)} |",
        ]
    return rows


def _gain(figures: Figures, year: tuple[str, str], label: str, paper: str) -> str:
    return f"{figures[year][label] - figures[year][paper]:+.3f}"


def _choose(labels: Sequence[str], figures: Figures, left_out: tuple[str, str]) -> str:
    """Choose the candidate with the best mean over the other years."""
    others = [year for year in SEGMENTS.items() if year != left_out]
    return max(labels, key=lambda label: fmean(figures[year][label] for year in others))


def tabulate(found: Mapping[str, Figures]) -> list[str]:
    """Show the figures of all candidates, with the defaults in bold."""
    columns = [*SEGMENTS.items(), *CHECKED.items()]
    head = " | ".join(f"{year.upper()} {STATISTICS[kind]}" for year, kind in columns)
    rows = [f"| options | {head} |", f"|---|{'--:|' * len(columns)}"]
    for metric, figures in found.items():
        for label in CANDIDATES[metric]:
            shown = f"**`{label}`**" if label == metric else f"`{label}`"
            rows.append(f"| {shown} | {' | '.join(f'{figures[column][label]:.3f}' for column in columns)} |")
    return rows


if __name__ == "__main__":
    main()
