"""`tertium.score`: texts or files in, scores with intervals and tests out."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import KW_ONLY, replace
from functools import cached_property, partial
from operator import eq
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from tertium.alignment.options import CutOptions, TokenKind
from tertium.arguments import describe_value, list_items
from tertium.catalog import LabelledMetric, MetricMaker, match_texts, split_labels
from tertium.catalog.choice import check_languages
from tertium.commands.base.cut_options import (
    BOUNDARIES,
    CASE,
    CONSENSUS,
    SIMILAR,
    TOKENS,
    Similar,
    make_cut_options,
)
from tertium.commands.base.options import (
    METRICS,
    REFERENCES,
    AnalysisOptions,
    EngineOptions,
    InputFormatOptions,
    MetricOptions,
    ResourceOptions,
)
from tertium.commands.base.request import (
    FilePath,
    Opt,
    Request,
    Strings,
    guard_output,
    options_of,
)
from tertium.commands.base.scores import SystemScores, needs_comparison
from tertium.commands.base.streamed import choose_texts, write_scores
from tertium.corpus import CorpusFiles, UnalignedOutput, read_columns, read_lines
from tertium.corpus.texts.formats import use_input_format
from tertium.corpus.texts.streaming import Plan
from tertium.diagnosis.finding import Finding
from tertium.diagnosis.quick import QuickCheck
from tertium.diagnosis.texts import find_unfit_tokenizers
from tertium.engines.engine import Engine, open_engine
from tertium.engines.jobs import MetricRecipe
from tertium.engines.pipeline import PART_SIZE, Receive, ScoringPlan, compute_scores, plan_corpus, plan_files
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation import Evaluation
from tertium.evaluation.gaps import describe_gaps
from tertium.evaluation.selection import (
    SegmentColumns,
    parse_conditions,
    select_rows,
    select_texts,
)
from tertium.evaluation.statistics import SystemTotals
from tertium.evaluation.units import Units, choose_units, choose_units_of_parts, find_column
from tertium.files.paths import NamedPath, exists, show_path, split_name
from tertium.kernels.threads import use_threads
from tertium.metrics.inputs import Orientation, group_references, list_frame, make_column
from tertium.records import record
from tertium.stats.analysis import PairedTest
from tertium.text.detection import TextLanguage
from tertium.types import Corpus, FloatArray

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

Texts = Iterable[str]
References = Iterable[str] | Iterable[Iterable[str | None]]


ANY_LINES = Opt(
    "Outputs of the systems, with any line breaks.",
    "Input",
    flags=("-i", "--hyp"),
    metavar="[NAME=]FILE",
    is_many=True,
    python="In Python: the lines of one system, of several systems by name, or paths.",
)
DOCUMENTS = Opt(
    "Column with the document of each line, in references and outputs; 'blank' if blank lines separate documents,"
    " 'none' to ignore documents.",
    "Input",
    metavar="COLUMN",
    default="document, doc_id or the ids of XML, if there are any",
    in_parts=False,
    is_recorded=True,
)
RESUME = Opt(
    "Keep finished parts in this folder; after a crash the same command continues where it stopped.",
    "Execution",
    metavar="FOLDER",
    access="update",
)
BATCH_SIZE = Opt(
    "Score the texts in parts of N segments.",
    "Execution",
    metavar="N",
    least=1,
    default="100000, from 200000 segments on",
)


class Addresses(tuple["str | NamedPath", ...]):
    """Files as the command line names them: `FILE`, `FILE#COLUMN`, `NAME=FILE`, `-`, or names with paths."""

    __slots__ = ()


@record
class ScoreRequest(
    AnalysisOptions, MetricOptions, ResourceOptions, EngineOptions, InputFormatOptions, Request["ScoreResult"]
):
    """Score one or many systems against one or many references.

    Examples
    --------
    >>> result = score({"a": ["the cat sat"], "b": ["a cat sat"]}, ["the cat sat"], "wer")
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
        Opt(
            "Outputs of the systems, as many as you like; NAME=FILE,FILE names the training runs of one system.",
            "Input",
            flags=("-i", "--hyp"),
            metavar="[NAME=]FILE",
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
        Opt(
            "Source text, for metrics that read it and for reports.",
            "Input",
            flags=("-s", "--src"),
            metavar="FILE",
        ),
    ] = None
    test_set: Annotated[
        str | None,
        Opt(
            "Take references and source from a test set on this machine, for the given language pair:"
            " -t wmt15 -l de-en ('tertium data' lists test sets).",
            "Input",
            flags=("-t", "--test-set"),
            metavar="SET",
            completes="test sets",
            excludes=("references",),
        ),
    ] = None
    columns: Annotated[
        str | PathLike[str] | Mapping[str, Iterable[object]] | None,
        Opt(
            "More about each segment, a row each: TSV or CSV with a header, JSONL, XLSX or Parquet.",
            "Input",
            metavar="FILE",
            python="In Python also lists by name, or a data frame.",
        ),
    ] = None
    orientation: Annotated[
        Orientation | None,
        Opt(
            "Whether lists of references are streams or segments, if the shape leaves it open.",
            "Input",
            in_command=False,
        ),
    ] = None
    align: Annotated[
        bool,
        Opt(
            "Cut outputs with other line breaks to the segments of the references, as 'tertium align' does.",
            "Input",
            in_parts=False,
            is_recorded=True,
        ),
    ] = False
    align_tokens: Annotated[TokenKind, TOKENS] = CutOptions.tokens
    align_case: Annotated[bool, CASE] = CutOptions.case
    align_boundaries: Annotated[float, BOUNDARIES] = CutOptions.boundaries
    align_similar: Annotated[Similar, SIMILAR] = None
    align_consensus: Annotated[bool, CONSENSUS] = CutOptions.consensus
    documents: Annotated[str | None, DOCUMENTS] = None
    unit: Annotated[
        Literal["segment", "document"],
        Opt("Score segments, or whole documents.", "Input", in_parts=False, is_recorded=True),
    ] = "segment"
    scores: Annotated[
        Strings,
        Opt(
            "Segment scores of another tool, as a metric: TSV (system, segment, score), .seg.score, COMET's JSON,"
            " a score per line, or FILE#COLUMN.",
            "Metrics",
            metavar="[NAME=]FILE",
            in_parts=False,
        ),
    ] = ()
    lower: Annotated[
        Strings,
        Opt(
            "Metrics given as scores of another tool where lower is better.",
            "Metrics",
            metavar="NAME",
            is_recorded=True,
        ),
    ] = ()
    resume: Annotated[FilePath | None, RESUME] = None
    batch_size: Annotated[int | None, BATCH_SIZE] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.hypotheses, Addresses):
            addresses, groups = _split_groups(self.hypotheses)
            object.__setattr__(self, "hypotheses", addresses)
            object.__setattr__(self, "group", (*self.group, *groups))
        if self.metrics is None:
            object.__setattr__(self, "metrics", self._choose_metrics())
        self.check_options()
        self._check_alignment()

    def _check_alignment(self) -> None:
        """Raise on options of cuts if outputs are not cut."""
        given = (
            each.name
            for each in options_of(ScoreRequest)
            if each.name.startswith("align_") and not each.is_default(getattr(self, each.name))
        )
        if not self.align and (name := next(given, None)) is not None:
            raise OptionError(f"{argument(name)} requires {argument('align')}")

    def _choose_metrics(self) -> tuple[str, ...]:
        has_texts = isinstance(self.hypotheses, Corpus | CorpusFiles | SystemScores)
        has_references = self.references is not None and not _is_empty(self.references)
        if self.source is None or has_references or self.test_set or has_texts:
            return DEFAULT_METRICS
        return METRICS_WITHOUT_REFERENCES

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
            return self._run(sink, whole or {})

    def _run(self, sink: "SegmentFile | None", whole: Mapping[str, str]) -> "ScoreResult":
        texts = choose_texts(self, whole)
        labels = split_labels(tuple(self.metrics or ()))
        files = self._list_external_scores(labels)
        maker, metrics = self.make_metrics()
        metrics = match_texts(metrics, texts.available)  # raises if a text is missing, before any is read
        self.check_sort([*(each.label for each in metrics), *(each.name for each in files)])
        with open_engine(self.engine_choice) as engine, use_threads(self.threads):
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
            warnings += check_languages(language, metrics, self.resources.target)
            warnings += [warning for each in metrics for warning in each.warnings]
            metrics = [replace(each, text_facts=self._text_facts) for each in metrics]
            warnings += self._describe_cuts()
            plan = plan or plan_corpus(sample, metrics)
            shown = [*metrics, *(each for each, _ in external)]
            with nullcontext() if sink is None else sink.open(plan.systems, shown) as writer:
                receive = None
                if writer is not None:
                    receive = partial(write_scores, writer, metrics, external, self.score_scale)
                found, notes = self._compute(engine, plan, metrics, vectors_for, receive)
                if tuple(labels) == METRICS_WITHOUT_REFERENCES:
                    notes = (_WITHOUT_REFERENCES, *notes)
                result = self._make_result(found, external, plan, sample, language, warnings, notes)
                if writer is not None and sink is not None:
                    writer.finish(result.table.systems, Path(sink.path))
        return result

    def make_metrics(self) -> tuple[MetricMaker, list[LabelledMetric]]:
        """Make the metrics for the language, before any text is read."""
        maker = MetricMaker(self.resources, tokenizer=self.tokenizer, lowercase=self.lowercase)
        return maker, maker.make_all(split_labels(tuple(self.metrics or ())))

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
        return ScoreResult(self, found, corpus, sample, language, (*warnings, *describe_gaps(found)), notes)

    def _list_external_scores(self, labels: Sequence[str]) -> "list[ExternalScoreFile]":
        if not (self.scores or self.lower):
            return []
        from tertium.evaluation.external_scores import list_external_scores  # most runs have none

        return list_external_scores(tuple(self.scores), tuple(self.lower), labels)

    def _plan_files(self, engine: Engine, texts: Plan) -> ScoringPlan:
        """Cut files into parts; raise if the options do not fit the systems or the number of segments."""
        self.check_systems(tuple(name for name, _ in texts.systems))
        plan = plan_files(
            engine,
            texts,
            part_size=self.batch_size or (PART_SIZE if self.resume is not None else None),
            with_digests=self.resume is not None,
        )
        if self.paired == "randomization" and not plan.keeps_rows:
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
        if self.where:
            conditions = parse_conditions(tuple(self.where))
            rows = select_rows(conditions, SegmentColumns(corpus), len(corpus))
            self.check_size(len(rows))
            corpus, external = (
                select_texts(corpus, rows),
                [(each, table[:, rows]) for each, table in external],
            )
        self.check_systems(tuple(corpus.systems))
        choose_units(SegmentColumns(corpus), self.resample)  # raises if there is no such column
        if self.by is not None:
            find_column(SegmentColumns(corpus), self.by)
        return corpus, external

    def _read_texts(self, texts: Corpus | CorpusFiles) -> Corpus:
        """Read the texts; cut outputs to the segments of the references and join documents, if requested."""
        if not self.align and self.unit == "segment":
            return texts if isinstance(texts, Corpus) else texts.read()
        from tertium.alignment.documents import join_documents  # most texts line up

        if self.align:
            corpus, outputs = self._cut_texts[0], None
        elif isinstance(texts, Corpus):
            corpus, outputs = texts, None
        else:
            corpus, outputs = texts.read_unaligned()
        return corpus if self.unit == "segment" else join_documents(corpus, outputs, self.documents)

    @cached_property
    def _cut_texts(self) -> "tuple[Corpus, Mapping[str, Cutting]]":
        """The corpus with outputs that were cut to its segments, and how each was cut."""
        from tertium.alignment.documents import cut_systems

        corpus, outputs = self.read_unaligned()
        cuttings = cut_systems(corpus, outputs, self._cut_options, self.documents)
        return replace(corpus, systems={name: each.texts for name, each in cuttings.items()}), cuttings

    @cached_property
    def _cut_options(self) -> CutOptions:
        return make_cut_options(
            tokens=self.align_tokens,
            case=self.align_case,
            boundaries=self.align_boundaries,
            similar=self.align_similar,
            consensus=self.align_consensus,
        )

    def read_unaligned(self) -> tuple[Corpus, dict[str, UnalignedOutput]]:
        """Read references into a corpus without systems, and outputs whose lines need not match."""
        from tertium.alignment.documents import BLANK, drop_blank_segments

        texts = self.texts
        if isinstance(texts, CorpusFiles):
            corpus, outputs = texts.read_unaligned()
        else:
            systems = texts.systems or self._take_systems()
            outputs = {name: UnalignedOutput(f"system {name!r}", lines) for name, lines in systems.items()}
            corpus = replace(texts, systems={})
        return (drop_blank_segments(corpus) if self.documents == BLANK else corpus), outputs

    @property
    def _text_facts(self) -> tuple[tuple[str, str], ...]:
        align = (("align", self._cut_options.signature),) if self.align else ()
        return align if self.unit == "segment" else (*align, ("unit", self.unit))

    def _describe_cuts(self) -> list[str]:
        """Describe segments that received no text."""
        if not self.align:
            return []
        return [f"{name}: {each.describe_empty()}" for name, each in self._cut_texts[1].items() if each.empty]

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
        if needs_comparison(self, plan.n_segments, n_systems):
            n_samples = self.analysis.n_samples
        found, n_unused = compute_scores(
            engine,
            plan,
            metrics,
            recipe=MetricRecipe(
                labels=tuple(split_labels(tuple(self.metrics or ()))),
                tokenizer=self.tokenizer,
                lowercase=self.lowercase,
                resources=self.resources,
                vectors_for=vectors_for,
            ),
            n_samples=n_samples,
            seed=self.analysis.seed,
            threads=self.threads,
            folder=None if self.resume is None else str(self.resume),
            receive=receive,
        )
        check_references(metrics, found.n_references)
        if not n_unused:
            return found, ()
        files = "1 file" if n_unused == 1 else f"{n_unused:,} files"
        folder = show_path(self.resume or "")
        return found, (f"{files} in {folder} came from other inputs, options or versions and were not used",)

    @cached_property
    def texts(self) -> Corpus | CorpusFiles:
        """The texts, or the files that hold them."""
        corpus = self.hypotheses
        if isinstance(corpus, SystemScores):
            corpus = _corpus_of(corpus)
        if isinstance(corpus, Corpus | CorpusFiles):
            if self.references is not None:
                raise InputError(f"a corpus has its own references: leave out {argument('references')}")
            return corpus
        hypotheses, references = _list_addresses(self.hypotheses), _list_addresses(self.references)
        if self.test_set is not None or hypotheses is not None or references is not None:
            return self._find_files(hypotheses, references)
        return self._take_texts()

    def _find_files(
        self, hypotheses: tuple[str | NamedPath, ...] | None, references: tuple[str | NamedPath, ...] | None
    ) -> CorpusFiles:
        """Take the named files, and the rest from the test set; its systems too if none are named."""
        source, columns = self.source, self.columns
        if self.test_set is not None:
            from tertium.corpus.test_sets import open_pair

            if references:
                raise OptionError(f"give either {argument('references')} or {argument('test_set')}, not both")
            found = open_pair(self.test_set, self.language)
            references = tuple(map(str, found.references))
            source, columns = source or found.source, columns or found.columns
            hypotheses = hypotheses or tuple(
                NamedPath(name, str(path)) for name, path in found.systems.items()
            )
        if not hypotheses:
            raise OptionError(f"{argument('hypotheses', 'FILE')} is missing")
        self._check_references(references)
        if source is not None and not isinstance(source, str | PathLike):
            raise InputError("the source must be a file, as the other texts are")
        if columns is not None and not isinstance(columns, str | PathLike):
            raise InputError("the columns must be a file, as the texts are")
        return CorpusFiles(
            references=tuple(each if isinstance(each, str) else each.path for each in references or ()),
            hypotheses=hypotheses,
            source=None if source is None else fspath(source),
            columns=None if columns is None else fspath(columns),
        )

    def _take_texts(self) -> Corpus:
        systems = self._take_systems()
        self._check_references(self.references)
        first = _list_first(self.references) if self.align else next(iter(systems.values()))
        return Corpus(
            _group(first, self.references, self.orientation),
            {} if self.align else systems,
            sources=self._take_source(),
            columns=self._take_columns(len(first)),
        )

    def _check_references(self, references: object) -> None:
        """Raise if segments or documents of references are needed, but there are none."""
        is_missing = references is None or (isinstance(references, tuple) and not references)
        if is_missing and (self.align or self.unit == "document"):
            raise OptionError(f"{argument('references', 'FILE')} is missing")

    def _take_systems(self) -> dict[str, Sequence[str]]:
        found: Any = list_frame(self.hypotheses) or self.hypotheses
        given: Any = found if isinstance(found, Mapping) else {"system": found}
        if not given:
            raise InputError("no system to score: the mapping of hypotheses is empty")
        for name in given:
            if not isinstance(name, str):
                raise InputError(
                    f"the names of systems must be strings, not {name!r} ({type(name).__name__})"
                )
        return {
            name: make_column(texts, f"hypotheses[{name!r}]" if len(given) > 1 else "hypotheses")
            for name, texts in given.items()
        }

    def _take_columns(self, n_segments: int) -> Mapping[str, Sequence[str]]:
        if self.columns is None:
            return {}
        if isinstance(self.columns, str | PathLike):
            return read_columns(fspath(self.columns), n_segments)
        given = list_frame(self.columns) or self.columns
        if not isinstance(given, Mapping):
            raise OptionError(
                f"{argument('columns')} must be a file, a mapping of lists or a data frame,"
                f" not {describe_value(given)}"
            )
        found = {
            str(name): [str(value) for value in list_items(values, f"columns[{name!r}]")]
            for name, values in given.items()
        }
        for name, values in found.items():
            if len(values) != n_segments:
                raise InputError(
                    f"columns[{name!r}] has {len(values):,} values, but there are {n_segments:,} segments"
                )
        return found

    def _take_source(self) -> Sequence[str] | None:
        if self.source is None:
            return None
        if isinstance(self.source, str | PathLike):
            return read_lines(fspath(self.source))
        return make_column(self.source, "source")


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
    >>> result = score({"a": ["the cat sat"], "b": ["a cat sat"]}, ["the cat sat"], "wer")
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
        with guard_output((each.path for each in contents.origin.files), path):
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


