"""Print the share of lines and branches of each package that the tests reach. Run: make coverage

python tools/report_coverage.py coverage.json             # a line per package
python tools/report_coverage.py coverage.json stats files # and the lines of these packages that no test reaches
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

# The packages that the tests shall reach completely, and the least share of all packages together
COMPLETE = ("stats", "evaluation", "metrics", "files")
LEAST = 0.97


def main() -> None:
    """Print the table, and the lines of the named packages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("report", type=Path, help="the report of coverage in JSON")
    parser.add_argument("packages", nargs="*", help="packages whose missing lines are listed")
    arguments = parser.parse_args()
    files: dict[str, Any] = json.loads(arguments.report.read_text(encoding="utf-8"))["files"]
    print("\n".join(render_table(files)))
    print("\n".join(list_missing(files, arguments.packages)))


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
