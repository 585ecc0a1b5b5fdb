"""Outputs in the wrong language or script, and copies of the source."""

import pytest

from tertium.metrics import Language

GERMAN = (
    "Der Rat tritt am Dienstag zusammen, um über die Preise zu beraten, die im letzten Jahr gestiegen sind."
)
ENGLISH = "The council meets on Tuesday to discuss the prices, which have risen over the last year."
RUSSIAN = "Совет соберётся во вторник, чтобы обсудить цены, которые выросли за последний год."
CHINESE = (
    "理事会将于星期二开会，讨论去年上涨的价格，并决定今年的预算和税收政策的调整方案以及下一步的工作安排。"
)
JAPANESE = "評議会は火曜日に会合を開き、昨年上昇した価格について話し合う予定です。"


@pytest.mark.parametrize(
    ("language", "output", "source", "fault"),
    [
        ("de", GERMAN, ENGLISH, None),
        ("en", ENGLISH, GERMAN, None),
        ("ru", RUSSIAN, ENGLISH, None),
        ("zh", CHINESE, ENGLISH, None),
        ("ja", JAPANESE, ENGLISH, None),
        ("de", ENGLISH, RUSSIAN, "English, not German"),
        ("en", GERMAN, RUSSIAN, "German, not English"),
        ("de", RUSSIAN, ENGLISH, "Cyrillic script, not German"),
        ("ru", ENGLISH, GERMAN, "Latin script, not Russian"),
        ("zh", ENGLISH, GERMAN, "Latin script, not Chinese"),
        ("en", CHINESE, GERMAN, "Han script, not English"),
        ("zh", JAPANESE, ENGLISH, "Japanese script, not Chinese"),
        ("ja", CHINESE, ENGLISH, "Han script, not Japanese"),
        ("none", ENGLISH, ENGLISH, "copy of the source"),
        ("xx", ENGLISH, ENGLISH, "copy of the source"),
        ("none", GERMAN, ENGLISH, None),
        ("de", "Angela Merkel, Paris 2015", "Angela Merkel, Paris 2015", None),
        ("zh", "iPhone 12 Pro", "iPhone 12 Pro", None),
        ("zh", "他使用 Microsoft Windows 和 Adobe Photoshop 工作", ENGLISH, None),
        ("de", "", ENGLISH, None),
    ],
)  # fmt: skip
def test_wrong_languages_scripts_and_copies_are_found(
    language: str, output: str, source: str, fault: str | None
) -> None:
    found = Language(language=language).check(output, source)
    assert (found.n_items, found.faults) == (1, () if fault is None else (fault,))


def test_the_score_is_the_share_of_segments_without_a_fault() -> None:
    score = Language(language="de").corpus_score([GERMAN, ENGLISH, GERMAN, RUSSIAN], source=[ENGLISH] * 4)
    assert score.value == 50
    assert score.details["faulty_segments"] == 2


def test_the_user_hears_if_the_language_is_not_known() -> None:
    assert "only copies" in (Language().missing() or "")
    assert Language(language="de").missing() is None
