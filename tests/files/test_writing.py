"""Files that are written whole or not at all."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tertium.cli.output import write_text
from tertium.errors import InputError, ResourceError, TertiumError
from tertium.files.writing import written_whole
from tertium.resources.vectors.memory import MemoryVectors
from tertium.resources.vectors.writing import write_vectors


@pytest.fixture
def group_may_write() -> Iterator[None]:
    before = os.umask(0o002)
    yield
    os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("group_may_write")
def test_the_files_mode_is_that_of_any_new_file(tmp_path: Path) -> None:
    vectors = MemoryVectors(["a", "b"], np.ones((2, 3), dtype=np.float32))
    write_text("text", str(tmp_path / "text"))
    write_vectors(tmp_path / "v.vectors", vectors, name="test")
    write_vectors(tmp_path / "v.txt", vectors, name="test")
    assert {path.name: mode_of(path) for path in tmp_path.iterdir()} == {
        "text": 0o664,
        "v.vectors": 0o664,
        "v.txt": 0o664,
    }


def test_an_interrupted_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")

    def write_half() -> None:
        with written_whole(path, InputError) as temporary:
            temporary.write_text("ne", encoding="utf-8")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [InputError, ResourceError])
def test_a_file_that_cannot_be_written_raises_the_callers_error(
    tmp_path: Path, error: type[TertiumError]
) -> None:
    folder = tmp_path / "taken"
    folder.mkdir()
    for path in (tmp_path / "absent" / "file", folder):
        with pytest.raises(error, match="cannot write"), written_whole(path, error):
            pass
