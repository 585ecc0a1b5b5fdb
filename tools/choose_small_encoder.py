"""Compare encoders that would be small enough for the package by size, speed and the human agreement of STD.

    python tools/choose_small_encoder.py da-segments.tsv
    python tools/choose_small_encoder.py --judge FOLDER [--judge FOLDER]…

Reads da-segments.tsv of the WMT15 metrics task (tab-separated, with the columns lp, ref, hyp and human) and prints
the first table on smaller encoders of docs/default-vectors.md; with `--judge`, the second one, over a sample of the
segments of folders in the format of `tertium meta`. Requires the extra `contextual`.

All variants are made from the weights of that extra without training. Fewer bits are simulated: weights are rounded,
and computed by the kernel for weights of one byte. The size is that of a file with packed bits.
"""

import argparse
import gzip
import os
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import fmean

import numpy as np

import tertium
from tertium.interfaces import WordVectors
from tertium.kernels import use_threads
from tertium.kernels.encoder import Table, TextEncoder
from tertium.metaeval.data import JudgedData
from tertium.resources.vectors.contextual import EncodedVectors
from tertium.resources.vectors.loading import load_vectors
from tertium.resources.vectors.minilm import LAST, Encoder, WordPieces, read_wordpieces
from tertium.resources.vectors.sources import Matrix

# Weights that share a scale, if they have fewer than six bits.
GROUP = 64
# Segments of each language pair that are scored in the folders of `--judge`.
SAMPLE = 200


@dataclass(frozen=True)
class Variant:
    """How the encoder is made smaller: layers, bits of their weights and of embeddings, pieces of words."""

    layers: int = 4
    weight_bits: int = 8
    embedding_bits: int = 4
    n_pieces: int = 30_522


SIX_BITS = Variant(weight_bits=6)
SIX_LAYERS = Variant(layers=6, weight_bits=4, n_pieces=24_000)
VARIANTS = {
    "`contextual:4`": Variant(embedding_bits=8),
    "2 layers": Variant(layers=2),
    "3 layers": Variant(layers=3),
    "4 layers, 20,000 pieces": Variant(n_pieces=20_000),
    "4 layers of 6 bits": SIX_BITS,
    "4 layers of 4 bits": replace(SIX_BITS, weight_bits=4),
    "6 layers of 4 bits, 24,000 pieces": SIX_LAYERS,
}
JOINED = "the same, states of layers 4 and 6 side by side"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("segments", type=Path, nargs="?", help="da-segments.tsv of WMT15")
    parser.add_argument("--judge", type=Path, action="append", default=[], metavar="FOLDER")
    arguments = parser.parse_args()
    os.environ["TERTIUM_CACHE"] = "off"
    with use_threads(1):
        if arguments.segments:
            print_choice(JudgedData(human=(str(arguments.segments),)))
        for folder in arguments.judge:
            print_judgment(folder)


def print_choice(data: JudgedData) -> None:
    """Print size, processor time and correlations of all variants on the data of the choice."""
    print("| variant | MB | seconds | average r | r by language pair |\n|---|--:|--:|--:|---|")
    _print_row("`english`", load_vectors("english"), data, "")
    for label, variant in VARIANTS.items():
        encoder = SmallEncoder(variant)
        _print_row(label, SmallVectors(encoder, label), data, f"{encoder.size / 1e6:.1f}")
    _print_row(JOINED, join_layers(), data, f"{SmallEncoder(SIX_LAYERS).size / 1e6:.1f}")


def join_layers() -> WordVectors:
    """Return the vectors whose first half are the states of layer 4, and whose second half are those of layer 6."""
    return SmallVectors(
        JoinedEncoder(SmallEncoder(replace(SIX_LAYERS, layers=4)), SmallEncoder(SIX_LAYERS)), JOINED
    )


def _print_row(label: str, vectors: WordVectors, data: JudgedData, size: str) -> None:
    start = time.process_time()
    values = correlate(vectors, data, "segment:pearson")
    seconds = time.process_time() - start
    cells = ", ".join(f"{pair} {value:.3f}" for pair, value in values.items())
    print(f"| {label} | {size} | {seconds:.1f} | {fmean(values.values()):.3f} | {cells} |", flush=True)


