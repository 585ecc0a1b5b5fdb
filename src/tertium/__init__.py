"""Tertium: which translation system is better, by how much, how certain that is, and why.

>>> import tertium
>>> result = tertium.score(["the cat sat on the mat"], ["the cat sat on a mat"], "bleu,wer")
>>> round(result["wer"]["system"].value, 2)
16.67
"""

from importlib import import_module
from typing import Any

__version__ = "0.2.0"


OWN_NAMES = {
    "Accumulator": "tertium.engines.accumulator",
    "Corpus": "tertium.values",
    "JudgedData": "tertium.metaeval.data",
    "ResourceChoice": "tertium.catalog",
    "TertiumError": "tertium.errors",
    "read_corpus": "tertium.corpus",
    "use_progress": "tertium.progress",
}
"""Public names that belong to no command, with their modules."""


def _check_interpreter() -> None:
    """Raise in a sub-interpreter.

    Kernels release the GIL and take it again through an interface of Python that knows the main interpreter only: in
    another one they would wait forever. NumPy raises an error of many lines there.
    """
    for name in ("_interpreters", "_xxsubinterpreters"):  # from Python 3.13 on, and before
        try:
            module: Any = import_module(name)
        except ImportError:
            continue
        found = (module.get_current(), module.get_main())
        current, main = (identity[0] if isinstance(identity, tuple) else int(identity) for identity in found)
        if current != main:
            raise ImportError(
                "tertium does not work in a sub-interpreter; import it in the main interpreter, or use a process of its own"
            )
        return


_check_interpreter()


def _find_commands() -> Any:
    return import_module("tertium.commands")


def _list_names() -> list[str]:
    """List the public names: the names that families of commands declare, and names that belong to no command."""
    return sorted(["__version__", *OWN_NAMES, *_find_commands().find_public_names()])


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that the command line starts without numpy."""
    if name == "__all__":
        return _list_names()
    if name in OWN_NAMES:
        return getattr(import_module(OWN_NAMES[name]), name)
    if not name.startswith("_"):
        commands = _find_commands()
        if place := commands.find_public_names().get(name):
            return commands.load_place(*place)
    from tertium.errors import suggest  # noqa: PLC0415 - needed for mistakes only

    hint = (
        "" if name.startswith("_") else suggest(name, _list_names(), otherwise="dir(tertium) lists all names")
    )
    raise AttributeError(f"module 'tertium' has no attribute {name!r}{hint and f'; {hint}'}")


def __dir__() -> list[str]:
    return _list_names()
