"""Compare settings of the multilingual vectors, and of STD with them, by human agreement on WMT15.

Reads a folder `wmt15` (en-de, en-fr and en-ru with their rankings) and prints the tables of docs/languages.md:
Kendall's τ of segments in WMT14's variant. Has the requirements of make_multilingual_vectors.py.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from make_multilingual_vectors import NAME, Pieces, Settings, find_package, make_table, read_pieces
from tertium.commands.meta.meta import meta
from tertium.interfaces import WordVectors
from tertium.resources.vectors.loading import WordTable, load_vectors
from tertium.resources.vectors.pieces import PieceVectors

PAIRS = ("en-de", "en-fr", "en-ru")
BEST = "std"
CHOSEN = Settings()


def with_form(**changes: float | tuple[int, int]) -> Settings:
    """Return the chosen settings with another share of word form."""
    return replace(CHOSEN, form=replace(CHOSEN.form, **changes))  # type: ignore[arg-type]


VARIANTS = {
    "64 dimensions of meaning": replace(CHOSEN, dimension=64),
    "192 dimensions (too large a file)": replace(CHOSEN, dimension=192),
    "pieces keep their length": replace(CHOSEN, has_unit_length=False),
    "not centred": replace(CHOSEN, is_centred=False),
    "meaning alone": with_form(form_share=0.0),
    "form: a quarter": with_form(form_share=0.25),
    "form: three quarters": with_form(form_share=0.75),
    "form alone": with_form(form_share=1.0),
    "form of two to four characters": with_form(form_orders=(2, 4)),
    "form of three to five characters": with_form(form_orders=(3, 5)),
}
METRICS = (
    BEST,
    "std:order_weight=0.2",
    "std:mass=nbow",
    "std:mass=nsim,units=types,order_weight=0.4",
    "bleu_modif",
    "wer_modif",
    "mas",
    "has",
    "was",
    "sentvec",
    "bleu",
    "chrf",
    "chrf:beta=1",
    "chrf:beta=3",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder wmt15")
    parser.add_argument("--package", type=Path, help="the folder of the package's files, if not installed")
    arguments = parser.parse_args()
    table = load_vectors("multilingual")
    print_rows("metric, with the package's vectors", measure(arguments.data, METRICS, table))
    pieces = read_pieces(arguments.package or find_package())
    print_rows(f"vectors, under {BEST}", compare(arguments.data, pieces))


def print_rows(title: str, rows: Iterator[tuple[str, list[float]]]) -> None:
    print(f"\n| {title} | {' | '.join(PAIRS)} | average |\n|---|" + "---|" * (len(PAIRS) + 1))
    for label, values in rows:
        cells = " | ".join(f"{value:.3f}" for value in [*values, float(np.mean(values))])
        print(f"| {label} | {cells} |", flush=True)


def compare(data: Path, pieces: Pieces) -> Iterator[tuple[str, list[float]]]:
    """Yield the label of each variant and its agreement, with the vectors as they would be shipped."""
    with tempfile.TemporaryDirectory() as folder:
        for number, (label, settings) in enumerate(VARIANTS.items()):
            path = Path(folder) / f"{number}.npz"
            make_table(pieces, settings, path)
            table = WordTable(PieceVectors(path), NAME, (load_vectors, (str(path),)))
            yield from ((label, values) for _, values in measure(data, [BEST], table))


def measure(data: Path, metrics: Sequence[str], vectors: WordVectors) -> Iterator[tuple[str, list[float]]]:
    """Compute τ of each metric, by language pair."""
    result = meta(
        str(data),
        metrics,
        pairs=PAIRS,
        statistics="segment:wmt14",
        test="none",
        vectors=vectors,
    )
    (table,) = result.tables
    for row, metric in enumerate(table.metrics):
        values = [column.cells[row].value for column in table.columns if column.pair in PAIRS]
        yield metric, [value for value in values if value is not None]


if __name__ == "__main__":
    main()
