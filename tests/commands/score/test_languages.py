"""Folders of several language pairs: each pair is scored in its target language."""

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from metaeval.conftest import SYSTEMS, folder

__all__ = ["folder"]

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

CHINESE = {
    "ref": ["猫坐在门边的垫子上。", "巴黎和罗马下了一整天的雨。", "他昨晚买了一辆红色新车。", "没人知道会议在哪里举行。"],
    "best": ["猫坐在门边的垫子上。", "巴黎和罗马下了一天的雨。", "他昨晚买了一辆红色新车。", "没人知道会议在哪里开。"],
    "good": ["猫坐在门边垫子上。", "巴黎和罗马下了一天雨。", "他昨晚买了一辆新车。", "没人知道会议在哪开。"],
    "poor": ["猫在垫子上。", "巴黎下了雨。", "他买了车。", "会议不知道在哪里。"],
    "worst": ["狗。", "天气。", "车在。", "会。"],
}  # fmt: skip


@pytest.fixture
def task(folder: Path) -> Path:
    """Two pairs into English, one into German and one into Chinese."""
    shutil.copytree(folder / "cs-en", folder / "en-de")
    (folder / "en-zh" / "systems").mkdir(parents=True)
    for name, lines in CHINESE.items():
        path = folder / "en-zh" / ("ref.txt" if name == "ref" else f"systems/{name}.txt")
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with (folder / "system-scores.tsv").open("a", encoding="utf-8") as file:
        for pair in ("en-de", "en-zh"):
            file.writelines(f"{pair}\t{name}\t{1 - i / 3}\n" for i, name in enumerate(SYSTEMS))
    return folder


def meta(tertium: Tertium, task: Path, *arguments: str) -> Any:
    return tertium("meta", task, "-s", "system:pearson", "--test", "none", "-f", "json", *arguments)


def signatures(out: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(out)["signatures"]
    return found


def pairs_with(out: str, metric: str) -> list[str]:
    (table,) = json.loads(out)["tables"]
    return [
        column["pair"]
        for column in table["columns"]
        if column["pair"] != "average" and column["cells"].get(metric, {}).get("value") is not None
    ]


def test_each_pair_has_the_tokenizer_of_its_target_language(tertium: Tertium, task: Path) -> None:
    run = meta(tertium, task, "-m", "bleu")
    assert (run.code, run.err) == (0, "")
    assert list(signatures(run.out)) == ["bleu on cs-en, de-en, en-de", "bleu on en-zh"]
    assert "|tok:13a|" in signatures(run.out)["bleu on cs-en, de-en, en-de"]
    assert "|tok:zh|" in signatures(run.out)["bleu on en-zh"]
    told = tertium("meta", task, "-m", "bleu", "-s", "system:pearson", "--test", "none", "--signatures")
    assert "bleu on en-zh: bleu|nrefs:1" in told.out


def test_a_pair_that_is_judged_twice_is_named_once(tertium: Tertium, task: Path) -> None:
    rows = [f"en-zh\t{i}\t{text}\t{text}\t{i}" for i, text in enumerate(CHINESE["ref"], start=1)]
    table = "\n".join(["lp\tseg_id\tref\thyp\thuman", *rows]) + "\n"
    (task / "da-segments.tsv").write_text(table, encoding="utf-8")
    run = meta(tertium, task, "-m", "bleu")
    assert run.code == 0
    assert list(signatures(run.out)) == ["bleu on cs-en, de-en, en-de", "bleu on en-zh"]


def test_a_given_language_holds_for_all_pairs(tertium: Tertium, task: Path) -> None:
    run = meta(tertium, task, "-m", "bleu", "-l", "zh")
    assert list(signatures(run.out)) == ["bleu"]
    assert "|tok:zh|" in signatures(run.out)["bleu"]


def test_an_option_that_is_written_out_beats_the_language(tertium: Tertium, task: Path) -> None:
    run = meta(tertium, task, "-m", "bleu:tokenizer=char")
    (signature,) = signatures(run.out).values()
    assert "|tok:char|" in signature


def test_a_metric_is_left_out_where_it_does_not_know_the_language(tertium: Tertium, task: Path) -> None:
    run = meta(tertium, task, "-m", "meteor", "wer")
    assert run.code == 0
    (told,) = [line for line in run.err.splitlines() if "computed without METEOR's" not in line]
    assert told.startswith("tertium: warning: meteor is left out for en-zh: meteor: unknown language 'zh'")
    assert pairs_with(run.out, "meteor") == ["cs-en", "de-en", "en-de"]
    assert pairs_with(run.out, "wer") == ["cs-en", "de-en", "en-de", "en-zh"]
    assert "|lang:de|" in signatures(run.out)["meteor on en-de"]
    assert "|lang:en|" in signatures(run.out)["meteor on cs-en, de-en"]


def test_german_is_not_parsed_with_the_english_model(tertium: Tertium, task: Path) -> None:
    run = meta(tertium, task, "-m", "red", "-p", "cs-en", "en-de", "-q")
    assert run.code == 0
    assert run.err.startswith(
        "tertium: warning: red is left out for en-de: no parser is installed for the language 'de': give a spaCy model"
    )
    assert pairs_with(run.out, "red") == ["cs-en"]
    alone = meta(tertium, task, "-m", "red", "-p", "en-de")
    assert (alone.code, alone.out) == (1, "")
    assert "red is left out: no parser is installed for the language 'de'" in alone.err


def test_each_pair_has_the_vectors_of_its_target_language(tertium: Tertium, task: Path) -> None:
    run = meta(tertium, task, "-m", "was", "-p", "cs-en", "en-de", "-q")
    assert (run.code, run.err) == (0, "")
    assert "|vectors:tertium-english[" in signatures(run.out)["was on cs-en"]
    assert "|vectors:tertium-multilingual[" in signatures(run.out)["was on en-de"]


def test_english_vectors_of_another_language_are_told_of(tertium: Tertium, task: Path) -> None:
    (task / "en-de").rename(task / "en-cs")
    scores = task / "system-scores.tsv"
    scores.write_text(scores.read_text(encoding="utf-8").replace("en-de", "en-cs"), encoding="utf-8")
    run = meta(tertium, task, "-m", "was", "-p", "cs-en", "en-cs", "-q")
    assert run.code == 0
    assert run.err == "tertium: warning: was uses English vectors for cs; choose others with --vectors FILE\n"


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("bleu:max_ngram_order=99", "max_ngram_order must be"),
        ("meteor:language=xx", "meteor: unknown language 'xx'"),
        ("nothing", "unknown metric 'nothing'"),
    ],
)
def test_a_mistake_is_no_matter_of_language(tertium: Tertium, task: Path, metric: str, message: str) -> None:
    run = meta(tertium, task, "-m", metric)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert run.err.count("\n") == 1


