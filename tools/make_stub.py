"""Write src/tertium/__init__.pyi, the public names for type checkers, from the declarations of the commands. Run: make docs"""

from pathlib import Path

import tertium
from tertium.commands import find_public_names

TARGET = Path(__file__).parent.parent / "src" / "tertium" / "__init__.pyi"
FIRST = (
    "# Written by `make docs` from the declarations of the commands: the public names, for type checkers.\n\n"
)


def render_page() -> str:
    """Render an import of every public name."""
    places = {name: (module, name) for name, module in tertium.OWN_NAMES.items()}
    for name, (family, place) in find_public_names().items():
        module, _, attribute = place.partition(":")
        package = f"tertium.commands.{family}"
        places[name] = (f"{package}.{module}", attribute) if attribute else (package, module)
    imports = sorted(f"from {module} import {found} as {name}" for name, (module, found) in places.items())
    listed = "\n".join(f'    "{name}",' for name in tertium.__all__)
    return f"{FIRST}{chr(10).join(imports)}\n\n__all__ = [\n{listed}\n]\n__version__: str\nOWN_NAMES: dict[str, str]\n"


if __name__ == "__main__":
    TARGET.write_text(render_page(), encoding="utf-8")