def check_references(metrics: Sequence[LabelledMetric], n_references: tuple[int, int]) -> None:
    """Raise if a metric was given by a signature with another number of references."""
    for each in metrics:
        found = each.metric.format_n_references(n_references)
        if each.n_references not in (None, found):
            raise InputError(
                f"{each.label}: the signature says nrefs:{each.n_references}, but the data has nrefs:{found};"
                " give as many references, or leave nrefs out of the signature"
            )


def find_warnings(corpus: Corpus, metrics: Sequence[LabelledMetric], language: TextLanguage) -> list[str]:
    """Describe likely mistakes in the texts, in one line per system."""
    if not corpus.has_references:
        return []
    tokenizers = {name for each in metrics if (name := each.metric.word_tokenizer) is not None}
    check = QuickCheck(corpus.target_texts, tokenizers, language)
    found = ((system, check(texts, system)) for system, texts in corpus.systems.items())
    return list(dict.fromkeys(_describe_first(system, findings) for system, findings in found if findings))


# Problems that another option of the same command solves.
_SOLVED_BY_OPTIONS = ("unfit-tokenizer", "normal-form-mismatch", "letter-variants", "case-mismatch")


def _describe_first(system: str, findings: Sequence[Finding]) -> str:
    """Describe the first finding about a system or about the references, which is the most severe."""
    first = findings[0]
    owner = system if first.code in _SOLVED_BY_OPTIONS else first.file
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    remedy = f"; {first.remedy}" if first.code in _SOLVED_BY_OPTIONS else ""
    return f"{owner}: {first.problem}{more}{remedy}; 'tertium doctor' shows details"


