"""Reading of a corpus from several files, matched by segment ids if they have ids, otherwise by position."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import chain
from typing import TypeVar

from tertium.arguments import check_path, describe_value, list_items
from tertium.corpus.texts.formats import InputFormat, read_columns, read_document, use_input_format
from tertium.corpus.texts.tables import Group, Key, SegmentColumn, TextDocument, describe_key, format_count
from tertium.errors import InputError
from tertium.files.paths import (
    STDIN,
    Address,
    NamedPath,
    expand_pattern,
    is_pattern,
    parse_address,
    split_name,
)
from tertium.records import record
from tertium.values import Corpus, ReferenceStreams, TextKind, available_texts


def check_not_empty(column: SegmentColumn[object]) -> None:
    """Raise if a column has no segment."""
    if not len(column):
        raise InputError(f"{column.label} has no {column.unit}s: there is nothing to score")


def check_length(column: SegmentColumn[object], other: SegmentColumn[object]) -> None:
    """Raise if two columns have different lengths."""
    if len(column) == len(other):
        return
    longer = max(column, other, key=len)
    expected = f"{len(other):,}" if column.unit == other.unit else format_count(len(other), other.unit)
    raise InputError(
        f"{column.label} has {format_count(len(column), column.unit)} but {other.label} has {expected}"
        f" (first unmatched: {longer.unit} {min(len(column), len(other)) + 1:,})"
    )


def join_references(
    columns: Sequence[SegmentColumn[Group]],
    n_segments: int,
    keys: Sequence[Key] | None = None,
    *,
    first: int = 1,
) -> Sequence[Group]:
    """Combine the references of all columns per segment; `first` is the number of the first segment."""
    streams = [column.values.streams for column in columns if isinstance(column.values, ReferenceStreams)]
    if len(streams) == len(columns):
        return ReferenceStreams(list(chain(*streams)), n_segments=n_segments)
    groups = [tuple(chain(*parts)) for parts in zip(*(column.values for column in columns), strict=True)]
    for number, group in enumerate(groups, start=first):
        if not group:
            which = f"segment {number:,}" if keys is None else describe_key(keys[number - first])
            files = " and ".join(column.label for column in columns)
            raise InputError(
                f'{which} has no reference in {files}; remove it or add one ("" is an empty one)'
            )
    return groups


T = TypeVar("T")
Systems = dict[str, SegmentColumn[str]]
File = tuple[Address, TextDocument]


def read_corpus(
    references: Sequence[str],
    hypotheses: Sequence[tuple[str | None, str]],
    source: str | None = None,
    *,
    columns: str | None = None,
) -> Corpus:
    """Read references, system outputs and, if given, the source into a corpus.

    An address is `FILE`, `FILE#COLUMN` or `-` (standard input, plain text, at most once). The suffix determines
    the format: `.tsv`, `.csv`, `.jsonl`, `.parquet`, `.xlsx`, `.sgm`, `.xml`, `.xliff`, `.tmx` (each also `.gz` or
    `.xz`); other files are plain text, except for known formats that are not, such as `.docx` or `.html`. A file that is given several times is read once. In SGML and XML, `#COLUMN` is a translator or a system.

    Parameters
    ----------
    references
        Addresses, whose references are combined per segment. A plain text file has one reference per segment,
        and a blank line is an empty reference; a JSON list has any number of references, null has none. Without
        addresses the corpus has no references, for metrics that read none.
    hypotheses
        (name, address) pairs. If the name is None, the system is named after the file or the column, or as
        in the SGML or XML file.
    source
        The address of the source text.
    columns
        A file with properties of each segment (see `read_columns`). Properties in the files of references and
        source are added: a table's other columns, and the attributes of SGML and XML documents. If several files
        have a column of the same name, the order of precedence is this file, then the references in their order.

    Notes
    -----
    Files with ids (SGML, XML) must have the same ids and are matched by them, in the order of the first
    such file; all other files are matched by position and must have the same number of segments.

    Raises
    ------
    InputError
        If a file cannot be read, the files do not match, or there is nothing to score.
    """
    references = [
        check_path(path, f"references[{i}]") for i, path in enumerate(list_items(references, "references"))
    ]
    hypotheses = _check_names(hypotheses)
    source = None if source is None else check_path(source, "source")
    files = _open(check_inputs(references, hypotheses, source))
    corpus, keys = _match_columns(
        [document.references(address) for address, document in (files[text] for text in references)],
        _systems(hypotheses, files),
        None if source is None else files[source][1].source(files[source][0]),
    )
    return _describe_corpus(
        corpus, [*references, *([] if source is None else [source])], files, keys, columns
    )


def _check_names(hypotheses: object) -> list[NamedPath]:
    """Check pairs of a system's name and its address."""
    named = []
    for number, pair in enumerate(list_items(hypotheses, "hypotheses")):
        place = f"hypotheses[{number}]"
        items = list_items(pair, place)
        if len(items) != 2 or not isinstance(items[0], str | None):
            raise InputError(f"{place} must be a name (or None) and a path, not {describe_value(pair)}")
        named.append(NamedPath(items[0], check_path(items[1], f"{place}[1]")))
    return named


