"""Reader of the rules of a gate: a TOML file with a table [[rule]] for each."""

import re
from collections.abc import Mapping
from typing import Any

from tertium.errors import InputError, suggest
from tertium.files.reading import parse_toml, read_text

_KEYS: Mapping[str, tuple[type, ...]] = {
    "metric": (str,),
    "not_worse": (int, float),
    "not_significantly_worse": (bool,),
    "at_least": (int, float),
    "at_most": (int, float),
    "by": (str,),
    "undecided": (str,),
    "alpha": (int, float),
}
_KINDS = {str: "a text", int: "a number", bool: "true or false"}
_HEADER = re.compile(r"\s*\[\[\s*rule\s*\]\]")


def read_rule_tables(path: str) -> list[tuple[str, dict[str, Any]]]:
    """Read the tables [[rule]] of a file, each with its place in the file for messages.

    Raises
    ------
    InputError
        If the file is not TOML, has no rule, or a rule has an unknown key or a value of the wrong type.
    """
    text = read_text(path)
    tables = _parse(path, text)
    places = _find_places(path, text, len(tables))
    for where, table in zip(places, tables, strict=True):
        _check(where, table)
    return list(zip(places, tables, strict=True))


def _parse(path: str, text: str) -> list[dict[str, Any]]:
    try:
        document = parse_toml(text)
    except ValueError as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    others = sorted(set(document) - {"rule"})
    if others:
        raise InputError(f"{path}: unknown key {others[0]!r}; rules are tables [[rule]]")
    tables = document.get("rule")
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        raise InputError(
            f'{path} has no rule; write [[rule]], followed by metric = "bleu" and not_worse = 0.3'
        )
    return tables


def _find_places(path: str, text: str, n_rules: int) -> list[str]:
    """Return the place of each rule for messages; tomllib reports no line numbers, so search for the headers."""
    lines = [number for number, line in enumerate(text.split("\n"), start=1) if _HEADER.match(line)]
    if len(lines) != n_rules:  # written in another way, such as rule = [{...}]
        return [f"{path}: rule {number}" for number in range(1, n_rules + 1)]
    return [f"{path}: rule {number} (line {line})" for number, line in enumerate(lines, start=1)]


def _check(where: str, table: Mapping[str, Any]) -> None:
    for key, value in table.items():
        if key not in _KEYS:
            raise InputError(f"{where} has an unknown key {key!r}; {suggest(key, _KEYS)}")
        _check_kind(where, key, value)
    if "metric" not in table:
        raise InputError(f'{where} has no metric; write metric = "bleu"')


def _check_kind(where: str, key: str, value: object) -> None:
    kinds = _KEYS[key]
    # bool is a subclass of int
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise InputError(f"{where}: {key} must be {_KINDS[kinds[0]]}, not {value!r}")
