"""The row model: a field that is declared once appears in every format, and formats make only the parts they show."""

import io
import json
from pathlib import Path

import pytest

import tertium
from tertium.commands.base.scoring import ScoreResult
from tertium.presentation import score_tables as scores
from tertium.presentation.score_table import ScoreCell
from tertium.presentation.tables import (
    FORMATS,
    print_document,
    render_document,
)
from tertium.presentation.tables.data_formats import document_to_arrow, document_to_pandas
from tertium.presentation.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
    select_fields,
)
from tertium.presentation.tables.model import Document, Records

SYSTEMS = {"one": ["the cat sat on a mat", "it"], "two": ["cat", "x"]}
REFERENCES = ["the cat sat on the mat", "it rained"]
LENGTH: Field[ScoreCell] = Field(
    "name_length", int, lambda cell: 7000 + len(cell.system + cell.metric), form="n{}", detail="lengths"
)


@pytest.fixture
def result(monkeypatch: pytest.MonkeyPatch) -> ScoreResult:
    """Scores whose list of fields has one more field."""
    monkeypatch.setattr(scores, "SCORE_FIELDS", [*scores.SCORE_FIELDS, LENGTH])
    return tertium.score(SYSTEMS, REFERENCES, "wer,bleu")


@pytest.mark.parametrize("form", ["text", "md", "latex", "html"])
def test_a_field_declared_once_is_in_every_table(result: ScoreResult, form: str) -> None:
    page = result.render(form)
    assert (page.count("n7006"), page.count("n7007")) == (2, 2)  # wer and bleu, for each of two systems


def test_a_field_declared_once_is_on_the_terminal(result: ScoreResult) -> None:
    file = io.StringIO()
    print_document(result.document(), file=file, width=100)
    assert (file.getvalue().count("n7006"), file.getvalue().count("n7007")) == (2, 2)
    narrow = io.StringIO()
    print_document(result.document(), file=narrow, width=15)
    assert "lengths" in narrow.getvalue()  # the note on what was left out


@pytest.mark.parametrize(("form", "separator"), [("csv", ","), ("tsv", "\t")])
def test_a_field_declared_once_is_in_records(result: ScoreResult, form: str, separator: str) -> None:
    header, *rows = (line.split(separator) for line in result.render(form).splitlines())
    assert header[-1] == "name_length"
    assert [row[-1] for row in rows] == ["7006", "7007"] * 2


def test_a_field_declared_once_is_in_json(result: ScoreResult) -> None:
    first = json.loads(result.render("json"))["systems"][0]["scores"]
    assert (first["wer"]["name_length"], first["bleu"]["name_length"]) == (7006, 7007)
    assert result.to_dict()["systems"][0]["scores"]["wer"]["name_length"] == 7006


def test_a_field_declared_once_is_in_data_frames(result: ScoreResult) -> None:
    pytest.importorskip("pandas")
    assert document_to_pandas(result.document())["name_length"].tolist() == [7006, 7007] * 2


def test_a_field_declared_once_is_in_arrow_tables(result: ScoreResult) -> None:
    pytest.importorskip("pyarrow")
    assert document_to_arrow(result.document())["name_length"].to_pylist() == [7006, 7007] * 2


def test_a_field_declared_once_is_in_the_scores_of_subsets(result: ScoreResult) -> None:
    subsets = result.by("length")
    assert "n7006" in subsets.render("text")
    assert subsets.render("csv").splitlines()[0].endswith(",name_length")
    assert {row["name_length"] for row in subsets.to_dict()["scores"]} == {7006, 7007}


def test_a_field_declared_once_is_on_the_page(result: ScoreResult, tmp_path: Path) -> None:
    tertium.report(result).write(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count('<span class="detail lengths">n7006</span>') == 2
    assert page.count('<span class="detail lengths">n7007</span>') == 2


NEEDED = {"json": "data", "csv": "records", "safe-csv": "records", "tsv": "records"}


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_makes_only_the_part_that_it_shows(form: str) -> None:
    made: list[str] = []

    def note(part: str, value: object) -> object:
        made.append(part)
        return value

    document = Document(
        "lazy",
        lambda: note("tables", []),  # type: ignore[arg-type, return-value]
        lambda: note("records", Records({}, [])),  # type: ignore[arg-type, return-value]
        lambda: note("data", {}),
    )
    render_document(document, form)
    render_document(document, form)
    assert made == [NEEDED.get(form, "tables")]


ROWS: list[dict[str, object]] = [{"a": 1.25, "b": None}, {"a": -0.5, "b": "x"}]
FIELDS: list[Field[dict[str, object]]] = [
    Field("a", float, lambda row: row["a"], form="{:+.1f}"),
    Field("key", get=lambda row: "k", heading="the key", outputs=TABLE, is_key=True),
    Field("b", get=lambda row: row["b"], missing="–", is_optional=True),
    Field("extra", int, lambda row: 3, outputs=RECORDS | JSON, request="more"),
]


def test_key_columns_come_first_and_missing_values_have_their_text() -> None:
    table = make_table(FIELDS, ROWS)
    assert [column.heading for column in table.columns] == ["the key", "a", "b"]
    assert [[cell.text for cell in row] for row in table.rows] == [["k", "+1.2", "–"], ["k", "-0.5", "x"]]


def test_columns_on_request_are_selected() -> None:
    assert list(make_records(select_fields(FIELDS, ()), ROWS).columns) == ["a", "b"]
    records = make_records(select_fields(FIELDS, {"more"}), ROWS)
    assert records.columns == {"a": float, "b": str, "extra": int}
    assert list(records.rows) == [[1.25, None, 3], [-0.5, "x", 3]]


def test_optional_fields_are_omitted_from_json_objects() -> None:
    assert [make_object(FIELDS, row) for row in ROWS] == [
        {"a": 1.25, "extra": 3},
        {"a": -0.5, "b": "x", "extra": 3},
    ]
