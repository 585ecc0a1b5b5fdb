"""Numerals: numbers of the source that the output must have, in any local form."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tertium.metrics.checks._base import Check, CheckOutcome
from tertium.records import record

# A run of digits with the marks that numbers, dates and times have between them.
_RUN = re.compile(r"\d+(?:(?:[.,:/'’-]|(?<=\d)[\u00a0\u202f ](?=\d{3}(?!\d)))\d+)*")
_GROUPS = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+")  # 1,234,567 or 1 234 567
_DECIMAL = re.compile(r"\d+[.,]\d+|\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+[.,]\d+")
_TIME = re.compile(r"(\d{1,2})[:.]([0-5]\d)")
_HOUR = re.compile(r"\s*(?:uhr\b|h\b|時|点|點|时|[ap]\.?m\b|o.clock\b|hod|час|годин)", re.IGNORECASE)
_MONTH = re.compile(r"\s*月")

# Words for small whole numbers, which translators write instead of digits. Longer inflected forms begin with them.
_WORDS: dict[str, tuple[str, ...]] = {
    "0": ("zero", "null", "zéro", "cero", "nula", "ноль", "нуль", "零", "núll", "nulla", "sifili"),
    "1": ("one", "first", "once", "ein", "eins", "erst", "un", "une", "premier", "uno", "una", "primer", "jed", "prvn", "první",
          "один", "одна", "одно", "одну", "перв", "одного", "一", "ひと", "einn", "fyrst", "i", "daya", "single", "jeden"),
    "2": ("two", "second", "twice", "both", "zwei", "zweit", "beid", "deux", "second", "dos", "segund", "dv", "druh", "два", "две", "двух",
          "втор", "дві", "друг", "两", "二", "ふた", "tv", "tve", "annar", "ii", "biyu", "pair", "double", "oba", "obě"),
    "3": ("three", "third", "drei", "dritt", "trois", "troisième", "tres", "tercer", "tři", "tří", "třet", "три", "трех", "трёх", "трет", "三",
          "þrj", "þrír", "þriðj", "iii", "uku", "triple"),
    "4": ("four", "vier", "quatr", "cuatro", "cuart", "čtyř", "čtvrt", "четыр", "четв", "чотир", "四", "fjór", "iv", "hudu"),
    "5": ("five", "fifth", "fünf", "cinq", "cinco", "quint", "pět", "pát", "пять", "пяти", "пят", "п'ят", "五", "fimm", "biyar"),
    "6": ("six", "sechs", "sixième", "seis", "sext", "šest", "шест", "шість", "шост", "六", "sex", "sjött", "vi", "shida"),
    "7": ("seven", "sieben", "siebt", "sept", "siete", "séptim", "sedm", "семь", "семи", "седьм", "сім", "сьом", "七", "sjö", "bakwai"),
    "8": ("eight", "acht", "huit", "ocho", "octav", "osm", "восемь", "восьм", "вісім", "восьм", "八", "átta", "átt", "takwas"),
    "9": ("nine", "ninth", "neun", "neuf", "nueve", "noven", "devět", "devát", "девять", "девят", "дев'ят", "九", "níu", "tara"),
    "10": ("ten", "zehn", "dix", "diez", "décim", "deset", "desát", "десять", "десят", "十", "tíu", "goma"),
    "11": ("eleven", "elf", "onze", "once", "jedenáct", "одиннадцат", "одинадцят", "十一", "ellefu"),
    "12": ("twelve", "twelfth", "zwölf", "douze", "doce", "dvanáct", "двенадцат", "дванадцят", "十二", "tólf", "dozen"),
}  # fmt: skip

_MONTHS: dict[str, tuple[str, ...]] = {
    str(number): names
    for number, names in enumerate(
        (
            ("jan", "led", "янв", "січ"), ("feb", "fév", "feb", "úno", "фев", "лют"), ("mar", "mär", "bře", "мар", "бер"),
            ("apr", "avr", "abr", "dub", "апр", "квіт"), ("may", "mai", "kvě", "ма", "трав"), ("jun", "juin", "červ", "июн", "черв"),
            ("jul", "juil", "červenc", "июл", "лип"), ("aug", "aoû", "ago", "srp", "авг", "серп"), ("sep", "zář", "сент", "верес"),
            ("oct", "okt", "říj", "окт", "жовт"), ("nov", "list", "ноя", "листоп"), ("dec", "dez", "déc", "dic", "pros", "дек", "груд"),
        ),
        start=1,
    )
}  # fmt: skip

# Words behind a number that multiply it.
_SCALES: dict[int, tuple[str, ...]] = {
    1_000: ("thousand", "tausend", "mille", "mil", "tisíc", "tis", "тысяч", "тыс", "тисяч", "тис", "千", "þúsund", "k"),
    10_000: ("万", "萬"),
    1_000_000: ("million", "millionen", "mio", "millones", "milion", "mil", "миллион", "млн", "мільйон", "百万", "milljón", "m"),
    100_000_000: ("亿", "億"),
    1_000_000_000: ("billion", "milliard", "milliarden", "mrd", "mld", "миллиард", "млрд", "мільярд", "milljarð", "bn", "十亿"),
    1_000_000_000_000: ("trillion", "billion", "billionen", "bilion", "триллион", "трлн", "трильйон", "兆"),
}  # fmt: skip


@record
class NumberItem:
    """A number as it is written, the values that it may mean, and words with the same meaning.

    A value is a number, or the minutes after noon or midnight of a time.
    """

    text: str
    values: frozenset[Fraction | tuple[str, int]]
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Numerals(Check):
    """100 · the share of numbers that source and output have in common, in any local form.

    1,234.5 and 1.234,5 and 1 234,5 are the same number, and 19:30, 19.30 Uhr and 7:30 pm the same time; where a form
    is ambiguous (1,234), each reading counts. The parts of a date are compared one by one. A number may be followed by a
    word such as million or 万, whole numbers up to twelve may be written as words of some larger languages, and months by
    their names. Each missing and each added number is a fault; an added number up to
    twelve is not, because the source may write it as a word. A segment without numbers scores 100.

    >>> Numerals().sentence_score("Es kostet 1.250,50 Euro.", source="It costs 1,250.50 euros.").score
    100.0
    """

    def check(self, hypothesis: str, source: str) -> CheckOutcome:
        expected, present = list_numbers(source), list_numbers(hypothesis)
        missing, added = match_numbers(expected, present)
        lost = [each for each in missing if not _has_word(each, hypothesis)]
        new = [each for each in added if not _is_small(each)]
        faults = [f"missing number: {each.text}" for each in lost] + [
            f"added number: {each.text}" for each in new
        ]
        return CheckOutcome(len(expected) + len(new), tuple(faults))


def list_numbers(text: str) -> list[NumberItem]:
    """List the numbers of a text.

    >>> [sorted(map(str, item.values)) for item in list_numbers("1,234 or 2.5 million")]
    [['1234', '617/500'], ['2500000', '5/2']]
    >>> [item.text for item in list_numbers("12.12.2019, 19:30")]
    ['12', '12', '2019', '19:30']
    """
    plain = "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in text)
    return [item for found in _RUN.finditer(plain) for item in _read_run(found[0], plain[found.end() :])]


def _read_run(run: str, behind: str) -> Iterator[NumberItem]:
    if run.isdigit() or _GROUPS.fullmatch(run) or _DECIMAL.fullmatch(run) or _TIME.fullmatch(run):
        yield _read_item(run, behind)
        return
    parts = re.split(r"[:/'’\u00a0\u202f -]", run)
    if len(parts) == 1:
        parts = re.split(r"[.,]", run)  # a date or a version
    for number, part in enumerate(parts, start=1):
        yield from _read_run(part, behind if number == len(parts) else "") if len(parts) > 1 else ()


def _read_item(text: str, behind: str) -> NumberItem:
    values: set[Fraction | tuple[str, int]] = set()
    for value in _read_digits(text) if ":" not in text else ():
        values.add(value)
        values |= {value * scale for scale in _find_scales(behind)}
    if time := _TIME.fullmatch(text):
        values.add(("time", int(time[1]) % 12 * 60 + int(time[2])))
    elif text.isdigit() and len(text) <= 2 and _HOUR.match(behind):
        values.add(("time", int(text) % 12 * 60))
    words = _WORDS.get(text.lstrip("0") or "0", ())
    if _MONTH.match(behind):
        words += _MONTHS.get(text, ())
    return NumberItem(text, frozenset(values), words)


def match_numbers(
    expected: list[NumberItem], present: list[NumberItem]
) -> tuple[list[NumberItem], list[NumberItem]]:
    """Match each expected number with one that may mean the same; return those that are missing and added."""
    places: dict[Fraction | tuple[str, int], list[int]] = {}
    for place in reversed(range(len(present))):
        for value in present[place].values:
            places.setdefault(value, []).append(place)
    free, missing = set(range(len(present))), []
    for item in expected:
        found = [_find_free(places.get(value, []), free) for value in item.values]
        known = [place for place in found if place is not None]
        if known:
            free.remove(min(known))
        else:
            missing.append(item)
    rest = [present[place] for place in sorted(free)]
    return missing, rest


def _find_free(places: list[int], free: set[int]) -> int | None:
    """Return the first place that is free, without removing it; drop places that are taken."""
    while places and places[-1] not in free:
        places.pop()
    return places[-1] if places else None


def _read_digits(digits: str) -> Iterator[Fraction]:
    """List the values of digits with marks: every mark separates groups of three, or the last one decimals."""
    text = re.sub(r"['’\u00a0\u202f ]", "", digits)
    marks = [mark for mark in text if mark in ".,"]
    if not marks:
        yield Fraction(text)
        return
    whole = re.sub(r"[.,]", "", text)
    if all(len(group) == 3 for group in re.split(r"[.,]", text)[1:]):
        yield Fraction(whole)
    before, mark, decimals = text.rpartition(marks[-1])
    if marks.count(mark) == 1:
        yield Fraction(f"{re.sub(r'[.,]', '', before)}.{decimals}")


def _find_scales(behind: str) -> Iterator[int]:
    word = behind.lstrip(" -\u00a0\u202f")[:14].lower()
    for scale, names in _SCALES.items():
        # Short names, such as m or mil, must be whole words; a sign needs no end.
        if any(
            re.match(rf"{name}\b" if len(name) <= 3 and name.isalpha() and name < "\u2e80" else name, word)
            for name in names
        ):
            yield scale


def _is_small(item: NumberItem) -> bool:
    return any(isinstance(value, tuple) or (value <= 12 and value.denominator == 1) for value in item.values)


def _has_word(item: NumberItem, text: str) -> bool:
    lowered = text.lower()
    words = re.findall(r"\w+", lowered)
    return any(
        name in lowered
        if not name.isascii() and len(name) == 1
        else any(word.startswith(name) for word in words)
        for name in item.words
    )
