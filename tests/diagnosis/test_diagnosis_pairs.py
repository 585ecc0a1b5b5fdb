"""Two texts side by side: shifts, mismatches, copies and lengths."""

import unicodedata
from collections.abc import Callable, Sequence
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.diagnosis.finding import Finding
from tertium.diagnosis.order import SimilarityVotes, check_layout
from tertium.diagnosis.pairs import check_pair, check_source
from tertium.diagnosis.quick import QuickCheck
from tertium.interfaces import Matrix
from tertium.values import FloatArray

Check = Callable[[list[str], list[str]], list[Finding]]

SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in ("a", "e", "i", "o", "u", "en", "or")]
WORDS = [a + b + c for a in SYLLABLES[::5] for b in SYLLABLES[1::7] for c in ("", *SYLLABLES[2::9])]


def quick_check(hypotheses: list[str], references: list[str]) -> list[Finding]:
    return QuickCheck(references)(hypotheses)


BOTH = pytest.mark.parametrize("check", [check_pair, quick_check])


def make_pair(n_lines: int, *, seed: int = 0) -> tuple[list[str], list[str]]:
    """Invent a reference, with words as frequent and rare as in a language, and a hypothesis with half of them."""
    rng = np.random.default_rng(seed)

    def draw(size: int) -> list[str]:
        return [WORDS[min(rank, len(WORDS)) - 1] for rank in rng.zipf(1.3, size)]

    references = [draw(int(rng.integers(8, 25))) for _ in range(n_lines)]
    hypotheses = [[word if rng.random() < 0.5 else draw(1)[0] for word in line] for line in references]
    return [write(line) for line in hypotheses], [write(line) for line in references]


def write(words: list[str]) -> str:
    return f"{' '.join(words[:4]).capitalize()}, {' '.join(words[4:])}."


HYPOTHESES, REFERENCES = make_pair(120)
FOREIGN = make_pair(120, seed=99)[0]


def pick(findings: list[Finding], code: str) -> Finding | None:
    return next((finding for finding in findings if finding.code == code), None)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_lines", [0, 1, 2, 5, 40, 1500])
def test_clean_pair_has_no_findings(check: Check, seed: int, n_lines: int) -> None:
    assert check(*make_pair(n_lines, seed=seed)) == []


@BOTH
@pytest.mark.parametrize("lost", [0, 7, 60, 100])
def test_lost_line_is_found_where_the_shift_begins(check: Check, lost: int) -> None:
    hypotheses = [*HYPOTHESES[:lost], *HYPOTHESES[lost + 1 :], FOREIGN[0]]
    finding = pick(check(hypotheses, REFERENCES), "shifted-lines")
    assert finding is not None
    assert finding.severity == "error"
    assert abs(finding.lines[0] - (lost + 1)) <= 1  # a line of frequent words fits its neighbour as well
    assert abs(finding.n_lines - (119 - lost)) <= 2
    assert "1 line further down" in finding.problem


@BOTH
def test_added_line_is_found(check: Check) -> None:
    hypotheses = [*HYPOTHESES[:50], FOREIGN[0], *HYPOTHESES[50:]][:120]
    finding = pick(check(hypotheses, REFERENCES), "shifted-lines")
    assert finding is not None
    assert finding.lines[0] in {50, 51, 52}
    assert "1 line further up" in finding.problem


@BOTH
@pytest.mark.parametrize("distance", [1, 2, 3, 4, 5])
def test_constant_shift_is_found(check: Check, distance: int) -> None:
    finding = pick(check(HYPOTHESES[distance:], REFERENCES[:-distance]), "shifted-lines")
    assert finding is not None
    assert finding.lines == (1,)
    finding = pick(check(HYPOTHESES[:-distance], REFERENCES[distance:]), "shifted-lines")
    assert finding is not None
    assert f"{distance} line" in finding.problem
    assert finding.lines[0] <= distance + 1  # the first lines have no partner and tell nothing


def test_repaired_shift_is_found_with_its_end() -> None:
    hypotheses = [*HYPOTHESES[:30], *HYPOTHESES[31:60], FOREIGN[0], *HYPOTHESES[60:]]
    finding = pick(check_pair(hypotheses, REFERENCES), "shifted-lines")
    assert finding is not None
    assert abs(finding.n_lines - 29) <= 2


