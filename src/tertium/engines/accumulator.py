"""Scores of segments that arrive batch by batch, as in a training loop, with the digits of one call over all texts."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Self, get_args

import numpy as np
import numpy.typing as npt

from tertium.arguments import describe_value, list_items
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice, match_texts, split_labels
from tertium.declarations import check_list
from tertium.engines.jobs import MetricRecipe
from tertium.errors import InputError, OptionError, UnknownNameError, suggest
from tertium.evaluation.comparison import compare
from tertium.evaluation.evaluation import (
    Evaluation,
    SegmentBatch,
    compute_statistics,
    fit_metrics,
    format_signature,
)
from tertium.kernels.sums import ExactSums
from tertium.metrics.inputs import Orientation, group_references, list_references, make_column
from tertium.stats.analysis import Analysis
from tertium.text.detection import TextLanguage
from tertium.values import FloatArray, Score, available_texts

State = Mapping[str, npt.NDArray[Any]]
"""The sums of all segments as plain arrays."""

# Segments with more references count as segments with this number: only signatures read it.
_MOST_REFERENCES = 64


class AccumulatedScores(dict[str, Score]):
    """The score of each metric by its label, in the order of the metrics."""

    n_segments: int

    def __init__(self, scores: Mapping[str, Score], n_segments: int) -> None:
        super().__init__(scores)
        self.n_segments = n_segments

    def __missing__(self, label: str) -> Score:
        raise UnknownNameError(f"no metric {label!r}; {suggest(str(label), self)}")

    def __repr__(self) -> str:
        return f"<{self.n_segments:,} segments: {', '.join(map(str, self.values()))}>"

    def __reduce__(self) -> tuple[object, tuple[dict[str, Score], int]]:
        return type(self), (dict(self), self.n_segments)

    def to_metrics(self, prefix: str = "") -> dict[str, float]:
        """Return a flat mapping from name to number, as experiment trackers log it."""
        found: dict[str, float] = {}
        for label, score in self.items():
            found |= score.to_metrics(f"{prefix}{label}")
        return found


class Accumulator:
    """Collect the statistics of segments batch by batch and compute the scores of all of them.

    The sums are exact: the scores depend neither on the batches nor on the order of updates and merges, and equal those of
    one call over all texts to the last bit.

    Parameters
    ----------
    metrics
        Labels of metrics, such as "bleu,chrf" or ["bleu", "ter:lowercase=true"].
    language
        The target language or the language pair, such as "de" or "en-de". It chooses tokenizers and resources. Metrics with
        word vectors guess it from the references of the first batch if it is not given.
    tokenizer, lowercase
        Options of every metric that has them.
    resources
        Word vectors and other resources.
    references
        The references of the whole test set, a text or a list of texts for each segment. Only metrics that learn from
        them, such as NIST, need them in advance.
    orientation
        Whether `update` takes a list of references per segment (the default) or, as sacreBLEU does, per reference stream.
    keep_segments
        Whether the statistics of every segment are kept, which confidence intervals need. Otherwise memory is constant.

    Examples
    --------
    >>> import tertium
    >>> scores = tertium.Accumulator("bleu,wer")
    >>> scores.update(["the cat sat on the mat"], ["the cat sat on a mat"])
    >>> scores.update(["a dog barked at it"], ["a dog barked at me"])
    >>> round(float(scores.compute()["wer"]), 2)
    18.18
    """

    def __init__(
        self,
        metrics: str | Sequence[str] = "bleu",
        *,
        language: str | None = None,
        tokenizer: str | None = None,
        lowercase: bool = False,
        resources: ResourceChoice | None = None,
        references: Iterable[str | Iterable[str]] | None = None,
        orientation: Orientation = "segments",
        keep_segments: bool = True,
    ) -> None:
        _check_type("language", language, str | None, "a text")
        _check_type("tokenizer", tokenizer, str | None, "a text")
        _check_type("lowercase", lowercase, bool, "true or false")
        _check_type("keep_segments", keep_segments, bool, "true or false")
        _check_type("resources", resources, ResourceChoice | None, "a ResourceChoice")
        if not isinstance(orientation, str) or orientation not in get_args(Orientation):
            raise OptionError(f"orientation must be segments or streams, not {describe_value(orientation)}")
        choice = resources or ResourceChoice()
        labels = split_labels(check_list(metrics, "metrics"))
        if not labels:
            raise OptionError("metrics names no metric")
        self._recipe = MetricRecipe(
            labels=tuple(labels),
            tokenizer=tokenizer,
            lowercase=lowercase,
            resources=choice if language is None else replace(choice, language=language),
        )
        self._orientation: Orientation = orientation
        self._keeps_segments = keep_segments
        self._all_references = None if references is None else _list_groups(references)
        self.reset()
        self._make_metrics()

    def reset(self) -> None:
        """Forget all segments."""
        self._sums: ExactSums | None = None
        self._widths: list[int] = []
        self._rows: list[FloatArray] = []
        self._counts = np.zeros(_MOST_REFERENCES + 1, dtype=np.int64)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the metrics."""
        return self._recipe.labels

    @property
    def n_segments(self) -> int:
        """The number of segments that were added."""
        return int(self._counts.sum())

    def update(
        self,
        hypotheses: Iterable[str],
        references: Iterable[str] | Iterable[Iterable[str]] | None = None,
        source: Iterable[str] | None = None,
    ) -> None:
        """Add a batch of segments. If a text of the batch is wrong, no segment of it is added.

        Parameters
        ----------
        references
            A text or a list of texts for each segment. Metrics that read only the source need none.
        """
        outputs = make_column(hypotheses, "hypotheses")
        if not len(outputs):
            return
        groups = self._group_references(outputs, references)
        sources = None if source is None else make_column(source, "source")
        if sources is not None and len(sources) != len(outputs):
            raise InputError(f"{len(outputs):,} hypotheses but a source of {len(sources):,} segments")
        self._choose_vectors(groups)
        found = available_texts(references=references is not None, source=sources is not None)
        metrics = [metric.metric for metric in match_texts(self._metrics, found)]
        tables = compute_statistics(SegmentBatch(groups, [outputs], sources), metrics)
        self._widths = [table.shape[2] for table in tables]
        rows = np.concatenate([table[0] for table in tables], axis=1)
        if self._sums is None:
            self._sums = ExactSums(rows.shape[1])
        self._sums.add(rows)
        if self._keeps_segments:
            self._rows.append(rows)
        sizes = [min(len(group), _MOST_REFERENCES) for group in groups]
        self._counts += np.bincount(sizes, minlength=len(self._counts))

    def merge(self, other: Self) -> Self:
        """Add the segments of another accumulator, such as that of another process; return this one."""
        if self._recipe.labels != other._recipe.labels or self._signatures() != other._signatures():
            raise InputError(
                f"{', '.join(self.labels)} cannot be merged with {', '.join(other.labels)}: accumulators that are merged need"
                " the same metrics, resources and language="
            )
        if self._keeps_segments != other._keeps_segments:
            raise InputError("an accumulator that keeps segments cannot be merged with one that does not")
        if other._sums is not None:
            self._add_state(other.state())
        return self

    def __add__(self, other: Self) -> Self:
        return copy(self).merge(other)

    def state(self) -> dict[str, npt.NDArray[Any]]:
        """Return the sums as plain arrays.

        `sums` and `references` are integers: those of several processes can be added, as torch.distributed and MPI do.
        `rows`, which exist if segments are kept, are concatenated. `load_state` takes the result.
        """
        sums = self._sums or ExactSums(self._count_columns())
        found: dict[str, npt.NDArray[Any]] = {"sums": sums.to_array(), "references": self._counts.copy()}
        if self._keeps_segments:
            self._rows = [np.concatenate([np.empty((0, len(sums))), *self._rows])]
            found["rows"] = self._rows[0]
        return found

    def load_state(self, state: State) -> None:
        """Replace all segments by those of a state, or of the sum of several states."""
        self.reset()
        self._add_state(state)

    def compute(
        self,
        *,
        ci: bool = False,
        alpha: float | None = None,
        samples: int | None = None,
        seed: int | None = None,
    ) -> AccumulatedScores:
        """Compute the scores of all segments that were added.

        Parameters
        ----------
        ci
            Whether each score has a confidence interval (`low`, `high`), by resampling segments as `tertium.score` does.
        alpha, samples, seed
            The level of the intervals is 1 − alpha; number of resamples; seed of the random numbers.
        """
        if self._sums is None:
            raise InputError("no segments to score: call update first")
        totals = np.split(self._sums.totals(), np.cumsum(self._widths)[:-1])
        found: dict[str, Score] = {}
        for metric, total in zip(self._metrics, totals, strict=True):
            signature = format_signature(self._metrics, metric.label, self._n_references, {})
            value = float(metric.metric.combine(total))
            found[metric.label] = Score(metric.label, value, signature, metric.metric.details(total))
        if ci:
            self._add_intervals(found, Analysis.of(n_samples=samples, alpha=alpha, seed=seed))
        return AccumulatedScores(found, self.n_segments)

    def _make_metrics(self, vectors_for: str | None = None) -> None:
        """Build the metrics, with word vectors for a language that was guessed."""
        self._recipe = replace(self._recipe, vectors_for=vectors_for)
        every = available_texts(references=True, source=True)
        self._metrics: list[LabelledMetric] = self._recipe.make(every)
        self._widths = []
        if self._all_references is not None:
            self._metrics = fit_metrics(self._metrics, self._all_references)
        elif learning := [metric.label for metric in self._metrics if metric.metric.learns_from_references]:
            raise OptionError(
                f"{learning[0]} learns from the references of the whole test set: give all of them with references="
            )

    def _choose_vectors(self, groups: Sequence[Sequence[str]]) -> None:
        if self._sums is None and self._recipe.vectors_for is None:
            maker = MetricMaker(self._recipe.resources)
            texts = TextLanguage([text for group in groups for text in group])
            if (language := maker.guess_vectors(self._metrics, texts)) is not None:
                self._make_metrics(language)

    def _group_references(self, outputs: Sequence[str], references: Any) -> Sequence[Sequence[str]]:
        if references is None:
            return group_references(outputs, None, None)
        listed = list(references)
        if listed and all(isinstance(reference, str) for reference in listed):
            if len(listed) != len(outputs):
                raise InputError(f"{len(outputs):,} hypotheses but {len(listed):,} references")
            return group_references(outputs, [listed], "streams")
        return group_references(outputs, listed, self._orientation)

    def _signatures(self) -> list[str]:
        return [metric.metric.get_signature() for metric in self._metrics]

    @property
    def _n_references(self) -> tuple[int, int]:
        used = np.flatnonzero(self._counts)
        return int(used[0]), int(used[-1])

    def _count_columns(self) -> int:
        """Count the statistics of all metrics by scoring an empty segment."""
        if not self._widths:
            metrics = [metric.metric for metric in self._metrics]
            tables = compute_statistics(SegmentBatch([[""]], [[""]], [""]), metrics)
            self._widths = [table.shape[2] for table in tables]
        return sum(self._widths)

    def _add_state(self, state: State) -> None:
        sums = ExactSums.from_array(state["sums"], n_rows=int(state["references"].sum()))
        if len(sums) != self._count_columns():
            raise InputError(f"the state has {len(sums)} sums; these metrics have {self._count_columns()}")
        if self._sums is None:
            self._sums = sums
        else:
            self._sums.merge(sums)
        if self._keeps_segments:
            self._rows.append(np.asarray(state["rows"], dtype=np.float64))
        self._counts = self._counts + np.asarray(state["references"], dtype=np.int64)

    def _add_intervals(self, scores: dict[str, Score], analysis: Analysis) -> None:
        if not self._keeps_segments:
            raise OptionError(
                "intervals need the statistics of every segment: create the accumulator with keep_segments=True"
            )
        tables = np.split(self.state()["rows"][None], np.cumsum(self._widths)[:-1], axis=2)
        evaluation = Evaluation(
            ("system",), tuple(self._metrics), dict(zip(scores, tables, strict=True)), self._n_references
        )
        comparison = compare(evaluation, analysis)
        for label, score in scores.items():
            bounds = comparison.metrics[label].intervals
            signature = evaluation.signature(label, **comparison.signature_facts())
            low, high = float(bounds.low[0]), float(bounds.high[0])
            scores[label] = replace(score, signature=signature, low=low, high=high)

    def __repr__(self) -> str:
        return f"<Accumulator: {', '.join(self.labels)}, {self.n_segments:,} segments>"

    def __getstate__(self) -> dict[str, Any]:
        given = ("_recipe", "_orientation", "_keeps_segments", "_all_references")
        saved = {name: vars(self)[name] for name in given}
        return saved if self._sums is None else {**saved, "state": self.state()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        """Build the metrics with their resources again: these are not pickled."""
        state = saved.pop("state", None)
        vars(self).update(saved)
        self.reset()
        self._make_metrics(self._recipe.vectors_for)
        if state is not None:
            self._add_state(state)


def _check_type(name: str, value: object, kind: Any, described: str) -> None:
    if not isinstance(value, kind):
        raise OptionError(f"{name} must be {described}, not {describe_value(value)}")


def _list_groups(references: Iterable[str | Iterable[str]]) -> list[list[str]]:
    """List the references of each segment, which may be one text."""
    groups = list_items(references, "references")
    return [list_references([group] if isinstance(group, str) else group) for group in groups]
