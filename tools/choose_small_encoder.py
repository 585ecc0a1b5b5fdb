"""Compare encoders that would be small enough for the package by size, speed and the human agreement of STD.

    python tools/choose_small_encoder.py --data FOLDER

FOLDER contains wmt10, wmt12, … in the format of `tertium meta`. Prints the tables on smaller encoders of
docs/default-vectors.md: all variants on WMT15's direct assessments, on which the choice is made, and two of them on a
sample of other years. Requires the extra `contextual`; takes five minutes on one core.

All variants are made from the weights of that extra without training. Fewer bits are simulated: weights are rounded,
and computed by the kernel for weights of one byte. The size is that of a file with packed bits.
"""

import argparse
import csv
import gzip
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean

import numpy as np

from tertium.interfaces import VectorKind, WordVectors
from tertium.kernels.embedding import Table, TextEncoder
from tertium.kernels.threads import use_threads
from tertium.metrics.embedding.std import STD
from tertium.resources.vectors.contextual import EncodedVectors
from tertium.resources.vectors.loading import load_vectors
from tertium.resources.vectors.minilm import FIRST, LAST, UNKNOWN, Encoder, WordPieces, read_wordpieces
from tertium.resources.vectors.sources import Matrix
from tertium.text import References, Texts
from tertium.values import Embedding, FloatArray, TokenColumn

# Weights that share a scale, if they have fewer than five bits; otherwise it is a row's only scale.
GROUP = 64
# Years whose texts say which pieces are frequent, and years of the judgment with the segments of each language pair.
COUNTED = ("wmt10", "wmt14")
JUDGED = {"wmt12": 250, "wmt21": 200, "wmt22": 200}


@dataclass(frozen=True)
class Variant:
    """How the encoder is made smaller: layers, bits of their weights and of embeddings, pieces of words."""

    layers: int = 4
    weight_bits: int = 8
    embedding_bits: int = 4
    n_pieces: int = 30_522


FOUR_LAYERS = Variant(weight_bits=4, n_pieces=20_894)
SIX_LAYERS = Variant(layers=6, weight_bits=4, n_pieces=20_894)
VARIANTS = {
    "`contextual:4`": Variant(embedding_bits=8),
    "2 layers": Variant(layers=2),
    "3 layers": Variant(layers=3),
    "4 layers, 20,894 pieces": Variant(n_pieces=20_894),
    "4 layers of 6 bits": Variant(weight_bits=6),
    "4 layers of 4 bits": Variant(weight_bits=4),
    "4 layers of 4 bits, 20,894 pieces": FOUR_LAYERS,
    "6 layers of 4 bits, 20,894 pieces": SIX_LAYERS,
}
JOINED = "the same, states of layers 4 and 6 joined"


@dataclass(frozen=True)
class Judged:
    """Outputs of a language pair with direct assessments, or with pairs of a better and a worse output."""

    hypotheses: Sequence[str]
    references: Sequence[str]
    all_references: Sequence[str]
    human: FloatArray | None = None
    ranked: Sequence[tuple[int, int]] = ()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    data: Path = parser.parse_args().data
    os.environ["TERTIUM_CACHE"] = "off"
    with use_threads(1):
        counts = count_pieces(data)
        print_choice(list(read_assessed_texts(data / "wmt15/da-segments.tsv")), counts)
        for year, n_segments in JUDGED.items():
            print_judgment(data / year, n_segments, counts)


def print_choice(judged: Sequence[Judged], counts: Mapping[int, int]) -> None:
    """Print size, processor time and correlation of every variant on the data of the choice."""
    print("| encoder | MB | seconds | average r |\n|---|--:|--:|--:|")
    for label, variant in VARIANTS.items():
        encoder = SmallEncoder(variant, counts)
        vectors = SmallVectors(encoder, label)
        cells = f"{encoder.size / 1e6:.1f} | {time_encoding(vectors, judged):.1f}"
        print(f"| {label} | {cells} | {agree(vectors, judged):.3f} |", flush=True)
    joined = agree(join(counts, FOUR_LAYERS, SIX_LAYERS), judged)
    print(f"| {JOINED} | {cells} | {joined:.3f} |", flush=True)  # one pass through six layers gives both


