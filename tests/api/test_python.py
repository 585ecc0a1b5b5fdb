"""What Python users expect: tables that print, scores that format and compare, data frames, and helpful errors."""

import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium import commands
from tertium.commands import find_families
from tertium.commands.base.results import Result
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.values import Score

REFERENCES = ["the cat sat on the mat", "a dog barked loudly", "it rained all day"]
SYSTEMS = {
    "old": ["the cat sat on mat", "a dog", "it all rained day"],
    "new": ["the cat sat on the mat", "a dog barked", "it rained all day"],
}


@pytest.fixture
def result() -> Any:
    return tertium.score(SYSTEMS, REFERENCES, "wer,chrf")


def test_a_printed_result_is_its_table(result: Any) -> None:
    assert str(result) == result.render("text").rstrip("\n")
    assert "old" in str(result)
    assert repr(result).startswith("<ScoreResult: 2 systems")


def test_a_score_formats_like_its_number() -> None:
    score = Score("bleu", 44.798, "bleu")
    assert f"{score:.2f}" == "44.80"
    assert f"{score:8.1f}" == "    44.8"
    assert f"{score}" == "bleu = 44.80"
    assert round(score, 1) == 44.8
    assert float(score) == 44.798


def test_scores_of_a_metric_compare_by_value(result: Any) -> None:
    wer = result["wer"]
    assert wer["new"] < wer["old"]
    assert wer["old"] > wer["new"]
    assert wer["old"] >= 20
    assert wer["new"] <= 20.0
    assert max(wer.values()).value == wer["old"].value
    assert sorted(wer, key=wer.__getitem__) == ["new", "old"]


@pytest.mark.parametrize("other", [Score("chrf", 1.0, "chrf"), "high", None])
def test_scores_of_different_metrics_do_not_compare(other: Any) -> None:
    with pytest.raises(TypeError):
        assert Score("bleu", 1.0, "bleu") < other


def test_unknown_names_come_with_suggestions(result: Any) -> None:
    with pytest.raises(UnknownNameError, match="no metric 'weer' was computed; did you mean wer"):
        result["weer"]
    with pytest.raises(UnknownNameError, match="no system 'odl'; did you mean old"):
        result["wer"]["odl"]
    assert result["wer"].get("odl") is None
    with pytest.raises(AttributeError, match="no attribute 'scoer'; did you mean score"):
        _ = tertium.scoer  # type: ignore[attr-defined]
    score: Any = tertium.score
    with pytest.raises(TypeError, match=r"score\(\) has no argument 'metric'; did you mean metrics"):
        score(["a"], ["a"], metric="bleu")


def test_a_data_frame_holds_systems_references_and_columns() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({**SYSTEMS, "ref": REFERENCES, "other": REFERENCES, "domain": ["x", "y", "x"]})
    one = tertium.score(frame[["old", "new"]], frame["ref"], "wer", columns=frame[["domain"]])
    assert one["wer"]["old"].value == tertium.score(SYSTEMS, REFERENCES, "wer")["wer"]["old"].value
    assert list(one.by("domain").tables) == ["x", "y"]
    two = tertium.score(frame["old"], frame[["ref", "other"]], "bleu")
    assert two.evaluation.n_references == (2, 2)


def test_columns_may_be_lists_by_name(result: Any) -> None:
    found = tertium.score(SYSTEMS, REFERENCES, "wer", columns={"year": [2020, 2021, 2020]}, where="year=2020")
    assert found.evaluation.n_segments == 2
    with pytest.raises(InputError, match=r"columns\['year'\] has 1 values, but there are 3 segments"):
        tertium.score(SYSTEMS, REFERENCES, "wer", columns={"year": [2020]})
    score: Any = tertium.score
    with pytest.raises(OptionError, match="columns= must be a file, a mapping of lists or a data frame"):
        score(SYSTEMS, REFERENCES, "wer", columns=3)


def test_an_earlier_result_is_scored_with_other_metrics(result: Any, tmp_path: Path) -> None:
    assert tertium.score(result, metrics="per")["per"]["new"].value == pytest.approx(100 / 14)
    result.save(tmp_path / "a.run", texts=False)
    with pytest.raises(InputError, match="the result has no texts"):
        tertium.score(tertium.open_run(tmp_path / "a.run"), metrics="per")


def test_two_results_are_compared() -> None:
    one = tertium.score(SYSTEMS["old"], REFERENCES, "wer")
    two = tertium.score(SYSTEMS["new"], REFERENCES, "wer")
    found = tertium.compare(one, two)
    assert found.differences[0].gain > 0
    assert len({found.first, found.second}) == 2


def test_texts_are_compared_and_reported_directly() -> None:
    found = tertium.compare(SYSTEMS, references=REFERENCES, metrics="wer")
    assert (found.first, found.second) == ("old", "new")
    assert found.differences[0].gain > 0
    shown = tertium.segments(SYSTEMS, references=REFERENCES, metrics="wer", worst=1)
    assert shown.segments[0].number == 2


def test_texts_as_a_data_frame_are_compared_with_a_result() -> None:
    pandas = pytest.importorskip("pandas")
    one = tertium.score({"old": SYSTEMS["old"]}, REFERENCES, "wer")
    found = tertium.compare(
        one, pandas.DataFrame({"new": SYSTEMS["new"]}), references=REFERENCES, metrics="wer"
    )
    assert (found.first, found.second) == ("old", "new")


def test_what_is_neither_path_nor_result_is_rejected() -> None:
    compare: Any = tertium.compare
    with pytest.raises(InputError, match="an input must be a path or a result, not int"):
        compare([1, 2], references=REFERENCES)


