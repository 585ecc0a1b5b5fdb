"""Raises in sub-interpreters, which neither the core nor NumPy supports."""

from importlib import import_module
from typing import Any


def check_interpreter() -> None:
    """Raise in a sub-interpreter.

    Kernels release the GIL and take it again through an interface of Python that knows the main interpreter only: in
    another one they would wait forever. NumPy raises an error of many lines there.

    Raises
    ------
    ImportError
        If this is not the main interpreter.
    """
    module = _find_module()
    if module is not None and _number(module.get_current()) != _number(module.get_main()):
        raise ImportError(
            "tertium does not work in a sub-interpreter; import it in the main interpreter, or use a process of its own"
        )


def _find_module() -> Any:
    for name in ("_interpreters", "_xxsubinterpreters"):  # from Python 3.13 on, and before
        try:
            return import_module(name)
        except ImportError:
            continue
    return None


def _number(interpreter: Any) -> int:
    return int(interpreter[0] if isinstance(interpreter, tuple) else interpreter)
