"""A call of the core in which an allocation fails raises MemoryError and leaves everything usable."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tertium._core as _core
from reference.core_calls import CALLS, exported_names

NATIVE = Path(__file__).parents[1] / "native"


def test_every_function_of_the_core_has_a_call() -> None:
    assert exported_names() == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_the_call_of_a_function_reaches_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call = CALLS[name]
    state = call.prepare()

    class ReachedError(Exception):
        pass

    def stop(*_: object, **__: object) -> None:
        raise ReachedError

    holder, _, member = name.rpartition(".")
    owner = getattr(_core, holder) if holder else _core
    is_method = callable(getattr(owner, member))
    monkeypatch.setattr(owner, member, stop if is_method else property(stop))
    with pytest.raises(ReachedError):
        call.call(state)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the operator new that fails."""
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a compiler, and a system that can preload a library")
    built = tmp_path_factory.mktemp("native") / "failing_allocations.so"
    source = NATIVE / "failing_allocations.cpp"
    subprocess.run([compiler, "-std=c++20", "-O1", "-shared", "-fPIC", source, "-o", built], check=True)
    return built


@pytest.mark.slow
@pytest.mark.parametrize("stays", [False, True], ids=["one fails", "all later ones fail"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_failing_allocation_is_one_memory_error(library: Path, threads: int, *, stays: bool) -> None:
    """All allocations fail in turn with TERTIUM_ALL_ALLOCATIONS, which `make sanitize` sets, else a sample."""
    options = ["--stays"] * stays + ["--all"] * ("TERTIUM_ALL_ALLOCATIONS" in os.environ)
    preloaded = " ".join([str(library), *os.environ.get("LD_PRELOAD", "").split()])
    done = subprocess.run(
        [sys.executable, NATIVE / "fail_allocations.py", library, str(threads), *options],
        env=os.environ | {"LD_PRELOAD": preloaded, "PYTHONPATH": str(NATIVE.parent)},
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    failures = dict(line.split() for line in done.stdout.splitlines())
    assert failures.keys() == CALLS.keys()
    assert sum(map(int, failures.values())) > 500  # the operator new of the library is the one that is called
