"""The report shows how often human judges agree with the difference between the two best systems."""

from pathlib import Path

import pytest

import tertium
from tertium.errors import InputError

DATA = Path(__file__).parents[3] / "examples" / "data"


@pytest.mark.slow
def test_the_page_says_how_often_human_judges_agree_with_the_difference(tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="the page needs tertium[report]")
    pytest.importorskip("vl_convert", reason="the page needs tertium[report]")
    texts = {
        name: (DATA / "systems" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("aurora", "boreas")
    }
    reference = (DATA / "reference.en.txt").read_text(encoding="utf-8").splitlines()
    page = tmp_path / "page.html"
    tertium.report(tertium.score(texts, reference, "bleu")).write(page)
    assert "human judges are expected to agree in " in page.read_text(encoding="utf-8")


def test_the_page_uses_the_calibration_that_was_chosen() -> None:
    files = [str(DATA / "systems" / f"{name}.txt") for name in ("aurora", "boreas")]
    references = [str(DATA / "reference.en.txt")]
    report = tertium.report(hypotheses=files, references=references, metrics="bleu", calibration="wmt10-15")
    assert "at +0.70 BLEU (WMT10–15, statistical systems)" in report.render()
    with pytest.raises(InputError, match="is not a calibration table"):
        tertium.report(hypotheses=files, references=references, calibration=str(DATA / "human.tsv"))


@pytest.mark.parametrize("is_saved", [False, True], ids=["files", "run"])
def test_the_page_names_the_test_set_and_the_languages_without_folders(
    tmp_path: Path, *, is_saved: bool
) -> None:
    files = [str(DATA / "systems" / f"{name}.txt") for name in ("aurora", "boreas")]
    references = [str(DATA / "reference.en.txt")]
    if is_saved:
        run = tmp_path / "all.run"
        tertium.score([Path(file) for file in files], [Path(references[0])], "wer", language="de-en").save(
            run
        )
        report = tertium.report(run)
    else:
        report = tertium.report(hypotheses=files, references=references, metrics="wer", language="de-en")
    page = report.render()
    assert "test set reference.en.txt · de → en · 2 systems · 1 metric · 200 segments" in page
    assert str(DATA) not in page


@pytest.mark.parametrize(
    ("pair", "said"),
    [
        (("aurora", "boreas"), "By the human judgments, aurora and boreas do not differ significantly."),
        (("aurora", "fathom"), "By the human judgments, aurora is significantly better than fathom."),
    ],
)
@pytest.mark.parametrize("normalise_raters", [False, True])
def test_the_answer_prefers_a_system_only_if_human_judgments_show_it(
    pair: tuple[str, str], said: str, *, normalise_raters: bool
) -> None:
    report = tertium.report(
        hypotheses=[str(DATA / "systems" / f"{name}.txt") for name in pair],
        references=[str(DATA / "reference.en.txt")],
        metrics="wer",
        human=[str(DATA / "human.tsv")],
        normalise_raters=normalise_raters,
        skip_unknown=True,
    )
    page = report.render()
    assert f"<strong>{said}</strong>" in page
    scale = (
        "mean of z-scores, standardised for each rater"
        if normalise_raters
        else "mean of the scores of segments"
    )
    assert f"Human score: {scale}" in page
