"""The example notebook runs, and shows what it would show now."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent


def test_the_notebook_shows_what_its_cells_give() -> None:
    for module in ("nbclient", "ipykernel"):
        pytest.importorskip(module)
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/make_notebook.py"), "--check"],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "cells give what the notebook shows" in done.stdout
