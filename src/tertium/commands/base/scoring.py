"""`tertium.score`: texts or files in, scores with intervals and tests out."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, replace
from functools import cached_property, partial
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tertium.catalog import LabelledMetric, MetricMaker, match_texts, split_labels
from tertium.catalog.choice import check_languages
from tertium.commands.base.given_texts import GivenTexts, References, Texts, is_empty
from tertium.commands.base.options import (
    BATCH_SIZE,
    METRICS,
    RESUME,
    AnalysisOptions,
    EngineOptions,
    MetricOptions,
    ResourceOptions,
)
from tertium.commands.base.request import FilePath, Request, Strings, guard_output
from tertium.commands.base.scores import SystemScores, needs_comparison
from tertium.commands.base.streamed import choose_texts, write_scores
from tertium.commands.base.text_options import (
    COLUMNS,
    HYPOTHESES,
    LOWER,
    REFERENCES,
    SCORES,
    SOURCE,
    TEST_SET,
    InputFormatOptions,
    UnitOptions,
)
from tertium.corpus import CorpusFiles, read_columns
from tertium.corpus.texts.formats import use_input_format
from tertium.corpus.texts.streaming import Plan
from tertium.declarations import Opt, check_list
from tertium.engines.engine import Engine, open_engine
from tertium.engines.jobs import MetricRecipe
from tertium.engines.pipeline import PART_SIZE, Receive, ScoringPlan, compute_scores, plan_corpus, plan_files
from tertium.errors import OptionError, argument
from tertium.evaluation import Evaluation
from tertium.evaluation.evaluation import SystemTotals
from tertium.evaluation.gaps import describe_gaps
from tertium.evaluation.likely_mistakes import (
    check_references,
    find_equal_outputs,
    find_equal_scores,
    find_unfit_metrics,
    find_warnings,
)
from tertium.evaluation.selection import SegmentColumns, parse_conditions, select_rows, select_texts
from tertium.evaluation.units import Units, choose_units, choose_units_of_parts, find_column
from tertium.files.paths import show_path
from tertium.kernels.threads import use_threads
from tertium.metrics.inputs import Orientation
from tertium.records import record
from tertium.stats.analysis import PairedTest
from tertium.text.detection import TextLanguage
from tertium.values import Corpus, FloatArray

if TYPE_CHECKING:
    from tertium.alignment.cutting import Cutting
    from tertium.commands.base.streamed import SegmentFile
    from tertium.evaluation.external_scores import ExternalScoreFile
    from tertium.evaluation.runs import RunContents

DEFAULT_METRICS: tuple[str, ...] = ("bleu",)
METRICS_WITHOUT_REFERENCES = ("srcsim",)
_WITHOUT_REFERENCES = (
    "srcsim compares outputs with the source: it finds lines that are not translations, but does not show which of two"
    " good systems is better"
)


@record
class ScoreRequest(
    AnalysisOptions,
    UnitOptions,
    MetricOptions,
    ResourceOptions,
    EngineOptions,
    InputFormatOptions,
    Request["ScoreResult"],
):
    """Score one or many systems against one or many references.

    Examples
    --------
    >>> import tertium
    >>> result = tertium.score({"a": ["the cat sat"], "b": ["a cat sat"]}, ["the cat sat"], "wer")
    >>> {system: round(score.value, 1) for system, score in result["wer"].items()}
    {'a': 0.0, 'b': 33.3}
    """

    hypotheses: Annotated[
        Texts
        | Mapping[str, Texts]
        | Corpus
        | CorpusFiles
        | SystemScores
        | PathLike[str]
        | Iterable[PathLike[str]],
        replace(
            HYPOTHESES,
            help="Outputs of the systems; NAME=FILE,FILE names the training runs of one system.",
            is_many=True,
            python="In Python: the texts of one system, of several systems by name (a mapping or a data frame), paths, a corpus, or an"
            " earlier result whose texts are scored again.",
        ),
    ] = ()
    references: Annotated[
        References | PathLike[str] | Iterable[PathLike[str]] | None,
        replace(
            REFERENCES,
            help="References: text, TSV, CSV, JSONL, XLSX, Parquet, XLIFF, TMX, XML or SGML, also .gz and .xz; FILE#COLUMN names"
            " a column, - is standard input. Metrics that read only the source need none.",
            is_many=True,
            python="In Python: a list of texts, several such lists (or a data frame), or paths.",
        ),
    ] = None
    metrics: Annotated[
        Strings | None,
        replace(METRICS, is_recorded=True, default="bleu, or srcsim if there is a source but no reference"),
    ] = None
    _: KW_ONLY
    source: Annotated[
        str | PathLike[str] | Iterable[str] | None,
        SOURCE,
    ] = None
    test_set: Annotated[
        str | None,
        TEST_SET,
    ] = None
    columns: Annotated[
        str | PathLike[str] | Mapping[str, Iterable[object]] | None,
        replace(COLUMNS, python="In Python also lists by name, or a data frame."),
    ] = None
    orientation: Annotated[
        Orientation | None,
        Opt(
            "Whether lists of references are streams or segments, if the shape leaves it open.",
            "Input",
            in_command=False,
        ),
    ] = None
    scores: Annotated[
        Strings | Mapping[str, Mapping[str, Iterable[float | None]]],
        replace(SCORES, python='In Python also scores by metric and system: {"COMET": {"A": [0.81, 0.79]}}.'),
    ] = ()
    lower: Annotated[
        Strings,
        LOWER,
    ] = ()
    resume: Annotated[FilePath | None, RESUME] = None
    batch_size: Annotated[int | None, BATCH_SIZE] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.scores, Mapping):
            object.__setattr__(self, "scores", check_list(self.scores, "scores"))
        if self.metrics is None:
            object.__setattr__(self, "metrics", self._choose_metrics())
        self.check_options()

    def _choose_metrics(self) -> tuple[str, ...]:
        has_texts = isinstance(self.hypotheses, Corpus | CorpusFiles | SystemScores)
        has_references = self.references is not None and not is_empty(self.references)
        if self.source is None or has_references or self.test_set or has_texts:
            return DEFAULT_METRICS
        return METRICS_WITHOUT_REFERENCES

    @cached_property
    def given(self) -> GivenTexts:
        return GivenTexts(
            hypotheses=self.hypotheses,
            references=self.references,
            source=self.source,
            columns=self.columns,
            orientation=self.orientation,
            test_set=self.test_set,
            language=self.language,
            align=self.align,
            needs_references=self.align or self.unit == "document",
        )

    @cached_property
    def texts(self) -> Corpus | CorpusFiles:
        """The texts, or the files that hold them."""
        return self.given.find()

    def run(self, sink: "SegmentFile | None" = None, whole: Mapping[str, str] | None = None) -> "ScoreResult":
        """Score all systems; mistakes are found before any text is scored.

        Parameters
        ----------
        sink
            Receives the score of every segment.
        whole
            Options of the caller that need all texts in memory, each with more advice for the error message.
        """
        with use_input_format(self.input_format):
            return ScoreJob(self).run(sink, whole or {})

    def make_metrics(self) -> tuple[MetricMaker, list[LabelledMetric]]:
        """Make the metrics for the language, before any text is read."""
        maker = MetricMaker(self.resources, tokenizer=self.tokenizer, lowercase=self.lowercase)
        return maker, maker.make_all(split_labels(tuple(self.metrics or ())))


@record(eq=False)
class ScoreJob:
    """The work of a request: texts are found, read and cut, metrics made, and statistics computed on an engine."""

    request: ScoreRequest

    def run(self, sink: "SegmentFile | None", whole: Mapping[str, str]) -> "ScoreResult":
        texts = choose_texts(self.request, whole)
        labels = split_labels(tuple(self.request.metrics or ()))
        files = self._list_external_scores(labels)
        maker, metrics = self.request.make_metrics()
        metrics = match_texts(metrics, texts.available)  # raises if a text is missing, before any is read
        self.request.check_sort([*(metric.label for metric in metrics), *(file.name for file in files)])
        with open_engine(self.request.engine_choice) as engine, use_threads(self.request.threads):
            plan, external = None, list[tuple[LabelledMetric, FloatArray]]()
            if isinstance(texts, Plan):
                plan = self._plan_files(engine, texts)
                sample = plan.read_sample()
            else:
                sample, external = self._read_corpus(texts, files)
            check_references(metrics, sample.n_references)
            language = TextLanguage(sample.target_texts)
            vectors_for = maker.guess_vectors(metrics, language)
            metrics, warnings = maker.with_vectors_for(metrics, vectors_for)
            warnings += check_languages(language, metrics, self.request.resources.target)
            warnings += [warning for metric in metrics for warning in metric.warnings]
            metrics = [replace(metric, text_facts=self.request.text_facts) for metric in metrics]
            if self.request.align:
                cuttings = self._cut_texts[1].items()
                warnings += [
                    f"{name}: {cutting.describe_empty()}" for name, cutting in cuttings if cutting.empty
                ]
            plan = plan or plan_corpus(sample, metrics)
            shown = [*metrics, *(metric for metric, _ in external)]
            with nullcontext() if sink is None else sink.open(plan.systems, shown) as writer:
                receive = None
                if writer is not None:
                    receive = partial(write_scores, writer, metrics, external, self.request.score_scale)
                found, notes = self._compute(engine, plan, metrics, vectors_for, receive)
                if tuple(labels) == METRICS_WITHOUT_REFERENCES:
                    notes = (_WITHOUT_REFERENCES, *notes)
                result = self._make_result(found, external, plan, sample, language, warnings, notes)
                if writer is not None and sink is not None:
                    writer.finish(result.table.systems, Path(sink.path))
        return result

    def _make_result(
        self,
        found: SystemTotals,
        external: "Sequence[tuple[LabelledMetric, FloatArray]]",
        plan: ScoringPlan,
        sample: Corpus,
        language: TextLanguage,
        warnings: Sequence[str],
        notes: tuple[str, ...],
    ) -> "ScoreResult":
        """Add the scores of files, and warn about segments without a score."""
        if external:
            from tertium.evaluation.external_scores import add_external_scores

            found = add_external_scores(found, external)
        corpus = plan.texts if isinstance(plan.texts, Corpus) else None
        return ScoreResult(
            self.request, found, corpus, sample, language, (*warnings, *describe_gaps(found)), notes
        )

    def _list_external_scores(self, labels: Sequence[str]) -> "list[ExternalScoreFile]":
        if not (self.request.scores or self.request.lower):
            return []
        from tertium.evaluation.external_scores import list_external_scores  # most runs have none

        scores = (
            self.request.scores if isinstance(self.request.scores, Mapping) else tuple(self.request.scores)
        )
        return list_external_scores(scores, tuple(self.request.lower), labels)

    def _plan_files(self, engine: Engine, texts: Plan) -> ScoringPlan:
        """Cut files into parts; raise if the options do not fit the systems or the number of segments."""
        self.request.check_systems(tuple(name for name, _ in texts.systems))
        plan = plan_files(
            engine,
            texts,
            part_size=self.request.batch_size or (PART_SIZE if self.request.resume is not None else None),
            with_digests=self.request.resume is not None,
        )
        if self.request.paired == "randomization" and not plan.keeps_rows:
            raise OptionError(
                f"{argument('paired', 'randomization')} needs the statistics of all {plan.n_segments:,} segments in"
                f" memory; {argument('paired', 'bootstrap')} does not"
            )
        return plan

    def _read_corpus(
        self, texts: Corpus | CorpusFiles, files: Sequence["ExternalScoreFile"]
    ) -> tuple[Corpus, list[tuple[LabelledMetric, FloatArray]]]:
        """Read the texts and the scores of other tools into memory, and select segments."""
        corpus = self._read_texts(texts)
        external = list[tuple[LabelledMetric, FloatArray]]()
        if files:
            from tertium.evaluation.external_scores import load_external_scores

            external = load_external_scores(files, tuple(corpus.systems), len(corpus))
        if self.request.where:
            conditions = parse_conditions(tuple(self.request.where))
            rows = select_rows(conditions, SegmentColumns(corpus), len(corpus))
            self.request.check_size(len(rows))
            corpus, external = (
                select_texts(corpus, rows),
                [(metric, table[:, rows]) for metric, table in external],
            )
        self.request.check_systems(tuple(corpus.systems))
        choose_units(SegmentColumns(corpus), self.request.resample)  # raises if there is no such column
        if self.request.by is not None:
            find_column(SegmentColumns(corpus), self.request.by)
        return corpus, external

    def _read_texts(self, texts: Corpus | CorpusFiles) -> Corpus:
        """Read the texts; cut outputs to the segments of the references and join documents, if requested."""
        if not self.request.align and self.request.unit == "segment":
            return texts if isinstance(texts, Corpus) else texts.read()
        from tertium.alignment.documents import join_documents  # most texts line up

        if self.request.align:
            corpus, outputs = self._cut_texts[0], None
        elif isinstance(texts, Corpus):
            corpus, outputs = texts, None
        else:
            corpus, outputs = texts.read_unaligned()
        return (
            corpus
            if self.request.unit == "segment"
            else join_documents(corpus, outputs, self.request.documents)
        )

    @cached_property
    def _cut_texts(self) -> "tuple[Corpus, Mapping[str, Cutting]]":
        """The corpus with outputs that were cut to its segments, and how each was cut."""
        from tertium.alignment.cutting import CutOptions
        from tertium.alignment.documents import cut_systems

        corpus, outputs = self.request.given.read_unaligned(self.request.documents)
        cuttings = cut_systems(corpus, outputs, CutOptions(), self.request.documents)
        return replace(corpus, systems={name: cutting.texts for name, cutting in cuttings.items()}), cuttings

    def _compute(
        self,
        engine: Engine,
        plan: ScoringPlan,
        metrics: Sequence[LabelledMetric],
        vectors_for: str | None,
        receive: Receive | None,
    ) -> tuple[SystemTotals, tuple[str, ...]]:
        """Compute the statistics of all parts; also return a note on finished parts that were not used."""
        n_systems, n_samples = len(plan.systems), 0
        if needs_comparison(self.request, plan.n_segments, n_systems):
            n_samples = self.request.analysis.n_samples
        found, n_unused = compute_scores(
            engine,
            plan,
            metrics,
            recipe=MetricRecipe(
                labels=tuple(split_labels(tuple(self.request.metrics or ()))),
                tokenizer=self.request.tokenizer,
                lowercase=self.request.lowercase,
                resources=self.request.resources,
                vectors_for=vectors_for,
            ),
            n_samples=n_samples,
            seed=self.request.analysis.seed,
            threads=self.request.threads,
            folder=None if self.request.resume is None else str(self.request.resume),
            receive=receive,
        )
        check_references(metrics, found.n_references)
        if not n_unused:
            return found, ()
        files = "1 file" if n_unused == 1 else f"{n_unused:,} files"
        folder = show_path(self.request.resume or "")
        return found, (f"{files} in {folder} came from other inputs, options or versions and were not used",)


@record(eq=False, repr=False)
class ScoreResult(SystemScores):
    """Scores by metric and system, and everything that can be computed from them.

    Attributes
    ----------
    corpus
        The texts; None if they were scored in parts.
    sample
        The texts, or the first of them, which are checked for likely mistakes.
    language
        The language of the references, detected on first use.

    Examples
    --------
    >>> import tertium
    >>> result = tertium.score({"a": ["the cat sat"], "b": ["a cat sat"]}, ["the cat sat"], "wer")
    >>> round(result["wer"]["b"].value, 1)
    33.3
    """

    request: ScoreRequest
    evaluation: SystemTotals
    corpus: Corpus | None
    sample: Corpus
    language: TextLanguage
    resource_warnings: tuple[str, ...] = ()
    """Likely mistakes in the choice of resources."""
    notes: tuple[str, ...] = ()

    @property
    def options(self) -> AnalysisOptions:
        return self.request

    @property
    def target(self) -> str | None:
        return self.request.resources.target

    @property
    def unfit_labels(self) -> set[str]:
        return find_unfit_metrics(self.evaluation.metrics, self.sample)

    @cached_property
    def segment_columns(self) -> Mapping[str, Sequence[str]]:
        return {} if self.corpus is None else SegmentColumns(self.corpus)

    def _choose_units(self, test: PairedTest | None) -> Units:
        if self.corpus is not None:
            return super()._choose_units(test)
        if not self._columns_of_parts:
            return choose_units_of_parts(SegmentColumns(self.sample))
        if isinstance(self.evaluation, Evaluation):
            return choose_units(self._columns_of_parts, self.options.resample, test=test)
        return choose_units_of_parts(self._columns_of_parts)

    @cached_property
    def _columns_of_parts(self) -> Mapping[str, Sequence[str]]:
        """The properties of segments that were scored in parts, if they have a file of their own."""
        files = self.request.texts
        path = files.columns if isinstance(files, CorpusFiles) else None
        return {} if path is None else read_columns(path, self.evaluation.n_segments)

    @cached_property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        """Likely mistakes in the texts or in the choice of resources."""
        return (
            *self.resource_warnings,
            *find_warnings(self.sample, self.evaluation.metrics, self.language),
            *find_equal_outputs(self.sample),
            *find_equal_scores(self.sample, self.evaluation),
        )

    def save(self, path: FilePath, *, texts: bool = True, command: str | None = None) -> None:
        """Save the result as a run, which `tertium.open_run` opens.

        Parameters
        ----------
        path
            The file to write.
        texts
            Whether the run contains all texts, or only their checksums.
        command
            The command line, for the record.
        """
        contents = self.make_contents(command)
        with guard_output((file.path for file in contents.origin.files), path):
            from tertium.evaluation.runs import save_run

            save_run(
                fspath(path), contents.evaluation, contents.corpus, origin=contents.origin, with_texts=texts
            )

    def make_contents(self, command: str | None) -> "RunContents":
        """Return the contents of a run of this result."""
        from tertium.commands.base.runs import list_files, write_settings
        from tertium.evaluation.runs import Origin, RunContents

        if self.corpus is None:
            raise OptionError("texts that were scored in parts cannot be saved as a run")
        origin = Origin(
            command=command, files=list_files(self.request), settings=write_settings(self.request)
        )
        return RunContents(self.tables, self.corpus, origin)
