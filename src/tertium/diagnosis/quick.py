"""The quick check of a sample of every system's output, which accompanies every score."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from tertium.diagnosis.contrasts import OTHER_CHARACTERS, QUICK_SURFACE_CHECKS, WORD_LENGTH
from tertium.diagnosis.damages import (
    ENTITIES,
    ESCAPES,
    INVISIBLE,
    LOOKALIKES,
    MODEL_ANSWER,
    NULS,
    SPECIAL_TOKENS,
    SUBWORDS,
    TAGS,
    UNKNOWN_WORDS,
    find_damages,
)
from tertium.diagnosis.finding import Finding, ProblemKind, TextPair, are_many
from tertium.diagnosis.order import check_order, match_lines
from tertium.diagnosis.pairs import (
    check_length_ratio,
    check_line_languages,
    check_line_lengths,
    check_line_scripts,
)
from tertium.diagnosis.surfaces import Surface
from tertium.diagnosis.texts import ADJACENT_DUPLICATES, EMPTY_LINES, MIN_DUPLICATE_LENGTH, check_tokenizers
from tertium.records import record
from tertium.text.detection import TextLanguage, sample_texts

# Sampled lines: enough to see how most of a text is written.
SAMPLE_LINES = 400
# 40 excerpts of 12 lines find a shift that affects a fortieth of the text, wherever it begins.
EXCERPTS, EXCERPT_LINES = 40, 12
# Lines whose language is detected, and how improbable they must be in the language of the references, for little time.
LANGUAGE_LINES, CLEARLY_FOREIGN = 100, 0.4
# Lines whose language is detected if that of the references is unknown, which takes longer.
DETECTED_LINES = 50
# Damage that is rare, but always a mistake, is searched in more lines.
HEAD_LINES = 10_000
HEAD_DAMAGES = (NULS, ENTITIES)
SAMPLE_DAMAGES = (
    SPECIAL_TOKENS, UNKNOWN_WORDS, MODEL_ANSWER, SUBWORDS, TAGS, LOOKALIKES, INVISIBLE, ESCAPES
)  # fmt: skip
# The share of lines from which on entities are reported.
MIN_ENTITIES = 0.005
_SEVERITIES = ("error", "warning", "note")
# Other findings often explain these.
_GENERAL = (OTHER_CHARACTERS.code, WORD_LENGTH.code)


@record(eq=False)
class QuickCheck:
    """Check a sample of each system's output against one reference for problems that cost two points of BLEU or more.

    Attributes
    ----------
    tokenizers
        The tokenizers of the metrics that will score the texts.
    language
        The language of the references, if it is known.
    """

    references: Sequence[str]
    tokenizers: Collection[str] = ()
    language: TextLanguage | None = None
    reference_file: str = "references"

    def __call__(self, hypotheses: Sequence[str], file: str = "hypotheses") -> list[Finding]:
        """Return the findings about one system's output, the most severe first."""
        if blank := _check_blank(hypotheses, self.references, file):
            return blank
        pair = TextPair(hypotheses, self.references, file, self.reference_file)
        surface = Surface.of(hypotheses, SAMPLE_LINES)
        match = match_lines(hypotheses, self.references, max_blocks=EXCERPTS, block_sample=EXCERPT_LINES)
        findings = [
            *self._compare_damages(pair, surface),
            *self._compare_surfaces(pair, surface),
            *self._check_lines(pair, surface),
            *check_order(pair, match),
            *self._own_findings,
        ]
        return sorted(
            findings, key=lambda finding: (_SEVERITIES.index(finding.severity), finding.code in _GENERAL)
        )

    def _compare_surfaces(self, pair: TextPair, surface: Surface) -> list[Finding]:
        found = [finding for check in QUICK_SURFACE_CHECKS for finding in check(pair, surface, self._surface)]
        return [finding for finding in found if finding.severity != "note"]

    @cached_property
    def _surface(self) -> Surface:
        return Surface.of(self.references, SAMPLE_LINES, self.language)

    @cached_property
    def _own_findings(self) -> list[Finding]:
        """The problems of the references by themselves."""
        return [
            *check_tokenizers(self.references, self.tokenizers, self.reference_file),
            *_find_rare(self.references, self.reference_file),
        ]

    @cached_property
    def _own_damages(self) -> dict[str, Finding]:
        return _find_frequent(self._surface, self.reference_file)

    def _compare_damages(self, pair: TextPair, surface: Surface) -> Iterator[Finding]:
        """Yield damage of the hypotheses, and damage that only one of the two texts has: if both have tags, the tags match."""
        yield from _find_rare(pair.hypotheses, pair.hypothesis_file)
        here, there = _find_frequent(surface, pair.hypothesis_file), self._own_damages
        for damage in SAMPLE_DAMAGES:
            found = [damages.get(damage.kind.code) for damages in (here, there)]
            n_here, n_there = (0 if count is None else count.n_lines for count in found)
            finding = found[n_there > n_here]
            if finding is not None and are_many(abs(n_here - n_there), len(surface.lines)):
                yield finding

    def _check_lines(self, pair: TextPair, surface: Surface) -> list[Finding]:
        """Check the sampled lines one by one, if both texts have the same number of lines."""
        if len(pair.hypotheses) != len(pair.references):
            return []
        sample = TextPair(surface.lines, self._surface.lines, pair.hypothesis_file, pair.reference_file)
        findings = [*_check_empty(sample), *_check_repeated(pair)]
        if surface.script == self._surface.script:
            findings += check_length_ratio(sample)
            findings += _with_shares(sample, [*check_line_lengths(sample), *check_line_scripts(sample)])
            code = self._surface.language
            if code is None or surface.language in (None, code):
                size = LANGUAGE_LINES if code else DETECTED_LINES
                here, there = (sample_texts(lines, size) for lines in (sample.hypotheses, sample.references))
                few = replace(sample, hypotheses=here, references=there)
                findings += _with_shares(few, check_line_languages(few, code, min_excess=CLEARLY_FOREIGN))
        return findings


