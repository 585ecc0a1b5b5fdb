"""Hints with the command that installs an extra."""

import re
import tomllib
from pathlib import Path

import pytest

from tertium.errors import MissingExtraError
from tertium.files.extras import import_extra

ROOT = Path(__file__).parents[2]


def test_a_missing_module_is_named_with_what_installs_it() -> None:
    with pytest.raises(
        MissingExtraError, match=r"a.xyz needs absent_module to be read: pip install 'tertium\[xyz\]'"
    ):
        import_extra("absent_module.part", extra="xyz", path="a.xyz")


def test_every_extra_that_a_message_names_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    calls = re.compile(r"install_hint\(['\"](\w+)|extra=['\"](\w+)")
    named = {
        first or second
        for path in (ROOT / "src").rglob("*.py")
        for first, second in calls.findall(path.read_text(encoding="utf-8"))
    }
    assert len(named) >= 7
    assert named <= set(project["optional-dependencies"])
