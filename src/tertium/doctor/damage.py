"""Patterns that betray a broken text, and the search for the lines that have them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.doctor.finding import Finding, Severity

__all__ = ["ENTITIES", "TEXT_DAMAGES", "Damage", "find_damages"]

# Lines per search: so few that most blocks of a clean text have none of the marks and are done.
BLOCK_LINES = 256


@dataclass(frozen=True)
class Damage:
    """A kind of damage that a regular expression can see; no match may span two lines.

    `marks` are characters of which every match has at least one: searching for them first is what makes
    a clean text cheap. For the same reason patterns begin with a character or a class of characters
    and look back for what must stand before. `problem` may show the first match as `{example}`, or the
    whole word around it if `shows_word`.
    """

    code: str
    severity: Severity
    pattern: re.Pattern[str]
    marks: str
    problem: str
    remedy: str
    shows_word: bool = False


ENTITIES = Damage(
    code="html-entities",
    severity="warning",
    pattern=re.compile(r"& ?(?:amp|quot|apos|lt|gt|nbsp|#\d{1,6}|#x[0-9a-f]{1,5}) ?;", re.IGNORECASE),
    marks="&",
    problem="HTML entities such as {example} stand where characters should",
    remedy="decode them, for example with Python's html.unescape",
)

_TAGS = Damage(
    code="markup",
    severity="warning",
    pattern=re.compile(
        r"</?(?:a|b|i|u|p|br|hr|em|strong|span|div|font|img|table|tr|t[dh]|[uo]l|li|h[1-6]|su[bp]"
        r"|seg|doc|hl|(?:src|ref|tst)set)(?:\s[^<>\n]{0,200}=[^<>\n]{0,200})?\s?/?>",
        re.IGNORECASE,
    ),
    marks="<",
    problem="markup such as {example} is left in the text",
    remedy="remove the tags; read SGML and XML files as such, not as plain text",
)

# The bytes 80–BF, which continue a UTF-8 character, as Latin-1 and as Windows-1252 show them.
_CONTINUATION = "[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]"
# The same bytes in Windows-1251.
_CYRILLIC_CONTINUATION = "[ЂЃѓЉЊЌЋЏђљњќћџЎўЈҐЁЄЇІіґёєјЅѕї\u00a0-\u00bf€‚„…†‡‰‹‘’“”•–—™›№]"
_C1_CONTROL = "[\u0080-\u0084\u0086-\u009f]"
_LEADS = "ÃÄÅÎÏÐÑØÙ"
_MISREAD = "UTF-8 was read in another encoding: {example} stands for other characters"
_READ_AGAIN = "convert the original again as UTF-8, or repair it with ftfy"

_MOJIBAKE = Damage(
    code="mojibake",
    severity="warning",
    pattern=re.compile(
        rf"[Â-ô](?={_CONTINUATION})(?:"
        rf"(?<=[ÂÃ])(?:(?<![A-ZÀ-Þ].){_CONTINUATION}|{_CONTINUATION}(?=[a-z]))"  # AMANHÃ” is a word
        rf"|(?<=â)[\u0080\u0082\u0084\u0086€‚„†]{_CONTINUATION}"
        rf"|{_C1_CONTROL}"  # no text has these on purpose
        rf"|(?<=[{_LEADS}]){_CONTINUATION}[{_LEADS}]{_CONTINUATION}"
        rf"|(?<=ð)Ÿ{_CONTINUATION})"
    ),
    marks="".join(map(chr, range(ord("Â"), ord("ô") + 1))),
    problem=_MISREAD,
    remedy=_READ_AGAIN,
)

_CYRILLIC_MOJIBAKE = Damage(
    code="mojibake",
    severity="warning",
    pattern=re.compile(rf"[РС]{_CYRILLIC_CONTINUATION}(?:[РС]{_CYRILLIC_CONTINUATION}){{2}}"),
    marks="°µЅѕЃ",  # а, е, н, о, с: hardly a word is without them
    problem=_MISREAD,
    remedy=_READ_AGAIN,
)

_REPLACEMENT = Damage(
    code="replacement-character",
    severity="warning",
    pattern=re.compile("\ufffd"),
    marks="\ufffd",
    problem="characters were lost in a conversion and became U+FFFD",
    remedy="convert the original again, with its true encoding",
)

_SUBWORDS = Damage(
    code="subwords",
    severity="warning",
    pattern=re.compile(r"@@(?<=\w@@)(?= |\n|\Z)|▁|￭|##(?<= ##)(?=\w)"),
    marks="@▁￭#",
    problem="subword marks such as {example} are left over from BPE or SentencePiece",
    remedy="join the pieces: `sed 's/@@ //g'`, or decode with the model that split them",
)

_LATIN, _CYRILLIC = "A-Za-zÀ-ÖØ-öø-ɏ", "Ѐ-ӿ"
# Letters that look like those of another script: Cyrillic and Greek ones like Latin, Latin ones like Cyrillic.
_LIKE_LATIN, _LIKE_CYRILLIC = "аеорсухіѕјАВЕКМНОРСТУХІЅЈοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aceopxyABCEHKMOPTX"
_LOOKALIKES = Damage(
    code="mixed-scripts",
    severity="warning",
    pattern=re.compile(
        rf"[{_LATIN}](?:(?=[{_LIKE_LATIN}])|(?<=[{_LIKE_LATIN}].)"
        rf"|(?<=[{_LIKE_CYRILLIC}])(?:(?=[{_CYRILLIC}])|(?<=[{_CYRILLIC}].)))\w*"
    ),
    marks=_LIKE_LATIN + "бвгджзийклмнптфхцчшщыэюя",
    problem="two scripts within a word, as in {example}: letters that look alike but never match",
    remedy="write the word in one script, in every file alike",
    shows_word=True,
)

TEXT_DAMAGES = (ENTITIES, _TAGS, _MOJIBAKE, _CYRILLIC_MOJIBAKE, _REPLACEMENT, _SUBWORDS, _LOOKALIKES)


def find_damages(lines: Sequence[str], damages: Sequence[Damage], *, file: str) -> list[Finding]:
    """Search a text for several kinds of damage and report each kind once."""
    rows: dict[Damage, list[int]] = {damage: [] for damage in damages}
    examples: dict[Damage, str] = {}
    for first, block, damage, matches in _search(lines, damages):
        if damage not in examples:
            examples[damage] = _word_around(matches[0]) if damage.shows_word else matches[0].group()
        rows[damage].extend(first + row for row in _rows_of([match.start() for match in matches], block))
    return [_report(damage, rows[damage], examples[damage], file) for damage in damages if rows[damage]]


def _search(
    lines: Sequence[str], damages: Sequence[Damage]
) -> Iterator[tuple[int, Sequence[str], Damage, list[re.Match[str]]]]:
    for first in range(0, len(lines), BLOCK_LINES):
        block = lines[first : first + BLOCK_LINES]
        text = "\n".join(block)
        for damage in damages:
            if any(mark in text for mark in damage.marks) and (
                matches := list(damage.pattern.finditer(text))
            ):
                yield first, block, damage, matches


def _word_around(match: re.Match[str]) -> str:
    before = re.search(r"\w*$", match.string[: match.start()])
    return f"{before.group() if before else ''}{match.group()}"


def _rows_of(positions: Sequence[int], block: Sequence[str]) -> list[int]:
    """Tell which lines of a joined block the positions lie in."""
    ends = np.cumsum([len(line) + 1 for line in block])
    rows: list[int] = np.unique(np.searchsorted(ends, positions, side="right")).tolist()
    return rows


def _report(damage: Damage, rows: Sequence[int], example: str, file: str) -> Finding:
    return Finding.at(
        rows,
        severity=damage.severity,
        file=file,
        problem=damage.problem.format(example=repr(example)),  # repr shows what a terminal would hide or obey
        remedy=damage.remedy,
        code=damage.code,
    )