def _with_shares(sample: TextPair, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings about many lines, which begin with the share of these lines."""
    for finding in findings:
        if are_many(finding.n_lines, len(sample.hypotheses)):
            share = finding.n_lines / len(sample.hypotheses)
            yield replace(finding, problem=f"{share:.0%} of the lines: {finding.problem}")


def _find_rare(lines: Sequence[str], file: str) -> list[Finding]:
    """Find damage that is always a mistake in the first lines, if there is enough of it."""
    head = lines[:HEAD_LINES]
    least = {ENTITIES.kind.code: max(2, MIN_ENTITIES * len(head))}
    return [
        damage
        for damage in find_damages(head, HEAD_DAMAGES, file=file)
        if damage.n_lines > least.get(damage.code, 0)
    ]


def _find_frequent(surface: Surface, file: str) -> dict[str, Finding]:
    """Find damage of the sampled lines, by its code."""
    return {damage.code: damage for damage in find_damages(surface.lines, SAMPLE_DAMAGES, file=file)}


_BLANK = ProblemKind("blank", "error", "Every line of the hypothesis is empty.")


def _check_blank(hypotheses: Sequence[str], references: Sequence[str], file: str) -> list[Finding]:
    """Report a system without output, unless the references are empty, too."""
    if (
        not hypotheses
        or any(line.strip() for line in hypotheses)
        or not any(line.strip() for line in references)
    ):
        return []
    remedy = "check whether the translation failed, and translate again"
    return [_BLANK.at(range(len(hypotheses)), file, "every line is empty", remedy)]


def _check_empty(sample: TextPair) -> list[Finding]:
    """Find empty lines whose references are not empty."""
    both = zip(sample.hypotheses, sample.references, strict=True)
    rows = [row for row, (here, there) in enumerate(both) if not here.strip() and there.strip()]
    if not are_many(len(rows), len(sample.hypotheses)):
        return []
    problem = f"{len(rows) / len(sample.hypotheses):.0%} of the lines are empty"
    remedy = "check whether the translation failed or text was lost, and translate again"
    return [EMPTY_LINES.at(rows, sample.hypothesis_file, problem, remedy)]


def _check_repeated(pair: TextPair) -> list[Finding]:
    """Find lines that equal the line before them, where the reference does not repeat a line."""
    head = list(pair.hypotheses[:HEAD_LINES])
    rows = [
        row
        for row, (before, line) in enumerate(pairwise(head), start=1)
        if line == before
        and len(line) >= MIN_DUPLICATE_LENGTH
        and pair.references[row] != pair.references[row - 1]
    ]
    if not are_many(len(rows), len(head)):
        return []
    problem = f"{len(rows) / len(head):.0%} of the lines are the same as the line before"
    remedy = "check whether lines were written twice or are those of other segments"
    return [ADJACENT_DUPLICATES.at(rows, pair.hypothesis_file, problem, remedy)]
