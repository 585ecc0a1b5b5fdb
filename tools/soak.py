"""Run many mixed commands with random kills, full disks and two writers of one file, and check what is left.

    python tools/soak.py --commands 2000 --seed 1

After every command the inputs must be unchanged and every output file complete; a command that was not killed leaves no
temporary file, prints no traceback, and ends with 0, 1, 2 or 3. Commands run in forked children of this process, which
saves the time to start Python. A full disk is a small tmpfs if this process may mount one, otherwise a limit on the size
of files.
"""

import argparse
import ctypes
import hashlib
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import tertium.commands.meta.tune
import tertium.commands.report.page.rendering  # noqa: F401
from hostile.forked import Finished, run_command, run_forked, start_forked, wait_for
from tertium.cli.main import main as run_tertium

DATA = Path(__file__).parents[1] / "examples" / "data"
FILES = ["-r", "reference.en.txt", "-i", "systems/aurora.txt", "systems/boreas.txt"]
JUDGED = ["-r", "reference.en.txt", "-i", "systems/*.txt", "--human", "human.tsv"]
COMMANDS = [
    ["score", *FILES, "-m", "bleu,chrf,ter", "--ci", "-f", "json", "-o", "out/scores.json"],
    ["score", *FILES, "-m", "bleu,wer", "--save", "out/all.run"],
    ["score", *FILES, "-m", "bleu,nist", "--resume", "out/parts", "--batch-size", "20", "-o", "out/scores.json"],
    ["score", *FILES, "-m", "wer,std", "--segments", "-f", "csv", "-o", "out/segments.csv"],
    ["report", *FILES, "-m", "bleu,ter", "-o", "out/page.html"],
    ["compare", "systems/aurora.txt", "systems/boreas.txt", "-r", "reference.en.txt", "-m", "bleu", "-o", "out/scores.json"],
    ["tune", *JUDGED, "-m", "chrf", "--option", "beta=1,2,3", "--journal", "out/journal.jsonl", "-o", "out/preset.toml"],
    ["meta", *JUDGED, "-m", "bleu,wer", "--samples", "50", "-o", "out/meta.json"],
    ["select", "systems/aurora.txt", "systems/boreas.txt", "-r", "reference.en.txt", "--segments", "9", "-o", "out/chosen.csv"],
    ["mbr", "systems/aurora.txt", "-k", "5", "-m", "chrf", "--resume", "out/mbr", "-o", "out/mbr.json"],
    ["show", "out/all.run", "-f", "csv", "-o", "out/scores.json"],
    ["history", "out/all.run", "-o", "out/history.md"],
    ["plan", "out/all.run", "-d", "1", "--chart", "out/power.svg"],
    ["parse", "reference.en.txt", "-o", "out/trees.conllu"],
    ["align", "-i", "systems/aurora.txt", "-r", "reference.en.txt", "--write", "out/aligned"],
    ["score", *FILES, "-o", "systems/aurora.txt"],
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--commands", type=int, default=2000)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    random.seed(chosen.seed)
    with tempfile.TemporaryDirectory(prefix="tertium-soak-") as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        os.chdir(folder)
        Path("out").mkdir()
        tried = soak(chosen.commands, time.monotonic() + 60 * chosen.minutes)
        print(*(f"{name}: {count}" for name, count in sorted(tried.items())), sep="\n")
        print(f"{sum(tried.values())} commands")


def soak(n_commands: int, end: float) -> Counter[str]:
    """Run the commands; return how often each kind of trouble was tried."""
    before, tried = checksums(), Counter[str]()
    troubles: dict[str, Callable[[list[str]], None]] = {
        "plain": run_plainly, "killed": run_and_kill, "full disk": run_on_full_disk, "two writers": run_twice,
    }  # fmt: skip
    while sum(tried.values()) < n_commands and time.monotonic() < end:
        command = random.choice(COMMANDS)
        trouble = random.choice(list(troubles))
        troubles[trouble](command)
        tried[trouble] += 1
        assert checksums() == before, f"an input changed: {command}"
        check_outputs(command)
        if trouble != "killed":
            left = [path for path in Path().rglob("*") if ".tertium-" in path.name]
            assert not left, f"left by {trouble}: {left} {command}"
    return tried


def checksums() -> dict[str, str]:
    files = (path for path in Path().rglob("*") if path.is_file() and path.parts[0] != "out")
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def check_outputs(command: list[str]) -> None:
    """Raise if an output file is incomplete."""
    if Path("out/all.run").exists():
        with zipfile.ZipFile("out/all.run") as archive:
            assert archive.testzip() is None, command
    page = Path("out/page.html")
    assert not page.exists() or page.read_bytes().rstrip().endswith(b"</html>"), command


def check(done: Finished, command: list[str]) -> None:
    assert done.code in (0, 1, 2, 3), (done.code, command, done.stderr[-500:])
    assert b"Traceback" not in done.stderr, (command, done.stderr[-2000:])


def call_command(command: list[str]) -> None:
    sys.argv = ["tertium", *command]
    run_tertium()


def run_plainly(command: list[str]) -> None:
    check(run_command(command, Path(), seconds=300), command)


def run_and_kill(command: list[str]) -> None:
    with Path(os.devnull).open("wb") as nowhere:
        child = start_forked(lambda: call_command(command), Path(), nowhere, nowhere)
        time.sleep(random.expovariate(1 / 0.3))
        os.kill(child, random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
        assert wait_for(child, 60) is not None, f"killed, but still running: {command}"
    for path in Path("out").rglob("*"):  # a killed process cannot remove its temporary files
        if ".tertium-" in path.name and path.exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def run_on_full_disk(command: list[str]) -> None:
    """Run a command with little room in out/: on a disk of its own, or with a limit on the size of files."""
    size = random.choice([4096, 16384, 65536, 262144])

    def call() -> None:
        if not mount_small(size):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        call_command(command)

    check(run_forked(call, Path(), seconds=300), command)


_NEW_MOUNTS, _PRIVATE = 0x20000, 0x40000 | 0x4000


def mount_small(size: int) -> bool:
    """Mount a tmpfs over out/ that only this process sees; it is gone when the process ends."""
    libc = ctypes.CDLL(None, use_errno=True)
    return bool(
        libc.unshare(_NEW_MOUNTS) == 0
        and libc.mount(b"none", b"/", None, _PRIVATE, None) == 0
        and libc.mount(b"none", os.fsencode(Path("out").resolve()), b"tmpfs", 0, f"size={size}".encode()) == 0
    )


def run_twice(command: list[str]) -> None:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        both = [start_forked(lambda: call_command(command), Path(), out, err) for _ in range(2)]
        codes = [wait_for(child, 300) for child in both]
        err.seek(0)
        for code in codes:
            check(Finished(code, b"", err.read()), command)


if __name__ == "__main__":
    main()
