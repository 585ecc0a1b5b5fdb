"""Parquet is read on the calling thread: Arrow's thread pool may outlive the interpreter and crash it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tertium.files.parquet import ParquetFile

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

SOURCES = Path(__file__).parents[2] / "src" / "tertium"
COUNT = """
import os, sys
from tertium.files.parquet import ParquetFile, import_parquet
import_parquet("")

def n_threads():
    return len(os.listdir("/proc/self/task"))

before = n_threads()
for read in (ParquetFile.read, lambda file: list(file.batches(1000)), lambda file: list(file.groups())):
    assert read(ParquetFile("a file", open(sys.argv[1], "rb").read()))
print(n_threads() - before)
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "a.parquet"
    columns = {name: pa.array([name * i for i in range(3_000)]) for name in "abcd"}
    pq.write_table(pa.table(columns), path, row_group_size=1_000)
    return path


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts threads as Linux shows them")
def test_reading_starts_no_thread(table: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COUNT, str(table)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == 0


def test_every_way_to_read_gives_all_rows(table: Path) -> None:
    file = ParquetFile(str(table), table.read_bytes())
    assert (file.n_rows, file.names, file.group_sizes) == (3_000, ["a", "b", "c", "d"], [1_000] * 3)
    whole = pq.read_table(table, use_threads=False)
    assert file.read().equals(whole)
    assert file.read(["b"]).equals(whole.select(["b"]))
    assert pa.Table.from_batches(file.batches(700)).equals(whole)
    assert pa.Table.from_batches(file.batches(700, [2])).equals(whole[2_000:])
    assert pa.concat_tables(file.groups()).equals(whole)


def test_an_open_file_that_was_passed_stays_open(table: Path) -> None:
    with table.open("rb") as content:
        file = ParquetFile(str(table), content)
        assert file.n_rows == 3_000
        file.close()
        assert not content.closed


def test_no_other_module_reads_parquet() -> None:
    readers = re.compile(
        r"\.ParquetFile\(|read_row_group|iter_batches|\bread_table\(.*parquet|read_schema|pyarrow\.dataset"
    )
    found = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if readers.search(path.read_text(encoding="utf-8"))
    }
    assert found == {str(Path("files", "parquet.py"))}
