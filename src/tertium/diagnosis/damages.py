"""Kinds of damage that a regular expression finds in lines: markup, wrong encodings, pieces of words, look-alikes."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from tertium.diagnosis.finding import Finding, ProblemKind, Severity, are_many
from tertium.records import record

# Lines per search: few enough that most blocks of a clean text contain none of the marks.
BLOCK_LINES = 256


@record
class Damage:
    """A kind of damage that a regular expression finds; no match may span two lines.

    Every match contains at least one of the characters `marks`: searching for these first keeps the check of
    a clean text fast. For the same reason most patterns begin with a character or a character class and use
    look-behinds for the preceding context; Python compiles them on first use. `problem` may show the first match as `{example}`, or the
    whole word around it if `shows_word`. `if_few` is the severity if few lines are affected.
    """

    kind: ProblemKind
    pattern: str
    marks: str
    problem: str
    remedy: str
    shows_word: bool = False
    if_few: Severity | None = None


ENTITIES = Damage(
    ProblemKind("html-entities", "warning", "The text contains HTML entities."),
    pattern=r"(?i)& ?(?:amp|quot|apos|lt|gt|nbsp|#\d{1,6}|#x[0-9a-f]{1,5}) ?;",
    marks="&",
    problem="HTML entities such as {example} replace characters",
    remedy="decode them, for example with Python's html.unescape",
)

_PAIRED = "a|b|i|u|em|strong|span|div|font|table|tr|t[dh]|[uo]l|h[1-6]|su[bp]|doc|hl|(?:src|ref|tst)set"
_SINGLE = "p|br|hr|img|li|seg"
TAGS = Damage(
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

SUBWORDS = Damage(
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
LOOKALIKES = Damage(
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

SPECIAL_TOKENS = Damage(
    ProblemKind(
        "special-tokens", "warning", "The text contains tokens of a model's vocabulary, such as </s>."
    ),
    pattern=(
        r"<(?:/?s>|/?(?:pad|bos|eos|sep|cls|mask|start_of_turn|end_of_turn)>|\|\w[\w ]{0,40}\|>|2[a-z]{2,3}(?:_\w{2,8})?>|extra_id_\d+>)"
        r"|\[(?:PAD|CLS|SEP|MASK|BOS|EOS|/?INST)\]"
    ),
    marks="<[",
    problem="tokens of a model's vocabulary such as {example} are left in the text",
    remedy="leave them out when decoding (skip_special_tokens=True in transformers), or remove them",
)

UNKNOWN_WORDS = Damage(
    ProblemKind("unknown-words", "warning", "The text contains <unk> or other signs for unknown words."),
    pattern=r"<unk>|<UNK>|\[UNK\]|⁇|U(?<!\wU)NK(?!\w)",
    marks="<[⁇U",
    problem="words that the model does not know became {example}",
    remedy="use a vocabulary of subwords or bytes that covers the text, and translate again",
)

_PREAMBLES = (
    r"(?:sure|certainly|of course)[,!.]{1,2} (?:here|the translation|i)\b[^\n:]{0,60}",
    r"here(?:['’]s| is| are)\b[^\n:]{0,40}\btranslat\w+[^\n:]{0,60}",
    r"the (?:\w+ )?translation (?:is|of|would be)\b[^\n:]{0,60}",
    r"(?:\w+ )?translat(?:ion|ed text)(?: \([^\n:)]*\)| (?:in)?to \w+| in \w+)?",
    "traduction|traducción|traduzione|tradução|übersetzung|vertaling|översättning|oversættelse",
    "překlad|tłumaczenie|перевод|переклад|çeviri|الترجمة|译文|翻译|翻譯|翻訳|번역",
)

MODEL_ANSWER = Damage(
    ProblemKind(
        "model-answer",
        "warning",
        "The text contains a language model's reasoning, or words about its answer.",
    ),
    pattern=(
        r"(?im)</?(?:think(?:ing)?|thought|reason(?:ing)?|reflection|scratchpad|answer|output|response|translation)>"
        rf"|^[\"*]{{0,3}}(?:{'|'.join(_PREAMBLES)})[*\"]{{0,3}}[:：]|^as an ai\b"
    ),
    marks="<:：I",
    problem="a language model's words about its answer, such as {example}, are left in the text",
    remedy="keep only the translation: ask the model for nothing else, or remove the rest",
)

ESCAPES = Damage(
    ProblemKind("escapes", "warning", "The text contains escape sequences of JSON."),
    if_few="note",
    pattern=r"\\(?:u[0-9a-fA-F]{4}|[nrt](?![a-zA-Z])|\")",
    marks="\\",
    problem="escape sequences such as {example} replace characters",
    remedy="decode them, for example with Python's json.loads",
)

INVISIBLE = Damage(
    ProblemKind("invisible-characters", "warning", "A line contains invisible characters."),
    if_few="note",
    # The joiners U+200C and U+200D belong to Persian, to Indian scripts and to emoji.
    pattern="[\u00ad\u200b-\u200d\u2060\ufeff](?<![\u0590-\U0010ffff][\u200c\u200d])",
    marks="\u00ad\u200b\u200c\u200d\u2060\ufeff",
    problem="invisible characters such as {example} make equal words differ",
    remedy="remove them from all files",
)

TEXT_DAMAGES = (
    ENTITIES,
    TAGS,
    _MOJIBAKE,
    _CYRILLIC_MOJIBAKE,
    _CHINESE_MOJIBAKE,
    _REPLACEMENT,
    SUBWORDS,
    LOOKALIKES,
    SPECIAL_TOKENS,
    UNKNOWN_WORDS,
    MODEL_ANSWER,
    ESCAPES,
)


def find_damages(lines: Sequence[str], damages: Sequence[Damage], *, file: str) -> list[Finding]:
    """Search a text for several kinds of damage and report each kind once."""
    rows: dict[Damage, list[int]] = {damage: [] for damage in damages}
    examples: dict[Damage, str] = {}
    for first, block, damage, matches in _search(lines, damages):
        if damage not in examples:
            examples[damage] = _word_around(matches[0]) if damage.shows_word else matches[0].group()
        rows[damage].extend(first + row for row in _rows_of([match.start() for match in matches], block))
    found = [damage for damage in damages if rows[damage]]
    return [_report(damage, rows[damage], examples[damage], file, n_lines=len(lines)) for damage in found]


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


def _report(damage: Damage, rows: Sequence[int], example: str, file: str, *, n_lines: int) -> Finding:
    severity = None if are_many(len(rows), n_lines) else damage.if_few
    # repr escapes control characters, which a terminal would hide or execute
    problem = damage.problem.format(example=repr(example))
    return damage.kind.at(rows, file, problem, damage.remedy, severity=severity)
