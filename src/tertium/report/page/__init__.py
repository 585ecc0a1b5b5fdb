"""The report: one self-contained page that opens from disk and needs no network."""

from tertium.report.page.contents import HumanJudgments, PageContents
from tertium.report.page.rendering import check_page_extra, render_page

__all__ = ["HumanJudgments", "PageContents", "check_page_extra", "render_page"]
