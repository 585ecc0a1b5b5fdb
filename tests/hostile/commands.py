"""Hostile commands: every command with every option, given values, files and paths that do not fit.

The commands follow from the declarations in `tertium.api`, so an option that is added later is tried as well.
"""

import os
import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from hostile.contents import CONTENTS
from tertium.cli.click_builder import DeclaredCommand
from tertium.cli.main import build_command, find_commands
from tertium.declarations import CommandOption

__all__ = ["BASES", "LOADED", "hostile_commands", "odd_values", "write_inputs"]

DATA = Path(__file__).parents[2] / "examples" / "data"
LOADED: dict[str, DeclaredCommand] = {
    name: loaded for name in find_commands() if isinstance(loaded := build_command(name), DeclaredCommand)
}
N_SEGMENTS = 12
FILES = ["-r", "ref.txt", "-i", "a.txt", "b.txt"]
JUDGED = [
    "-r",
    "whole.txt",
    "-i",
    "aurora.txt",
    "boreas.txt",
    "cirrus.txt",
    "delta.txt",
    "--human",
    "human.tsv",
]
BASES: dict[str, list[list[str]]] = {
    "score": [
        [*FILES, "-m", "bleu,wer", "--samples", "20"],
        [*FILES, "-m", "chrf", "--ci", "--samples", "20", "-f", "json"],
        [*FILES, "--columns", "columns.tsv", "--by", "domain", "-m", "wer"],
        [*FILES, "-m", "wer", "--resume", "out/parts", "--batch-size", "5"],
        ["sets", "-m", "wer", "--samples", "20"],
    ],
    "show": [["ab.run", "--samples", "20"], ["ab.run", "-t", "segments", "-f", "csv"]],
    "rerun": [["ab.run"]],
    "compare": [["a.txt", "b.txt", "-r", "ref.txt", "-m", "bleu", "--samples", "20"]],
    "segments": [["ab.run", "-n", "2"]],
    "report": [["ab.run", "-o", "out/page.html", "--samples", "20"]],
    "gate": [["a.txt", "--against", "b.txt", "-r", "ref.txt", "--metric", "bleu"]],
    "plan": [["ab.run", "-d", "1"]],
    "history": [["b.run", "ab.run", "--system", "b"]],
    "explain": [["-m", "wer", "a b c", "a c"], ["-m", "ter", "-i", "a.txt", "-r", "ref.txt", "-n", "2"]],
    "align": [["-i", "joined.txt", "-r", "ref.txt"], ["-i", "a.txt", "-r", "ref.txt", "-t", "sentences"]],
    "cite": [["bleu,chrf"]],
    "metrics": [[], ["bleu"]],
    "languages": [[], ["de"]],
    "data": [[]],
    "parse": [["ref.txt", "-o", "out/trees.conllu"]],
    "mbr": [["candidates.txt", "-k", "2", "-m", "chrf"]],
    "doctor": [["a.txt", "-r", "ref.txt"]],
    "human": [["human.tsv", "--samples", "20"]],
    "select": [["a.txt", "b.txt", "-r", "ref.txt", "--segments", "3"]],
    "meta": [[*JUDGED, "-m", "bleu,wer", "--samples", "20"]],
    "tune": [
        [*JUDGED, "-m", "chrf", "--option", "beta=1,2", "-o", "out/preset.toml"],
        [*JUDGED, "-m", "chrf", "--over", "beta=1,2"],
    ],
    "vectors convert": [["vectors.txt", "out/v.vectors"]],
    "vectors info": [["vectors.txt"]],
    "vectors train": [["ref.txt", "-o", "out/trained.vectors", "--dimension", "4", "--epochs", "1"]],
    "paraphrases convert": [["paraphrases.txt", "-o", "out/p.paraphrases"]],
}

