"""Columns that a request names."""

from collections.abc import Collection

from tertium.catalog.finding import suggest
from tertium.errors import UnknownNameError

__all__ = ["check_column"]


def check_column(name: str, known: Collection[str]) -> None:
    """Raise if no segment has a value in this column."""
    if name not in known:
        advice = (
            suggest(name, list(known)) if known else "there are no columns; give them with --columns FILE"
        )
        raise UnknownNameError(f"no segment has a column {name!r}; {advice}")
