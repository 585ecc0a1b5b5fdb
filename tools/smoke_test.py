"""Test an installed Tertium: every metric and the main commands, on the bundled example.

python tools/smoke_test.py [--no-compiler]     # the second form also fails if a C++ compiler is on the path
"""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import tertium
from tertium.catalog import self_contained_names

CHECKOUT = Path(__file__).resolve().parents[1]
DATA = CHECKOUT / "examples" / "data"
COMPILERS = ("c++", "g++", "gcc", "cc", "clang++", "clang", "cl")


def main() -> None:
    """Run all checks; the first failure ends the program."""
    check_place()
    if "--no-compiler" in sys.argv[1:]:
        found = [name for name in COMPILERS if shutil.which(name)]
        assert not found, f"compilers on the path: {found}"
    n_metrics = check_metrics()
    n_commands = check_commands()
    print(f"tertium {tertium.__version__}: {n_metrics} metrics and {n_commands} commands work")


def check_place() -> None:
    """Raise if the sources of the checkout would be tested instead of the installed package."""
    package = Path(tertium.__file__ or "").resolve()
    assert CHECKOUT / "src" not in package.parents, f"{package} is not an installed package"


def check_metrics() -> int:
    """Score a small text with every metric, and compare BLEU to its last digit."""
    names = self_contained_names()
    texts = {"mine": ["the cat sat on the mat", "it rained"], "theirs": ["a cat sat", "it is raining"]}
    references, source = ["the cat sat on a mat", "it rained"], ["die Katze saß auf der Matte", "es regnete"]
    for name in names:
        result = tertium.score(texts, references, name, source=source)
        assert all(score.value == score.value for score in result[name].values()), f"{name} is not a number"
    corpus = tertium.read_corpus([str(DATA / "reference.en.txt")], [(None, str(DATA / "systems/aurora.txt"))])
    (bleu,) = tertium.score(corpus, metrics="bleu")["bleu"].values()
    assert abs(bleu.value - 44.798017547172435) < 1e-9, bleu.value  # sacreBLEU 2.6 prints 44.80
    return len(names)


def check_commands() -> int:
    """Run the commands that do not need an extra."""
    with tempfile.TemporaryDirectory(prefix="tertium-") as folder:
        return run_commands(Path(folder))


def run_commands(folder: Path) -> int:
    """Run commands that write into this folder; return their number."""
    run, page = str(folder / "all.run"), str(folder / "report.html")
    reference, systems = str(DATA / "reference.en.txt"), sorted(map(str, (DATA / "systems").glob("*.txt")))
    commands = [
        ["--version", "--verbose"],
        ["score", "-r", reference, "-i", *systems, "-m", "bleu,chrf,invwer,std,red", "--ci"],
        ["score", "-r", reference, "-i", *systems, "--segments", "-f", "tsv"],
        ["score", "-r", reference, "-i", *systems, "-m", "bleu,chrf", "--save", run],
        ["show", run, "--table", "segments", "-f", "csv"],
        ["report", run, "-o", page],
        ["explain", "-m", "invwer", "we meet at noon", "at noon we meet"],
        ["compare", *systems[:2], "-r", reference],
        ["meta", "-r", reference, "-i", *systems, "--human", str(DATA / "human.tsv"), "-m", "bleu,chrf"],
        ["doctor", reference, systems[0]],
        ["metrics"],
        ["languages"],
    ]
    for command in commands:
        done = subprocess.run(
            [script(), *command], capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, f"tertium {' '.join(command)}: {done.stderr}"
        assert done.stdout or "-o" in command, f"tertium {' '.join(command)} printed nothing"
    return len(commands)


def script() -> str:
    """Find the command that was installed with this Python."""
    found = shutil.which("tertium", path=sysconfig.get_path("scripts"))
    assert found, "the command tertium is not installed"
    return found


if __name__ == "__main__":
    main()
