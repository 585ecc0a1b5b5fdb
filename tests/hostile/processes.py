"""Programs in separate processes, so that limits, dropped privileges and signals affect no other test."""

import os
import subprocess
import sys
from typing import Any

__all__ = ["PRELUDE", "UNPRIVILEGED", "command", "run"]

NOBODY = 65534

PRELUDE = f"""
import os, sys
from tertium.errors import TertiumError

def drop_privileges():
    if os.geteuid() == 0:
        os.setgroups([])
        os.setegid({NOBODY})
        os.seteuid({NOBODY})
"""


def _can_lose_rights() -> bool:
    """Whether a process can drop its privileges, so that file permissions apply to it."""
    if not hasattr(os, "geteuid"):
        return False
    program = f"import os; os.geteuid() or os.seteuid({NOBODY}); print(os.geteuid())"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    return found.stdout.strip() not in ("", "0")


UNPRIVILEGED = _can_lose_rights()


def run(program: str, *arguments: str, prefix: tuple[str, ...] = ()) -> str:
    """Run a program and return its output; it must exit with code 0."""
    command = [*prefix, sys.executable, "-c", PRELUDE + program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-2000:]}"
    return done.stdout


def command(*arguments: str, **options: Any) -> "subprocess.CompletedProcess[bytes]":
    """Run the command line in a separate process; `options` are those of `subprocess.run`."""
    call = [sys.executable, "-c", "from tertium.cli.main import main; main()", *arguments]
    settings: dict[str, Any] = {"stderr": subprocess.PIPE, "timeout": 120} | options
    return subprocess.run(call, check=False, **settings)
