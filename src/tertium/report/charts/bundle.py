"""The JavaScript that draws specifications inside a page: Vega, Vega-Lite and Vega-Embed as one text."""

import re
from contextlib import suppress
from functools import cache

from tertium.errors import ResourceError
from tertium.files.cache import content_key, open_cache
from tertium.report.charts.model import import_vl_convert

__all__ = ["EMBED_OPTIONS", "javascript_bundle"]

EMBED_OPTIONS = {"mode": "vega-lite", "ast": True, "renderer": "svg", "actions": False}
"""What to tell `vegaEmbed`: with `ast` it reads expressions itself, so that a page may forbid `eval`."""


@cache
def javascript_bundle() -> str:
    """Bundle the libraries, about 0.9 MB, for a page's `<script>`; they define `window.vegaEmbed`.

    The bundle loads nothing, so a page works from disk under
    `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:`.
    It takes seconds to make, so it is kept in the cache; where the cache cannot be used, it is made anew.
    """
    module = import_vl_convert()
    key = content_key("bundle", module.__version__)
    with suppress(ResourceError):
        if (kept := open_cache("vega")) is not None and (found := kept.get_many([key])):
            return found[key].decode()
    made: str = re.sub(r"</(?=script)", r"<\\/", module.javascript_bundle(), flags=re.IGNORECASE)
    with suppress(ResourceError):
        if (kept := open_cache("vega")) is not None:
            kept.put_many({key: made.encode()})
    return made
