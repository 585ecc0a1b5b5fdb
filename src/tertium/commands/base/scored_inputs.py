"""The systems that commands compare: runs, results and outputs that are scored now, as one evaluation."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property
from itertools import zip_longest
from os import PathLike, fspath
from typing import Annotated, Any

from tertium.arguments import describe_value
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice, split_labels
from tertium.catalog.choice import check_languages
from tertium.commands.base.options import (
    METRICS,
    MetricOptions,
    PairedTestOptions,
    ResourceOptions,
    ThreadOptions,
)
from tertium.commands.base.request import FilePath, Strings
from tertium.commands.base.runs import choose_set, is_run, list_sets, open_address, read_resources, read_scale
from tertium.commands.base.scores import ScoreSetsResult, SystemScores
from tertium.commands.base.text_options import InputFormatOptions, OutputFileOptions
from tertium.consent import refuse_code
from tertium.corpus import count_systems, expand_names, expand_paths, read_columns, read_corpus, read_outputs
from tertium.corpus.texts.formats import InputFormat, use_input_format
from tertium.engines import evaluate
from tertium.errors import InputError, OptionError, UnknownNameError, argument, suggest
from tertium.evaluation import Evaluation
from tertium.evaluation.runs import Run
from tertium.evaluation.runs.files import checksum, checksum_test_set, join_checksums
from tertium.evaluation.runs.manifest import read_options
from tertium.evaluation.selection import (
    JoinedEvaluation,
    NamedEvaluation,
    join_evaluations,
    select_metrics,
    select_systems,
)
from tertium.evaluation.units import choose_units
from tertium.files.paths import show_path, split_name
from tertium.metrics.base import Metric, Parts
from tertium.metrics.inputs import list_frame
from tertium.records import record
from tertium.resources.trees.installed_parsers import check_parser
from tertium.stats.analysis import PairedTest
from tertium.text.detection import TextLanguage
from tertium.values import Corpus

ScoredInput = str | PathLike[str] | SystemScores | ScoreSetsResult | Mapping[str, Iterable[str]]
"""A run, an output that is scored now, a result of `score`, `score_sets` or `open_run`, or texts by system (also a data
frame)."""


@record(kw_only=True)
class OpenedRunOptions(PairedTestOptions):
    """Which metrics of runs are used, and how systems are compared."""

    metrics: Annotated[
        Strings | None,
        replace(
            METRICS,
            help="Metrics.",
            default="the metrics of the run, otherwise bleu",
        ),
    ] = None

    def load(self, inputs: Sequence[ScoredInput]) -> "ScoredInputs":
        """Open runs and score outputs, and choose the units of intervals and tests."""
        return self._load(inputs).choose_units(self.resample, self.test)

    def _load(self, inputs: Sequence[ScoredInput]) -> "ScoredInputs":
        return load_scored(inputs, metrics=tuple(self.metrics) if self.metrics else None)


@record(kw_only=True)
class ScoredInputOptions(
    OutputFileOptions, InputFormatOptions, OpenedRunOptions, MetricOptions, ResourceOptions, ThreadOptions
):
    """How outputs are scored and systems compared, where runs do not say it."""

    def _load(self, inputs: Sequence[ScoredInput]) -> "ScoredInputs":
        if any(map(_holds_texts, inputs)):
            return super()._load([self._score(given) if _holds_texts(given) else given for given in inputs])
        return load_scored(
            inputs,
            references=tuple(self.references),
            source=None if self.source is None else str(self.source),
            columns=None if self.columns is None else str(self.columns),
            metrics=tuple(self.metrics) if self.metrics else None,
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            resources=self.resources if self.names_resources else None,
            threads=self.threads,
            input_format=self.input_format,
        )

    def _score(self, texts: Any) -> SystemScores:
        """Score texts that were given in Python; the references are texts too."""
        from tertium.commands.base.scoring import ScoreRequest

        return ScoreRequest(
            texts,
            list(self.references),
            tuple(self.metrics or ("bleu",)),
            source=self.source,
            columns=self.columns,
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            threads=self.threads,
            tests_pairs=False,
            **vars(self.resources),
        ).run()


def _holds_texts(given: object) -> bool:
    is_result = isinstance(given, SystemScores | ScoreSetsResult)
    return not is_result and (isinstance(given, Mapping) or list_frame(given) is not None)


def check_column(name: str, known: Mapping[str, Sequence[str]]) -> None:
    """Raise if the segments have no such column."""
    if name not in known:
        advice = (
            suggest(name, list(known))
            if known
            else f"there are no columns; give them with {argument('columns', 'FILE')}"
        )
        raise UnknownNameError(f"no segment has a column {name!r}; {advice}")


_Listed = Sequence[
    tuple[str | None, "str | SystemScores"]
]  # a name, if one was given, and a path or a result
_Outputs = Sequence[tuple[str | None, str]]


@record(kw_only=True)
class _Files:
    """How outputs are scored."""

    references: Sequence[str]
    source: str | None
    metrics: Sequence[str] | None
    tokenizer: str | None
    lowercase: bool
    resources: ResourceChoice
    threads: int | None


@record(eq=False)
class _Source:
    """A run, a result or the outputs, with the checksums that identify its test set."""

    part: NamedEvaluation
    run: Run | None = None
    scored: Corpus | None = None

    @property
    def corpus(self) -> Corpus | None:
        return self.scored if self.run is None else self.run.corpus

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """The columns of the segments, among them their documents."""
        if self.run is not None:
            return _with_documents(self.run.columns, self.run.document_ids)
        return {} if self.scored is None else _with_documents(self.scored.columns, self.scored.document_ids)

    @cached_property
    def checksums(self) -> Sequence[tuple[str, ...]]:
        if self.run is not None:
            return self.run.test_set_checksums
        return [] if self.scored is None else checksum_test_set(self.scored)

    @cached_property
    def test_set(self) -> str:
        return join_checksums(self.checksums) if self.run is None else self.run.manifest.test_set

    @cached_property
    def source_checksums(self) -> Sequence[str] | None:
        """The checksums of the source, if there is one that a metric read."""
        if not any("source" in metric.metric.reads for metric in self.part.evaluation.metrics):
            return None
        if self.run is not None:
            return self.run.source_checksums
        sources = None if self.scored is None else self.scored.sources
        return None if sources is None else list(map(checksum, sources))


def _with_documents(
    columns: Mapping[str, Sequence[str]], documents: Sequence[str] | None
) -> Mapping[str, Sequence[str]]:
    return columns if documents is None else {"document": documents, **columns}


@record(eq=False)
class ScoredInputs:
    """All systems of all inputs as one evaluation.

    Attributes
    ----------
    names
        For each input, in order, the names of its systems in `evaluation`.
    notes
        Facts that a reader should know, such as metrics that were left out.
    """

    evaluation: Evaluation
    names: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    _sources: tuple[_Source, ...] = field(default=(), repr=False)
    _given: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)

    @property
    def runs(self) -> list[Run]:
        """The runs among the inputs."""
        return [source.run for source in self._sources if source.run is not None]

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
        """The columns of the segments, also where texts are missing."""
        found = dict(self._given)
        for source in self._sources:
            found = {**source.columns, **found}
        return found

    def choose_units(self, resample: str | None, test: PairedTest | None = None) -> "ScoredInputs":
        """Choose what intervals and tests resample, for every command that reads the evaluation."""
        units = choose_units(self.columns, resample, test=test)
        return replace(self, evaluation=replace(self.evaluation, units=units))

    @property
    def scale(self) -> int:
        """The scale with which the runs were saved; 100 if there is none.

        Raises
        ------
        OptionError
            If two runs were saved with different scales.
        """
        runs = [source.run for source in self._sources if source.run is not None]
        scales = {run.path: read_scale(run) for run in runs}
        if len(set(scales.values())) > 1:
            listed = ", ".join(f"{path} with {scale}" for path, scale in scales.items())
            raise OptionError(
                f"the runs were saved with different scales: {listed}; give {argument('scale')}"
            )
        return next(iter(scales.values()), 100)


def load_scored(
    inputs: Sequence[ScoredInput],
    *,
    references: Sequence[str] = (),
    source: FilePath | None = None,
    columns: FilePath | None = None,
    metrics: Sequence[str] | None = None,
    tokenizer: str | None = None,
    lowercase: bool = False,
    resources: ResourceChoice | None = None,
    threads: int | None = None,
    input_format: InputFormat | None = None,
) -> ScoredInputs:
    """Open runs, score files, and join them all into one evaluation.

    Parameters
    ----------
    inputs
        Runs, results and system outputs in any order: `base.run`, `base.run#SYSTEM`, `old=base.run` (a prefix for
        systems with the same name in two runs), `new.txt`, `name=new.txt`, or patterns.
    references
        For output files; by default the references of the first run that has texts.
    source
        For output files; by default the source of the first run that has texts.
    metrics
        As the command line writes them; by default those of the first run, and BLEU if there is none.
    resources
        For metrics that are computed now; by default those of the first run.
    input_format
        The format of output files, if their suffixes do not say it.

    Raises
    ------
    OptionError
        If an option for outputs is given, and all inputs are runs.
    InputError
        If inputs are of different test sets, or have a metric that was computed in different ways.
    """
    listed = list(_list_inputs(inputs))
    if not listed:
        raise InputError("nothing to compare: give runs or system outputs")
    opened = [_open(name, given) for name, given in listed if not isinstance(given, str) or is_run(given)]
    if len(opened) == len(listed):
        _check_unused(
            references=references,
            source=source,
            tokenizer=tokenizer,
            lowercase=lowercase,
            input_format=input_format,
            resources=resources,
        )
    files = _Files(
        references=expand_paths(list(references)),
        source=None if source is None else fspath(source),
        metrics=metrics,
        tokenizer=tokenizer,
        lowercase=lowercase,
        resources=resources or _recorded_resources(opened if len(opened) < len(listed) else ()),
        threads=threads,
    )
    with use_input_format(input_format):
        return _join(listed, opened, files, None if columns is None else fspath(columns))


def _check_unused(*, resources: ResourceChoice | None, **given: object) -> None:
    """Raise on options for texts and metrics, where all inputs are runs: their scores are known."""
    if resources is not None:
        given |= {field.name: getattr(resources, field.name) for field in fields(resources)}
    for name, value in given.items():
        # vectors may be an array or a data frame, which have no truth value
        if value is not None and value is not False and not (isinstance(value, str | Sequence) and not value):
            text = f"{argument(name)} is for outputs that are scored now, but all inputs are runs"
            raise OptionError(text).about(name)


def _list_inputs(inputs: Sequence[ScoredInput]) -> Iterator[tuple[str | None, str | SystemScores]]:
    for given in inputs:
        if isinstance(given, SystemScores):
            yield None, given
        else:
            yield from expand_names([_name_path(given)])


def _name_path(given: object) -> str:
    if isinstance(given, str | PathLike):
        return fspath(given)
    if isinstance(given, ScoreSetsResult):
        raise InputError("the result has several test sets; give one of them: result['SET']")
    raise InputError(f"an input must be a path or a result, not {type(given).__name__}")


def _join(listed: _Listed, opened: list[_Source], files: _Files, columns: str | None) -> ScoredInputs:
    outputs = [(name, given) for name, given in listed if isinstance(given, str) and not is_run(given)]
    sources, notes = opened, list[str]()
    if files.metrics is not None:
        labels = split_labels(list(files.metrics))
        sources = [replace(source, part=select_metrics(source.part, labels)) for source in opened]
    if outputs:
        scored, notes = _score_files(outputs, opened, files)
        sources = [*sources, scored]
    for source in sources[1:]:
        _check_test_set(sources[0], source)
    joined = join_evaluations(_name_parts([source.part for source in sources]))
    given = {} if columns is None else read_columns(columns, joined.evaluation.n_segments)
    names = _names_by_input(listed, outputs, joined)
    return ScoredInputs(joined.evaluation, names, (*notes, *joined.notes), tuple(sources), given)


def check_runs(inputs: Sequence[ScoredInput]) -> None:
    """Raise on an output where only runs are read."""
    for given in inputs:
        if isinstance(given, str | PathLike) and not is_run(split_name(fspath(given)).path):
            raise InputError(f"{show_path(fspath(given))} is not a run; 'tertium score --save' writes one")


def _open(name: str | None, given: str | SystemScores) -> _Source:
    if isinstance(given, SystemScores):
        return _Source(NamedEvaluation(name or "result", given.tables), scored=getattr(given, "corpus", None))
    file, system = open_address(given)
    run = file.take_only()
    evaluation = run.evaluation if system is None else select_systems(run.evaluation, [system])
    return _Source(NamedEvaluation(name or run.name, evaluation), run)


@record
class SetInputs:
    """The inputs of each test set that runs share; the key None stands for inputs without named test sets.

    Attributes
    ----------
    left_out
        The names of test sets that some of the files do not have.
    """

    inputs: Mapping[str | None, tuple[ScoredInput, ...]]
    left_out: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the test sets; none for inputs of a single test set."""
        return [name for name in self.inputs if name is not None]


