"""Measure time and memory of scoring large corpora. Run: python benchmarks/bench_scale.py, which writes docs/scale.md.

Every row is one run of a command in new processes, on pairs made from the bundled texts. `--sizes 100000` is a quick run.
With `--keep FILE` rows are stored there, and the page includes those of earlier runs; `--print` does not change the page.
`--growth` prints another table: the processor time per pair and the memory of one process from 10⁴ to 2·10⁷ pairs.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness import Row, Sample, alternating_seconds

__all__ = ["measure"]

ROOT = Path(__file__).parent.parent
DATA = ROOT / "examples" / "data"
PAGE = ROOT / "docs" / "scale.md"
MARKS = "<!-- measured: begin -->", "<!-- measured: end -->"
METRICS = "bleu,chrf,ter"
SIZES = 100_000, 1_000_000, 10_000_000
TERTIUM = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
IN_MEMORY = """
import sys
from tertium.commands.base.scoring import ScoreRequest
from tertium.corpus import CorpusFiles
files = CorpusFiles(references=(sys.argv[1],), hypotheses=(sys.argv[2],))
ScoreRequest(files, metrics=sys.argv[3], tests_pairs=False, threads=1).run().render("json")
"""
GROWTH_SIZES = 10_000, 100_000, 1_000_000, 10_000_000, 20_000_000
# Imports and a first run are not counted. Short runs are repeated, and their median is printed.
IN_PARTS = """
import resource, statistics, sys, time
from tertium.commands.base.scoring import ScoreRequest
from tertium.corpus import CorpusFiles
files = CorpusFiles(references=(sys.argv[1],), hypotheses=(sys.argv[2],))
request = ScoreRequest(files, metrics=sys.argv[3], tests_pairs=False, threads=1, batch_size=20_000)
runs, n_pairs = [], int(sys.argv[4])
for _ in range(1 if n_pairs >= 1_000_000 else max(6, min(30, 1_000_000 // n_pairs))):
    begin = time.process_time()
    request.run()
    runs.append(time.process_time() - begin)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(statistics.median(runs[1:] or runs), peak)
"""
LARGEST_IN_MEMORY = 1_000_000
COMPARED = 1_000_000  # pairs of three systems that are compared, too


@dataclass(frozen=True)
class Measured:
    """The time and memory of one run."""

    n_pairs: int
    setup: str
    seconds: float
    processor_seconds: float
    megabytes: float
    read_megabytes: float

    def render(self) -> str:
        """Write a row of the page's table."""
        return (
            f"| {self.n_pairs:,} | {self.setup} | {self.seconds:,.1f} | {self.n_pairs / self.seconds:,.0f} |"
            f" {self.processor_seconds:,.1f} | {self.megabytes:,.0f} | {self.read_megabytes:,.0f} |"
        )


def measure(sample: Sample) -> Iterator[Row]:
    """Score in parts and in memory; parts may cost a tenth at most. A part has 20,000 segments, as one that is tokenised at once."""
    from tertium.commands.base.scoring import ScoreRequest
    from tertium.corpus import CorpusFiles

    with tempfile.TemporaryDirectory() as folder:
        paths, times = [], 50_000 // len(sample.references)
        for name, lines in (("ref", sample.references), ("hyp", sample.hypotheses)):
            paths.append(Path(folder) / f"{name}.txt")
            text = "".join(f"{line}\n" for line in lines)
            paths[-1].write_text(text * times, encoding="utf-8")
        files = CorpusFiles(references=(str(paths[0]),), hypotheses=(str(paths[1]),))
        requests = [
            ScoreRequest(files, metrics=METRICS, tests_pairs=False, threads=1, batch_size=size)
            for size in (20_000, None)
        ]
        streamed, whole = alternating_seconds([request.run for request in requests])
        yield Row(f"{METRICS}, in parts of 20,000", "in memory", streamed, whole, 0.9, times)


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="numbers of pairs")
    parser.add_argument("--setups", nargs="*", help="some setups only: '1 thread' '2 workers'")
    parser.add_argument("--keep", type=Path, help="a file of rows that were measured before")
    parser.add_argument("--print", action="store_true", help="leave the page as it is")
    parser.add_argument(
        "--growth", action="store_true", help="print the cost per pair for growing corpora only"
    )
    arguments = parser.parse_args()
    if arguments.growth:
        print_growth(GROWTH_SIZES if arguments.sizes is SIZES else arguments.sizes)
        return
    kept = arguments.keep.read_text().splitlines() if arguments.keep and arguments.keep.exists() else []
    rows = [Measured(**json.loads(line)) for line in kept]
    with tempfile.TemporaryDirectory() as folder:
        for n_pairs in arguments.sizes:
            files = write_pairs(Path(folder), n_pairs)
            for setup, command in commands(files, n_pairs):
                if arguments.setups and setup not in arguments.setups:
                    continue
                rows.append(run(n_pairs, setup, command))
                print(rows[-1].render(), flush=True)
                if arguments.keep:
                    arguments.keep.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows))
    if not arguments.print:
        write_page(sorted(rows, key=lambda row: row.n_pairs))