def test_scores_are_drawn_with_intervals(result: Any) -> None:
    chart = result.plot().to_dict(None)
    assert chart["description"] == "Scores with confidence intervals"
    panels = chart["concat"]
    assert [panel["layer"][1]["encoding"]["x"]["axis"]["title"][0].strip() for panel in panels] == [
        "WER (lower is better)",
        "chrF",
    ]
    rows = panels[1]["layer"][0]["data"]["values"]
    assert all(row["low"] <= row["score"] <= row["high"] for row in rows)
    assert {row["system"] for row in rows} == {"old", "new"}


@pytest.mark.needs("vl_convert")
@pytest.mark.slow
def test_the_command_line_draws_the_same_chart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner  # noqa: PLC0415

    from tertium.cli.main import cli  # noqa: PLC0415

    monkeypatch.chdir(tmp_path)
    for name, lines in {**SYSTEMS, "ref": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    given = ["score", "-r", "ref.txt", "-i", "old.txt", "new.txt", "-m", "wer", "--chart"]
    assert CliRunner().invoke(cli, [*given, "a.svg"]).exit_code == 0
    assert "Scores with confidence intervals" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert CliRunner().invoke(cli, [*given, "a.jpg"]).exit_code != 0


def test_a_result_is_a_mapping_from_metric_to_scores(result: Any) -> None:
    assert isinstance(result, Mapping)
    assert list(result) == list(result.keys()) == ["wer", "chrf"]
    assert len(result) == 2
    assert "wer" in result
    assert "bleu" not in result
    assert result.get("bleu") is None
    assert {label: sorted(scores) for label, scores in result.items()} == {
        "wer": ["new", "old"],
        "chrf": ["new", "old"],
    }
    same = tertium.score(SYSTEMS, REFERENCES, "wer,chrf")
    assert result != same
    assert len({result, same}) == 2


def test_a_result_of_many_test_sets_is_a_mapping_from_test_set_to_scores(tmp_path: Path) -> None:
    for pair in ("de-en", "fr-en"):
        (tmp_path / pair / "systems").mkdir(parents=True)
        (tmp_path / pair / "ref.txt").write_text("\n".join(REFERENCES) + "\n")
        (tmp_path / pair / "systems" / "old.txt").write_text("\n".join(SYSTEMS["old"]) + "\n")
    found = tertium.score_sets(tmp_path, "wer")
    assert list(found) == ["de-en", "fr-en"]
    assert len(found) == 2
    assert "de-fr" not in found
    assert found["de-en"]["wer"]["old"].value == found["fr-en"]["wer"]["old"].value
    with pytest.raises(UnknownNameError, match="no test set 'de-fr'; did you mean de-en"):
        found["de-fr"]


def test_a_result_of_alignment_is_a_mapping_from_system_to_cutting() -> None:
    found = tertium.align(SYSTEMS, REFERENCES)
    assert list(found) == ["old", "new"]
    assert len(found) == 2
    assert found["old"] is found.cuttings["old"]


def test_every_result_that_can_be_indexed_is_a_mapping() -> None:
    for family in find_families():
        for module in pkgutil.iter_modules([str(Path(commands.__file__).parent / family)]):
            importlib.import_module(f"tertium.commands.{family}.{module.name}")

    def list_subclasses(parent: type) -> list[type]:
        children: list[type] = parent.__subclasses__()
        return [found for child in children for found in (child, *list_subclasses(child))]

    indexed = [found for found in list_subclasses(Result) if hasattr(found, "__getitem__")]
    assert {"ScoreResult", "RunResult", "ScoreSetsResult", "AlignResult"} <= {
        found.__name__ for found in indexed
    }
    assert not [found for found in indexed if not issubclass(found, Mapping)]


def test_scores_have_the_intervals_that_were_requested(result: Any, tmp_path: Path) -> None:
    assert result["wer"]["old"].low is result["wer"]["old"].high is None
    assert "|bs:" not in result["wer"]["old"].signature
    sure = tertium.score(SYSTEMS, REFERENCES, "wer,chrf", ci=True, samples=200)
    for label in sure:
        column = next(column for column in sure.table.columns if column.label == label)
        cells = {cell.system: cell for cell in column.cells}
        for system, score in sure[label].items():
            assert (score.low, score.high) == cells[system].interval
            assert score.low is not None
            assert score.high is not None
            assert score.low <= score.value <= score.high
            assert "|bs:200|seed:12345|" in score.signature
    sure.save(tmp_path / "a.run")
    assert tertium.open_run(tmp_path / "a.run")["wer"]["old"].low == sure["wer"]["old"].low


def test_an_interval_of_a_result_equals_that_of_the_accumulator() -> None:
    scores = tertium.Accumulator("chrf")
    scores.update(SYSTEMS["old"], REFERENCES)
    expected = scores.compute(ci=True, samples=100)["chrf"]
    assert (
        tertium.score(SYSTEMS["old"], REFERENCES, "chrf", ci=True, samples=100)["chrf"]["system"] == expected
    )


def test_scores_are_a_flat_dictionary_for_experiment_trackers(result: Any) -> None:
    assert list(result.to_metrics()) == ["old/wer", "new/wer", "old/chrf", "new/chrf"]
    assert result.to_metrics()["old/wer"] == result["wer"]["old"].value
    one = tertium.score(SYSTEMS["old"], REFERENCES, "wer", ci=True, samples=100)
    scores = tertium.Accumulator("wer")
    scores.update(SYSTEMS["old"], REFERENCES)
    assert one.to_metrics("valid/") == scores.compute(ci=True, samples=100).to_metrics("valid/")
    assert list(one.to_metrics()) == ["wer", "wer_low", "wer_high"]
