"""Checks of a single text: damaged lines, languages and style."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import Literal

import numpy as np

from tertium.diagnosis.finding import Finding, ProblemKind, Severity, register
from tertium.errors import argument
from tertium.records import record
from tertium.text.detection import (
    CASED_SCRIPTS,
    TextLanguage,
    count_scripts,
    name_main_script,
    sample_texts,
)
from tertium.text.languages import LANGUAGES
from tertium.text.tokenizers import TOKENIZERS, UNSPACED_SCRIPTS

TEXT_CHECKS: list[Callable[[Sequence[str], str], list[Finding]]] = []
"""The checks of a single text; each gets its lines and the name of its file."""


def check_text(lines: Sequence[str], *, file: str = "text") -> list[Finding]:
    """Check the lines of one text for problems that change scores."""
    return [finding for check in TEXT_CHECKS for finding in check(lines, file)]


_EMPTY_LINES = ProblemKind("empty-lines", "warning", "A line is empty.")


@register(TEXT_CHECKS)
def _check_empty_lines(lines: Sequence[str], file: str) -> list[Finding]:
    rows = [row for row, line in enumerate(lines) if not line or line.isspace()]
    if not rows:
        return []
    problem = "empty: a hypothesis without words gets the worst score, an empty reference misleads"
    remedy = "check whether the translation failed or text was lost, and translate again"
    return [_EMPTY_LINES.at(rows, file, problem, remedy)]


# Lines per search: few enough that most blocks of a clean text contain none of the marks.
BLOCK_LINES = 256


@record
class Damage:
    """A kind of damage that a regular expression finds; no match may span two lines.

    Every match contains at least one of the characters `marks`: searching for these first keeps the check of
    a clean text fast. For the same reason patterns begin with a character or a character class and use
    look-behinds for the preceding context; Python compiles them on first use. `problem` may show the first match as `{example}`, or the
    whole word around it if `shows_word`.
    """

    kind: ProblemKind
    pattern: str
    marks: str
    problem: str
    remedy: str
    shows_word: bool = False


ENTITIES = Damage(
    ProblemKind("html-entities", "warning", "The text contains HTML entities."),
    pattern=r"(?i)& ?(?:amp|quot|apos|lt|gt|nbsp|#\d{1,6}|#x[0-9a-f]{1,5}) ?;",
    marks="&",
    problem="HTML entities such as {example} replace characters",
    remedy="decode them, for example with Python's html.unescape",
)

_PAIRED = "a|b|i|u|em|strong|span|div|font|table|tr|t[dh]|[uo]l|h[1-6]|su[bp]|doc|hl|(?:src|ref|tst)set"
_SINGLE = "p|br|hr|img|li|seg"
_TAGS = Damage(
    ProblemKind("markup", "warning", "The text contains HTML, SGML or XML tags."),
    # an opening tag alone may be a word of the text: "the <div> element"
    pattern=(
        rf"(?i)<(?:/(?:{_PAIRED}|p|li)>|(?:{_PAIRED}|{_SINGLE})\s[^<>\n]{{0,200}}=[^<>\n]{{0,200}}>"
        rf"|(?:{_SINGLE})\s?/?>|(?:{_PAIRED})>(?=[^\n]{{0,2000}}</))"
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
_LEADS = "ÃÄÅÎÏÐÑÖ×ØÙ"
_MOJIBAKE_KIND = ProblemKind("mojibake", "warning", "UTF-8 was decoded with another encoding.")
_MISREAD = "UTF-8 was decoded with another encoding, which produced {example}"
_READ_AGAIN = "convert the original again as UTF-8, or repair it with ftfy"

_MOJIBAKE = Damage(
    _MOJIBAKE_KIND,
    pattern=(
        rf"[Â-ô](?={_CONTINUATION})(?:"
        rf"(?<=[ÂÃ])(?:(?<![A-ZÀ-Þ].){_CONTINUATION}|{_CONTINUATION}(?=[a-z]))"  # AMANHÃ” is a word
        rf"|(?<=â)[\u0080\u0082\u0084\u0086€‚„†]{_CONTINUATION}"
        rf"|{_C1_CONTROL}"  # never intended in a text
        rf"|(?<=[{_LEADS}]){_CONTINUATION}[{_LEADS}]{_CONTINUATION}"
        rf"|(?<=[à-ï]){_CONTINUATION}{{2}}[à-ï]{_CONTINUATION}{{2}}"  # two characters of three bytes, such as Chinese ones
        rf"|(?<=ð)Ÿ{_CONTINUATION})"
    ),
    marks="".join(map(chr, range(ord("Â"), ord("ô") + 1))),
    problem=_MISREAD,
    remedy=_READ_AGAIN,
)

_CYRILLIC_MOJIBAKE = Damage(
    _MOJIBAKE_KIND,
    pattern=rf"[РС]{_CYRILLIC_CONTINUATION}(?:[РС]{_CYRILLIC_CONTINUATION}){{2}}",
    marks="°µЅѕЃ",  # а, е, н, о, с: nearly every word has one of them
    problem=_MISREAD,
    remedy=_READ_AGAIN,
)

# UTF-8 read as GBK: U+FFFD becomes 锟斤拷, and the first bytes of “ ” 、 。 ， become 鈥, 銆 and 锛, which are rare characters.
_CHINESE_MOJIBAKE = Damage(
    _MOJIBAKE_KIND,
    pattern="锟斤拷|[鈥銆锛][^\n]{0,40}[鈥銆锛]",
    marks="锟鈥銆锛",
    problem=_MISREAD,
    remedy=_READ_AGAIN,
)

_REPLACEMENT = Damage(
    ProblemKind("replacement-character", "warning", "The text contains U+FFFD."),
    pattern="\ufffd",
    marks="\ufffd",
    problem="characters were lost in a conversion and became U+FFFD",
    remedy="convert the original again, with its true encoding",
)

NULS = Damage(
    ProblemKind("nul", "error", "The file contains NUL characters."),
    pattern="\0",
    marks="\0",
    problem="NUL characters: the file is UTF-16 or UTF-32, damaged, or not a text file",
    remedy="convert it to UTF-8, for example with `iconv -f UTF-16 -t UTF-8`",
)

_SUBWORDS = Damage(
    ProblemKind("subwords", "warning", "The text contains subword markers."),
    # not ##NUMBER#, a placeholder
    pattern=r"@@(?<=\w@@)(?= |\n|\Z)|▁|￭|##(?<=\w ##)(?=\w+(?!\w| ?#))",
    marks="@▁￭#",
    problem="subword markers such as {example} are left over from BPE or SentencePiece",
    remedy="join the pieces: `sed 's/@@ //g'`, or decode with the model that split them",
)

_LATIN, _CYRILLIC = "A-Za-zÀ-ÖØ-öø-ɏ", "Ѐ-ӿ"
# Letters that look like those of another script: Cyrillic and Greek ones like Latin, Latin ones like Cyrillic.
_LIKE_LATIN, _LIKE_CYRILLIC = "аеорсухіѕјАВЕКМНОРСТУХІЅЈοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aceopxyABCEHKMOPTX"
_LOOKALIKES = Damage(
    ProblemKind("mixed-scripts", "warning", "A word mixes letters of two scripts that look alike."),
    pattern=(
        rf"[{_LATIN}](?:(?=[{_LIKE_LATIN}])|(?<=[{_LIKE_LATIN}].)"
        rf"|(?<=[{_LIKE_CYRILLIC}])(?:(?=[{_CYRILLIC}])|(?<=[{_CYRILLIC}].)))\w*"
    ),
    marks=_LIKE_LATIN + "бвгджзийклмнптфхцчшщыэюя",
    problem="two scripts in one word, as in {example}: the letters look alike but never match",
    remedy="write the word in one script in all files",
    shows_word=True,
)

TEXT_DAMAGES = (
    ENTITIES,
    _TAGS,
    _MOJIBAKE,
    _CYRILLIC_MOJIBAKE,
    _CHINESE_MOJIBAKE,
    _REPLACEMENT,
    _SUBWORDS,
    _LOOKALIKES,
)


@register(TEXT_CHECKS)
def _check_damages(lines: Sequence[str], file: str) -> list[Finding]:
    return find_damages(lines, TEXT_DAMAGES, file=file)


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
                matches := list(re.finditer(damage.pattern, text))
            ):
                yield first, block, damage, matches


def _word_around(match: re.Match[str]) -> str:
    before = re.search(r"\w*$", match.string[: match.start()])
    return f"{before.group() if before else ''}{match.group()}"


def _rows_of(positions: Sequence[int], block: Sequence[str]) -> list[int]:
    """Find the lines of a joined block that contain the positions."""
    ends = np.cumsum([len(line) + 1 for line in block])
    rows: list[int] = np.unique(np.searchsorted(ends, positions, side="right")).tolist()
    return rows


def _report(damage: Damage, rows: Sequence[int], example: str, file: str) -> Finding:
    # repr escapes control characters, which a terminal would hide or execute
    return damage.kind.at(rows, file, damage.problem.format(example=repr(example)), damage.remedy)


# Not " ?" and " !", which are French typography, nor the Hindi danda after a space.
_SPACED_ENDS = (" .", " 。", ' . "', " . ”", " . '")
_ENDS = (".", "。", '."', ".”")

_CURLY_QUOTES = "“”„"
_CURLY_APOSTROPHE = "’"

QuoteStyle = Literal["straight", "curly"]


@record
class Surface:
    """How most of a text is written, by a sample of its lines; None where the text does not show it.

    Attributes
    ----------
    known_language
        The language, if the caller knows it; otherwise it is detected.
    """

    lines: Sequence[str]
    known_language: TextLanguage | None = None

    @cached_property
    def script(self) -> str | None:
        return name_main_script(count_scripts(self.lines))

    @property
    def language(self) -> str | None:
        return (self.known_language or TextLanguage(self.lines)).guess.code

    @cached_property
    def is_tokenised(self) -> bool | None:
        rate = tokenised_rate(self.lines, len(find_tokenised(self.lines)))
        return None if rate is None else rate >= 0.5

    @cached_property
    def is_lowercased(self) -> bool:
        return is_lowercased(self.lines)

    @cached_property
    def normal_form(self) -> Literal["NFC", "NFD"] | None:
        n_decomposed, n_composed = len(find_decomposed(self.lines)), len(find_composed(self.lines))
        if n_decomposed > 9 * n_composed:
            return "NFD"
        return "NFC" if n_composed > 9 * n_decomposed else None

    @property
    def quotation_marks(self) -> QuoteStyle | None:
        return _quote_style(self.lines, '"', _CURLY_QUOTES)

    @property
    def apostrophes(self) -> QuoteStyle | None:
        return _quote_style(self.lines, "'", _CURLY_APOSTROPHE)


def find_tokenised(lines: Sequence[str]) -> list[int]:
    """Find lines with a space before a full stop, a comma, 's or n't."""
    return [
        row
        for row, line in enumerate(lines)
        if " , " in line  # not a loop over the marks, which is slower on a million lines
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
    n_conclusive = sum(line.endswith(_ENDS) or ", " in line or "，" in line for line in lines)
    total = max(n_tokenised, n_conclusive)
    return n_tokenised / total if total > 1 else None  # one line is not enough evidence


def is_lowercased(lines: Sequence[str]) -> bool:
    """Whether a text in a script with capital letters has almost none."""
    n_lower = len(find_lowercased(lines))
    n_upper = sum(line != line.lower() for line in lines) if n_lower > 1 else len(lines)
    return n_lower > 19 * n_upper and name_main_script(count_scripts(lines)) in CASED_SCRIPTS


def _is_decomposed(line: str) -> bool:
    # Composition exclusions make NFC longer, not shorter; they do not show that a text is decomposed.
    return not unicodedata.is_normalized("NFC", line) and len(unicodedata.normalize("NFC", line)) < len(line)


def _quote_style(lines: Sequence[str], straight: str, curly: str) -> QuoteStyle | None:
    n_straight = sum(straight in line for line in lines)
    n_curly = sum(any(mark in line for mark in curly) for line in lines if not line.isascii())
    if max(n_straight, n_curly) < max(3, len(lines) / 100):
        return None  # a few quotations do not change a score
    if n_curly > 9 * n_straight:
        return "curly"
    return "straight" if n_straight > 9 * n_curly else None


# Shorter lines ("Thank you.", "Page 3") are repeated in normal texts.
MIN_DUPLICATE_LENGTH = 20

# Sampled lines: enough to see how most of a text is written.
SAMPLE_LINES = 2000

# About ten lines of a long paragraph: longer than any sentence.
MIN_LONG_LINE = 2000

_ADJACENT_DUPLICATES = ProblemKind("adjacent-duplicates", "warning", "A line equals the line before it.")
_DUPLICATES = ProblemKind("duplicates", "warning", "A line equals an earlier line.")


@register(TEXT_CHECKS)
def _check_duplicates(lines: Sequence[str], file: str) -> list[Finding]:
    adjacent, repeated = _find_duplicates(lines)
    findings = []
    if adjacent:
        severity: Severity = "warning" if len(adjacent) > max(2, len(lines) / 500) else "note"
        remedy = "check whether a line was written twice, which shifts all lines after it"
        findings.append(
            _ADJACENT_DUPLICATES.at(adjacent, file, "same as the line before", remedy, severity=severity)
        )
    if repeated:
        severity = "warning" if len(repeated) > max(2, len(lines) / 10) else "note"
        remedy = "harmless if the source has the same repetitions; otherwise the system may be stuck"
        findings.append(_DUPLICATES.at(repeated, file, "same as an earlier line", remedy, severity=severity))
    return findings


def _find_duplicates(lines: Sequence[str]) -> tuple[list[int], list[int]]:
    """Find lines equal to the line before, and lines equal to any other earlier line."""
    adjacent: list[int] = []
    repeated: list[int] = []
    seen: set[str] = set()
    previous = ""
    for row, line in enumerate(lines):
        if len(line) >= MIN_DUPLICATE_LENGTH and line in seen:
            (adjacent if line == previous else repeated).append(row)
        seen.add(line)
        previous = line
    return adjacent, repeated


_MIXED_NORMAL_FORMS = ProblemKind(
    "mixed-normal-forms", "warning", "The text mixes composed (NFC) and decomposed (NFD) letters."
)
_DECOMPOSED = ProblemKind("decomposed", "note", "All accented letters are decomposed (NFD).")


@register(TEXT_CHECKS)
def _check_normal_form(lines: Sequence[str], file: str) -> list[Finding]:
    decomposed = find_decomposed(lines)
    if not decomposed:
        return []
    composed = find_composed(lines)
    remedy = "normalise every file to NFC, for example with `uconv -x nfc`"
    if not composed:
        problem = "the text is decomposed (NFD), which most tools do not expect"
        return [_DECOMPOSED.at(decomposed, file, problem, remedy)]
    problem = "composed (NFC) and decomposed (NFD) letters are mixed, and é never equals e + ´"
    return [_MIXED_NORMAL_FORMS.at(min(decomposed, composed, key=len), file, problem, remedy)]


_TOKENISED = ProblemKind("tokenised", "warning", "The text is tokenised.")
_PARTLY_TOKENISED = ProblemKind("partly-tokenised", "note", "Some lines are tokenised.")


@register(TEXT_CHECKS)
def _check_tokenised(lines: Sequence[str], file: str) -> list[Finding]:
    rows = find_tokenised(lines)
    rate = tokenised_rate(lines, len(rows)) if rows else None
    if rate is None or rate < 0.01 or (len(rows) < 3 and rate < 0.5):
        return []
    remedy = "detokenise it: metrics tokenise the text themselves and expect raw text"
    if rate < 0.5:
        return [_PARTLY_TOKENISED.at(rows, file, "tokenised, while most lines are not", remedy)]
    return [_TOKENISED.at(rows, file, "the text is tokenised", remedy)]


_LOWERCASED = ProblemKind("lowercased", "note", "The text is lower-cased.")


@register(TEXT_CHECKS)
def _check_lowercased(lines: Sequence[str], file: str) -> list[Finding]:
    if not is_lowercased(sample_texts(lines, SAMPLE_LINES)):
        return []
    remedy = "score the true-cased text, or set lowercase for every system and the reference"
    return [_LOWERCASED.at(find_lowercased(lines), file, "the text is lower-cased", remedy)]


_LONG_LINES = ProblemKind("long-lines", "warning", "A line is extremely long.")


@register(TEXT_CHECKS)
def _check_long_lines(lines: Sequence[str], file: str) -> list[Finding]:
    lengths = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
    if not len(lines) or lengths.max() < MIN_LONG_LINE:
        return []
    rows = np.flatnonzero(lengths >= max(MIN_LONG_LINE, 10 * float(np.median(lengths)))).tolist()
    if not rows:
        return []
    problem = f"extremely long (up to {lengths.max():,} characters)"
    remedy = "check whether line ends were lost or a system repeats itself endlessly"
    return [_LONG_LINES.at(rows, file, problem, remedy)]


# Sampled lines: enough to see in which script a text is written.
SCRIPT_LINES = 400
# Scripts whose characters TER's own tokenizer separates.
_SPLIT_BY_TER = frozenset({"Han", "Japanese"})

_UNSPACED = ProblemKind("unspaced", "note", "The script does not put spaces between words.")


@register(TEXT_CHECKS)
def _check_spaces(lines: Sequence[str], file: str) -> list[Finding]:
    script = _main_script(lines)
    if script not in UNSPACED_SCRIPTS:
        return []
    problem = f"no spaces between words ({script}): tokenizers such as 13a do not split sentences"
    return [_UNSPACED.at((), file, problem, _recommend_tokenizer(script))]


_UNFIT_TOKENIZER = ProblemKind(
    "unfit-tokenizer", "error", "A metric's tokenizer cannot split text in this script into words."
)


def check_tokenizers(lines: Sequence[str], tokenizers: Collection[str], file: str) -> list[Finding]:
    """Find tokenizers that cannot split the text's script, so that a metric over words compares whole sentences."""
    script, unfit = find_unfit_tokenizers(lines, tokenizers)
    if script is None or not unfit:
        return []
    problem = (
        f"no spaces between words ({script}), and the tokenizer {', '.join(unfit)} does not split sentences"
    )
    return [_UNFIT_TOKENIZER.at((), file, problem, _recommend_tokenizer(script))]


def find_unfit_tokenizers(lines: Sequence[str], tokenizers: Collection[str]) -> tuple[str | None, list[str]]:
    """Return the text's script, and the tokenizers that cannot split it into words."""
    script = _main_script(lines) if tokenizers else None
    known = [TOKENIZERS[name] for name in tokenizers if name in TOKENIZERS]
    return script, [each.name for each in known if script is not None and not each.fits(script)]


def _main_script(lines: Sequence[str]) -> str | None:
    return name_main_script(count_scripts(sample_texts(lines, SCRIPT_LINES)))


def _recommend_tokenizer(script: str) -> str:
    """Name the options that choose a tokenizer for the script."""
    rows = [row for row in LANGUAGES.values() if script in row.scripts]
    choices = [argument("language", row.code) for row in rows if TOKENIZERS[row.tokenizer].fits(script)]
    choices.append(argument("tokenizer", "char"))
    limit = "" if script in _SPLIT_BY_TER else "; ter cannot split it, but chrf works"
    return f"score it with {', or '.join(choices)}{limit}"
