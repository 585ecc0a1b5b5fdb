"""Jobs: what a worker must know to compute any part of a corpus, as text and plain numbers only."""

import platform
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tertium
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice
from tertium.corpus.texts.batches import Plan
from tertium.corpus.texts.parts import PartReader
from tertium.errors import InputError, ResourceError
from tertium.files.paths import exists, file_size, show_path
from tertium.metrics.base import Learnt

__all__ = [
    "Job",
    "absolute_resources",
    "close_files",
    "metrics_of",
    "reader_of",
    "remember_metrics",
    "unseen",
]


@dataclass(frozen=True, kw_only=True, eq=False)
class Job:
    """How parts are computed.

    Attributes
    ----------
    key
        Tells this job from others, so that a process opens files and resources once for all its parts.
    sizes
        The bytes of each file, as whoever planned the job sees it.
    signatures
        The metrics' signatures there: a worker with other resources must not take part.
    vectors_for
        The language whose vectors serve, because the first segments look like it.
    learnt
        What metrics have counted in all references, by label.
    keeps_rows
        Whether a part's rows are returned, or only their sums.
    n_samples, seed
        Of the Poisson bootstrap; 0 samples for none.
    """

    key: str
    plan: Plan
    sizes: Mapping[str, int]
    labels: tuple[str, ...]
    tokenizer: str | None
    lowercase: bool
    resources: ResourceChoice
    signatures: tuple[str, ...]
    vectors_for: str | None = None
    learnt: Mapping[str, Learnt] = field(default_factory=dict)
    keeps_rows: bool = True
    keeps_scores: bool = False
    n_samples: int = 0
    seed: int = 0
    threads: int | None = None
    version: str = tertium.__version__

    def make_metrics(self) -> list[LabelledMetric]:
        """Build the metrics, with their resources."""
        maker = MetricMaker(self.resources, tokenizer=self.tokenizer, lowercase=self.lowercase)
        made = maker.make_all(self.labels)
        return made if self.vectors_for is None else maker.with_vectors_for(made, self.vectors_for)


def absolute_resources(choice: ResourceChoice) -> ResourceChoice:
    """Name the files of resources by their absolute paths, for processes that work in another folder."""

    def fix(value: Any) -> Any:
        is_path = isinstance(value, (str, Path)) and exists(value)
        return str(Path(value).absolute()) if is_path else value

    changes: dict[str, Any] = {
        name: tuple(map(fix, choice.trees)) if name == "trees" else fix(getattr(choice, name))
        for name in choice.named
    }
    return replace(choice, **changes)


def remember_metrics(job: Job, metrics: Sequence[LabelledMetric]) -> None:
    """Spare this process the making of metrics that it has made already."""
    _made.clear()
    _made[job.key] = list(metrics)


# The metrics of the job that this process works on; every thread has its own open files.
_made: dict[str, list[LabelledMetric]] = {}
_lock = threading.Lock()
_own = threading.local()


def metrics_of(job: Job) -> list[LabelledMetric]:
    """Give the job's metrics, which this process makes once, after it has made sure that it sees what the driver sees."""
    with _lock:
        if job.key not in _made:
            _check_worker(job)
            remember_metrics(job, _fit(job, job.make_metrics()))
        return _made[job.key]


def _fit(job: Job, metrics: Sequence[LabelledMetric]) -> list[LabelledMetric]:
    found = tuple(each.metric.signature((1, 1)) for each in metrics)
    for ours, theirs in zip(found, job.signatures, strict=True):
        if ours != theirs:
            raise ResourceError(
                f"worker {platform.node()} has other resources: it would compute {ours}, not {theirs};"
                " install the same packages and files everywhere"
            )
    return [
        replace(each, metric=each.metric.fit_learnt(job.learnt[each.label]))
        if each.label in job.learnt
        else each
        for each in metrics
    ]


def _check_worker(job: Job) -> None:
    if tertium.__version__ != job.version:
        raise ResourceError(
            f"worker {platform.node()} has Tertium {tertium.__version__}, but this is {job.version};"
            " install the same version everywhere"
        )
    for path, size in job.sizes.items():
        if (found := file_size(path)) < 0:
            raise unseen(path)
        if found != size:
            raise InputError(
                f"worker {platform.node()} sees another {show_path(path)}: it has {found:,} bytes, not {size:,};"
                " put the files where all machines see the same"
            )


def unseen(path: str) -> InputError:
    """Say that this worker does not see a file."""
    return InputError(
        f"worker {platform.node()} sees no file {show_path(path)};"
        " put the files where all machines see them under the same path"
    )


@contextmanager
def reader_of(job: Job) -> Iterator[PartReader]:
    """Give this thread's reader of the job's files; if something goes wrong, the next part opens them anew."""
    known: tuple[Job, PartReader] | None = getattr(_own, "reader", None)
    if known is None or known[0].plan != job.plan:
        close_files()
        _own.reader = job, PartReader(job.plan)
    try:
        yield _own.reader[1]
    except BaseException:
        close_files()
        raise


def close_files() -> None:
    """Close the files that this thread has open."""
    with suppress(AttributeError):
        _own.reader[1].close()
        del _own.reader
