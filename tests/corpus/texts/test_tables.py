"""TSV and JSONL: columns by name, and invalid rows."""

import gzip
from collections.abc import Callable

import pytest

from tertium.corpus import read_corpus, read_table
from tertium.errors import InputError

Write = Callable[[str, str | bytes], str]


def test_tsv_columns_are_found_by_name(write: Write) -> None:
    path = write("a.tsv", 'id\tref\thyp\n1\ta "b\t\\t\n2\t\t c \n')
    assert read_table(path, ["hyp", "ref"]) == {"hyp": ["\\t", " c "], "ref": ['a "b', ""]}


def test_a_tsv_of_one_column_may_have_blank_rows(write: Write) -> None:
    assert read_table(write("a.tsv", "ref\na\n\nb\n"), ["ref"]) == {"ref": ["a", "", "b"]}


def test_a_table_may_be_compressed(write: Write) -> None:
    path = write("a.tsv.gz", gzip.compress("\ufeffref\r\nä\r\n".encode()))
    assert read_table(path, ["ref"]) == {"ref": ["ä"]}


@pytest.mark.parametrize(
    "content, message",
    [
        pytest.param("", "a.tsv is empty; a TSV file starts with a row of column names", id="empty"),
        pytest.param("id\tref\n1\ta\n2\n", "a.tsv: line 3 has 1 fields but the header has 2", id="narrow"),
        pytest.param("ref\na\tb\n", "a.tsv: line 2 has 2 fields but the header has 1", id="wide"),
        pytest.param("ref\thyp\n\n", "a.tsv: line 2 has 1 fields", id="blank line"),
        pytest.param("ref\tref\na\tb\n", "a.tsv: line 1 has 2 columns named 'ref'", id="repeated name"),
        pytest.param("hyp\tid\na\t1\n", "a.tsv has no column 'ref'; it has: hyp, id", id="no such column"),
        pytest.param(b"ref\n\xff\n", "a.tsv: line 2 is not UTF-8", id="not UTF-8"),
    ],
)
def test_a_bad_tsv_is_refused_with_its_line(write: Write, content: str | bytes, message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        read_table(write("a.tsv", content), ["ref"])


def test_jsonl_cells_are_strings_lists_or_null(write: Write) -> None:
    path = write("a.jsonl", '{"ref": "a"}\n{"ref": ["b", null, "c"]}\n{"ref": null}\n{"ref": []}\n')
    assert read_table(path, ["ref"]) == {"ref": ["a", ("b", "c"), None, ()]}


def test_a_dotted_path_goes_into_objects(write: Write) -> None:
    path = write("a.jsonl", '{"meta": {"ref": {"de": "a"}}}\n{"meta": {"ref": null}}\n')
    assert read_table(path, ["meta.ref.de"]) == {"meta.ref.de": ["a", None]}


def test_a_key_with_a_dot_goes_before_the_path(write: Write) -> None:
    path = write("a.jsonl", '{"meta.ref": "flat", "meta": {"ref": "deep"}}\n')
    assert read_table(path, ["meta.ref"]) == {"meta.ref": ["flat"]}


def test_json_may_hold_any_text(write: Write) -> None:
    path = write("a.jsonl", '{"ref": "\\ud83d\\ude00\\n\u2028"}\r\n')
    assert read_table(path, ["ref"]) == {"ref": ["😀\n\u2028"]}


@pytest.mark.parametrize(
    "second_line, message",
    [
        pytest.param('{"ref": NaN}', "line 2 is not a JSON object: NaN is not valid JSON", id="NaN"),
        pytest.param(
            '{"ref": "a", "x": [-Infinity]}',
            "line 2 is not a JSON object: -Infinity is not valid JSON",
            id="infinity",
        ),
        pytest.param("", "line 2 is not a JSON object: it is blank", id="blank line"),
        pytest.param('{"ref": "a"', "line 2 is not a JSON object: Expecting .* at column 12$", id="cut off"),
        pytest.param('{"ref": "a"} {}', "line 2 is not a JSON object: Extra data", id="two objects"),
        pytest.param('["a"]', "line 2 is JSON but not an object", id="list"),
        pytest.param(
            '{"ref": "a", "ref": "b"}', "line 2 is not a JSON object: a key occurs twice", id="repeated key"
        ),
        pytest.param("[" * 100_000, "line 2 is nested too deeply", id="deep nesting"),
        pytest.param(
            '{"x": ' + "9" * 5000 + "}",
            "line 2 is not a JSON object: a number has more than 4300 digits$",
            id="huge number",
        ),
        pytest.param('{"hyp": "a"}', "line 2 has no column 'ref'; it has: hyp", id="missing key"),
    ],
)
def test_a_bad_json_line_is_refused(write: Write, second_line: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"^a\.jsonl: {message}"):
        read_table(write("a.jsonl", '{"ref": "a"}\n' + second_line + "\n"), ["ref"])


@pytest.mark.parametrize(
    "value, message",
    [
        pytest.param("3", "holds a number, not a string", id="integer"),
        pytest.param("0.5", "holds a number, not a string", id="float"),
        pytest.param("true", "holds true, not a string", id="boolean"),
        pytest.param('{"a": "b"}', "holds an object, not a string", id="object"),
        pytest.param('["a", 1]', "holds a list with a number in it", id="list with a number"),
        pytest.param('[["a"]]', "holds a list with a list in it", id="list in a list"),
        pytest.param('"\\ud800"', "holds half of a surrogate pair", id="surrogate"),
        pytest.param('["a", "\\udc00b"]', "holds half of a surrogate pair", id="surrogate in a list"),
    ],
)
def test_a_cell_of_the_wrong_type_is_refused(write: Write, value: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"^a\.jsonl#ref: line 2 {message}"):
        read_table(write("a.jsonl", '{"ref": "a"}\n{"ref": ' + value + "}\n"), ["ref"])


def test_an_empty_jsonl_file_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match=r"^a\.jsonl has no lines: there is nothing to score"):
        read_table(write("a.jsonl", ""), ["ref"])


