"""Minimum Bayes risk decoding: the candidates of each source, the choice of one, and a file of finished choices."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from os import PathLike, fspath
from pathlib import Path
from typing import Literal

import numpy as np

from tertium.corpus.candidates import read_candidates
from tertium.errors import InputError
from tertium.evaluation.pairwise import (
    CandidateGroup,
    aggregated_utilities,
    combine_utilities,
    score_candidates,
    score_groups,
)
from tertium.files.paths import check_not_pipe, exists, show_path
from tertium.files.reading import read_bytes, read_lines, split_lines
from tertium.files.writing import append_text, write_atomically
from tertium.metrics.base import Metric
from tertium.progress import report_message
from tertium.records import record
from tertium.values import FloatArray

_SOURCES_AT_ONCE = 16  # sources of one batch: a hundred thousand pairs with 64 candidates each

Choice = tuple[int, FloatArray, "FloatArray | None"]
"""The index of the chosen candidate, the utility of each candidate, and the matrix if it is kept."""

Texts = str | PathLike[str] | Sequence[Sequence[str]]
"""A file of candidates, or a list with the texts of each source."""

NumberedGroup = tuple[int, CandidateGroup]
"""A source with its number, from 0."""


@record
class CandidateTexts:
    """Candidates, and the pseudo-references and the source text that belong to them; they are read whenever they are needed.

    Attributes
    ----------
    per_source
        The number of lines of each source in plain text.
    references
        The pseudo-references; None if the candidates serve as such.
    source
        A file with a line for each source, or these lines.
    """

    candidates: Texts
    per_source: int | None = None
    references: Texts | None = None
    source: str | PathLike[str] | Iterable[str] | None = None

    def groups(self) -> Iterator[CandidateGroup]:
        """Read the texts of one source after the other; raise if the inputs have different numbers of sources."""
        inputs = {"no candidates": self._read(self.candidates)}
        if self.references is not None:
            inputs["no pseudo-references"] = self._read(self.references)
        if self.source is not None:
            inputs["no source text"] = ((line,) for line in self._read_source())
        for number, texts in enumerate(zip_longest(*inputs.values()), start=1):
            for lack, part in zip(inputs, texts, strict=True):
                if part is None:
                    raise InputError(
                        f"source {number:,} has {lack}: all inputs need the same number of sources"
                    )
            found = dict(zip(inputs, texts, strict=True))
            candidates = found["no candidates"]
            (source,) = found.get("no source text", (None,))
            yield CandidateGroup(candidates, found.get("no pseudo-references", candidates), source)

    def batches(self, *, skipped: int) -> Iterator[list[NumberedGroup]]:
        """Number the sources and divide them into batches, without the first ones."""
        numbered = islice(enumerate(self.groups()), skipped, None)
        while batch := list(islice(numbered, _SOURCES_AT_ONCE)):
            yield batch

    def checksum(self) -> str:
        """Compute a checksum of all texts."""
        digest = hashlib.sha256()
        for group in self.groups():
            digest.update(json.dumps([group.candidates, group.references, group.source]).encode())
        return digest.hexdigest()

    def _read_source(self) -> Iterable[str]:
        if self.source is None or not isinstance(self.source, str | PathLike):
            return self.source or ()
        check_not_pipe(fspath(self.source), "the source, which is read more than once,")
        return read_lines(fspath(self.source))

    def _read(self, texts: Texts) -> Iterator[tuple[str, ...]]:
        if not isinstance(texts, str | PathLike):
            return iter(map(tuple, texts))
        check_not_pipe(fspath(texts), "the file with candidates, which is read more than once,")
        return read_candidates(fspath(texts), per_source=self.per_source)


@record(kw_only=True)
class Decoding:
    """How candidates are chosen.

    Attributes
    ----------
    combine
        How the utilities by several metrics are combined.
    sample
        The largest number of pseudo-references that a candidate is compared with; they are drawn at random.
    aggregate
        Whether candidates are compared with the average of the pseudo-references.
    keep_matrices
        Whether the score of every pair is kept.
    """

    combine: Literal["rank", "z"] = "rank"
    sample: int | None = None
    aggregate: bool = False
    seed: int = 0
    keep_matrices: bool = False

    def choose(self, metrics: Sequence[Metric], batch: Sequence[NumberedGroup]) -> list[Choice]:
        """Choose the candidate of each source of a batch."""
        groups = [self._draw(number, group) for number, group in batch]
        if self.keep_matrices:
            matrices = score_groups(metrics[0], groups)
            found = [[matrix.mean(axis=1) for matrix in matrices]]
        else:
            matrices = []
            found = [self._rate(metric, groups) for metric in metrics]
        higher = [metric.higher_is_better for metric in metrics]
        choices = []
        for k, of_metrics in enumerate(zip(*found, strict=True)):
            values, index = combine_utilities(of_metrics, higher, by=self.combine)
            choices.append((index, values, matrices[k] if matrices else None))
        return choices

    def describe_task(self, metrics: Sequence[Metric], texts: CandidateTexts) -> dict[str, object]:
        """Describe everything that the choices depend on."""
        return {
            "metrics": [metric.signature((1, 1)) for metric in metrics],
            "combine": self.combine,
            "texts": texts.checksum(),
            "sample": self.sample,
            "seed": self.seed,
            "aggregate": self.aggregate,
        }

    def _rate(self, metric: Metric, groups: Sequence[CandidateGroup]) -> list[FloatArray]:
        """Compute the utility of each candidate by one metric."""
        if "references" not in metric.reads:
            return score_candidates(metric, groups)
        if self.aggregate:
            return aggregated_utilities(metric, groups)
        return [matrix.mean(axis=1) for matrix in score_groups(metric, groups)]

    def _draw(self, number: int, group: CandidateGroup) -> CandidateGroup:
        if self.sample is None or self.sample >= len(group.references):
            return group
        chosen = np.random.default_rng([self.seed, number]).choice(
            len(group.references), self.sample, replace=False
        )
        references = [group.references[i] for i in sorted(chosen.tolist())]
        return CandidateGroup(group.candidates, references, group.source)


class ChoiceJournal:
    """The choices so far, which are also in a file if one is given; an existing file of the same task is continued."""

    def __init__(self, path: Path | None, choices: list[Choice]) -> None:
        self.path, self.choices = path, choices

    @classmethod
    def start(
        cls, path: str | PathLike[str] | None, task: dict[str, object], groups: Iterable[CandidateGroup]
    ) -> "ChoiceJournal":
        if path is None:
            return cls(None, [])
        check_not_pipe(fspath(path), "a file of finished sources")
        head = json.dumps({"task": task}, sort_keys=True)
        choices = _parse_journal(fspath(path), head, groups) if exists(fspath(path)) else []
        made = cls(Path(path), choices)
        with write_atomically(made.path, InputError) as temporary:  # type: ignore[arg-type]
            temporary.write_text(f"{head}\n{_write_choices(choices, 0)}", encoding="utf-8")
        if choices:
            report_message("note", f"{show_path(fspath(path))} has {len(choices):,} finished sources")
        return made

    def __len__(self) -> int:
        return len(self.choices)

    def append(self, choices: Sequence[Choice]) -> None:
        text = _write_choices(choices, len(self.choices))
        self.choices += choices
        if self.path is not None:
            append_text(self.path, text, InputError)


def _write_choices(choices: Sequence[Choice], start: int) -> str:
    """Write a line per source with its number, because another process may append to the same file."""
    numbered = enumerate(choices, start=start)
    return "".join(
        f"{json.dumps([number, index, values.tolist()])}\n" for number, (index, values, _) in numbered
    )


def _parse_journal(path: str, head: str, groups: Iterable[CandidateGroup]) -> list[Choice]:
    """Parse the first finished sources without a gap; an interruption may have cut off the last line."""
    lines = split_lines(read_bytes(path).decode("utf-8", errors="replace"))
    if not lines:
        return []
    if lines[0] != head:
        raise InputError(
            f"{show_path(path)} belongs to other candidates or options; give another file, or delete it"
        )
    finished = _parse_choices(lines[1:])
    choices: list[Choice] = []
    for number, group in enumerate(groups):
        if number not in finished:
            break
        index, values, _ = finished[number]
        if values.shape != (len(group.candidates),) or not 0 <= index < len(values):
            raise InputError(
                f"{show_path(path)}: the choice for source {number + 1:,} does not fit its"
                f" {len(group.candidates):,} candidates; delete the file to start again"
            )
        choices.append(finished[number])
    return choices


def _parse_choices(lines: Iterable[str]) -> dict[int, Choice]:
    found: dict[int, Choice] = {}
    for line in lines:
        try:
            number, index, values = json.loads(line)
            found[int(number)] = int(index), np.array(values, dtype=np.float64), None
        except (ValueError, TypeError, OverflowError, RecursionError):
            break
    return found