def split_sets(inputs: Sequence[ScoredInput]) -> SetInputs:
    """Name the inputs of each test set, if the inputs are files that hold the runs of several test sets.

    Raises
    ------
    InputError
        If only some of the inputs hold several test sets, or they share none.
    """
    found = [_list_sets(given) for given in inputs]
    if not any(found):
        return SetInputs({None: tuple(inputs)})
    if not all(found):
        one, other = (next(i for i, names in enumerate(found) if bool(names) == has) for has in (True, False))
        raise InputError(
            f"{inputs[one]} holds several test sets, but {inputs[other]} does not; choose one:"
            f" {inputs[one]}#{found[one][0]}"
        )
    shared = [name for name in found[0] if all(name in names for names in found)]
    if not shared:
        raise InputError(f"no test set is in all of {', '.join(map(str, inputs))}")
    every = dict.fromkeys(name for names in found for name in names)
    return SetInputs(
        {name: tuple(_take_set(given, name) for given in inputs) for name in shared},
        tuple(name for name in every if name not in shared),
    )


def _list_sets(given: ScoredInput) -> list[str]:
    """List the test sets of a file, if it holds several and none is chosen."""
    if isinstance(given, ScoreSetsResult):
        return list(given.results)
    if not isinstance(given, str | PathLike):
        return []
    _, path = split_name(fspath(given))
    return list_sets(path) if is_run(path) else []


