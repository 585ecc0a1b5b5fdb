"""Count the problems that `tertium score` and `tertium doctor` report on outputs of real systems.

    python tools/measure_findings.py FOLDER... [--half even] [--write FINDINGS.tsv] [--known FINDINGS.tsv]

A folder has language pairs (PAIR/src.txt, PAIR/ref.txt, PAIR/systems/*.txt) or test sets of mt-metrics-eval. Most outputs of
real systems are sound, so that most findings of a bad check are false alarms. `--known` names the findings of an earlier
version: only new ones are listed. Thresholds are chosen on one half of the outputs and confirmed on the other.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tertium.diagnosis.examination import inspect_file
from tertium.diagnosis.finding import Finding
from tertium.diagnosis.pairs import check_pair, check_source
from tertium.diagnosis.quick import QuickCheck
from tertium.diagnosis.texts import check_text


class Output(NamedTuple):
    """An output of a system, its reference and its source."""

    name: str
    system: Path
    reference: Path
    source: Path


def find_outputs(folder: Path) -> Iterator[Output]:
    """Find all outputs below a folder."""
    for systems in sorted(folder.rglob("systems")):
        for path in sorted(systems.glob("*.txt")):
            name = f"{folder.name}/{path.relative_to(folder)}"
            yield Output(name, path, systems.parent / "ref.txt", systems.parent / "src.txt")
    for outputs in sorted(folder.rglob("system-outputs")):
        for path in sorted(outputs.glob("*/*.txt")):
            pair, root = path.parent.name, outputs.parent
            reference = next((root / "references").glob(f"{pair}.*.txt"))
            name = f"{folder.name}/{path.relative_to(folder)}"
            yield Output(name, path, reference, root / "sources" / f"{pair}.txt")


def examine(output: Output) -> Iterator[tuple[str, Finding]]:
    """Check an output as `tertium score` and as `tertium doctor` do."""
    inspection = inspect_file(output.system)
    hypotheses = inspection.lines
    references, sources = (inspect_file(path).lines for path in (output.reference, output.source))
    for finding in QuickCheck(references)(hypotheses):
        yield "score", finding
    yield from (("doctor", finding) for finding in inspection.findings)
    yield from (("doctor", finding) for finding in check_text(hypotheses))
    yield from (("doctor", finding) for finding in check_pair(hypotheses, references))
    yield from (("doctor", finding) for finding in check_source(hypotheses, sources, references))


def write_row(output: Output, command: str, finding: Finding) -> str:
    """Write a finding as a row: output, command, code, severity, number of lines, first lines, problem."""
    lines = " ".join(map(str, finding.lines))
    cells = [
        output.name,
        command,
        finding.code,
        finding.severity,
        str(finding.n_lines),
        lines,
        finding.problem,
    ]
    return "\t".join(cells)


def read_key(row: str) -> tuple[str, ...]:
    """Return what identifies a finding in two versions: the output, the command, the code and the severity."""
    return tuple(row.split("\t")[:4])


def main() -> None:
    """Print a row per finding that is not known, and on stderr the number of findings of each kind."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--half", choices=["even", "odd"], help="check every other output only")
    parser.add_argument("--write", type=Path, help="write all findings to this file")
    parser.add_argument("--known", type=Path, help="leave out the findings in this file")
    chosen = parser.parse_args()
    outputs = [output for folder in chosen.folders for output in find_outputs(folder)]
    if chosen.half:
        outputs = outputs[chosen.half == "odd" :: 2]
    rows = [write_row(output, *found) for output in outputs for found in examine(output)]
    if chosen.write:
        chosen.write.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    known = set(map(read_key, chosen.known.read_text("utf-8").split("\n"))) if chosen.known else set()
    new = [row for row in rows if read_key(row) not in known]
    sys.stdout.writelines(f"{row}\n" for row in new)
    print(f"{len(outputs)} outputs, {len(new)} findings", file=sys.stderr)
    for (_, command, code, severity), n in sorted(Counter(("", *read_key(row)[1:]) for row in new).items()):
        print(f"{n:6} {command:7} {severity:8} {code}", file=sys.stderr)


if __name__ == "__main__":
    main()
