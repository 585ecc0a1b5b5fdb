"""Checks of arguments that Python users pass: a value of the wrong kind is described in one line."""

import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from tertium.errors import InputError


def describe_value(value: object) -> str:
    """Describe a wrong value and its type, in at most about 60 characters.

    >>> describe_value(None), describe_value(["a", 1])
    ('None', "['a', 1] (list)")
    """
    if value is None:
        return "None"
    try:
        shown = repr(value)
    except Exception:  # noqa: BLE001 - Python does not write numbers of thousands of digits; others raise anything
        return f"an object of type {type(value).__name__}"
    return f"{shown if len(shown) <= 40 else shown[:39] + '…'} ({type(value).__name__})"


def list_items(values: Any, place: str) -> list[Any]:
    """List the items of an iterable that has an order.

    Parameters
    ----------
    place
        The name of the argument, for messages.
    """
    if isinstance(values, (str, bytes)):
        raise InputError(f"{place} must be a list of strings, not a single string")
    if isinstance(values, (Mapping, AbstractSet)):
        raise InputError(f"{place} must be a list, not a {type(values).__name__}")
    try:
        return list(values)
    except TypeError:
        raise InputError(f"{place} must be a list of strings, not {describe_value(values)}") from None


def count_items(values: Any, place: str) -> int:
    """Return the length of a list, an array or another sequence."""
    if isinstance(values, (str, bytes, Mapping, AbstractSet)) or not hasattr(values, "__getitem__"):
        raise InputError(f"{place} must be a list, not {describe_value(values)}")
    try:
        return len(values)
    except TypeError:  # a type such as list[int], or an array without dimensions
        raise InputError(f"{place} must be a list, not {describe_value(values)}") from None


def check_path(path: object, place: str) -> str:
    """Return a path as a text."""
    text = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(text, str):
        raise InputError(f"{place} must be a path, not {describe_value(path)}")
    return text