@pytest.mark.parametrize("n_lines", [8, 3000])
def test_shift_is_found_in_short_and_long_files(n_lines: int) -> None:
    hypotheses, references = make_pair(n_lines, seed=5)
    del hypotheses[2]
    finding = pick(check_pair(hypotheses, references), "shifted-lines")
    assert finding is not None
    assert abs(finding.lines[0] - 3) <= 1


def test_shift_is_found_in_a_script_without_spaces() -> None:
    def glue(lines: list[str]) -> list[str]:
        return [
            line.replace(" ", "").translate({ord(c): 0x4E00 + 7 * ord(c) for c in set(line)})
            for line in lines
        ]

    hypotheses, references = glue(HYPOTHESES), glue(REFERENCES)
    assert check_pair(hypotheses, references) == []
    assert pick(check_pair(hypotheses[1:], references[:-1]), "shifted-lines") is not None


def test_two_swapped_lines_are_no_shift() -> None:
    hypotheses = [*HYPOTHESES[:20], HYPOTHESES[21], HYPOTHESES[20], *HYPOTHESES[22:]]
    assert pick(check_pair(hypotheses, REFERENCES), "shifted-lines") is None


@BOTH
def test_text_of_another_test_set_is_unrelated(check: Check) -> None:
    findings = check(FOREIGN, REFERENCES)
    assert pick(findings, "unrelated") is not None
    assert pick(findings, "shifted-lines") is None


@pytest.mark.parametrize("seed", range(3))
def test_lucky_lines_among_shuffled_ones_are_no_shift(seed: int) -> None:
    hypotheses, references = make_pair(300, seed=seed)
    tail = hypotheses[100:]
    np.random.default_rng(seed).shuffle(tail)
    findings = check_pair([*hypotheses[:100], *tail], references)
    assert pick(findings, "shifted-lines") is None
    unrelated = pick(findings, "unrelated")
    assert unrelated is not None
    assert abs(unrelated.lines[0] - 101) <= 30


def test_line_counts_must_agree() -> None:
    finding = pick(check_pair(HYPOTHESES[:-2], REFERENCES), "line-count")
    assert finding is not None
    assert (finding.severity, finding.lines, finding.n_lines) == ("error", (119,), 2)
    assert "118 lines here but 120 in references" in finding.problem


@BOTH
def test_tokenised_against_raw_is_found_both_ways(check: Check) -> None:
    tokenised = [line.replace(",", " ,").replace(".", " .") for line in HYPOTHESES]
    finding = pick(check(tokenised, REFERENCES), "token-mismatch")
    assert finding is not None
    assert finding.problem == "the text is tokenised, but references is not"
    assert pick(check(REFERENCES, tokenised), "token-mismatch") is not None
    assert pick(check(tokenised, [line.replace(".", " .") for line in REFERENCES]), "token-mismatch") is None


@BOTH
def test_text_without_punctuation_is_neither_raw_nor_tokenised(check: Check) -> None:
    bare = [line.replace(",", "").replace(".", "") for line in HYPOTHESES]
    tokenised = [line.replace(",", " ,").replace(".", " .") for line in REFERENCES]
    assert pick(check(bare, tokenised), "token-mismatch") is None


@BOTH
def test_lower_cased_against_cased_is_found(check: Check) -> None:
    lowered = [line.lower() for line in HYPOTHESES]
    assert pick(check(lowered, REFERENCES), "case-mismatch") is not None
    assert pick(check(REFERENCES, lowered), "case-mismatch") is not None
    assert pick(check(lowered, [line.lower() for line in REFERENCES]), "case-mismatch") is None


@BOTH
def test_wrong_script_of_the_whole_text_is_an_error(check: Check) -> None:
    russian = ["Совет собрался во вторник.", "Никто не удивился.", "Цены выросли в марте."]
    english = ["The council met on Tuesday.", "Nobody was surprised.", "Prices rose in March."]
    finding = pick(check(russian, english), "wrong-script")
    assert finding is not None
    assert finding.severity == "error"
    assert finding.problem == "the text is written in Cyrillic, but references in Latin"
    assert pick(check(russian, russian), "wrong-script") is None


