"""Whatever names and texts hold, a table keeps its shape in every format, and nothing in them is obeyed."""

import csv
import io
import json
import re
import unicodedata
from html.parser import HTMLParser
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tertium.presentation.tables import FORMATS, print_document, render_document
from tertium.presentation.tables.model import (
    Cell,
    Column,
    Detail,
    Document,
    Mark,
    MarkPlace,
    Note,
    Records,
    Span,
    Table,
    clean_field,
    clean_line,
)

NASTY = [
    "", " ", "\t", "\n", "\r\n", "a\rb", "a\x0bb\x0cc", "\x85", "\u2028", "|", "\\", "\\|", "\\\\|", "a\\", "`a", "``|",
    "_a_", "*a*", "**", "~~a~~", "[a](b)", "![a](b)", "[a][b]", "<b>", "<script>alert(1)</script>", "&lt;", "&amp", "</td>", "-->",
    "\x1b[31m", "\x1b]0;title\x07", "\x9b31m", "\x00", "\x7f", "\u202eabc", "\u2066", "\ud800", "\udcff", "=1+1", "+1", "-1", "@a",
    "\t=1", '"', '""', ",", "'", "a&b", "50 %", "$x$", "^^M", "\\input{x}", "\n\\input{x}", "{", "}", "#", "~", "[1ex]", "*",
    "---", "- a", "# a", "1. a", "    a", "> a", "中文", "e\u0301", "👩\u200d👩", "ﷺ", "nan", "inf",
]  # fmt: skip
texts = st.one_of(
    st.sampled_from(NASTY),
    st.lists(st.sampled_from(NASTY), min_size=2, max_size=4).map("".join),
    st.text(st.characters(exclude_categories=[]), max_size=8),
)
# What a reader of a page or a terminal must never get from a text: all controls but the line's end.
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


QUICK = settings(max_examples=50)  # there are many formats


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a few texts and put them wherever a document holds one."""
    some = cycle(draw(st.lists(texts, min_size=1, max_size=7)))
    marks = cycle(draw(st.lists(st.sets(st.sampled_from(Mark)), min_size=1, max_size=3)))
    n_columns, n_rows = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    columns = [Column(f"c{i}", next(some), is_number=i > 0, is_key=i == 0) for i in range(n_columns)]
    rows = [[make_cell(next(some), next(some), next(marks)) for _ in columns] for _ in range(n_rows)]
    notes = [Note(next(some), (Mark.BEST,), next(some)), Note(next(some), is_signature=True)]
    table = Table(columns, rows, "title " + next(some), notes, draw(st.sampled_from(MarkPlace)))
    names = [f"{i}{next(some)}" for i in range(n_columns)]
    records = Records(dict.fromkeys(names, str), [[cell.value for cell in row] for row in rows])
    data = {name: [cell.value for cell in row] for name, row in zip(names, rows, strict=False)}
    return Document("document", lambda: [table], lambda: records, lambda: data, [Note(next(some))])


def make_cell(text: str, detail: str, marks: set[Mark]) -> Cell:
    return Cell(text, text, marks, [Detail("p-values", detail)] * (len(detail) % 2))


def shape(document: Document) -> tuple[int, int]:
    table = document.tables[0]
    return len(list(table.rows)), len(table.columns)


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMATS)
@QUICK
@given(document=documents())
def test_every_format_is_utf_8_without_controls(form: str, document: Document) -> None:
    page = render_document(document, form)
    page.encode()
    allowed = "\t" if form in ("csv", "safe-csv", "tsv") else ""
    allowed += "\r\u2028\u2029" if form in ("csv", "safe-csv") else ""  # quoted there
    assert set(FORBIDDEN.findall(page)) <= set(allowed)


@QUICK
@given(documents())
def test_csv_is_read_back_as_it_was(document: Document) -> None:
    read = list(csv.reader(io.StringIO(render_document(document, "csv"), newline="")))
    written = [list(document.records.columns), *document.records.rows]
    assert read == [[clean_field(str(value)) for value in row] for row in written]


@QUICK
@given(documents())
def test_tsv_is_read_back_line_by_line(document: Document) -> None:
    read = [line.split("\t") for line in render_document(document, "tsv").split("\n")[:-1]]
    written = [list(document.records.columns), *document.records.rows]
    assert read == [[clean_line(str(value)) for value in row] for row in written]


@QUICK
@given(documents())
def test_a_spreadsheet_finds_no_formula(document: Document) -> None:
    read = csv.reader(io.StringIO(render_document(document, "safe-csv"), newline=""))
    assert not any(field.startswith(tuple("=+-@\t\r")) for row in read for field in row)


@QUICK
@given(documents())
def test_json_is_read_back_as_it_was(document: Document) -> None:
    assert json.loads(render_document(document, "json")) == document.data


@QUICK
@given(documents())
def test_text_has_a_line_for_every_row_and_note(document: Document) -> None:
    n_rows, _ = shape(document)
    assert render_document(document, "text").count("\n") == 1 + 1 + n_rows + 1 + 2 + 1 + 1
    assert len(render_document(document, "text").splitlines()) == 1 + 1 + n_rows + 1 + 2 + 1 + 1


@QUICK
@given(documents())
def test_markdown_is_one_table_of_plain_texts(document: Document) -> None:
    tokens = (
        MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(render_document(document, "md"))
    )
    n_rows, n_columns = shape(document)
    kinds = [token.type for token in tokens]
    assert kinds.count("table_open") == 1
    assert kinds.count("tr_open") == 1 + n_rows
    assert kinds.count("th_open") + kinds.count("td_open") == (1 + n_rows) * n_columns
    inline = {child.type for token in tokens for child in token.children or []}
    assert inline <= {"text", "strong_open", "strong_close", "em_open", "em_close"}
    assert {token.type for token in tokens if token.type.startswith(("html", "heading_o"))} == {
        "heading_open"
    }


@QUICK
@given(documents())
def test_markdown_shows_the_names_as_they_are(document: Document) -> None:
    tokens = (
        MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(render_document(document, "md"))
    )
    starts = [i for i, token in enumerate(tokens) if token.type == "tr_open"][1:]
    shown = ["".join(child.content for child in tokens[i + 2].children or []) for i in starts]
    names = [clean_line(row[0].text) for row in document.tables[0].rows]
    assert [blank_free(name) for name in shown] == [blank_free(name) for name in names]


def blank_free(text: str) -> str:
    return "".join(text.split())


@pytest.mark.slow
@QUICK
@given(documents())
def test_latex_has_a_line_for_every_row_and_note(document: Document) -> None:
    page = render_document(document, "latex")
    lines = page.splitlines()
    n_rows, n_columns = shape(document)
    start = lines.index(r"\midrule")
    assert lines[start + n_rows + 1 : start + n_rows + 3] == [r"\bottomrule", r"\end{tabular}"]
    for row in [lines[start - 1], *lines[start + 1 : start + n_rows + 1]]:
        assert row.endswith(r" \\")
        bare = re.sub(r"\\[\\&%$#_{}]", "", row)
        assert bare.count("&") == n_columns - 1
        assert bare.count("{") == bare.count("}")
        assert not re.search(r"[%#~^]", bare.replace(r"$^\dagger$", ""))
        assert not row.startswith(("[", "*"))
    assert all(line.startswith("% ") for line in lines[: start - 3])


class Reader(HTMLParser):
    """Collects tags and the text of cells."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert {name for name, _ in attrs} <= {"class", "scope", "style", "data-value"}
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