def find_equal_outputs(corpus: Corpus) -> list[str]:
    """Warn about systems whose output is the reference, or that of another system."""
    seen: dict[tuple[str, ...], tuple[str, Sequence[str]]] = {}
    if corpus.has_references:
        seen[_head(corpus.target_texts)] = "the reference", corpus.target_texts
    warnings = []
    for system, texts in corpus.systems.items():
        own = f"that of {system}"
        other, known = seen.setdefault(_head(texts), (own, texts))
        if other != own and all(map(eq, texts, known)):
            warnings.append(f"the output of {system} equals {other}: check the files")
    return warnings


def _head(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the first segments; comparing all of them would take longer than scoring many segments."""
    return tuple(texts[:100])


def find_equal_scores(corpus: Corpus, evaluation: SystemTotals) -> list[str]:
    """Warn if different outputs have the same score, unless it is perfect, as that of many checks is."""
    if len({_head(texts) for texts in corpus.systems.values()}) < 2:
        return []
    return [
        f"all systems have the same {each.title}, {scores[0]:.2f}: check the files and the metric's options"
        for each in evaluation.metrics
        if bool(np.all((scores := evaluation.system_scores(each.label)) == scores[0]))
        and scores[0] != each.metric.best
    ]


def _list_addresses(given: object) -> tuple[str | NamedPath, ...] | None:
    """List the files that were named by paths; None if these are texts."""
    if isinstance(given, Addresses):
        return tuple(given)
    if isinstance(given, PathLike):
        return (fspath(given),)
    if isinstance(given, Mapping) and given and all(isinstance(path, PathLike) for path in given.values()):
        return tuple(NamedPath(name, fspath(path)) for name, path in given.items())
    is_list = isinstance(given, list | tuple) and bool(given)
    if is_list and all(isinstance(path, PathLike) for path in given):  # type: ignore[attr-defined]
        return tuple(fspath(path) for path in given)  # type: ignore[attr-defined]
    return None


def _is_empty(texts: object) -> bool:
    return isinstance(texts, tuple) and not texts


def _split_groups(addresses: Iterable[str | NamedPath]) -> tuple[Addresses, list[str]]:
    """Split `NAME=FILE,FILE` into one address per training run, and name the runs of each group."""
    found, groups = list[str | NamedPath](), list[str]()
    for text in addresses:
        name, path = split_name(text)
        if name is None or "," not in path or exists(path):
            found.append(text)
            continue
        files = path.split(",")
        if "" in files or len(files) < 2:
            raise OptionError(f"{text!r} names several training runs, but one of them is missing")
        runs = [f"{name}/{number}" for number in range(1, len(files) + 1)]
        found += map(NamedPath, runs, files)
        groups.append(f"{name}={','.join(runs)}")
    return Addresses(found), groups


def _corpus_of(result: SystemScores) -> Corpus:
    """Return the texts of an earlier result."""
    corpus = getattr(result, "corpus", None)
    if isinstance(corpus, Corpus):
        return corpus
    raise InputError("the result has no texts: they were scored in parts, or the run was saved without them")


def _list_first(references: object) -> Sequence[str]:
    """List one text per segment of references whose number of segments the hypotheses do not show."""
    frame = list_frame(references)
    items: list[Any] = list_items(references, "references") if frame is None else list(frame.values())
    return items if not items or isinstance(items[0], str) else list_items(items[0], "references[0]")


def _group(
    hypotheses: Sequence[str], references: object, orientation: Orientation | None
) -> Sequence[Sequence[str]]:
    if references is None:
        return group_references(hypotheses, None, orientation)
    if isinstance(references, str | bytes | Mapping):
        raise InputError(f"references must be a list, not a {type(references).__name__}")
    frame = list_frame(references)
    if frame is not None:
        return group_references(hypotheses, list(frame.values()), "streams")
    items = list_items(references, "references")
    n_texts = sum(isinstance(item, str) for item in items)
    if n_texts and n_texts == len(items):
        return group_references(hypotheses, [items], "streams")
    if n_texts:
        other = next(i for i, item in enumerate(items) if not isinstance(item, str))
        raise InputError(
            f"references must be all strings or all lists of strings, not a mixture;"
            f" references[{other}] is of type {type(items[other]).__name__}"
        )
    return group_references(hypotheses, items, orientation)


def find_unfit_metrics(metrics: Sequence[LabelledMetric], corpus: Corpus) -> set[str]:
    """Name the metrics whose tokenizer cannot split the texts into words, so that calibrations do not hold."""
    by_label = {each.label: each.metric.word_tokenizer for each in metrics}
    used = {name for name in by_label.values() if name is not None}
    _, unfit = find_unfit_tokenizers(corpus.target_texts, used)
    return {label for label, name in by_label.items() if name in unfit}
