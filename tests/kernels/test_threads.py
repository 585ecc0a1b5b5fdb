"""How many threads there are, on every system."""

import os
import subprocess
import sys
from textwrap import dedent

import pytest

from tertium.errors import OptionError
from tertium.kernels.threads import n_threads, use_threads


def test_every_core_of_this_process_is_used() -> None:
    assert n_threads() == len(os.sched_getaffinity(0))


@pytest.mark.parametrize(("cores", "threads"), [(6, 6), (None, 1)])
def test_systems_without_affinities_use_all_their_cores(
    monkeypatch: pytest.MonkeyPatch, cores: int | None, threads: int
) -> None:
    """As macOS and Windows do."""
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    assert n_threads() == threads


def test_a_number_given_wins_and_must_be_positive() -> None:
    with use_threads(3):
        assert n_threads() == 3
    with pytest.raises(OptionError), use_threads(0):
        pass


LIMITED = dedent("""
    import resource
    import numpy as np
    from tertium.kernels.edits import count_levenshtein
    from tertium.kernels.strings import Vocabulary, tokenize_texts
    from tertium.kernels.threads import use_threads

    rng = np.random.default_rng(2)
    texts = [" ".join(map(str, rng.integers(0, 30, 20))) for _ in range(1000)]

    def count():
        column = tokenize_texts(texts, "13a", Vocabulary())
        other = tokenize_texts(texts[::-1], "13a", column.vocabulary)
        return column.ids, count_levenshtein(column, other, np.arange(1001))

    with use_threads(1):
        ids, alone = count()
    pages = int(open("/proc/self/statm").read().split()[0])
    limit = pages * resource.getpagesize() + 2**30
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with use_threads(8):
        many_ids, many = count()
    print(np.array_equal(ids, many_ids), np.array_equal(alone, many))
""")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads its own size from /proc")
@pytest.mark.parametrize("stack", [400_000, 4_000_000], ids=["two of seven start", "none starts"])
def test_threads_that_cannot_be_started_are_done_without(stack: int) -> None:
    """A thread's stack, in kilobytes, takes its share of a gigabyte; the results are those of one thread."""
    command = ["/bin/sh", "-c", f'ulimit -s {stack} && exec "$0" -c "$1"', sys.executable, LIMITED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "True True\n", done.stderr


FORKED = dedent("""
    import os
    import numpy as np
    from tertium.kernels.edits import count_levenshtein
    from tertium.kernels.strings import Vocabulary, tokenize_texts
    from tertium.kernels.threads import use_threads

    texts = [f"the {i} cat {i % 7} sat" for i in range(1000)]

    def count():
        column = tokenize_texts(texts, "13a", Vocabulary())
        other = tokenize_texts(texts[::-1], "13a", column.vocabulary)
        return count_levenshtein(column, other, np.arange(1001)).tolist()

    with use_threads(3):
        wanted = count()
        children = []
        for _ in range(3):
            child = os.fork()
            if child == 0:
                os._exit(0 if count() == wanted and count() == wanted else 1)
            children.append(child)
            assert count() == wanted
    print([os.waitpid(child, 0)[1] for child in children])
""")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork() on this system")
def test_a_forked_process_has_threads_of_its_own() -> None:
    """The threads that wait for work in the parent do not exist in its children."""
    command = [sys.executable, "-W", "ignore", "-c", FORKED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "[0, 0, 0]\n", done.stderr
