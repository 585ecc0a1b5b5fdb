"""Compile the core for other compilers and systems, and compare results on an emulated ARM machine with this one.

    python tools/check_platforms.py compile            # clang, and zig for ARM Linux, Windows and macOS
    python tools/check_platforms.py emulate FOLDER     # an arm64 Debian in FOLDER, made if it is missing (root, Debian)

`compile` needs clang++ and `pip install ziglang`; a missing compiler is reported and fails only with --all. All headers of
the core are compiled as one file with the warnings of a strict build as errors, and the bindings with them where Python's
headers fit. With qemu-aarch64-static, kernels on several threads run on emulated ARM as well. `emulate` needs debootstrap,
qemu-user-static, `pip install ziglang nanobind` and an installed Tertium; it compiles the core for the emulated machine, runs
the example commands there and here, compares every byte of their output, and runs the kernel tests there.
"""

import argparse
import importlib
import importlib.util
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

TOP = Path(__file__).parents[1]
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
TARGETS = ("aarch64-linux-gnu", "x86_64-windows-gnu", "aarch64-macos", "x86_64-macos")
DATA = TOP / "examples" / "data"
PACKAGES = "python3,python3-dev,python3-stemmer"  # PyStemmer 2 has no wheels for ARM
# -O1, which compiles much faster than -O2
CROSS = ("-target", "aarch64-linux-gnu.2.31", "-std=c++20", "-O1", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", "-ffp-contract=off",
         "-fno-sanitize=all")  # fmt: skip

