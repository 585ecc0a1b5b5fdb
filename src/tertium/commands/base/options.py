"""Options of metrics, analysis, output and execution that several commands share, declared once.

A constant declares an option; a command that says more about it uses `replace(BY, help=…)`. Only requests need the methods that a dataclass generates, and generating them takes a large part of the start-up time.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import fields, replace
from os import PathLike
from typing import Annotated, Any, Literal

from tertium.catalog import ResourceChoice
from tertium.commands.base.request import FilePath, Request, Strings
from tertium.consent import allow_code, refuse_code
from tertium.declarations import Opt
from tertium.engines.engine import EngineChoice, EngineName
from tertium.errors import InputError, OptionError, argument, suggest
from tertium.files.paths import show_path
from tertium.interfaces import WordVectors
from tertium.records import record
from tertium.stats.analysis import (
    DEFAULT_ALPHA,
    DEFAULT_SAMPLES,
    DEFAULT_SEED,
    MAX_SAMPLES,
    MAX_SEED,
    MIN_ALPHA,
    Analysis,
    PairedTest,
    Resampling,
)

UNSORTED = "none"
"""The order of the input."""
GROUP_EXCLUDES = ("paired", "by", "full", "ci", "calibration")
"""Options of tables that training runs do not have."""
METRICS = Opt(
    "Metrics with their options: wer,bleu:tokenizer=intl,lowercase=yes.",
    "Metrics",
    flags=("-m", "--metrics", "--metric"),
    metavar="LIST",
    completes="metrics",
)
METRIC = Opt(
    "The metric, with options that stay fixed: chrf:word_order=2.",
    "Metrics",
    flags=("-m", "--metric", "--metrics"),
    metavar="METRIC",
    completes="metrics",
)
TOKENIZER = Opt(
    "Tokenizer for every metric that has this option.",
    "Metrics",
    metavar="NAME",
    completes="tokenizers",
    is_recorded=True,
)
LANGUAGE = Opt(
    "Target language or language pair (zh, de-en): selects the tokenizer for Chinese, Japanese and Korean,"
    " and is passed to language-dependent metrics.",
    "Resources",
    flags=("-l", "--language"),
    metavar="LANG",
    default="inferred from the language pair",
    completes="languages",
    is_recorded=True,
)
PARSER = Opt(
    "spaCy model for metrics over dependency trees: a package, a folder, or 'spacy'.",
    "Resources",
    metavar="MODEL",
    code="parsers",
    default="the parser in the package for English, otherwise an installed spaCy model",
    is_recorded=True,
)
ALPHA = Opt(
    "Significance level; confidence intervals have level 1 − alpha.",
    "Analysis",
    metavar="LEVEL",
    least=MIN_ALPHA,
    below=1,
    default=f"{DEFAULT_ALPHA:g}",
    is_recorded=True,
)
SEED = Opt(
    "Seed of the random numbers.",
    "Analysis",
    metavar="N",
    least=0,
    most=MAX_SEED,
    default=f"{DEFAULT_SEED}",
    is_recorded=True,
)
TEST = Opt("Paired significance test.", "Analysis")
LEVEL_NOTE = f"{Resampling().level} unless alpha is set"
CI = Opt(f"Bootstrap confidence intervals, {LEVEL_NOTE}.", "Analysis", is_recorded=True)
RESAMPLE = Opt(
    "The unit that intervals and tests draw as a whole: segment, document, or a column of the segments.",
    "Analysis",
    metavar="UNIT",
    default="documents where they are known, otherwise segments",
    completes="columns",
    is_recorded=True,
)
WHERE = Opt(
    "Use only segments that meet all conditions: 'domain=news,length>20' (= != < <= > >=, ~ contains)."
    " 'length' counts the words of the reference, or the characters in scripts without spaces.",
    "Analysis",
    metavar="LIST",
    completes="conditions",
    in_parts=False,
    is_recorded=True,
)
BY = Opt(
    "One row per value of a column, with their mean (macro) and all segments (micro).",
    "Analysis",
    metavar="COLUMN",
    completes="columns",
    in_parts=False,
)
CALIBRATION = Opt(
    "How often human judges agree with a difference: a table of the package, wmt21-22 (neural systems) or wmt10-15"
    " (statistical systems), or a file written by 'tertium meta --calibrate'.",
    "Analysis",
    metavar="TABLE",
    default="wmt21-22",
    is_recorded=True,
)
TABLE = Opt("The table to show.", "Output", flags=("-t", "--table"))
N_SHOWN = Opt("Show at most N segments.", "Output", flags=("-n", "--show"), metavar="N", least=1)
SCALE = Opt("Show bounded metrics on 0–100 or 0–1.", "Output", default="100", is_recorded=True)
THREADS = Opt(
    "Number of threads; scores do not depend on it.",
    "Execution",
    flags=("-j", "--threads"),
    metavar="N",
    least=1,
    default="every core",
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
DIFFERENCE = Opt(
    "The true difference to detect, in points of the metric.",
    "Analysis",
    flags=("-d", "--difference"),
    metavar="D",
    least=1e-6,
)
POWER = Opt("Probability to find the difference, if it is real.", "Analysis", metavar="P", above=0, below=1)
COMPARISONS = Opt(
    "Number of pairs of systems that will be tested; the level is divided by it.",
    "Analysis",
    metavar="N",
    least=1,
)
COST = Opt("Cost of a segment, such as its reference translation.", "Analysis", metavar="PRICE", above=0)
PROGRAMS = Opt(
    "Run the programs, Python files and checkpoints that a project file, a run or a file of rules names. Use this only"
    " for files that you trust.",
    "Execution",
)


@record(kw_only=True, repr=False, eq=False)
class ResamplingOptions:
    """How intervals and tests resample."""

    samples: Annotated[
        int | None,
        Opt(
            "Number of resamples.",
            "Analysis",
            metavar="N",
            least=1,
            most=MAX_SAMPLES,
            default=", ".join(f"{number} ({test})" for test, number in DEFAULT_SAMPLES.items()),
            is_recorded=True,
        ),
    ] = None
    alpha: Annotated[
        float | None,
        ALPHA,
    ] = None
    seed: Annotated[
        int | None,
        SEED,
    ] = None


@record(kw_only=True, repr=False, eq=False)
class PairedTestOptions(ResamplingOptions):
    """How two systems are tested against each other."""

    test: Annotated[
        PairedTest | None,
        replace(TEST, default="bootstrap over segments, randomization over documents"),
    ] = None
    resample: Annotated[str | None, RESAMPLE] = None

    @property
    def analysis(self) -> Analysis:
        return Analysis.of(test=self.test, n_samples=self.samples, seed=self.seed, alpha=self.alpha)


@record(kw_only=True, repr=False, eq=False)
class WhereOption:
    """Which segments are used."""

    where: Annotated[
        Strings,
        WHERE,
    ] = ()


@record(kw_only=True, repr=False, eq=False)
class SelectionOptions(WhereOption):
    """Which segments are used, and by which column they are grouped."""

    by: Annotated[
        str | None,
        BY,
    ] = None


@record(kw_only=True, repr=False, eq=False)
class AnalysisOptions(SelectionOptions, ResamplingOptions):
    """Intervals, tests and the order of a table of scores.

    `tests_pairs` says whether all pairs of systems are tested; None tests them where that is quick.
    """

    ci: Annotated[bool, CI] = False
    paired: Annotated[
        PairedTest | None,
        Opt(
            "Test every system against the baseline; 'sacrebleu-bootstrap' gives sacreBLEU's p-values, which call too"
            " many differences significant.",
            "Analysis",
            is_recorded=True,
        ),
    ] = None
    baseline: Annotated[
        str | None,
        Opt(
            "The baseline of the paired test.",
            "Analysis",
            metavar="NAME",
            default="the first system",
            completes="systems",
            is_recorded=True,
        ),
    ] = None
    resample: Annotated[str | None, RESAMPLE] = None
    group: Annotated[
        Strings,
        Opt(
            "Treat systems as training runs of one system: --group ours=seed1,seed2. The table shows the mean and the"
            " standard deviation over runs.",
            "Analysis",
            metavar="NAME=SYSTEM,…",
            excludes=GROUP_EXCLUDES,
            in_parts=False,
            is_recorded=True,
        ),
    ] = ()
    calibration: Annotated[FilePath | None, CALIBRATION] = None
    sort: Annotated[
        str | None,
        Opt(
            "Order systems by this metric, best first; 'none' keeps the order of the input.",
            "Output",
            metavar="METRIC",
            default="the first metric in tables, none in CSV, TSV and JSON",
            completes="labels",
            is_recorded=True,
        ),
    ] = None
    scale: Annotated[
        Literal[100, 1] | None,
        SCALE,
    ] = None
    style: Annotated[
        Literal["plain", "paper"],
        Opt(
            "In LaTeX, 'paper' writes a table for a paper: ranks, letters (with a baseline: ‡) for significance, small"
            " intervals, and a caption with the test, its correction and the signatures.",
            "Output",
        ),
    ] = "plain"
    details: Annotated[
        bool,
        Opt(
            "Also show how systems were tested, their ranks, the parts of scores (BLEU's precisions and brevity penalty)"
            " and signatures.",
            "Output",
            flags=("--details", "--detail"),
        ),
    ] = False
    full: Annotated[
        bool,
        Opt("In CSV, TSV and JSON, also write intervals, p-values, letters, ranks and signatures.", "Output"),
    ] = False
    tests_pairs: bool | None = None

    def check_options(self) -> None:
        """Raise on options that contradict each other."""
        if self.baseline and not self.paired:
            raise OptionError(
                f"{argument('baseline')} requires {argument('paired', 'bootstrap')} or randomization"
            )
        if self.group:
            for name in GROUP_EXCLUDES:
                if getattr(self, name):
                    raise OptionError(f"{argument('group')} cannot be combined with {argument(name)}")
        if self.full and self.by is not None:
            raise OptionError(
                f"{argument('full')} is for tables of systems or segments, not for {argument('by')}"
            )
        _ = self.analysis

    @property
    def analysis(self) -> Analysis:
        return Analysis.of(test=self.paired, n_samples=self.samples, seed=self.seed, alpha=self.alpha)

    @property
    def score_scale(self) -> int:
        """Where the scores of a bounded metric end: 100 or 1."""
        return self.scale or 100

    def check_sort(self, labels: Sequence[str]) -> None:
        """Raise if systems are to be ordered by a metric that is not computed."""
        if self.sort not in (None, UNSORTED, *labels):
            raise OptionError(f"{argument('sort', self.sort)}: no such metric; there are {', '.join(labels)}")

    def check_systems(self, systems: Sequence[str]) -> None:
        """Raise if the requested test cannot be made with these systems."""
        if self.group:
            from tertium.evaluation.training_runs import parse_groups

            parse_groups(tuple(self.group), systems)
        if self.paired and len(systems) < 2:
            raise OptionError(f"{argument('paired')} requires at least two systems")
        if self.baseline is not None and self.baseline not in systems:
            raise OptionError(
                f"the baseline {self.baseline!r} is not among the systems: {', '.join(systems)};"
                f" {suggest(self.baseline, systems)}"
            )

    def check_size(self, n_segments: int) -> None:
        """Raise if too few segments were selected for intervals and tests."""
        if n_segments == 1 and (self.ci or self.full or self.paired):
            raise InputError(
                "only 1 segment was selected, but intervals and tests need several; select more segments"
            )


def check_given(request: Request[Any], *names: str) -> None:
    """Raise if one of these options is missing."""
    for name in names:
        value = getattr(request, name)
        if value is None or (isinstance(value, str | Sequence) and not value):
            raise OptionError(f"{argument(name)} is missing")


@record(kw_only=True, repr=False, eq=False)
class MetricOptions:
    """Options of metrics that apply to every metric that has them."""

    tokenizer: Annotated[
        str | None,
        TOKENIZER,
    ] = None
    lowercase: Annotated[
        bool,
        Opt("Ignore case in every metric that has this option.", "Metrics", is_recorded=True),
    ] = False


@record(kw_only=True, repr=False, eq=False)
class ResourceOptions:
    """The language, and the resources that metrics read."""

    language: Annotated[
        str | None,
        LANGUAGE,
    ] = None
    vectors: Annotated[
        str | PathLike[str] | WordVectors | None,
        Opt(
            "Word vectors for embedding metrics: a file, 'contextual', or 'onnx:FOLDER' with your own model.",
            "Resources",
            metavar="FILE",
            default="English vectors in the package",
            is_recorded=True,
        ),
    ] = None
    parser: Annotated[
        str | None,
        PARSER,
    ] = None
    trees: Annotated[
        Strings,
        Opt(
            "CoNLL-U files with the trees of the references (and of the systems, for metrics that parse both),"
            " instead of a parser.",
            "Resources",
            metavar="FILE",
            excludes=("parser",),
            is_recorded=True,
        ),
    ] = ()
    paraphrases: Annotated[
        str | PathLike[str] | None,
        Opt(
            "Paraphrase table in METEOR's format, plain, gzip or compiled by 'tertium paraphrases'.",
            "Resources",
            metavar="FILE",
            default="the table of an installed pycocoevalcap",
            is_recorded=True,
        ),
    ] = None
    synonyms: Annotated[
        str | PathLike[str] | None,
        Opt(
            "Thesaurus in MyThes format, for METEOR and REDp.",
            "Resources",
            metavar="FILE",
            default="WordNet for English, none for other languages",
            is_recorded=True,
        ),
    ] = None
    function_words: Annotated[
        str | PathLike[str] | None,
        Opt(
            "Function words, separated by white space.",
            "Resources",
            metavar="FILE",
            default="METEOR's list if pycocoevalcap is installed, otherwise the list in the package",
            is_recorded=True,
        ),
    ] = None

    @property
    def resources(self) -> ResourceChoice:
        values = {field.name: getattr(self, field.name) for field in fields(ResourceOptions)}
        return ResourceChoice(**values)

    @property
    def names_resources(self) -> bool:
        """Whether the user named a language or a resource."""
        return bool(self.language or self.resources.named)


@record(kw_only=True, repr=False, eq=False)
class ConsentOption:
    """Whether code runs because a file names it. The command line has the option for all commands."""

    programs: Annotated[
        bool,
        replace(PROGRAMS, in_command=False),
    ] = False

    def ask_consent(self, path: str) -> AbstractContextManager[None]:
        """Reject code that a file names, unless the user agreed."""
        if self.programs:
            return allow_code()
        return refuse_code(show_path(path), f"if you trust it, pass {argument('programs')}")


@record(kw_only=True, repr=False, eq=False)
class ThreadOptions:
    """How many threads compute."""

    threads: Annotated[
        int | None,
        THREADS,
    ] = None


@record(kw_only=True, repr=False, eq=False)
class EngineOptions(ThreadOptions):
    """Where the work is done."""

    engine: Annotated[
        EngineName,
        Opt("Compute in this process, or on a Dask cluster (extra 'cluster').", "Execution"),
    ] = "local"
    workers: Annotated[
        int | None,
        Opt(
            "Number of worker processes of a Dask cluster on this machine.",
            "Execution",
            metavar="N",
            least=1,
            default="one per core",
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        Opt(
            "Address of a running Dask cluster: tcp://host:8786.",
            "Execution",
            metavar="ADDRESS",
            code="clusters",
            excludes=("workers",),
        ),
    ] = None

    @property
    def engine_choice(self) -> EngineChoice:
        return EngineChoice(name=self.engine, workers=self.workers, scheduler=self.scheduler)
