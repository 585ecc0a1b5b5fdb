"""How Sphinx makes the site from the Markdown in this folder: `make site`."""

from tertium import __version__

project = "Tertium"
author = "The Tertium authors"
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
html_static_path: list[str] = []
html_copy_source = False
html_show_sphinx = False
