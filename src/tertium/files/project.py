"""The project file: defaults of options in `tertium.toml`, or in the table `tool.tertium` of `pyproject.toml`.

A project file is searched in a folder and in its parent folders, up to the root of the repository or the home folder. Outside
of both it counts in its own folder only, because anyone may be able to write to the folders above. Files that belong to
another user are ignored.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.files.paths import exists, is_file, show_path
from tertium.files.reading import parse_toml, read_text
from tertium.records import record

NAME, SHARED_NAME = "tertium.toml", "pyproject.toml"
_TABLE = "[tool.tertium"
_ROOT = 0  # the user who can do anything anyway
_REPOSITORY = ".git"  # a folder, or a file in worktrees and submodules


@record
class Project:
    """A project file and its content: options by name, and tables of options by command."""

    path: Path
    content: Mapping[str, Any]


@record
class ProjectSearch:
    """The project file of a folder, if there is one, and nearer files that are ignored: they belong to other users."""

    project: Project | None
    ignored: tuple[Path, ...] = ()


def find_project(folder: Path) -> ProjectSearch:
    """Find the project file of a folder: in it, or in the nearest folder above it that may hold one."""
    ignored = list[Path]()
    for place in _list_places(folder):
        for path in (place / NAME, place / SHARED_NAME):
            if not is_file(path):
                continue
            if not _has_settings(path):
                continue
            if not is_trusted(path):
                ignored.append(path)
            else:
                return ProjectSearch(read_project(path), tuple(ignored))
    return ProjectSearch(None, tuple(ignored))


def _list_places(folder: Path) -> Iterator[Path]:
    """List the folders in which a project file counts, the nearest first."""
    above = [folder, *folder.parents]
    home = _find_home()
    ends = [i for i, place in enumerate(above) if place == home or exists(place / _REPOSITORY)]
    yield from above[: ends[0] + 1 if ends else 1]


def _find_home() -> Path | None:
    try:
        home = Path.home().resolve()
    except (OSError, RuntimeError):  # no home is known
        return None
    return None if home == home.parent else home  # "/" is not a home folder: every folder is below it


def is_trusted(path: Path) -> bool:
    """Whether a file, and the link that leads to it, belong to this user or to root."""
    if not hasattr(os, "geteuid"):
        return True  # Windows
    try:
        owners = {path.stat().st_uid, path.lstat().st_uid}
    except OSError:
        return False
    return owners <= {os.geteuid(), _ROOT}


def _has_settings(path: Path) -> bool:
    """Whether a file has our settings; a `pyproject.toml` without them, or an unreadable one, is other tools' affair."""
    if path.name == NAME:
        return True
    try:
        text = read_text(path)
    except InputError:
        return False
    try:
        tools = parse_toml(text).get("tool") if "tertium" in text else None
    except ValueError:
        return _TABLE in text  # reading it reports the mistake
    return isinstance(tools, dict) and "tertium" in tools


def read_project(path: Path) -> Project:
    """Read a project file.

    Raises
    ------
    InputError
        If the file is missing, not TOML, or a `pyproject.toml` without the table `tool.tertium`.
    """
    text = read_text(path)
    try:
        content: Any = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{show_project(path)} is not valid TOML: {error}") from None
    if path.name == SHARED_NAME:
        for name in ("tool", "tertium"):
            content = content.get(name) if isinstance(content, dict) else None
        if not isinstance(content, dict):
            raise InputError(f"{show_project(path)} has no table [tool.tertium]; add it, or use {NAME}")
    return Project(path, content)


def show_project(path: Path) -> str:
    """Format the path of a project file, relative to the working folder."""
    return show_path(os.path.relpath(path))
