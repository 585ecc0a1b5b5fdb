"""Write src/tertium/text/data/trigrams: frequencies of letter trigrams in languages that share a script.

The counts come from the profiles of the package langdetect 1.0.9 (Apache License 2.0; made from Wikipedia).
Run: pip download --no-deps langdetect==1.0.9, unpack it, python tools/make_trigrams.py FOLDER/langdetect/profiles
"""

import json
import sys
import zlib
from collections import Counter
from pathlib import Path

import numpy as np

from tertium.text.detection import FLOOR, SCRIPTS, STEP, decode_text, number_scripts

TARGET = Path(__file__).parent.parent / "src" / "tertium" / "text" / "data" / "trigrams"

LANGUAGES = {
    "Latin": ("af ca cs cy da de en es et fi fr hr hu id it lt lv nl no pl pt ro sk sl so sq sv sw tl tr vi"),
    "Cyrillic": "bg mk ru uk",
    "Arabic": "ar fa ur",
    "Devanagari": "hi mr ne",
}
# The profiles of large languages end here; those of other languages are cut at the same number, for fairness.
RAREST = 1e-4


def read_profile(path: Path, script: str) -> dict[str, float]:
    """Read the probability of each trigram, in lower case and of one script; a space is a word boundary."""
    counts: Counter[str] = Counter()
    for gram, count in json.loads(path.read_text(encoding="utf-8"))["freq"].items():
        if _is_of(gram.lower(), script):
            counts[gram.lower()] += count
    # A word has as many trigrams as letters, and no profile leaves out a letter that matters.
    n_letters = sum(count for gram, count in counts.items() if len(gram) == 1)
    frequencies = {gram: count / n_letters for gram, count in counts.items() if len(gram) == 3}
    return {gram: share for gram, share in frequencies.items() if share >= RAREST}


def _is_of(gram: str, script: str) -> bool:
    """Whether the letters belong to the script and the middle one is not a word boundary."""
    numbers = number_scripts(decode_text(gram.replace(" ", "")))
    return gram[len(gram) // 2] != " " and bool((numbers == SCRIPTS.index(script) + 1).all())


def main() -> None:
    folder = Path(sys.argv[1])
    for script, codes in LANGUAGES.items():
        profiles = [read_profile(folder / code, script) for code in codes.split()]
        grams = sorted(set().union(*profiles))
        weights = np.zeros((len(grams), len(profiles)), dtype=np.uint8)
        for column, profile in enumerate(profiles):
            for row, gram in enumerate(grams):
                if gram in profile:
                    weights[row, column] = round((np.log(profile[gram]) - FLOOR) / STEP)
        content = b"\n".join([codes.encode(), "".join(grams).encode(), weights.tobytes()])
        size = (TARGET / f"{script}.z").write_bytes(zlib.compress(content, 9))
        print(f"{script}: {len(profiles)} languages, {len(grams):,} trigrams, {size:,} bytes")


if __name__ == "__main__":
    main()
