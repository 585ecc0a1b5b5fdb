"""How many threads there are, on every system."""

import os

import pytest

from tertium.errors import OptionError
from tertium.kernels import n_threads, use_threads


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
