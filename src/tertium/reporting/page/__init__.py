"""The report: one self-contained page that opens from disk and needs no network."""

from tertium.reporting.page.contents import HumanJudgments, PageContents
from tertium.reporting.page.rendering import render_page

__all__ = ["HumanJudgments", "PageContents", "render_page"]