COMMANDS = [
    ["score", "-r", "reference.en.txt", "-i", "systems/aurora.txt", "systems/boreas.txt", "-m",
     "bleu,chrf,ter,wer,per,invwer,nist,ribes,character,beer,sentbleu,std,sentvec,red,hwcm,meteor:task=rank", "-f", "json", "--ci"],
    ["score", "-r", "reference.en.txt", "-i", "systems/aurora.txt", "-m", "bleu,std,red", "--segments", "-f", "csv"],
    ["compare", "systems/aurora.txt", "systems/boreas.txt", "-r", "reference.en.txt", "-m", "bleu,chrf", "-f", "json"],
    ["meta", "-r", "reference.en.txt", "-i", "systems/*.txt", "-m", "bleu,chrf", "--human", "human.tsv", "-f", "json"],
    ["parse", "reference.en.txt"],
    ["doctor", "systems/aurora.txt", "-r", "reference.en.txt", "-f", "json"],
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    compiling = commands.add_parser("compile")
    compiling.add_argument("--all", action="store_true", help="fail if a compiler is missing")
    emulating = commands.add_parser("emulate")
    emulating.add_argument("folder", type=Path)
    emulating.add_argument("--suite", default="bookworm")
    chosen = parser.parse_args()
    sys.exit(compile_all(fails_if_missing=chosen.all) if chosen.command == "compile" else emulate(chosen))


def compile_all(*, fails_if_missing: bool) -> int:
    """Compile for every target; return the exit code."""
    outcomes = {"clang": compile_for(["clang++"], with_bindings=True) if shutil.which("clang++") else None}
    has_zig = importlib.util.find_spec("ziglang") is not None
    for target in TARGETS:
        zig = [sys.executable, "-m", "ziglang", "c++", "-target", target]
        # Python's headers of this machine fit other processors, but no other system
        outcomes[target] = compile_for(zig, with_bindings="linux" in target) if has_zig else None
    qemu = shutil.which("qemu-aarch64-static")
    outcomes["threads on ARM"] = run_on_arm(qemu) if has_zig and qemu else None
    for target, outcome in outcomes.items():
        print(f"{target:20} {'compiler missing' if outcome is None else outcome or 'ok'}")
    failed = [outcome for outcome in outcomes.values() if outcome or (outcome is None and fails_if_missing)]
    return 1 if failed else 0


def compile_for(compiler: list[str], *, with_bindings: bool) -> str:
    """Compile all headers as one file, and the bindings; return the first errors."""
    options = ["-std=c++20", "-O1", *WARNINGS, "-ffp-contract=off", f"-I{TOP / 'native/include'}"]
    headers = sorted((TOP / "native/include").rglob("*.hpp"))
    with tempfile.TemporaryDirectory() as folder:
        together = Path(folder) / "headers.cpp"
        lines = (f'#include "{path.relative_to(TOP / "native/include")}"\n' for path in headers)
        together.write_text("".join(lines), encoding="utf-8")
        errors = _compile([*compiler, *options], together, folder)
        if errors or not with_bindings or importlib.util.find_spec("nanobind") is None:
            return errors
        nanobind = importlib.import_module("nanobind")  # a build dependency
        included = [f"-isystem{nanobind.include_dir()}", f"-isystem{sysconfig.get_path('include')}"]
        stable = ["-DPy_LIMITED_API=0x030C0000"] if sys.version_info >= (3, 12) else []
        defined = ['-DTERTIUM_COMPILER="test"', *stable]
        for source in sorted((TOP / "native/bindings").glob("*.cpp")):
            errors = errors or _compile([*compiler, *options, *included, *defined], source, folder)
    return errors


def run_on_arm(qemu: str) -> str:
    """Build the driver of the race detector for ARM Linux and run it under emulation; return its errors."""
    zig = [
        sys.executable,
        "-m",
        "ziglang",
        "c++",
        "-target",
        "aarch64-linux-musl",
        "-static",
        "-std=c++20",
        "-O1",
    ]
    options = ["-ffp-contract=off", "-fno-sanitize=all", f"-I{TOP / 'native/include'}"]
    with tempfile.TemporaryDirectory() as folder:
        built = [*zig, *options, str(TOP / "tests/native/threads.cpp"), "-o", f"{folder}/threads"]
        for command in (built, [qemu, f"{folder}/threads"]):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                return f"failed: {(done.stderr or done.stdout)[-500:]}"
    return ""


def _compile(command: list[str], source: Path, folder: str) -> str:
    done = subprocess.run(
        [*command, "-c", str(source), "-o", f"{folder}/x.o"], capture_output=True, text=True, check=False
    )
    errors = list(dict.fromkeys(line for line in done.stderr.splitlines() if "error" in line))
    return "" if done.returncode == 0 else "\n  ".join(["failed:", *errors[:10]])


def emulate(chosen: argparse.Namespace) -> int:
    """Compile for emulated ARM, compare the output of commands, and run the kernel tests; return the exit code."""
    root: Path = chosen.folder.resolve()
    if not (root / "usr/bin/python3").exists():
        mirror = "http://deb.debian.org/debian"
        given = [
            "--arch=arm64",
            "--variant=minbase",
            f"--include={PACKAGES}",
            chosen.suite,
            str(root),
            mirror,
        ]
        subprocess.run(["debootstrap", *given], check=True)
    project = root / "srv/project"
    shutil.rmtree(project, ignore_errors=True)
    for name in ("src", "tests", "examples"):
        ignored = shutil.ignore_patterns("_core*", "__pycache__")
        shutil.copytree(TOP / name, project / name, ignore=ignored)
    shutil.copy(TOP / "pyproject.toml", project)
    version = (
        _run_inside(root, "python3 -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'").decode().strip()
    )
    install_needed(root / "srv/site", version)
    cross_compile(root, version, project / "src/tertium/_core.abi3.so")
    differing = [command for command in COMMANDS if _output(root, command) != _output(None, command)]
    for command in differing:
        print("differs:", *command)
    print(f"{len(COMMANDS) - len(differing)} of {len(COMMANDS)} commands give the same bytes", flush=True)
    options = "-q -p no:cacheprovider -m 'not slow'"
    tests = f"{INSIDE} && cd /srv/project && python3 -m pytest {options} tests/kernels"
    tested = subprocess.run(["chroot", str(root), "bash", "-c", tests], check=False)
    return 1 if differing or tested.returncode else 0


def install_needed(folder: Path, version: str) -> None:
    """Install the packages that Tertium and its tests import, as wheels for ARM."""
    if folder.exists():
        return
    platforms = [f"--platform=manylinux{each}_aarch64" for each in ("2014", "_2_17", "_2_28")]
    options = ["--target", str(folder), "--only-binary=:all:", "--python-version", version, *platforms]
    declared = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    # a condition means another system; PyStemmer is Debian's
    needed = [each for each in declared if ";" not in each and not each.startswith("PyStemmer")]
    pip = [sys.executable, "-m", "pip", "install", "-q", "-c", str(TOP / "constraints.txt")]
    subprocess.run([*pip, *options, *needed, "pytest", "hypothesis", "scipy", "rapidfuzz", "POT"], check=True)


def cross_compile(root: Path, version: str, target: Path) -> None:
    """Compile the core with zig and link it for the Python of the emulated machine."""
    nanobind = Path(importlib.import_module("nanobind").__file__ or "").parent
    zig = [sys.executable, "-m", "ziglang", "c++", *CROSS]
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(root / f"usr/include/aarch64-linux-gnu/python{version}", f"{folder}/aarch64-linux-gnu/python{version}")  # fmt: skip
        headers = (
            nanobind / "include",
            nanobind / "ext/robin_map/include",
            root / f"usr/include/python{version}",
            folder,
        )
        included = [f"-I{TOP / 'native/include'}", *(f"-isystem{header}" for header in headers)]
        options = [*included, '-DTERTIUM_COMPILER="zig"', "-DNB_COMPACT_ASSERTIONS", "-w"]
        for source in [nanobind / "src/nb_combined.cpp", *sorted((TOP / "native/bindings").glob("*.cpp"))]:
            subprocess.run([*zig, *options, "-c", str(source), "-o", f"{folder}/{source.stem}.o"], check=True)
        objects = map(str, sorted(Path(folder).glob("*.o")))
        subprocess.run(
            [*zig, "-shared", "-Wl,-undefined,dynamic_lookup", *objects, "-o", str(target)], check=True
        )


INSIDE = "export PYTHONPATH=/srv/site:/srv/project/src PYTHONUTF8=1 LC_ALL=C.UTF-8"


def _run_inside(root: Path, script: str, *words: str) -> bytes:
    command = ["chroot", str(root), "bash", "-c", f"{INSIDE} && {script}", "bash", *words]
    return subprocess.run(command, capture_output=True, check=True).stdout


def _output(root: Path | None, command: list[str]) -> bytes:
    """Run a command in the example folder, here or in the emulated machine."""
    # the emulated machine has no extras; METEOR's resources would change its scores here
    start = "import sys; sys.modules['pycocoevalcap'] = None; from tertium.cli.main import main; main()"
    if root is not None:
        return _run_inside(root, f'cd /srv/project/examples/data && python3 -c "{start}" "$@"', *command)
    call = [sys.executable, "-c", start, *command]
    return subprocess.run(call, cwd=DATA, capture_output=True, check=True).stdout


if __name__ == "__main__":
    main()
