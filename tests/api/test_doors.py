"""What the command line can do, Python can do in one call; and results are pleasant to look at."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tertium
from metaeval.conftest import SYSTEMS, folder
from tertium.errors import InputError, OptionError
from tertium.metrics import BLEU

__all__ = ["folder"]

SYSTEM_FILES = tuple(f"cs-en/systems/{name}.txt" for name in SYSTEMS)


def test_every_public_name_exists_and_is_documented() -> None:
    for name in tertium.__all__:
        value = getattr(tertium, name)
        assert name == "__version__" or value.__doc__


def test_a_corpus_read_from_files_is_scored(folder: Path) -> None:
    corpus = tertium.read_corpus(
        [str(folder / "cs-en/ref.txt")], [(None, str(folder / each)) for each in SYSTEM_FILES]
    )
    result = tertium.score(corpus, metrics="bleu,chrf", ci=True)
    assert list(result["chrf"]) == list(SYSTEMS)
    assert result.comparison is not None
    assert "±" in result.render()


def test_a_corpus_and_references_together_are_refused() -> None:
    corpus = tertium.Corpus([["a"]], {"x": ["a"]})
    with pytest.raises(tertium.TertiumError, match="has its own references"):
        tertium.score(corpus, ["a"])


def test_results_show_themselves_escaped_in_a_notebook() -> None:
    result = tertium.score({"<script>": ["a b c"]}, ["a b c"], "wer")
    assert repr(result) == "<ScoreResult: 1 systems, 1 metrics, 1 segments>"
    assert "&lt;script&gt;" in result._repr_html_()
    assert "<script>" not in result._repr_html_()


def test_results_become_tables_of_other_tools() -> None:
    result = tertium.score({"a": ["x y"], "b": ["x z"]}, ["x y"], "wer")
    assert result.to_dict()["systems"][1]["scores"]["wer"]["score"] == 50.0
    pytest.importorskip("pyarrow")
    table = result.to_arrow()
    assert table.column_names[:3] == ["system", "metric", "score"]
    pytest.importorskip("pandas")
    assert result.by_segment().to_pandas()["score"].tolist() == [0.0, 50.0]


def test_meta_finds_agreement_with_people(folder: Path) -> None:
    result = tertium.meta(str(folder), "bleu,wer", statistics="system:pearson")
    (table,) = result.tables
    assert table.metrics == ("bleu", "wer")
    assert all(cell.value is not None for cell in table.columns[0].cells)
    assert "system level, Pearson's r" in result.render()


def test_tune_finds_options_and_shows_curves(folder: Path) -> None:
    tuned = tertium.tune(str(folder), "bleu", ["max_ngram_order=1,2"], objective="system:pearson")
    assert tuned.outcome.options["max_ngram_order"] in (1, 2)
    curve = tertium.tune(str(folder), "bleu", over="max_ngram_order=1,2,3", objective="system:pearson").curve
    assert [trial.point["max_ngram_order"] for trial in curve] == [1, 2, 3]


def test_one_metric_is_tuned_at_a_time(folder: Path) -> None:
    with pytest.raises(OptionError, match="one metric is tuned at a time"):
        tertium.tune(str(folder), "bleu,wer", ["lowercase"])


def test_explain_accounts_for_a_score() -> None:
    (explanation,) = tertium.explain("we meet at noon", "at noon we meet", "invwer")
    assert explanation.score == 25.0
    assert any("swap" in step for step in explanation)


def test_doctor_finds_what_ruins_scores(folder: Path) -> None:
    diagnosis = tertium.doctor(
        str(folder / "cs-en/systems/worst.txt"), references=[str(folder / "cs-en/ref.txt")]
    )
    assert diagnosis.n_lines[str(folder / "cs-en/ref.txt")] == 4
    assert "findings" in diagnosis.to_dict()


def test_vectors_are_described() -> None:
    assert tertium.vectors.info("english").to_dict()["dimensions"] == 60


def test_metrics_are_listed() -> None:
    assert "bleu" in tertium.list_metrics().render()
    assert "tokenizer=13a" in tertium.list_metrics("bleu").render()


def test_explaining_two_strings_opens_no_resource_that_the_metric_does_not_use() -> None:
    code = (
        "import sys, tertium; tertium.explain('a b', 'b a', 'invwer'); "
        "print([m for m in sys.modules if m.startswith('tertium.resources.') and 'presets' not in m])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_system_judgments_meet_the_mean_of_all_segment_scores_without_texts(tmp_path: Path) -> None:
    means = {"a": 1.0, "b": 2.0, "c": 4.0, "d": 3.0}
    human = tmp_path / "de-en.sys.score"
    human.write_text("".join(f"{name}\t{mean}\n" for name, mean in means.items()), encoding="utf-8")
    rows = [
        f"{name}\t{mean + shift}\n" for name, mean in means.items() for shift in (5 - 3 * mean, 3 * mean - 5)
    ]
    (tmp_path / "de-en").mkdir()
    scores = tmp_path / "de-en" / "m.seg.score"
    scores.write_text("".join(rows), encoding="utf-8")
    result = tertium.meta(
        tertium.JudgedData(human=(str(human),)), scores=[str(scores)], statistics="system:pearson"
    )
    assert result.tables[0].columns[0].cells[0].value == pytest.approx(1.0)


@pytest.mark.parametrize("metrics", [3, [3], b"bleu", ["bleu", None], BLEU()])
def test_metrics_that_are_no_names_are_refused_by_their_place(metrics: Any) -> None:
    with pytest.raises(InputError, match=r"^metrics(\[\d\])? (must be|is) "):
        tertium.score(["a b"], ["a b"], metrics)
    with pytest.raises(InputError, match=r"^metrics(\[\d\])? (must be|is) "):
        tertium.explain("a b", "a b", metrics)
