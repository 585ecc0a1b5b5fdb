"""Numerals: numbers of the source that the output must have, in any local form."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from tertium.metrics.checks._base import NOTHING, Check, CheckOutcome
from tertium.records import record

_DIGIT = re.compile(r"\d")
_LONGEST = 100  # digits and marks of a number; longer ones must be written in the same way

# A run of digits with the marks that numbers, dates and times have between them.
# Spaces separate groups of three only if no other mark does: 2,000 737s are two numbers.
_PART = r"\d+(?:[.,]\d+)?(?:[十百千]?[万萬億亿兆]|[十百千])"
_RUN = re.compile(
    rf"(?P<sum>(?:{_PART}){{2,}}\d*|{_PART}\d+)"
    r"|\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,:/'’-]\d+)*"
)
_SUM = re.compile(r"(\d+(?:[.,]\d+)?)([十百千]?[万萬億亿兆]|[十百千])?")  # 1万1000
_SIGNS = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})+,\d{3}")  # 2,06,737
_GROUPS = re.compile(r"\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+")  # 1,234,567 or 1 234 567
_DECIMAL = re.compile(r"\d+[.,]\d+|\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+[.,]\d+")
_TIME = re.compile(r"(\d{1,2})[:.]([0-5]\d)")
_HOUR = re.compile(r"\s*(?:uhr\b|h\b|時|点|點|时|[ap]\.?m\b|o.clock\b|hod|час|годин)", re.IGNORECASE)
_AFTERNOON = re.compile(r"\s*p\.?m\b", re.IGNORECASE)
_HALF_HOUR = re.compile(r"[点點時时]半")
_MONTH = re.compile(r"\s*月")
_SHORT_YEAR = re.compile(r"(?:年代|年|s\b)")  # the 60s, 04年
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_NAMES = re.compile(
    r"covid[- ]?19|sars-cov-?2", re.IGNORECASE
)  # many languages name the disease without a number

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
    10: ("割",),
    1_000: ("thousand", "tausend", "mille", "mil", "tisíc", "tis", "тысяч", "тыс", "тисяч", "тис", "千", "þúsund", "k"),
    10_000: ("万", "萬"),
    100_000: ("lakh",),
    10_000_000: ("crore",),
    1_000_000: ("million", "millionen", "mio", "millones", "milion", "mil", "миллион", "млн", "мільйон", "百万", "milljón", "m"),
    100_000_000: ("亿", "億"),
    1_000_000_000: ("billion", "milliard", "milliarden", "mrd", "mld", "миллиард", "млрд", "мільярд", "milljarð", "bn", "十亿"),
    1_000_000_000_000: ("trillion", "billion", "billionen", "bilion", "триллион", "трлн", "трильйон", "兆"),
}  # fmt: skip

# Short names, such as m or mil, must be whole words; a sign needs no end.
_SCALE_NAMES = {
    scale: re.compile(
        "|".join(rf"{name}\b" if len(name) <= 3 and name < "\u2e80" else name for name in names)
    )
    for scale, names in _SCALES.items()
}

# Units behind a number, by what they measure and their size; money has no fixed rates.
_UNITS: tuple[tuple[str, float, str], ...] = (
    ("length", 1000, r"km\b|kilomet|kilómet|kilomèt|километр|км\b|公里|千米|キロメートル"),
    ("length", 0.01, r"cm\b|[cz]entim|sentím|сантиметр|см\b|厘米|公分|センチ"),
    ("length", 0.001, r"mm\b|mil+im|миллиметр|міліметр|мм\b|毫米"),
    ("length", 1, r"m\b|met(?:er|re)|metr|mètr|metro|метр|米(?![国國ド])|メートル"),
    ("length", 1609.344, r"mi(?:les?)?\b|meile|míl|мил[ьяи]|英里|マイル"),
    ("length", 0.3048, r"ft\b|feet\b|foot\b|fuß\b|stop\b|фут|英尺|フィート"),
    ("length", 0.0254, r"inch|zoll\b|palc|дюйм|英寸|インチ"),
    ("length", 0.9144, r"yards?\b|yd\b|ярд|码|ヤード"),
    ("mass", 1, r"kg\b|kilogram|kilos?\b|килограмм|кг\b|公斤|千克|キログラム"),
    ("mass", 0.45359237, r"lbs?\b|磅"),
    ("mass", 0.5, r"斤|jin\b"),
    ("mass", 1000, r"tonn|tons?\b|тонн|吨|トン"),
    ("area", 10_000, r"ha\b|h[ea][ck]t[aá]r|гектар|公顷|ヘクタール"),
    ("area", 4046.856, r"acres?\b|акр|英亩|エーカー"),
    ("area", 666.667, r"亩|mu\b"),
    ("share", 1, r"[%％‰]|per ?cent|prozent|procent|prosent|процент|відсот|por ciento|pour cent|パーセント"),
    ("money", 1, r"us-dollar|dollar|доллар|долар|美元|ドル"),
    ("money", 2, r"euro|евро|євро|欧元|ユーロ"),
    ("money", 3, r"yen\b|円|日元"),
    ("money", 4, r"yuan|юан|人民币|元"),
)  # fmt: skip
_UNIT = re.compile(
    "[ \u00a0\u202f-]?(?:" + "|".join(f"({names})" for _, _, names in _UNITS) + ")", re.IGNORECASE
)
_MONEY = {"$": ("money", 1.0), "€": ("money", 2.0)}
_ROUNDED = 0.12  # a converted number may be rounded by this share

# Words for the tens from 20 and for the numbers from 13 to 19; units are those of _WORDS.
_TENS = {
    "en": ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
    "de": ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"),
    "cs": ("dvacet", "třicet", "čtyřicet", "padesát", "šedesát", "sedmdesát", "osmdesát", "devadesát"),
    "ru": ("двадцат", "тридцат", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяност"),
    "fr": ("vingt", "trente", "quarante", "cinquante", "soixante", "soixante-dix", "quatre-vingt", "quatre-vingt-dix"),
}  # fmt: skip
_UNITS_IN_WORDS = {
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    "de": ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"),
    "cs": ("jedna", "dva", "tři", "čtyři", "pět", "šest", "sedm", "osm", "devět"),
    "ru": ("один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять"),
    "fr": ("et-un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
}
_TEENS = {
    "en": ("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    "de": ("dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"),
    "cs": ("třináct", "čtrnáct", "patnáct", "šestnáct", "sedmnáct", "osmnáct", "devatenáct"),
    "ru": ("тринадцат", "четырнадцат", "пятнадцат", "шестнадцат", "семнадцат", "восемнадцат", "девятнадцат"),
    "fr": ("treize", "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf"),
}
_HUNDRED = ("hundred", "hundert", "einhundert", "sto", "cent", "сто")


def _spell(number: int) -> tuple[str, ...]:
    """List the words for a number from 13 to 100 in some languages; inflected forms begin with them.

    >>> _spell(31)[:3]
    ('thirty-one', 'thirty one', 'einunddreißig')
    """
    if number == 100:
        return _HUNDRED
    if 13 <= number <= 19:
        return tuple(words[number - 13] for words in _TEENS.values())
    tens, unit = divmod(number, 10)
    if not 2 <= tens <= 9:
        return ()
    by_language = {language: words[tens - 2] for language, words in _TENS.items()}
    if not unit:
        return tuple(by_language.values())
    forms: list[str] = []
    for language, ten in by_language.items():
        one = _UNITS_IN_WORDS[language][unit - 1]
        joined = {"de": (f"{one}und{ten}",), "cs": (f"{ten} {one}", f"{one}a{ten}")}
        forms += joined.get(language, (f"{ten}-{one}", f"{ten} {one}"))
    return tuple(forms)


@record
class NumberItem:
    """A number as it is written, the values that it may mean, words with the same meaning, and its unit.

    A value is a number, or the minutes after noon or midnight of a time. A unit is what it measures, and its size.
    """

    text: str
    values: frozenset[Fraction | tuple[str, int]]
    words: tuple[str, ...] = ()
    unit: tuple[str, float] | None = None

    @property
    def amount(self) -> float:
        """The number in the base unit, by its largest plain value."""
        plain = [float(value) for value in self.values if isinstance(value, Fraction)]
        return max(plain, default=0.0) * (self.unit[1] if self.unit else 1.0)


@dataclass(frozen=True)
class Numerals(Check):
    """100 · the share of numbers that source and output have in common, in any local form.

    1,234.5 and 1.234,5 and 1 234,5 are the same number, as are 2,06,737 and 206,737, and 1万1000 and 11,000; 19:30, 19.30 Uhr
    and 7:30 pm are the same time; where a form is ambiguous (1,234), each reading counts. The parts of a date are compared
    one by one, months by their names too, years by two digits or in Japanese eras. A number may be followed by a word such
    as million, lakh or 万. Whole numbers up to twelve may be written as words of some larger languages, and those up to a
    hundred in English, German, Czech, Russian and French. A number with another unit of length, mass or area is the same
    if it is converted (80 feet, 25 Meter, within 12 %); the same number with another unit or currency is a fault. Each
    missing, added or changed number is a fault; an added number up to twelve is not, because the source may write it as a word,
    nor is the number of COVID-19. A segment without numbers scores 100.

    >>> Numerals().sentence_score("Es kostet 1.250,50 Euro.", source="It costs 1,250.50 euros.").score
    100.0
    """

    def check(self, hypothesis: str, source: str) -> CheckOutcome:
        expected, present = list_numbers(source), list_numbers(hypothesis)
        if not (expected or present):
            return NOTHING
        missing, added, pairs = match_numbers(expected, present)
        lost = [number for number in missing if not _has_word(number, hypothesis)]
        new = [number for number in added if not _is_small(number) and not _has_word(number, source)]
        _drop_converted(lost, new)
        changed = [
            f"changed unit: {one.text} in the source" for one, other in pairs if _has_other_unit(one, other)
        ]
        faults = [f"missing number: {number.text}" for number in lost]
        faults += [*(f"added number: {number.text}" for number in new), *changed]
        return CheckOutcome(len(expected) + len(new), tuple(faults))


def _drop_converted(lost: list[NumberItem], new: list[NumberItem]) -> None:
    """Remove pairs of a lost and a new number that are the same amount in different units."""
    for one in list(lost):
        other = next((number for number in new if _is_converted(one, number)), None)
        if other is not None:
            lost.remove(one)
            new.remove(other)


def _is_converted(one: NumberItem, other: NumberItem) -> bool:
    if not _has_other_unit(one, other) or one.unit[0] == "money" or not other.amount:  # type: ignore[index]
        return False
    return abs(one.amount / other.amount - 1) <= _ROUNDED


def _has_other_unit(one: NumberItem, other: NumberItem) -> bool:
    """Whether two numbers have different units of the same kind."""
    return bool(one.unit and other.unit and one.unit[0] == other.unit[0] and one.unit != other.unit)


def list_numbers(text: str) -> list[NumberItem]:
    """List the numbers of a text.

    >>> [sorted(map(str, item.values)) for item in list_numbers("1,234 or 2.5 million")]
    [['1234', '617/500'], ['2500000', '5/2']]
    >>> [item.text for item in list_numbers("12.12.2019, 19:30")]
    ['12', '12', '2019', '19:30']
    """
    if not _DIGIT.search(text):
        return []
    plain = text if text.isascii() else _DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text)
    plain = _NAMES.sub(lambda found: " " * len(found[0]), plain)
    items: list[NumberItem] = []
    for found in _RUN.finditer(plain):
        before, behind = (
            plain[max(0, found.start() - 4) : found.start()],
            plain[found.end() : found.end() + 24],
        )
        if len(found[0]) > _LONGEST:
            items.append(NumberItem(found[0], frozenset({(found[0], 0)}), (), None))
        elif found["sum"]:
            items.append(NumberItem(found[0], frozenset({_add_up(found[0])}), (), _find_unit(before, behind)))
        else:
            items += _read_run(found[0], before, behind)
    return items


def _add_up(text: str) -> Fraction:
    """Add the parts of a number such as 3億5000万 or 1万1000."""
    total = Fraction(0)
    for digits, signs in _SUM.findall(text):
        value = Fraction(digits.replace(",", "."))
        for sign in signs:
            value *= _SIGNS[sign]
        total += value
    return total


def _find_unit(before: str, behind: str) -> tuple[str, float] | None:
    for sign, unit in _MONEY.items():
        if before.endswith(sign) or behind.lstrip()[:1] == sign:
            return unit
    found = _UNIT.match(behind)
    if found is None or found.lastindex is None:
        return None
    kind, size, _ = _UNITS[found.lastindex - 1]
    return kind, float(size)


def _read_run(run: str, before: str, behind: str) -> Iterator[NumberItem]:
    forms = (_GROUPS, _DECIMAL, _TIME, _INDIAN)
    if run.isdigit() or any(form.fullmatch(run) for form in forms):
        yield _read_item(run, before, behind)
        return
    parts = re.split(r"[:/'’\u00a0\u202f -]", run)
    if len(parts) == 1:
        parts = re.split(r"[.,]", run)  # a date or a version
    for number, part in enumerate(parts, start=1) if len(parts) > 1 else ():
        for item in _read_run(part, "", behind if number == len(parts) else ""):
            months = _MONTHS.get(part.lstrip("0"), ()) if len(parts) <= 3 else ()  # the month of a date
            yield replace(item, words=item.words + months)


def _read_item(text: str, before: str, behind: str) -> NumberItem:
    values: set[Fraction | tuple[str, int]] = set()
    for value in _read_digits(text) if ":" not in text else ():
        values.add(value)
        values |= {value * scale for scale in _find_scales(behind)}
    if time := _TIME.fullmatch(text):
        values.add(("time", int(time[1]) % 12 * 60 + int(time[2])))
    elif text.isdigit() and len(text) <= 2 and _HOUR.match(behind):
        values.add(("time", int(text) % 12 * 60))
    if text.isdigit() and len(text) <= 2:
        values |= _read_short(int(text), before, behind)
    words = _WORDS.get(text.lstrip("0") or "0", ()) + (
        _spell(int(text)) if text.isdigit() and len(text) < 4 else ()
    )
    if _MONTH.match(behind):
        words += _MONTHS.get(text, ())
    return NumberItem(text, frozenset(values), words, _find_unit(before, behind))


def _read_short(number: int, before: str, behind: str) -> set[Fraction | tuple[str, int]]:
    """List further values of a number of one or two digits: an hour, a year without its century, a year of an era."""
    values: set[Fraction | tuple[str, int]] = set()
    if _AFTERNOON.match(behind) and number < 12:
        values.add(Fraction(number + 12))
    if _HALF_HOUR.match(behind):
        values.add(("time", number % 12 * 60 + 30))
    if _SHORT_YEAR.match(behind) or before.endswith(("'", "’")):
        values |= {Fraction(1900 + number), Fraction(2000 + number)}
    era = _ERAS.get(before[-2:])
    return values if era is None else values | {Fraction(era + number)}


def match_numbers(
    expected: list[NumberItem], present: list[NumberItem]
) -> tuple[list[NumberItem], list[NumberItem], list[tuple[NumberItem, NumberItem]]]:
    """Match each expected number with one that may mean the same; return the missing, the added and the matched numbers."""
    places: dict[Fraction | tuple[str, int], list[int]] = {}
    for place in reversed(range(len(present))):
        for value in present[place].values:
            places.setdefault(value, []).append(place)
    free, missing, pairs = set(range(len(present))), [], []
    for item in expected:
        found = [_find_free(places.get(value, []), free) for value in item.values]
        known = [place for place in found if place is not None]
        if known:
            free.remove(min(known))
            pairs.append((item, present[min(known)]))
        else:
            missing.append(item)
    rest = [present[place] for place in sorted(free)]
    return missing, rest, pairs


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
    if _INDIAN.fullmatch(text):
        yield Fraction(whole)
        return
    if all(len(group) == 3 for group in re.split(r"[.,]", text)[1:]):
        yield Fraction(whole)
    before, mark, decimals = text.rpartition(marks[-1])
    if marks.count(mark) == 1:
        yield Fraction(f"{re.sub(r'[.,]', '', before)}.{decimals}")


def _find_scales(behind: str) -> Iterator[int]:
    word = behind.lstrip(" -\u00a0\u202f")[:14].lower()
    return (scale for scale, names in _SCALE_NAMES.items() if names.match(word))


def _is_small(item: NumberItem) -> bool:
    return any(isinstance(value, tuple) or (value <= 12 and value.denominator == 1) for value in item.values)


def _has_word(item: NumberItem, text: str) -> bool:
    lowered = text.lower()
    words = re.findall(r"\w+", lowered)
    return any(
        (name in lowered if not name.isascii() or not name.isalpha() else False)
        if len(name) == 1 or " " in name or "-" in name
        else any(word.startswith(name) for word in words)
        for name in item.words
    )
