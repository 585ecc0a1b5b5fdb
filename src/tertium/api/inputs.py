"""What commands compare: runs, files that are scored now, or both, as one evaluation of one test set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from pathlib import PurePath

from tertium.api.results import Progress
from tertium.api.settings import read_resources
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice, split_labels
from tertium.catalog.choice import check_languages
from tertium.corpus import count_systems, expand_paths, read_columns, read_corpus, read_outputs, split_system
from tertium.engines import evaluate
from tertium.errors import InputError
from tertium.evaluation import Evaluation
from tertium.evaluation.runs import Run, open_run
from tertium.evaluation.runs.files import checksum_references, join_checksums
from tertium.evaluation.runs.manifest import read_options
from tertium.evaluation.selection import (
    JoinedEvaluation,
    NamedEvaluation,
    join_evaluations,
    select_metrics,
    select_systems,
)
from tertium.files.paths import Address, is_file, parse_address
from tertium.types import Corpus

__all__ = ["ScoredInputs", "is_run", "load_scored"]

_ZIP = b"PK\x03\x04"
_Listed = Sequence[tuple[str | None, str]]  # a name, if one was given, and a path


@dataclass(frozen=True, kw_only=True)
class _Files:
    """How files are scored, where runs do not say it."""

    references: Sequence[str]
    source: str | None
    metrics: Sequence[str] | None
    tokenizer: str | None
    lowercase: bool
    resources: ResourceChoice
    threads: int | None
    progress: Progress | None


@dataclass(frozen=True, eq=False)
class _Source:
    """A run or the files, with what tells its test set from others."""

    part: NamedEvaluation
    run: Run | None = None
    scored: Corpus | None = None

    @property
    def corpus(self) -> Corpus | None:
        return self.scored if self.run is None else self.run.corpus

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        if self.run is not None:
            return self.run.columns
        return {} if self.scored is None else self.scored.columns

    @cached_property
    def checksums(self) -> list[list[str]]:
        if self.run is not None:
            return self.run.reference_checksums
        return [] if self.scored is None else checksum_references(self.scored.references)

    @cached_property
    def test_set(self) -> str:
        return join_checksums(self.checksums) if self.run is None else self.run.manifest.test_set


@dataclass(frozen=True, eq=False)
class ScoredInputs:
    """All systems of all inputs as one evaluation.

    Attributes
    ----------
    names
        For each input in the order in which they were given, what its systems are called in `evaluation`.
    notes
        What a reader should know, such as metrics that were left out.
    """

    evaluation: Evaluation
    names: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    _sources: tuple[_Source, ...] = field(default=(), repr=False)
    _given: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)

    @cached_property
    def corpus(self) -> Corpus | None:
        """All texts; None if a run has only their checksums."""
        corpora = [source.corpus for source in self._sources]
        known = [corpus for corpus in corpora if corpus is not None]
        if len(known) < len(corpora):
            return None
        texts = [
            corpus.systems[name]
            for corpus, source in zip(known, self._sources, strict=True)
            for name in source.part.evaluation.systems
        ]
        systems = dict(zip(self.evaluation.systems, texts, strict=True))
        sources = next((corpus.sources for corpus in known if corpus.sources is not None), None)
        return replace(known[0], systems=systems, sources=sources, columns=self.columns)

    @cached_property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """What is known about segments besides their texts, also where texts are missing."""
        found = dict(self._given)
        for source in self._sources:
            found = {**source.columns, **found}
        return found


def load_scored(
    inputs: Sequence[str],
    *,
    references: Sequence[str] = (),
    source: str | None = None,
    columns: str | None = None,
    metrics: Sequence[str] | None = None,
    tokenizer: str | None = None,
    lowercase: bool = False,
    resources: ResourceChoice | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> ScoredInputs:
    """Open runs, score files, and join them all into one evaluation.

    Parameters
    ----------
    inputs
        Runs and system outputs in any order: `base.run`, `base.run#SYSTEM`, `old=base.run` (its name where systems
        of two runs have one name), `new.txt`, `name=new.txt`, patterns of them.
    references
        For output files; by default the references of the first run that has texts.
    metrics
        As the command line writes them; by default those of the first run, and BLEU if there is none.
    resources
        For metrics that are computed now; by default what the first run names.

    Raises
    ------
    InputError
        If inputs are of different test sets, or have a metric that was computed in different ways.
    """
    listed = [split_system(text) for text in expand_paths(list(inputs))]
    if not listed:
        raise InputError("nothing to compare: give runs or system outputs")
    opened = [_open(name, path) for name, path in listed if is_run(path)]
    files = _Files(
        references=expand_paths(list(references)),
        source=source,
        metrics=metrics,
        tokenizer=tokenizer,
        lowercase=lowercase,
        resources=resources or _recorded_resources(opened),
        threads=threads,
        progress=progress,
    )
    return _join(listed, opened, files, columns)


def _join(listed: _Listed, opened: list[_Source], files: _Files, columns: str | None) -> ScoredInputs:
    outputs = [each for each in listed if not is_run(each[1])]
    sources, notes = opened, list[str]()
    if files.metrics is not None:
        labels = split_labels(list(files.metrics))
        sources = [replace(each, part=select_metrics(each.part, labels)) for each in opened]
    if outputs:
        scored, notes = _score_files(outputs, opened, files)
        sources = [*sources, scored]
    for each in sources[1:]:
        _check_test_set(sources[0], each)
    joined = join_evaluations(_name_parts([each.part for each in sources]))
    given = {} if columns is None else read_columns(columns, joined.evaluation.n_segments)
    names = _names_by_input(listed, outputs, joined)
    return ScoredInputs(joined.evaluation, names, (*notes, *joined.notes), tuple(sources), given)


def is_run(text: str) -> bool:
    """Whether a run lies there, or at least a file that is called so."""
    path = _address(text).path
    if PurePath(path).suffix == ".run":
        return True
    if not is_file(path):
        return False
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - Path refuses names that open takes
            return file.read(len(_ZIP)) == _ZIP
    except OSError:
        return False


def _address(text: str) -> Address:
    path, _, column = text.rpartition(".run#")
    return Address(f"{path}.run", column) if path and not is_file(text) else parse_address(text)


def _open(name: str | None, text: str) -> _Source:
    address = _address(text)
    run = open_run(address.path)
    evaluation = run.evaluation
    if address.column is not None:
        evaluation = select_systems(evaluation, [address.column])
    return _Source(NamedEvaluation(name or run.name, evaluation), run)


def _recorded_resources(opened: Sequence[_Source]) -> ResourceChoice:
    run = opened[0].run if opened else None
    return ResourceChoice() if run is None else read_resources(run.manifest.origin.settings)


def _name_parts(parts: Sequence[NamedEvaluation]) -> list[NamedEvaluation]:
    """Give parts names of their own where two have the same."""
    names = [part.name for part in parts]
    return [
        part
        if names.count(part.name) == 1
        else replace(part, name=f"{part.name}-{names[: i + 1].count(part.name)}")
        for i, part in enumerate(parts)
    ]


def _score_files(outputs: _Listed, opened: Sequence[_Source], files: _Files) -> tuple[_Source, list[str]]:
    run = next((each.run for each in opened if each.run is not None), None)
    corpus = _read_files(outputs, opened, files)
    made, notes = _make_metrics(run, files, corpus)
    notes += check_languages(corpus, made, files.resources.target)
    evaluation = evaluate(corpus, made, threads=files.threads, progress=files.progress)
    return _Source(NamedEvaluation("files", evaluation), scored=corpus), notes


def _read_files(outputs: _Listed, opened: Sequence[_Source], files: _Files) -> Corpus:
    if files.references:
        return read_corpus(files.references, outputs, files.source)
    known = next((each.corpus for each in opened if each.corpus is not None), None)
    if known is None:
        raise InputError(f"{outputs[0][1]} has no reference to be scored against: give one with -r FILE")
    return read_outputs(known, outputs)


def _make_metrics(run: Run | None, files: _Files, corpus: Corpus) -> tuple[list[LabelledMetric], list[str]]:
    """Build the metrics that are named, or those of a run; also return notes on what was chosen for the texts."""
    maker = MetricMaker(files.resources, tokenizer=files.tokenizer, lowercase=files.lowercase)
    if files.metrics is not None or run is None:
        return maker.choose_vectors(maker.make_all(split_labels(list(files.metrics or ("bleu",)))), corpus)
    computed = [record for record in run.manifest.records if record["kind"] == "computed"]
    if not computed:
        raise InputError(f"{run.path} has no metric that can be computed; name metrics with -m")
    built = [
        LabelledMetric(
            each["label"], maker.build(each["name"], read_options(each), each["label"]), each["preset"]
        )
        for each in computed
    ]
    return built, []


def _check_test_set(one: _Source, other: _Source) -> None:
    if one.test_set == other.test_set:
        return
    pairs = enumerate(zip_longest(one.checksums, other.checksums), start=1)
    number = next((number for number, (ours, theirs) in pairs if ours != theirs), 1)
    raise InputError(
        f"{one.part.name} and {other.part.name} were scored on different test sets: the references of segment"
        f" {number:,} differ; compare systems on the same references"
    )


def _names_by_input(
    listed: _Listed, outputs: _Listed, joined: JoinedEvaluation
) -> tuple[tuple[str, ...], ...]:
    """Say for each input what its systems are called now."""
    of_runs = iter(joined.names[: len(listed) - len(outputs)])
    of_files = iter(_split_by_file(outputs, joined.names[-1]) if outputs else ())
    return tuple(next(of_runs) if is_run(path) else next(of_files) for _, path in listed)


def _split_by_file(outputs: _Listed, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    if len(names) == len(outputs):
        return [(name,) for name in names]
    counts = count_systems(outputs)
    starts = [sum(counts[:i]) for i in range(len(counts))]
    return [names[start : start + count] for start, count in zip(starts, counts, strict=True)]
