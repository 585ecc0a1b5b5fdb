"""Checks of a single text: damaged lines, repeated lines, and how it is written."""

from collections.abc import Callable, Collection, Sequence

import numpy as np

from tertium.diagnosis.damages import TEXT_DAMAGES, find_damages
from tertium.diagnosis.finding import Finding, ProblemKind, Severity
from tertium.diagnosis.surfaces import (
    find_case,
    find_composed,
    find_decomposed,
    find_lowercased,
    find_tokenised,
    find_uppercased,
    tokenised_rate,
)
from tertium.errors import argument
from tertium.text.detection import (
    count_scripts,
    name_main_script,
    sample_texts,
)
from tertium.text.languages import LANGUAGES
from tertium.text.tokenizers import TOKENIZERS, UNSPACED_SCRIPTS


def check_text(lines: Sequence[str], *, file: str = "text") -> list[Finding]:
    """Check the lines of one text for problems that change scores."""
    return [finding for check in TEXT_CHECKS for finding in check(lines, file)]


EMPTY_LINES = ProblemKind("empty-lines", "warning", "A line is empty.")


def _check_empty_lines(lines: Sequence[str], file: str) -> list[Finding]:
    rows = [row for row, line in enumerate(lines) if not line or line.isspace()]
    if not rows:
        return []
    problem = "empty: a hypothesis without words gets the worst score, an empty reference misleads"
    remedy = "check whether the translation failed or text was lost, and translate again"
    return [EMPTY_LINES.at(rows, file, problem, remedy)]


def _check_damages(lines: Sequence[str], file: str) -> list[Finding]:
    return find_damages(lines, TEXT_DAMAGES, file=file)


# Shorter lines ("Thank you.", "Page 3") are repeated in normal texts.
MIN_DUPLICATE_LENGTH = 20

# Sampled lines: enough to see how most of a text is written.
SAMPLE_LINES = 2000

# About ten lines of a long paragraph: longer than any sentence.
MIN_LONG_LINE = 2000

ADJACENT_DUPLICATES = ProblemKind("adjacent-duplicates", "warning", "A line equals the line before it.")
_DUPLICATES = ProblemKind("duplicates", "warning", "A line equals an earlier line.")


def _check_duplicates(lines: Sequence[str], file: str) -> list[Finding]:
    adjacent, repeated = _find_duplicates(lines)
    findings = []
    if adjacent:
        severity: Severity = "warning" if len(adjacent) > max(2, len(lines) / 500) else "note"
        remedy = "check whether a line was written twice, which shifts all lines after it"
        findings.append(
            ADJACENT_DUPLICATES.at(adjacent, file, "same as the line before", remedy, severity=severity)
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
_UPPERCASED = ProblemKind("uppercased", "note", "The text is in capitals.")


def _check_case(lines: Sequence[str], file: str) -> list[Finding]:
    case = find_case(sample_texts(lines, SAMPLE_LINES))
    if case is None:
        return []
    kind, find = (_LOWERCASED, find_lowercased) if case == "lower-cased" else (_UPPERCASED, find_uppercased)
    remedy = "score the true-cased text, or set lowercase for every system and the reference"
    return [kind.at(find(lines), file, f"the text is {case}", remedy)]


_LONG_LINES = ProblemKind("long-lines", "warning", "A line is extremely long.")


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
    return script, [
        tokenizer.name for tokenizer in known if script is not None and not tokenizer.fits(script)
    ]


def _main_script(lines: Sequence[str]) -> str | None:
    return name_main_script(count_scripts(sample_texts(lines, SCRIPT_LINES)))


def _recommend_tokenizer(script: str) -> str:
    """Name the options that choose a tokenizer for the script."""
    rows = [row for row in LANGUAGES.values() if script in row.scripts]
    choices = [argument("language", row.code) for row in rows if TOKENIZERS[row.tokenizer].fits(script)]
    choices.append(argument("tokenizer", "char"))
    limit = "" if script in _SPLIT_BY_TER else "; ter cannot split it, but chrf works"
    return f"score it with {', or '.join(choices)}{limit}"


TEXT_CHECKS: tuple[Callable[[Sequence[str], str], list[Finding]], ...] = (
    _check_empty_lines,
    _check_damages,
    _check_duplicates,
    _check_normal_form,
    _check_tokenised,
    _check_case,
    _check_long_lines,
    _check_spaces,
)
"""The checks of a single text; each gets its lines and the name of its file."""