def test_a_folder_with_an_odd_name_has_no_language(tertium: Tertium, folder: Path) -> None:
    (folder / "cs-en").rename(folder / "newstest")
    scores = folder / "system-scores.tsv"
    scores.write_text(scores.read_text(encoding="utf-8").replace("cs-en", "newstest"), encoding="utf-8")
    (folder / "rankings.tsv").unlink()
    run = meta(tertium, folder, "-m", "meteor", "-p", "newstest")
    assert run.code == 0
    assert [line for line in run.err.splitlines() if "computed without METEOR's" not in line] == []
    assert "|lang:en|" in signatures(run.out)["meteor"]


def swept(out: str) -> dict[tuple[str, str], str]:
    return {(row["pair"], row["lowercase"]): row["value"] for row in csv.DictReader(io.StringIO(out))}


def test_a_curve_over_an_option_scores_each_pair_in_its_language(tertium: Tertium, task: Path) -> None:
    arguments = ("tune", task, "-m", "bleu", "--over", "lowercase=no", "-s", "system:pearson", "-f", "csv")
    mixed, chinese, plain = (
        swept(tertium(*arguments, *more).out) for more in ((), ("-l", "zh"), ("-l", "en"))
    )
    assert mixed["en-zh", "False"] == chinese["en-zh", "False"] != plain["en-zh", "False"]
    assert mixed["cs-en", "False"] == plain["cs-en", "False"]


def test_tuning_leaves_out_pairs_that_the_metric_cannot_score(tertium: Tertium, task: Path) -> None:
    arguments = ("tune", task, "-m", "meteor", "--option", "alpha=0.5,0.8", "--objective", "system:pearson")
    run = tertium(*arguments, "-q", "-f", "json")
    assert run.code == 0
    assert "tertium: warning: meteor is left out for en-zh: " in run.err
    assert set(json.loads(run.out)["values"]["system:pearson"]) == {"cs-en", "de-en", "en-de"}
    alone = tertium(*arguments, "-p", "en-zh", "-q")
    assert (alone.code, alone.out) == (1, "")
    assert "meteor is left out: meteor: unknown language 'zh'" in alone.err