def _describe_corpus(
    corpus: Corpus,
    texts: Sequence[str],
    files: Mapping[str, File],
    keys: Sequence[Key] | None,
    columns: str | None,
) -> Corpus:
    """Add the properties of segments from a file of columns and from the files of the texts."""
    given = {} if columns is None else read_columns(check_path(columns, "columns"), len(corpus))
    described = describe_segments(texts, files, keys)
    return replace(corpus, columns={**given, **{n: v for n, v in described.items() if n not in given}})


def read_outputs(
    known: Corpus, hypotheses: Sequence[tuple[str | None, str]], source: str | None = None
) -> Corpus:
    """Replace the outputs in a corpus by outputs of other systems, and the source if one is given.

    Files with ids are sorted in the order of the corpus, if it has ids too.
    """
    files = _open(check_inputs((), hypotheses, source))
    systems = _systems(hypotheses, files)
    keys = None
    if known.document_ids is not None and known.segment_ids is not None:
        keys = list(zip(known.document_ids, known.segment_ids, strict=True))
    basis = SegmentColumn("the references", "segment", known.references, keys)
    ordered = {name: reorder(column, basis) for name, column in systems.items()}
    for column in ordered.values():
        check_length(column, basis)
    outputs = {name: column.values for name, column in ordered.items()}
    if source is None:
        return replace(known, systems=outputs)
    other = reorder(files[source][1].source(files[source][0]), basis)
    check_length(other, basis)
    return replace(known, systems=outputs, sources=other.values)


@record(eq=False)
class UnalignedOutput:
    """The lines of a system, which need not be the segments of the references, and properties of each line."""

    label: str
    lines: Sequence[str]
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)


def read_unaligned(
    references: Sequence[str],
    hypotheses: Sequence[tuple[str | None, str]],
    source: str | None = None,
    *,
    columns: str | None = None,
) -> tuple[Corpus, dict[str, UnalignedOutput]]:
    """Read references and source into a corpus without systems, and outputs that may have other lines.

    For the parameters see `read_corpus`.
    """
    files = _open(check_inputs(references, hypotheses, source))
    outputs: dict[str, UnalignedOutput] = {}
    systems: Systems = {}
    for given, text in hypotheses:
        address, document = files[text]
        used = {address.column} if address.column else set[str]()
        more = {name: column.values for name, column in document.columns(used).items()}
        for name, column in _named_systems(given, text, document.systems(address)):
            check_not_empty(column)
            add_system(systems, name, column)
            outputs[name] = UnalignedOutput(column.label, column.values, more)
    corpus, keys = _match_columns(
        [document.references(address) for address, document in (files[text] for text in references)],
        {},
        None if source is None else files[source][1].source(files[source][0]),
    )
    return _describe_corpus(
        corpus, [*references, *([] if source is None else [source])], files, keys, columns
    ), outputs


def count_systems(hypotheses: Sequence[tuple[str | None, str]]) -> list[int]:
    """Count the systems of each address: one, except in SGML and XML files."""
    files = _open([text for _, text in hypotheses])
    return [len(files[text][1].systems(files[text][0])) for _, text in hypotheses]


def check_inputs(
    references: Sequence[str], hypotheses: Sequence[tuple[str | None, str]], source: str | None
) -> list[str]:
    """Return all addresses; raise if hypotheses are missing, or standard input is given twice."""
    if not hypotheses:
        raise InputError("no hypothesis file was given")
    texts = [*references, *(text for _, text in hypotheses), *([] if source is None else [source])]
    if texts.count(STDIN) > 1:
        raise InputError("'-' is given more than once, but standard input can be read only once; use a file")
    return texts


def _open(texts: Sequence[str]) -> dict[str, File]:
    addresses = {text: parse_address(text) for text in texts}
    paths = dict.fromkeys(address.path for address in addresses.values())
    documents = {path: read_document(path) for path in paths}
    return {text: (address, documents[address.path]) for text, address in addresses.items()}


def _systems(hypotheses: Sequence[tuple[str | None, str]], files: dict[str, File]) -> Systems:
    systems: Systems = {}
    for given, text in hypotheses:
        address, document = files[text]
        for name, column in _named_systems(given, text, document.systems(address)):
            add_system(systems, name, column)
    return systems


def _named_systems(
    given: str | None, text: str, found: Sequence[tuple[str, SegmentColumn[str]]]
) -> list[tuple[str, SegmentColumn[str]]]:
    if given is not None and len(found) > 1:
        names = ", ".join(name for name, _ in found)
        raise InputError(
            f"{text} holds {len(found)} systems, which cannot all be named {given!r};"
            f" choose one with {text}#SYSTEM: {names}"
        )
    return [(name if given is None else given, column) for name, column in found]


