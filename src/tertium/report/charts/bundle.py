"""The JavaScript that draws specifications inside a page: Vega, Vega-Lite and Vega-Embed as one text."""

import re
from functools import cache

from tertium.report.charts.model import import_vl_convert

__all__ = ["EMBED_OPTIONS", "javascript_bundle"]

EMBED_OPTIONS = {"mode": "vega-lite", "ast": True, "renderer": "svg", "actions": False}
"""What to tell `vegaEmbed`: with `ast` it reads expressions itself, so that a page may forbid `eval`."""


@cache
def javascript_bundle() -> str:
    """Bundle the libraries, about 0.9 MB, for a page's `<script>`; they define `window.vegaEmbed`.

    The bundle loads nothing, so a page works from disk under
    `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:`.
    It takes seconds to make, and is made once.
    """
    bundle: str = import_vl_convert().javascript_bundle()
    return re.sub(r"</(?=script)", r"<\\/", bundle, flags=re.IGNORECASE)
