"""Paraphrase tables: what is kept of them, and what is wrong with a broken one."""

import gzip
from pathlib import Path

import pytest

from tertium.errors import ResourceError
from tertium.resources import paraphrases
from tertium.resources.paraphrases import find_paraphrases, load_paraphrases
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
        ("", r"table, line 0: the file ends within an entry"),
        ("0.5\na\nb\nx\na\nb\n", r"table, line 4: a probability was expected; METEOR's format has lines"),
        ("0.5\n\nb\n", r"table, line 2: a phrase was expected"),
        ("0.5\na\tb\nc\n", r"table, line 2: a phrase was expected"),
    ],
    ids=["half an entry", "empty", "no number", "no phrase", "a tab"],
)
def test_a_broken_table_is_refused_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ResourceError, match=message):
        load_paraphrases(write(tmp_path / "table", text)).select(column("a"))


def test_a_table_cut_off_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "table.gz", TABLE * 50, packed=True)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ResourceError, match="cannot be read: Compressed file ended"):
        load_paraphrases(path).select(column("house"))


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="cannot be read: No such file"):
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
