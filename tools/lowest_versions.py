"""Prints constraints for `make lowest`: the lowest version that pyproject.toml allows of each dependency of users,
and the pinned version of each package that only the tests import."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[1]
FOR_DEVELOPERS = {"dev", "docs", "test"}


def main() -> None:
    """Print one `name==version` per line."""
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    users = [*project["dependencies"], *(line for name in extras.keys() - FOR_DEVELOPERS for line in extras[name])]
    lowest = dict(read_lowest(users))
    pinned = dict(line.split("==") for line in (TOP / "constraints.txt").read_text("utf-8").splitlines() if "==" in line)
    names = {name for name, _ in read_lowest(extras["test"])} - lowest.keys()
    tools = {name: version for name, version in pinned.items() if name.lower() in names | {"pip"}}
    for name, version in sorted((lowest | tools).items()):
        print(f"{name}=={version}")


def read_lowest(requirements: list[str]) -> Iterator[tuple[str, str]]:
    """Each package's name in lower case and its lower bound; a bound for one system only is left out."""
    for line in requirements:
        if ";" not in line and (found := re.match(r"([\w-]+)[>=]=([\d.]+)", line)):
            yield found[1].lower(), found[2]


if __name__ == "__main__":
    main()
