"""Train the English tagger and parser that is part of the package.

Run `pip install -e '.[syntax]'`, then this file. It needs a C++ compiler, folders `wmt10`, `wmt12`, `wmt14` and `wmt15`
(`PAIR/ref.txt`, `PAIR/src.txt`, `PAIR/systems/*.txt`), WordNet's `data.*` files and, for one more test, d2t-sfres.

spaCy's small English model parses the text with the tokens of the metrics; its trees are stored in `--work` as CoNLL-U.
A small network is trained on them (parser_training/), rounded to integers and written as `english.parser`.
docs/parser.md has the figures. The repository contains neither the text nor the trees.
"""

import argparse
import json
import lzma
import random
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.kernels.strings import Vocabulary, tokenize_meteor
from tertium.resources.trees import load_parser, read_conllu, render_conllu
from tertium.resources.trees.conllu import Sentence
from tertium.resources.trees.core_parser import Lemmatizer, ParserFile, load_core_parser, write_parser_file
from tertium.resources.word_lists import find_word_lists
from tertium.text import Texts
from tertium.values import TokenColumn

HERE = Path(__file__).parent
OUTPUT = HERE.parent / "src/tertium/resources/data/english.parser"
NAME = "tertium-english-1"
WIDTH = 64
TRAINING = (
    "ref10",
    "ref12",
    "ref14",
    "meteor10",
    "meteor12",
    "meteor14",
    "out10",
    "out12",
    "out14",
    "wordnet",
)
HELD_OUT = ("test15", "testout15", "testd2t", "testmeteor15")

# The number of distinct output lines used from each year.
N_OUTPUTS = {"out10": 10_000, "out12": 10_000, "out14": 30_000, "testout15": 4_000}

Lines = list[str]
Tables = dict[str, npt.NDArray[Any]]


def main() -> None:
    arguments = _read_arguments()
    training = [tree for name in TRAINING for tree in read_trees(name, arguments)]
    train(training, read_trees("test15", arguments), arguments)
    parser = make_parser(training, arguments.work)
    write_parser_file(arguments.output, parser)
    print(f"{arguments.output}: {arguments.output.stat().st_size:,} bytes")
    for name in HELD_OUT:
        shares = compare(read_trees(name, arguments), arguments.output)
        print(name, *(f"{what} {share:.2%}" for what, share in shares.items()))


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--wmt", type=Path, required=True, help="the folder of wmt10, wmt12, wmt14 and wmt15")
    parser.add_argument("--wordnet", type=Path, required=True, help="the folder of WordNet's data.noun, …")
    parser.add_argument("--d2t", type=Path, required=True, help="d2t-sfres.jsonl.xz")
    parser.add_argument("--work", type=Path, required=True, help="folder for trees and weights")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rows", type=int, default=52_000, help="number of word features with weights")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    return parser.parse_args()


def read_trees(name: str, arguments: argparse.Namespace) -> list[Sentence]:
    """Parse a set of texts with spaCy, unless its trees are stored already."""
    path: Path = arguments.work / f"{name}.conllu"
    if not path.exists():
        tokens = cut_text(name, list(dict.fromkeys(read_text(name, arguments))))
        trees = load_parser("spacy").parse(tokens)
        texts = [" ".join(tokens.words(i)) for i in range(len(tokens))]
        path.write_text("".join(render_conllu(tokens, trees, texts)), encoding="utf-8")
    return read_conllu(str(path))


def cut_text(name: str, lines: Lines) -> TokenColumn:
    """Tokenise text as metrics do: with 13a, or by METEOR's rules."""
    if "meteor" not in name:
        return Texts(lines).tokens("13a")
    abbreviations = find_word_lists().abbreviations("en")
    return tokenize_meteor(lines, Vocabulary(), abbreviations=abbreviations, apostrophes="with_right")


