"""Tables of agreement with human judges: marks, notes and records."""

import csv
import io
import json

from tertium.commands.meta.meta_tables import describe_agreement
from tertium.metaeval.agreement import StatisticSpec
from tertium.metaeval.tables import MetaCell, MetaColumn, MetaTable
from tertium.presentation.tables import render_document
from tertium.stats.analysis import MetricAnalysis

TABLE = MetaTable(
    StatisticSpec("system", "pearson"),
    ("chrf", "bleu_a", "x"),
    (
        MetaColumn(
            "de-en", 12, "systems",
            (
                MetaCell(0.995, 0.995, rank=1, letters="a", interval=(0.9, 0.999)),
                MetaCell(-0.5, 0.5, rank=2, outperformed_by=("chrf",), letters="b", interval=(-0.6, -0.4)),
                MetaCell(None, None, "not scored"),
            ),
        ),
    ),
    MetricAnalysis(method="none", intervals=True),
)  # fmt: skip


def render(form: str, *, absolute: bool = False) -> str:
    return render_document(
        describe_agreement([TABLE], signatures={"chrf": "chrf|nrefs:1", "x": ""}, absolute=absolute), form
    )


def test_text_keeps_two_places_free_behind_every_number() -> None:
    assert render("text").splitlines()[:6] == [
        "system level, Pearson's r",
        "metric                      de-en",
        "chrf     0.995*    [0.900, 0.999]",
        "bleu_a  -0.500+† [-0.600, -0.400]",
        "x            –",
        "",
    ]


def test_markdown_shows_ranks_by_type() -> None:
    lines = render("md").splitlines()
    assert lines[:2] == ["### system level, Pearson's r", ""]
    assert lines[4:7] == [
        "| chrf | **0.995** [0.900, 0.999] |",
        "| bleu_a | _-0.500_† [-0.600, -0.400] |",
        "| x | – |",
    ]
    assert lines[9].startswith("- bold best, italic second best, positive: agrees with human judges, [95 %")
    assert lines[-1] == "- chrf: chrf|nrefs:1"


def test_latex_shows_ranks_by_type() -> None:
    lines = render("latex").splitlines()
    assert lines[0] == "% system level, Pearson's r"
    assert r"chrf & \textbf{0.995} [0.900, 0.999] \\" in lines
    assert r"bleu\_a & \underline{$-$0.500}$^\dagger$ [-0.600, -0.400] \\" in lines
    assert r"x & -- \\" in lines
    assert lines[-1] == "% chrf: chrf|nrefs:1"


def test_absolute_values_are_for_people_only() -> None:
    assert "-0.5" not in render("md", absolute=True).replace("[-0.6", "")
    assert "0.500+†" in render("text", absolute=True)
    (row,) = [row for row in csv.DictReader(io.StringIO(render("csv", absolute=True))) if row["rank"] == "2"]
    assert float(row["value"]) == -0.5
    assert row["outperformed_by"] == "chrf"


def test_json_has_both_values() -> None:
    (table,) = json.loads(render("json"))["tables"]
    cell = table["columns"][0]["cells"]["bleu_a"]
    assert (cell["value"], cell["absolute"], cell["interval"]) == (-0.5, 0.5, [-0.6, -0.4])