KNOWN_TAGS = {
    "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "strong", "em", "sup", "small", "ul", "li", "code",
}  # fmt: skip


@QUICK
@given(documents())
def test_html_has_our_tags_only_and_every_name(document: Document) -> None:
    reader = Reader()
    reader.feed(render_document(document, "html"))
    reader.close()
    n_rows, n_columns = shape(document)
    assert set(reader.tags) <= KNOWN_TAGS
    assert reader.tags.count("tr") == 1 + n_rows
    assert len(reader.cells) == (1 + n_rows) * n_columns
    names = [clean_line(row[0].text) for row in document.tables[0].rows]
    assert [text.split("\n")[0] for text in reader.cells[n_columns::n_columns]] == names


@pytest.mark.parametrize("width", [10, 80])
@QUICK
@given(document=documents())
def test_a_terminal_gets_every_name_and_no_control(width: int, document: Document) -> None:
    file = io.StringIO()
    print_document(document, file=file, width=width)
    page = file.getvalue()
    assert not FORBIDDEN.search(page)
    for row in document.tables[0].rows:
        assert clean_line(row[0].text).strip() in page


@given(st.lists(texts, min_size=1, max_size=4))
def test_prose_keeps_its_lines(lines: list[str]) -> None:
    document = Document(
        "prose",
        list,
        lambda: Records({}, []),
        lambda: None,
        make_prose=lambda: [[Span(line)] for line in lines],
    )
    file = io.StringIO()
    print_document(document, file=file, width=80)
    for page in (render_document(document, "text"), file.getvalue()):
        assert page.count("\n") == len(page.splitlines()) == len(lines)
        assert not FORBIDDEN.search(page)


@given(texts)
def test_a_clean_line_has_no_category_that_is_obeyed(text: str) -> None:
    assert not {unicodedata.category(character) for character in clean_line(text)} & {"Cc", "Cs", "Zl", "Zp"}
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in clean_line(text)