def read_text(name: str, arguments: argparse.Namespace) -> Lines:
    """Read the lines of a set: `ref` and `out` are the references and system outputs of a year of WMT."""
    if name == "wordnet":
        return read_examples(arguments.wordnet)
    if name == "testd2t":
        return read_d2t(arguments.d2t)
    folder = arguments.wmt / f"wmt{name[-2:]}"
    if "out" not in name:
        sources = [] if name.startswith("test") else folder.glob("en-*/src.txt")
        return _read_files([*folder.glob("*-en/ref.txt"), *sources])
    lines = list(dict.fromkeys(_read_files(folder.glob("*-en/systems/*"))))
    random.Random(7).shuffle(lines)
    return lines[: N_OUTPUTS[name]]


def _read_files(paths: Iterable[Path]) -> Lines:
    return [
        line
        for path in sorted(paths)
        for line in path.read_text(encoding="utf-8").split("\n")
        if line.strip()
    ]


def read_examples(folder: Path) -> Lines:
    """Read WordNet's example sentences; every second one gets a capital and a full stop."""
    lines = _read_files(folder.glob("data.*"))
    examples = [each.strip() for line in lines for each in re.findall(r'"([^"]+)"', line.partition(" | ")[2])]
    examples = [fromkey for fromkey in dict.fromkeys(examples) if len(fromkey.split()) > 2]
    return [each if i % 2 else f"{each[0].upper()}{each[1:].rstrip('.')}." for i, each in enumerate(examples)]


def read_d2t(path: Path) -> Lines:
    """Read references and outputs of a system that describes restaurants."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return list(chain.from_iterable([row["hyp"], *row["refs"]] for row in rows))


def train(training: Sequence[Sentence], held_out: Sequence[Sentence], arguments: argparse.Namespace) -> None:
    """Compile the trainer and run it; it writes the weights to `work`."""
    work: Path = arguments.work
    tags, relations = name_tags(training), name_relations(training)
    for name, trees in (("training.txt", training), ("held-out.txt", held_out)):
        (work / name).write_text("".join(_render(tree, tags, relations) for tree in trees), encoding="utf-8")
    flags = ["-std=c++20", "-O3", "-mavx2", "-mfma", "-ffast-math", f"-I{HERE.parent / 'native/include'}"]
    subprocess.run(
        ["c++", *flags, str(HERE / "parser_training/main.cpp"), "-o", str(work / "trainer")], check=True
    )
    files = [str(work / name) for name in ("training.txt", "held-out.txt", "keys.bin", "weights.bin")]
    subprocess.run(
        [str(work / "trainer"), *files, str(arguments.epochs), "1", str(arguments.rows)], check=True
    )


def name_tags(trees: Sequence[Sentence]) -> Lines:
    return sorted({tag for tree in trees for tag in tree.parse.tags})


def name_relations(trees: Sequence[Sentence]) -> Lines:
    return sorted({relation for tree in trees for relation in tree.parse.relations} - {"root"})


def _render(tree: Sentence, tags: Lines, relations: Lines) -> str:
    """Write one line per word; words that are not in the training text get the first id."""
    rows = zip(tree.words, tree.parse.tags, tree.parse.relations, tree.parse.heads, strict=True)
    numbers = [
        (
            word,
            tags.index(tag) if tag in tags else 0,
            relations.index(relation) if relation in relations else 0,
            head,
        )
        for word, tag, relation, head in rows
    ]
    return "".join(f"{word}\t{tag}\t{relation}\t{head}\n" for word, tag, relation, head in numbers) + "\n"


def make_parser(training: Sequence[Sentence], work: Path) -> ParserFile:
    """Round the weights and combine all tables."""
    tags, relations = name_tags(training), name_relations(training)
    keys = np.fromfile(work / "keys.bin", np.uint32)
    floats = cut_weights(np.fromfile(work / "weights.bin", np.float32), len(keys) + 2)
    tables = {"keys": keys} | round_weights(floats, len(tags), len(relations))
    return ParserFile(NAME, tags, relations, learn_lemmas(training), tables)


def cut_weights(values: npt.NDArray[np.float32], n_rows: int) -> Tables:
    """Read the trainer's matrices, in the order of Network::all (parser_training/network.hpp)."""
    n_layers, n_slots, n_counts, tag_room, relation_room = 2, 10, 48, 80, 48
    shapes: Mapping[str, tuple[int, ...]] = {
        "rows": (n_rows, WIDTH), "row_bias": (WIDTH,), "wide": (5, WIDTH, WIDTH), "wide_bias": (WIDTH,),
        "layers": (n_layers, 3 * WIDTH, WIDTH), "layer_bias": (n_layers, WIDTH), "slots": (n_slots, WIDTH, WIDTH),
        "nobody": (n_slots, WIDTH), "root": (n_slots, WIDTH), "counts": (n_counts, WIDTH), "hidden_bias": (WIDTH,),
        "choices": (3, WIDTH), "choice_bias": (3,), "tags": (WIDTH, tag_room), "tag_bias": (tag_room,),
        "dependents": (WIDTH, relation_room), "heads": (WIDTH, relation_room), "relation_bias": (relation_room,),
    }  # fmt: skip
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    parts = np.split(values, ends)
    if len(parts[-1]):
        raise ValueError(f"weights.bin has {len(values):,} numbers, {ends[-1]:,} are needed")
    return {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts[:-1], strict=True)}


