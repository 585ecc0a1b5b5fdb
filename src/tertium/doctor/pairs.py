"""What can be wrong between a hypothesis and its reference or its source."""

from collections.abc import Sequence

import numpy as np

from tertium.doctor.finding import Finding, Severity
from tertium.doctor.languages import check_line_languages
from tertium.doctor.mismatches import compare_surfaces
from tertium.doctor.order import check_line_counts, check_order
from tertium.doctor.pair import Pair
from tertium.doctor.shifts import match_lines
from tertium.text.scripts import count_scripts, find_line_scripts

__all__ = ["check_pair", "check_source"]

# Shorter lines are names, numbers and headings, which translation may leave alone or stretch.
SHORTEST_TELLING_LINE = 20

# A name and a title may be the same in both languages; not so many words.
FEWEST_COPIED_WORDS = 5

# Lines per count of scripts, so that a million lines need no gigabytes.
BLOCK_LINES = 1 << 14


def check_pair(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    hypothesis_file: str = "hypotheses",
    reference_file: str = "references",
) -> list[Finding]:
    """Compare a hypothesis with one of its references."""
    pair = Pair(hypotheses, references, hypothesis_file, reference_file)
    counts = check_line_counts(pair)
    findings = [*counts, *check_order(pair, match_lines(hypotheses, references)), *compare_surfaces(pair)]
    if not counts:
        codes = {finding.code for finding in findings}
        findings += _check_copies(pair)
        if "wrong-script" not in codes:
            findings += [*_check_line_scripts(pair), *_check_lengths(pair)]
            findings += [] if "wrong-language" in codes else check_line_languages(pair)
    return findings


def check_source(
    hypotheses: Sequence[str],
    sources: Sequence[str],
    references: Sequence[str] = (),
    *,
    hypothesis_file: str = "hypotheses",
    source_file: str = "sources",
) -> list[Finding]:
    """Compare a hypothesis with its source: find what was not translated.

    Lines that the reference copies from the source as well are as they should be.
    """
    counts = check_line_counts(Pair(hypotheses, sources, hypothesis_file, source_file))
    if counts:
        return counts
    wanted = references if len(references) == len(sources) else [""] * len(sources)
    rows = [
        row
        for row, (here, source, reference) in enumerate(zip(hypotheses, sources, wanted, strict=True))
        if len(here) >= SHORTEST_TELLING_LINE and _is_untranslated(here, source, reference)
    ]
    if not rows:
        return []
    is_nearly = any(hypotheses[row] != sources[row] for row in rows)
    return [
        Finding.at(
            rows,
            severity=_untranslated_severity(len(rows), len(sources)),
            file=hypothesis_file,
            problem=f"untranslated: {'nearly ' * is_nearly}identical to {source_file}",
            remedy="look whether the system failed there, or the source was taken for its output",
            code="untranslated",
        )
    ]


def _is_untranslated(here: str, source: str, reference: str) -> bool:
    """Whether nearly all words of a line are the source's, and not the reference's as well."""
    if here == source:
        return here != reference
    words, given = here.split(), set(source.split())
    n_copied = sum(word in given for word in words)
    if len(words) < FEWEST_COPIED_WORDS or n_copied < 0.8 * len(words):
        return False
    wanted = set(reference.split())
    return 2 * sum(word in wanted for word in words) <= len(words)


def _untranslated_severity(n_rows: int, n_lines: int) -> Severity:
    if n_rows > n_lines / 2:
        return "error"
    return "warning" if n_rows > max(2, n_lines / 100) else "note"


def _check_copies(pair: Pair) -> list[Finding]:
    """Doubt a system that finds the reference's very words."""
    rows = [
        row
        for row, (here, there) in enumerate(zip(pair.hypotheses, pair.references, strict=True))
        if here == there and here
    ]
    whole = len(rows) == sum(map(bool, pair.references)) > 0
    if not whole and len(rows) <= max(2, 0.3 * len(pair.references)):
        return []
    return [
        Finding.at(
            rows,
            severity="warning",
            file=pair.hypothesis_file,
            problem=f"the text is identical to {pair.reference_file}"
            if whole
            else f"{len(rows) / len(pair.references):.0%} of the lines are identical to {pair.reference_file}",
            remedy="look whether the reference was taken for a system, or a system has seen the test set",
            code="identical-to-reference",
        )
    ]


def _check_line_scripts(pair: Pair) -> list[Finding]:
    rows = [
        first + row
        for first in range(0, len(pair.hypotheses), BLOCK_LINES)
        for row in _rows_in_other_script(
            pair.hypotheses[first : first + BLOCK_LINES], pair.references[first : first + BLOCK_LINES]
        )
    ]
    if not rows:
        return []
    return [
        Finding.at(
            rows,
            severity="warning" if len(rows) > max(2, len(pair.hypotheses) / 100) else "note",
            file=pair.hypothesis_file,
            problem=f"in another script than {pair.reference_file}",
            remedy="look whether this was translated at all",
            code="wrong-script-lines",
        )
    ]


def _rows_in_other_script(hypotheses: Sequence[str], references: Sequence[str]) -> list[int]:
    telling = [
        row
        for row, (here, there) in enumerate(zip(hypotheses, references, strict=True))
        if not (here.isascii() and there.isascii())
    ]
    here = find_line_scripts(count_scripts([hypotheses[row] for row in telling]))
    there = find_line_scripts(count_scripts([references[row] for row in telling]))
    differs = (here != there) & (here > 0) & (there > 0)
    return [telling[place] for place in np.flatnonzero(differs)]


def _check_lengths(pair: Pair) -> list[Finding]:
    here = np.array([len(line) for line in pair.hypotheses])
    there = np.array([len(line) for line in pair.references])
    ratio = here.sum() / max(there.sum(), 1)
    findings = []
    if there.sum() and not 0.5 <= ratio <= 2:
        findings.append(_report_ratio(pair, float(ratio)))
    longer, shorter = np.maximum(here, there), np.minimum(here, there)
    rows = np.flatnonzero((longer > 3 * shorter) & (shorter > 0) & (longer >= SHORTEST_TELLING_LINE))
    if len(rows):
        findings.append(_report_outliers(pair, rows.tolist()))
    return findings


def _report_ratio(pair: Pair, ratio: float) -> Finding:
    return Finding.at(
        range(len(pair.hypotheses)),
        severity="warning",
        file=pair.hypothesis_file,
        problem=f"the text has {ratio:.2f} times the length of {pair.reference_file}",
        remedy="look whether the output was cut off, repeats itself, or belongs to another test set",
        code="length-ratio",
    )


def _report_outliers(pair: Pair, rows: Sequence[int]) -> Finding:
    return Finding.at(
        rows,
        severity="note",
        file=pair.hypothesis_file,
        problem=f"more than three times longer or shorter than in {pair.reference_file}",
        remedy="read and see: output that is cut off, repeated or on the wrong line looks like this",
        code="length-outliers",
    )
