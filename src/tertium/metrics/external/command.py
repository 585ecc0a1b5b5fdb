"""Any program as a metric: it reads a JSON object per segment and prints one score per segment."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

import numpy as np

from tertium.corpus.judgments.spans import ErrorSpan, check_spans
from tertium.decimals import LARGEST_SCORE
from tertium.files.cache import content_key
from tertium.interfaces import Program, ProgramSettings
from tertium.metrics.means import MeanMetric
from tertium.metrics.options import fitted_field, option
from tertium.records import record
from tertium.text import References, Texts
from tertium.values import Explanation, FloatArray, TextKind

Given = Literal["all", "source", "references", "output"]

_SHOWN = 20  # digits of a score in a message

_READ: dict[str, frozenset[TextKind]] = {
    "source": frozenset({"source"}),
    "references": frozenset({"references"}),
    "output": frozenset(),
}


@record
class Answer:
    """The program's answer for a segment: a score, or None, the errors that it marked, and a sentence about them."""

    score: float | None
    spans: tuple[ErrorSpan, ...] = ()
    explanation: str = ""


@dataclass(frozen=True)
class Command(MeanMetric):
    """The score that a program of yours prints for each segment: an LLM judge, a neural metric, a script.

    `command:./judge.sh` starts the program without a shell. For each segment it reads a line with a JSON object: `id`,
    `hypothesis`, and, as far as they are given, `source` and `references` (a list). For each of these lines it prints a
    line: a number, or a JSON object with `score` and, optionally, `explanation` (a text) and `spans` (a list of objects
    with `start`, `end`, `severity` and `category`; positions count characters from 0). `null` instead of a number is a
    segment without a score. An answer should repeat the `id` of the line that it answers: then answers may come in any
    order, and none can be taken for the answer to another line. Without `id`, answers are in the order of the lines, and
    a process that prints more or fewer answers than lines is an error.

    The system score is the mean over the segments that have a score. Answers are cached by the content of the line and
    a checksum of the command and its files, so a run that was stopped continues where it was, and equal segments are
    scored once. A process that fails, prints something else or is silent for too long is started again with the lines
    that have no answer; if that does not help, the failed line is named, and all other answers with an `id` are kept.
    Answers without `id` are kept when their process has ended with exit code 0.
    """

    title: ClassVar[str] = "command"
    paper: ClassVar[str] = "your program"
    main_option: ClassVar[str] = "program"

    program: Program = option(None, "a program: write command:PROGRAM", key="program")
    texts: Given = option(
        "all", "texts that the program gets besides the output: all that are given, or fewer"
    )
    lower: bool = option(False, "lower scores are better")
    batch: int = option(1000, "lines for one process", at_least=1, in_signature=False)
    processes: int = option(1, "processes at a time", at_least=1, at_most=1000, in_signature=False)
    timeout: float = option(
        600.0, "seconds after which a process that prints nothing is stopped", above=0, in_signature=False
    )
    retries: int = option(
        2, "how often a line on which the program failed is tried again", at_least=0, in_signature=False
    )
    available: frozenset[TextKind] | None = fitted_field()

    def __post_init__(self) -> None:
        super().__post_init__()
        # For other metrics these are facts of the class.
        object.__setattr__(self, "higher_is_better", not self.lower)
        object.__setattr__(self, "reads", _READ.get(self.texts, self.available or frozenset()))

    def for_texts(self, available: frozenset[TextKind]) -> Self:
        return replace(super().for_texts(available), available=available)

    def rate(self, hypotheses: Texts, references: References, source: Texts | None) -> FloatArray:
        """Return the scores of the program."""
        sources: Sequence[str | None] = [None] * len(hypotheses) if source is None else list(source)
        groups: Sequence[Sequence[str] | None] = [None] * len(hypotheses)
        if "references" in self.reads:
            groups = list(references)
        rows = zip(hypotheses, groups, sources, strict=True)
        answers = self._answer([make_request(*row) for row in rows])
        return np.array([math.nan if answer.score is None else answer.score for answer in answers])

    def explain(self, hypothesis: str, references: Sequence[str], source: str | None = None) -> Explanation:
        group = references if "references" in self.reads else None
        (answer,) = self._answer([make_request(hypothesis, group, source)])
        steps = [answer.explanation] if answer.explanation else []
        steps += [_describe(span, hypothesis, source or "") for span in answer.spans]
        return Explanation(
            self.name,
            hypothesis.split(),
            group[0].split() if group else (),
            math.nan if answer.score is None else answer.score,
            steps=steps or [f"{self.program.identity} printed {answer.score}"],
            facts={"errors": len(answer.spans)} if answer.spans else {},
            source=(source or "").split(),
            reads=self.reads,
        )

    def _answer(self, lines: Sequence[str]) -> list[Answer]:
        settings = ProgramSettings(
            batch=self.batch, processes=self.processes, timeout=self.timeout, retries=self.retries
        )
        return [parse_answer(answer) for answer in self.program.answer(lines, check_answer, settings)]


