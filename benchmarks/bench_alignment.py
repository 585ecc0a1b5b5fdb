"""Time `tertium align` against mweralign from start to end: a text without line breaks, both as commands."""

import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from harness import Row, Sample

__all__ = ["measure"]

_REPEATS = 5


def measure(sample: Sample) -> Iterator[Row]:
    """Cut the sample's output, joined to one line, to the segments of its references."""
    with TemporaryDirectory() as folder:
        stream, references = Path(folder, "stream.txt"), Path(folder, "references.txt")
        stream.write_text(" ".join(sample.hypotheses) + "\n", encoding="utf-8")
        references.write_text("\n".join(sample.references) + "\n", encoding="utf-8")
        files, scripts = ["-r", str(references)], Path(sys.executable).parent
        ours = [str(scripts / "tertium"), "align", *files, "-i", str(stream), "-j", "1", "-q"]
        theirs = [str(scripts / "mweralign"), "-m", "none", *files, "-t", str(stream)]
        written = ["--write", str(Path(folder, "ours.txt"))]
        seconds = median(_processor_seconds([*ours, *written]) for _ in range(_REPEATS))
        # the peer takes 20 seconds, so it runs once
        yield Row("align 1 stream, from start to end", "mweralign", seconds, _processor_seconds(theirs), 20)


def _processor_seconds(command: Sequence[str]) -> float:
    """Run a command; return the processor time of its process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
