"""The report shows how often human judges agree with the difference between the two best systems."""

from pathlib import Path

import pytest

import tertium

DATA = Path(__file__).parents[2] / "examples" / "data"


@pytest.mark.slow
def test_the_page_says_how_often_human_judges_agree_with_the_difference(tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="the page needs tertium[report]")
    pytest.importorskip("vl_convert", reason="the page needs tertium[report]")
    texts = {
        name: (DATA / "systems" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("aurora", "boreas")
    }
    reference = (DATA / "reference.en.txt").read_text(encoding="utf-8").splitlines()
    page = tmp_path / "page.html"
    tertium.report(tertium.score(texts, reference, "bleu")).write(page)
    assert "human judges are expected to agree in " in page.read_text(encoding="utf-8")