def print_judgment(folder: Path) -> None:
    """Print the correlations of the static table, the encoder and the chosen variant on a sample of a folder."""
    statistic = "segment:wmt14" if (folder / "rankings.tsv.gz").exists() else "segment:pearson"
    named = {
        "`english`": load_vectors("english"),
        "`contextual:4`": load_vectors("contextual:4"),
        "4 layers of 6 bits": SmallVectors(SmallEncoder(SIX_BITS), "6 bits"),
        "6 layers of 4 bits, layers 4 and 6": join_layers(),
    }
    with tempfile.TemporaryDirectory() as sample:
        write_sample(folder, Path(sample))
        for label, vectors in named.items():
            values = correlate(vectors, JudgedData(folder=sample), statistic)
            cells = ", ".join(f"{pair} {value:.3f}" for pair, value in values.items())
            print(f"| {folder.name} | {label} | {fmean(values.values()):.4f} | {cells} |", flush=True)


def correlate(vectors: WordVectors, data: JudgedData, statistic: str) -> dict[str, float]:
    """Return the agreement of STD with the judgments of each language pair."""
    result = tertium.meta(data, ["std"], vectors=vectors, statistics=[statistic], test="none")
    (table,) = result.tables
    cells = {column.pair: column.cells[0] for column in table.columns}
    return {pair: abs(cell.value) for pair, cell in cells.items() if pair and cell and cell.value is not None}


class SmallEncoder(Encoder):
    """The encoder of `contextual` with rounded weights and fewer pieces."""

    def __init__(self, variant: Variant) -> None:
        super().__init__(variant.layers)
        self._variant = variant
        embeddings, layers = self._model.tables()
        self._embeddings = round_rows(embeddings, "pieces", variant.embedding_bits)
        self._layers = [round_layer(layer, variant.weight_bits) for layer in layers[: variant.layers]]

    @property
    def size(self) -> int:
        """The bytes of a file with these weights."""
        variant, width = self._variant, self._embeddings["type"].size
        pieces = variant.n_pieces * size_of_row(width, variant.embedding_bits)
        others = sum(each.nbytes for name, each in self._embeddings.items() if not name.startswith("pieces"))
        return int(pieces + others + sum(size_of_layer(each, variant.weight_bits) for each in self._layers))

    @cached_property
    def _encoder(self) -> TextEncoder:
        return TextEncoder(self._embeddings, self._layers)

    @cached_property
    def _wordpieces(self) -> WordPieces:
        return WordPieces(drop_pieces(read_wordpieces(), self._variant.n_pieces))


class JoinedEncoder:
    """The states of two encoders with the same pieces, each of length 1, side by side."""

    def __init__(self, first: SmallEncoder, second: SmallEncoder) -> None:
        self._first, self._second = first, second
        self.max_pieces, self.cut = first.max_pieces, first.cut

    def encode(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix]]:
        """Yield the index and the states of each sequence."""
        both = zip(self._first.encode(sequences), self._second.encode(sequences), strict=True)
        for (number, first), (_, second) in both:
            yield (
                number,
                np.hstack([each / np.linalg.norm(each, axis=1, keepdims=True) for each in (first, second)]),
            )


class SmallVectors(EncodedVectors):
    """Contextual vectors of a smaller encoder."""

    languages = frozenset({"en"})
    remedy = "round the weights less"


Tables = dict[str, Table]


def round_layer(tables: Tables, bits: int) -> Tables:
    """Round the six matrices of a layer, whose columns are the outputs."""
    for name in [name.removesuffix(".weights") for name, table in tables.items() if table.ndim == 2]:
        turned = {**tables, f"{name}.weights": tables[f"{name}.weights"].T}
        rounded = round_rows(turned, name, bits)
        tables = {**rounded, f"{name}.weights": np.ascontiguousarray(rounded[f"{name}.weights"].T)}
    return tables


