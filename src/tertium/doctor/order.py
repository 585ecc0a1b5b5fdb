"""Lines that do not stand beside their reference: missing, shifted, or of another text."""

from collections.abc import Sequence

from tertium.doctor.finding import SHOWN_LINES, Finding
from tertium.doctor.pair import Pair
from tertium.doctor.shifts import LARGEST_SHIFT, LineMatch, Run

__all__ = ["check_layout", "check_line_counts", "check_order"]

# Fewer lines may be unlike their reference by bad luck.
FEWEST_LINES_TO_DOUBT = 20


def check_line_counts(pair: Pair) -> list[Finding]:
    n_here, n_there = len(pair.hypotheses), len(pair.references)
    if n_here == n_there:
        return []
    return [
        Finding(
            severity="error",
            file=pair.hypothesis_file,
            lines=(min(n_here, n_there) + 1,),
            n_lines=abs(n_here - n_there),
            problem=f"{n_here:,} lines here but {n_there:,} in {pair.reference_file}",
            remedy="find the lines that were lost, split or joined; a score needs one line per segment",
            code="line-count",
        )
    ]


def check_order(pair: Pair, match: LineMatch) -> list[Finding]:
    n_shifted, n_unrelated = (sum(map(len, runs)) for runs in (match.shifted, match.unrelated))
    findings = []
    if n_shifted > n_unrelated:  # in shuffled lines, a few stand near their place by luck
        findings.append(_report_shift(pair, match.shifted))
    if n_unrelated >= max(FEWEST_LINES_TO_DOUBT, match.n_lines / 10):
        findings.append(_report_unrelated(pair, match.unrelated))
    return findings


def check_layout(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], *, file: str = "references"
) -> list[Finding]:
    """Notice references given as a file per segment instead of a file per reference.

    `hypotheses` and `references` hold the lines of each file, `file` is the name to report.
    """
    n_lines = {len(lines) for lines in hypotheses}
    n_references = {len(lines) for lines in references}
    if (
        n_lines != {len(references)}
        or len(n_references) != 1
        or n_references == n_lines
        or len(references) < 2
    ):
        return []
    n_each = n_references.pop()
    return [
        Finding(
            severity="error",
            file=file,
            lines=(),
            n_lines=0,
            problem=f"the references look transposed: {len(references):,} files of {_plural(n_each, 'line')}"
            f" for {len(references):,} segments",
            remedy=f"write {_plural(n_each, 'file')} of {len(references):,} lines: line i translates segment i",
            code="transposed-references",
        )
    ]


def _report_shift(pair: Pair, shifted: Sequence[Run]) -> Finding:
    first = shifted[0]
    distance = first.distance or 0
    direction = "down" if distance > 0 else "up"
    problem = (
        f"shifted: up to line {first.stop} they match {pair.reference_file} {_plural(abs(distance), 'line')}"
    )
    return Finding(
        severity="error",
        file=pair.hypothesis_file,
        lines=tuple(run.first + 1 for run in shifted[:SHOWN_LINES]),
        n_lines=sum(map(len, shifted)),
        problem=f"{problem} further {direction}{_render_others(len(shifted) - 1)}",
        remedy=_shift_remedy(distance, first.first + 1),
        code="shifted-lines",
    )


def _shift_remedy(distance: int, line: int) -> str:
    here, there = ("lost", "added") if distance > 0 else ("added", "lost")
    return f"look for {_plural(abs(distance), 'line')} {here} here, or {there} in the reference, before line {line}"


def _render_others(number: int) -> str:
    return f"; {_plural(number, 'more shift')} follow{'s' if number == 1 else ''}" if number else ""


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _report_unrelated(pair: Pair, unrelated: Sequence[Run]) -> Finding:
    return Finding.at(
        [row for run in unrelated for row in range(run.first, run.stop)],
        severity="warning",
        file=pair.hypothesis_file,
        problem=f"fits its line of {pair.reference_file} no better than the lines around",
        remedy=f"look for another test set, another order, or a shift of more than {LARGEST_SHIFT} lines",
        code="unrelated",
    )
