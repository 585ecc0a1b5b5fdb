"""Rules of a gate in a TOML file: a table [[rule]] each."""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from tertium.errors import InputError
from tertium.files.reading import read_text

__all__ = ["read_rule_tables"]

_KEYS: Mapping[str, tuple[type, ...]] = {
    "metric": (str,),
    "not_worse": (int, float),
    "not_significantly_worse": (bool,),
    "at_least": (int, float),
    "by": (str,),
    "undecided": (str,),
    "alpha": (int, float),
}


def read_rule_tables(path: str) -> list[dict[str, Any]]:
    """Read the tables [[rule]] of a file; every key and its kind is checked.

    Raises
    ------
    InputError
        If the file is not TOML, has no rule, or a rule has an unknown key or a value of the wrong kind.
    """
    try:
        document = tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    tables = document.get("rule")
    others = sorted(set(document) - {"rule"})
    if others:
        raise InputError(f"{path}: unknown key {others[0]!r}; rules are tables [[rule]]")
    if not isinstance(tables, list) or not tables or not all(isinstance(each, dict) for each in tables):
        raise InputError(
            f'{path} has no rule; write [[rule]] and below it metric = "bleu" and not_worse = 0.3'
        )
    for number, table in enumerate(tables, start=1):
        _check(path, number, table)
    return tables


def _check(path: str, number: int, table: Mapping[str, Any]) -> None:
    where = f"{path}: rule {number}"
    if "metric" not in table:
        raise InputError(f'{where} names no metric; write metric = "bleu"')
    for key, value in table.items():
        if key not in _KEYS:
            near = get_close_matches(key, _KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(_KEYS)}"
            raise InputError(f"{where} has an unknown key {key!r}; {hint}")
        is_bool = isinstance(value, bool)
        if not isinstance(value, _KEYS[key]) or (is_bool and bool not in _KEYS[key]):
            kinds = " or ".join({"str": "a text", "int": "a number", "float": "a number", "bool": "true or false"}[kind.__name__] for kind in _KEYS[key][:1])  # fmt: skip
            raise InputError(f"{where}: {key} must be {kinds}, not {value!r}")
    if table.get("undecided", "fail") not in ("fail", "pass"):
        raise InputError(f'{where}: undecided must be "fail" or "pass", not {table["undecided"]!r}')