def _take_set(given: ScoredInput, test_set: str) -> ScoredInput:
    return given.results[test_set] if isinstance(given, ScoreSetsResult) else choose_set(str(given), test_set)


def _recorded_resources(opened: Sequence[_Source]) -> ResourceChoice:
    """Return the resources of the first run, with which outputs are scored."""
    run = opened[0].run if opened else None
    if run is None:
        return ResourceChoice()
    choice = read_resources(run.manifest.origin.settings)
    with refuse_code(run.path, f"name it with {argument('parser', 'MODEL')} to allow it"):
        check_parser(choice.parser or "")
    return choice


def _name_parts(parts: Sequence[NamedEvaluation]) -> list[NamedEvaluation]:
    """Number parts that have the same name."""
    names = [part.name for part in parts]
    return [
        part
        if names.count(part.name) == 1
        else replace(part, name=f"{part.name}-{names[: i + 1].count(part.name)}")
        for i, part in enumerate(parts)
    ]


def _score_files(outputs: _Outputs, opened: Sequence[_Source], files: _Files) -> tuple[_Source, list[str]]:
    run = next((source.run for source in opened if source.run is not None), None)
    corpus = _read_files(outputs, opened, files)
    language = TextLanguage(corpus.target_texts)
    made, notes = _make_metrics(run, files, language)
    notes += check_languages(language, made, files.resources.target)
    evaluation = evaluate(corpus, made, threads=files.threads)
    return _Source(NamedEvaluation("files", evaluation), scored=corpus), notes


