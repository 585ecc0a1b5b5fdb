"""Align the sentences of outputs with those of references, and count the changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from os import PathLike
from typing import Annotated

from tertium.alignment.documents import pair_documents
from tertium.alignment.sentences import DocumentSentences, align_document
from tertium.catalog.choice import choose_vectors
from tertium.commands.align.alignment_tables import SentenceView, describe_sentences
from tertium.commands.base.cut_options import ANY_LINES, DOCUMENTS
from tertium.commands.base.given_texts import References, Texts
from tertium.commands.base.options import REFERENCES, InputFormatOptions, ThreadOptions
from tertium.commands.base.request import FilePath, Opt, Request, function_of
from tertium.commands.base.results import Result
from tertium.commands.base.scoring import ScoreRequest
from tertium.corpus.texts.formats import use_input_format
from tertium.interfaces import WordVectors
from tertium.kernels.threads import use_threads
from tertium.presentation.tables.model import Document
from tertium.records import record


@record
class SentencesRequest(InputFormatOptions, ThreadOptions, Request["SentencesResult"]):
    """Align the sentences of outputs with those of references, and count merged, split, dropped and added ones.

    Lengths and common words decide, n sentences to m. With multilingual vectors, the references may be the source
    text: tertium sentences -r source.txt -i output.txt --vectors multilingual.

    Examples
    --------
    >>> result = sentences(["It rained and we stayed in."], ["It rained.", "We stayed in."])
    >>> [group.change for each in result["system"] for group in each.groups]
    ['merged']
    """

    hypotheses: Annotated[
        Texts | Mapping[str, Texts] | PathLike[str] | Iterable[PathLike[str]], ANY_LINES
    ] = ()
    references: Annotated[
        References | PathLike[str] | Iterable[PathLike[str]] | None,
        replace(
            REFERENCES,
            help="The reference, or the source text if the vectors are multilingual.",
            is_many=True,
            python="In Python: a list of texts, or a path.",
        ),
    ] = None
    _: KW_ONLY
    columns: Annotated[
        FilePath | None,
        Opt("More about each line of the reference, such as its document.", "Input", metavar="FILE"),
    ] = None
    documents: Annotated[str | None, DOCUMENTS] = None
    lines: Annotated[bool, Opt("Align whole lines instead of sentences.", "Analysis")] = False
    show: Annotated[
        SentenceView, Opt("A row per system, per document, or per group of sentences.", "Output")
    ] = "systems"
    vectors: Annotated[
        str | PathLike[str] | WordVectors | None,
        Opt(
            "Compare word vectors instead of words: a file, 'english' or 'multilingual'.",
            "Resources",
            metavar="FILE",
        ),
    ] = None

    def run(self) -> "SentencesResult":
        vectors = None if self.vectors is None else choose_vectors(self.vectors)
        request = ScoreRequest(
            self.hypotheses, self.references, columns=self.columns, documents=self.documents, align=True
        )
        with use_threads(self.threads), use_input_format(self.input_format):
            corpus, outputs = request.given.read_unaligned(request.documents)
            found = {
                name: [
                    align_document(
                        pair.name,
                        corpus.target_texts[pair.segments.rows],
                        output.lines[pair.lines.rows],
                        vectors,
                        by_line=self.lines,
                    )
                    for pair in pair_documents(corpus, output, self.documents)
                ]
                for name, output in outputs.items()
            }
        return SentencesResult(found, self.show)


@record(eq=False)
class SentencesResult(Result):
    """The aligned documents of each system."""

    systems: Mapping[str, Sequence[DocumentSentences]]
    view: SentenceView = "systems"

    def __getitem__(self, system: str) -> Sequence[DocumentSentences]:
        return self.systems[system]

    def document(self) -> Document:
        return describe_sentences(self.systems, self.view)


sentences = function_of("sentences", SentencesRequest)
