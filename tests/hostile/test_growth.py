"""SECURITY.md says for every metric how its time grows with the length of a segment; `make bench` measures it."""

import re
from pathlib import Path

from tertium.catalog import self_contained_names

SECURITY = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8")


def test_every_metric_has_a_row() -> None:
    rows = re.findall(r"^\| n[ \w⁶⁴³²]+ \| (.*) \|$", SECURITY, flags=re.MULTILINE)
    assert sorted(name for row in rows for name in row.split(", ")) == sorted(self_contained_names())