def round_weights(floats: Tables, n_tags: int, n_relations: int) -> Tables:
    """Quantise weights to bytes in units of 1/64, one row per output, and biases to the scale of the sums."""
    floats = floats | {name: floats[name][..., :n_tags] for name in ("tags", "tag_bias")}
    floats |= {name: floats[name][..., :n_relations] for name in ("dependents", "heads", "relation_bias")}
    weight, activation = 64, 256
    in_products = {
        "choice_bias": weight * weight,
        "tag_bias": weight * activation,
        "relation_bias": weight * activation,
    }
    in_parts = dict.fromkeys(("row_bias", "nobody", "root", "counts", "hidden_bias"), weight)
    units = in_products | in_parts | dict.fromkeys(("wide_bias", "layer_bias"), activation)
    tables: Tables = {}
    for name, values in floats.items():
        if name in units:
            tables[name] = np.rint(values * units[name]).astype(np.int32)
        else:
            is_stored_by_output = name in {"rows", "choices"}
            turned = values if is_stored_by_output else np.swapaxes(values, -1, -2)
            tables[name] = np.clip(np.rint(turned * weight), -127, 127).astype(np.int8)
    return tables


def learn_lemmas(trees: Sequence[Sentence]) -> dict[str, dict[str, str]]:
    """Return words seen more than once whose most frequent lemma differs from that of the rules."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for tree in trees:
        for word, tag, lemma in zip(tree.words, tree.parse.tags, tree.parse.lemmas, strict=True):
            counts[tag, word.lower()][lemma] += 1
    by_rule: Callable[[str, str], str] = Lemmatizer({})
    exceptions: dict[str, dict[str, str]] = {}
    for (tag, word), lemmas in sorted(counts.items()):
        lemma, count = lemmas.most_common(1)[0]
        if tag not in {"PROPN", "NUM", "SYM", "X"} and count > 1 and by_rule(word, tag) != lemma:
            exceptions.setdefault(tag, {})[word] = lemma
    return exceptions


def compare(trees: Sequence[Sentence], path: Path) -> dict[str, float]:
    """Compute how often the parser's heads, parts of speech, relations and lemmas equal those of trees."""
    vocabulary = Vocabulary()
    ids = vocabulary.intern_all([word for tree in trees for word in tree.words])
    offsets = np.concatenate([[0], np.cumsum([len(tree.words) for tree in trees])]).astype(np.int64)
    found = load_core_parser(path).parse(TokenColumn(ids, offsets, vocabulary))
    pairs: Mapping[str, tuple[Sequence[Any], Sequence[Any]]] = {
        "heads": (found.heads.tolist(), [head for tree in trees for head in tree.parse.heads]),
        "parts of speech": (found.tags, [tag for tree in trees for tag in tree.parse.tags]),
        "relations": (
            ["root" if name == "ROOT" else name for name in found.relations],
            [name for tree in trees for name in tree.parse.relations],
        ),
        "lemmas": (found.lemmas, [lemma for tree in trees for lemma in tree.parse.lemmas]),
    }
    return {
        what: sum(a == b for a, b in zip(ours, theirs, strict=True)) / len(theirs)
        for what, (ours, theirs) in pairs.items()
    }


if __name__ == "__main__":
    main()
