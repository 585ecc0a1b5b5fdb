"""`tertium human --plan` from argv to exit code."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium as library
from tertium.errors import OptionError

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

HUMAN = Path(__file__).parents[3] / "examples" / "data" / "human.tsv"


def test_a_human_evaluation_is_planned_from_an_earlier_campaign(tertium: Tertium) -> None:
    """More raters per output need fewer segments but more judgments."""
    run = tertium(
        "human", HUMAN, "--plan", "--difference", "2", "--n-systems", "5", "--cost", "0.5", "-f", "json"
    )
    assert run.code == 0
    plans = json.loads(run.out)["plans"]
    assert [plan["raters"] for plan in plans] == [1, 2, 3]
    segments, judgments = ([plan[name] for plan in plans] for name in ("segments", "judgments"))
    assert segments == sorted(segments, reverse=True)
    assert judgments == sorted(judgments)
    assert judgments[1] == segments[1] * 2 * 5
    assert plans[0]["cost"] == judgments[0] / 2


def test_the_text_names_the_variances_of_the_campaign(tertium: Tertium) -> None:
    run = tertium("human", HUMAN, "--plan", "-d", "2")
    assert "variances of the campaign: segments 41.8, raters 54, outputs 46, judgments 96.3;" in run.out
    assert "too few outputs" not in run.out


def test_the_level_is_divided_by_the_comparisons() -> None:
    one, ten = (library.human(str(HUMAN), plan=True, difference=2.0, comparisons=n).plan for n in (1, 10))
    assert one is not None
    assert ten is not None
    assert ten.level == pytest.approx(one.level / 10)
    assert ten.designs[0].segments > one.designs[0].segments


def test_further_raters_are_not_planned_where_nobody_repeats_a_judgment(
    tertium: Tertium, tmp_path: Path
) -> None:
    """The gain of a second rater of an output is unknown then, and a note says so."""
    rows = [
        f"{system}\t{i}\tr{i % 2}\t{50 + 7 * i % 11 + k * i % 5}"
        for k, system in enumerate("AB")
        for i in range(1, 41)
    ]
    (tmp_path / "once.tsv").write_text(
        "\n".join(["system\tsegment\trater\tscore", *rows, ""]), encoding="utf-8"
    )
    run = tertium("human", tmp_path / "once.tsv", "--plan", "-d", "1")
    assert run.code == 0
    assert "too few outputs were judged by several raters" in run.out
    assert len(run.out.split("\n\n")[0].splitlines()) == 2


def test_a_plan_is_of_one_language_pair(tmp_path: Path) -> None:
    header, *rows = HUMAN.read_text(encoding="utf-8").splitlines()
    text = "\n".join(
        [f"lp\t{header}", *(f"{pair}\t{row}" for pair in ("cs-en", "de-en") for row in rows), ""]
    )
    (tmp_path / "two.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(OptionError, match=r"several language pairs: cs-en, de-en; choose one with pairs="):
        library.human(str(tmp_path / "two.tsv"), plan=True, difference=2.0)
    chosen = library.human(str(tmp_path / "two.tsv"), plan=True, difference=2.0, pairs="cs-en")
    assert chosen.plan == library.human(str(HUMAN), plan=True, difference=2.0).plan


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--plan",), "give the difference of human scores to detect with --difference D"),
        (("-d", "1"), "--difference requires --plan"),
        (("--plan", "-d", "1", "--ranking", "z"), "--plan does not read --ranking; leave it out"),
        (("--plan", "-d", "1", "-t", "raters"), "--plan does not read --table; leave it out"),
    ],
)
def test_wrong_options_of_a_plan_are_usage_errors(
    tertium: Tertium, arguments: tuple[str, ...], message: str
) -> None:
    """One line that names the flag."""
    run = tertium("human", HUMAN, *arguments)
    assert run.code == 2
    assert message in run.err
