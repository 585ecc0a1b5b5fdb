"""The report: one self-contained page that opens from disk and needs no network."""

from tertium.commands.report.page.contents import HumanJudgments, PageContents
from tertium.commands.report.page.many_sets import SetsPageContents, render_sets_page
from tertium.commands.report.page.rendering import render_page

__all__ = ["HumanJudgments", "PageContents", "SetsPageContents", "render_page", "render_sets_page"]
