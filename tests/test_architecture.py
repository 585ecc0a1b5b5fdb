"""What import-linter cannot see."""

from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parent.parent / "src" / "tertium").rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_only_kernels_call_the_compiled_core(path: Path) -> None:
    if path.parent.name != "kernels":
        assert "tertium._core" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_module_is_longer_than_a_reader_can_hold(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= 300
