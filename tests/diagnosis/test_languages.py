"""Text in the wrong language, in two scripts, or without spaces; resources of another language."""

from collections.abc import Callable, Sequence

import pytest

from tertium.diagnosis.finding import Finding
from tertium.diagnosis.languages import Misfit, Need, check_resources_fit
from tertium.diagnosis.pairs import check_pair, check_source
from tertium.diagnosis.quick import QuickCheck
from tertium.diagnosis.texts import check_text
from tertium.text.detection import detect_language

Check = Callable[[list[str], list[str]], list[Finding]]

ENGLISH = [
    "The council met on Tuesday to talk about the price of bread.",
    "Nobody was surprised that the prices had risen again in March.",
    "He bought a new red car last night and drove it home at once.",
    "It rained all day in Paris, and the streets were under water.",
]
GERMAN = [
    "Der Rat trat am Dienstag zusammen, um über den Brotpreis zu sprechen.",
    "Niemand war überrascht, dass die Preise im März wieder gestiegen waren.",
    "Er kaufte gestern Abend ein neues rotes Auto und fuhr sofort nach Hause.",
    "In Paris regnete es den ganzen Tag, und die Straßen standen unter Wasser.",
]
RUSSIAN = [
    "Совет собрался во вторник, чтобы обсудить цены на хлеб.",
    "Никто не удивился, что цены в марте снова выросли.",
    "Вчера вечером он купил новую красную машину и сразу поехал домой.",
    "В Париже весь день шёл дождь, и улицы были под водой.",
]
CHINESE = [
    "市议会星期二开会讨论面包的价格。",
    "没有人对三月份价格再次上涨感到惊讶。",
    "他昨晚买了一辆红色新车，马上开回家了。",
    "巴黎下了一整天的雨，街道都被水淹了。",
]
THAI = ["สภาประชุมเมื่อวันอังคารเพื่อหารือเรื่องราคาขนมปัง", "ไม่มีใครแปลกใจที่ราคาขึ้นอีกในเดือนมีนาคม"]


def paraphrase(lines: list[str]) -> list[str]:
    """Another translation of the same: some words less."""
    return [" ".join(line.split()[1:]) for line in lines]


def quick_check(
    hypotheses: list[str], references: list[str], tokenizers: Sequence[str] = ()
) -> list[Finding]:
    return QuickCheck(references, tokenizers)(hypotheses)


def pick(findings: list[Finding], code: str) -> Finding | None:
    return next((finding for finding in findings if finding.code == code), None)


@pytest.mark.parametrize("check", [check_pair, quick_check])
def test_a_system_in_another_language_is_an_error(check: Check) -> None:
    finding = pick(check(GERMAN, ENGLISH), "wrong-language")
    assert finding is not None
    assert finding.severity == "error"
    assert finding.problem == "the text looks German, but references English"
    assert pick(check(GERMAN, ENGLISH), "wrong-language-lines") is None
    assert pick(check(paraphrase(ENGLISH), ENGLISH), "wrong-language") is None


def test_single_lines_in_another_language_are_listed() -> None:
    hypotheses, references = paraphrase(ENGLISH * 5), ENGLISH * 5
    hypotheses[6], hypotheses[9] = GERMAN[2], "Le conseil s'est réuni mardi pour parler du prix du pain."
    finding = pick(check_pair(hypotheses, references), "wrong-language-lines")
    assert finding is not None
    assert (finding.lines, finding.severity) == ((7, 10), "note")
    assert finding.problem == "German or French, while references is English"


def test_a_line_that_the_reference_quotes_in_another_language_is_right() -> None:
    hypotheses, references = paraphrase(ENGLISH * 5), [*ENGLISH * 5]
    hypotheses[6] = references[6] = GERMAN[2]
    assert pick(check_pair(hypotheses, references), "wrong-language-lines") is None


def test_a_line_that_was_hardly_translated_is_found() -> None:
    hypotheses = [GERMAN[0].replace("Brotpreis", "price"), *ENGLISH[1:]]
    [finding] = check_source(hypotheses, GERMAN, ENGLISH)
    assert finding.problem == "untranslated: nearly identical to sources"
    assert finding.lines == (1,)


def test_words_that_all_languages_share_are_no_sign_of_the_source() -> None:
    names = "Tony Abbott, Joe Hockey, Angela Merkel, François Hollande, David Cameron"
    assert check_source([f"{names} !"], [f"{names} ."], [f"{names} ?"]) == []


@pytest.mark.parametrize(
    ("word", "is_mixed"),
    [
        ("Mосква", True),  # Latin M
        ("пpивет", True),  # Latin p
        ("Сancer", True),  # Cyrillic С
        ("Москва", False),
        ("IT-компания", False),
        ("5μm", False),
        ("Αthens", True),  # Greek Α
        ("iPhone", False),
    ],
)
def test_two_scripts_within_a_word_are_found(word: str, is_mixed: bool) -> None:
    finding = pick(check_text([f"Вчера {word} было."]), "mixed-scripts")
    assert (finding is not None) == is_mixed
    assert finding is None or repr(word) in finding.problem