def test_japanese_and_chinese_are_told_apart() -> None:
    japanese, chinese = ["私は東京に住んでいます。", "今日は雨です。"], ["我住在东京。", "今天下雨了。"]
    assert pick(check_pair(japanese, chinese), "wrong-script") is not None
    assert (
        pick(check_pair(["東京都庁前", *japanese], ["ここはとうきょうです", *japanese]), "wrong-script-lines")
        is None
    )


def test_names_in_latin_letters_are_normal_in_chinese_and_japanese() -> None:
    mostly_latin = "Ash O'Brien和丈夫Jarett Kelley说，周四他们在Dusty Rhodes狗公园吃东西。"
    transliterated = "阿什·奥布赖恩和丈夫贾雷特·凯利说，周四他们在杜斯蒂·罗兹狗公园吃了点东西。"
    others = ["上个月，土耳其外交官成功当选联合国大会主席，原定于周日抵达。"] * 20
    for hypothesis, reference in ((mostly_latin, transliterated), (transliterated, mostly_latin)):
        assert pick(check_pair([hypothesis, *others], [reference, *others]), "wrong-script-lines") is None
    untranslated = "Firefighters gain ground on Lassen County blazes"
    finding = pick(check_pair([untranslated, *others], [transliterated, *others]), "wrong-script-lines")
    assert finding is not None


def test_single_lines_in_another_script_are_listed() -> None:
    hypotheses = [*HYPOTHESES]
    hypotheses[7] = "Совет собрался во вторник"
    finding = pick(check_pair(hypotheses, REFERENCES), "wrong-script-lines")
    assert finding is not None
    assert (finding.lines, finding.n_lines, finding.severity) == ((8,), 1, "note")


def test_many_entities_are_worth_a_quick_warning_and_few_are_not() -> None:
    many = [line.replace(",", " &amp;") for line in HYPOTHESES]
    assert pick(quick_check(many, REFERENCES), "html-entities") is not None
    assert pick(quick_check([many[0], *HYPOTHESES[1:]], REFERENCES), "html-entities") is None


def test_composed_against_decomposed_is_found() -> None:
    composed = [line.replace("a", "ä") for line in HYPOTHESES]
    decomposed = [unicodedata.normalize("NFD", line.replace("a", "ä")) for line in REFERENCES]
    assert pick(check_pair(composed, decomposed), "normal-form-mismatch") is not None
    assert pick(check_pair(composed, composed), "normal-form-mismatch") is None


@pytest.mark.parametrize(
    ("code", "straight", "curly"),
    [("quote-mismatch", '"{}"', "“{}”"), ("apostrophe-mismatch", "{}'s", "{}’s")],
)
def test_straight_against_curly_marks_is_found(code: str, straight: str, curly: str) -> None:
    here, there = [straight.format(line) for line in HYPOTHESES], [curly.format(line) for line in REFERENCES]
    assert pick(check_pair(here, there), code) is not None
    assert pick(check_pair(there, here), code) is not None
    assert pick(check_pair(here, [straight.format(line) for line in REFERENCES]), code) is None


def test_length_outliers_are_notes() -> None:
    hypotheses = [*HYPOTHESES]
    hypotheses[4] = " ".join([hypotheses[4]] * 4)
    hypotheses[9] = hypotheses[9][:10]
    finding = pick(check_pair(hypotheses, REFERENCES), "length-outliers")
    assert finding is not None
    assert (finding.lines, finding.severity) == ((5, 10), "note")


@pytest.mark.parametrize("share", [0.4, 2.5])
def test_length_of_the_whole_text_is_a_warning(share: float) -> None:
    hypotheses = [(line * 3)[: round(len(line) * share)] for line in HYPOTHESES]
    finding = pick(check_pair(hypotheses, REFERENCES), "length-ratio")
    assert finding is not None
    assert finding.severity == "warning"


def test_copy_of_the_reference_is_suspicious() -> None:
    finding = pick(check_pair(REFERENCES, REFERENCES), "identical-to-reference")
    assert finding is not None
    assert (finding.severity, finding.n_lines) == ("warning", 120)


@pytest.mark.parametrize(("n_copied", "is_suspicious"), [(30, False), (40, True)])
def test_many_copied_lines_are_suspicious(n_copied: int, is_suspicious: bool) -> None:
    hypotheses = [*REFERENCES[:n_copied], *HYPOTHESES[n_copied:]]
    assert (pick(check_pair(hypotheses, REFERENCES), "identical-to-reference") is not None) == is_suspicious


