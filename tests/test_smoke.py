"""The smoke test of wheels, on the package under test."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

import smoke_test


@pytest.mark.slow
def test_all_metrics_and_the_main_commands_work() -> None:
    assert smoke_test.check_metrics() > 30
    assert smoke_test.check_commands() > 10