def make_request(hypothesis: str, references: Sequence[str] | None, source: str | None) -> str:
    """Write the line that the program reads; equal texts give the same line."""
    texts: dict[str, object] = {"hypothesis": hypothesis}
    if source is not None:
        texts["source"] = source
    if references is not None:
        texts["references"] = list(references)
    line = json.dumps(texts, ensure_ascii=False)
    return json.dumps({"id": content_key(line).hex()[:16], **texts}, ensure_ascii=False)


def check_answer(line: str, answer: str) -> None:
    """Raise a ValueError if an answer to a line is not valid."""
    if spans := parse_answer(answer).spans:
        check_spans(spans, str(json.loads(line)["hypothesis"]), "it")


def parse_answer(line: str) -> Answer:
    """Parse a line that the program printed.

    Raises
    ------
    ValueError
        If it is neither a number nor a JSON object with a score.

    >>> parse_answer("0.5").score, parse_answer('{"score": null, "explanation": "empty"}').score
    (0.5, None)
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError('print a number, or a JSON object with "score"; null if there is no score') from None
    if not isinstance(found, dict):
        return Answer(_parse_score(found))
    if "score" not in found:
        raise ValueError('the JSON object has no "score"; print null if there is none')
    spans = found.get("spans") or []
    if not isinstance(spans, list):
        raise ValueError('"spans" must be a list of JSON objects')  # noqa: TRY004 - the caller expects it
    explanation = found.get("explanation")
    return Answer(_parse_score(found["score"]), tuple(map(_parse_span, spans)), str(explanation or ""))


def _parse_score(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"the score {value!r} is not a number; print null if there is none")  # noqa: TRY004 - as above
    if abs(value) > LARGEST_SCORE:
        shown = str(value)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
        raise ValueError(f"the score {shown} is too large; print null if there is none")
    return None if math.isnan(value) else float(value)


def _parse_span(value: object) -> ErrorSpan:
    facts = value if isinstance(value, dict) else {}
    start, end = facts.get("start"), facts.get("end")
    if type(start) is not int or type(end) is not int:
        raise ValueError(f'the span {value!r} needs whole numbers "start" and "end"')
    severity, category = str(facts.get("severity") or ""), str(facts.get("category") or "")
    return ErrorSpan(start, end, severity.lower(), category.lower())


def _describe(span: ErrorSpan, hypothesis: str, source: str) -> str:
    """Describe an error in one line.

    >>> _describe(ErrorSpan(4, 9, "major", "accuracy"), "The house falls.", "")
    "major accuracy: 'house' (characters 4 to 9)"
    """
    kind = " ".join(filter(None, (span.severity, span.category))) or "error"
    if not span.has_position:
        return f"{kind}: missing from the output"
    text = span.text_in(source if span.in_source else hypothesis)
    return f"{kind}: {text!r} (characters {span.start} to {span.end})"
