"""Time METEOR against the original Java tool: the segments alone, and a whole run with its start-up."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from harness import FEWEST, Median, Row, Sample, median_seconds, threaded_row
from tertium.catalog import build_metric
from tertium.kernels.threads import use_threads
from tertium.resources.paraphrases import find_paraphrases
from tertium.resources.word_lists import find_in_package
from tertium.text import References, Texts

__all__ = ["measure"]

PEER = "METEOR 1.5 (Java)"


def measure(sample: Sample) -> Iterator[Row]:
    """Time METEOR with all four modules."""
    jar = find_in_package("meteor-1.5.jar")
    if jar is None or shutil.which("java") is None:
        print("meteor: needs java, and pycocoevalcap from benchmarks/requirements.txt", file=sys.stderr)
        return
    yield _paraphrases()
    yield from _segments(sample, jar)
    yield _whole_run(sample, jar)


def _segments(sample: Sample, jar: Path) -> Iterator[Row]:
    """Time both tools after they have read their tables; the Java tool has also warmed up."""
    column = References([[text] for text in sample.references])
    metric = build_metric("meteor", {}).fit(column)

    def ours() -> object:
        references = References([[text] for text in sample.references])
        return metric.statistics(Texts(sample.hypotheses, references.vocabulary), references)

    with use_threads(1):
        java = _java_seconds(sample, jar)
        yield Row("METEOR, raw text in, statistics out", PEER, median_seconds(ours, repeats=10), java, 20)

    def on_threads(count: int) -> None:
        with use_threads(count):
            ours()

    yield threaded_row("METEOR, the same on two threads", on_threads, 1.8, n_turns=25)


def _paraphrases() -> Row:
    """Return METEOR's table, compiled beforehand and in the page cache."""
    table = find_paraphrases()
    assert table is not None
    table.phrases()

    def work() -> None:
        table.opened.clear()
        table.phrases()

    return Row("METEOR, its paraphrases opened", "20 milliseconds", median_seconds(work), 0.02, 1, None)


def _java_seconds(sample: Sample, jar: Path) -> Median:
    """Run the tool on segments line by line; passes after the first, which is a warm-up, are timed."""
    command = ["java", "-Xmx2G", "-jar", str(jar), "-", "-", "-stdio", "-l", "en", "-norm"]
    pairs = zip(sample.references, sample.hypotheses, strict=True)
    lines = [f"SCORE ||| {_plain(r)} ||| {_plain(h)}\n" for r, h in pairs]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as tool:
        assert tool.stdin is not None
        assert tool.stdout is not None
        passes = []
        for _ in range(FEWEST + 1):
            begin = _busy_seconds(tool.pid)
            for line in lines:
                tool.stdin.write(line)
                tool.stdin.flush()
                tool.stdout.readline()
            passes.append(_busy_seconds(tool.pid) - begin)
        tool.stdin.close()
    return Median(passes[1:])


def _busy_seconds(process: int) -> float:
    """Return the processor time of a running process, or wall-clock time if the system does not provide it."""
    facts = Path(f"/proc/{process}/stat")
    if not facts.exists():
        return time.perf_counter()
    user, system = facts.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _whole_run(sample: Sample, jar: Path) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        hypotheses, references = Path(folder, "hyp.txt"), Path(folder, "ref.txt")
        hypotheses.write_text("\n".join(map(_plain, sample.hypotheses)) + "\n", encoding="utf-8")
        references.write_text("\n".join(map(_plain, sample.references)) + "\n", encoding="utf-8")
        texts = [str(hypotheses), str(references)]
        java = ["java", "-Xmx2G", "-jar", str(jar), *texts, "-l", "en", "-norm"]
        main = "from tertium.cli.main import main; main()"
        tertium = [sys.executable, "-c", main, "score", "-q", "-j", "1", "-m", "meteor"]
        command = [*tertium, "-r", texts[1], "-i", texts[0]]
        _run(command)
        ours = median_seconds(lambda: _run(command))
        return Row("METEOR, start-up included", PEER, ours, median_seconds(lambda: _run(java)), 20)


def _run(command: list[str]) -> None:
    # Bytecode is cached, as for installed packages, regardless of this shell's settings.
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, capture_output=True, check=True, env=surroundings)


def _plain(text: str) -> str:
    """Format a request in the Java tool's protocol: fields separated by bars, segments by line ends."""
    return " ".join(text.replace("|||", " ").split())
