"""Addresses `FILE#COLUMN`, and default names of systems."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.files.paths import (
    Address,
    NamedPath,
    default_name,
    format_suffix,
    parse_address,
    show_path,
    split_name,
)

Write = Callable[[str, str | bytes], str]


def test_the_column_stands_behind_the_last_number_sign(write: Write) -> None:
    write("c#.tsv", "ref\n")
    assert parse_address("c#.tsv#ref") == Address("c#.tsv", "ref")


def test_an_existing_file_may_have_a_number_sign_in_its_name(write: Write) -> None:
    assert parse_address(write("take#2.txt", "a\n")) == Address("take#2.txt")


def test_a_path_without_a_number_sign_is_a_path(write: Write) -> None:
    assert parse_address("c:/data.tsv:ref") == Address("c:/data.tsv:ref")


@pytest.mark.parametrize(
    "text, message",
    [
        ("a.tsv#", "'a.tsv#' is not FILE#COLUMN: the column is missing"),
        ("#ref", "'#ref' is not FILE#COLUMN: the file is missing"),
        ("-#ref", "standard input is read as plain text and has no columns"),
        ("gone.tsv#ref", "no such file: gone.tsv"),
    ],
)
def test_half_an_address_is_refused(write: Write, text: str, message: str) -> None:
    write("a.tsv", "ref\n")
    with pytest.raises(InputError, match=message):
        parse_address(text)


@pytest.mark.parametrize(
    "address, name",
    [
        (Address("wmt/online-A.txt.gz"), "online-A"),
        (Address("online-A.0.txt"), "online-A.0"),
        (Address("newstest.de"), "newstest.de"),
        (Address("OUT.TXT.XZ"), "OUT"),
        (Address("out.jsonl"), "out"),
        (Address("out.jsonl", "mt.b"), "mt.b"),
        (Address("-"), "stdin"),
        (Address(".txt"), ".txt"),
    ],
)
def test_a_system_is_called_as_its_column_or_file(address: Address, name: str) -> None:
    assert default_name(address) == name


def test_the_format_is_told_below_the_compression() -> None:
    names = ["a.tsv.gz", "a.XML", "a.gz", "a", "a.tsv.gz.xz"]
    assert list(map(format_suffix, names)) == [".tsv", ".xml", "", "", ".gz"]


def test_a_name_that_is_not_utf8_can_be_printed() -> None:
    path = os.fsdecode(b"caf\xe9.txt")
    for shown in (default_name(Address(path)), show_path(path), Address(path).label):
        assert shown.encode().startswith(b"caf\\udce9")


@pytest.mark.parametrize("path", ["x" * 5000, "a/" * 4000, "a\0b"])
def test_an_impossible_path_with_a_column_is_no_such_file(path: str) -> None:
    with pytest.raises(InputError, match="no such file"):
        parse_address(f"{path}#ref")


def test_control_characters_of_a_path_do_not_reach_the_terminal() -> None:
    assert show_path("a\x1b[31m\nb é") == r"a\x1b[31m\nb é"


@pytest.mark.parametrize(
    "text, name, path",
    [
        ("a.txt", None, "a.txt"),
        ("ours=a.txt", "ours", "a.txt"),
        ("lr=1.txt", None, "lr=1.txt"),
        ("lr=1=a.txt", "lr=1", "a.txt"),
        ("ours=lr=1.txt", "ours", "lr=1.txt"),
        ("lr=2=lr=1.txt", "lr=2", "lr=1.txt"),
        ("lr=1.txt#mt", None, "lr=1.txt#mt"),
        ("lr=2=lr=1.txt#mt#x", "lr=2", "lr=1.txt#mt#x"),
        ("lr=*.txt", None, "lr=*.txt"),
        ("lr=2=lr=?.txt#mt", "lr=2", "lr=?.txt#mt"),
        ("lr=2=a.txt,lr=1.txt", "lr=2", "a.txt,lr=1.txt"),
        ("c=d", None, "c=d"),
        ("c=d/a.txt", None, "c=d/a.txt"),
        ("lr=2=-", "lr=2", "-"),
        ("none=gone=1.txt", "none", "gone=1.txt"),
        ("=a.txt", None, "=a.txt"),
        ("\0=a.txt", "\0", "a.txt"),
        ("x" * 5000 + "=a.txt", "x" * 5000, "a.txt"),
    ],
)
def test_a_name_ends_where_a_path_begins(write: Write, text: str, name: str | None, path: str) -> None:
    write("a.txt", "a\n")
    write("lr=1.txt", "a\n")
    Path("c=d").mkdir()
    write("c=d/a.txt", "a\n")
    assert split_name(text) == NamedPath(name, path)


def test_a_name_is_split_off_paths_below_another_folder(write: Write) -> None:
    Path("c=d").mkdir()
    write("c=d/lr=1.txt", "a\n")
    assert split_name("lr=1.txt", below="c=d") == NamedPath(None, "lr=1.txt")
    assert split_name("x=lr=*.txt", below="c=d") == NamedPath("x", "lr=*.txt")


def test_a_path_that_has_a_name_is_not_split() -> None:
    assert split_name(NamedPath("a=b", "c=d")) == NamedPath("a=b", "c=d")