def _read_files(outputs: _Outputs, opened: Sequence[_Source], files: _Files) -> Corpus:
    known = next((source.corpus for source in opened if source.corpus is not None), None)
    if files.references or known is None:
        return read_corpus(files.references, outputs, files.source)
    return read_outputs(known, outputs, files.source)


def _make_metrics(
    run: Run | None, files: _Files, language: TextLanguage
) -> tuple[list[LabelledMetric], list[str]]:
    """Build the named metrics, or those of a run; also return notes on resources that were chosen."""
    maker = MetricMaker(files.resources, tokenizer=files.tokenizer, lowercase=files.lowercase)
    if files.metrics is not None or run is None:
        made = maker.make_all(split_labels(list(files.metrics or ("bleu",))))
        return maker.with_vectors_for(made, maker.guess_vectors(made, language))
    computed = [record for record in run.manifest.records if record["kind"] == "computed"]
    if not computed:
        raise InputError(
            f"{run.path} has no metric that can be computed; name metrics with {argument('metrics')}"
        )
    return [
        LabelledMetric(recorded["label"], _rebuild(maker, recorded), recorded["preset"])
        for recorded in computed
    ], []


def _rebuild(maker: MetricMaker, recorded: Mapping[str, Any]) -> Metric:
    """Build a metric of a run with its resources, and its parts if it has any."""
    options = read_options(recorded)
    if parts := (recorded["resources"].get("parts") or {}).get("parts"):
        options["parts"] = Parts(tuple(_rebuild(maker, part) for part in parts))
    return maker.build(recorded["name"], options, recorded["label"])