@pytest.mark.parametrize(("n_copied", "severity"), [(1, "note"), (20, "warning"), (120, "error")])
def test_untranslated_lines_are_found(n_copied: int, severity: str) -> None:
    sources = [line[::-1] for line in FOREIGN]  # words that are not in the references
    hypotheses = [*sources[:n_copied], *HYPOTHESES[n_copied:]]
    [finding] = check_source(hypotheses, sources, REFERENCES)
    assert (finding.code, finding.severity, finding.n_lines) == ("untranslated", severity, n_copied)


def test_translated_lines_and_rightly_copied_lines_are_not_untranslated() -> None:
    assert check_source(HYPOTHESES, FOREIGN) == []
    assert check_source(FOREIGN, FOREIGN, FOREIGN) == []
    assert check_source(["Angela Merkel"], ["Angela Merkel"]) == []


@pytest.mark.parametrize(("source", "reference"), [
    pytest.param("Kaduna - 139 Barno - 113 Katsina - 80 Kogi - 17", "Kaduna - 139, Barno - 113, Katsina - 80, Kogi - 17",
                 id="a list of names with other punctuation"),
    pytest.param("Vojtěch versus Hamáček.", "Vojtěch vs. Hamáček.", id="names"),
    pytest.param("Ono, pacta sunt servanda...", "Well, pacta sunt servanda...", id="a quotation"),
    pytest.param("《 Early Spring Sale 》", "Early spring sale", id="English in the source"),
    pytest.param("1 234,50 – 2 000,00 – 3 100,25", "1,234.50 – 2,000.00 – 3,100.25", id="numbers"),
    pytest.param("Angela Merkel, Emmanuel Macron", "", id="names without a reference"),
    pytest.param("https://example.org/news/2022/a", "", id="an address without a reference"),
])  # fmt: skip
def test_copies_that_need_no_translation_are_not_untranslated(source: str, reference: str) -> None:
    assert check_source([source], [source], [reference] if reference else []) == []


@pytest.mark.parametrize(("source", "reference"), [
    ("NBA: Stripclub-Ärger für Clippers-Star Lou Williams", "NBA: Strip-club problems for Clippers star Lou Williams"),
    ("Ex-Dortmunder Immobile mit Dreierpack für Lazio Rom", "Ex-Dortmunder Immobile with three-pack for Lazio Rome"),
    ("【公式】#Product1#/#Product2#", "[Official] #Product1#/#Product2#"),
    ("消防団がラッセン郡火災の消火で前進している。", ""),
    ("Die Bahn möchte neue Leute einstellen", ""),
])  # fmt: skip
def test_copies_that_need_a_translation_are_untranslated(source: str, reference: str) -> None:
    [finding] = check_source([source], [source], [reference] if reference else [])
    assert finding.code == "untranslated"


def test_names_of_the_reference_do_not_show_the_language_of_a_line() -> None:
    czech = ["Vláda dnes jednala o nových pravidlech pro malé podniky v celé zemi."] * 20
    names = (
        "Cal Fire, Riverside County Fire Department, City of Corona Fire Department a San Bernardino County"
    )
    output = f"Na místě zasahovalo 225 hasičů z {names} Fire."
    reference = f"S ohněm bojuje 225 příslušníků sborů {names}."
    assert pick(check_pair([*czech, output], [*czech, reference]), "wrong-language-lines") is None
    english = (
        "They added that one minute kids want monkeys on the car and the next it has no registration plate."
    )
    assert pick(check_pair([*czech, english], [*czech, czech[0]]), "wrong-language-lines") is not None


def test_source_of_another_length_is_an_error() -> None:
    assert [finding.code for finding in check_source(HYPOTHESES, FOREIGN[1:])] == ["line-count"]


def test_transposed_references_are_recognised() -> None:
    [finding] = check_layout([["h1", "h2", "h3"]], [["a1", "b1"], ["a2", "b2"], ["a3", "b3"]])
    assert finding.severity == "error"
    assert "3 files of 2 lines" in finding.problem
    assert "2 files of 3 lines" in finding.remedy


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        pytest.param([["h1", "h2", "h3"]], [["a", "b", "c"]] * 2, id="right"),
        pytest.param([["h1", "h2"]], [["a", "b"]] * 2, id="square: nobody can tell"),
        pytest.param([["h1"]], [["a", "b"]], id="one reference"),
        pytest.param([["h1", "h2"]], [["a"], ["b", "c"]], id="ragged"),
    ],
)
def test_other_layouts_are_not_transposed(hypotheses: list[list[str]], references: list[list[str]]) -> None:
    assert check_layout(hypotheses, references) == []