def add_system(systems: Systems, name: str, column: SegmentColumn[str]) -> None:
    """Add a system; raise if another one has its name."""
    if name in systems:
        raise InputError(
            f"two systems are named {name!r} ({systems[name].label} and {column.label});"
            " give each its own name with name=path"
        )
    systems[name] = column


def describe_segments(
    texts: Sequence[str], files: Mapping[str, File], keys: Sequence[Key] | None = None
) -> dict[str, Sequence[str]]:
    """Collect the files' columns with properties of segments, in the order of the segments."""
    documents = {files[text][0].path: files[text][1] for text in texts}
    columns: dict[str, Sequence[str]] = {}
    for path, document in documents.items():
        used = {address.column for address, _ in files.values() if address.path == path and address.column}
        for name, column in document.columns(used).items():
            columns.setdefault(name, _in_order(column, keys))
    return columns


def _match_columns(
    references: list[SegmentColumn[Group]], systems: Systems, source: SegmentColumn[str] | None
) -> tuple[Corpus, Sequence[Key] | None]:
    """Match the segments of all columns; return the corpus and the ids of its segments, if there are any."""
    columns: list[SegmentColumn[object]] = [
        *references,
        *([] if source is None else [source]),
        *systems.values(),
    ]
    for column in columns:
        check_not_empty(column)
    basis = next((column for column in columns if column.keys is not None), None)
    references = [reorder(column, basis) for column in references]
    systems = {name: reorder(column, basis) for name, column in systems.items()}
    source = None if source is None else reorder(source, basis)
    for column in columns:
        check_length(column, columns[0])
    keys = None if basis is None else basis.keys
    corpus = Corpus(
        references=join_references(references, len(columns[0]), keys),
        systems={name: column.values for name, column in systems.items()},
        sources=None if source is None else source.values,
        segment_ids=None if keys is None else [segment for _, segment in keys],
        document_ids=None if keys is None else [document for document, _ in keys],
    )
    return corpus, keys


def reorder(column: SegmentColumn[T], basis: SegmentColumn[object] | None) -> SegmentColumn[T]:
    """Sort a column in the order of another one if both have ids; raise if they do not have the same ids."""
    if basis is None or basis.keys is None or column.keys is None or column.keys == basis.keys:
        return column
    _check_keys(column, basis)
    _check_keys(basis, column)
    return replace(column, values=_in_order(column, basis.keys), keys=basis.keys)


def _in_order(column: SegmentColumn[T], keys: Sequence[Key] | None) -> Sequence[T]:
    if keys is None or column.keys is None or column.keys == keys:
        return column.values
    by_key = dict(zip(column.keys, column.values, strict=True))
    return [by_key[key] for key in keys]


def _check_keys(column: SegmentColumn[object], other: SegmentColumn[object]) -> None:
    existing = set(column.keys or ())
    missing = next((key for key in other.keys or () if key not in existing), None)
    if missing is not None:
        raise InputError(f"{column.label} lacks {describe_key(missing)}, which {other.label} has")


@record(kw_only=True)
class CorpusFiles:
    """The files of a corpus as given by the user: paths, patterns, `name=path`, `path#column`, or names with paths."""

    references: tuple[str, ...] = ()
    hypotheses: tuple[str | NamedPath, ...]
    source: str | None = None
    columns: str | None = None
    """A table with properties of each segment: TSV or CSV with a header, JSONL, Parquet or XLSX."""
    input_format: InputFormat | None = None
    """The format of all texts, if their suffixes do not say it."""

    @property
    def available(self) -> frozenset[TextKind]:
        """The kinds of texts that metrics can read here."""
        return available_texts(references=bool(self.references), source=self.source is not None)

    def read(self) -> Corpus:
        """Read all files into a corpus."""
        systems = expand_names(self.hypotheses)
        with use_input_format(self.input_format):
            return read_corpus(expand_paths(self.references), systems, self.source, columns=self.columns)

    def read_unaligned(self) -> tuple[Corpus, dict[str, UnalignedOutput]]:
        """Read outputs whose line breaks may differ from the references'."""
        systems = expand_names(self.hypotheses)
        return read_unaligned(expand_paths(self.references), systems, self.source, columns=self.columns)


def expand_paths(arguments: Sequence[str]) -> list[str]:
    """Expand patterns such as `systems/*.txt` that the shell did not expand."""
    return [
        path
        for argument in arguments
        for path in (expand_pattern(argument) if is_pattern(argument) else [argument])
    ]


def expand_names(arguments: Sequence[str | NamedPath]) -> list[NamedPath]:
    """Split each `NAME=FILE`, and expand patterns without a name; `NAME=PATTERN` is one text in many files."""
    named = [split_name(argument) for argument in arguments]
    return [
        NamedPath(file.name, path)
        for file in named
        for path in (expand_paths([file.path]) if file.name is None else [file.path])
    ]
