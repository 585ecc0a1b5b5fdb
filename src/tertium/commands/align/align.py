"""Outputs whose lines do not match the references: cut to their segments, or aligned sentence by sentence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Literal

from tertium.alignment.cutting import Cutting
from tertium.alignment.documents import cut_systems, pair_documents
from tertium.alignment.options import CutOptions, TokenKind
from tertium.alignment.sentences import DocumentSentences, align_document
from tertium.catalog.choice import choose_vectors
from tertium.commands.align.alignment_tables import describe_cuttings, describe_groups, describe_sentences
from tertium.commands.base.given_texts import GivenTexts, References, Texts
from tertium.commands.base.options import TABLE, ThreadOptions
from tertium.commands.base.request import FilePath, Request, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.text_options import COLUMNS, DOCUMENTS, HYPOTHESES, REFERENCES, InputFormatOptions
from tertium.corpus import UnalignedOutput
from tertium.corpus.texts.formats import use_input_format
from tertium.declarations import Opt
from tertium.errors import InputError, OptionError, argument
from tertium.files.writing import write_atomically
from tertium.interfaces import WordVectors
from tertium.kernels.threads import use_threads
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.values import Corpus

SPELLING = "spelling"

AlignTable = Literal["systems", "segments", "sentences", "groups"]
"""The rows of the table: the first two are about cuts, the others about sentences."""


@record
class AlignRequest(InputFormatOptions, ThreadOptions, Request["AlignResult"]):
    """Cut outputs to the segments of the references, with the fewest edits in total, or align their sentences.

    The line breaks of an output may be missing or in other places, as in translations of speech, of paragraphs and
    of whole documents. Words keep their order and are never divided; text in scripts without spaces is cut between
    characters. An output that fits the references no better than chance is rejected.

    The tables of sentences count merged, split, dropped, added and moved ones. With --similar multilingual, the
    references may be the source text.

    Examples
    --------
    >>> result = align(["It rained all day. We stayed", "at home."], ["It rained all day.", "We stayed in."])
    >>> list(result["system"].texts)
    ['It rained all day.', 'We stayed at home.']
    >>> result = align(["It rained and we stayed in."], ["It rained.", "We stayed in."], table="sentences")
    >>> [group.change for document in result.sentences["system"] for group in document.groups]
    ['merged']
    """

    hypotheses: Annotated[
        Texts | Mapping[str, Texts] | PathLike[str] | Iterable[PathLike[str]],
        replace(
            HYPOTHESES,
            help="Outputs of the systems, with any line breaks.",
            is_many=True,
            python="In Python: the lines of one system, of several systems by name, or paths.",
        ),
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
        replace(
            COLUMNS,
            help="Table with one row per segment of the references, such as its document: TSV with a header, JSONL, Parquet, or the .docs file of mt-metrics-eval.",
        ),
    ] = None
    documents: Annotated[str | None, DOCUMENTS] = None
    tokens: Annotated[
        TokenKind,
        Opt(
            "The tokens that are compared to cut outputs: words and punctuation marks (characters in scripts without"
            " spaces), strings between spaces, or characters.",
            "Input",
        ),
    ] = CutOptions.tokens
    boundaries: Annotated[
        float,
        Opt(
            "Cost in edits of a cut in the middle of a sentence where the reference has a sentence end; other unlikely"
            " places cost less. With 0, boundaries only decide between equal numbers of edits (AS-WER).",
            "Input",
            metavar="X",
            least=0,
        ),
    ] = CutOptions.boundaries
    similar: Annotated[
        str | PathLike[str] | WordVectors | None,
        Opt(
            "Let the substitution of similar words cost less than one edit: 'spelling', or word vectors ('english',"
            " 'multilingual' or a file), which also align sentences.",
            "Input",
            metavar="NAME|FILE",
        ),
    ] = None
    table: Annotated[
        AlignTable,
        replace(
            TABLE,
            help="A row per system, per segment with the edits that the next best cut would add, per system with counts of"
            " merged, split, dropped, added and moved sentences, or per group of sentences.",
        ),
    ] = "systems"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.shows_sentences:
            return
        if self.compares_spelling:
            raise OptionError(
                f"{argument('similar', SPELLING)} is for cuts; sentences are compared by words or vectors"
            )
        for name in ("tokens", "boundaries"):
            if getattr(self, name) != getattr(CutOptions, name):
                raise OptionError(f"{argument(name)} is for cuts: leave out {argument('table', self.table)}")

    @property
    def shows_sentences(self) -> bool:
        """Whether the table is about sentences, so that nothing needs to be cut."""
        return self.table in ("sentences", "groups")

    @property
    def compares_spelling(self) -> bool:
        return isinstance(self.similar, str) and self.similar == SPELLING

    def run(self) -> "AlignResult":
        has_vectors = self.similar is not None and not self.compares_spelling
        vectors = choose_vectors(self.similar) if has_vectors else None
        texts = GivenTexts(
            hypotheses=self.hypotheses,
            references=self.references,
            columns=self.columns,
            align=True,
            needs_references=True,
        )
        with use_input_format(self.input_format):
            corpus, outputs = texts.read_unaligned(self.documents)
        result = AlignResult(self, corpus, outputs, vectors)
        _ = result.sentences if self.shows_sentences else result.cuttings
        return result


@record(eq=False)
class AlignResult(Result):
    """The outputs by system, cut to the segments of the references, and their aligned sentences.

    Attributes
    ----------
    corpus
        The references, without systems.
    outputs
        The outputs with the lines that they had.
    vectors
        The word vectors that compare words, if any were named.
    """

    request: AlignRequest
    corpus: Corpus
    outputs: Mapping[str, UnalignedOutput]
    vectors: WordVectors | None = None

    @cached_property
    def cuttings(self) -> Mapping[str, Cutting]:
        """The cut outputs by system."""
        options = CutOptions(
            tokens=self.request.tokens,
            boundaries=self.request.boundaries,
            spelling=self.request.compares_spelling,
            vectors=self.vectors,
        )
        with use_threads(self.request.threads):
            return cut_systems(self.corpus, self.outputs, options, self.request.documents)

    @cached_property
    def sentences(self) -> Mapping[str, Sequence[DocumentSentences]]:
        """The aligned sentences of each document, by system."""
        with use_threads(self.request.threads):
            return {
                name: [
                    align_document(
                        pair.name,
                        self.corpus.target_texts[pair.segments.rows],
                        output.lines[pair.lines.rows],
                        self.vectors,
                    )
                    for pair in pair_documents(self.corpus, output, self.request.documents)
                ]
                for name, output in self.outputs.items()
            }

    def __getitem__(self, system: str) -> Cutting:
        return self.cuttings[system]

    @property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        """The segments that received nothing."""
        if self.request.shows_sentences:
            return ()
        return tuple(
            f"{name}: {cutting.describe_empty()}" for name, cutting in self.cuttings.items() if cutting.empty
        )

    def document(self) -> Document:
        table = self.request.table
        if table == "sentences":
            return describe_sentences(self.sentences)
        if table == "groups":
            return describe_groups(self.sentences)
        n_lines = {name: len(output.lines) for name, output in self.outputs.items()}
        return describe_cuttings(
            self.cuttings, n_lines, self.corpus.target_texts, shows_cuts=table == "segments"
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
