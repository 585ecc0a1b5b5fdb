"""Languages are detected by script and letters, and not on little evidence."""

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.text.detection import (
    FLOOR,
    SAMPLE_TEXTS,
    STEP,
    LanguageGuess,
    can_detect,
    detect_language,
    find_foreign_lines,
    load_trigrams,
    sample_texts,
)
from tertium.text.languages import LANGUAGES

SENTENCES = {
    "ar": "اجتمع المجلس يوم الثلاثاء لمناقشة أسعار الخبز والحليب في المدينة.",
    "bg": "Съветът се събра във вторник, за да обсъди цените на хляба и млякото в града.",
    "cs": "Rada se sešla v úterý, aby projednala ceny chleba a mléka ve městě.",
    "da": "Byrådet mødtes i tirsdags for at drøfte, hvorfor priserne på brød er så høje nu.",
    "de": "Der Rat tritt am Dienstag zusammen, um über die Preise für Brot zu beraten.",
    "el": "Το συμβούλιο συνεδρίασε την Τρίτη για να συζητήσει τις τιμές.",
    "en": "The council met on Tuesday to talk about the price of bread and milk in the city.",
    "es": "El consejo se reunió el martes para hablar del precio del pan y de la leche en la ciudad.",
    "fa": "شورا روز سه‌شنبه برای گفتگو درباره قیمت نان و شیر در شهر تشکیل جلسه داد.",
    "fi": "Neuvosto kokoontui tiistaina keskustelemaan leivän ja maidon hinnasta kaupungissa.",
    "fr": "Le conseil s'est réuni mardi pour parler du prix du pain et du lait dans la ville.",
    "hi": "परिषद मंगलवार को शहर में रोटी और दूध की कीमत पर चर्चा करने के लिए मिली।",
    "hu": "A tanács kedden ült össze, hogy megbeszélje a kenyér és a tej árát a városban.",
    "it": "Il consiglio si è riunito martedì per parlare del prezzo del pane e del latte nella città.",
    "ja": "評議会は火曜日に集まり、町のパンと牛乳の値段について話し合いました。",
    "ko": "시의회는 화요일에 모여 도시의 빵과 우유 가격에 대해 이야기했습니다. 아무도 놀라지 않았다.",
    "nl": "De raad kwam dinsdag bijeen om te praten over de prijs van brood en melk in de stad, zoals hij zei.",
    "pl": "Rada zebrała się we wtorek, aby rozmawiać o cenach chleba i mleka w mieście.",
    "pt": "O conselho reuniu-se na terça-feira para falar do preço do pão e do leite na cidade.",
    "ro": "Consiliul s-a întrunit marți pentru a discuta despre prețul pâinii și al laptelui în oraș.",
    "ru": "Совет собрался во вторник, чтобы обсудить цены на хлеб и молоко в городе.",
    "sv": "Rådet sammanträdde på tisdagen för att tala om priset på bröd och mjölk i staden.",
    "th": "สภาประชุมเมื่อวันอังคารเพื่อหารือเรื่องราคาขนมปังและนม",
    "tr": "Meclis, şehirdeki ekmek ve süt fiyatlarını konuşmak için salı günü toplandı.",
    "uk": "Рада зібралася у вівторок, щоб обговорити ціни на хліб і молоко в місті.",
    "vi": "Hội đồng đã họp vào thứ ba để thảo luận về giá bánh mì và sữa trong thành phố.",
    "zh": "市议会星期二开会讨论城里面包和牛奶的价格。没有人感到惊讶，因为三月价格又上涨了。",
}  # fmt: skip


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_is_enough_to_know_its_language(code: str) -> None:
    guess = detect_language([SENTENCES[code]])
    assert guess.code == code
    assert guess.script in LANGUAGES[code].scripts
    assert guess.confidence >= 0.95


@pytest.mark.parametrize("code", SENTENCES)
def test_case_does_not_matter(code: str) -> None:
    assert detect_language([SENTENCES[code].upper()]).code in (
        code,
        None,
    )  # ß and ΐ have longer upper-case forms
    assert detect_language([SENTENCES[code].lower()]).code == code


@pytest.mark.parametrize(
    ("texts", "script"),
    [
        ([], None),
        ([""], None),
        (["12.5 %", "—"], None),
        (["Paris, Texas"], "Latin"),
        (["Angela Merkel, Nicolas Sarkozy"], "Latin"),
        (["xqzv wkjh qqwz zzxv kjhg wqxz vvkq jjxw zqvk"], "Latin"),
        (["北京市"], None),
        (["Ма ма"], None),
    ],
)
def test_nothing_is_guessed_on_little_evidence(texts: list[str], script: str | None) -> None:
    assert detect_language(texts) == LanguageGuess(None, script, 0.0)


@pytest.mark.parametrize(
    "sentence",
    [
        "Udalbatza asteartean bildu zen hiriko ogiaren eta esnearen prezioaz hitz egiteko, eta ez da harritzekoa.",
        "Бул шаарда нан менен сүттүн баасы жөнүндө сүйлөшүү үчүн кеңеш шейшемби күнү чогулган.",
    ],
)
def test_a_language_that_nobody_counted_is_not_taken_for_another(sentence: str) -> None:
    assert detect_language([sentence]).code is None


def test_a_sample_tells_as_much_as_the_text() -> None:
    lines = [SENTENCES["de"], SENTENCES["de"].lower()] * 50_000
    assert detect_language(lines).code == "de"
    assert len(sample_texts(lines, SAMPLE_TEXTS)) <= SAMPLE_TEXTS


def test_composed_and_decomposed_letters_are_the_same() -> None:
    for form in ("NFC", "NFD"):
        assert detect_language([unicodedata.normalize(form, SENTENCES["cs"])]).code == "cs"


def test_single_foreign_lines_are_found() -> None:
    lines = [SENTENCES["en"], SENTENCES["de"], "Paris", SENTENCES["fi"], SENTENCES["ru"], ""]
    assert find_foreign_lines(lines, "en") == {1: "de", 3: "fi"}
    assert find_foreign_lines(lines, "zh") == {}
    assert find_foreign_lines(lines, "xx") == {}


def test_foreign_lines_do_not_depend_on_the_lines_around_them() -> None:
    lines = [SENTENCES[code] for code in ("en", "fr", "en", "pl")]
    alone = {row for row, line in enumerate(lines) if find_foreign_lines([line], "en")}
    assert set(find_foreign_lines(lines, "en")) == alone == {1, 3}


def test_some_languages_cannot_be_known() -> None:
    assert all(map(can_detect, SENTENCES))
    assert not any(map(can_detect, ("eu", "sr", "kk", "xx")))


@pytest.mark.parametrize("script", ["Latin", "Cyrillic", "Arabic", "Devanagari"])
def test_a_table_has_probabilities(script: str) -> None:
    table = load_trigrams(script)
    assert table is not None
    shares = ((table.weights > 0) * np.exp(table.weights * STEP + FLOOR)).sum(axis=0)
    assert ((shares > 0.7) & (shares < 1)).all()
    assert set(table.codes) <= set(LANGUAGES)


@given(st.lists(st.text(max_size=60), max_size=8))
def test_no_text_makes_the_detector_crash(texts: list[str]) -> None:
    guess = detect_language(texts)
    assert 0.0 <= guess.confidence <= 1.0
    assert all(row < len(texts) for row in find_foreign_lines(texts, "en"))
