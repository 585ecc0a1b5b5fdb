"""Text in a language that a metric's resources do not know is refused or warned about, never scored in silence."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.catalog import MetricMaker, ResourceChoice
from tertium.errors import MissingExtraError, ResourceError
from tertium.text import detection
from tertium.text.tokenizers import Tokenizer

DATA = Path(__file__).parents[3] / "examples" / "data"

RUSSIAN = ["Он вчера купил новую машину и поехал домой.", "Это был очень хороший день для всех нас."]
GERMAN = [
    "Gestern hat er ein neues Auto gekauft und ist nach Hause gefahren.",
    "Das war ein schöner Tag.",
] * 3
CHINESE = ["我昨天买了一本书，然后回家了。", "这是一个非常好的一天。"]


def vary(texts: list[str]) -> list[str]:
    """Return an output that differs from the reference, since a warning reports equal ones."""
    return [*texts[:-1], texts[-1][:-1]]


@pytest.mark.parametrize("metric", ["meteor", "red"])
def test_russian_is_refused_where_only_english_is_known(metric: str) -> None:
    with pytest.raises(ResourceError, match="look Russian"):
        tertium.score(vary(RUSSIAN), RUSSIAN, metric)


@pytest.mark.parametrize("metric", ["std", "was", "bleu_modif"])
def test_vectors_are_chosen_by_the_language_that_the_text_seems_to_have(metric: str) -> None:
    guessed = tertium.score(vary(RUSSIAN), RUSSIAN, metric)
    (note,) = guessed.warnings
    assert "look Russian" in note
    assert "language=ru" in note
    told = tertium.score(vary(RUSSIAN), RUSSIAN, metric, language="ru")
    assert told.warnings == ()
    signature = told[metric]["system"].signature
    assert signature == guessed[metric]["system"].signature
    assert "vectors:tertium-multilingual[" in signature


def test_vectors_that_the_user_names_are_not_exchanged() -> None:
    with pytest.raises(ResourceError, match="look Russian, but std uses English vectors"):
        tertium.score(vary(RUSSIAN), RUSSIAN, "std", vectors="english")


def test_russian_is_scored_by_what_knows_it() -> None:
    assert tertium.score(RUSSIAN, RUSSIAN, "meteor", language="ru")["meteor"][
        "system"
    ].value == pytest.approx(100)
    assert tertium.score(vary(RUSSIAN), RUSSIAN, "bleu").warnings == ()


def test_english_vectors_of_other_latin_text_are_doubted() -> None:
    (warning,) = tertium.score(vary(GERMAN), GERMAN, "std", vectors="english").warnings
    assert "look German" in warning


def test_ter_of_chinese_is_noticed_unless_it_cuts_characters() -> None:
    assert "no spaces between words" in tertium.score(vary(CHINESE), CHINESE, "ter").warnings[0]
    assert tertium.score(vary(CHINESE), CHINESE, "ter", language="zh").warnings == ()


def test_chinese_without_a_tokenizer_is_noticed() -> None:
    (warning,) = tertium.score(vary(CHINESE), CHINESE, "bleu").warnings
    assert "no spaces between words" in warning
    assert "score it with language=zh, or tokenizer=char" in warning
    assert tertium.score(vary(CHINESE), CHINESE, "bleu", language="zh").warnings == ()


THAI = ["เมื่อวานเขาซื้อหนังสือเล่มใหม่ที่กรุงเทพ", "พยากรณ์อากาศบอกว่าพรุ่งนี้ฝนจะตก"]


def test_thai_is_cut_into_characters_and_ter_says_that_it_cannot() -> None:
    close = [line[:-1] for line in THAI]
    result = tertium.score(close, THAI, "bleu,std", language="th")
    assert result["bleu"]["system"].value > 90
    assert result.warnings == ()
    (warning,) = tertium.score(close, THAI, "ter", language="th").warnings
    assert "ter cannot split it, but chrf works" in warning


@pytest.mark.parametrize("batch_size", [None, 50])
def test_the_language_of_each_text_is_detected_once(
    monkeypatch: pytest.MonkeyPatch, batch_size: int | None
) -> None:
    detect, seen = detection.detect_language, Counter[str]()

    def count(texts: Sequence[str]) -> Any:
        seen[texts[0]] += 1
        return detect(texts)

    monkeypatch.setattr(detection, "detect_language", count)
    outputs = sorted((DATA / "systems").glob("*.txt"))
    result = tertium.score(outputs, DATA / "reference.en.txt", "bleu,std", batch_size=batch_size)
    assert result.warnings == ()
    assert seen == {path.read_text().splitlines()[0]: 1 for path in [DATA / "reference.en.txt", *outputs]}


def test_a_tokenizer_that_is_not_installed_is_found_before_any_text_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Tokenizer, "is_installed", property(lambda row: not row.packages))
    message = r"^tokenizer ja-mecab is not installed: pip install 'sacrebleu\[ja\]>=2.6', or use the tokenizer char for this language"
    for metric in ("bleu", "chrf,wer", "mix:0.5*chrf+0.5*bleu"):
        with pytest.raises(MissingExtraError, match=message):
            tertium.score([Path("absent.txt")], [Path("absent.txt")], metric, language="en-ja")
    made, (warning,) = MetricMaker(ResourceChoice()).make_for("bleu", ["en-de", "en-ja"])
    assert [pairs for _, pairs in made] == [["en-de"]]
    assert warning.startswith("bleu is left out for en-ja: tokenizer ja-mecab is not installed")


@pytest.mark.slow
def test_no_agreement_is_expected_of_few_segments() -> None:
    references = [f"the cat number {k} sat on the mat" for k in range(50)]
    worse = [line.replace("sat", "lay") for line in references]
    for n, is_expected in ((49, False), (50, True)):
        scored = tertium.score({"one": references[:n], "other": worse[:n]}, references[:n], "chrf")
        page = tertium.report(scored).render()
        assert ("expected to agree" in scored.render("text")) is is_expected
        assert ("expected to agree" in page) is is_expected
        assert (
            "no expected human agreement for 49 segments: it holds for test sets of 50 and more" in page
        ) is not is_expected


@pytest.mark.slow
def test_no_agreement_is_expected_of_a_metric_that_cannot_split_the_text(tmp_path: Path) -> None:
    others = [f"{line}今天天气很好，我们去公园散步。" for line in CHINESE] * 50
    systems = {"near": vary(others), "far": [line[3:] for line in others]}
    scored = tertium.score(systems, others, "bleu,chrf")
    run = tmp_path / "zh.run"
    scored.save(run)
    pages = [tertium.report(each).render() for each in (scored, run)]
    for page in pages:
        assert "How often human judges agree with a difference in chrF" in page
        assert "How often human judges agree with a difference in BLEU" not in page
    for text in [scored.render("text"), tertium.show(run).render("text"), *pages]:
        assert "expected to agree" in text
        (line,) = [line for line in text.splitlines() if "expected to agree" in line]
        assert "chrF" in line
        assert "BLEU" not in line
