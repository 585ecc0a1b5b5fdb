"""Lines and bytes read in constant memory equal those of the whole file, with the same errors."""

import gzip
import lzma
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, ResourceError
from tertium.files import line_streams, reading
from tertium.files.line_streams import LineStream
from tertium.files.paths import COMPRESSION_SUFFIXES
from tertium.files.reading import open_bytes, read_bytes, read_lines, read_start

Write = Callable[[str, str | bytes], str]
COMPRESS: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}
BYTES = st.lists(st.sampled_from([b"a", b"\n", b"\r", "é".encode(), "\ufeff".encode(), b"\xff", b"\0"])).map(
    b"".join
)


def all_or_error(read: Callable[[], list[str]]) -> list[str] | str:
    try:
        return read()
    except InputError as error:
        return str(error)


@given(content=BYTES, block=st.integers(1, 9), size=st.integers(1, 5))
def test_a_stream_gives_the_lines_and_errors_of_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, block: int, size: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "stream.txt"
    path.write_bytes(content)

    def stream() -> list[str]:
        with pytest.MonkeyPatch.context() as patch, LineStream(path) as lines:
            patch.setattr(line_streams, "_MIN_READ", block)
            patch.setattr(line_streams, "_MAX_READ", block + 2)
            batches = list(lines.batches(size))
        assert all(len(batch) == size for batch in batches[:-1])
        assert lines.n_lines == sum(map(len, batches))
        return [line for batch in batches for line in batch]

    assert all_or_error(stream) == all_or_error(lambda: read_lines(path))


@pytest.mark.parametrize("suffix", COMPRESS)
def test_bytes_come_in_parts_of_any_size(write: Write, suffix: str) -> None:
    content = bytes(range(256)) * 5000
    path = write(f"a{suffix}", COMPRESS[suffix](content) + COMPRESS[suffix](b"end"))
    with open_bytes(path) as stream:
        assert stream.read(10) == content[:10]
        assert stream.read(100_000) == content[10:100_010]
        assert stream.read() == content[100_010:] + b"end"
    assert read_bytes(path) == content + b"end"


@pytest.mark.slow
@pytest.mark.parametrize("suffix", COMPRESS)
def test_progress_is_told_in_bytes_of_the_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(COMPRESS[suffix](np.random.default_rng(1).bytes(5_000_000)))
    with open_bytes(path) as stream:
        stream.read(1_000_000)
        assert 900_000 < stream.n_packed < 4_000_000
        while stream.read(1_000_000):
            pass
        assert stream.n_packed == path.stat().st_size
    with open_bytes(path) as stream:
        stream.read()
        assert stream.n_packed == path.stat().st_size


@pytest.mark.slow
@pytest.mark.parametrize("suffix", COMPRESS)
def test_memory_does_not_grow_with_the_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"large{suffix}"
    path.write_bytes(COMPRESS[suffix](b"a line of some words\n" * 1_000_000))
    tracemalloc.start()
    with LineStream(path) as lines:
        n_lines = sum(len(batch) for batch in lines.batches(20_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n_lines == 1_000_000
    assert peak < 30_000_000  # the file holds 21 MB, its lines as strings 70 MB; xz alone needs 8


def test_a_block_stays_valid_while_later_lines_are_read(write: Write) -> None:
    content = b"".join(b"line %d\n" % number for number in range(50_000))
    with LineStream(write("a.txt", content)) as lines:
        blocks = [lines.read_block(7_000) for _ in range(9)]
    assert b"".join(block.tobytes() for block in blocks) == content
    assert [block.tobytes().count(b"\n") for block in blocks] == [7_000] * 7 + [1_000, 0]


def test_one_long_line_is_read_in_few_steps(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory doubles with the line, so it is not copied once for every block of the file."""
    monkeypatch.setattr(line_streams, "_MIN_READ", 1)
    monkeypatch.setattr(line_streams, "_MAX_READ", 10)
    sizes: list[int] = []

    def take(size: int) -> npt.NDArray[np.uint8]:
        sizes.append(size)
        return np.empty(size, np.uint8)

    monkeypatch.setattr(line_streams, "take_buffer", take)
    with LineStream(write("a.txt", b"x" * 10_000 + b"\nnext")) as lines:
        assert [len(line) for line in lines.read_batch(5)] == [10_000, 4]
    assert len(sizes) < 20
    assert max(sizes) < 30_000


@pytest.mark.slow
def test_damage_is_found_where_it_stands_and_not_before(write: Write) -> None:
    data = gzip.compress(b"".join(b"%d\n" % zlib.crc32(b"%d" % i) for i in range(500_000)))
    with LineStream(write("a.gz", data[: len(data) // 2])) as lines:
        assert lines.read_batch(2)[0] == str(zlib.crc32(b"0"))
        with pytest.raises(InputError, match=r"a\.gz is damaged or truncated"):
            list(lines)


def test_the_error_is_of_the_callers_kind(write: Write) -> None:
    with pytest.raises(ResourceError, match="no such file: 'gone'"):
        open_bytes("gone", error=ResourceError)
    with (
        pytest.raises(ResourceError, match="line 2 is not UTF-8"),
        LineStream(write("a", b"a\n\xff"), error=ResourceError) as lines,
    ):
        list(lines)


def test_every_way_of_packing_is_known_by_its_suffix_everywhere() -> None:
    assert set(reading._PACKINGS) == COMPRESSION_SUFFIXES


def test_the_first_bytes_are_those_of_the_packed_file(write: Write) -> None:
    assert read_start(write("a.gz", gzip.compress(b"text")), 2) == b"\x1f\x8b"
    assert read_start(write("short", b"x"), 5) == b"x"
