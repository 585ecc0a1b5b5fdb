"""Cut outputs to the segments of the references, where their lines do not match."""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated

from tertium.alignment.cutting import Cutting
from tertium.alignment.documents import cut_systems
from tertium.alignment.options import CutOptions, TokenKind
from tertium.commands.align.alignment_tables import describe_cuttings
from tertium.commands.base.cut_options import (
    ANY_LINES,
    BOUNDARIES,
    CASE,
    CONSENSUS,
    DOCUMENTS,
    SIMILAR,
    TOKENS,
    Similar,
    make_cut_options,
)
from tertium.commands.base.given_texts import References, Texts
from tertium.commands.base.options import REFERENCES, InputFormatOptions, ThreadOptions
from tertium.commands.base.request import FilePath, Opt, Request, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.scoring import ScoreRequest
from tertium.corpus.texts.formats import use_input_format
from tertium.errors import InputError
from tertium.files.writing import write_atomically
from tertium.kernels.threads import use_threads
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.types import Corpus


@record
class AlignRequest(InputFormatOptions, ThreadOptions, Request["AlignResult"]):
    """Cut outputs to the segments of the references, with the fewest edits in total.

    The line breaks of an output may be missing or in other places, as in translations of speech, of paragraphs and
    of whole documents. Words keep their order and are never divided; text in scripts without spaces is cut between
    characters. An output that fits the references no better than chance is rejected.

    Examples
    --------
    >>> result = align(["It rained all day. We stayed", "at home."], ["It rained all day.", "We stayed in."])
    >>> list(result["system"].texts)
    ['It rained all day.', 'We stayed at home.']
    """

    hypotheses: Annotated[
        Texts | Mapping[str, Texts] | PathLike[str] | Iterable[PathLike[str]], ANY_LINES
    ] = ()
    references: Annotated[
        References | PathLike[str] | Iterable[PathLike[str]] | None,
        replace(
            REFERENCES,
            help="References, whose segments are the goal.",
            is_many=True,
            python="In Python: a list of texts, several such lists, or paths.",
        ),
    ] = None
    _: KW_ONLY
    columns: Annotated[
        FilePath | None,
        Opt(
            "More about each segment of the references, such as its document: TSV with a header, JSONL, Parquet, or"
            " the .docs file of mt-metrics-eval.",
            "Input",
            metavar="FILE",
        ),
    ] = None
    documents: Annotated[str | None, DOCUMENTS] = None
    tokens: Annotated[TokenKind, TOKENS] = CutOptions.tokens
    case: Annotated[bool, CASE] = CutOptions.case
    boundaries: Annotated[float, BOUNDARIES] = CutOptions.boundaries
    similar: Annotated[Similar, SIMILAR] = None
    consensus: Annotated[bool, CONSENSUS] = CutOptions.consensus
    show: Annotated[
        bool, Opt("Show every segment, and how many edits the next best cut would add.", "Output")
    ] = False

    def run(self) -> "AlignResult":
        options = make_cut_options(
            tokens=self.tokens,
            case=self.case,
            boundaries=self.boundaries,
            similar=self.similar,
            consensus=self.consensus,
        )
        request = ScoreRequest(
            self.hypotheses,
            self.references,
            columns=self.columns,
            documents=self.documents,
            align=True,
        )
        with use_threads(self.threads), use_input_format(self.input_format):
            corpus, outputs = request.given.read_unaligned(request.documents)
            cuttings = cut_systems(corpus, outputs, options, self.documents)
        n_lines = {name: len(each.lines) for name, each in outputs.items()}
        return AlignResult(corpus, cuttings, n_lines, self.show)


@record(eq=False)
class AlignResult(Result):
    """The cut outputs by system.

    Attributes
    ----------
    corpus
        The references, without systems.
    n_lines
        The number of lines that each output had.
    """

    corpus: Corpus
    cuttings: Mapping[str, Cutting]
    n_lines: Mapping[str, int]
    shows_cuts: bool = False

    def __getitem__(self, system: str) -> Cutting:
        return self.cuttings[system]

    @property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        """The segments that received nothing."""
        return tuple(
            f"{name}: {cutting.describe_empty()}" for name, cutting in self.cuttings.items() if cutting.empty
        )

    def document(self) -> Document:
        return describe_cuttings(
            self.cuttings, self.n_lines, self.corpus.target_texts, shows_cuts=self.shows_cuts
        )

    def write_texts(self, path: FilePath) -> None:
        """Write the cut output, a segment per line; several systems are written into a folder, NAME.txt each."""
        target = Path(fspath(path))
        if len(self.cuttings) == 1:
            (cutting,) = self.cuttings.values()
            _write_lines(cutting, target)
            return
        if target.exists() and not target.is_dir():
            raise InputError(
                f"cannot write {len(self.cuttings)} outputs to {target}: it is a file; name a folder"
            )
        target.mkdir(parents=True, exist_ok=True)
        for name, cutting in self.cuttings.items():
            _write_lines(cutting, target / f"{name}.txt")


def _write_lines(cutting: Cutting, path: Path) -> None:
    with write_atomically(path, InputError) as temporary:
        temporary.write_text("".join(f"{text}\n" for text in cutting.texts), encoding="utf-8", newline="\n")


align = function_of("align", AlignRequest)
