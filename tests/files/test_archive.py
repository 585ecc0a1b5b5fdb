"""Archives: what was written is read again, and every kind of damage is one line."""

import gzip
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.files.archive import Archive, open_archive, write_archive


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    path = str(tmp_path / "a.run")
    write_archive(path, {"kind": "run"}, {"one/text": b"1", "two/text": b"2"})
    return open_archive(path, kind="run")


def zip_of(manifest: object, compression: int = zipfile.ZIP_STORED) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w", compression) as file:
            file.writestr("manifest.json", json.dumps(manifest))
            file.writestr("text", "changed")

    return write


def test_members_are_read_below_the_folder_of_an_archive(archive: Archive) -> None:
    archive.check()
    assert [replace(archive, prefix=f"{folder}/").read("text") for folder in ("one", "two")] == [b"1", b"2"]


def test_a_check_below_a_folder_does_not_read_other_folders(archive: Archive) -> None:
    content = Path(archive.path).read_bytes()
    Path(archive.path).write_bytes(content.replace(b"two/text2", b"two/text3"))
    replace(archive, prefix="one/").check()
    with pytest.raises(InputError, match=r"a\.run is damaged or truncated \(two/text: Bad CRC-32"):
        archive.check()


def test_a_missing_member_is_named(archive: Archive) -> None:
    with pytest.raises(InputError, match=r"damaged or truncated \(three: .*no item named 'three'"):
        archive.read("three")


@pytest.mark.parametrize("checksums", [{}, {"text": "0" * 64}, ["text"]], ids=["none", "other", "no table"])
def test_a_member_without_its_checksum_in_the_manifest_is_damaged(tmp_path: Path, checksums: object) -> None:
    zip_of({"kind": "run", "checksums": checksums})(tmp_path / "a.run")
    with pytest.raises(InputError, match="text does not have the checksum in the manifest"):
        open_archive(str(tmp_path / "a.run"), kind="run").read("text")


def _write_without_manifest(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("text", "1")


NO_RUNS: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: None, "no such file: '.*a.run'; check the path"),
    "a folder": (Path.mkdir, r"a\.run cannot be read: .*; check the path"),
    "no manifest": (_write_without_manifest, "is not a run: it is a ZIP file without manifest.json"),
    "another kind": (zip_of({"kind": "vectors"}), "is not a run: its manifest states another kind or none"),
    "a list": (zip_of([]), "is not a run: its manifest states another kind or none"),
    "text": (lambda path: path.write_bytes(b"text"), r"damaged or truncated \(File is not a zip file\)"),
    "gzip": (lambda path: path.write_bytes(gzip.compress(b"")), "is compressed, but a run is not; unpack it"),
    "compressed": (
        zip_of({"kind": "run"}, zipfile.ZIP_DEFLATED),
        "it is compressed, but members of an archive are stored uncompressed",
    ),
}


@pytest.mark.parametrize(("write", "message"), NO_RUNS.values(), ids=NO_RUNS)
def test_a_file_that_is_no_archive_of_this_kind_is_one_line(
    tmp_path: Path, write: Callable[[Path], object], message: str
) -> None:
    write(tmp_path / "a.run")
    with pytest.raises(InputError, match=message) as caught:
        open_archive(str(tmp_path / "a.run"), kind="run")
    assert "\n" not in str(caught.value)
