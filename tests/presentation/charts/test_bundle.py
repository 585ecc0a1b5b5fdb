"""The JavaScript bundle: small, made once, and enough for a page that may load and evaluate nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from reference.charts import CASES, CHARTS
from reference.pictures import texts
from tertium.commands.report.page.rendering import EMBED_OPTIONS, javascript_bundle
from tertium.presentation.charts.model import DARK, LIGHT, Chart, Theme

POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
DRAW = """
window.done = []; window.failed = [];
for (const script of document.querySelectorAll('script[type="application/json"]')) {
  const place = document.body.appendChild(document.createElement('div'));
  vegaEmbed(place, JSON.parse(script.textContent), {...OPTIONS, config: CONFIG})
    .then(() => done.push([script.id, place.querySelector('svg').outerHTML]), error => failed.push(`${script.id}: ${error}`));
}
"""


def write_page(path: Path, charts: dict[str, Chart], theme: Theme) -> None:
    data = "".join(
        f'<script type="application/json" id="{name}">{chart.to_json()}</script>'
        for name, chart in charts.items()
    )
    options, config = json.dumps(EMBED_OPTIONS), json.dumps(theme.config(background="transparent"))
    draw = DRAW.replace("OPTIONS", options).replace("CONFIG", config)
    path.write_text(
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>charts</title><body>{data}<script>{javascript_bundle()}</script><script>{draw}</script>",
        encoding="utf-8",
    )


def is_same_text(one: str, other: str) -> bool:
    """Compare two texts up to where Vega cut one of them off, which depends on the fonts."""
    length = min((len(text) - 1 for text in (one, other) if text.endswith("…")), default=None)
    return one[:length] == other[:length]


def test_the_bundle_is_about_a_megabyte_and_may_stand_in_a_script() -> None:
    bundle = javascript_bundle()
    assert 500_000 < len(bundle) < 1_500_000
    assert "vegaEmbed" in bundle
    assert "</script" not in bundle.lower()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_page_from_disk_draws_every_chart_and_loads_nothing(
    browser: Any, tmp_path: Path, theme: Theme
) -> None:
    page_file = tmp_path / "page.html"
    charts = {
        f"{kind} {case}".replace(" ", "-"): draw(*CASES[case])
        for kind, draw in CHARTS.items()
        for case in ("few", "nasty")
    }
    write_page(page_file, charts, theme)
    page = browser.new_page()
    said: list[str] = []
    loaded: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(f"a script of the data ran: {dialog.message}"))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(page_file.as_uri())
    page.wait_for_function(f"done.length + failed.length == {len(charts)}", timeout=120_000)
    assert page.evaluate("failed") == []
    assert said == []
    assert loaded == [page_file.as_uri()]
    drawn = dict(page.evaluate("done"))
    for name, chart in charts.items():
        in_browser, on_paper = texts(drawn[name]), texts(chart.svg(theme))
        assert len(in_browser) == len(on_paper), name
        for one, other in zip(in_browser, on_paper, strict=True):
            assert is_same_text(one, other), name
    page.close()
