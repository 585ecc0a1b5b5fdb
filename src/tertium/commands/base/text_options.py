"""Options that name texts, runs and judgments: outputs, references, source, columns.

A constant declares an option that several commands have; a command that says more about it uses `replace(SOURCE, help=…)`.
"""

from dataclasses import replace
from typing import Annotated, Literal

from tertium.commands.base.request import FilePath, Strings
from tertium.corpus.texts.formats import InputFormat
from tertium.declarations import Opt
from tertium.records import record

INPUTS = Opt(
    "Runs and outputs.",
    "Input",
    is_argument=True,
    metavar="[RUN|FILE]...",
    is_many=True,
    python="In Python also results of `score` and `open_run`.",
)
RUN = Opt("The run; FILE.run#SET chooses one of several test sets.", "Input", is_argument=True, metavar="RUN")
HYPOTHESES = Opt("Outputs of the systems.", "Input", flags=("-i", "--hyp"), metavar="[NAME=]FILE")
REFERENCES = Opt("Reference files.", "Input", flags=("-r", "--ref"), metavar="FILE")
SOURCE = Opt(
    "Source text, for metrics that read it, and shown beside the outputs.",
    "Input",
    flags=("-s", "--src"),
    metavar="FILE",
)
COLUMNS = Opt(
    "Table with one row per segment (document, domain …): TSV or CSV with a header, JSONL, XLSX or Parquet.",
    "Input",
    metavar="FILE",
)
TEST_SET = Opt(
    "Take references and source from a test set on this machine, for the given language pair: -t wmt15 -l de-en"
    " ('tertium data' lists test sets).",
    "Input",
    flags=("-t", "--test-set"),
    metavar="SET",
    completes="test sets",
    excludes=("references",),
)
SYSTEMS = Opt("The systems to compare: --systems A B.", "Input", metavar="NAME", completes="systems")
SYSTEM = Opt(
    "The system.",
    "Input",
    metavar="NAME",
    default="the only system of each run",
    completes="systems",
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
LINE = Opt("The segment to show, counted from 1.", "Input", metavar="N", least=1)
HUMAN = Opt(
    "Human judgments: tables of segment scores, system scores, rankings, MQM errors or judged texts, or files"
    " of annotation tools, recognised by their content.",
    "Input",
    metavar="FILE",
)
PAIRS = Opt("Language pairs to use.", "Input", flags=("-p", "--pairs"), metavar="LIST", default="all")
SCORES = Opt(
    "Segment scores of another tool, as a metric: TSV (system, segment, score), .seg.score, COMET's JSON,"
    " a score per line, or FILE#COLUMN.",
    "Metrics",
    metavar="[NAME=]FILE",
    in_parts=False,
)
LOWER = Opt(
    "Metrics given as scores of another tool where lower is better.",
    "Metrics",
    metavar="NAME",
    is_recorded=True,
)


@record(kw_only=True, repr=False, eq=False)
class InputFormatOptions:
    """The format of files of texts."""

    input_format: Annotated[
        InputFormat | None,
        Opt(
            "Format of all files of texts, if their suffixes do not say it; 'text' reads any file line by line.",
            "Input",
            default="by the suffix of each file",
            in_parts=False,
            is_recorded=True,
        ),
    ] = None


@record(kw_only=True, repr=False, eq=False)
class UnitOptions:
    """Whether outputs are cut to the segments of the references, and what is scored."""

    align: Annotated[
        bool,
        Opt(
            "Cut outputs with other line breaks to the segments of the references; 'tertium align' has options for it.",
            "Input",
            in_parts=False,
            is_recorded=True,
        ),
    ] = False
    documents: Annotated[str | None, replace(DOCUMENTS, requires=("align", "unit=document"))] = None
    unit: Annotated[
        Literal["segment", "document"],
        Opt("Score segments, or whole documents.", "Input", in_parts=False, is_recorded=True),
    ] = "segment"

    @property
    def text_facts(self) -> tuple[tuple[str, str], ...]:
        """The facts about cuts and units for the signatures of metrics."""
        align: tuple[tuple[str, str], ...] = ()
        if self.align:
            from tertium.alignment.cutting import CutOptions

            align = (("align", CutOptions().signature),)
        return align if self.unit == "segment" else (*align, ("unit", self.unit))


@record(kw_only=True, repr=False, eq=False)
class OutputFileOptions:
    """Files that belong to outputs that are scored now."""

    references: Annotated[Strings, replace(REFERENCES, help="Reference files, if outputs are given.")] = ()
    source: Annotated[FilePath | None, SOURCE] = None
    columns: Annotated[FilePath | None, COLUMNS] = None
