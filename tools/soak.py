"""Run many mixed commands with random kills, full disks and two writers of one file, and check what is left.

    python tools/soak.py --commands 2000 --seed 1

After every command the inputs must be unchanged and every output file complete; a command that was not killed leaves no
temporary file, prints no traceback, and ends with 0, 1, 2 or 3.
"""

import argparse
import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

DATA = Path(__file__).parents[1] / "examples" / "data"
RUN = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
FILES = ["-r", "reference.en.txt", "-i", "systems/aurora.txt", "systems/boreas.txt"]
COMMANDS = [
    ["score", *FILES, "-m", "bleu,chrf,ter", "--ci", "-f", "json", "-o", "out/scores.json"],
    ["score", *FILES, "-m", "bleu,wer", "--save", "out/all.run"],
    ["score", *FILES, "-m", "bleu,nist", "--resume", "out/parts", "--batch-size", "20", "-o", "out/scores.json"],
    ["score", *FILES, "-m", "wer,std", "--segments", "-f", "csv", "-o", "out/segments.csv"],
    ["report", *FILES, "-m", "bleu,ter", "-o", "out/page.html"],
    ["compare", "systems/aurora.txt", "systems/boreas.txt", "-r", "reference.en.txt", "-m", "bleu", "-o", "out/scores.json"],
    ["tune", "-r", "reference.en.txt", "-i", "systems/aurora.txt", "systems/boreas.txt", "systems/cirrus.txt", "--human", "human.tsv",
     "-m", "chrf", "--option", "beta=1,2,3", "--journal", "out/journal.jsonl", "-o", "out/preset.toml"],
    ["show", "out/all.run", "-f", "csv", "-o", "out/scores.json"],
    ["parse", "reference.en.txt", "-o", "out/trees.conllu"],
    ["score", *FILES, "-o", "systems/aurora.txt"],
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--commands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    random.seed(chosen.seed)
    with tempfile.TemporaryDirectory(prefix="tertium-soak-") as folder:
        shutil.copytree(DATA, folder, dirs_exist_ok=True)
        os.chdir(folder)
        Path("out").mkdir()
        print(*(f"{name}: {count}" for name, count in sorted(soak(chosen.commands).items())), sep="\n")


def soak(n_commands: int) -> Counter[str]:
    """Run the commands; return how often each kind of trouble was tried."""
    before, tried = checksums(), Counter[str]()
    troubles: dict[str, Callable[[list[str]], None]] = {
        "plain": run_plainly, "killed": run_and_kill, "full disk": run_on_full_disk, "two writers": run_twice,
    }  # fmt: skip
    for _ in range(n_commands):
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


def check(done: "subprocess.CompletedProcess[bytes]", command: list[str]) -> None:
    assert done.returncode in (0, 1, 2, 3), (done.returncode, command, done.stderr[-500:])
    assert b"Traceback" not in done.stderr, (command, done.stderr[-2000:])


def run_plainly(command: list[str]) -> None:
    check(subprocess.run([*RUN, *command], capture_output=True, timeout=300, check=False), command)


def run_and_kill(command: list[str]) -> None:
    with subprocess.Popen([*RUN, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(random.expovariate(1 / 1.5))
        process.send_signal(random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
    for path in Path("out").rglob("*"):  # a killed process cannot remove its temporary files
        if ".tertium-" in path.name and path.exists():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def run_on_full_disk(command: list[str]) -> None:
    size = random.choice([0, 100, 4096, 65536])

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = subprocess.run(
        [*RUN, *command], capture_output=True, timeout=300, check=False, preexec_fn=limit
    )  # fmt: skip
    check(done, command)


def run_twice(command: list[str]) -> None:
    both = [
        subprocess.Popen([*RUN, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    for process in both:
        out, err = process.communicate(timeout=300)
        check(subprocess.CompletedProcess(command, process.returncode, out, err), command)


if __name__ == "__main__":
    main()
