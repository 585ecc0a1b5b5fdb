"""Full disks, read-only caches, processes that share files or are killed: nothing is lost or wrong."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hostile.processes import PRELUDE, UNPRIVILEGED, run
from tertium.files.cache import DiskCache

WRITERS = {
    "a store": "write_store(target, vectors, name='x')",
    "a store of int8": "write_store(target, vectors, name='x', precision='int8')",
    "vectors as text": "write_text(target, vectors)",
    "a text": "write_text_file(target)",
    "a cache": "DiskCache(target).put_many({str(i).encode(): bytes(100_000) for i in range(50)})",
}
WRITE = """
import numpy as np
from pathlib import Path
from tertium.errors import InputError
from tertium.files.cache import DiskCache
from tertium.files.writing import write_atomically
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.writing import write_store, write_text

vectors = MemoryVectors([f"w{{i}}" for i in range(30_000)], np.ones((30_000, 40), dtype=np.float32))
target = Path(sys.argv[1])

def write_text_file(path):
    with write_atomically(path, InputError) as temporary:
        temporary.write_bytes(bytes(5_000_000))

{before}
try:
    {write}
    print("written")
except TertiumError as error:
    print(error)
print(*sorted(path.name for path in target.parent.iterdir()))
"""
SMALL_DISK = ("unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@"')


def _has_small_disk(folder: Path) -> bool:
    if shutil.which("unshare") is None:
        return False
    return (
        subprocess.run([*SMALL_DISK, str(folder), "true"], capture_output=True, check=False).returncode == 0
    )


@pytest.mark.parametrize("writer", WRITERS)
def test_a_full_disk_is_one_line_and_leaves_no_half_file(tmp_path: Path, writer: str) -> None:
    if not _has_small_disk(tmp_path):
        pytest.skip("a small disk cannot be mounted here")
    program = WRITE.format(before="", write=WRITERS[writer])
    printed = run(program, str(tmp_path / "out"), prefix=(*SMALL_DISK, str(tmp_path)))
    _check_refusal(printed, writer)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_limit_on_file_sizes_is_one_line_and_leaves_no_half_file(tmp_path: Path, writer: str) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))"
    _check_refusal(run(WRITE.format(before=limit, write=WRITERS[writer]), str(tmp_path / "out")), writer)


def _check_refusal(printed: str, writer: str) -> None:
    message, left = printed.split("\n")[:2]
    if writer == "a cache":
        assert "cannot be used: " in message
        assert "TERTIUM_CACHE" in message
    else:
        assert message.startswith("cannot write ")
        assert message.endswith("make space on the disk, or choose another folder")
        assert left == ""


def test_a_full_disk_keeps_what_was_there(tmp_path: Path) -> None:
    if not _has_small_disk(tmp_path):
        pytest.skip("a small disk cannot be mounted here")
    program = WRITE.format(before="target.write_bytes(b'old')", write=WRITERS["a store"])
    program += "print(target.read_bytes())"
    printed = run(program, str(tmp_path / "out"), prefix=(*SMALL_DISK, str(tmp_path)))
    assert printed.splitlines()[1:] == ["out", "b'old'"]


@pytest.mark.skipif(not UNPRIVILEGED, reason="file modes do not stop this user")
def test_a_cache_that_may_only_be_read_is_read_and_its_state_known_before_the_work(
    public_folder: Path,
) -> None:
    cache = DiskCache(public_folder / "cache" / "a.sqlite")
    cache.put_many({b"x": b"1"})
    cache.path.chmod(0o444)
    cache.path.parent.chmod(0o555)
    program = f"""
import sqlite3
from pathlib import Path
from tertium.files.cache import DiskCache, check_cache
os.environ["TERTIUM_CACHE"] = {str(public_folder / "cache")!r}
drop_privileges()
cache = DiskCache(Path({str(cache.path)!r}))
print(cache.get_many([b"x"]))
for check in (check_cache, cache.check_writable, lambda: cache.put_many({{b"y": b"2"}})):
    try:
        check()
    except TertiumError as error:
        print(error)
"""
    kept, *errors = run(program).splitlines()
    assert kept == "{b'x': b'1'}"
    assert len(errors) == 3
    assert all("set TERTIUM_CACHE to a writable folder, or to 'off'" in error for error in errors)


SHARE = """
import random
from pathlib import Path
from tertium.files.cache import DiskCache, content_key

cache, seed = DiskCache(Path(sys.argv[1])), int(sys.argv[2])
rng = random.Random(seed)
value = lambda i: f"value {i} ".encode() * 50
for _ in range(60):
    keys = {content_key(str(i)): i for i in rng.sample(range(400), 40)}
    found = cache.get_many(list(keys))
    assert all(found[key] == value(keys[key]) for key in found), "a wrong value"
    cache.put_many({key: value(i) for key, i in keys.items() if key not in found})
    if seed == 0 and cache.path.exists():  # this one also damages what all share
        with cache.path.open("r+b") as file:
            file.seek(rng.randrange(max(file.seek(0, 2), 1)))
            file.write(bytes([rng.randrange(256)]))
"""


def test_processes_share_a_cache_even_while_it_is_damaged(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PRELUDE + SHARE, str(tmp_path / "a.sqlite")]
    users = [
        subprocess.Popen([*command, str(i)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for i in range(3)
    ]
    errors = [user.communicate(timeout=60)[1] for user in users]
    assert errors == [""] * 3


KILL = """
import random, signal, time
from pathlib import Path

folder, rng = Path(sys.argv[1]), random.Random(1)
target = folder / "target"

{definitions}

for attempt in range(20):
    child = os.fork()
    if not child:
        while True:
            write()
    time.sleep(rng.random() * 0.03)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    check()
    write()
    check()
left = [path.name for path in folder.iterdir() if not path.name.startswith(".tertium-")]
print(*sorted(left))
"""


@pytest.mark.parametrize(
    "definitions",
    [
        pytest.param(
            """
import numpy as np
from tertium.resources.vectors.training import MemoryVectors
from tertium.resources.vectors.store import Store
from tertium.resources.vectors.writing import write_store
vectors = MemoryVectors([f"w{i}" for i in range(3000)], np.ones((3000, 30), dtype=np.float32))
def write():
    write_store(target, vectors, name="x")
def check():
    if target.exists():
        Store(target).verify()
""",
            id="a store",
        ),
        pytest.param(
            """
from tertium.errors import InputError
from tertium.files.writing import write_atomically
def write():
    with write_atomically(target, InputError) as temporary:
        temporary.write_bytes(b"x" * 1_000_000)
def check():
    assert not target.exists() or target.read_bytes() == b"x" * 1_000_000
""",
            id="a text",
        ),
        pytest.param(
            """
from tertium.files.cache import DiskCache
cache = DiskCache(target)
n = 0
def write():
    global n
    n += 1
    cache.put_many({f"{n}-{i}".encode(): bytes(2000) for i in range(40)})
def check():
    keys = [f"{m}-{i}".encode() for m in range(n, n + 30) for i in range(40)]
    found = cache.get_many(keys)
    assert len(found) % 40 == 0, "a write was cut in two"
    assert set(found.values()) <= {bytes(2000)}
""",
            id="a cache",
        ),
    ],
)
def test_a_killed_writer_leaves_all_or_nothing(tmp_path: Path, definitions: str) -> None:
    left = run(KILL.format(definitions=definitions), str(tmp_path)).split()
    assert left in (["target"], ["target", "target-journal"])
