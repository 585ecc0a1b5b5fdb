"""Checks of a single text: damaged lines, languages and style."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tertium.diagnosis.finding import Finding, Severity
from tertium.diagnosis.languages import check_spaces
from tertium.text.detection import (
    CASED_SCRIPTS,
    TextLanguage,
    count_scripts,
    name_main_script,
    sample_texts,
)

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


# No space before " ?" and " !", which French typography writes, nor before the Hindi danda.
_SPACED_ENDS = (" .", " 。", ' . "', " . ”", " . '")
_ENDS = (".", "。", '."', ".”")

_CURLY_QUOTES = "“”„"
_CURLY_APOSTROPHE = "’"

QuoteStyle = Literal["straight", "curly"]


@dataclass(frozen=True)
class Surface:
    """How most of a text is written; None where the text does not tell."""

    script: str | None
    language: str | None
    is_tokenised: bool | None
    is_lowercased: bool
    normal_form: Literal["NFC", "NFD"] | None
    quotation_marks: QuoteStyle | None
    apostrophes: QuoteStyle | None


def describe_surface(
    lines: Sequence[str], *, sample: int = 2000, language: TextLanguage | None = None
) -> Surface:
    """Describe a text by lines taken from all over it; `language` is detected unless it is given."""
    taken = sample_texts(lines, sample)
    script = name_main_script(count_scripts(taken))
    return Surface(
        script=script,
        language=(language or TextLanguage(taken)).guess.code,
        is_tokenised=_is_tokenised(taken),
        is_lowercased=is_lowercased(taken),
        normal_form=_normal_form(taken),
        quotation_marks=_quote_style(taken, '"', _CURLY_QUOTES),
        apostrophes=_quote_style(taken, "'", _CURLY_APOSTROPHE),
    )


def find_tokenised(lines: Sequence[str]) -> list[int]:
    """Find lines with a space before a full stop, a comma, 's or n't."""
    return [
        row
        for row, line in enumerate(lines)
        if " , " in line  # spelled out: the loop over a million lines is worth it
        or line.endswith(_SPACED_ENDS)
        or " 's " in line
        or " n't " in line
        or " ， " in line
    ]


def find_lowercased(lines: Sequence[str]) -> list[int]:
    return [row for row, line in enumerate(lines) if line.islower()]


def find_decomposed(lines: Sequence[str]) -> list[int]:
    """Find lines with a letter and a combining mark that Unicode also has as one character."""
    return [row for row, line in enumerate(lines) if not line.isascii() and _is_decomposed(line)]


def find_composed(lines: Sequence[str]) -> list[int]:
    """Find lines with a character that Unicode can also write as a letter and a combining mark."""
    return [
        row
        for row, line in enumerate(lines)
        if not line.isascii() and not unicodedata.is_normalized("NFD", line)
    ]


def tokenised_rate(lines: Sequence[str], n_tokenised: int) -> float | None:
    """Divide the tokenised lines by all lines that show whether they are tokenised."""
    n_telling = sum(line.endswith(_ENDS) or ", " in line or "，" in line for line in lines)
    total = max(n_tokenised, n_telling)
    return n_tokenised / total if total > 1 else None  # one line is no habit


def is_lowercased(lines: Sequence[str]) -> bool:
    """Whether a text of a script with capitals has next to none."""
    n_lower = len(find_lowercased(lines))
    n_upper = sum(line != line.lower() for line in lines) if n_lower > 1 else len(lines)
    return n_lower > 19 * n_upper and name_main_script(count_scripts(lines)) in CASED_SCRIPTS


def _is_tokenised(lines: Sequence[str]) -> bool | None:
    rate = tokenised_rate(lines, len(find_tokenised(lines)))
    return None if rate is None else rate >= 0.5


def _is_decomposed(line: str) -> bool:
    # Composition exclusions make NFC longer, not shorter; they are no sign of decomposed text.
    return not unicodedata.is_normalized("NFC", line) and len(unicodedata.normalize("NFC", line)) < len(line)


def _normal_form(lines: Sequence[str]) -> Literal["NFC", "NFD"] | None:
    n_decomposed, n_composed = len(find_decomposed(lines)), len(find_composed(lines))
    if n_decomposed > 9 * n_composed:
        return "NFD"
    return "NFC" if n_composed > 9 * n_decomposed else None


def _quote_style(lines: Sequence[str], straight: str, curly: str) -> QuoteStyle | None:
    n_straight = sum(straight in line for line in lines)
    n_curly = sum(any(mark in line for mark in curly) for line in lines if not line.isascii())
    if max(n_straight, n_curly) < max(3, len(lines) / 100):
        return None  # a quotation here and there changes no score
    if n_curly > 9 * n_straight:
        return "curly"
    return "straight" if n_straight > 9 * n_curly else None


# Shorter lines ("Thank you.", "Page 3") repeat in honest texts.
SHORTEST_DUPLICATE = 20

# Enough lines to see a habit.
HABIT_LINES = 2000

# Ten lines of a long paragraph; nobody's sentence.
SHORTEST_LONG_LINE = 2000


def check_text(lines: Sequence[str], *, file: str = "text") -> list[Finding]:
    """Look at one text, line by line, for what damages scores."""
    return [
        *_check_empty_lines(lines, file),
        *find_damages(lines, TEXT_DAMAGES, file=file),
        *_check_duplicates(lines, file),
        *_check_normal_form(lines, file),
        *_check_tokenised(lines, file),
        *_check_lowercased(lines, file),
        *_check_long_lines(lines, file),
        *check_spaces(lines, file),
    ]


def _check_empty_lines(lines: Sequence[str], file: str) -> list[Finding]:
    rows = [row for row, line in enumerate(lines) if not line or line.isspace()]
    if not rows:
        return []
    return [
        Finding.at(
            rows,
            severity="warning",
            file=file,
            problem="empty: as a hypothesis it gets the worst score, as a reference it misleads",
            remedy="look whether the translation failed or text was lost, and translate again",
            code="empty-lines",
        )
    ]


def _check_duplicates(lines: Sequence[str], file: str) -> list[Finding]:
    adjacent, repeated = _find_duplicates(lines)
    findings = []
    if adjacent:
        findings.append(
            Finding.at(
                adjacent,
                severity="warning" if len(adjacent) > max(2, len(lines) / 500) else "note",
                file=file,
                problem="same as the line before",
                remedy="look whether a line was written twice and shifts all that follow",
                code="adjacent-duplicates",
            )
        )
    if repeated:
        findings.append(
            Finding.at(
                repeated,
                severity="warning" if len(repeated) > max(2, len(lines) / 10) else "note",
                file=file,
                problem="same as an earlier line",
                remedy="no harm if the source repeats itself too; otherwise look for a stuck system",
                code="duplicates",
            )
        )
    return findings


def _find_duplicates(lines: Sequence[str]) -> tuple[list[int], list[int]]:
    """Find lines equal to the line before, and lines equal to any other earlier line."""
    adjacent: list[int] = []
    repeated: list[int] = []
    seen: set[str] = set()
    previous = ""
    for row, line in enumerate(lines):
        if len(line) >= SHORTEST_DUPLICATE and line in seen:
            (adjacent if line == previous else repeated).append(row)
        seen.add(line)
        previous = line
    return adjacent, repeated


def _check_normal_form(lines: Sequence[str], file: str) -> list[Finding]:
    decomposed = find_decomposed(lines)
    if not decomposed:
        return []
    composed = find_composed(lines)
    return [
        Finding.at(
            min(decomposed, composed or decomposed, key=len),
            severity="warning" if composed else "note",
            file=file,
            problem="composed (NFC) and decomposed (NFD) letters are mixed, and é never equals e + ´"
            if composed
            else "the text is decomposed (NFD), which most tools do not expect",
            remedy="normalise every file to NFC, for example with `uconv -x nfc`",
            code="mixed-normal-forms" if composed else "decomposed",
        )
    ]


def _check_tokenised(lines: Sequence[str], file: str) -> list[Finding]:
    rows = find_tokenised(lines)
    rate = tokenised_rate(lines, len(rows)) if rows else None
    if rate is None or rate < 0.01 or (len(rows) < 3 and rate < 0.5):
        return []
    return [
        Finding.at(
            rows,
            severity="warning" if rate >= 0.5 else "note",
            file=file,
            problem="the text is tokenised" if rate >= 0.5 else "tokenised, while most lines are not",
            remedy="detokenise it: metrics bring their own tokeniser and expect raw text",
            code="tokenised" if rate >= 0.5 else "partly-tokenised",
        )
    ]


def _check_lowercased(lines: Sequence[str], file: str) -> list[Finding]:
    if not is_lowercased(sample_texts(lines, HABIT_LINES)):
        return []
    return [
        Finding.at(
            find_lowercased(lines),
            severity="note",
            file=file,
            problem="the text is lower-cased",
            remedy="score the true-cased text, or set lowercase for every system and the reference",
            code="lowercased",
        )
    ]


def _check_long_lines(lines: Sequence[str], file: str) -> list[Finding]:
    lengths = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
    if not len(lines) or lengths.max() < SHORTEST_LONG_LINE:
        return []
    rows = np.flatnonzero(lengths >= max(SHORTEST_LONG_LINE, 10 * float(np.median(lengths)))).tolist()
    if not rows:
        return []
    return [
        Finding.at(
            rows,
            severity="warning",
            file=file,
            problem=f"extremely long (up to {lengths.max():,} characters)",
            remedy="look whether line ends were lost or a system repeats itself without end",
            code="long-lines",
        )
    ]
