"""The cheap and serious checks, for a warning beside every score."""

from collections.abc import Collection, Sequence

from tertium.doctor.damage import ENTITIES, find_damages
from tertium.doctor.finding import Finding
from tertium.doctor.languages import check_tokenizers
from tertium.doctor.mismatches import SERIOUS_CHECKS, compare_surfaces
from tertium.doctor.order import check_order
from tertium.doctor.pair import Pair
from tertium.doctor.shifts import match_lines

__all__ = ["quick_check"]

# Enough lines to see a habit.
HABIT_LINES = 400
# 40 excerpts of 12 lines see a shift that lasts a fortieth of the text, wherever it begins.
EXCERPTS, EXCERPT_LINES = 40, 12
ENTITY_LINES = 10_000


def quick_check(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    hypothesis_file: str = "hypotheses",
    reference_file: str = "references",
    tokenizers: Collection[str] = (),
) -> list[Finding]:
    """Look at a sample of a hypothesis and one reference for what makes their score meaningless.

    Entities are looked for in the first 10,000 lines; everything else in lines from all over the text.
    `tokenizers` are those of the metrics that will score the text.
    """
    if blank := _check_blank(hypotheses, references, hypothesis_file):
        return blank
    pair = Pair(hypotheses, references, hypothesis_file, reference_file)
    match = match_lines(hypotheses, references, max_blocks=EXCERPTS, block_sample=EXCERPT_LINES)
    return [
        *check_order(pair, match),
        *compare_surfaces(pair, checks=SERIOUS_CHECKS, sample=HABIT_LINES),
        *check_tokenizers(references, tokenizers, reference_file),
        *_check_entities(hypotheses, hypothesis_file),
        *_check_entities(references, reference_file),
    ]


def _check_blank(hypotheses: Sequence[str], references: Sequence[str], file: str) -> list[Finding]:
    """Notice a system without output; blank lines that the reference has, too, are none of its fault."""
    if (
        not hypotheses
        or any(line.strip() for line in hypotheses)
        or not any(line.strip() for line in references)
    ):
        return []
    return [
        Finding.at(
            range(len(hypotheses)),
            severity="error",
            file=file,
            problem="every line is empty",
            remedy="look whether the translation failed, and translate again",
            code="blank",
        )
    ]


def _check_entities(lines: Sequence[str], file: str) -> list[Finding]:
    head = lines[:ENTITY_LINES]
    findings = find_damages(head, [ENTITIES], file=file)
    return [finding for finding in findings if finding.n_lines > max(2, len(head) / 200)]
