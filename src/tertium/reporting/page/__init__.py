"""The report: one self-contained page that opens from disk and needs no network."""

from tertium.reporting.page.contents import HumanJudgments, PageContents
from tertium.reporting.page.many_sets import SetsPageContents, render_sets_page
from tertium.reporting.page.rendering import render_page

__all__ = ["HumanJudgments", "PageContents", "SetsPageContents", "render_page", "render_sets_page"]
