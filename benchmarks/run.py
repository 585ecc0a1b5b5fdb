"""Time this tool and its peers on the same text in one run, and print the ratios."""

import argparse
import importlib
from collections.abc import Sequence
from pathlib import Path

from threadpoolctl import threadpool_limits

from harness import Row, Sample
from limits import copy_speed, operation_speed

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples" / "data"


def main() -> None:
    """Run all benchmarks, or those named, and print a table."""
    names = sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("benches", nargs="*", help=f"which ones (default: all of {', '.join(names)})")
    parser.add_argument("--data", type=Path, help="folder with wmt15/ unpacked; its de-en text is used")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="also write the rows there, as docs/speed.md"
    )
    arguments = parser.parse_args()
    sample = read_wmt15(arguments.data) if arguments.data else read_examples()
    print(f"text: {sample.name}, {len(sample.hypotheses):,} segments, one thread unless a row says otherwise")
    print("medians of at least five runs, in processor time; two threads by the clock")
    print(f"{'job':44} {'peer':24} {'ours':>10} {'peer':>10} {'ratio':>8} {'aim':>6} spread")
    rows = measure_all(arguments.benches or names, sample)
    if arguments.page:
        arguments.page.write_text(render_page(sample, rows), encoding="utf-8")


def measure_all(benches: Sequence[str], sample: Sample) -> list[Row]:
    """Run the named benchmarks and print their rows; matrix products of peers use one thread, too."""
    rows = []
    for name in benches:
        module = importlib.import_module(f"bench_{name}")
        with threadpool_limits(limits=1):
            for row in module.measure(sample):
                rows.append(row)
                print(render_row(row), flush=True)
    return rows


def render_row(row: Row) -> str:
    mark = "" if row.ratio >= row.wanted_ratio else "  below the aim"
    times = f"{row.our_seconds * 1e3:8.1f}ms {row.peer_seconds * 1e3:8.1f}ms {_spell_ratio(row.ratio):>7}x"
    return f"{row.job:44} {row.peer:24} {times} {row.wanted_ratio:5g}x {row.spread}{mark}"


FOOT = """
---

*Made by `python benchmarks/run.py --data FOLDER --page docs/speed.md`, or `make bench DATA=FOLDER PAGE=docs/speed.md`; the folder holds `wmt15/de-en` as in
[Reproduce a WMT metrics table](reproduce-wmt.md). Without it the bundled text is used.*
"""


def render_page(sample: Sample, rows: Sequence[Row]) -> str:
    """Write the page of limits: every job, its peer, and its time relative to reading the text once."""
    size = sum(len(text.encode()) + 1 for text in (*sample.hypotheses, *sample.references))
    bandwidth, operations = copy_speed(), operation_speed()
    head = (
        (HERE / "speed_page.md")
        .read_text(encoding="utf-8")
        .format(
            text=sample.name,
            segments=f"{len(sample.hypotheses):,}",
            megabytes=f"{size / 1e6:.2f}",
            bandwidth=f"{bandwidth / 1e9:.1f}",
            operations=f"{operations / 1e9:.1f}",
            floor=f"{size / bandwidth * 1e6:.0f}",
        )
    )
    listed = [
        f"| {row.job} | {row.peer} | {_spell(row.our_seconds)} | {_spell(row.peer_seconds)} | {_spell_ratio(row.ratio)} |"
        f" {row.wanted_ratio:g} | {_times_floor(row, size / bandwidth)} | {row.spread} |"
        for row in rows
    ]
    return head + "\n".join(listed) + "\n" + FOOT


def _times_floor(row: Row, seconds: float) -> str:
    return "" if row.n_texts is None else f"{row.our_seconds / (row.n_texts * seconds):,.0f}"


def _spell_ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"


def _spell(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"


def read_examples() -> Sample:
    """Return the bundled text repeated ten times, so that a run is long enough to time."""
    hypotheses = _lines(EXAMPLES / "systems" / "aurora.txt") * 10
    return Sample("examples (10 times)", hypotheses, _lines(EXAMPLES / "reference.en.txt") * 10)


def read_wmt15(folder: Path) -> Sample:
    pair = folder / "wmt15" / "de-en"
    system = min((pair / "systems").glob("*.txt"))
    return Sample(f"WMT15 de-en, {system.stem}", _lines(system), _lines(pair / "ref.txt"))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    main()
