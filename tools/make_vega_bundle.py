"""Write the JavaScript libraries of the report page into the package, from the installed vl-convert-python.

python tools/make_vega_bundle.py

The page draws its charts with Vega-Lite in the browser. vl-convert-python takes 84 MB and these libraries 0.3 MB, so
they are part of the package, and only pictures (SVG and PNG) need vl-convert-python.
"""

import gzip
import re
from importlib.metadata import version
from pathlib import Path

import vl_convert

TARGET = Path(__file__).parents[1] / "src/tertium/commands/report/page/library/vega.js.gz"


def make_bundle() -> str:
    """Bundle Vega-Embed, Vega-Lite and Vega; `</script` is escaped, so that the text may stand in a page's script."""
    return re.sub(r"</(?=script)", r"<\\/", vl_convert.javascript_bundle(), flags=re.IGNORECASE)  # type: ignore[call-arg]


if __name__ == "__main__":
    TARGET.write_bytes(gzip.compress(make_bundle().encode(), 9, mtime=0))
    print(
        f"wrote {TARGET} ({TARGET.stat().st_size:,} bytes) from vl-convert-python {version('vl-convert-python')}"
    )
