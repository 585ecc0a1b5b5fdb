"""Score a folder of systems with METEOR 1.5 and with this tool, and print every segment that differs."""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tertium.catalog import build_metric
from tertium.errors import TertiumError
from tertium.metrics.base import Metric
from tertium.resources.word_lists import find_in_package
from tertium.text import References, Texts

TOLERANCE = 1e-9  # relative; both add and multiply the same numbers, but in a different order
EXAMPLES = 5
_METEOR_NAMES = {"cs": "cz", "sv": "se"}  # METEOR's own names of languages


@dataclass(frozen=True)
class Difference:
    """A segment that the two tools score differently."""

    line: int
    ours: float
    theirs: float


def main() -> None:
    """Compare every system, and exit with 1 if a segment differs."""
    arguments = _parser().parse_args()
    systems = sorted((arguments.folder / "systems").glob(arguments.systems))
    if not systems:
        sys.exit(
            f"{arguments.folder}/systems has no {arguments.systems}; give a folder with ref.txt and systems/"
        )
    try:
        n_differences = sum(compare(arguments, system) for system in systems)
    except (OSError, TertiumError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
    sys.exit(n_differences > 0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="has ref.txt and systems/*.txt, a segment per line")
    parser.add_argument("--systems", default="*.txt", help="which files of systems/ (default: %(default)s)")
    parser.add_argument("--language", default="en", help="the target language (default: %(default)s)")
    parser.add_argument("--task", default="rank", help="rank, adq, hter, li or tune (default: %(default)s)")
    parser.add_argument("--modules", help="such as exact/stem/synonym (default: all of the language)")
    parser.add_argument("--lower", action="store_true", help="do not tokenise (METEOR's -lower for -norm)")
    return parser


def compare(arguments: argparse.Namespace, system: Path) -> int:
    """Print the scores of one system's segments that differ, and return their number."""
    references = arguments.folder / "ref.txt"
    *theirs, their_score = run_original(arguments, system, references)
    *ours, our_score = run_ours(arguments, _lines(system), _lines(references))
    if len(ours) != len(theirs):
        sys.exit(f"{system}: METEOR reads {len(theirs):,} segments, this tool {len(ours):,}")
    found = list(differences(ours, theirs))
    share = 1 - len(found) / len(ours)
    print(f"{system}: {len(ours):,} segments, {len(ours) - len(found):,} identical ({share:.2%})", flush=True)
    if _differ(our_score, their_score):
        print(f"  system score: ours {our_score!r}, METEOR {their_score!r}")
    for each in found[:EXAMPLES]:
        print(f"  line {each.line}: ours {each.ours!r}, METEOR {each.theirs!r}")
        print(f"    {_lines(system)[each.line - 1]}\n    {_lines(references)[each.line - 1]}")
    return len(found) + _differ(our_score, their_score)


def differences(ours: list[float], theirs: list[float]) -> Iterator[Difference]:
    for line, (one, other) in enumerate(zip(ours, theirs, strict=True), start=1):
        if _differ(one, other):
            yield Difference(line, one, other)


def _differ(one: float, other: float) -> bool:
    return abs(one - other) > TOLERANCE * max(one, other)


def run_ours(arguments: argparse.Namespace, hypotheses: list[str], references: list[str]) -> list[float]:
    """Return the scores of all segments, followed by that of the system."""
    column = References([[text] for text in references])
    metric = _metric(arguments).fit(column)
    rows = metric.statistics(Texts(hypotheses, column.vocabulary), column)
    scores = [*metric.segment_scores(rows), metric.combine(rows.sum(axis=0))]
    return [float(score) / 100 for score in scores]


def _metric(arguments: argparse.Namespace) -> Metric:
    options = {"language": arguments.language, "task": arguments.task, "normalize": not arguments.lower}
    if arguments.modules:
        options["modules"] = tuple(arguments.modules.split("/"))
    return build_metric("meteor", options)


def run_original(arguments: argparse.Namespace, hypotheses: Path, references: Path) -> list[float]:
    """Run the Java tool and parse the scores from its output: those of the segments, then that of the system."""
    jar = find_in_package("meteor-1.5.jar")
    if jar is None or shutil.which("java") is None:
        sys.exit("needs java, and pycocoevalcap from benchmarks/requirements.txt")
    command = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", str(jar), str(hypotheses), str(references)]
    language = _METEOR_NAMES.get(arguments.language, arguments.language)
    command += ["-l", language, "-t", arguments.task, "-lower" if arguments.lower else "-norm"]
    if arguments.modules:
        command += ["-m", arguments.modules.replace("/", " ")]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if run.returncode:
        sys.exit(f"METEOR ended with {run.returncode}: {run.stderr.strip()[-500:]}")
    lines = run.stdout.splitlines()
    scores = [line.split()[-1] for line in lines if line.startswith(("Segment ", "Final score"))]
    return [float(score) for score in scores]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


if __name__ == "__main__":
    main()
