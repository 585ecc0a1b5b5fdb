"""Run the commands and the Python code of documentation pages, and compare their output with the pages.

    python tools/run_docs.py PAGE…           # report differences
    python tools/run_docs.py --write PAGE…   # write the output into the pages

Every page runs in a fresh copy of the example data, from its first block to its last. In a ```console block, lines that
begin with `$ ` are commands, and the lines below are their output: `…` matches any text, and on a separate line any
number of lines. Standard error is compared only for failures. A command without output below it must only succeed;
`# exit 3` after a command is its expected exit code. The ```python blocks of a page share one namespace, and `# > `
shows the output of a line. A block whose fence has `no-run` is not run; the reason is on the same line.
"""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = ROOT / "examples" / "data"
FENCE = re.compile(
    r"^```(?P<kind>console|python)(?P<rest>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)
EXIT = re.compile(r"# exit (?P<code>\d+)\s*$")
TOLD = "# > "
TIMEOUT = 300


@dataclass(frozen=True)
class Step:
    """A command and the output that the page shows below it."""

    command: str
    shown: str

    @property
    def exit_code(self) -> int:
        """The expected exit code."""
        found = EXIT.search(self.command)
        return int(found["code"]) if found else 0


@dataclass(frozen=True)
class Difference:
    """A difference between a page and the actual output."""

    page: str
    command: str
    shown: str
    printed: str

    def __str__(self) -> str:
        return f"{self.page}: {self.command}\n--- shown\n{self.shown}--- printed\n{self.printed}"


def check_page(path: Path) -> list[Difference]:
    """Run a page and find the differences."""
    found: list[Difference] = []
    run_page(path, found)
    return found


def run_page(path: Path, differences: list[Difference]) -> str:
    """Run a page from its first block to its last; return its text with the actual output."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "data"
        shutil.copytree(DATA, place)
        names: dict[str, object] = {"__name__": "page"}

        def run(fence: re.Match[str]) -> str:
            if "no-run" in fence["rest"]:
                return fence[0]
            if fence["kind"] == "python":
                _run_python(path, fence["body"], names, place, differences)
                return fence[0]
            body = "".join(_run_step(path, step, place, differences) for step in steps_of(fence["body"]))
            return f"```console{fence['rest']}\n{body}```"

        return FENCE.sub(run, path.read_text(encoding="utf-8"))


def steps_of(body: str) -> Iterator[Step]:
    """Split a block into commands and their outputs; a backslash continues a command on the next line."""
    lines = body.splitlines(keepends=True)
    while lines:
        command = lines.pop(0)
        while command.rstrip().endswith("\\") and lines:
            command += lines.pop(0)
        shown = ""
        while lines and not lines[0].startswith("$ "):
            shown += lines.pop(0)
        yield Step(command.removeprefix("$ ").rstrip("\n"), shown)


def matches(shown: str, printed: str) -> bool:
    r"""Whether an output equals that of the page, where `…` matches any text.

    >>> matches("a\n…\nd\n", "a\nb\nc\nd\n"), matches("took … s\n", "took 3 s\n"), matches("a\n", "b\n")
    (True, True, False)
    """
    pattern = "".join(
        r"(?:.*\n)*"
        if line.strip() == "…"
        else ".*".join(map(re.escape, line.rstrip().split("…"))) + r"\s*?\n"
        for line in shown.rstrip().splitlines()
    )
    return re.fullmatch(pattern, printed.rstrip() + "\n") is not None


def _run_step(path: Path, step: Step, place: Path, differences: list[Difference]) -> str:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    run = subprocess.run(
        ["bash", "-c", step.command],
        cwd=place,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        check=False,
    )
    printed = run.stdout + (
        run.stderr if run.returncode else ""
    )  # of success, notes and progress are not shown
    if run.returncode != step.exit_code:
        differences.append(
            Difference(
                path.name, step.command, f"exit {step.exit_code}\n", f"exit {run.returncode}\n{printed}"
            )
        )
    elif step.shown.strip() and not matches(step.shown, printed):
        differences.append(Difference(path.name, step.command, step.shown, printed))
    kept = step.shown if not step.shown.strip() or matches(step.shown, printed) else printed
    return f"$ {step.command}\n{kept}"


def _run_python(
    path: Path, body: str, names: dict[str, object], place: Path, differences: list[Difference]
) -> None:
    """Run a block; a comment that begins with `# >` after an expression is its output or value."""
    printed = io.StringIO()
    try:
        with chdir(place), redirect_stdout(printed):
            exec(compile(body, path.name, "exec"), names)  # the project's own documentation
    except Exception as error:  # noqa: BLE001 (whatever a page does wrong is shown)
        differences.append(Difference(path.name, body, "", f"{type(error).__name__}: {error}\n"))
        return
    shown = "".join(f"{line.partition(TOLD)[2]}\n" for line in body.splitlines() if TOLD in line)
    if shown and not matches(shown, printed.getvalue()):
        differences.append(Difference(path.name, body, shown, printed.getvalue()))


def pages() -> Sequence[Path]:
    """List all pages whose blocks are run."""
    return sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "examples" / "README.md"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the output into the pages")
    parser.add_argument("pages", nargs="*", type=Path, help="pages to run [default: all]")
    arguments = parser.parse_args()
    differences: list[Difference] = []
    for page in arguments.pages or pages():
        text = run_page(page, differences)
        if arguments.write:
            page.write_text(text, encoding="utf-8")
    for difference in differences:
        print(difference)
    return 1 if differences and not arguments.write else 0


if __name__ == "__main__":
    sys.exit(main())
