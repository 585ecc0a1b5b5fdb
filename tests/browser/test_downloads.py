"""The files that a reader saves from the report page: tables, segments and charts."""

import csv
import io
from pathlib import Path
from typing import Any

import pytest

import tertium


def save(page: Any, button: str) -> tuple[str, bytes]:
    """Click a button; return the name and the content of the file."""
    with page.expect_download() as download:
        page.click(button)
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def read_csv(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode())))


def read_xlsx(content: bytes) -> list[list[Any]]:
    openpyxl = pytest.importorskip("openpyxl")
    sheet = openpyxl.load_workbook(io.BytesIO(content)).active
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def test_the_table_of_scores_is_saved_as_it_is_sorted_and_in_full_precision(
    report: Path, open_page: Any
) -> None:
    page = open_page(report)
    page.click("#score-table th:nth-child(1) button")  # by name
    name, content = save(page, "[data-table=score][data-save=csv]")
    head, *rows = read_csv(content)
    assert name == "score.csv"
    assert head == ["system", "BLEU", "BLEU ±", "BLEU letters", "TER", "TER ±", "TER letters"]
    assert [row[0] for row in rows] == ["aurora", "boreas", "cirrus", "delta", "ember", "fathom"]
    assert len(rows[0][1]) > len("49.39")
    _, workbook = save(page, "[data-table=score][data-save=xlsx]")
    sheet = read_xlsx(workbook)
    assert sheet[0] == head
    assert [row[1] for row in sheet[1:]] == [float(row[1]) for row in rows]
    assert sheet[1][3] == rows[0][3]


def test_the_table_of_scores_is_saved_as_latex(report: Path, open_page: Any) -> None:
    name, content = save(open_page(report), "[data-table=score][data-save=tex]")
    assert name == "score.tex"
    assert content.decode().startswith("\\begin{table}")
    assert "aurora & " in content.decode()


@pytest.mark.parametrize("table", ["rank", "agreement", "judgments-1", "judgments-2"])
def test_every_table_of_human_judgments_is_saved_in_every_format(
    judged_report: Path, open_page: Any, table: str
) -> None:
    page = open_page(judged_report)
    n_rows = page.locator(f"#{table}-table tbody tr").count()
    buttons = f"[data-table={table}][data-save=%s]"
    assert len(read_csv(save(page, buttons % "csv")[1])) == n_rows + 1
    assert len(read_xlsx(save(page, buttons % "xlsx")[1])) == n_rows + 1
    assert "\\begin{tabular}" in save(page, buttons % "tex")[1].decode()


def test_the_listed_segments_are_saved_with_texts_and_scores(report: Path, open_page: Any) -> None:
    page = open_page(report, "#systems=delta,ember&metric=ter&order=number&text=bridge")
    n_listed = int(page.inner_text("#found").split()[0])
    head, *rows = read_csv(save(page, "[data-table=segments][data-save=csv]")[1])
    assert 0 < n_listed == len(rows)
    assert "document" in head
    assert head[-4:] == ["BLEU delta", "BLEU ember", "TER delta", "TER ember"]
    assert all("bridge" in " ".join(row).lower() for row in rows)
    first = dict(zip(head, rows[0], strict=True))
    references = [first[name] for name in head if name.startswith("reference") and first[name]]
    scored = tertium.score({"delta": [first["delta"]]}, [references], "ter", orientation="segments")
    assert float(first["TER delta"]) == pytest.approx(scored.tables.system_scores("ter")[0], abs=1e-3)
    sheet = read_xlsx(save(page, "[data-table=segments][data-save=xlsx]")[1])
    assert [[str(value or "") for value in row[:3]] for row in sheet] == [row[:3] for row in [head, *rows]]


def test_a_workbook_holds_hostile_texts_as_texts(tmp_path: Path, open_page: Any) -> None:
    texts = ["=1+1", '<a href="&">', "tab\there", "a\x0bb 😀", "]]>"]
    path = tmp_path / "page.html"
    corpus = tertium.Corpus([[text] for text in texts], {"=x": texts, 'y,"z': texts[::-1]})
    tertium.report(tertium.score(corpus, metrics="wer")).write(path)
    page = open_page(path, "#order=number")
    rows = read_csv(save(page, "[data-table=segments][data-save=csv]")[1])
    sheet = read_xlsx(save(page, "[data-table=segments][data-save=xlsx]")[1])
    assert [row[2].replace("\x0b", "\ufffd") for row in rows[1:]] == [row[2] for row in sheet[1:]]
    assert {"=x", 'y,"z'} < set(rows[0])
    assert sheet[1][2] == "=1+1"


@pytest.mark.parametrize(("kind", "begin"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_every_chart_is_saved_as_a_picture(
    judged_report: Path, open_page: Any, kind: str, begin: bytes
) -> None:
    page = open_page(judged_report, charts=True)
    charts = page.eval_on_selector_all("[data-chart]", "all => all.map(each => each.dataset.chart)")
    assert "human" in charts
    for chart in charts:
        name, content = save(page, f"[data-of={chart}][data-save={kind}]")
        assert name == f"{chart}.{kind}"
        assert content.startswith(begin)
