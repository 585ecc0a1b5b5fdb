"""Paraphrase tables: compilation, cache, and errors in files."""

import gzip
import lzma
import os
import pickle
from pathlib import Path

import pytest

from tertium.errors import InputError, ResourceError
from tertium.files.cache import VARIABLE
from tertium.files.overwriting import protect_inputs
from tertium.kernels.meteor import WordAligner
from tertium.resources import paraphrases
from tertium.resources.paraphrases import (
    ParaphraseFile,
    convert_paraphrases,
    find_paraphrases,
    load_paraphrases,
)
from tertium.text import References, Texts

TABLE = "0.5\nthe car\nan automobile\n0.1\nhouse\nhome\n0.2\nquick\nfast\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv(VARIABLE, str(folder))
    return folder


def stores(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.store"))


def matches(table: ParaphraseFile, hypothesis: str, reference: str) -> list[tuple[int, ...]]:
    """Return the paraphrases of two texts: first word and length in the reference, then in the hypothesis."""
    references = References([[reference]])
    found = WordAligner(["paraphrase"], phrases=table.phrases()).align(
        Texts([hypothesis], references.vocabulary).tokens("none"),
        references.texts.tokens("none"),
        references.offsets,
    )
    return [tuple(row) for row in found.matches[:, :4].tolist()]


def write(path: Path, text: str, *, packed: bool = False) -> Path:
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return path


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_phrases_match_in_both_directions(tmp_path: Path, packed: bool) -> None:
    table = load_paraphrases(write(tmp_path / "table", TABLE, packed=packed))
    assert matches(table, "see the car now", "an automobile") == [(0, 2, 1, 2)]
    assert matches(table, "an automobile", "the car") == [(0, 2, 0, 2)]
    assert matches(table, "automobile an", "the car") == []


def test_plain_and_packed_tables_have_the_same_checksum(tmp_path: Path) -> None:
    plain = load_paraphrases(write(tmp_path / "table", TABLE))
    packed = load_paraphrases(write(tmp_path / "table.gz", TABLE, packed=True))
    assert plain.identity == packed.identity


def test_lines_may_end_in_the_middle_of_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paraphrases, "_BLOCK", 5)
    table = load_paraphrases(write(tmp_path / "table", TABLE.rstrip("\n")))
    assert len(table.phrases()) == 3


def test_a_table_is_compiled_once(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "table.gz", TABLE, packed=True)
    load_paraphrases(path).phrases()
    assert len(stores(cache)) == 1
    monkeypatch.setattr(paraphrases, "PhraseReader", None)
    assert matches(load_paraphrases(path), "house", "home") == [(0, 1, 0, 1)]


def test_tables_of_other_content_have_stores_of_their_own(tmp_path: Path, cache: Path) -> None:
    assert len(load_paraphrases(write(tmp_path / "table", TABLE)).phrases()) == 3
    assert len(load_paraphrases(write(tmp_path / "table", TABLE * 2)).phrases()) == 6
    assert len(stores(cache)) == 2


@pytest.mark.parametrize("place", [0, 8, 20, 200, -1])
def test_a_damaged_store_in_the_cache_is_made_anew(tmp_path: Path, cache: Path, place: int) -> None:
    path = write(tmp_path / "table", TABLE)
    load_paraphrases(path).phrases()
    (store,) = stores(cache)
    sound = store.read_bytes()
    data = bytearray(sound)
    data[place] ^= 1
    store.write_bytes(data)
    assert matches(load_paraphrases(path), "house", "home") == [(0, 1, 0, 1)]
    assert store.read_bytes() == sound


@pytest.mark.parametrize("damage", [None, b"", b"damaged"])
def test_the_cache_is_no_input_of_a_command_that_writes_files(
    tmp_path: Path, cache: Path, damage: bytes | None
) -> None:
    path = write(tmp_path / "table", TABLE)
    if damage is not None:
        load_paraphrases(path).phrases()
        stores(cache)[0].write_bytes(damage)
    with protect_inputs(read={}, written={"output": str(tmp_path / "out")}):
        assert len(load_paraphrases(path).phrases()) == 3


def test_a_store_of_the_user_is_an_input(tmp_path: Path) -> None:
    target = tmp_path / "table.store"
    convert_paraphrases(write(tmp_path / "table", TABLE), target)
    with (
        protect_inputs(read={}, written={"output": str(target)}),
        pytest.raises(InputError, match="overwritten"),
    ):
        load_paraphrases(target)