def print_judgment(folder: Path, n_segments: int, counts: Mapping[int, int]) -> None:
    """Print the agreement of the static table, the encoder of the extra and two small ones on a sample."""
    judged = list(sample_judged(folder, n_segments))
    named = {
        "`english`": load_vectors("english"),
        "`contextual:4`": load_vectors("contextual:4"),
        "4 layers of 4 bits, 20,894 pieces": join(counts, FOUR_LAYERS),
        "6 layers of 4 bits, 20,894 pieces, layers 4 and 6 joined": join(counts, FOUR_LAYERS, SIX_LAYERS),
    }
    for label, vectors in named.items():
        print(f"| {folder.name} | {label} | {agree(vectors, judged):.4f} |", flush=True)


def time_encoding(vectors: WordVectors, judged: Sequence[Judged]) -> float:
    """Return the processor seconds for all distinct texts."""
    texts = Texts([text for each in judged for text in (*each.hypotheses, *each.references)])
    start = time.process_time()
    vectors.embed(texts.tokens("13a", lowercase=True))
    return time.process_time() - start


def agree(vectors: WordVectors, judged: Sequence[Judged]) -> float:
    """Return the mean over language pairs of Pearson's r, or of τ over pairs of outputs with metric ties discordant."""
    return fmean(_agree(STD(vectors=vectors), each) for each in judged)


def _agree(metric: STD, judged: Judged) -> float:
    fitted = metric.fit(References([[text] for text in judged.all_references]))
    references = References([[text] for text in judged.references])
    hypotheses = Texts(judged.hypotheses, references.vocabulary)
    scores = fitted.segment_scores(fitted.statistics(hypotheses, references))
    if judged.human is not None:
        return -float(np.corrcoef(scores, judged.human)[0, 1])
    better, worse = np.array(judged.ranked).T
    return float(2 * (scores[better] < scores[worse]).mean() - 1)


class SmallEncoder(Encoder):
    """The encoder of `contextual` with rounded weights and fewer pieces."""

    def __init__(self, variant: Variant, counts: Mapping[int, int]) -> None:
        super().__init__(variant.layers)
        self._variant, self._counts = variant, counts
        embeddings, layers = self._model.tables()
        self._embeddings = round_rows(embeddings, "pieces", variant.embedding_bits)
        self._layers = [round_layer(layer, variant.weight_bits) for layer in layers[: variant.layers]]

    @property
    def size(self) -> int:
        """The bytes of a file with these weights."""
        variant, width = self._variant, self._embeddings["type"].size
        pieces = variant.n_pieces * size_of_row(width, variant.embedding_bits)
        others = sum(each.nbytes for name, each in self._embeddings.items() if not name.startswith("pieces"))
        return int(pieces + others + sum(size_of_layer(layer, variant.weight_bits) for layer in self._layers))

    @cached_property
    def _encoder(self) -> TextEncoder:
        return TextEncoder(self._embeddings, self._layers)

    @cached_property
    def _wordpieces(self) -> WordPieces:
        return WordPieces(drop_pieces(read_wordpieces(), self._counts, self._variant.n_pieces))


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
    return GROUP if bits < 5 else width


def size_of_row(width: int, bits: int) -> float:
    """Return the bytes of packed weights and of their scales in half precision."""
    return width * bits / 8 + 2 * width / group_of(width, bits)


def size_of_layer(tables: Tables, bits: int) -> float:
    """Return the bytes of a layer; its biases and norms keep their precision."""
    matrices = [table for table in tables.values() if table.ndim == 2]
    floats = [table for name, table in tables.items() if table.ndim == 1 and not name.endswith(".scales")]
    packed = sum(table.shape[1] * size_of_row(table.shape[0], bits) for table in matrices)
    return float(packed + sum(table.nbytes for table in floats))


class JoinedVectors:
    """The vectors of encoders with the same pieces, each of length 1, next to each other."""

    kind: VectorKind = "contextual"
    languages = frozenset({"en"})
    identity = JOINED

    def __init__(self, parts: Sequence[WordVectors]) -> None:
        self._parts = parts

    def embed(self, tokens: TokenColumn) -> Embedding:
        """Embed the tokens by each encoder."""
        embedded = [part.embed(tokens) for part in self._parts]
        parts = [each.matrix / np.linalg.norm(each.matrix, axis=1, keepdims=True) for each in embedded]
        return Embedding(embedded[0].rows, np.hstack(parts))


