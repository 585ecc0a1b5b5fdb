"""Checks of paths, and the parts of texts that are in several files."""

import os
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.files.paths import (
    Address,
    check_not_pipe,
    expand_pattern,
    file_size,
    find_shards,
    list_folder,
    match_shards,
    total_memory,
)

BAD_PATHS = ["missing", "nul\0", "a" * 5000]


@pytest.mark.parametrize("path", BAD_PATHS, ids=["missing", "NUL", "too long"])
def test_no_check_raises_for_a_path_that_cannot_exist(path: str) -> None:
    assert file_size(path) == -1
    check_not_pipe(path, "a run")


@pytest.mark.parametrize("path", BAD_PATHS, ids=["missing", "NUL", "too long"])
def test_a_folder_that_cannot_be_read_is_one_line(path: str) -> None:
    with pytest.raises(InputError, match=r"the folder .* cannot be read: .*; check the path"):
        list_folder(path)


def test_a_system_that_does_not_know_its_memory_has_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def sysconf(_: str) -> int:
        raise ValueError("unrecognized configuration name")

    monkeypatch.setattr(os, "sysconf", sysconf, raising=False)
    assert total_memory() > 1 << 60


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_rejected_where_a_file_is_read_twice(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is a pipe or a device, but a run can only be read from a file"):
        check_not_pipe(tmp_path / "pipe", "a run")
    check_not_pipe(tmp_path, "a run")


def test_a_pattern_that_only_folders_match_has_no_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(InputError, match=r"only folders match '.*txt'; check the pattern"):
        find_shards(str(tmp_path / "*.txt"))


@pytest.mark.parametrize("lacking", ["hyp", "ref"])
def test_a_part_that_one_text_lacks_is_named(tmp_path: Path, lacking: str) -> None:
    for folder in ("hyp", "ref"):
        (tmp_path / folder).mkdir()
        for part in "1" if folder == lacking else "12":
            (tmp_path / folder / f"{part}.txt").write_text("a\n", encoding="utf-8")
    shards = [find_shards(str(tmp_path / folder)) for folder in ("hyp", "ref")]
    with pytest.raises(InputError, match=rf"{lacking} has no part '2', but .* has \(.*2\.txt\)"):
        match_shards(shards)


def make(folder: Path, *names: str) -> str:
    folder.mkdir()
    for name in names:
        (folder / name).write_text("a\n", encoding="utf-8")
    return str(folder)


def test_standard_input_has_a_name_in_messages() -> None:
    assert Address("-").label == "standard input"


def test_a_pattern_without_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file matches '.*\*\.txt'; check the pattern"):
        expand_pattern(str(tmp_path / "*.txt"))


def test_a_column_of_several_files_names_the_system(tmp_path: Path) -> None:
    folder = make(tmp_path / "out", "1.tsv", "2.tsv")
    assert find_shards(f"{folder}#mt").name == "mt"
    single = find_shards(f"{folder}/1.tsv#mt")
    assert (single.name, single.is_sharded) == ("mt", False)
    with pytest.raises(InputError, match="is not FILE#COLUMN: the column is missing"):
        find_shards(f"{folder}#")


@pytest.mark.parametrize("other", ["ref-*.txt", "ref"])
def test_parts_match_by_the_text_of_the_wildcards_if_their_names_differ(tmp_path: Path, other: str) -> None:
    hyp = make(tmp_path / "hyp", "hyp-1.txt", "hyp-2.txt")
    make(tmp_path / "ref", "1.txt", "2.txt")
    for number in "12":
        (tmp_path / f"ref-{number}.txt").write_text("a\n", encoding="utf-8")
    found = match_shards([find_shards(f"{hyp}/hyp-*.txt"), find_shards(str(tmp_path / other))])
    assert [[Path(path).stem[-1] for path in shards.paths] for shards in found] == [["1", "2"], ["1", "2"]]


def test_two_files_of_one_part_are_named(tmp_path: Path) -> None:
    shards = find_shards(make(tmp_path / "hyp", "1.txt", "1.txt.gz"))
    with pytest.raises(
        InputError, match=r"1\.txt and .*1\.txt\.gz are both the part '1' of .*hyp; remove one"
    ):
        match_shards([shards])


def test_no_texts_have_no_parts() -> None:
    assert match_shards([]) == []


def test_a_folder_of_parts_contains_files_only(tmp_path: Path) -> None:
    folder = Path(make(tmp_path / "hyp", ".hidden"))
    with pytest.raises(InputError, match="hyp has no files; give a folder with the parts of a text"):
        find_shards(str(folder))
    (folder / "inner").mkdir()
    with pytest.raises(InputError, match="inner is a folder inside a folder of texts"):
        find_shards(str(folder))
