"""Documents of references and outputs: finding them, cutting outputs within them, joining their segments."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from tertium.alignment.cutting import CutOptions, Cutting, count_control_edits, cut_output, join_cuttings
from tertium.alignment.streams import Stream
from tertium.corpus import UnalignedOutput
from tertium.errors import InputError, argument
from tertium.kernels.threads import threaded_map
from tertium.progress import report_progress
from tertium.records import record
from tertium.text.codes import add_codes, codes_of
from tertium.values import DOCUMENT_COLUMNS, Corpus

BLANK, NONE = "blank", "none"
"""Values of the option `documents` that name no column: blank lines separate documents, and one document."""


@record
class DocumentSpan:
    """The segments or lines of a document: from `first` to `last`, without the last one."""

    first: int
    last: int

    @property
    def rows(self) -> slice:
        return slice(self.first, self.last)


def find_documents(
    columns: Mapping[str, Sequence[str]], name: str | None, label: str
) -> dict[str, DocumentSpan] | None:
    """Find the documents of a text by a column; None if it has none and the user named none.

    Raises
    ------
    InputError
        If the text has no such column, a value is empty, or a document is not in one piece.
    """
    if name in (NONE, BLANK):
        return None
    if name is None:
        name = next((column for column in DOCUMENT_COLUMNS if column in columns), None)
        if name is None:
            return None
    if name not in columns:
        known = f"; known columns: {', '.join(columns)}" if columns else ""
        raise InputError(f"no column {name!r} with documents in {label}{known}")
    return _split(columns[name], label)


def _split(ids: Sequence[str], label: str) -> dict[str, DocumentSpan]:
    starts = [0, *(i for i, (one, other) in enumerate(pairwise(ids), start=1) if one != other), len(ids)]
    documents: dict[str, DocumentSpan] = {}
    for first, last in pairwise(starts):
        if not ids[first]:
            raise InputError(f"{label}: segment {first + 1:,} has no document; give every segment one")
        if ids[first] in documents:
            raise InputError(
                f"{label}: document {ids[first]!r} is not in one piece: its segments {documents[ids[first]].last:,}"
                f" and {first + 1:,} are apart; sort the segments by document"
            )
        documents[ids[first]] = DocumentSpan(first, last)
    return documents


def split_at_blank_lines(lines: Sequence[str]) -> dict[str, DocumentSpan]:
    """Find documents that blank lines separate; they are numbered from 1."""
    documents: dict[str, DocumentSpan] = {}
    first = 0
    for i, line in enumerate([*lines, ""]):
        if not line.strip():
            if i > first:
                documents[str(len(documents) + 1)] = DocumentSpan(first, i)
            first = i + 1
    return documents


def drop_blank_segments(corpus: Corpus) -> Corpus:
    """Remove the segments whose first reference is blank: they separate documents, which become a column."""
    documents = split_at_blank_lines(corpus.target_texts)
    if not documents:
        raise InputError("the references are blank: there is nothing to align")
    rows = [row for document in documents.values() for row in range(document.first, document.last)]
    ids = [name for name, document in documents.items() for _ in range(document.first, document.last)]
    return Corpus(
        [list(corpus.references[row]) for row in rows],
        {},
        sources=None if corpus.sources is None else [corpus.sources[row] for row in rows],
        columns={name: [values[row] for row in rows] for name, values in corpus.columns.items()}
        | {"document": ids},
    )


@record(eq=False)
class DocumentPair:
    """A document of the references and its counterpart in an output."""

    name: str
    segments: DocumentSpan
    lines: DocumentSpan


def pair_documents(corpus: Corpus, output: UnalignedOutput, name: str | None) -> list[DocumentPair]:
    """Pair the documents of the references with the documents of an output; a single pair if they are not known.

    Raises
    ------
    InputError
        If a document is missing on one side, or the user named documents that a side does not have.
    """
    known = _list_columns(corpus)
    if name == BLANK:
        ours, theirs = _split(known["document"], "the references"), split_at_blank_lines(output.lines)
        if len(ours) != len(theirs):
            raise InputError(
                f"{output.label} has {len(theirs):,} documents separated by blank lines, but the references have"
                f" {len(ours):,}"
            )
    else:
        named = find_documents(known, name, "the references")
        lines = find_documents(output.columns, name, output.label)
        if named is None or lines is None:
            return [DocumentPair("", DocumentSpan(0, len(corpus)), DocumentSpan(0, len(output.lines)))]
        ours, theirs = named, lines
    _check_documents(ours, theirs, output.label)
    return [DocumentPair(document, ours[document], theirs[document]) for document in ours]


def _list_columns(corpus: Corpus) -> dict[str, Sequence[str]]:
    ids = {} if corpus.document_ids is None else {"document": corpus.document_ids}
    return {**ids, **corpus.columns}


def _check_documents(
    ours: Mapping[str, DocumentSpan], theirs: Mapping[str, DocumentSpan], label: str
) -> None:
    missing = next((document for document in ours if document not in theirs), None)
    if missing is not None:
        raise InputError(
            f"{label} lacks document {missing!r}, which the references have; add it, or remove it from both"
        )
    surplus = next((document for document in theirs if document not in ours), None)
    if surplus is not None:
        raise InputError(f"{label} has document {surplus!r}, which the references lack; remove it")


def cut_systems(
    corpus: Corpus, outputs: Mapping[str, UnalignedOutput], options: CutOptions, documents: str | None
) -> dict[str, Cutting]:
    """Cut the outputs of all systems to the segments of a corpus; see `cut_to_segments`."""
    found = {}
    for number, (name, output) in enumerate(outputs.items(), start=1):
        found[name] = cut_to_segments(corpus, output, options, documents)
        report_progress("aligning", number, len(outputs))
    return found


def cut_to_segments(
    corpus: Corpus, output: UnalignedOutput, options: CutOptions, documents: str | None = None
) -> Cutting:
    """Cut an output to the segments of a corpus, each document by itself.

    Raises
    ------
    InputError
        If the output is empty, its documents do not match, or it fits the references no better than chance.
    """
    if not any(line.strip() for line in output.lines):
        raise InputError(f"{output.label} is empty: there is nothing to align")
    if not any(text.strip() for text in corpus.target_texts):
        raise InputError("the references are blank: there is nothing to align")
    pairs = pair_documents(corpus, output, documents)

    def cut(pair: DocumentPair) -> Cutting:
        return cut_output(output.lines[pair.lines.rows], corpus.references[pair.segments.rows], options)

    found = join_cuttings(list(threaded_map(cut, pairs)))
    _check_against_chance(found, corpus, output, options)
    return found


def _check_against_chance(
    found: Cutting, corpus: Corpus, output: UnalignedOutput, options: CutOptions
) -> None:
    edits, shuffled = count_control_edits(found, corpus.references, options)
    if not len(shuffled):
        return
    mean = float(shuffled.mean())
    limit = mean - 4 * max(float(shuffled.std(ddof=1)), 0.005 * mean)
    if edits >= limit:
        raise InputError(
            f"{output.label} cannot be aligned: it needs {edits:,.0f} edits in a sample of segments, and about"
            f" {mean:,.0f} with the references in random order; check that it is the translation of this text,"
            f" in the language of the references"
        )


def join_documents(
    corpus: Corpus, outputs: Mapping[str, UnalignedOutput] | None, documents: str | None
) -> Corpus:
    """Join the segments of each document, so that documents are the units of scores.

    Parameters
    ----------
    outputs
        Outputs whose lines may differ from the references'; None if the corpus has the systems.
    documents
        The column with the documents.
    """
    found = find_documents(_list_columns(corpus), documents, "the references")
    if found is None:
        raise InputError(
            f"the references have no documents; name their column with {argument('documents', 'COLUMN')}, or give"
            f" them with {argument('columns', 'FILE')}"
        )
    parts = [document.rows for document in found.values()]
    systems = {name: [_join(texts[part]) for part in parts] for name, texts in corpus.systems.items()}
    for name, output in (outputs or {}).items():
        theirs = find_documents(output.columns, documents if output.columns else None, output.label)
        if theirs is None:  # the lines are the segments of the references
            _check_lines(output, corpus)
            theirs = found
        _check_documents(found, theirs, output.label)
        systems[name] = [_join(output.lines[theirs[document].rows]) for document in found]
    return Corpus(
        [_join_references(corpus.references[part]) for part in parts],
        systems,
        sources=None if corpus.sources is None else [_join(corpus.sources[part]) for part in parts],
        document_ids=list(found),
        columns={
            name: [values[part.start] for part in parts]
            for name, values in corpus.columns.items()
            if all(len(set(values[part])) == 1 for part in parts)
        },
    )


def _check_lines(output: UnalignedOutput, corpus: Corpus) -> None:
    if len(output.lines) != len(corpus):
        raise InputError(
            f"{output.label} has {len(output.lines):,} lines but the references have {len(corpus):,} segments, and its"
            f" documents are not known; cut it with {argument('align')}, or give a format with documents"
        )


def _join(lines: Sequence[str]) -> str:
    return add_codes(Stream.of(lines).text, [code for line in lines for code in codes_of(line)])


def _join_references(groups: Sequence[Sequence[str]]) -> list[str]:
    """Join the first references of all segments, then the second references, and so on."""
    counts = {len(group) for group in groups}
    if len(counts) > 1:
        raise InputError(
            f"segments of one document have {min(counts)} to {max(counts)} references; documents need equally many"
        )
    return [_join(stream) for stream in zip(*groups, strict=True)]
