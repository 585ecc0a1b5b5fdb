"""A real browser without a network, and pages that it opens from disk."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import tertium
from browser.chromium import HOW_TO_GET_IT
from tertium.commands.report.report import ReportRequest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the example data: six systems, 200 segments with documents."""
    pytest.importorskip("playwright.sync_api", reason=HOW_TO_GET_IT)
    pytest.importorskip("vl_convert")
    pytest.importorskip("jinja2")
    data = Path(__file__).parents[2] / "examples" / "data"
    corpus = tertium.read_corpus(
        [str(data / "references.jsonl")],
        [(path.stem, str(path)) for path in sorted((data / "systems").glob("*.txt"))],
        str(data / "source.de.txt"),
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
    tertium.report(tertium.score(corpus, metrics="bleu,ter", language="de-en")).write(path)
    return path


@pytest.fixture(scope="session")
def judged_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same systems with what people said of them, under metrics that have pictures."""
    for module in ("playwright.sync_api", "vl_convert", "jinja2"):
        pytest.importorskip(module, reason=HOW_TO_GET_IT)
    data = Path(__file__).parents[2] / "examples" / "data"
    path = tmp_path_factory.mktemp("page") / "judged.html"
    request = ReportRequest(
        inputs=(str(data / "systems" / "*.txt"),),
        references=(str(data / "reference.en.txt"),),
        metrics=("ter,std,hwcm",),
        human=(str(data / "human.tsv"),),
    )
    request.run().write(path)
    return path


@pytest.fixture
def open_page(browser: "Browser") -> Iterator[Open]:
    """Open a page with a fragment; whatever it complains about fails the test in the end."""
    complaints: list[str] = []
    contexts = []

    def open_it(path: Path, fragment: str = "", *, charts: bool = False, **options: object) -> "Page":
        context = browser.new_context(offline=True, **options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda asked: _note_request(asked.url, complaints))
        page.goto(path.as_uri() + fragment)
        page.wait_for_selector("html[data-ready=all]" if charts else "html[data-ready]")
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert complaints == []


def _note_request(url: str, complaints: list[str]) -> None:
    if not url.startswith(("file:", "data:", "blob:")):
        complaints.append(f"asked for {url}")
