"""Prints constraints for `make lowest`: the lowest version that pyproject.toml allows of each package users install."""

import re
import tomllib
from pathlib import Path

FOR_DEVELOPERS = {"dev", "docs", "test"}


def main() -> None:
    """Print one `name==version` per line."""
    settings = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    extras = settings["project"]["optional-dependencies"]
    requirements = [*settings["build-system"]["requires"], *settings["project"]["dependencies"]]
    requirements += [line for name in extras.keys() - FOR_DEVELOPERS for line in extras[name]]
    for line in sorted(requirements):
        if ";" not in line and (
            found := re.match(r"([\w-]+)(?:\[\w+\])?[>=]=([\d.]+)", line)
        ):  # not those of one system only
            print(f"{found[1]}=={found[2]}")


if __name__ == "__main__":
    main()