@pytest.mark.parametrize("size", [0, 8, 100, -8, -3])
def test_a_store_cut_off_is_made_anew(tmp_path: Path, cache: Path, size: int) -> None:
    path = write(tmp_path / "table", TABLE)
    load_paraphrases(path).phrases()
    (store,) = stores(cache)
    sound = store.read_bytes()
    store.write_bytes(sound[:size])
    assert len(load_paraphrases(path).phrases()) == 3
    assert store.read_bytes() == sound


@pytest.mark.parametrize("place", ["off", "/dev/null/cache"], ids=["off", "not writable"])
def test_a_cache_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    monkeypatch.setenv(VARIABLE, place)
    assert len(load_paraphrases(write(tmp_path / "table", TABLE)).phrases()) == 3


def test_a_store_has_the_identity_of_its_text_and_needs_it_no_more(tmp_path: Path, cache: Path) -> None:
    path = write(tmp_path / "table.gz", TABLE, packed=True)
    identity = load_paraphrases(path).identity
    convert_paraphrases(path, tmp_path / "table.phrases")
    path.unlink()
    table = load_paraphrases(tmp_path / "table.phrases")
    assert table.identity == identity
    assert matches(table, "house", "home") == [(0, 1, 0, 1)]
    assert not stores(cache)


def test_a_damaged_store_of_the_user_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "table.phrases"
    convert_paraphrases(write(tmp_path / "table", TABLE), store)
    data = bytearray(store.read_bytes())
    data[-1] ^= 4
    store.write_bytes(data)
    with pytest.raises(ResourceError, match=r"table.phrases: .*does not fit its checksum; convert the par"):
        load_paraphrases(store)


def test_a_store_is_not_converted_again(tmp_path: Path) -> None:
    store = tmp_path / "table.phrases"
    convert_paraphrases(write(tmp_path / "table", TABLE), store)
    with pytest.raises(ResourceError, match="is already a store; copy the file"):
        convert_paraphrases(store, tmp_path / "other")


def test_a_table_travels_to_other_processes(tmp_path: Path) -> None:
    table = load_paraphrases(write(tmp_path / "table", TABLE), "en")
    table.phrases()
    other = pickle.loads(pickle.dumps(table))
    assert other == table
    assert matches(other, "house", "home") == [(0, 1, 0, 1)]


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
        load_paraphrases(write(tmp_path / "table", text)).phrases()


@pytest.mark.parametrize("number", ["0.5", "1", ".5", "5.", "2.5e-05", "1E+3"])
def test_probabilities_are_written_in_many_ways(tmp_path: Path, number: str) -> None:
    assert len(load_paraphrases(write(tmp_path / "table", f"{number}\na\nb\n")).phrases()) == 1


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
    with pytest.raises(ResourceError, match=r"table, line 6: byte 0x.. is not UTF-8 \(convert the file"):
        load_paraphrases(path).phrases()


@pytest.mark.parametrize("data", [b"\x1f\x8b", b"\x1f\x8b and then something else"])
def test_a_file_that_only_begins_like_gzip_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "table.gz"
    path.write_bytes(data)
    with pytest.raises(
        ResourceError, match=r"table.gz is damaged or truncated.*; .*download or create it again"
    ):
        load_paraphrases(path).phrases()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="is a directory; give a file inside it"):
        load_paraphrases(tmp_path)


def test_a_table_cut_off_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "table.gz", TABLE * 50, packed=True)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(ResourceError, match=r"table\.gz is damaged or truncated"):
        load_paraphrases(path).phrases()


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
    assert len(table.phrases()) == 3


def test_a_pipe_is_refused_before_anybody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(
        ResourceError, match="is a pipe or a device, but a table of paraphrases can only be read from a file"
    ):
        load_paraphrases(tmp_path / "pipe")


def test_a_table_packed_with_xz_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "table.xz"
    path.write_bytes(lzma.compress(TABLE.encode()))
    plain = write(tmp_path / "table", TABLE)
    assert len(load_paraphrases(path).phrases()) == 3
    checksum = load_paraphrases(plain).identity.removeprefix("table")
    assert load_paraphrases(path).identity == f"table.xz{checksum}"
