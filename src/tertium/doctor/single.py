"""What can be wrong with one text by itself."""

from collections.abc import Sequence

import numpy as np

from tertium.doctor.damage import TEXT_DAMAGES, find_damages
from tertium.doctor.finding import Finding
from tertium.doctor.languages import check_spaces
from tertium.doctor.surface import (
    find_composed,
    find_decomposed,
    find_lowercased,
    find_tokenised,
    is_lowercased,
    tokenised_rate,
)
from tertium.text.detection import sample_texts

__all__ = ["check_text"]

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
