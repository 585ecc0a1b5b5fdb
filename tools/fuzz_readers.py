"""Fuzz readers in this process: thousands of damaged files a minute, kept as seeds if they give a new message.

    python tools/fuzz_readers.py --minutes 60                     # all readers in turn
    python tools/fuzz_readers.py read_corpus load_trees --seed 7

The names are those of READERS in tests/fuzz/test_readers.py. Messages without their numbers and quotations stand for the
paths through a reader: a damaged file with a new message is damaged further. With `--atheris` (pip install atheris; not a
dependency of the project), libFuzzer follows the coverage of one reader instead. A warning, or an exception that is not a
TertiumError, stops the run and leaves the input in a file crash-*.
"""

import argparse
import random
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzz.damage import damage_at_random
from fuzz.test_readers import READERS, write_file
from hostile.clean import outcome

SECONDS_IN_TURN = 10
MAX_SECONDS = 10  # of processor time for one file of at most 200 kB
MAX_SEEDS = 2000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("readers", nargs="*", default=list(READERS))
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--atheris", action="store_true")
    chosen = parser.parse_args()
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as folder:
        if chosen.atheris:
            follow_coverage(chosen.readers[0], Path(folder))
        else:
            fuzz_in_turn(chosen.readers, 60 * chosen.minutes, random.Random(chosen.seed), Path(folder))


def fuzz_in_turn(names: list[str], seconds: float, rng: random.Random, folder: Path) -> None:
    """Fuzz every reader for a few seconds, again and again; print the number of files and of messages."""
    corpora = {name: Corpus(name) for name in names}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for corpus in corpora.values():
            turn = min(end, time.monotonic() + SECONDS_IN_TURN)
            while time.monotonic() < turn:
                corpus.try_one(rng, folder)
    for name, corpus in corpora.items():
        print(
            f"{name}: {corpus.n_files:,} files, {len(corpus.messages):,} kinds of messages, {corpus.seconds / 60:.1f} minutes"
        )


class Corpus:
    """The files that a reader is tried with: valid ones, and damaged ones that gave a new message."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.read, self.suffixes, seeds = READERS[name]
        self.seeds = list(seeds)
        self.messages: Counter[str] = Counter()
        self.n_files, self.seconds = 0, 0.0

    def try_one(self, rng: random.Random, folder: Path) -> None:
        content = damage_at_random(rng, self.seeds)
        suffix = rng.choice(self.suffixes)
        began = time.process_time()
        message = try_file(self.read, folder / f"file{suffix}", content)
        took = time.process_time() - began
        self.n_files, self.seconds = self.n_files + 1, self.seconds + took
        if took > MAX_SECONDS:
            keep_crash(content, suffix)
            sys.exit(f"{self.name} took {took:.0f} seconds of processor time")
        kind = suffix + re.sub(r"'[^']*'|\"[^\"]*\"|[0-9]+", "#", message)
        self.messages[kind] += 1
        if self.messages[kind] == 1 and len(self.seeds) < MAX_SEEDS:
            self.seeds.append(content)


def try_file(read: Callable[[str], object], path: Path, content: bytes) -> str:
    """Read a file; return its message, or keep it and raise what the reader raises."""
    write_file(path, content)
    try:
        return outcome(read, str(path))
    except BaseException:
        keep_crash(content, path.suffix)
        raise


def keep_crash(content: bytes, suffix: str) -> None:
    name = f"crash-{time.time_ns()}{suffix}"
    Path(name).write_bytes(content)
    print(f"the file is kept as {name}", flush=True)


def follow_coverage(name: str, folder: Path) -> None:
    """Fuzz one reader with atheris; the first byte of an input selects the suffix of the file name."""
    import atheris  # noqa: PLC0415 - optional

    read, suffixes, seeds = READERS[name]
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, content in enumerate(seeds):
        for choice in range(len(suffixes)):
            (corpus / f"{number}-{choice}").write_bytes(bytes([choice]) + content)

    def try_once(data: bytes) -> None:
        if data:
            try_file(read, folder / f"file{suffixes[data[0] % len(suffixes)]}", data[1:])

    _instrument(atheris.instrument_func)
    atheris.Setup([sys.argv[0], str(corpus)], try_once)
    atheris.Fuzz()


def _instrument(instrument: Callable[[FunctionType], object]) -> None:
    """Instrument the package for atheris, whose import hook does not cover an editable install."""
    for module in [each for name, each in sys.modules.items() if name.startswith("tertium.")]:
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                instrument(value)
            elif isinstance(value, type) and value.__module__ == module.__name__:
                for method in vars(value).values():
                    if isinstance(method, FunctionType):
                        instrument(method)


if __name__ == "__main__":
    main()