def test_plain_text_is_no_table(write: Write) -> None:
    with pytest.raises(
        InputError, match=r"^a\.txt is not a table; tables have the suffix \.tsv, \.csv, \.jsonl"
    ):
        read_table(write("a.txt", "ref\na\n"), ["ref"])


@pytest.mark.parametrize("hypothesis", ["hypothesis", "hyp", "mt", "translation"])
@pytest.mark.parametrize("reference", ["references", "reference", "refs", "ref"])
@pytest.mark.parametrize("source", ["source", "src"])
def test_common_column_names_are_found(write: Write, hypothesis: str, reference: str, source: str) -> None:
    path = write("sys.tsv", f"{source}\t{hypothesis}\t{reference}\ns\th\tr\n")
    corpus = read_corpus([path], [(None, path)], path)
    assert (corpus.sources, corpus.systems, corpus.references) == (["s"], {"sys": ["h"]}, [("r",)])


def test_names_are_tried_in_a_fixed_order(write: Write) -> None:
    path = write("a.tsv", "mt\tref\thyp\treference\n1\t2\t3\t4\n")
    corpus = read_corpus([path], [(None, path)])
    assert (corpus.systems, corpus.references) == ({"a": ["3"]}, [("4",)])


@pytest.mark.parametrize("name, content", [("a.tsv", "x\ty\n1\t2\n"), ("a.jsonl", '{"x": "1", "y": "2"}\n')])
def test_unknown_columns_are_listed(write: Write, name: str, content: str) -> None:
    path = write(name, content)
    with pytest.raises(
        InputError,
        match=rf"^{name} has no column references or .*; it has: x, y\. Choose one with {name}#COLUMN",
    ):
        read_corpus([path], [("s", f"{path}#x")])


@pytest.mark.parametrize(
    "value, found", [("null", "null, not a string"), ('["a"]', "a list, not one string")]
)
def test_a_hypothesis_is_one_string(write: Write, value: str, found: str) -> None:
    path = write("a.jsonl", '{"ref": "a", "hyp": "a"}\n{"ref": "a", "hyp": ' + value + "}\n")
    with pytest.raises(InputError, match=rf"^a\.jsonl#hyp: line 2 holds {found}"):
        read_corpus([path], [(None, path)])
