"""Scores of all pairs of texts, and minimum Bayes risk decoding: choose the candidate nearest to all others."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY
from functools import partial
from itertools import islice, zip_longest
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Literal

import numpy as np

from tertium.arguments import describe_value, list_items
from tertium.catalog import MetricMaker, ResourceChoice, match_texts, split_labels
from tertium.commands.base.options import EngineOptions, ResourceOptions, check_given
from tertium.commands.base.request import FilePath, Opt, Request, function_of
from tertium.commands.base.results import Result
from tertium.corpus.candidates import read_candidates
from tertium.engines.engine import open_engine
from tertium.engines.items import compute_items
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation.pairwise import (
    CandidateGroup,
    aggregated_utilities,
    can_aggregate,
    combine_utilities,
    fit_references,
    score_candidates,
    score_groups,
    score_pairs,
)
from tertium.files.paths import check_not_pipe, exists, show_path
from tertium.files.reading import read_bytes, read_lines, split_lines
from tertium.files.writing import append_text, write_atomically
from tertium.kernels.threads import use_threads
from tertium.metrics.base import Metric
from tertium.metrics.inputs import list_texts
from tertium.presentation.tables.fields import describe_listing
from tertium.presentation.tables.model import Document
from tertium.progress import report_message, report_progress
from tertium.records import record
from tertium.stats.analysis import DEFAULT_SEED
from tertium.text import References
from tertium.types import FloatArray, available_texts

_SOURCES_AT_ONCE = 16  # sources of one batch: a hundred thousand pairs with 64 candidates each

Choice = tuple[int, FloatArray, "FloatArray | None"]
"""The index of the chosen candidate, the utility of each candidate, and the matrix if it is kept."""


@record
class PairwiseRequest(ResourceOptions, Request[FloatArray]):
    """Compute the segment score of every hypothesis (row) with every reference (column).

    Each text is tokenised once. Metrics that learn from references, such as those with inverse document frequencies,
    learn from the references given here.

    Examples
    --------
    >>> pairwise(["a b", "a c"], ["a b", "d"], "wer").tolist()
    [[0.0, 200.0], [50.0, 200.0]]
    """

    hypotheses: Annotated[Sequence[str], Opt("The texts that are scored.", "Input", in_command=False)]
    references: Annotated[
        Sequence[str], Opt("The texts that each of them is compared with.", "Input", in_command=False)
    ]
    metric: Annotated[str, Opt("The metric with its options.", "Metrics", in_command=False)] = "chrf"
    _: KW_ONLY
    source: Annotated[
        str | None,
        Opt("The text that all of them translate, for metrics that read it.", "Input", in_command=False),
    ] = None

    def run(self) -> FloatArray:
        for name in ("hypotheses", "references"):
            if not getattr(self, name):
                raise InputError(f"{name} is empty; give at least one text")
        (made,) = _make_metrics(self.metric, self.resources, has_source=self.source is not None)
        fitted = made.fit(References([[text] for text in self.references]))
        return score_pairs(fitted, tuple(self.hypotheses), tuple(self.references), self.source)


@record
class MBRRequest(ResourceOptions, EngineOptions, Request["MBRResult"]):
    """Choose for each source the candidate that is most similar to the others on average (minimum Bayes risk).

    The metric that chooses overestimates the chosen translations: report their quality with another metric.

    Examples
    --------
    >>> result = mbr([["the cat sat", "the cat sits", "a cat sat", "dogs"]])
    >>> result.texts
    ['the cat sat']
    """

    candidates: Annotated[
        FilePath | Sequence[Sequence[str]],
        Opt(
            "Candidates: JSON lines (a list of texts per source), TSV (a line per source, a column per candidate),"
            " Moses' n-best format, or plain text with the same number of lines for each source.",
            "Input",
            is_argument=True,
            metavar="FILE",
            access="read",
            python="In Python also a list with a list of texts for each source.",
        ),
    ]
    _: KW_ONLY
    per_source: Annotated[
        int | None,
        Opt("Lines per source in plain text.", "Input", flags=("-k", "--per-source"), metavar="N", least=1),
    ] = None
    references: Annotated[
        FilePath | Sequence[Sequence[str]] | None,
        Opt(
            "Pseudo-references in the same formats, such as samples from the model.",
            "Input",
            flags=("-r", "--references"),
            metavar="FILE",
            access="read",
            default="the candidates",
        ),
    ] = None
    source: Annotated[
        FilePath | Iterable[str] | None,
        Opt(
            "Source text, a line for each source, for metrics that read it.",
            "Input",
            flags=("-s", "--src"),
            metavar="FILE",
            access="read",
            python="In Python also a list of texts.",
        ),
    ] = None
    metric: Annotated[
        str,
        Opt(
            "The utility: a metric with its options, or several, separated by commas. A metric that reads no references"
            " scores each candidate by itself.",
            "Metrics",
            flags=("-m", "--metric"),
            completes="metrics",
        ),
    ] = "chrf"
    combine: Annotated[
        Literal["rank", "z"],
        Opt(
            "How several metrics are combined: the mean of the ranks of a candidate (from 1, the best), or of its"
            " standardised utilities.",
            "Metrics",
        ),
    ] = "rank"
    sample: Annotated[
        int | None,
        Opt(
            "Compare with at most N pseudo-references of each source, drawn at random.",
            "Analysis",
            metavar="N",
            least=1,
        ),
    ] = None
    aggregate: Annotated[
        bool,
        Opt(
            "Compare with the average of the pseudo-references (chrf and bleu): much faster, nearly the same choice.",
            "Analysis",
        ),
    ] = False
    seed: Annotated[
        int, Opt("Seed of the random numbers.", "Analysis", metavar="N", least=0, default=f"{DEFAULT_SEED}")
    ] = DEFAULT_SEED
    resume: Annotated[
        FilePath | None,
        Opt(
            "Keep finished sources in this file; the same command continues after an interruption.",
            "Execution",
            metavar="FILE",
            access="update",
        ),
    ] = None
    keep_matrices: Annotated[
        bool,
        Opt("Keep the score of every pair in the result.", "Output", in_command=False),
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_given(self, "candidates")
        for name in ("candidates", "references"):
            groups = getattr(self, name)
            if groups is not None and not isinstance(groups, str | PathLike):
                object.__setattr__(self, name, tuple(_list_groups(groups, name)))
        if self.source is not None and not isinstance(self.source, str | PathLike):
            object.__setattr__(self, "source", tuple(list_items(self.source, "source")))
        if self.keep_matrices and (self.aggregate or self.resume):
            raise OptionError(
                "scores of pairs cannot be kept when references are averaged or a run is resumed"
            )

    def run(self) -> "MBRResult":
        metrics = self._fit()
        n_sources = sum(1 for _ in self._groups())
        with open_engine(self.engine_choice) as engine:
            journal = _Journal.open(self.resume, self._task(metrics), self._groups())
            batches = _batches(self._groups(), skipped=len(journal))
            for choices in compute_items(engine, self, partial(self._choose, metrics), batches):
                journal.append(choices)
                report_progress("choosing", len(journal), n_sources)
        return self._make_result(journal.choices)

    def prepare(self) -> Callable[[Sequence[tuple[int, CandidateGroup]]], list[Choice]]:
        """Return the function that chooses the candidates of a batch of sources."""
        return partial(self._choose, self._fit())

    def _fit(self) -> list[Metric]:
        metrics = _make_metrics(self.metric, self.resources, has_source=self.source is not None)
        for metric in metrics:
            if self.aggregate and not can_aggregate(metric):
                raise OptionError(f"{argument('aggregate')} works with chrf and bleu, not with {metric.name}")
        if self.keep_matrices and (len(metrics) > 1 or "references" not in metrics[0].reads):
            raise OptionError("scores of pairs can be kept for one metric that reads references")
        return [fit_references(metric, self._groups()) for metric in metrics]

    def _groups(self) -> Iterator[CandidateGroup]:
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

    def _read_source(self) -> Iterable[str]:
        if self.source is None or not isinstance(self.source, str | PathLike):
            return self.source or ()
        check_not_pipe(fspath(self.source), "the source, which is read more than once,")
        return read_lines(fspath(self.source))

    def _read(self, source: FilePath | Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
        if not isinstance(source, str | PathLike):
            return iter(map(tuple, source))
        check_not_pipe(fspath(source), "the file with candidates, which is read more than once,")
        return read_candidates(fspath(source), per_source=self.per_source)

    def _choose(self, metrics: Sequence[Metric], batch: Sequence[tuple[int, CandidateGroup]]) -> list[Choice]:
        groups = [self._draw(number, group) for number, group in batch]
        with use_threads(self.threads):
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

    def _task(self, metrics: Sequence[Metric]) -> dict[str, object]:
        """Describe everything that the choices depend on."""
        if self.resume is None:
            return {}
        digest = hashlib.sha256()
        for group in self._groups():
            digest.update(json.dumps([group.candidates, group.references, group.source]).encode())
        return {
            "metrics": [metric.signature((1, 1)) for metric in metrics],
            "combine": self.combine,
            "texts": digest.hexdigest(),
            "sample": self.sample,
            "seed": self.seed,
            "aggregate": self.aggregate,
        }

    def _make_result(self, choices: Sequence[Choice]) -> "MBRResult":
        texts = [
            group.candidates[index] for group, (index, _, _) in zip(self._groups(), choices, strict=True)
        ]
        matrices = [matrix for _, _, matrix in choices if matrix is not None]
        return MBRResult(
            texts, [index for index, _, _ in choices], [values for _, values, _ in choices], matrices
        )


@record(eq=False)
class MBRResult(Result):
    """The chosen translations."""

    texts: list[str]
    """The chosen candidate of each source."""
    indices: list[int]
    """Its place among the candidates, from 0."""
    values: list[FloatArray]
    """The utility of every candidate of each source."""
    matrices: list[FloatArray]
    """The score of every candidate with every pseudo-reference, if they were kept."""

    @property
    def utilities(self) -> list[list[float]]:
        """The utility of every candidate of each source, as lists."""
        return [values.tolist() for values in self.values]

    def document(self) -> Document:
        rows = zip(self.texts, self.indices, self.values, strict=True)
        return describe_listing(
            "choices",
            [
                {"source": number, "candidate": index + 1, "utility": float(values[index]), "text": text}
                for number, (text, index, values) in enumerate(rows, start=1)
            ],
        )

    def lines(self) -> list[str]:
        """Return the chosen translations, one per line; raise if one of them has a line break."""
        for number, text in enumerate(self.texts, start=1):
            if "\n" in text or "\r" in text:
                raise InputError(
                    f"the translation of source {number:,} has a line break, which plain text cannot hold; "
                    f"use {argument('form', 'json')}"
                )
        return self.texts


class _Journal:
    """The choices so far, which are also in a file if one is given; an existing file of the same task is continued."""

    def __init__(self, path: Path | None, choices: list[Choice]) -> None:
        self.path, self.choices = path, choices

    @classmethod
    def open(
        cls, path: FilePath | None, task: dict[str, object], groups: Iterable[CandidateGroup]
    ) -> "_Journal":
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


def _batches(groups: Iterable[CandidateGroup], *, skipped: int) -> Iterator[list[tuple[int, CandidateGroup]]]:
    """Number the sources and divide them into batches, without the first ones."""
    numbered = islice(enumerate(groups), skipped, None)
    while batch := list(islice(numbered, _SOURCES_AT_ONCE)):
        yield batch


def _list_groups(groups: object, name: str) -> Iterator[tuple[str, ...]]:
    """List the texts of each source; raise if one of them has none."""
    if isinstance(groups, bytes | Mapping):
        raise InputError(f"{name} must be a file or a list of lists of texts, not {describe_value(groups)}")
    for number, texts in enumerate(list_items(groups, name)):
        found = list_texts(texts, f"{name}[{number}]")
        if not found:
            raise InputError(f"{name}[{number}] is empty: each source needs at least one text")
        yield tuple(found)


def _make_metrics(labels: str, resources: ResourceChoice, *, has_source: bool) -> list[Metric]:
    made = MetricMaker(resources).make_all(split_labels((labels,)))
    available = available_texts(references=True, source=has_source)
    return [each.metric for each in match_texts(made, available)]


pairwise = function_of("pairwise", PairwiseRequest)
mbr = function_of("mbr", MBRRequest)