def print_growth(sizes: Sequence[int]) -> None:
    """Print the processor time per pair and the peak memory of one thread that scores in parts of 20,000 pairs."""
    print("| pairs | processor seconds | µs per pair | peak MB |\n|---:|---:|---:|---:|")
    for n_pairs in sizes:
        with tempfile.TemporaryDirectory() as folder:
            files = write_pairs(Path(folder), n_pairs)
            command = [sys.executable, "-c", IN_PARTS, *files, METRICS, str(n_pairs)]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds, megabytes = map(float, output.split())
        print(
            f"| {n_pairs:,} | {seconds:,.3f} | {seconds / n_pairs * 1e6:.2f} | {megabytes:,.0f} |", flush=True
        )


def write_pairs(folder: Path, n_pairs: int) -> list[str]:
    """Write references and outputs: the bundled texts repeated, each line with its own number."""
    references = _lines(DATA / "reference.en.txt")
    outputs = [_lines(path) for path in sorted((DATA / "systems").glob("*.txt"))]
    paths = [folder / "ref.txt", folder / "hyp.txt"]
    n = len(references)
    with paths[0].open("w", encoding="utf-8") as ref, paths[1].open("w", encoding="utf-8") as hyp:
        for i in range(n_pairs):
            ref.write(f"{references[i % n]} {i // n}\n")
            hyp.write(f"{outputs[i // n % len(outputs)][i % n]} {i // n}\n")
    return [str(path) for path in paths]


def write_systems(folder: Path, n_pairs: int) -> list[str]:
    """Write the outputs of three systems, for the references of `write_pairs`."""
    paths = []
    for path in sorted((DATA / "systems").glob("*.txt"))[:3]:
        lines = _lines(path)
        with (folder / path.name).open("w", encoding="utf-8") as file:
            file.writelines(f"{lines[i % len(lines)]} {i // len(lines)}\n" for i in range(n_pairs))
        paths.append(str(folder / path.name))
    return paths


def commands(files: Sequence[str], n_pairs: int) -> Iterator[tuple[str, list[str]]]:
    """List the command of every row."""
    if n_pairs <= LARGEST_IN_MEMORY:
        yield "1 thread, in memory", [sys.executable, "-c", IN_MEMORY, *files, METRICS]
    score = [*TERTIUM, "score", "-r", files[0], "-m", METRICS, "-f", "json", "-q"]
    parts = ["-i", files[1], "--batch-size", "50000" if n_pairs <= LARGEST_IN_MEMORY else "100000"]
    yield "1 thread", [*score, *parts, "-j", "1"]
    yield "2 threads", [*score, *parts, "-j", "2"]
    for name, count in (("1 worker", "1"), ("2 workers", "2")):
        yield name, [*score, *parts, "--engine", "dask", "--workers", count]
    if n_pairs == COMPARED:
        systems = write_systems(Path(files[0]).parent, n_pairs)
        compared = ["--ci", "--paired", "bootstrap", "-j", "2"]
        yield "2 threads, 3 systems, `--ci --paired bootstrap`", [*score, "-i", *systems, *compared]


