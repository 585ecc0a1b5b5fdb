"""Write all text of one language in the WMT folders, each line once, for `tertium vectors train`.

Usage: PYTHONPATH=benchmarks python -m papers.monolingual FOLDER LANGUAGE > text
"""

import sys
from collections.abc import Iterator
from pathlib import Path


def main() -> None:
    """Print the sources, references and outputs of a language."""
    folder, language = sys.argv[1:]
    lines = dict.fromkeys(
        line
        for path in find_texts(Path(folder), language)
        for line in map(str.strip, path.read_text(encoding="utf-8").split("\n"))
        if line
    )
    sys.stdout.writelines(f"{line}\n" for line in lines)


def find_texts(folder: Path, language: str) -> Iterator[Path]:
    """List the files of a language, by year and pair."""
    for pair in sorted(folder.glob("wmt*/*-*")):
        source, _, target = pair.name.partition("-")
        if source == language and (pair / "src.txt").exists():
            yield pair / "src.txt"
        if target == language:
            yield pair / "ref.txt"
            yield from sorted((pair / "systems").glob("*.txt"))


if __name__ == "__main__":
    main()
