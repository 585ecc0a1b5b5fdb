"""Outputs whose lines do not match the references: cut to their segments, or aligned sentence by sentence."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import cached_property
from math import isinf
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from tertium.alignment.cutting import CutOptions, Cutting
from tertium.alignment.documents import cut_systems, pair_documents
from tertium.alignment.sentences import DocumentSentences, SentenceGroup, align_document
from tertium.alignment.streams import TokenKind
from tertium.catalog.choice import choose_vectors
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
from tertium.presentation.tables.fields import JSON, RECORDS, Field, make_object, make_records, make_table
from tertium.presentation.tables.model import Document, Note
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
class AlignResult(Result, Mapping[str, Cutting]):
    """The outputs by system, cut to the segments of the references, and their aligned sentences.

    A result is a mapping from the name of each system to its cutting.

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

    __eq__ = object.__eq__
    __hash__ = object.__hash__

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

    def __iter__(self) -> Iterator[str]:
        return iter(self.outputs)

    def __len__(self) -> int:
        return len(self.outputs)

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


SCHEMA_VERSION = 1


@record
class CutSystem:
    """An output: how many lines it had, and how it was cut."""

    system: str
    n_lines: int
    cutting: Cutting


@record
class CutSegment:
    """A segment of an output: its number from 1, its text, and what its cut cost."""

    system: str
    segment: int
    edits: int
    margin: float | None
    text: str
    reference: str


_SYSTEM_FIELDS: list[Field[CutSystem]] = [
    Field("system", is_key=True),
    Field("lines", int, lambda row: row.n_lines),
    Field("segments", int, lambda row: len(row.cutting.texts)),
    Field("edits", int, lambda row: int(row.cutting.edits.sum())),
    Field("error_rate", float, lambda row: 100 * row.cutting.error_rate, heading="AS-WER", form="{:.1f}"),
    Field("empty", int, lambda row: len(row.cutting.empty)),
    Field("uncertain", int, lambda row: row.cutting.n_uncertain, heading="uncertain cuts"),
    Field("empty_segments", list, lambda row: [i + 1 for i in row.cutting.empty], outputs=JSON),
]

_SEGMENT_FIELDS: list[Field[CutSegment]] = [
    Field("system", is_key=True),
    Field("segment", int, is_key=True),
    Field("edits", int),
    Field("margin", float, form="{:.1f}", missing="-"),
    Field("text", wraps=True),
    Field("reference", outputs=RECORDS | JSON),
]


def describe_cuttings(
    cuttings: Mapping[str, Cutting],
    n_lines: Mapping[str, int],
    references: Sequence[str],
    *,
    shows_cuts: bool,
) -> Document:
    """Describe how outputs were cut: a row per system, or with `shows_cuts` a row per segment."""
    systems = [CutSystem(name, n_lines[name], cutting) for name, cutting in cuttings.items()]
    segments = (
        [segment for system in systems for segment in _list_segments(system, references)]
        if shows_cuts
        else []
    )
    notes = [
        Note("AS-WER: edits per token of the references, in percent, after automatic segmentation"),
        Note("uncertain: the next best place of the cut costs less than one edit more"),
    ]
    shown = Note("margin: edits that the next best place of the cut before the segment would add")
    return Document(
        "alignment",
        lambda: [
            make_table(_SEGMENT_FIELDS, segments, notes=[shown])
            if shows_cuts
            else make_table(_SYSTEM_FIELDS, systems, notes=notes)
        ],
        lambda: (
            make_records(_SEGMENT_FIELDS, segments) if shows_cuts else make_records(_SYSTEM_FIELDS, systems)
        ),
        lambda: {
            "schema_version": SCHEMA_VERSION,
            "systems": [make_object(_SYSTEM_FIELDS, system) for system in systems],
            **(
                {"segments": [make_object(_SEGMENT_FIELDS, segment) for segment in segments]}
                if shows_cuts
                else {}
            ),
        },
    )


def _list_segments(system: CutSystem, references: Sequence[str]) -> list[CutSegment]:
    found = system.cutting
    return [
        CutSegment(system.system, i + 1, int(edits), None if isinf(margin) else margin, text, reference)
        for i, (text, edits, margin, reference) in enumerate(
            zip(found.texts, found.edits.tolist(), found.margins.tolist(), references, strict=True)
        )
    ]


