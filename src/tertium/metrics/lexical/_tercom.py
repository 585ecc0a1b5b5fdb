"""Tercom's treatment of punctuation before TER cuts text at white space, as sacreBLEU 2.6 has it."""

import re

__all__ = ["normalize_tercom"]

_GENERAL = [
    (re.compile("\n-"), ""),
    (re.compile("\n"), " "),
    (re.compile("&quot;"), '"'),
    (re.compile("&amp;"), "&"),
    (re.compile("&lt;"), "<"),
    (re.compile("&gt;"), ">"),
]
# The text is padded with a space on both sides before these, so a rule for its very end never applies.
_WESTERN = [
    (re.compile(r"([{-~\[-` -&(-+:-@/])"), r" \1 "),
    (re.compile(r"'s "), r" 's "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]
_IDEOGRAPHIC_MARKS = r"[\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb]"
_FULL_WIDTH_MARKS = r"[\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09]"
# Each range as sacreBLEU writes it: its "enclosed letters" end at U+3F22, not U+32FF. Its rules for kana
# ask for the text's beginning, where the padding stands, so kana stay together.
_ASIAN = [
    (re.compile(f"({characters})"), r" \1 ")
    for characters in (
        r"[\u4e00-\u9fff\u3400-\u4dbf]",
        r"[\u31c0-\u31ef\u2e80-\u2eff]",
        r"[\u3300-\u33ff\uf900-\ufaff\ufe30-\ufe4f]",
        r"[\u3200-\u3f22]",
        _IDEOGRAPHIC_MARKS,
        _FULL_WIDTH_MARKS,
    )
]
_MARKS = re.compile(r'[.,?:;!"()]')
_ASIAN_MARKS = re.compile(f"{_IDEOGRAPHIC_MARKS}|{_FULL_WIDTH_MARKS}")


def normalize_tercom(text: str, *, normalized: bool, no_punct: bool, asian_support: bool) -> str:
    """Split off (`normalized`) or remove (`no_punct`) punctuation; `asian_support` does so for CJK text too.

    The words of the result are separated by one space each, which matters when it is normalised again.
    """
    text = text.rstrip()
    if not text:
        return ""
    if normalized:
        text = f" {_apply(_GENERAL, text)} "
        text = _apply(_WESTERN, text)
        text = _apply(_ASIAN, text) if asian_support else text
    if no_punct:
        text = _MARKS.sub("", text)
        text = _ASIAN_MARKS.sub("", text) if asian_support else text
    return " ".join(text.split())


def _apply(rules: list[tuple[re.Pattern[str], str]], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text
