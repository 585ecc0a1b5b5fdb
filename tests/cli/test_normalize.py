"""`normalize=nfc`: the same scores in memory, in parts, after a stop, again from a run, and for metrics that read the source."""

import json
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest

Tertium = Callable[..., "Run"]  # type: ignore[name-defined] # noqa: F821

TEXTS = ["Zwölf Boxkämpfer jagen Viktor.", "Er hörte die Ölpumpe 12 Mal.", "Ärger über schöne Brücken."]
METRICS = "bleu:normalize=nfc,chrf:normalize=nfc,nist:normalize=nfc,numerals:normalize=nfkc"


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    full_width = [text.replace("12", "１２") for text in TEXTS]
    for name, form, lines in (("ref", "NFC", TEXTS), ("nfd", "NFD", TEXTS), ("src", "NFD", full_width)):
        text = "".join(f"{normalize(form, line)}\n" for line in lines)  # type: ignore[arg-type]
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return ["-r", tmp_path / "ref.txt", "-i", tmp_path / "nfd.txt", "-s", tmp_path / "src.txt"]


def read_scores(out: str) -> dict[str, object]:
    [system] = json.loads(out)["systems"]
    return {label: score["score"] for label, score in system["scores"].items()}


def test_without_normalize_the_same_letters_are_different(tertium: Tertium, files: list[object]) -> None:
    scores = read_scores(tertium("score", *files, "-m", "bleu,chrf,numerals", "-f", "json").out)
    assert scores["bleu"] < 50  # type: ignore[operator]
    assert scores["chrf"] < 95  # type: ignore[operator]


@pytest.mark.parametrize("more", [[], ["--batch-size", "1"], ["--threads", "2"]], ids=" ".join)
def test_normalized_texts_get_the_best_scores(tertium: Tertium, files: list[object], more: list[str]) -> None:
    scores = read_scores(tertium("score", *files, "-m", METRICS, "-f", "json", *more).out)
    best = {"bleu": 100, "chrf": 100, "numerals": 100}
    assert {name.partition(":")[0]: value for name, value in scores.items() if name[:4] != "nist"} == {
        name: pytest.approx(value) for name, value in best.items()
    }
    assert all(f":normalize={form}" in " ".join(scores) for form in ("nfc", "nfkc"))


def test_finished_parts_are_only_used_for_the_same_normal_form(
    tertium: Tertium, files: list[object], tmp_path: Path
) -> None:
    given = ["score", *files, "--batch-size", "1", "--resume", tmp_path / "parts", "-f", "json", "-m"]
    before, plain = (tertium(*given, label) for label in ("bleu:normalize=nfc", "bleu"))
    again = tertium(*given, "bleu:normalize=nfc")
    assert read_scores(before.out) == read_scores(again.out)
    assert next(iter(read_scores(plain.out).values())) < 50  # type: ignore[operator]
    assert "were not used" in plain.err


def test_a_run_with_a_normal_form_is_repeated_exactly(
    tertium: Tertium, files: list[object], tmp_path: Path
) -> None:
    run = tmp_path / "texts.run"
    shown = tertium("score", *files, "-m", METRICS, "--signatures", "--save", run)
    assert "|normalize:nfc|" in shown.out
    assert "chrF:normalize=nfc" in shown.out
    assert tertium("rerun", run).out.startswith("identical")
    signature = "chrf|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|normalize:nfc"
    assert read_scores(tertium("score", *files, "-m", signature, "-f", "json").out) == {
        "chrf:normalize=nfc": pytest.approx(100)
    }


def test_meteor_has_the_normal_form_beside_its_own_normalisation(
    tertium: Tertium, files: list[object]
) -> None:
    labels = ["meteor", "meteor:normalize=no", "meteor:normalize=nfc"]
    found = tertium("score", *files, "-m", ",".join(labels), "-l", "de", "-f", "json", "--signatures")
    scores = read_scores(found.out)
    assert scores["meteor:normalize=nfc"] == pytest.approx(100)
    assert scores["meteor"] < 60  # type: ignore[operator]
    assert all(f"|norm:{word}|" in found.out for word in ("yes", "no", "nfc"))


def test_an_unknown_normal_form_is_one_line(tertium: Tertium, files: list[object]) -> None:
    shown = tertium("score", *files, "-m", "bleu:normalize=nfd")
    assert shown.err == "tertium: bleu: normalize must be none, nfc or nfkc, not 'nfd'\n"