def join(counts: Mapping[int, int], *variants: Variant) -> WordVectors:
    """Return the vectors of several encoders next to each other."""
    return JoinedVectors([SmallVectors(SmallEncoder(variant, counts), repr(variant)) for variant in variants])


def count_pieces(data: Path) -> Counter[int]:
    """Count the pieces of English texts of earlier years, references and systems' outputs."""
    split = WordPieces(read_wordpieces()).split
    counts: Counter[int] = Counter()
    for year in COUNTED:
        for path in [*(data / year).glob("*-en/ref.txt"), *(data / year).glob("*-en/systems/*.txt")]:
            for word, count in Counter(path.read_text(encoding="utf-8").split()).items():
                counts.update({piece: count * n for piece, n in Counter(split(word)).items()})
    return counts


def drop_pieces(pieces: Sequence[str], counts: Mapping[int, int], n_kept: int) -> list[str]:
    """Make all but the most frequent pieces unreachable, so that words are cut into the remaining ones."""
    special = {UNKNOWN, FIRST, LAST}

    def rank(number: int) -> tuple[bool, int, int]:
        text = pieces[number].removeprefix("##")
        is_needed = number in special or (len(text) == 1 and text.isascii())
        return not is_needed, -counts.get(number, 0), number

    dropped = set(sorted(range(len(pieces)), key=rank)[n_kept:])
    return [f"\0{number}" if number in dropped else piece for number, piece in enumerate(pieces)]


def read_assessed_texts(path: Path) -> Iterator[Judged]:
    """Read direct assessments whose texts are in the file itself."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for pair in sorted({row["lp"] for row in rows if row["lp"].endswith("-en")}):
        mine = [row for row in rows if row["lp"] == pair]
        references = [row["ref"] for row in mine]
        human = np.array([float(row["human"]) for row in mine])
        yield Judged([row["hyp"] for row in mine], references, references, human)


def sample_judged(folder: Path, n_segments: int) -> Iterator[Judged]:
    """Read the judgments of a sample of the segments of each language pair into English."""
    rankings = folder / "rankings.tsv.gz"
    table = read_lines(rankings if rankings.exists() else folder / "da-segments.tsv")
    names = table[0].split("\t")
    rows = [dict(zip(names, line.split("\t"), strict=True)) for line in table[1:]]
    for pair in sorted({row["lp"] for row in rows if row["lp"].endswith("-en")}):
        mine = [row for row in rows if row["lp"] == pair and row.get("rank1") != row.get("rank2", "")]
        segments = sorted({int(row["seg_id"]) for row in mine})
        random.Random(1).shuffle(segments)
        chosen = set(segments[:n_segments])
        yield Sample(folder / pair).collect([row for row in mine if int(row["seg_id"]) in chosen])


class Sample:
    """The judged outputs of a language pair, each of them once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._all_references = read_lines(folder / "ref.txt")
        self._outputs: dict[str, list[str]] = {}
        self._places: dict[tuple[str, int], int] = {}

    def collect(self, rows: Sequence[Mapping[str, str]]) -> Judged:
        """Look up the texts of judgments."""
        human, ranked = [], []
        for row in rows:
            segment = int(row["seg_id"]) - 1
            if "human" in row:
                self._place(row["system"], segment)
                human.append(float(row["human"]))
            else:
                pair = sorted([(int(row["rank1"]), row["sys1"]), (int(row["rank2"]), row["sys2"])])
                better, worse = (self._place(system, segment) for _, system in pair)
                ranked.append((better, worse))
        hypotheses = [self._outputs[system][segment] for system, segment in self._places]
        references = [self._all_references[segment] for _, segment in self._places]
        return Judged(
            hypotheses, references, self._all_references, np.array(human) if human else None, ranked
        )

    def _place(self, system: str, segment: int) -> int:
        if system not in self._outputs:
            self._outputs[system] = read_lines(self._folder / "systems" / f"{system}.txt")
        return self._places.setdefault((system, segment), len(self._places))


def read_lines(path: Path) -> list[str]:
    """Read the lines of a plain or compressed file."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().split("\n")[:-1]


if __name__ == "__main__":
    main()
