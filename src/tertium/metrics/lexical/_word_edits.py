"""The base class of error rates over words, and explanations by edits."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

import numpy as np

from tertium.kernels.edits import Edit, EditKind, Inversion, Shift, count_edit_sequences, trace_edits
from tertium.metrics.base import ErrorRate, Metric, best_reference
from tertium.metrics.lexical._word_ngrams import cut_words
from tertium.metrics.options import lowercase_option, tokenizer_option
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, Score

Step = Edit | Inversion

_VERBS = {
    EditKind.MATCH: "keep",
    EditKind.SUBSTITUTION: "replace",
    EditKind.DELETION: "delete",
    EditKind.INSERTION: "insert",
}
_PLURALS = {
    EditKind.MATCH: "matches",
    EditKind.SUBSTITUTION: "substitutions",
    EditKind.DELETION: "deletions",
    EditKind.INSERTION: "insertions",
}


def link_edits(steps: Iterable[Step]) -> list[tuple[int, int, str]]:
    """List the aligned pairs of words, with the kind of edit that aligns them."""
    return [
        (edit.i, edit.j, edit.kind.value)
        for edit in _walk_edits(steps)
        if edit.i is not None and edit.j is not None
    ]


def count_edits(steps: Iterable[Step]) -> dict[str, float]:
    """Count matches, substitutions, deletions and insertions."""
    counts = dict.fromkeys(_PLURALS.values(), 0.0)
    for edit in _walk_edits(steps):
        counts[_PLURALS[edit.kind]] += 1
    return counts


def describe_edits(
    steps: Iterable[Step], hypothesis: Sequence[str], reference: Sequence[str], joint: str = " "
) -> list[str]:
    """Describe the edits in words, one line for each run of one kind; swapped blocks are indented.

    `joint` separates the items of a run: a space between words, an empty text between characters.

    >>> words = "a b c".split(), "a x c d".split()
    >>> describe_edits(trace_edits(*words), *words)
    ['keep     a', 'replace  b → x', 'keep     c', 'insert   d']
    """
    lines: list[str] = []
    for is_edit, steps_alike in groupby(steps, lambda step: isinstance(step, Edit)):
        alike = list(steps_alike)
        if is_edit:
            edits = [step for step in alike if isinstance(step, Edit)]
            lines += _describe_runs(edits, hypothesis, reference, joint)
        for swap in (step for step in alike if isinstance(step, Inversion)):
            lines += _describe_swap(swap, hypothesis, reference, joint)
    return lines


def describe_shifts(words: Sequence[str], shifts: Sequence[Shift]) -> Iterator[str]:
    """Describe each shift in words; positions count from 1 in the hypothesis after the previous shifts."""
    current = list(words)
    for shift in shifts:
        block = current[shift.start : shift.start + shift.length]
        yield f"shift    {' '.join(block)}: from word {shift.start + 1} to word {shift.landing + 1}"
        current = shift.apply(current)


def _describe_runs(
    edits: list[Edit], hypothesis: Sequence[str], reference: Sequence[str], joint: str
) -> Iterator[str]:
    for kind, group in groupby(edits, lambda edit: edit.kind):
        run = list(group)
        sources = joint.join(hypothesis[edit.i] for edit in run if edit.i is not None)
        targets = joint.join(reference[edit.j] for edit in run if edit.j is not None)
        both = f"{sources} → {targets}" if kind is EditKind.SUBSTITUTION else sources or targets
        yield f"{_VERBS[kind]:8} {both}"


def _describe_swap(
    swap: Inversion, hypothesis: Sequence[str], reference: Sequence[str], joint: str
) -> list[str]:
    lines = ["swap two blocks"]
    for name, part in (("first", swap.left), ("second", swap.right)):
        lines.append(f"  {name}")
        lines += [f"    {line}" for line in describe_edits(part, hypothesis, reference, joint)]
    return lines


def _walk_edits(steps: Iterable[Step]) -> Iterator[Edit]:
    """Visit the edits of a derivation, including edits inside inversions."""
    for step in steps:
        if isinstance(step, Edit):
            yield step
        else:
            yield from _walk_edits(step.left)
            yield from _walk_edits(step.right)


@dataclass(frozen=True)
class WordErrorRate(ErrorRate):
    """An error rate over the words of a tokenizer."""

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=False)

    def words(self, hypothesis: str, reference: str) -> tuple[list[str], list[str]]:
        """Split both texts into the words that this metric compares."""
        words, (others,) = cut_words(self, hypothesis, [reference])
        return words, others


def explain_edits(
    metric: Metric,
    score: Score,
    words: tuple[Sequence[str], Sequence[str]],
    steps: Sequence[Step],
    facts: Mapping[str, float | str],
) -> Explanation:
    """Explain an error rate by the edits that turn the words of the hypothesis into those of the reference."""
    numbers = {name: value for name, value in score.details.items() if isinstance(value, float)}
    return Explanation(
        metric=metric.name,
        hypothesis=words[0],
        reference=words[1],
        score=score.value,
        links=link_edits(steps),
        steps=describe_edits(steps, *words),
        facts={**count_edits(steps), **numbers, **facts},
    )


@dataclass(frozen=True)
class EditSequenceMetric(Metric):
    """A formula over matches, edits and lengths of the shortest edit sequence that jiwer reports."""

    paper: ClassVar[str] = "Morris, Maier & Green 2004"

    tokenizer: str = tokenizer_option("13a")
    lowercase: bool = lowercase_option(default=False)

    def statistics(self, hypotheses: Texts, references: References) -> FloatArray:
        return count_edit_sequences(
            *references.pair_tokens(hypotheses, self.tokenizer, lowercase=self.lowercase)
        )

    def rate_rows(self, rows: FloatArray) -> FloatArray:
        return -rows[..., 1]  # the reference with the fewest edits counts

    def details(self, totals: FloatArray) -> dict[str, float]:
        names = ("matches", "edits", "hypothesis_length", "reference_length")
        return {name: float(total) for name, total in zip(names, totals, strict=True)}

    def explain(self, hypothesis: str, references: Sequence[str]) -> Explanation:
        """Show the edits of words."""
        score = self.sentence_score(hypothesis, references)
        nearest = best_reference(self, hypothesis, references)
        words, (others,) = cut_words(self, hypothesis, [references[nearest]])
        facts = {"nearest_reference": nearest + 1}
        return explain_edits(self, score, (words, others), trace_edits(words, others), facts)


def ratio(part: FloatArray, whole: FloatArray, *, empty: float | FloatArray) -> FloatArray:
    """Divide; where the whole is 0, return `empty`."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), empty)


def information_preserved(totals: FloatArray) -> FloatArray:
    """Compute the product of the shares of matching words in both texts, between 0 and 1."""
    matches, edits, ours, theirs = np.moveaxis(totals, -1, 0)
    both_empty = np.where(edits > 0, 0.0, 1.0)  # without any word there is an edit only if one text has words
    return ratio(matches, ours, empty=both_empty) * ratio(matches, theirs, empty=both_empty)
