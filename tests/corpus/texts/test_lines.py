"""Plain text: line ends, compression, standard input, and files that cannot be read."""

import gzip
import lzma
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.corpus import read_lines
from tertium.errors import InputError

Write = Callable[[str, str | bytes], str]
Stdin = Callable[[bytes], None]

TEXT = st.text(
    st.characters(exclude_characters="\n", exclude_categories=["Cs"]) | st.sampled_from("\r\u2028\x0b\0")
)
LINE = TEXT.filter(lambda text: not text.endswith("\r"))
COMPRESS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


@pytest.mark.parametrize(
    "content, lines",
    [
        pytest.param(b"", [], id="an empty file has no lines"),
        pytest.param(b"\n", [""], id="one line end is one blank line"),
        pytest.param(b"a\nb\n", ["a", "b"], id="unix"),
        pytest.param(b"a\nb", ["a", "b"], id="the last line end may be missing"),
        pytest.param(b"a\n\n\nb\n\n", ["a", "", "", "b", ""], id="blank lines count"),
        pytest.param(b"a\r\nb\r\n", ["a", "b"], id="windows"),
        pytest.param(b"a\r\nb\nc\r\n", ["a", "b", "c"], id="mixed line ends"),
        pytest.param(
            b"a\r\r\nb", ["a\r", "b"], id="only the carriage return before the line feed is line end"
        ),
        pytest.param(b"a\rb\nc\r", ["a\rb", "c\r"], id="a lone carriage return is text"),
        pytest.param(b"\xef\xbb\xbfa\nb\n", ["a", "b"], id="a byte order mark at the start is removed"),
        pytest.param(b"\xef\xbb\xbf", [], id="nothing but a byte order mark"),
        pytest.param(b"\xef\xbb\xbf\xef\xbb\xbfa", ["\ufeffa"], id="one byte order mark only"),
        pytest.param(b"a\n\xef\xbb\xbfb", ["a", "\ufeffb"], id="a later byte order mark is text"),
        pytest.param(
            "a\u2028b\u0085c\x0bd\x0ce\x1c\u2029f\n".encode(),
            ["a\u2028b\u0085c\x0bd\x0ce\x1c\u2029f"],
            id="no other separators",
        ),
        pytest.param(b"a\0b\n\0\n", ["a\0b", "\0"], id="NUL is text"),
        pytest.param(b" a \t\n", [" a \t"], id="spaces stay"),
    ],
)
def test_a_line_is_what_a_line_feed_ends(write: Write, content: bytes, lines: list[str]) -> None:
    assert read_lines(write("a.txt", content)) == lines


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("name", ["hyp.txt{}", "no-suffix"])
def test_compression_is_known_by_content(write: Write, suffix: str, name: str) -> None:
    data = COMPRESS[suffix]("ä\nb\n".encode())
    assert read_lines(write(name.format(suffix), data)) == ["ä", "b"]


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_concatenated_streams_are_all_read(write: Write, suffix: str) -> None:
    data = COMPRESS[suffix](b"a\n") + COMPRESS[suffix](b"b\n")
    assert read_lines(write("a", data)) == ["a", "b"]


def test_padding_between_xz_streams_is_legal(write: Write) -> None:
    assert read_lines(write("a", lzma.compress(b"a\n") + b"\0" * 8 + lzma.compress(b"b\n"))) == ["a", "b"]


def test_a_path_object_is_as_good_as_a_string(write: Write) -> None:
    assert read_lines(Path(write("a.txt", "a\n"))) == ["a"]


def test_a_pipe_can_be_read() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"a\nb\n")
    os.close(writer)
    assert read_lines(f"/dev/fd/{reader}") == ["a", "b"]
    os.close(reader)


def test_standard_input_may_be_compressed(set_stdin: Stdin) -> None:
    set_stdin(gzip.compress(b"a\r\nb"))
    assert read_lines("-") == ["a", "b"]


def test_standard_input_can_be_read_only_once(set_stdin: Stdin) -> None:
    set_stdin(b"a\n")
    assert read_lines("-") == ["a"]
    with pytest.raises(InputError, match="standard input was already read and can be read only once"):
        read_lines("-")


def test_each_standard_input_counts_for_itself(set_stdin: Stdin) -> None:
    for content in (b"a\n", b"b\n"):
        set_stdin(content)
        assert read_lines("-") == [content.decode().rstrip()]


