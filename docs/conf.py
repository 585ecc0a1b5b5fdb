"""How Sphinx makes the site from the Markdown in this folder: `make site`."""

from typing import TYPE_CHECKING

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

from tertium import __version__

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

project = "Tertium"
author = "The Tertium authors"
copyright = f"{author}, licence Apache-2.0"  # noqa: A001
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
templates_path: list[str] = []
exclude_patterns = ["_build"]
# Links to files of the repository outside this folder work on its pages, not on the site.
suppress_warnings = ["myst.xref_missing"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = True
napoleon_google_docstring = False
html_theme = "furo"
html_title = f"Tertium {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sphinx = False


def setup(app: "Sphinx") -> None:
    """Render formulas as MathML, which browsers show without a script from elsewhere."""
    app.add_html_math_renderer("mathml", (_write_inline, None), (_write_block, None))


def _write_inline(translator: "HTML5Translator", node: "Element") -> None:
    translator.body.append(convert(node.astext()))
    raise SkipNode


def _write_block(translator: "HTML5Translator", node: "Element") -> None:
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise SkipNode
