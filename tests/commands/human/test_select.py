"""`tertium select` from argv to files for annotators, and back by `tertium human`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821
ROOT = Path(__file__).parents[3] / "examples" / "data"
REFERENCE = ROOT / "reference.en.txt"
SYSTEMS = tuple(ROOT / "systems" / f"{name}.txt" for name in ("aurora", "boreas", "ember"))
SELECT = ("select", *SYSTEMS, "-r", REFERENCE, "-q")


def test_the_table_has_as_many_segments_as_the_budget(tertium: Tertium) -> None:
    """And says how many outputs and words that is."""
    run = tertium(*SELECT, "--segments", "5")
    assert (run.code, run.err) == (0, "")
    assert "5 of " in run.out
    assert "15 outputs of 3 systems" in run.out
    assert len(run.out.splitlines()) == 8


def test_a_budget_of_words_limits_the_words_of_all_outputs(tertium: Tertium) -> None:
    """Whatever the method is."""
    for method in ("variance", "consistency", "diversity", "random"):
        run = tertium(*SELECT, "--words", "200", "--method", method, "-f", "json")
        assert sum(row["words"] for row in json.loads(run.out)["segments"]) <= 200


def test_hours_are_converted_to_words(tertium: Tertium) -> None:
    """200 words at 9 seconds each are half an hour."""
    words = json.loads(tertium(*SELECT, "--words", "200", "-f", "json").out)
    hours = json.loads(tertium(*SELECT, "--hours", "0.5", "--seconds-per-word", "9", "-f", "json").out)
    assert words == hours


@pytest.mark.parametrize("suffix", ["tsv", "jsonl"])
def test_a_filled_list_of_outputs_is_read_again_by_the_same_ids(
    tertium: Tertium, tmp_path: Path, suffix: str
) -> None:
    """Annotators fill in rater and score."""
    path = tmp_path / f"items.{suffix}"
    assert tertium(*SELECT, "--segments", "20", "--items", path).code == 0
    text = path.read_text()
    if suffix == "tsv":
        header, *rows = text.splitlines()
        rows = ["\t".join([*row.split("\t")[:-2], "anna", str(i % 7)]) for i, row in enumerate(rows)]
        text = "\n".join([header, *rows]) + "\n"
    else:
        entries = [json.loads(line) for line in text.splitlines()]
        filled = [{**entry, "rater": "anna", "score": i % 7} for i, entry in enumerate(entries)]
        text = "".join(json.dumps(entry) + "\n" for entry in filled)
    path.write_text(text)
    run = tertium("human", path, "-f", "json")
    (evaluation,) = json.loads(run.out)["evaluations"]
    assert (evaluation["segments"], evaluation["judgments"]) == (20, 60)


def test_a_campaign_has_pearmuts_structure_and_its_log_is_read_again(
    tertium: Tertium, tmp_path: Path
) -> None:
    """The ids of the items are the numbers of the segments."""
    path, log = tmp_path / "campaign.json", tmp_path / "log.jsonl"
    run = tertium(
        *SELECT, "--segments", "10", "--campaign", path, "--protocol", "DA", "--raters", "3", "-f", "json"
    )
    chosen = [row["segment"] for row in json.loads(run.out)["segments"]]
    campaign = json.loads(path.read_text())
    assert campaign["info"] == {"assignment": "single-stream", "protocol": "DA", "users": 3}
    assert [item["item_id"] for document in campaign["data"] for item in document] == chosen
    lines = []
    for number, document in enumerate(campaign["data"]):
        annotation = [
            {name: {"score": 10 * i + number, "error_spans": []} for i, name in enumerate(item["tgt"])}
            for item in document
        ]
        lines.append(
            json.dumps({"user_id": "u", "item_i": number, "item": document, "annotation": annotation})
        )
    log.write_text("\n".join(lines) + "\n")
    (evaluation,) = json.loads(tertium("human", log, "-f", "json").out)["evaluations"]
    assert (evaluation["segments"], evaluation["judgments"]) == (10, 30)
    assert [system["system"] for system in evaluation["systems"]] == ["ember", "boreas", "aurora"]


def test_whole_documents_are_chosen_and_columns_share_the_budget(tertium: Tertium, tmp_path: Path) -> None:
    n_segments = len(REFERENCE.read_text(encoding="utf-8").splitlines())
    rows = [f"{('news', 'talk')[i % 20 // 10]}\td{i // 5}" for i in range(n_segments)]
    columns = tmp_path / "columns.tsv"
    columns.write_text("\n".join(["domain\tdocument", *rows, ""]), encoding="utf-8")
    run = tertium(*SELECT, "--columns", columns, "--segments", "20", "--whole-documents", "-f", "json")
    chosen = [int(row["segment"]) - 1 for row in json.loads(run.out)["segments"]]
    assert len(chosen) == 20
    assert len({i // 5 for i in chosen}) == 4
    run = tertium(*SELECT, "--columns", columns, "--segments", "20", "--by", "domain", "-f", "json")
    chosen = [int(row["segment"]) - 1 for row in json.loads(run.out)["segments"]]
    assert sum(i % 20 < 10 for i in chosen) == 10


def test_a_large_choice_may_as_well_be_random(tertium: Tertium) -> None:
    n_segments = len(REFERENCE.read_text(encoding="utf-8").splitlines())
    run = tertium(*SELECT[:-1], "--segments", n_segments // 2)
    assert "note: 50 % of the segments are chosen" in run.err


def test_outputs_need_their_texts(tertium: Tertium, tmp_path: Path) -> None:
    run = tmp_path / "a.run"
    scored = ("score", "-r", REFERENCE, "-i", *SYSTEMS, "-m", "chrf", "--save", run, "--no-texts", "-q")
    assert tertium(*scored).code == 0
    refused = tertium("select", run, "--segments", "3")
    assert refused.code == 1
    assert "the run has no texts, so there is nothing to judge; give the outputs as files" in refused.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give one budget: --segments N, --words N or --hours H"),
        (("--segments", "3", "--words", "5"), "give one budget"),
        (("--hours", "3"), "--hours and --seconds-per-word belong together"),
        (("--segments", "3", "--items", "x.csv"), "--items must end with .tsv or .jsonl, not 'x.csv'"),
        (
            ("--segments", "3", "--method", "random", "-m", "ter"),
            "--method random uses no metric; leave out --metrics",
        ),
        (("--segments", "3", "--method", "disagreement"), "--method disagreement compares metrics"),
    ],
)
def test_wrong_options_are_usage_errors(tertium: Tertium, arguments: tuple[str, ...], message: str) -> None:
    """One line that names the flag."""
    run = tertium(*SELECT, *arguments)
    assert run.code == 2
    assert message in run.err
