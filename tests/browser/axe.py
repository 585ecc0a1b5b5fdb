"""axe-core's rules, applied to a page that is open."""

from typing import Any

import pytest

__all__ = ["SIZES", "find_violations"]

SIZES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "is_mobile": True},
}
_BRIEF = {"resultTypes": ["violations"]}
_RUNS = (
    (None, {"rules": {"color-contrast": {"enabled": False}}, **_BRIEF}),
    # axe cannot find the background of a text in SVG, and is slow to say so; the charts' themes have tests of their own
    ({"exclude": [["svg"]]}, {"runOnly": ["color-contrast"], **_BRIEF}),
)


def find_violations(page: Any) -> list[tuple[str, str]]:
    """Return the rules that the page violates, each with the first element that does so."""
    axe = pytest.importorskip(
        "axe_playwright_python.sync_playwright", reason="axe-core is missing: run `make test`"
    )
    found = [axe.Axe().run(page, context=context, options=options).response for context, options in _RUNS]
    assert all(each["passes"] for each in found), "axe has checked nothing"
    return [(rule["id"], rule["nodes"][0]["html"]) for each in found for rule in each["violations"]]
