"""`tertium paraphrases`: convert."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Tertium = Callable[..., Any]

TABLE = "0.5\nthe car\nan automobile\n"


def test_a_store_scores_like_the_table_it_was_made_of(tertium: Tertium, tmp_path: Path) -> None:
    table, store = tmp_path / "table.txt", tmp_path / "table.phrases"
    table.write_text(TABLE, encoding="utf-8")
    done = tertium("paraphrases", "convert", str(table), "-o", str(store))
    assert done.out == f"{store}: 1 pairs of phrases, {store.stat().st_size:,} bytes\n"
    texts = ["-m", "meteor", "i see the car", "i see an automobile"]
    outputs = [tertium("explain", "--paraphrases", str(path), *texts).out for path in (table, store)]
    assert "paraphrase" in outputs[0]
    assert outputs[0] == outputs[1]


def test_a_broken_table_is_one_line_on_stderr(tertium: Tertium, tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("no number\n", encoding="utf-8")
    run = tertium("paraphrases", "convert", str(table), "-o", str(tmp_path / "store"))
    assert run.code == 1
    assert run.err.count("\n") == 1
    assert "line 1: a probability was expected" in run.err
    assert not (tmp_path / "store").exists()
