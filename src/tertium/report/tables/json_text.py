"""A document's data as JSON that every parser reads: no NaN, no infinity, no naked control character."""

import json
import re
from collections.abc import Mapping
from functools import partial
from math import isfinite
from typing import Any

from tertium.report.tables.model import Document

__all__ = ["plain_data", "render_json"]

# json.dumps escapes C0 controls itself. These it would pass on to a terminal or a file as they are.
_NAKED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def render_json(document: Document) -> str:
    """Write the data; what is not finite becomes null."""
    dump = partial(json.dumps, ensure_ascii=False, indent=document.json_indent, allow_nan=False)
    try:
        text = dump(document.data)
    except (TypeError, ValueError):  # numpy's numbers, or NaN: rare enough to look only then
        text = dump(plain_data(document.data))
    return _NAKED.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def plain_data(value: Any) -> Any:
    """Make anything out of dicts, lists, texts, numbers and None; what is not finite becomes None.

    >>> plain_data({"p": float("nan"), 1: (2, {3})})
    {'p': None, '1': [2, [3]]}
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain_data(each) for key, each in value.items()}
    if hasattr(value, "tolist"):  # numpy's, which need not be imported to ask
        return plain_data(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain_data(each) for each in value]
    return str(value)