def run(n_pairs: int, setup: str, command: Sequence[str]) -> Measured:
    """Run a command, and sample its processes ten times a second."""
    import psutil

    begin = time.perf_counter()
    process = psutil.Popen(
        list(command), stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONWARNINGS": "ignore"}
    )
    peak = most_read = 0
    used = dict[int, float]()
    while process.poll() is None:
        resident = read = 0
        for each in (process, *_children(process)):
            try:
                with each.oneshot():
                    resident += each.memory_info().rss
                    used[each.pid] = sum(each.cpu_times()[:2])
                    read += each.io_counters().read_chars  # with those of its children that have ended
            except (psutil.Error, AttributeError):
                continue
        peak, most_read = max(peak, resident), max(most_read, read)
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(f"{setup}: the command failed")
    seconds = time.perf_counter() - begin
    return Measured(n_pairs, setup, seconds, sum(used.values()), peak / 2**20, most_read / 2**20)


def _children(process: "psutil.Popen") -> "list[psutil.Process]":  # type: ignore[name-defined] # noqa: F821
    import psutil

    try:
        return list(process.children(recursive=True))
    except psutil.Error:
        return []


def write_page(rows: Sequence[Measured]) -> None:
    """Write the table and its conclusions into the page."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(MARKS[0])
    _, _, behind = rest.partition(MARKS[1])
    PAGE.write_text(f"{before}{MARKS[0]}\n{render(rows)}{MARKS[1]}{behind}", encoding="utf-8")


def render(rows: Sequence[Measured]) -> str:
    """Write the table, and the extrapolation to a billion pairs."""
    head = "| pairs | | seconds | pairs per second | processor seconds | peak MB | MB read |\n|---:|---|---:|---:|---:|---:|---:|\n"
    table = head + "".join(f"{row.render()}\n" for row in rows)
    one = max((row for row in rows if row.setup in ("1 thread", "2 threads")), key=lambda row: row.n_pairs)
    rate = one.n_pairs / one.processor_seconds
    n_cores, n_machines, n_pairs = 2, 100, 10**9
    hours = n_pairs / (rate * n_cores * n_machines) / 60
    gigabytes = n_pairs / one.n_pairs * one.read_megabytes / 1024
    return (
        f"Measured on {platform.processor() or platform.machine()}, {os.cpu_count()} cores;"
        f" `{METRICS}`, one system unless a row says otherwise, one reference. Each row is one run on"
        " a quiet machine.\n\n"
        f"{table}\n"
        f"One core scores {one.n_pairs:,} / {one.processor_seconds:,.0f} s = {rate:,.0f} pairs in a second. A thousand million pairs on"
        f" {n_machines} machines of {n_cores} cores take 10⁹ / ({rate:,.0f} × {n_cores} × {n_machines}) ="
        f" {hours * 60:,.0f} seconds, or {hours:,.1f} minutes, if the files are in shards and the disks deliver"
        f" {gigabytes:,.0f} GB in that time ({gigabytes * 1024 / (hours * 60):,.0f} MB/s for all machines together). In parts of"
        f" 100,000 segments these are 10,000 tasks; each returns 9 kB (with `--ci` 1 MB, 10 GB in all). This is"
        f" arithmetic, not a measurement: it was not run, and it ignores the overhead of a cluster.{_cost(rows)}\n"
    )


def _cost(rows: Sequence[Measured]) -> str:
    """Describe two workers compared with two threads and with one worker, where both were measured."""
    by_setup = {(row.setup, row.n_pairs): row for row in rows}
    largest = max((n for setup, n in by_setup if setup == "2 workers"), default=0)
    two, text = by_setup.get(("2 workers", largest)), ""
    if two is not None and (threads := by_setup.get(("2 threads", largest))) is not None:
        used = f"{two.processor_seconds:,.1f} processor seconds for {largest:,} pairs"
        text += f" Two workers took {used}, two threads {threads.processor_seconds:,.1f}."
    if two is not None and (one := by_setup.get(("1 worker", largest))) is not None:
        text += f" Two workers were {one.seconds / two.seconds:.2f} times as fast as one, start-up included."
    return text


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    main()
