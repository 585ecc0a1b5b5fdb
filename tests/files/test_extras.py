"""Hints with the command that installs an extra."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from tertium.errors import InputError, MissingExtraError, UnknownNameError
from tertium.files.extras import import_extra, install_hint
from tertium.text.tokenizers import TOKENIZERS

ROOT = Path(__file__).parents[2]


def test_a_missing_module_is_named_with_what_installs_it() -> None:
    with pytest.raises(
        MissingExtraError, match=r"a.xml needs absent_module to be read: pip install 'lxml>=\S+'$"
    ):
        import_extra("absent_module.part", extra="xml", path="a.xml")


def test_a_hint_names_packages_and_never_a_package_called_tertium() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for extra in extras.keys() - {"dev", "docs", "test"}:  # those are for contributors
        shown = shlex.split(install_hint(extra))
        assert shown[:2] == ["pip", "install"]
        names = {re.split(r"[<>=]", package)[0] for package in shown[2:]}
        assert names == {re.split(r"[<>=]", package)[0] for package in _requirements(extras, extra)}


def test_no_page_and_no_message_installs_a_package_called_tertium() -> None:
    """The name is not ours on an index: what it installs there may be a package of another author."""
    files = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    files += [*(ROOT / "src").rglob("*.py"), *(ROOT / "examples").rglob("*.md")]
    found = re.compile(r"(pip|uv|pipx) (add|install) [^\n`]*['\"\s]tertium(?![/\w-])")
    assert [str(path) for path in files if found.search(path.read_text(encoding="utf-8"))] == []


def test_every_extra_that_a_message_names_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    calls = re.compile(r"install_hint\(['\"](\w+)|extra=['\"](\w+)")
    named = {
        first or second
        for path in (ROOT / "src").rglob("*.py")
        for first, second in calls.findall(path.read_text(encoding="utf-8"))
    }
    assert len(named) >= 7
    named |= {extra for row in TOKENIZERS.values() for extra in row.extras}
    assert named <= set(project["optional-dependencies"])


def _requirements(extras: dict[str, list[str]], *names: str) -> set[str]:
    """Return what extras install, with what the extras of Tertium that they name install."""
    found = set[str]()
    for line in (line for name in names for line in extras[name]):
        if line.startswith("tertium["):
            found |= _requirements(extras, *line.removeprefix("tertium[").rstrip("]").split(","))
        else:
            found.add(line)
    return found


@pytest.mark.parametrize("extra", ["sacrebleu", "all", "dev"])
def test_extras_with_sacrebleu_bring_the_tokenizers_of_japanese_and_korean(extra: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert _requirements(extras, "ja", "ko") <= _requirements(extras, extra)


def test_an_error_is_placed_whatever_its_class() -> None:
    for kind in (MissingExtraError, InputError, UnknownNameError):
        assert str(kind("it is wrong").at("here")) == "here: it is wrong"
