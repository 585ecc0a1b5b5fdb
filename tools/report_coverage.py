"""Print the share of lines and branches of each package that the tests reach. Run: make coverage

python tools/report_coverage.py coverage.json             # a line per package
python tools/report_coverage.py coverage.json stats core  # and the lines of these packages that no test reaches

The lines of the core are those that `make core-coverage` has counted.
"""

import argparse
import json
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

# The packages that the tests shall reach completely, and the least share of all packages together
COMPLETE = ("stats", "evaluation", "metrics", "files")
LEAST = 0.97

ROOT = Path(__file__).parents[1]
CORE_BUILD = ROOT / "build" / "core-coverage"


def main() -> None:
    """Print the table, and the lines of the named packages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("report", type=Path, help="the report of coverage in JSON")
    parser.add_argument("packages", nargs="*", help="packages whose missing lines are listed")
    arguments = parser.parse_args()
    files: dict[str, Any] = json.loads(arguments.report.read_text(encoding="utf-8"))["files"]
    core = count_core_lines(CORE_BUILD)
    print("\n".join(render_table(files)))
    print(render_core(core))
    print("\n".join(list_missing(files, arguments.packages)))
    if "core" in arguments.packages:
        print("\n".join(list_missing_in_core(core)))


def render_table(files: Mapping[str, Any]) -> Iterable[str]:
    """Render a line per package: covered and all lines and branches."""
    counts = dict[str, Counter[str]]()
    for path, file in files.items():
        for name in (find_package(path), "all"):
            counts.setdefault(name, Counter()).update(
                {key: value for key, value in file["summary"].items() if isinstance(value, int)}
            )
    yield f"{'package':<14}{'lines':>16}{'branches':>16}"
    for name, count in sorted(counts.items(), key=lambda item: (item[0] == "all", item[0])):
        lines = format_share(count["covered_lines"], count["num_statements"])
        branches = format_share(count["covered_branches"], count["num_branches"])
        aim = (
            "  (aim: all branches)" if name in COMPLETE else f"  (aim: {LEAST:.0%})" if name == "all" else ""
        )
        yield f"{name:<14}{lines:>16}{branches:>16}{aim}"


def count_core_lines(build: Path) -> dict[str, dict[int, int]]:
    """Count how often each line of the core was executed, by file; a line of a template counts once."""
    counts = defaultdict[str, dict[int, int]](dict)
    for file in (file for path in sorted(build.rglob("*.gcda")) for file in read_counts(path)):
        path = Path(file["file"])
        if path.is_absolute() and path.is_relative_to(ROOT / "native"):
            lines = counts[path.relative_to(ROOT).as_posix()]
            for line in file["lines"]:
                number = line["line_number"]
                lines[number] = lines.get(number, 0) + line["count"]
    return counts


def read_counts(path: Path) -> Iterator[dict[str, Any]]:
    """Read what gcov says of the files that one object was compiled from."""
    command = ["gcov", "--json-format", "--stdout", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=True)
    for document in done.stdout.splitlines():
        yield from json.loads(document)["files"]


def render_core(core: Mapping[str, Mapping[int, int]]) -> str:
    """Render the line of the core."""
    counts = [count for lines in core.values() for count in lines.values()]
    if not counts:
        return "core: not counted, run make core-coverage"
    return f"{'core':<14}{format_share(sum(count > 0 for count in counts), len(counts)):>16}"


def list_missing_in_core(core: Mapping[str, Mapping[int, int]]) -> Iterable[str]:
    """List the lines of the core that no test reaches."""
    for path, lines in sorted(core.items()):
        if missing := [str(number) for number, count in sorted(lines.items()) if count == 0]:
            yield f"{path}: {', '.join(missing)}"


def format_share(covered: int, total: int) -> str:
    """Format a share with the number of those that are missing."""
    return f"{covered / total:.2%} (-{total - covered})" if total else "-"


def list_missing(files: Mapping[str, Any], packages: Iterable[str]) -> Iterable[str]:
    """List the lines and branches of packages that no test reaches."""
    for path, file in sorted(files.items()):
        if find_package(path) not in packages:
            continue
        branches = [
            f"{start}->{end}" for start, end in file["missing_branches"] if start not in file["missing_lines"]
        ]
        if missing := [*map(str, file["missing_lines"]), *branches]:
            yield f"{path}: {', '.join(missing)}"


def find_package(path: str) -> str:
    """Return the package of a file of Tertium, such as `stats`."""
    parts = PurePosixPath(path).parts
    inner = parts[len(parts) - parts[::-1].index("tertium") :]
    return inner[0] if len(inner) > 1 else "tertium"


if __name__ == "__main__":
    main()
