"""The project file: defaults of options in `tertium.toml`, or in the table `tool.tertium` of `pyproject.toml`."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.files.paths import is_file, show_path
from tertium.files.reading import parse_toml, read_text
from tertium.records import record

NAME, SHARED_NAME = "tertium.toml", "pyproject.toml"
_TABLE = "[tool.tertium"


@record
class Project:
    """A project file and its content: options by name, and tables of options by command."""

    path: Path
    content: Mapping[str, Any]


def find_project(folder: Path) -> Project | None:
    """Find the project file of a folder: in it, or in the nearest folder above it; None if there is none."""
    for place in (folder, *folder.parents):
        if is_file(place / NAME):
            return read_project(place / NAME)
        shared = place / SHARED_NAME
        if is_file(shared) and _TABLE in read_text(shared):
            return read_project(shared)
    return None


def _label(path: Path) -> str:
    return show_path(os.path.relpath(path))


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
        raise InputError(f"{_label(path)} is not valid TOML: {error}") from None
    if path.name == SHARED_NAME:
        for name in ("tool", "tertium"):
            content = content.get(name) if isinstance(content, dict) else None
        if not isinstance(content, dict):
            raise InputError(f"{_label(path)} has no table [tool.tertium]; add it, or use {NAME}")
    return Project(path, content)
