"""Compute the papers' tables and figures from judged data and print them next to the printed numbers, in Markdown.

Usage: PYTHONPATH=benchmarks python -m papers.run FOLDER [--vectors FOLDER] [--images FOLDER] > docs/papers.md; the first
folder contains wmt12, wmt14 and wmt15 unpacked, and d2t-sfres.jsonl.xz.
"""

import argparse
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from papers import (
    examples_2016,
    examples_2017,
    figures_2003,
    inversion_2003,
    pairs_2017,
    red_setup,
    std_vectors,
    verdicts,
    why_was,
)
from papers.claims import CURVES, EVALUATION, FOOT, HEAD, INVERSION, MODIF, PAIRS, RED, STD
from papers.keeping import keep_in
from papers.markdown import Pictures
from papers.paper_tables import render_table
from papers.tables import TABLES
from papers.thresholds import (
    draw_thresholds,
    find_vectors,
    render_curves,
    render_evaluation,
    render_wer_modif,
)

__all__ = ["sections"]

Section = Callable[[], str]


def main() -> None:
    """Print the page, or some of its sections."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with wmt12/, wmt14/, wmt15/ and d2t-sfres.jsonl.xz")
    parser.add_argument("--vectors", type=Path, help="folder with vectors: NAME.LANGUAGE.vectors")
    parser.add_argument("--images", type=Path, help="where pictures are written; nowhere without it")
    parser.add_argument("--keep", type=Path, help="folder for scores, which are not computed again")
    parser.add_argument("--only", nargs="+", help="sections to print, without the rest of the page")
    arguments = parser.parse_args()
    if arguments.keep:
        keep_in(arguments.keep)
    made = sections(arguments.data, arguments.vectors, Pictures(arguments.images))
    if unknown := set(arguments.only or ()) - set(made):
        parser.error(f"no section {', '.join(sorted(unknown))}; choose from {', '.join(made)}")
    for name in arguments.only or made:
        print(made[name](), flush=True)


def sections(data: Path, vectors: Path | None, pictures: Pictures) -> Mapping[str, Section]:
    """Return the function of each section, in the order of the page."""
    return {
        "head": lambda: HEAD,
        **_inversion(data, pictures),
        **_red(data),
        **_modif(data, vectors, pictures),
        **_pairs(data, vectors, pictures),
        **_std(data, vectors, pictures),
        "foot": lambda: FOOT,
    }


def _tables(prefix: str, data: Path) -> dict[str, Section]:
    return {
        name: partial(render_table, each, data) for name, each in TABLES.items() if name.startswith(prefix)
    }


def _inversion(data: Path, pictures: Pictures) -> dict[str, Section]:
    return {
        "invwer": lambda: INVERSION,
        "invwer-correlations": partial(inversion_2003.render_correlations, data),
        "invwer-factors": partial(inversion_2003.render_factors, data),
        "invwer-rankings": partial(inversion_2003.render_rankings, data),
        "invwer-references": partial(inversion_2003.render_references, data),
        "invwer-figures": partial(figures_2003.render_figures, data, pictures),
        "invwer-claims": partial(inversion_2003.render_claims, data),
    }


def _red(data: Path) -> dict[str, Section]:
    return {
        "red": lambda: RED,
        "red-setup": partial(red_setup.render_setup, data),
        **_tables("red", data),
        "red-claims": partial(verdicts.render_red, data),
    }


def _modif(data: Path, vectors: Path | None, pictures: Pictures) -> dict[str, Section]:
    return {
        "modif": lambda: MODIF,
        "modif-thresholds": partial(_thresholds, data, vectors, pictures),
        **_tables("modif", data),
        "modif-examples": partial(examples_2016.render_examples, _german(vectors)),
        "modif-places": partial(examples_2016.render_places, data, pictures),
        "modif-claims": partial(verdicts.render_modif, data),
    }


def _thresholds(data: Path, vectors: Path | None, pictures: Pictures) -> str:
    sets, title = find_vectors(vectors), "Figure 1: the threshold of BLEUmodif on WMT14"
    picture = pictures.show("modif-figure-1", draw_thresholds(sets, data, title), title)
    tuned = [CURVES, render_curves(sets, data), "", picture, render_wer_modif(sets, data), ""]
    return "\n".join([*tuned, EVALUATION, render_evaluation(sets, data), ""])


def _german(vectors: Path | None) -> dict[str, str]:
    files = sorted(vectors.glob("*.de.vectors")) if vectors else []
    named = {path.name.partition(".")[0]: str(path) for path in files}
    return {"package": "english", "multilingual": "multilingual", **named}


def _pairs(data: Path, vectors: Path | None, pictures: Pictures) -> dict[str, Section]:
    static = {n: p for n, p in std_vectors.find_sets(vectors).items() if not n.startswith("contextual")}
    return {
        "was": lambda: PAIRS,
        "was-curves": partial(pairs_2017.render_curves, data, pictures),
        "was-sentences": partial(pairs_2017.render_sentences, data),
        "was-systems": partial(pairs_2017.render_systems, data),
        "was-transfer": partial(pairs_2017.render_transfer, data),
        "was-examples": examples_2017.render_examples,
        "was-why": partial(why_was.render_why, data, static),
        "was-claims": lambda: pairs_2017.render_claims(data, partial(why_was.shortness, data=data)),
    }


def _std(data: Path, vectors: Path | None, pictures: Pictures) -> dict[str, Section]:
    return {
        "std": lambda: STD,
        "std-examples": std_vectors.render_examples,
        "std-heatmaps": partial(std_vectors.render_heatmaps, pictures),
        **_tables("std", data),
        "std-vectors": partial(std_vectors.render_vectors, data, vectors),
        "std-ablations": partial(std_vectors.render_ablations, data),
        "std-claims": lambda: std_vectors.render_claims(data, vectors, verdicts.std_claims(data)),
    }


if __name__ == "__main__":
    main()
