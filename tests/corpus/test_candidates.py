"""Lists of candidates: the same groups in every format, and one line for every mistake."""

from pathlib import Path

import pytest

from tertium.corpus.candidates import read_candidates
from tertium.errors import InputError

GROUPS = [("a b", "a c"), ("d", "e")]
TEXTS = {
    "lists.jsonl": '["a b", "a c"]\n["d", "e"]\n',
    "objects.json": '{"candidates": ["a b", "a c"]}\n{"translations": ["d", "e"], "id": 1}\n',
    "table.tsv": "a b\ta c\r\nd\te\r\n",
    "moses": "0 ||| a b ||| -1 ||| 2\n0 ||| a c\n1 ||| d ||| x\n1 ||| e ||| y\n",
    "plain.txt": "a b\na c\nd\ne\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_candidates_of_every_format_are_grouped_by_source(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TEXTS[name].encode())
    per_source = 2 if name == "plain.txt" else None
    assert list(read_candidates(str(tmp_path / name), per_source=per_source)) == GROUPS


MISTAKES = {
    "empty": ("a.txt", "", r"a\.txt is empty; it needs at least one candidate"),
    "plain": ("a.txt", "a\n", r"a\.txt is plain text; give the number of lines per source with per_source=N"),
    "no JSON": ("a.jsonl", '["a"]\n["b"\n', r"a\.jsonl, line 2: this is not JSON"),
    "no list": ("a.jsonl", '{"id": 1}\n', r"a\.jsonl, line 1: expected a list of texts"),
    "numbers": ("a.jsonl", "[1]\n", r"a\.jsonl, line 1: expected a list of texts"),
    "no candidate": ("a.jsonl", '["a"]\n[]\n', r"a\.jsonl, line 2: a source needs at least one candidate"),
    "an empty row": ("a.tsv", "a\n\n", r"a\.tsv, line 2: a source needs at least one candidate"),
    "unsorted": (
        "a",
        "0 ||| a\n1 ||| b\n0 ||| c\n",
        "line 3: source 0 occurred before; sort the list by source",
    ),
    "no number": ("a", "0 ||| a\nb\n", "line 2: expected 'source |||"),
}


@pytest.mark.parametrize(("name", "text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_list_of_candidates_names_the_line(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message.replace("|", r"\|")):
        list(read_candidates(str(tmp_path / name)))


def test_plain_text_with_a_partial_last_group_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\nb\nc\n", encoding="utf-8")
    with pytest.raises(InputError, match="has 3 lines, which is not a multiple of the 2 lines per source"):
        list(read_candidates(str(tmp_path / "a.txt"), per_source=2))
