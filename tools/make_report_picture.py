"""Draw docs/images/report.png: the top of the demo's report page in a window of 1,200 by 1,000 pixels."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tertium.commands.report.report import ReportRequest

ROOT = Path(__file__).parents[1]
DATA = ROOT / "examples" / "data"
PICTURE = ROOT / "docs" / "images" / "report.png"
CHROMIUM = "/usr/bin/chromium"
WIDTH, HEIGHT = 1200, 1000


def write_report(path: Path) -> None:
    """Write the report that examples/demo.sh writes."""
    request = ReportRequest(
        inputs=(str(DATA / "systems" / "*.txt"),),
        references=(str(DATA / "references.jsonl"),),
        source=str(DATA / "source.de.txt"),
        metrics=("bleu,chrf,ter,invwer,std,beer",),
        human=(str(DATA / "human.tsv"),),
        normalise_raters=True,
        language="de-en",
    )
    request.run().write(path)


def draw(report: Path, picture: Path) -> None:
    """Open the page as a reader does, and draw what the window shows."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(report.as_uri())
        page.wait_for_selector("html[data-ready=all]")
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        write_report(report)
        draw(report, Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
