"""Tables on terminals of several widths: no name and no cell is cut or left out."""

import io
import re

import numpy as np
import pytest

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.evaluation.comparison import compare
from tertium.presentation.score_table import make_score_table
from tertium.presentation.score_tables import describe_scores
from tertium.presentation.tables import print_document
from tertium.presentation.tables.model import (
    Cell,
    Column,
    Detail,
    Document,
    Mark,
    Note,
    Records,
    Span,
    Table,
    Tone,
)
from tertium.presentation.tables.terminal import fit_table
from tertium.stats.analysis import Analysis
from tertium.values import Corpus

METRICS = "bleu,chrf,ter,wer:lowercase=yes,tokenizer=intl,per,bleu:smooth_method=floor,smooth_value=0.2"
N_METRICS = 6
SYSTEMS = [
    f"newstest2014.onlinesystem-{chr(ord('A') + i)}.{'transformer-big-' * (i % 3)}{i * 811:04d}.de-en"
    for i in range(14)
]


@pytest.fixture(scope="module")
def scores() -> Document:
    """Fourteen systems with long names under six metrics, with intervals, p-values and letters."""
    rng = np.random.default_rng(1)
    words = ["the", "cat", "sat", "on", "a", "mat", "it", "rained", "all", "day", "in", "Paris"]
    references = [[" ".join(rng.choice(words, 12))] for _ in range(60)]
    systems = {
        name: [" ".join(rng.permutation(line[0].split())[: 12 - i % 5]) for line in references]
        for i, name in enumerate(SYSTEMS)
    }
    evaluation = evaluate(Corpus(references, systems), parse_metrics([METRICS]))
    comparison = compare(evaluation, Analysis.of(n_samples=200, baseline=SYSTEMS[0]))
    return describe_scores(make_score_table(evaluation, comparison, shows_intervals=True, scale=100))


def show(document: Document, width: int, *, signatures: bool = False) -> str:
    file = io.StringIO()
    print_document(document, file=file, width=width, signatures=signatures)
    return file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 160])
def test_fourteen_systems_and_six_metrics_are_readable(scores: Document, width: int) -> None:
    lines = show(scores, width).splitlines()
    assert max(map(len, lines)) <= width
    (table,) = scores.tables
    body = [line for line in lines if line.split("  ")[0].strip() in SYSTEMS]
    shown = [text for line in body for text in re.findall(r"(?<= )(\*?\d+\.\d\d)(?= |$)", line)]
    assert len(shown) == 14 * N_METRICS
    written = [cell.text for row in table.rows for cell in row[1:]]
    assert sorted(text.removeprefix("*") for text in shown) == sorted(written)
    for column in table.columns[1:]:
        assert sum(column.heading in line for line in lines) >= 1


def test_a_wide_terminal_shows_one_block_with_everything(scores: Document) -> None:
    lines = show(scores, 400).splitlines()
    assert [line.split("  ")[0] for line in lines[2:16]] == SYSTEMS
    assert re.search(r"±\d+\.\d\d p[=<]\d\.\d{4} [a-z]+", lines[4])


def make_table(n_rows: int = 3, n_columns: int = 2, name: str = "system") -> Table:
    details = [
        Detail("intervals", "±1.00"),
        Detail("p-values", "p=0.0100"),
        Detail("letters", "a b"),
    ]
    columns = [
        Column("system", "system", is_key=True),
        *(Column(f"m{j}", f"metric {j}", is_number=True) for j in range(n_columns)),
    ]
    rows = [
        [Cell(f"{name} {i}"), *(Cell(f"{10 * i + j}.00", details=details) for j in range(n_columns))]
        for i in range(n_rows)
    ]
    return Table(columns, rows)


def test_few_systems_and_many_metrics_are_turned_round() -> None:
    (block,) = fit_table(make_table(2, 12), 80).blocks
    assert block.headings == ["", "system 0", "system 1"]
    assert len(block.rows) == 12


def test_many_systems_and_few_metrics_stand_in_blocks() -> None:
    layout = fit_table(make_table(20, 4), 80)
    assert [block.headings[0] for block in layout.blocks] == ["system", "system"]
    assert [len(block.headings) for block in layout.blocks] == [3, 3]
    assert layout.left_out == []


