"""Which project file of a folder counts."""

import os
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.files.project import find_project, is_trusted


def write(folder: Path, text: str, name: str = "tertium.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_home_folder_only_the_folder_itself_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", fail)
    path = write(tmp_path, "metrics = 'wer'\n")
    found = find_project(tmp_path).project
    assert found is not None
    assert found.path == path
    (tmp_path / "deep").mkdir()
    assert find_project(tmp_path / "deep").project is None


def test_every_file_is_trusted_where_files_have_no_owners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "geteuid", raising=False)
    assert is_trusted(write(tmp_path, ""))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners")
def test_a_file_that_disappears_is_not_trusted(tmp_path: Path) -> None:
    assert not is_trusted(tmp_path / "tertium.toml")


def test_a_mistake_in_pyproject_is_reported_only_if_it_has_the_table(tmp_path: Path) -> None:
    write(tmp_path, "[project]\nname = 'tertium-data\n", "pyproject.toml")
    assert find_project(tmp_path).project is None
    write(tmp_path, "[tool.tertium]\nmetrics = \n", "pyproject.toml")
    with pytest.raises(InputError, match=r"pyproject\.toml"):
        find_project(tmp_path)


def test_a_pyproject_that_is_not_text_is_left_to_other_tools(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"[tool.tertium]\n\xff")
    assert find_project(tmp_path).project is None