def test_a_text_without_spaces_says_which_option_it_needs() -> None:
    finding = pick(check_text(CHINESE), "unspaced")
    assert finding is not None
    assert (finding.severity, finding.remedy) == ("note", "score it with language=zh, or tokenizer=char")
    thai = pick(check_text(THAI), "unspaced")
    assert thai is not None
    assert thai.remedy == "score it with language=th, or tokenizer=char; ter cannot split it, but chrf works"
    assert pick(check_text(RUSSIAN), "unspaced") is None


@pytest.mark.parametrize(
    ("lines", "tokenizers", "unfit"),
    [
        (CHINESE, ["13a", "zh", "none"], "13a, none"),
        (CHINESE, ["zh"], None),
        (CHINESE, [], None),
        (THAI, ["zh"], "zh"),
        (THAI, ["char", "flores200"], None),
        (ENGLISH, ["13a"], None),
        ([*ENGLISH, CHINESE[0]], ["13a"], None),
    ],
)
def test_a_tokenizer_that_cannot_cut_the_text_is_an_error(
    lines: list[str], tokenizers: list[str], unfit: str | None
) -> None:
    finding = pick(quick_check(lines, lines, tokenizers=tokenizers), "unfit-tokenizer")
    assert (finding is not None) == (unfit is not None)
    if finding is not None:
        assert finding.severity == "error"
        assert f"the tokenizer {unfit} does not split" in finding.problem


def test_a_blank_system_is_an_error_and_nothing_else() -> None:
    [finding] = quick_check(["", " ", "\t", ""], ENGLISH)
    assert (finding.code, finding.severity, finding.n_lines) == ("blank", "error", 4)
    assert quick_check(["", ""], ["", ""]) == []
    assert quick_check(["", ENGLISH[1]], ENGLISH[:2]) == []


VECTORS = Need("std", "vectors", frozenset({"en"}), "vectors=FILE", serves_script=True)
STEMS, SYNONYMS = (Need("meteor", what, frozenset({"en"})) for what in ("stems", "synonyms"))
SYNTAX = Need("red", "syntax", frozenset({"en"}), "parser=MODEL")


def test_english_text_fits_english_resources() -> None:
    for language in (None, "en"):
        assert (
            check_resources_fit(detect_language(ENGLISH), language, [VECTORS, STEMS, SYNONYMS, SYNTAX]) == []
        )


def test_russian_text_is_refused_by_english_resources_with_a_line_each() -> None:
    assert check_resources_fit(detect_language(RUSSIAN), None, [VECTORS, STEMS, SYNONYMS, SYNTAX]) == [
        Misfit(
            "error",
            "the references look Russian, but std uses English vectors; pass language=ru, "
            "or choose others with vectors=FILE",
        ),
        Misfit(
            "error",
            "the references look Russian, but meteor uses English stems and synonyms; pass language=ru",
        ),
        Misfit(
            "error",
            "the references look Russian, but red uses English syntax; pass language=ru, "
            "or choose others with parser=MODEL",
        ),
    ]


def test_vectors_serve_other_languages_of_their_script_and_syntax_does_not() -> None:
    severities = [
        finding.severity for finding in check_resources_fit(detect_language(GERMAN), None, [VECTORS, SYNTAX])
    ]
    assert severities == ["warning", "error"]


def test_what_the_user_says_counts() -> None:
    russian = frozenset({"ru", "en"})
    assert check_resources_fit(detect_language(RUSSIAN), "ru", [Need("std", "vectors", russian)]) == []
    assert check_resources_fit(detect_language(RUSSIAN), "ru", [VECTORS]) == [
        Misfit("error", "std uses English vectors for Russian; choose others with vectors=FILE")
    ]
    assert check_resources_fit(detect_language(RUSSIAN), "en", [VECTORS]) == [
        Misfit("warning", "the references look Russian, but language=en was given")
    ]


def test_a_language_that_cannot_be_known_is_not_contradicted() -> None:
    icelandic = ["Bæjarstjórnin kom saman á þriðjudag til að ræða verð á brauði og mjólk í bænum."] * 3
    assert check_resources_fit(detect_language(icelandic), "is", []) == []
    assert check_resources_fit(detect_language(GERMAN), "hsb", []) == []
    assert check_resources_fit(detect_language(RUSSIAN), "is", []) == [
        Misfit("warning", "the references look Russian, but language=is was given")
    ]


def test_a_script_without_a_known_language_is_refused_where_it_cannot_fit() -> None:
    tibetan = ["བོད་ཀྱི་སྐད་ཡིག་ནི་བོད་མིའི་སྐད་ཡིག་ཡིན། དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག"]
    [misfit] = check_resources_fit(detect_language(tibetan), None, [VECTORS])
    assert misfit.severity == "error"
    assert misfit.message.startswith("the references are written in Tibetan, but std uses English")


def test_a_file_that_the_user_vouches_for_always_fits() -> None:
    assert check_resources_fit(detect_language(RUSSIAN), None, [Need("std", "vectors", None)]) == []


def test_many_languages_are_counted_not_listed() -> None:
    need = Need("std", "vectors", frozenset({"en", "fr", "it", "de"}))
    assert (
        "uses 4 other languages' vectors"
        in check_resources_fit(detect_language(RUSSIAN), None, [need])[0].message
    )