def round_rows(tables: Tables, name: str, bits: int) -> Tables:
    """Round the rows of a table to fewer bits, and express them as bytes again."""
    if bits >= 8:
        return tables
    weights = tables[f"{name}.weights"] * tables[f"{name}.scales"][:, np.newaxis]
    rounded = round_groups(weights.reshape(-1, group_of(weights.shape[1], bits)), bits).reshape(weights.shape)
    scales = np.maximum(np.abs(rounded).max(axis=1) / 127, 1e-12).astype(np.float32)
    whole = np.rint(rounded / scales[:, np.newaxis]).astype(np.int8)
    return {**tables, f"{name}.weights": whole, f"{name}.scales": scales}


def round_groups(groups: Matrix, bits: int) -> Matrix:
    """Round each row to multiples of a scale, the one of ten with the smallest squared error."""
    most = 2 ** (bits - 1) - 1
    largest = np.maximum(np.abs(groups).max(axis=1, keepdims=True), 1e-12)
    best, error = np.zeros_like(groups), np.full((len(groups), 1), np.inf)
    for share in np.arange(1.0, 0.5, -0.05):
        scales = (largest * share / most).astype(np.float16).astype(np.float32)
        rounded = np.clip(np.rint(groups / np.maximum(scales, 1e-12)), -most - 1, most) * scales
        errors = ((rounded - groups) ** 2).sum(axis=1, keepdims=True)
        best, error = np.where(errors < error, rounded, best), np.minimum(error, errors)
    return best


def group_of(width: int, bits: int) -> int:
    """Return how many weights of a row share a scale."""
    return GROUP if bits < 6 else width


def size_of_row(width: int, bits: int) -> float:
    """Return the bytes of packed weights and of their scales in half precision."""
    return width * bits / 8 + 2 * width / group_of(width, bits)


def size_of_layer(tables: Tables, bits: int) -> float:
    """Return the bytes of a layer; its biases and norms keep their precision."""
    matrices = [table for table in tables.values() if table.ndim == 2]
    floats = [table for name, table in tables.items() if table.ndim == 1 and not name.endswith(".scales")]
    packed = sum(table.shape[1] * size_of_row(table.shape[0], bits) for table in matrices)
    return float(packed + sum(table.nbytes for table in floats))


def drop_pieces(pieces: Sequence[str], n_kept: int) -> list[str]:
    """Make all but the most frequent pieces unreachable; words are cut into the remaining ones.

    BERT's vocabulary is in the order of frequency, after special entries and single characters, which are kept. Pieces
    with characters other than ASCII are dropped first.
    """
    rarest_first = sorted(range(len(pieces)), key=lambda number: (pieces[number].isascii(), -number))
    is_free = [number for number in rarest_first if len(pieces[number].strip("#")) > 1 and number > LAST]
    dropped = set(is_free[: len(pieces) - n_kept])
    return [f"\0{number}" if number in dropped else piece for number, piece in enumerate(pieces)]


def write_sample(folder: Path, sample: Path) -> None:
    """Copy a folder with the outputs and judgments of some segments only; the other outputs become empty."""
    (table,) = (path for path in folder.iterdir() if path.name in {"rankings.tsv.gz", "da-segments.tsv"})
    header, *rows = _read_lines(table)
    pair_column, segment_column = (header.split("\t").index(name) for name in ("lp", "seg_id"))
    judged: dict[str, set[str]] = {}
    for row in rows:
        judged.setdefault(row.split("\t")[pair_column], set()).add(row.split("\t")[segment_column])
    chosen = {
        (pair, segment)
        for pair, segments in judged.items()
        for segment in random.Random(1).sample(sorted(segments), min(SAMPLE, len(segments)))
    }
    kept = [row for row in rows if (row.split("\t")[pair_column], row.split("\t")[segment_column]) in chosen]
    _write_lines(sample / table.name.removesuffix(".gz"), [header, *kept])
    for path in folder.glob("*-en/systems/*.txt"):
        pair = path.parent.parent.name
        lines = [
            text if (pair, str(number)) in chosen else ""
            for number, text in enumerate(_read_lines(path), start=1)
        ]
        _write_lines(sample / path.relative_to(folder), lines)
    for path in folder.glob("*-en/ref.txt"):
        _write_lines(sample / path.relative_to(folder), _read_lines(path))


def _read_lines(path: Path) -> list[str]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().split("\n")[:-1]


def _write_lines(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