def test_standard_input_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="standard input is not open; give a file"):
        read_lines("-")


def test_standard_input_may_be_closed(set_stdin: Stdin) -> None:
    set_stdin(b"a\n")
    sys.stdin.buffer.close()
    with pytest.raises(InputError, match=r"standard input cannot be read: .*; give a file"):
        read_lines("-")


@pytest.mark.parametrize(
    "content, message",
    [
        pytest.param(
            b"ok\nb\xe9d\n", r"line 2 is not UTF-8 at byte offset 4 of the file \(0xE9\)", id="latin-1"
        ),
        pytest.param(
            b"\xef\xbb\xbfab\xff", "line 1 is not UTF-8 at byte offset 5 ", id="offsets include the mark"
        ),
        pytest.param(b"a\n\xc3", "line 2 is not UTF-8 at byte offset 2 ", id="cut in a character"),
        pytest.param(b"\xed\xa0\x80", "line 1 is not UTF-8 at byte offset 0 ", id="encoded surrogate"),
        pytest.param("\ufeffa".encode("utf-16-le"), "iconv -t UTF-8 -f UTF-16", id="utf-16"),
    ],
)
def test_invalid_utf8_is_refused_with_its_place(write: Write, content: bytes, message: str) -> None:
    with pytest.raises(InputError, match=rf"^hyp\.txt: .*{message}"):
        read_lines(write("hyp.txt", content))


def test_a_missing_file_is_named(write: Write) -> None:
    with pytest.raises(InputError, match=r"^no such file: 'gone\.txt'"):
        read_lines("gone.txt")


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory; give a file inside it"):
        read_lines(tmp_path)


@pytest.mark.parametrize("path", ["a.txt/b.txt", "x" * 5000, "a\0b", ""])
def test_an_impossible_path_is_an_input_error(write: Write, path: str) -> None:
    write("a.txt", "a\n")
    with pytest.raises(InputError):
        read_lines(path)


def test_an_unreadable_file_is_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *args: object, **kwargs: object) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    path = write("a.txt", "a\n")
    monkeypatch.setattr(Path, "open", refuse)  # file permissions do not apply to the superuser
    with pytest.raises(InputError, match=r"^no permission to read a\.txt; change its permissions"):
        read_lines(path)


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_any_cut_in_compressed_data_is_noticed(write: Write, suffix: str) -> None:
    whole = COMPRESS[suffix](b"some text\n" * 50)
    for length in range(len(whole)):
        with pytest.raises(InputError, match=rf"^a\.txt{suffix} (is damaged|has the suffix)"):
            read_lines(write(f"a.txt{suffix}", whole[:length]))


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_damage_behind_the_first_stream_is_noticed(write: Write, suffix: str) -> None:
    data = COMPRESS[suffix](b"a\n") + b"garbage"
    with pytest.raises(InputError, match=rf"^a{suffix} is damaged or truncated \(.*\); check it with"):
        read_lines(write(f"a{suffix}", data))


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_a_flipped_bit_in_compressed_data_is_noticed(write: Write, suffix: str) -> None:
    data = bytearray(COMPRESS[suffix](bytes(range(97, 123)) * 9))
    data[len(data) // 2] ^= 4
    with pytest.raises(InputError, match="is damaged or truncated"):
        read_lines(write(f"a{suffix}", bytes(data)))


@pytest.mark.parametrize("content, found", [(b"plain\n", "is not in that format"), (b"", "is empty")])
def test_a_compressed_name_needs_compressed_content(write: Write, content: bytes, found: str) -> None:
    with pytest.raises(InputError, match=rf"^a\.txt\.gz has the suffix \.gz but {found}; rename it"):
        read_lines(write("a.txt.gz", content))


@pytest.mark.slow
@pytest.mark.parametrize("suffix", COMPRESS)
@given(lines=st.lists(LINE), end=st.sampled_from(["\n", "\r\n"]))
def test_lines_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, lines: list[str], end: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"lines{suffix}"
    # The byte order mark is always written: without it, a first line that starts with U+FEFF would lose that character.
    path.write_bytes(COMPRESS[suffix](("\ufeff" + "".join(line + end for line in lines)).encode()))
    assert read_lines(path) == lines
