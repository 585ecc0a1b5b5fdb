"""Record the output of many commands, so that two builds can be compared byte by byte.

    python tools/record_outputs.py before/            # on the old build
    python tools/record_outputs.py after/             # on the new one
    diff -r before after

`--data FOLDER` adds a WMT folder (LP/ref.txt, LP/systems/*.txt, judgments) to the bundled example data.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = "examples/data"

METRICS = (
    "bleu", "sentbleu", "avgbleu", "nist", "wer", "per", "invwer", "ter", "chrf", "wordf", "character", "ribes",
    "beer", "std", "was", "mas", "has", "onehot", "sentvec", "bleu_modif", "wer_modif", "meteor", "redp", "red",
    "hwcm", "sempos",
)  # fmt: skip
SLOW = {"invwer", "hwcm", "sempos"}  # left out on a whole WMT folder


def main() -> None:
    """Run every command and write its standard output, standard error and exit code to a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("output", type=Path, help="folder to write to")
    parser.add_argument("--data", type=Path, help="a WMT folder, read in addition to the example data")
    parser.add_argument("--tertium", default=str(ROOT / ".venv/bin/tertium"), help="the command to run")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    commands = dict(_on_examples())
    if arguments.data is not None:
        commands |= dict(_on_wmt(arguments.data))
    _record_all(commands, arguments.tertium, arguments.output)


def _record_all(commands: Mapping[str, Sequence[str]], tertium: str, folder: Path) -> None:
    def record(item: tuple[str, Sequence[str]]) -> None:
        name, words = item
        done = subprocess.run([tertium, *words], cwd=ROOT, capture_output=True, check=False)
        text = b"".join([done.stdout, b"--- stderr\n", done.stderr, f"--- exit {done.returncode}\n".encode()])
        (folder / f"{name}.txt").write_bytes(text)

    with ThreadPoolExecutor(2) as pool:
        for n_done, _ in enumerate(pool.map(record, commands.items()), start=1):
            print(f"\r{n_done} of {len(commands)}", end="", file=sys.stderr)
    print(file=sys.stderr)


def _on_examples() -> Iterator[tuple[str, list[str]]]:
    files = ["-r", f"{EXAMPLES}/reference.en.txt", "-i", f"{EXAMPLES}/systems/*.txt"]
    for name in METRICS:
        yield (
            f"score-{name}",
            ["score", *files, "-m", name, "-f", "json", "--ci", "--paired", "bootstrap", "-q"],
        )
        yield f"segments-{name}", ["score", *files, "-m", name, "-f", "tsv", "--segments", "-q"]
        yield f"metric-{name}", ["metrics", name, "-f", "json"]
    for form in ("text", "json", "csv", "tsv", "md", "latex"):
        lexical = ["-m", "bleu,chrf,ter", "-f", form]
        yield f"table-{form}", ["score", *files, *lexical, "--ci"]
        yield f"many-{form}", ["score", "-r", f"{EXAMPLES}/references.jsonl#references", *files[2:], *lexical]
        judged = ["-r", files[1], *files[2:], "--human", f"{EXAMPLES}/human.tsv", "-m", "bleu,chrf,std"]
        yield f"meta-{form}", ["meta", *judged, "-f", form, "-q"]
        yield f"curve-{form}", ["tune", *judged[:-1], "chrf", "--over", "beta=1,2,3", "-f", form, "-q"]
    yield "tune", ["tune", *judged[:-1], "chrf", "--option", "beta=1,2,3", "-f", "json", "-q"]
    yield "paired", ["score", *files, "--paired", "randomization", "--baseline", "cirrus"]
    pair = ["we will meet at noon in the lobby", "we will meet in the lobby at twelve"]
    for name in (
        "invwer",
        "wer",
        "ter",
        "std",
        "was",
        "mas",
        "has",
        "bleu_modif",
        "wer_modif",
        "meteor",
        "redp",
        "red",
    ):
        yield f"explain-{name}", ["explain", "-m", name, *pair]
        yield f"explain-json-{name}", ["explain", "-m", name, "-f", "json", *pair]
    yield "doctor", ["doctor", f"{EXAMPLES}/systems/aurora.txt", f"{EXAMPLES}/reference.en.txt"]
    yield "languages-de", ["score", *files, "-l", "de", "-m", "bleu,meteor"]
    yield "languages-zh", ["score", *files, "-l", "zh", "-m", "bleu,chrf"]
    yield "mistake-metric", ["score", *files, "-m", "beu"]
    yield "mistake-option", ["score", *files, "-m", "bleu:x=1"]
    yield "mistake-file", ["score", "-r", "absent.txt", *files[2:]]
    yield "mistake-baseline", ["score", *files, "--baseline", "aurora"]


def _on_wmt(folder: Path) -> Iterator[tuple[str, list[str]]]:
    fast = ",".join(name for name in METRICS if name not in SLOW)
    for level in ("system:pearson", "segment:pearson", "segment:kendall:item", "segment:wmt14"):
        words = ["meta", str(folder), "-m", fast, "-s", level, "-f", "json", "-q", "--samples", "100"]
        yield f"wmt-{level.replace(':', '-')}", words


if __name__ == "__main__":
    main()
