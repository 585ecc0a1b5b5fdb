"""Write src/tertium/resources/data/wordnet.npz from the files of WordNet 3.0.

On Debian and its derivatives the package `wordnet-base` contains them.
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
# Debian corrected a few glosses, which moved the synsets in part of a file by some bytes.
MOVED = {"verb": (613036, 2422967, 18), "adj": (1681478, 1 << 31, 1)}


def read_synsets(folder: Path) -> dict[str, set[str]]:
    """Read the synsets of each lemma, except lemmas of several words, which never equal a token.

    METEOR identifies a synset by its position in WordNet's files, regardless of the part of speech; synsets of a noun
    and a verb at the same position (a record, to bear) count as one.
    """
    synsets: dict[str, set[str]] = defaultdict(set)
    for part in PARTS:
        for lemma, places in _read_places(folder, part).items():
            if "_" not in lemma:
                synsets[lemma] |= {str(place) for place in places}
    return synsets


def _read_places(folder: Path, part: str) -> dict[str, list[int]]:
    """Return the positions of each lemma's synsets in the data file of the original WordNet 3.0."""
    lines = _lines(folder / f"index.{part}")
    rows = {fields[0]: list(map(int, fields[-int(fields[2]) :])) for fields in lines}
    first, end, shift = MOVED.get(part, (0, 0, 0))
    if not any(first in row for row in rows.values()):
        return rows  # not Debian's
    return {lemma: [at - shift * (first <= at < end) for at in row] for lemma, row in rows.items()}


def read_exceptions(folder: Path) -> dict[str, set[str]]:
    """Read the base forms of each irregular form, of all parts of speech."""
    exceptions: dict[str, set[str]] = defaultdict(set)
    for part in PARTS:
        for form, *bases in _lines(folder / f"{part}.exc"):
            if "_" not in form:
                exceptions[form] |= {base for base in bases if "_" not in base}
    return exceptions


def number_synsets(synsets: dict[str, set[str]]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Return the number of synsets of each lemma and their ids; synsets that no other lemma has are merged."""
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
