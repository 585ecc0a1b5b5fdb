"""Options of the commands that compare metrics with human judgments."""

from dataclasses import fields, replace
from os import PathLike, fspath
from typing import Annotated, Literal

from tertium.commands.base.request import FilePath, Strings
from tertium.commands.base.text_options import (
    COLUMNS,
    HUMAN,
    HYPOTHESES,
    PAIRS,
    REFERENCES,
    SOURCE,
    InputFormatOptions,
)
from tertium.corpus.judgments.mtme import MtmeChoice
from tertium.declarations import Opt, options_of
from tertium.errors import InputError, OptionError, argument
from tertium.metaeval.data import JudgedData
from tertium.metaeval.judged_sets import HumanOptions
from tertium.records import record

JudgedFolder = Annotated[
    str | PathLike[str] | JudgedData | None,
    Opt("The folder of judged data.", "Input", is_argument=True, metavar="[FOLDER]"),
]


@record(kw_only=True)
class JudgedDataOptions(InputFormatOptions):
    """Outputs, references and human judgments, and how judgments become scores."""

    references: Annotated[
        Strings,
        replace(
            REFERENCES,
            help="Reference files, instead of a folder.",
        ),
    ] = ()
    hypotheses: Annotated[
        Strings,
        replace(HYPOTHESES, help="Outputs of the systems, instead of a folder."),
    ] = ()
    source: Annotated[
        FilePath | None,
        replace(
            SOURCE, help="Source text, for metrics that read it; a folder has LP/src.txt.", flags=("--src",)
        ),
    ] = None
    columns: Annotated[
        FilePath | None,
        replace(COLUMNS, help=f"{COLUMNS.help} A folder has LP/columns.tsv."),
    ] = None
    refs: Annotated[
        Strings,
        Opt(
            "References of a folder of mt-metrics-eval, by name: refA, or refA,refB for both.",
            "Input",
            metavar="LIST",
            default="the official one of the test set",
        ),
    ] = ()
    gold: Annotated[
        str | None,
        Opt(
            "Human scores of a folder of mt-metrics-eval, by kind: mqm, esa, da-sqm, wmt-z …",
            "Input",
            metavar="KIND",
            default="the official ones of the test set",
        ),
    ] = None
    with_human: Annotated[
        bool, Opt("Score judged human translations of a folder of mt-metrics-eval like systems.", "Input")
    ] = False
    leave_out: Annotated[Strings, Opt("Leave out systems, by name.", "Input", metavar="SYSTEM")] = ()


@record(kw_only=True)
class ErrorWeightOptions:
    """How MQM errors become scores."""

    mqm_weights: Annotated[
        FilePath | None,
        Opt(
            "Weights of errors: lines of a severity, or severity/category, a tab and a number.",
            "Input",
            metavar="FILE",
            default="Google's: major 5, minor 1, minor/fluency/punctuation 0.1, major/non-translation! 25; critical 10",
        ),
    ] = None

    @property
    def weights_path(self) -> str | None:
        """The file of weights, if there is one."""
        return None if self.mqm_weights is None else str(self.mqm_weights)


@record(kw_only=True)
class HumanFileOptions:
    """Files of human judgments."""

    human: Annotated[
        Strings,
        HUMAN,
    ] = ()
    pairs: Annotated[
        Strings,
        PAIRS,
    ] = ()
    normalise_raters: Annotated[
        bool, Opt("Standardise the scores of each rater (mean 0, variance 1).", "Input")
    ] = False
    skip_unknown: Annotated[
        bool,
        Opt("Skip judgments of systems and segments that are not in the data.", "Input"),
    ] = False

    @property
    def listed_pairs(self) -> tuple[str, ...]:
        return tuple(pair for text in self.pairs for pair in text.split(",") if pair)


@record(kw_only=True)
class HumanJudgmentOptions(HumanFileOptions, ErrorWeightOptions):
    """Files of human judgments, and how judgments become scores."""

    at_least: Annotated[
        int,
        Opt(
            "Ignore segments with fewer than N judgments.",
            "Input",
            metavar="N",
            least=1,
        ),
    ] = 1
    by_length: Annotated[
        bool,
        Opt(
            "Weight segments by length when human system scores are means of segment scores.",
            "Input",
        ),
    ] = False
    ratio: Annotated[
        Literal["human_gt", "human_ge", "expected_wins"],
        Opt("How rankings become system scores.", "Input"),
    ] = "human_gt"
    no_outliers: Annotated[
        bool,
        Opt("Leave out outlier systems at system level, as WMT20 did.", "Input"),
    ] = False

    @property
    def human_options(self) -> HumanOptions:
        return HumanOptions(**{field.name: getattr(self, field.name) for field in fields(HumanOptions)})


@record(kw_only=True)
class JudgedOptions(HumanJudgmentOptions, JudgedDataOptions):
    """Everything that names judged data besides its folder."""

    @property
    def mtme_choice(self) -> MtmeChoice:
        names = tuple(name for text in self.refs for name in text.split(",") if name)
        return MtmeChoice(names, self.gold, self.with_human)

    def judged_data(self, data: "str | PathLike[str] | JudgedData | None") -> JudgedData:
        """Combine the folder, or data that were named in Python, with the options."""
        if isinstance(data, JudgedData):
            for option in options_of(JudgedOptions):
                if not option.is_default(getattr(self, option.name)):
                    raise OptionError(f"give either JudgedData or {argument(option.name)}, not both")
            return data
        if data is not None and not isinstance(data, str | PathLike):
            raise InputError(f"data must be a folder or JudgedData, not {type(data).__name__}")
        return JudgedData(
            folder=None if data is None else fspath(data),
            references=tuple(self.references),
            hypotheses=tuple(self.hypotheses),
            source=None if self.source is None else str(self.source),
            columns=None if self.columns is None else str(self.columns),
            choice=self.mtme_choice,
            leave_out=tuple(name for text in self.leave_out for name in text.split(",") if name),
            human=tuple(self.human),
            mqm_weights=self.weights_path,
            pairs=self.listed_pairs,
            options=self.human_options,
            input_format=self.input_format,
        )
