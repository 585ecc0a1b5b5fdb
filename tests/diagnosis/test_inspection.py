"""The bytes of a file: every problem is found at its line, and clean bytes have none."""

import codecs
import gzip
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.diagnosis.examination import inspect_bytes, inspect_file
from tertium.diagnosis.finding import Finding
from tertium.errors import InputError

CLEAN = "Die Straße ist naß.\nЭто дом.\n今天下雨。\nمی\u200cخواهم بروم\n👩\u200d👧 family\n".encode()


def pick(data: bytes, code: str) -> Finding | None:
    return next((finding for finding in inspect_bytes(data, file="x").findings if finding.code == code), None)


def test_clean_bytes_have_no_findings() -> None:
    inspection = inspect_bytes(CLEAN)
    assert inspection.findings == ()
    assert inspection.lines == tuple(CLEAN.decode().split("\n")[:-1])


@pytest.mark.parametrize(
    ("code", "severity", "data", "lines"),
    [
        pytest.param("empty-file", "error", b"", (), id="empty file"),
        pytest.param("byte-order-mark", "warning", codecs.BOM_UTF8 + b"a\n", (1,), id="byte-order mark"),
        pytest.param("utf-16", "error", "a\n".encode("utf-16"), (), id="UTF-16 with its mark"),
        pytest.param("nul", "error", "a\n".encode("utf-16-le"), (1, 2), id="UTF-16 without its mark"),
        pytest.param("invalid-utf-8", "error", b"a\ncaf\xe9\n", (2,), id="Latin-1"),
        pytest.param("mixed-line-ends", "warning", b"a\nb\r\nc\n", (2,), id="one Windows line end"),
        pytest.param("mixed-line-ends", "warning", b"a\r\nb\r\nc\n", (3,), id="one Unix line end"),
        pytest.param("windows-line-ends", "note", b"a\r\nb\r\n", (), id="only Windows line ends"),
        pytest.param("carriage-returns-inside", "warning", b"a\nb\rc\nd\n", (2,), id="carriage return"),
        pytest.param("no-final-newline", "note", b"a\nb", (2,), id="no final newline"),
        pytest.param("line-breaks-inside", "warning", "a\nb\u2028c\n".encode(), (2,), id="U+2028"),
        pytest.param("line-breaks-inside", "warning", "a\nb\u2029c\n".encode(), (2,), id="U+2029"),
        pytest.param("line-breaks-inside", "warning", "a\nb\x85c\n".encode(), (2,), id="U+0085"),
        pytest.param("line-breaks-inside", "warning", b"a\nb\x0bc\nd\x0ce\n", (2, 3), id="VT and FF"),
        pytest.param("nul", "error", b"a\nb\0c\n", (2,), id="NUL"),
        pytest.param("control-characters", "warning", b"a\nb\x07c\n", (2,), id="bell"),
        pytest.param("control-characters", "warning", "a\ndon\x92t\n".encode(), (2,), id="C1 control"),
        pytest.param("invisible-characters", "note", "a\nb\u200bc\n".encode(), (2,), id="zero-width space"),
        pytest.param("invisible-characters", "note", "a\nSil\u00adbe\n".encode(), (2,), id="soft hyphen"),
        pytest.param("invisible-characters", "note", "a\nb\u200dc\n".encode(), (2,), id="joiner in Latin"),
        pytest.param(
            "invisible-characters", "note", "a\n\ufeffb\n".encode(), (2,), id="late byte-order mark"
        ),
        pytest.param("outer-space", "note", b"a\n b\nc \nd\t\n", (2, 3, 4), id="outer space"),
        pytest.param("double-space", "note", b"a\nb  c\nd\te\n", (2, 3), id="double space and tab"),
    ],
)
def test_problem_is_found_on_its_line(code: str, severity: str, data: bytes, lines: tuple[int, ...]) -> None:
    finding = pick(data, code)
    assert finding is not None
    assert (finding.file, finding.severity, finding.lines) == ("x", severity, lines)
    assert finding.n_lines == len(lines)
    assert pick(CLEAN, code) is None


def test_invalid_utf8_is_named_by_byte_and_offset() -> None:
    finding = pick(b"abc\ncaf\xe9 cr\xe8me\n\xff\n", "invalid-utf-8")
    assert finding is not None
    assert finding.problem == "byte 0xE9 at offset 7 is not UTF-8"
    assert finding.lines == (2, 3)


def test_misread_utf8_is_left_to_the_check_for_mojibake() -> None:
    assert pick("PÅ\x99Ã\xadliÅ¡ â\x80\x99\n".encode(), "control-characters") is None


def test_lines_are_split_at_newlines_only() -> None:
    data = codecs.BOM_UTF8 + "a\u2028b\r\nc\x0cd\n\ne".encode()
    assert inspect_bytes(data).lines == ("a\u2028b", "c\x0cd", "", "e")


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)])
def test_compressed_files_are_read_as_their_content(tmp_path: Path, suffix: str, pack: type[bytes]) -> None:
    path = tmp_path / f"text.txt{suffix}"
    path.write_bytes(pack(b"a\nb\r\n"))
    inspection = inspect_file(path)
    assert inspection.lines == ("a", "b")
    assert [(finding.code, finding.file) for finding in inspection.findings] == [
        ("mixed-line-ends", str(path))
    ]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_cut_archive_is_an_input_error(tmp_path: Path, pack: type[bytes]) -> None:
    path = tmp_path / "text"
    path.write_bytes(pack(b"a line of text\n" * 100)[:-12])
    with pytest.raises(InputError, match=r"text is damaged or truncated"):
        inspect_file(path)


def test_file_that_cannot_be_read_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file"):
        inspect_file(tmp_path / "nowhere.txt")
    with pytest.raises(InputError, match="is a directory"):
        inspect_file(tmp_path)


@given(st.binary())
def test_no_bytes_make_the_inspection_crash(data: bytes) -> None:
    inspection = inspect_bytes(data)
    for finding in inspection.findings:
        assert finding.n_lines >= len(finding.lines)


@given(st.text(st.characters(blacklist_categories=["Cs"])))
def test_lines_are_the_text_between_newlines(text: str) -> None:
    lines = inspect_bytes(f"{text}\n".encode()).lines
    assert "\n".join(lines) == "\n".join(
        part.removesuffix("\r") for part in text.removeprefix("\ufeff").split("\n")
    )
