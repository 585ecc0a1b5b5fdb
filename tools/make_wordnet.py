"""Writes src/tertium/resources/data/wordnet.npz from the files of WordNet 3.0.

On Debian and its relatives they come with the package `wordnet-base`.
Run: python tools/make_wordnet.py [folder]
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

TARGET = Path(__file__).parent.parent / "src" / "tertium" / "resources" / "data" / "wordnet.npz"
FOLDER = "/usr/share/wordnet"
PARTS = ("noun", "verb", "adj", "adv")
# Debian corrected a few glosses, and so the synsets from one place to another stand some bytes further on.
MOVED = {"verb": (613036, 2422967, 18), "adj": (1681478, 1 << 31, 1)}


def read_synsets(folder: Path) -> dict[str, set[str]]:
    """Each lemma's synsets. Lemmas of several words are left out: a token is never one of them.

    METEOR knows a synset by its place in WordNet's files, without their parts of speech; where a noun's and
    a verb's fall on the same place (a record, to bear), they count as one.
    """
    synsets: dict[str, set[str]] = defaultdict(set)
    for part in PARTS:
        for lemma, places in _read_places(folder, part).items():
            if "_" not in lemma:
                synsets[lemma] |= {str(place) for place in places}
    return synsets


def _read_places(folder: Path, part: str) -> dict[str, list[int]]:
    """Where the synsets of each lemma stand in the data file, as WordNet 3.0 was published."""
    lines = _lines(folder / f"index.{part}")
    rows = {fields[0]: list(map(int, fields[-int(fields[2]) :])) for fields in lines}
    first, end, shift = MOVED.get(part, (0, 0, 0))
    if not any(first in row for row in rows.values()):
        return rows  # not Debian's
    return {lemma: [at - shift * (first <= at < end) for at in row] for lemma, row in rows.items()}


def read_exceptions(folder: Path) -> dict[str, set[str]]:
    """The base forms of each irregular form, of any part of speech."""
    exceptions: dict[str, set[str]] = defaultdict(set)
    for part in PARTS:
        for form, *bases in _lines(folder / f"{part}.exc"):
            if "_" not in form:
                exceptions[form] |= {base for base in bases if "_" not in base}
    return exceptions


def number_synsets(synsets: dict[str, set[str]]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """How many synsets each lemma has, and their numbers; those a lemma has for itself become one."""
    owners: dict[str, int] = defaultdict(int)
    for names in synsets.values():
        for name in names:
            owners[name] += 1
    numbers: dict[str, int] = {}
    rows = []
    for lemma in sorted(synsets):
        shared = {name if owners[name] > 1 else f"only {lemma}" for name in synsets[lemma]}
        rows.append(sorted(numbers.setdefault(name, len(numbers)) for name in sorted(shared)))
    flat = [number for row in rows for number in row]
    return np.array([len(row) for row in rows], np.uint8), np.array(flat, np.int32)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else FOLDER)
    synsets, exceptions = read_synsets(folder), read_exceptions(folder)
    counts, ids = number_synsets(synsets)
    forms = [f"{form} {' '.join(sorted(bases))}" for form, bases in sorted(exceptions.items())]
    np.savez_compressed(
        TARGET, lemmas=_encode(sorted(synsets)), counts=counts, ids=ids, exceptions=_encode(forms)
    )
    print(f"{len(synsets):,} lemmas, {len(forms):,} irregular forms, {TARGET.stat().st_size:,} bytes")


def _lines(path: Path) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("  "):  # the licence
            yield line.split()


def _encode(lines: list[str]) -> npt.NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


if __name__ == "__main__":
    main()
