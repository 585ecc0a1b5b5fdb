"""The parser in the package: spaCy's trees for some sentences, valid trees for any text, damaged files rejected."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import ResourceError
from tertium.interfaces import Trees
from tertium.resources.trees import CoreTrees, core_parser, load_core_parser, load_parser
from tertium.resources.trees.core_parser import FILE, MAGIC, read_parser_file, write_parser_file
from tertium.text import Texts
from tertium.values import TokenColumn

# Sentences with the heads that en_core_web_sm 3.8.0 predicts.
TAUGHT = [
    ("The old clock in the hall struck twelve, but nobody heard it.", "2 2 6 2 5 3 -1 6 6 6 11 6 11 11"),
    ("She gave her brother the keys before the train left the station.", "1 -1 3 1 5 1 9 8 9 1 11 9 1"),
    ("Although it was raining, the children wanted to play outside.", "3 3 3 7 7 6 7 -1 9 7 9 7"),
    ("The committee will publish its report on the new bridge next Tuesday.", "1 3 3 -1 5 3 5 9 9 6 11 9 3"),
    ("Why did the baker who lives next door close his shop so early?", "8 8 3 8 5 3 7 5 -1 10 8 12 8 8"),
    ("Prices rose by 3.5 percent in March, according to the central bank.", "1 -1 1 4 2 1 5 1 1 8 12 12 9 1"),
    ("He neither called nor wrote, and his friends began to worry.", "2 2 -1 2 2 2 2 8 9 2 11 9 9"),
    ("A small boat with two red sails was crossing the quiet lake.", "2 2 8 2 6 6 3 8 -1 11 11 8 8"),
    ("What we need most is a clear plan and enough time.", "2 2 4 2 -1 7 7 4 7 10 7 4"),
    ("The letters that the museum bought last year were written in Latin.", "1 9 5 4 5 1 7 5 9 -1 9 10 9"),
    ("Please open the window and turn off the lights when you leave.", "1 -1 3 1 1 1 5 8 5 11 11 5 1"),
    ("Maria Lopez, a doctor from Chile, has been invited to speak in Oslo.", "1 10 1 4 1 4 5 10 10 10 -1 12 10 12 13 10"),
]  # fmt: skip


def tokens(*texts: str) -> TokenColumn:
    return Texts(list(texts)).tokens("13a")


def test_nine_heads_of_ten_are_the_teachers() -> None:
    found = load_core_parser().parse(tokens(*(text for text, _ in TAUGHT))).heads.tolist()
    taught = [int(head) for _, heads in TAUGHT for head in heads.split()]
    assert len(found) == len(taught)
    assert sum(ours == theirs for ours, theirs in zip(found, taught, strict=True)) >= 0.9 * len(taught)


def test_tags_lemmas_and_relations_stand_beside_the_heads() -> None:
    trees = load_core_parser().parse(tokens("The children were running.", "", "Paris sleeps."))
    assert trees.offsets.tolist() == [0, 5, 5, 8]
    assert trees.heads.tolist() == [1, 3, 3, -1, 3, 1, -1, 1]
    assert list(trees.tags) == ["DET", "NOUN", "AUX", "VERB", "PUNCT", "PROPN", "VERB", "PUNCT"]
    assert list(trees.lemmas) == ["the", "child", "be", "run", ".", "Paris", "sleep", "."]
    assert list(trees.relations) == ["det", "nsubj", "aux", "ROOT", "punct", "nsubj", "ROOT", "punct"]


def test_heads_alone_need_no_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        pytest.fail("labels were made although nobody asked for them")

    monkeypatch.setattr(core_parser, "label_texts", refuse)
    assert load_core_parser().parse(tokens("Paris sleeps.")).heads.tolist() == [1, -1, 1]


@pytest.mark.parametrize(
    "text", ["", "x", "\x00", "\u2028 a", "🙂🙂", "a\u0301", "<skipped>", "." * 300, "ab " * 1000]
)
def test_any_text_is_one_tree(text: str) -> None:
    column = tokens(text)
    trees = load_core_parser().parse(column)
    assert trees.heads.tolist().count(-1) == min(1, len(column.ids))
    assert len(trees.lemmas) == len(trees.tags) == len(trees.relations) == len(column.ids)


def test_it_is_the_default_and_needs_no_spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "spacy", None)
    parser = load_parser()
    assert isinstance(parser, CoreTrees)
    assert isinstance(parser, Trees)
    assert parser.match_to(tokens("a")) is parser


def test_the_identity_has_name_and_checksum() -> None:
    _, checksum = read_parser_file(FILE)
    assert load_core_parser().identity == f"tertium-english-1[{checksum[:8]}]"


def test_it_travels_to_other_processes() -> None:
    parser = load_core_parser()
    assert pickle.loads(pickle.dumps(parser)).parse(tokens("It rains.")).heads.tolist() == [1, -1, 1]


def test_the_file_has_at_most_4_mb() -> None:
    assert FILE.stat().st_size <= 4_000_000


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    parser, checksum = read_parser_file(FILE)
    write_parser_file(tmp_path / "copy.parser", parser)
    assert (tmp_path / "copy.parser").read_bytes() == FILE.read_bytes()
    again, same = read_parser_file(tmp_path / "copy.parser")
    assert same == checksum
    for name, table in parser.tables.items():
        np.testing.assert_array_equal(again.tables[name], table)


def _cut(data: bytes) -> bytes:
    return data[:-1]


def _grow(data: bytes) -> bytes:
    return data + b"\0"


def _flip(data: bytes) -> bytes:
    return data[:-1000] + bytes([data[-1000] ^ 1]) + data[-999:]


def _change_header(data: bytes) -> bytes:
    return data.replace(b'"NOUN"', b'"VERB"', 1)


def _break_header(data: bytes) -> bytes:
    return data[:12] + b"}" + data[13:]


def _other_version(data: bytes) -> bytes:
    return data.replace(b'"version": 1', b'"version": 9', 1)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_cut, "this parser is damaged: its content does not match its checksum"),
        (_grow, "this parser is damaged: its content does not match its checksum"),
        (_flip, "this parser is damaged: its content does not match its checksum"),
        (_change_header, "this parser is damaged: its content does not match its checksum"),
        (_break_header, "this parser is damaged: its header cannot be read"),
        (_other_version, "a parser of version 9, but this tertium reads version 1"),
        (lambda data: data[8:], "is not a parser of tertium: it does not begin with TERTIUMP"),
        (lambda data: MAGIC, "this parser is damaged: its header cannot be read"),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(
    tmp_path: Path, damage: Callable[[bytes], bytes], message: str
) -> None:
    path = tmp_path / "bad.parser"
    path.write_bytes(damage(FILE.read_bytes()))
    with pytest.raises(ResourceError, match=message) as caught:
        load_core_parser(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"the parser .*none\.parser cannot be read: No such file"):
        load_core_parser(tmp_path / "none.parser")


def test_a_file_without_a_table_is_refused(tmp_path: Path) -> None:
    parser, _ = read_parser_file(FILE)
    tables = {name: table for name, table in parser.tables.items() if name != "slots"}
    path = tmp_path / "short.parser"
    write_parser_file(path, type(parser)(parser.name, parser.tags, parser.relations, parser.lemmas, tables))
    with pytest.raises(ResourceError, match=r"short\.parser: .*slots.*; create the parser again"):
        load_core_parser(path)


def test_the_header_names_no_text_but_lemmas() -> None:
    data = FILE.read_bytes()
    header = json.loads(data[12 : 12 + int.from_bytes(data[8:12], "little")])
    assert sorted(header) == ["lemmas", "name", "relations", "sha256", "tables", "tags", "version"]