@pytest.mark.parametrize(
    ("width", "left_out", "cell"),
    [
        (33, [], "0.00 ±1.00 p=0.0100 a b"),
        (32, ["intervals"], "0.00 p=0.0100 a b"),
        (27, ["intervals"], "0.00 p=0.0100 a b"),
        (26, ["intervals", "p-values"], "0.00 a b"),
        (18, ["intervals", "p-values"], "0.00 a b"),
        (17, ["intervals", "p-values", "letters"], "0.00"),
        (14, ["intervals", "p-values", "letters"], "0.00"),
    ],
)
def test_details_are_left_out_one_kind_after_the_other(width: int, left_out: list[str], cell: str) -> None:
    layout = fit_table(make_table(1, 1), width)
    assert list(layout.left_out) == left_out
    assert layout.blocks[0].rows[0][1].text == cell


def test_a_long_heading_becomes_the_title_of_its_block() -> None:
    table = Table(
        [
            Column("a", "a", is_key=True),
            *(Column(text, text, is_number=True) for text in ("b" * 30, "c" * 30)),
        ],
        [[Cell("system"), Cell("1.00"), Cell("2.00")], [Cell("other system"), Cell("3.00"), Cell("4.00")]],
    )
    page = show(Document("titles", lambda: [table], lambda: Records({}, []), lambda: None), 35)
    assert page == (
        f"{'b' * 30}\nsystem        1.00\nother system  3.00\n\n"
        f"{'c' * 30}\nsystem        2.00\nother system  4.00\n"
    )


def test_a_name_wider_than_the_terminal_gets_a_card_with_everything() -> None:
    name = "name" * 30
    page = show(
        Document("scores", lambda: [make_table(2, 2, name)], lambda: Records({}, []), lambda: None), 40
    )
    assert page.splitlines()[:3] == [
        f"{name} 0",
        "metric 0  0.00 ±1.00 p=0.0100 a b",
        "metric 1  1.00 ±1.00 p=0.0100 a b",
    ]
    assert f"{name} 1\n" in page


def test_what_was_left_out_is_said() -> None:
    page = show(Document("scores", lambda: [make_table(1, 1)], lambda: Records({}, []), lambda: None), 25)
    assert page.endswith("\nnot shown in this width:\n  intervals, p-values\n")


def test_signatures_are_shown_on_request_and_break_only_after_bars(scores: Document) -> None:
    assert "nrefs" not in show(scores, 80)
    assert show(scores, 80).count("details= shows") == 1
    page = show(scores, 80, signatures=True)
    assert "details=" not in page
    assert max(map(len, page.splitlines())) <= 80
    whole = page.replace("|\n  ", "|")
    for column in (note for table in scores.tables for note in table.notes if note.is_signature):
        assert f"{column.text}\n" in whole


def test_a_long_word_in_a_note_is_not_broken() -> None:
    table = Table([Column("a", "a")], [], notes=[Note(f"see {'x' * 50} there")])
    assert "x" * 50 in show(Document("notes", lambda: [table], lambda: Records({}, []), lambda: None), 30)


def test_the_best_is_bold_and_its_equals_green(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    cells = [Cell("1.0", marks=[Mark.BEST, Mark.LEADING]), Cell("2.0", marks=[Mark.LEADING]), Cell("3.0")]
    table = Table([Column("a", "a", is_number=True)], [[cell] for cell in cells])
    page = show(Document("colours", lambda: [table], lambda: Records({}, []), lambda: None), 80)
    assert "\x1b[1;32m*1.0\x1b[0m\n\x1b[32m 2.0\x1b[0m\n 3.0\n" in page


def test_prose_is_coloured_by_its_tone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    prose = [[Span("error", Tone.ERROR), Span(" [bold]x[/bold] :smile:")]]
    page = show(Document("prose", list, lambda: Records({}, []), lambda: None, make_prose=lambda: prose), 10)
    assert page == "\x1b[1;31merror\x1b[0m [bold]x[/bold] :smile:\n"
