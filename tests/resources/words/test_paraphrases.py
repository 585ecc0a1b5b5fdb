"""Paraphrase tables: what is kept of them, and what is wrong with a broken one."""

import gzip
import lzma
import os
from pathlib import Path

import pytest

from tertium.errors import ResourceError
from tertium.resources.words import paraphrases
from tertium.resources.words.paraphrases import find_paraphrases, load_paraphrases
from tertium.text import Texts
from tertium.types import TokenColumn

TABLE = "0.5\nthe car\nan automobile\n0.1\nhouse\nhome\n0.2\nquick\nfast\n"


def column(*texts: str) -> TokenColumn:
    return Texts(list(texts)).tokens("none")


def write(path: Path, text: str, *, packed: bool = False) -> Path:
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_only_pairs_with_a_phrase_of_the_text_are_kept(tmp_path: Path, packed: bool) -> None:
    table = load_paraphrases(write(tmp_path / "table", TABLE, packed=packed))
    assert len(table.select(column("an automobile", "not the house"))) == 2
    assert len(table.select(column("automobile an"))) == 0


def test_plain_and_packed_tables_have_the_same_checksum(tmp_path: Path) -> None:
    plain = load_paraphrases(write(tmp_path / "table", TABLE))
    packed = load_paraphrases(write(tmp_path / "table.gz", TABLE, packed=True))
    assert plain.identity == packed.identity


def test_lines_may_end_in_the_middle_of_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paraphrases, "_BLOCK", 5)
    table = load_paraphrases(write(tmp_path / "table", TABLE.rstrip("\n")))
    assert len(table.select(column("fast house"))) == 2


def test_a_choice_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "table", TABLE)
    table = load_paraphrases(path)
    first = table.select(column("house"))
    path.unlink()
    assert table.select(column("house")) is first


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.5\na\n", r"table, line 2: the file ends within an entry"),
        ("", r"table is empty; METEOR's format has lines"),
        ("0.5\na\nb\nx\na\nb\n", r"table, line 4: a probability was expected, not 'x'; METEOR's format has"),
        ("1.2.3\na\nb\n", r"table, line 1: a probability was expected, not '1.2.3'"),
        ("1e\na\nb\n", r"table, line 1: a probability was expected, not '1e'"),
        ("\ufeff0.5\na\nb\n", r"table, line 1: a probability was expected, not '\\ufeff0.5'"),
        ("no table at all " * 9, r"line 1: a probability was expected, not 'no table at all .{24}…'; METEOR"),
        ("0.5\n\nb\n", r"table, line 2: a phrase was expected"),
        ("0.5\na\tb\nc\n", r"table, line 2: a phrase was expected"),
    ],
    ids=[
        "half an entry",
        "empty",
        "no number",
        "two points",
        "no exponent",
        "a mark of byte order",
        "other text",
        "no phrase",
        "a tab",
    ],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ResourceError, match=message):
        load_paraphrases(write(tmp_path / "table", text)).select(column("a"))


@pytest.mark.parametrize("number", ["0.5", "1", ".5", "5.", "2.5e-05", "1E+3"])
def test_probabilities_are_written_in_many_ways(tmp_path: Path, number: str) -> None:
    assert len(load_paraphrases(write(tmp_path / "table", f"{number}\na\nb\n")).select(column("a"))) == 1


@pytest.mark.parametrize(
    "phrase",
    [b"caf\xe9", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\xe0\x9f\xbf", b"\x80"],
)
def test_a_table_in_another_encoding_is_refused(
    tmp_path: Path, phrase: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paraphrases, "_BLOCK", 16)
    path = tmp_path / "table"
    path.write_bytes("0.5\nhouse\nmaison 🏠 é €\n0.5\nc\n".encode() + phrase + b"\n")
    with pytest.raises(ResourceError, match=r"table, line 6: byte 0x.. is no UTF-8 \(convert the file"):
        load_paraphrases(path).select(column("house"))


@pytest.mark.parametrize("data", [b"\x1f\x8b", b"\x1f\x8b and then something else"])
def test_a_file_that_only_begins_like_gzip_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "table.gz"
    path.write_bytes(data)
    with pytest.raises(ResourceError, match=r"table.gz is damaged or cut off.*; .*fetch or make it again"):
        load_paraphrases(path).select(column("house"))


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="is a directory; give a file inside it"):
        load_paraphrases(tmp_path)


def test_a_table_cut_off_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "table.gz", TABLE * 50, packed=True)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ResourceError, match=r"table\.gz is damaged or cut off"):
        load_paraphrases(path).select(column("house"))


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="no such file"):
        load_paraphrases(tmp_path / "none.gz")


def test_an_installed_table_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "pycocoevalcap" / "meteor" / "data"
    folder.mkdir(parents=True)
    (tmp_path / "pycocoevalcap" / "__init__.py").touch()
    write(folder / "paraphrase-en.gz", TABLE, packed=True)
    monkeypatch.syspath_prepend(tmp_path)
    table = find_paraphrases()
    assert table is not None
    assert table.language == "en"
    assert len(table.select(column("house"))) == 1


def test_a_pipe_is_refused_before_anybody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(
        ResourceError, match="is a pipe or a device, from which a table of paraphrases cannot"
    ):
        load_paraphrases(tmp_path / "pipe")


def test_a_table_packed_with_xz_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "table.xz"
    path.write_bytes(lzma.compress(TABLE.encode()))
    plain = write(tmp_path / "table", TABLE)
    assert len(load_paraphrases(path).select(column("the house"))) == 1
    checksum = load_paraphrases(plain).identity.removeprefix("table")
    assert load_paraphrases(path).identity == f"table.xz{checksum}"
