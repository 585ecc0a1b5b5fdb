"""Call every function of the core while allocations fail, one after another.

A call either gives its usual result or raises MemoryError, and so does every call after it: nothing is left locked or
half done. Run with failing_allocations.cpp preloaded, by tests/kernels/test_failing_allocations.py:

python fail_allocations.py LIBRARY THREADS [--stays] [--all] [NAME …]
"""

import argparse
import ctypes
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from reference.core_calls import CALLS, CoreCall, freeze
from tertium.kernels.threads import use_threads

FIRST = 24
"""A sample has all calls of operator new up to this number, then ever fewer."""


def main() -> None:
    """Print each function before it is called, and how many of its calls failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("threads", type=int)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--stays", action="store_true", help="all later allocations fail as well")
    parser.add_argument("--all", action="store_true", help="no sample: every allocation fails once")
    given = parser.parse_args()
    library = ctypes.CDLL(given.library)
    library.count_allocations.restype = ctypes.c_long
    library.fail_allocation.argtypes = ctypes.c_long, ctypes.c_bool
    with use_threads(given.threads):
        for name in given.names or CALLS:
            sys.stdout.write(f"{name} ")
            sys.stdout.flush()  # so that a crash has a name
            n_failed = try_failures(library, CALLS[name], stays=given.stays, tries_all=given.all)
            sys.stdout.write(f"{n_failed}\n")
        if len([*Path("/proc/self/task").iterdir()]) > 4 * given.threads:
            raise AssertionError("threads were lost")


def try_failures(library: ctypes.CDLL, call: CoreCall, *, stays: bool, tries_all: bool) -> int:
    """Let allocations fail until the call succeeds; return how many calls raised MemoryError."""
    state = call.prepare()
    expected = freeze([call.call(state), call.read(state)])
    n_failed = 0
    for number in count(1) if tries_all else sample_numbers():
        state = call.prepare()
        library.fail_allocation(number, stays)
        try:
            found = call.call(state)
            is_over = library.count_allocations() < number
            library.fail_allocation(0, False)
        except MemoryError:
            is_over = False
            library.fail_allocation(0, False)
            n_failed += 1  # again, undisturbed
            state = call.prepare() if call.spoils else state
            found = call.call(state)
        if freeze([found, call.read(state)]) != expected:
            raise AssertionError(f"another result after a failure of allocation {number}")
        if is_over:
            break
    return n_failed


def sample_numbers() -> Iterator[int]:
    """Yield the numbers of the allocations to try: the first ones, then ever fewer."""
    yield from range(1, FIRST)
    number = FIRST
    while True:
        yield number
        number += max(1, number // 4)


if __name__ == "__main__":
    main()