TEXTS = st.lists(
    st.text(max_size=30) | st.sampled_from(["the cat sat on the mat", "Собака бежит домой.", " , "])
)


@pytest.mark.slow
@given(TEXTS, TEXTS)
def test_no_pair_makes_the_doctor_crash(hypotheses: list[str], references: list[str]) -> None:
    for findings in (
        check_pair(hypotheses, references),
        quick_check(hypotheses, references),
        check_source(hypotheses, references),
        check_layout([hypotheses], [references]),
    ):
        assert all(min(finding.lines) >= 1 for finding in findings)


class NumberedSentences:
    """Sentences with the same number have similar vectors, in every language; others are unrelated."""

    identity = "numbers"

    def encode(self, texts: Sequence[str]) -> Matrix:
        vectors = [self._draw(text.split()[-1]) + 0.5 * self._draw(text) for text in texts]
        matrix = np.array(vectors).reshape(len(texts), 64)
        unit: Matrix = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
        return unit

    def _draw(self, text: str) -> FloatArray:
        return np.random.default_rng(crc32(text.encode())).normal(size=64)


def number_lines(lines: list[str]) -> list[str]:
    return [f"{line} {number}" for number, line in enumerate(lines)]


@pytest.mark.parametrize("n_lines", [30, 400])
def test_lines_that_translate_other_lines_are_found_without_references(n_lines: int) -> None:
    sources = number_lines((FOREIGN * 4)[:n_lines])
    outputs = number_lines((HYPOTHESES * 4)[:n_lines])
    votes = SimilarityVotes(NumberedSentences())
    assert check_source(outputs, sources, votes=votes) == []
    [finding] = check_source([*outputs[:12], *outputs[13:], "x y"], sources, votes=votes)
    assert (finding.code, finding.lines) == ("shifted-lines", (13,))
    assert "match sources 1 line further down" in finding.problem
    codes = [finding.code for finding in check_source(outputs[:-1], sources[1:], votes=votes)]
    assert codes == ["shifted-lines"]
    [finding] = check_source(outputs[::-1], sources, votes=votes)
    assert finding.code == "unrelated"


def test_the_order_is_not_checked_in_languages_that_the_encoder_does_not_know() -> None:
    encoder = NumberedSentences()
    encoder.languages = frozenset({"de"})  # type: ignore[attr-defined]
    outputs = number_lines(HYPOTHESES)
    assert check_source(outputs[1:], number_lines(FOREIGN)[:-1], votes=SimilarityVotes(encoder)) == []


@pytest.mark.parametrize(("here", "source", "reference"), [
    pytest.param("United, Chelsea do CL; Bournemouth, Watford dolů z EPL",
                 "United, Chelsea into CL; Bournemouth, Watford down from EPL",
                 "MU a Chelsea jsou v Lize šampionů, Watford vypadl", id="names"),
    pytest.param("2019 Outdoor Media Association Reportによると、収益は1億6,940万ドルでした。",
                 "The 2019 Outdoor Media Association Report shows revenue of $169.4 million.",
                 "2019年アウトドアメディア協会報告書によると、収益は1億6,940万ドルです。", id="Japanese with names"),
])  # fmt: skip
def test_names_do_not_make_a_line_untranslated(here: str, source: str, reference: str) -> None:
    assert check_source([here], [source], [reference]) == []


@pytest.mark.parametrize(
    "line", ["Bye bye " * 12, "Osaka Metro Chuo Line · Takaida Station 5 minutes × JR Osaka Higashi Line"]
)
def test_repeated_words_and_lists_of_names_are_in_no_other_language(line: str) -> None:
    english = ["The committee met on Tuesday to discuss the price of bread in the old town."] * 20
    codes = {
        finding.code
        for finding in check_pair([*english, line], [*english, "It was good to see you here again today."])
    }
    assert "wrong-language-lines" not in codes
