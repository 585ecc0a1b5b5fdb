"""One text by itself: each kind of damage is found where it is, and not where it is not."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.diagnosis import examination
from tertium.diagnosis.finding import KINDS, Finding
from tertium.diagnosis.texts import check_text

CLEAN = [
    "The committee met on Tuesday, and nobody was surprised.",
    "Prices rose by 3.5% in March; wages did not.",
    "“We can't wait,” said the minister's spokesman.",
    "Is it true that AT&T bought the café on Main Street?",
    "Zoë's résumé names São Paulo, Kraków and Åland.",
    "She wrote to me@example.org about issue #42.",
    "If a < b and b < c, then a < c.",
    "Der Zug nach Köln fährt um 8 Uhr ab.",
    "Why? Because the river froze.",
    "Temperatures fell to -5 °C overnight, they say.",
]


def find(lines: list[str], code: str) -> Finding | None:
    return next((finding for finding in check_text(lines, file="x.txt") if finding.code == code), None)


def test_clean_text_has_no_findings() -> None:
    assert check_text(CLEAN) == []


def test_no_lines_have_no_findings() -> None:
    assert check_text([]) == []


@pytest.mark.parametrize(
    ("code", "line"),
    [
        pytest.param("empty-lines", "", id="empty"),
        pytest.param("empty-lines", " \t", id="blank"),
        pytest.param("html-entities", "Johnson &amp; Sons", id="named entity"),
        pytest.param("html-entities", "It&#39;s late", id="numbered entity"),
        pytest.param("html-entities", "he said & quot ; no", id="tokenised entity"),
        pytest.param("markup", "This is <b>bold</b>", id="HTML tag"),
        pytest.param("markup", "A line<br />break", id="empty HTML tag"),
        pytest.param("markup", '<seg id="3">Good morning</seg>', id="SGML segment"),
        pytest.param("mojibake", "Das MÃ¤dchen", id="UTF-8 as Latin-1"),
        pytest.param("mojibake", "Ã¼ber", id="UTF-8 as Latin-1 at the beginning"),
        pytest.param("mojibake", "donâ€™t", id="apostrophe as Windows-1252"),
        pytest.param("mojibake", "ÄŒeskÃ¡", id="Czech as Windows-1252"),
        pytest.param("mojibake", "PÅ\x99Ã\xadliÅ¡", id="Czech as Latin-1"),
        pytest.param("mojibake", "ÐŸÑ€Ð¸Ð²ÐµÑ‚", id="Cyrillic as Windows-1252"),
        pytest.param("mojibake", "РџСЂРёРІРµС‚", id="Cyrillic as Windows-1251"),
        pytest.param("replacement-character", "na\ufffdve", id="replacement character"),
        pytest.param("subwords", "un@@ believ@@ able", id="BPE"),
        pytest.param("subwords", "it is unbeliev@@", id="BPE at the end"),
        pytest.param("subwords", "▁It ▁is ▁so", id="SentencePiece"),
        pytest.param("subwords", "un ##believ ##able", id="WordPiece"),
        pytest.param("mojibake", "ä¸­æ–‡æµ‹è¯•", id="Chinese as Windows-1252"),
        pytest.param("mojibake", "×©×œ×•×", id="Hebrew as Windows-1252"),
        pytest.param("mojibake", "鈥滀綘濂斤紝涓栫晫銆傗€", id="Chinese as GBK"),
        pytest.param("mojibake", "文件锟斤拷已损坏", id="lost characters as GBK"),
        pytest.param("markup", "<div>The cat sat.</div>", id="pair of tags"),
        pytest.param("long-lines", "word " * 500, id="long line"),
    ],
)
def test_damage_is_found_on_its_line(code: str, line: str) -> None:
    finding = find([*CLEAN, line], code)
    assert finding is not None
    assert (finding.file, finding.lines, finding.n_lines) == ("x.txt", (11,), 1)
    assert finding.severity == "warning"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("R&D; sales; and so on", id="ampersand and semicolon"),
        pytest.param("x<b and y>c", id="comparison"),
        pytest.param("see <url> for more", id="placeholder that is no tag"),
        pytest.param("FOI ONTEM OU AMANHÃ”, disse.", id="Portuguese capitals before a quotation mark"),
        pytest.param("«Être ou ne pas être», voilà", id="French accents and quotation marks"),
        pytest.param("Ресторан «Русь» № 5, Сёмин", id="Russian capitals before signs"),
        pytest.param("write to a@@b or call @@ now", id="doubled at sign"),
        pytest.param("C## is no language", id="doubled hash"),
        pytest.param("I ordered ##NUMBER# and ##NUMBER # today", id="placeholder for a number"),
        pytest.param("Put the text into a <div> element.", id="tag as a word"),
        pytest.param("l’été “français” – déjà vu…", id="accents beside signs"),
        pytest.param("word " * 300, id="line of 1,500 characters"),
    ],
)
def test_what_only_looks_like_damage_is_not_reported(line: str) -> None:
    assert check_text([*CLEAN, line]) == []


def test_first_five_lines_stand_for_all() -> None:
    finding = find(["Tom &amp; Jerry number " + str(i) for i in range(600)], "html-entities")
    assert finding is not None
    assert finding.lines == (1, 2, 3, 4, 5)
    assert finding.n_lines == 600


def test_adjacent_duplicates_are_found() -> None:
    lines = [*CLEAN, CLEAN[-1]]
    finding = find(lines, "adjacent-duplicates")
    assert finding is not None
    assert (finding.lines, finding.severity) == ((11,), "note")
    assert find(lines, "duplicates") is None


def test_many_adjacent_duplicates_are_a_warning() -> None:
    finding = find([line for line in CLEAN for _ in range(2)], "adjacent-duplicates")
    assert finding is not None
    assert (finding.n_lines, finding.severity) == (10, "warning")


def test_distant_duplicates_are_found() -> None:
    finding = find([*CLEAN, CLEAN[0]], "duplicates")
    assert finding is not None
    assert (finding.lines, finding.severity) == ((11,), "note")


def test_a_system_that_repeats_itself_is_a_warning() -> None:
    finding = find(CLEAN * 3, "duplicates")
    assert finding is not None
    assert (finding.n_lines, finding.severity) == (20, "warning")


def test_short_lines_may_repeat() -> None:
    assert check_text([*CLEAN, "Thank you.", "Thank you.", "Yes.", "Thank you."]) == []


def test_mixture_of_normal_forms_names_the_rarer_form() -> None:
    finding = find([*CLEAN, unicodedata.normalize("NFD", "Ein schöner Tag.")], "mixed-normal-forms")
    assert finding is not None
    assert (finding.lines, finding.severity) == ((11,), "warning")


def test_decomposed_text_is_a_note() -> None:
    finding = find([unicodedata.normalize("NFD", line) for line in CLEAN], "decomposed")
    assert finding is not None
    assert finding.severity == "note"


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("За́мок и замо́к", id="stress marks without composed form"),
        pytest.param("क़लम", id="Devanagari composition exclusion"),
        pytest.param("שׁלום", id="Hebrew presentation form"),
    ],
)
def test_letters_without_composed_form_are_not_decomposed(line: str) -> None:
    assert find([*CLEAN, line], "mixed-normal-forms") is None


def test_tokenised_text_is_found() -> None:
    lines = ["The cat , it seems , sat .", "He did n't know", "Die Katze saß .", "我 不 知道 。"]
    finding = find(lines, "tokenised")
    assert finding is not None
    assert finding.n_lines == 4


def test_french_spaces_before_marks_are_not_tokenised() -> None:
    lines = [
        "Qui est là ? demanda-t-il, inquiet.",
        "Vraiment ! C'est ainsi : il part.",
        "Non ; il reste, dit-on.",
    ]
    assert check_text(lines) == []


def test_a_few_tokenised_lines_are_a_note() -> None:
    finding = find([*CLEAN, "So it is , he said .", "And then , silence .", "The end ."], "partly-tokenised")
    assert finding is not None
    assert (finding.lines, finding.severity) == ((11, 12, 13), "note")


def test_lower_cased_text_is_found() -> None:
    finding = find([line.lower() for line in CLEAN], "lowercased")
    assert finding is not None
    assert (finding.n_lines, finding.severity) == (10, "note")


def test_scripts_without_capitals_are_not_lower_cased() -> None:
    assert check_text(["საქართველო ლამაზი ქვეყანაა", "თბილისი დედაქალაქია", "ეს წიგნი ჩემია"]) == []
    assert check_text(["我喜欢 iphone", "今天下雨 ok", "他在 beijing 工作很多年了"]) == []


@pytest.mark.slow
@given(st.lists(st.text()))
def test_no_text_makes_the_doctor_crash(lines: list[str]) -> None:
    for finding in check_text(lines):
        assert all(1 <= line <= len(lines) for line in finding.lines)  # none if it is about the whole file
        assert len(finding.lines) <= finding.n_lines <= len(lines)


SUSPECTS = st.sampled_from(
    ["&amp;", "<b>", "Ã", "¤", "@@ ", "\n", "\u2028", "é", "e\u0301", " , ", "▁", "\udc80", "a"]
)


@pytest.mark.slow
@given(st.lists(st.lists(SUSPECTS).map("".join)))
def test_damage_in_any_combination_is_counted_in_lines(lines: list[str]) -> None:
    finding = find(lines, "html-entities")
    assert (finding.n_lines if finding else 0) == sum("&amp;" in line for line in lines)


def test_every_kind_of_problem_is_declared_with_a_description() -> None:
    assert examination.BYTE_CHECKS
    assert len(KINDS) > 40
    for code, kind in KINDS.items():
        assert kind.code == code
        assert kind.severity in {"error", "warning", "note"}
        assert kind.help.endswith(".")
        assert code == code.lower()