_TEXTS = [
    "", " ", "\t", "\x1b[31m", "a\nb", "\u2028", "'", '"', "%s%n{0}", "../..", "-", "--", "x" * 5_000, os.fsdecode(b"\xff\xfe"),
    "=", "a=", "=b", "a=b=c", ":", "bleu:", "bleu:x=1", "bleu:tokenizer=", "bleu@missing", "bleu,,wer", ",", "bleu,bleu", "*", "[", "**",
    "~", "$(id)", "nan", "None", "constructor", "/dev/null", "domain", "system", "domain=", "domain!=news", "id>", "id>x", "1-", "3-1",
    "en-de", "xx", "xx-yy-zz", "13a", "wer:costs=a", "prog:", "file:///etc/passwd", "http://x", "beta=", "beta=1:0:0", "beta=0:1:1e-300",
    "beta=1:2:-1", "beta=nan", "aurora", "\U0001f600", "e\u0301", "\u202e", "a" + "\u0301" * 300, "9" * 5_000,
]  # fmt: skip
_NUMBERS = [
    "-1", "0", "1", "2", "3", "0.5", "1.5", "nan", "inf", "-inf", "1e400", "-0", "1e-320", "1_0", "\u0661\u0662", "0x10", "", " 5", "+3", "1,5",
    "9" * 400, "1e9", "²", "--", "5%",
]  # fmt: skip
_PATHS = [
    "missing.txt", "folder", "folder/", "loop", "a.txt/b", "x" * 300, "y/" * 3_000, "nul\udcff", "", ".", "/", "*.txt", "*.run", "no*match",
    "a.txt#", "a.txt#hyp", "columns.tsv#domain", "columns.tsv#nothing", "/dev/null", "/dev/zero", "/dev/full", "/dev/stdin", "-", "/proc/self/mem",
    "/proc/self/environ", "/etc/shadow/x", "link.txt", "link.run", "socket", "ref.txt", "a.txt", "ab.run", "human.tsv", "vectors.txt", "columns.tsv",
    "name=a.txt", "=a.txt", "a=", "\x1b[31m.txt",
]  # fmt: skip
_SUFFIXES = [".txt", ".tsv", ".csv", ".jsonl", ".json", ".run", ".xml", ".sgm", ".toml", ".conllu", ".npy", ".vectors", ".bin", ".gz", ".txt.gz", ".srt", ".vtt", ".xlsx", ".parquet", ".xlf", ".tmx", ".seg.score"]  # fmt: skip
_OUTPUTS = ["a.txt", "ref.txt", "ab.run", "folder", "/dev/full", "/dev/null", "missing/x.json", "out/x.json", "out/x", "out/x.svg", "out/x.unknown", "", "-", "x" * 300, "a.txt/b", "out/\x1b[31m.csv", "link.txt"]  # fmt: skip
# Endless by their nature, or handled elsewhere: real clusters, and numbers that mean hours of work.
_LEFT_ALONE = {"scheduler", "workers", "engine"}
_HOURS = {"epochs", "dimension", "samples", "trials"}


