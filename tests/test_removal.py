"""Every family of commands, and every optional part, can be deleted: everything else still works."""

import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import tertium
from tertium import _core
from tertium.commands import find_families

PACKAGE = Path(tertium.__file__).parent
LINES = "the cat sat on the mat\nit was a fine day\nwe meet at noon\nall is well that ends well\n"

# Each part of the package that may go, with its files.
PARTS = {
    **{family: [f"commands/{family}"] for family in find_families()},
    "checks": ["metrics/checks"],
    "neural metrics": ["metrics/neural", "resources/checkpoints.py"],
    "programs": ["metrics/external", "files/programs.py"],
    "Dask": ["engines/dask.py"],
    "calibration": ["metaeval/calibration.py", "metaeval/calibration_fitting.py"],
    "mix": ["metrics/combined"],
}

# One ordinary command of each family; the run was made before.
SMOKE = {
    "score": [
        "score -r ref.txt -i a.txt b.txt -m bleu,std --ci",
        "score -r ref.txt -i a.txt -m chrf -f json",
    ],
    "compare": [
        "compare a.txt b.txt -r ref.txt -m bleu",
        "segments all.run --worst 1",
        "explain -m wer words letters",
    ],
    "release": [
        "show all.run",
        "gate all.run#a --against all.run#b --metric bleu --at-least 0",
        "plan -m bleu --difference 1",
    ],
    "human": ["human human.tsv", "select a.txt b.txt -r ref.txt --segments 1"],
    "meta": ["meta -r ref.txt -i a.txt b.txt --human human.tsv -m chrf"],
    "align": ["align -r ref.txt -i a.txt"],
    "mbr": ["mbr candidates.jsonl"],
    "inspect": ["doctor ref.txt", "cite bleu", "metrics bleu", "languages"],
    "report": ["report all.run -o page.html"],
}
SMOKE_CODE = """
import os, sys
sys.meta_path[:] = [each for each in sys.meta_path if "editable" not in type(each).__module__]
sys.path.insert(0, sys.argv[1])
import tertium
assert tertium.__file__.startswith(sys.argv[1]), tertium.__file__
from tertium.cli.main import main
failed = []
for line in sys.argv[2:]:
    sys.argv[1:] = line.split()
    try:
        main()
    except SystemExit as stop:
        if stop.code not in (0, None):
            failed.append(line)
    except BaseException as error:
        failed.append(f"{line}: {type(error).__name__}: {error}")
print("FAILED", failed, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write texts, judgments, candidates and a run."""
    folder = tmp_path_factory.mktemp("texts")
    for name, text in (("ref", LINES), ("a", LINES.replace("cat", "dog")), ("b", LINES.replace("the", "a"))):
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    rows = [
        f"{system}\t{segment}\t{score + segment}"
        for system, score in (("a", 70), ("b", 40))
        for segment in range(1, 5)
    ]
    (folder / "human.tsv").write_text("\n".join(["system\tsegment\tscore", *rows, ""]), encoding="utf-8")
    (folder / "candidates.jsonl").write_text('["a cat", "the cat", "dogs"]\n', encoding="utf-8")
    lines = LINES.splitlines()
    systems = {name: (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in ("a", "b")}
    tertium.score(systems, lines, "bleu").save(folder / "all.run")
    return folder


def run_without(removed: Iterable[str], commands: Iterable[str], texts: Path, folder: Path) -> str:
    """Run commands in a copy of the package without some of its files; return the complaints."""
    copy = folder / "tertium"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if Path(_core.__file__).parent != PACKAGE:
        shutil.copy(_core.__file__, copy)
    for each in removed:
        path = copy / each
        assert path.exists(), each
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    done = subprocess.run(
        [sys.executable, "-c", SMOKE_CODE, str(folder), *commands],
        cwd=texts,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr.partition("FAILED ")[2].strip() if "FAILED" in done.stderr else done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_everything_else_works_without_a_part(part: str, texts: Path, tmp_path: Path) -> None:
    commands = ["--help", *(line for family, lines in SMOKE.items() if family != part for line in lines)]
    assert run_without(PARTS[part], commands, texts, tmp_path) == "[]"


def test_every_family_has_a_smoke_test() -> None:
    assert set(SMOKE) == set(find_families())