def _check_test_set(one: _Source, other: _Source) -> None:
    """Raise if the references differ, or the sources, where there are no references or metrics read the source."""
    names = f"{one.part.name} and {other.part.name} were scored on different"
    counts = [source.part.evaluation.n_segments for source in (one, other)]
    if counts[0] != counts[1]:
        raise InputError(
            f"{names} test sets: {one.part.name} has {counts[0]:,} segments and {other.part.name} {counts[1]:,}; compare"
            " systems on the same segments"
        )
    if one.test_set != other.test_set:
        number = _first_difference(one.checksums, other.checksums)
        has_references = all(source.part.evaluation.n_references[1] for source in (one, other))
        texts = "references" if has_references else "texts"
        raise InputError(
            f"{names} test sets: the {texts} of segment {number:,} differ; compare systems on the same {texts}"
        )
    ours, theirs = one.source_checksums, other.source_checksums
    if ours is not None and theirs is not None and ours != theirs:
        number = _first_difference(ours, theirs)
        raise InputError(f"{names} sources: segment {number:,} differs; compare systems on the same source")


def _first_difference(ours: Sequence[object], theirs: Sequence[object]) -> int:
    """Return the number of the first segment that differs, from 1."""
    pairs = enumerate(zip_longest(ours, theirs), start=1)
    return next((number for number, (one, other) in pairs if one != other), 1)


def _names_by_input(
    listed: _Listed, outputs: _Outputs, joined: JoinedEvaluation
) -> tuple[tuple[str, ...], ...]:
    """Return the names of the systems of each input."""
    of_runs = iter(joined.names[: len(listed) - len(outputs)])
    of_files = iter(_split_by_file(outputs, joined.names[-1]) if outputs else ())
    return tuple(
        next(of_files) if isinstance(given, str) and not is_run(given) else next(of_runs)
        for _, given in listed
    )


def _split_by_file(outputs: _Outputs, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    if len(names) == len(outputs):
        return [(name,) for name in names]
    counts = count_systems(outputs)
    starts = [sum(counts[:i]) for i in range(len(counts))]
    return [names[start : start + count] for start, count in zip(starts, counts, strict=True)]


def list_inputs(*inputs: ScoredInput | Sequence[ScoredInput] | None) -> list[ScoredInput]:
    """List inputs that were given one by one or as lists."""
    listed: list[ScoredInput] = []
    for given in inputs:
        if given is not None:
            is_one = isinstance(given, str | PathLike | SystemScores | ScoreSetsResult | Mapping) or hasattr(
                given, "columns"
            )
            try:
                listed.extend([given] if is_one else given)  # type: ignore[list-item, arg-type]
            except TypeError:
                raise InputError(
                    f"inputs are runs, results, files or texts by system, not {describe_value(given)}"
                ) from None
    return listed


def choose_systems(evaluation: Evaluation, names: Sequence[str], *, is_pair: bool) -> tuple[str, ...]:
    """Return the named systems or all; raise if one is unknown, or if there are not two to compare."""
    known = evaluation.systems
    for name in names:
        if name not in known:
            raise UnknownNameError(f"no system {name!r}; {suggest(name, known)}")
    chosen = tuple(names) or known
    if is_pair and len(chosen) != 2:
        raise OptionError(
            f"two systems are compared, not {len(chosen)}: name them with {argument('systems', 'A B')};"
            f" there are {', '.join(known)}"
        )
    return chosen