def write_inputs(folder: Path) -> None:
    """Write the files that the commands read: small valid ones, and a hostile file of every kind and suffix."""
    for name, source in {"ref": "reference.en.txt", "a": "systems/aurora.txt", "b": "systems/boreas.txt", "src": "source.de.txt"}.items():  # fmt: skip
        (folder / f"{name}.txt").write_bytes(_head(DATA / source))
    for name in ("aurora", "boreas", "cirrus", "delta"):
        (folder / f"{name}.txt").write_bytes((DATA / "systems" / f"{name}.txt").read_bytes())
    judged = (DATA / "human.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    known = [line for line in judged if not line.startswith(("ember", "fathom"))]
    (folder / "human.tsv").write_text("".join(known), encoding="utf-8")
    shutil.copy(DATA / "reference.en.txt", folder / "whole.txt")
    (folder / "joined.txt").write_bytes(_head(DATA / "systems/aurora.txt").replace(b"\n", b" ", 3))
    (folder / "candidates.txt").write_bytes(_head(DATA / "systems/aurora.txt"))
    rows = [f"{('news', 'talk')[i % 2]}\t{i + 1}" for i in range(N_SEGMENTS)]
    (folder / "columns.tsv").write_text("\n".join(["domain\tid", *rows, ""]), encoding="utf-8")
    (folder / "vectors.txt").write_text("cat 1 0\ndog 0.5 1\nthe 0 1\n", encoding="utf-8")
    (folder / "paraphrases.txt").write_text("0.5\nthe cat\nthe dog\n", encoding="utf-8")
    for name in ("folder", "out", "sets/de-en/systems"):
        (folder / name).mkdir(parents=True)
    for name in ("ref.txt", "systems/a.txt", "systems/b.txt"):
        (folder / "sets/de-en" / name).write_bytes((folder / Path(name).name).read_bytes())
    (folder / "loop").symlink_to("loop")
    (folder / "link.txt").symlink_to("a.txt")
    (folder / "link.run").symlink_to("ab.run")
    (folder / "bad").mkdir()
    for number, content in enumerate(CONTENTS.values()):
        suffix = _SUFFIXES[number % len(_SUFFIXES)]
        (folder / "bad" / f"{number}{suffix}").write_bytes(content)


def _head(path: Path) -> bytes:
    return b"".join(path.read_bytes().splitlines(keepends=True)[:N_SEGMENTS])


def hostile_commands(rng: random.Random) -> Iterator[list[str]]:
    """Yield commands without end, each with one to three faults; every option of every command has its turn."""
    pairs = [(name, option) for name, loaded in LOADED.items() for option in loaded.options.values()]
    while True:
        rng.shuffle(pairs)
        for name, option in pairs:
            if option.name in _LEFT_ALONE:
                continue
            words = _add(rng, rng.choice(BASES[name]), option)
            for _ in range(rng.choice((0, 0, 1, 2))):
                words = _spoil(rng, words, list(LOADED[name].options.values()))
            yield [*name.split(), *words]


def _add(rng: random.Random, words: Sequence[str], option: CommandOption) -> list[str]:
    """Add an option with an odd value; replace a word if the option is an argument."""
    values = [] if option.is_flag else [rng.choice(odd_values(rng, option))]
    if option.flags:
        return [*words, rng.choice(option.flags), *values]
    if not words:
        return values
    return [*words[:-1], *values] if rng.random() < 0.5 else [*values, *words[1:]]


def odd_values(rng: random.Random, option: CommandOption) -> list[str]:
    """Return values that do not fit an option, or only just."""
    if option.access in ("write", "update"):
        return _OUTPUTS
    if option.access == "read":
        number = rng.randrange(len(CONTENTS))
        return [
            *rng.sample(_PATHS, 12),
            *(f"bad/{number}{_SUFFIXES[number % len(_SUFFIXES)]}" for _ in range(24)),
        ]
    if option.choices:
        return [*map(str, option.choices), "", "x", str(option.choices[0]).upper(), f"{option.choices[0]} "]
    if {int, float} & set(option.alternatives):
        large = [] if option.name in _HOURS else ["1000000000", "1000000"]
        return [*_NUMBERS, *large]
    return _TEXTS


def _spoil(rng: random.Random, words: Sequence[str], options: Sequence[CommandOption]) -> list[str]:
    """Drop, repeat, exchange or replace a word, or add another option."""
    spoilt = list(words)
    place = rng.randrange(len(spoilt) + 1)
    kind = rng.choice(("drop", "repeat", "replace", "file", "add"))
    if kind == "add" or place == len(spoilt):
        chosen = rng.choice([option for option in options if option.name not in _LEFT_ALONE])
        return _add(rng, spoilt, chosen)
    if kind == "drop":
        del spoilt[place]
    elif kind == "repeat":
        spoilt.insert(place, spoilt[place])
    elif kind == "replace":
        spoilt[place] = rng.choice([*_TEXTS, *_NUMBERS])
    else:
        number = rng.randrange(len(CONTENTS))
        spoilt[place] = f"bad/{number}{_SUFFIXES[number % len(_SUFFIXES)]}"
    return spoilt
