"""The commands, in families that do not know each other.

A family is a package of this folder. Its `FAMILY` declares the commands once: the command line, the public names of `tertium`, the
documentation, the groups of the help and shell completion are derived from it. Deleting the folder of a family removes its commands and
nothing else.
"""

import pkgutil
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from importlib import import_module
from typing import Any, Literal

from tertium.records import record

SHARED = "base"
"""The package that families share; it has no commands."""


@record
class CommandEntry:
    """A command of a family.

    Attributes
    ----------
    name
        The name on the command line; `vectors train` belongs to the group `vectors`.
    summary
        The line in the help of `tertium`.
    request
        The module of the family and the class of the request.
    line
        The module and the class of a command that has options or outputs of its own; by default the result is printed.
    result
        Whether the result is printed as tables or as a single line, if there is no `line`.
    function
        The name of the Python function, in the module of the request; by default the name with underscores. Commands of a group have
        no name in `tertium`.
    """

    name: str
    summary: str
    request: str
    line: str = ""
    result: Literal["table", "line"] = "table"
    function: str = ""

    @property
    def python_name(self) -> str | None:
        """The name in `tertium`; None for a command of a group."""
        if self.function:
            return self.function
        return None if " " in self.name else self.name.replace("-", "_")


@record
class Family:
    """The declaration of a family.

    Attributes
    ----------
    title
        The heading of its commands in the help.
    place
        Families are listed in this order.
    groups
        Commands that have commands of their own, with their summaries.
    names
        Other public names of `tertium`: `module:name`, or the module itself.
    """

    title: str
    place: int
    commands: tuple[CommandEntry, ...]
    groups: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def public_names(self) -> dict[str, str]:
        """The names that the family adds to `tertium`, with their places."""
        functions = {
            name: f"{command.request.partition(':')[0]}:{name}"
            for command in self.commands
            if (name := command.python_name) is not None
        }
        return functions | dict(self.names)


@cache
def find_families() -> dict[str, Family]:
    """Find the families by the names of their packages, in the order of the help; their modules are not imported."""
    packages = [
        module.name for module in pkgutil.iter_modules(__path__) if module.ispkg and module.name != SHARED
    ]
    found: dict[str, Family] = {name: import_module(f"{__name__}.{name}").FAMILY for name in packages}
    return dict(sorted(found.items(), key=lambda item: item[1].place))


def load_place(family: str, place: str) -> Any:
    """Import `module:name` of a family, or the module itself."""
    module, _, name = place.partition(":")
    imported = import_module(f"{__name__}.{family}.{module}")
    return getattr(imported, name) if name else imported


def find_public_names() -> dict[str, tuple[str, str]]:
    """Map each public name of `tertium` that a family adds to the family and the place."""
    return {
        name: (key, place)
        for key, family in find_families().items()
        for name, place in family.public_names.items()
    }