# A group whose output is shorter or longer than this share of what its document makes likely.
_SHORT, _LONG = 0.5, 2.0


@record(eq=False)
class SentenceCounts:
    """The aligned sentences of all documents of a system."""

    system: str
    parts: Sequence[DocumentSentences]

    def count(self, change: str) -> int:
        return sum(group.change == change for part in self.parts for group in part.groups)

    @property
    def n_references(self) -> int:
        return sum(len(part.references) for part in self.parts)

    @property
    def n_output(self) -> int:
        return sum(len(part.output) for part in self.parts)

    @property
    def length_ratio(self) -> float:
        """Characters of the output per character of the reference."""
        ours = sum(len(text) for part in self.parts for text in part.references)
        return sum(len(text) for part in self.parts for text in part.output) / max(ours, 1)

    @property
    def n_short(self) -> int:
        return sum(ratio < _SHORT * self.length_ratio for ratio in self._ratios())

    @property
    def n_long(self) -> int:
        return sum(ratio > _LONG * self.length_ratio for ratio in self._ratios())

    def _ratios(self) -> list[float]:
        found = (group.length_ratio for part in self.parts for group in part.groups)
        return [ratio for ratio in found if ratio is not None]


@record(eq=False)
class ShownGroup:
    """A group of sentences with its texts."""

    system: str
    document: str
    group: SentenceGroup
    reference: str
    output: str


_COUNT_FIELDS: list[Field[SentenceCounts]] = [
    Field("system", is_key=True),
    Field("sentences", int, lambda counts: counts.n_references),
    Field("output", int, lambda counts: counts.n_output),
    *(
        Field(name, int, lambda counts, name=name: counts.count(name))  # type: ignore[misc]
        for name in ("merged", "split", "dropped", "added", "moved")
    ),
    Field("short", int, lambda counts: counts.n_short),
    Field("long", int, lambda counts: counts.n_long),
    Field("length_ratio", float, heading="length", form="{:.2f}"),
]

_GROUP_FIELDS: list[Field[ShownGroup]] = [
    Field("system", is_key=True),
    Field("document", is_key=True),
    Field("change", get=lambda row: row.group.change),
    Field("similarity", float, lambda row: row.group.similarity, form="{:.2f}"),
    Field("reference"),
    Field("output", wraps=True),
]


def describe_sentences(systems: Mapping[str, Sequence[DocumentSentences]]) -> Document:
    """Describe aligned sentences: counts of changes per system."""
    rows = [SentenceCounts(name, parts) for name, parts in systems.items()]
    notes = [
        Note(
            "merged, split, dropped, added, moved: groups of sentences of the output that are not one to one"
        ),
        Note(
            f"short, long: groups below {_SHORT:g} or above {_LONG:g} times the usual length; length: characters per character"
        ),
    ]
    return _make_document(_COUNT_FIELDS, rows, notes)


def describe_groups(systems: Mapping[str, Sequence[DocumentSentences]]) -> Document:
    """Describe every group of aligned sentences with its texts."""
    groups = [
        group for name, parts in systems.items() for part in parts for group in _list_groups(name, part)
    ]
    has_documents = any(group.document for group in groups)
    fields = [field for field in _GROUP_FIELDS if has_documents or field.name != "document"]
    return _make_document(
        fields, groups, [Note("similarity: cosine of words or vectors, weighted by rarity")]
    )


def _list_groups(system: str, part: DocumentSentences) -> list[ShownGroup]:
    return [
        ShownGroup(
            system,
            part.name,
            group,
            " ".join(part.references[slice(*group.reference)]),
            " ".join(part.output[slice(*group.output)]),
        )
        for group in part.groups
    ]


R = TypeVar("R")


def _make_document(fields: list[Field[R]], rows: Sequence[R], notes: Sequence[Note]) -> Document:
    return Document(
        "sentences",
        lambda: [make_table(fields, rows, notes=notes)],
        lambda: make_records(fields, rows),
        lambda: {"schema_version": SCHEMA_VERSION, "rows": [make_object(fields, row) for row in rows]},
    )


align = function_of("align", AlignRequest)
