"""Engines for contract tests, and a small corpus in files."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tertium.engines.engine import Engine, LocalEngine

if TYPE_CHECKING:
    from tertium.engines.dask import DaskEngine

DATA = Path(__file__).parents[2] / "examples" / "data"


@pytest.fixture(scope="session")
def dask_engine() -> Iterator["DaskEngine"]:
    """Start two workers once for all tests: it takes seconds."""
    pytest.importorskip("distributed")
    from tertium.engines.dask import DaskEngine  # noqa: PLC0415

    with DaskEngine(workers=2) as engine:
        yield engine


@pytest.fixture(params=["local", "dask"])
def engine(request: pytest.FixtureRequest) -> Engine:
    """Every engine in turn."""
    made: Engine = request.getfixturevalue("dask_engine") if request.param == "dask" else LocalEngine()
    return made


@pytest.fixture
def corpus_files(tmp_path: Path) -> dict[str, str]:
    """Write 40 segments of two systems, and references of which some segments have two."""
    files = {
        "ref": DATA / "reference.en.txt",
        "a": DATA / "systems/aurora.txt",
        "b": DATA / "systems/ember.txt",
    }
    paths = {}
    for name, source in files.items():
        lines = source.read_text(encoding="utf-8").splitlines()[:40]
        paths[name] = str(tmp_path / f"{name}.txt")
        Path(paths[name]).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return paths
