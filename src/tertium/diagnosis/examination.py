"""Run all checks on files: on their bytes, on each text, and on the pairs of texts that belong together."""

import codecs
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from tertium.corpus.texts.assembly import reorder
from tertium.corpus.texts.formats import has_reader, read_document
from tertium.corpus.texts.tables import Key, SegmentColumn, TextDocument, TextTable
from tertium.diagnosis.damages import INVISIBLE, NULS, Damage, find_damages
from tertium.diagnosis.finding import Finding, ProblemKind, TextPair
from tertium.diagnosis.order import SimilarityVotes, check_layout, check_line_counts
from tertium.diagnosis.pairs import check_pair, check_source
from tertium.diagnosis.texts import check_text
from tertium.errors import InputError, OptionError, argument
from tertium.files.paths import Address, parse_address
from tertium.files.reading import read_bytes
from tertium.records import record
from tertium.resources.sentences import find_sentence_vectors

_UnitRole = Literal["references", "source", "hypotheses", "files"]


@record
class _UnitColumn:
    """The texts of a file in one role, with the noun for a segment and, if they are not just counted, their names."""

    texts: SegmentColumn[str]
    noun: str
    names: Sequence[str]


def _has_units(path: str) -> bool:
    """Whether a file is read by a reader of its format, not line by line."""
    return has_reader(parse_address(path).path)


def _read_units(path: str, role: _UnitRole) -> dict[str, _UnitColumn]:
    """Read the texts of a file in a role, by the names that findings show.

    Raises
    ------
    InputError
        If the file cannot be read, or has no texts in this role.
    """
    address = parse_address(path)
    document = read_document(address.path)
    found = dict(_READERS[role](document, address))
    names = [path] if len(found) == 1 else [f"{path}#{name}" for name in found]
    columns = [_name_units(document, column) for column in found.values()]
    return dict(zip(names, columns, strict=True))


def _read_source(document: TextDocument, address: Address) -> Iterator[tuple[str, SegmentColumn[str]]]:
    yield "source", document.source(address)


def _read_references(document: TextDocument, address: Address) -> Iterator[tuple[str, SegmentColumn[str]]]:
    """Yield the first references of all segments, the second ones, and so on, as far as all segments have them."""
    groups = document.references(address)
    for i in range(min(map(len, groups.values), default=0)):
        texts = [group[i] for group in groups.values]
        yield f"reference {i + 1}", SegmentColumn(groups.label, groups.unit, texts, groups.keys)


def _read_systems(document: TextDocument, address: Address) -> Iterator[tuple[str, SegmentColumn[str]]]:
    yield from document.systems(address)


def _read_any(document: TextDocument, address: Address) -> Iterator[tuple[str, SegmentColumn[str]]]:
    """Yield the texts in the first role that the file has."""
    reasons = []
    for read in (_read_systems, _read_references, _read_source):
        try:
            yield from list(read(document, address))
        except InputError as error:
            reasons.append(error)
        else:
            return
    raise reasons[0]


_READERS: Mapping[_UnitRole, Callable[[TextDocument, Address], Iterator[tuple[str, SegmentColumn[str]]]]] = {
    "source": _read_source,
    "references": _read_references,
    "hypotheses": _read_systems,
    "files": _read_any,
}


def _name_units(document: TextDocument, column: SegmentColumn[str]) -> _UnitColumn:
    if isinstance(document, TextTable):
        places = [document.place(row).rpartition(" ") for row in range(len(column))]
        noun = places[0][0] if places else document.unit
        return _UnitColumn(column, noun, [number for _, _, number in places])
    return _UnitColumn(column, column.unit, _name_keys(column.keys or ()))


def _name_keys(keys: Sequence[Key]) -> list[str]:
    """Name segments by their ids, with the id of the document if there are several."""
    has_documents = len({document for document, _ in keys}) > 1
    return [f"{document}/{segment}" if has_documents else segment for document, segment in keys]


_OTHER_UNITS = ProblemKind("other-units", "error", "The ids of segments are not those of the other file.")


def _match_units(columns: Mapping[str, _UnitColumn]) -> tuple[dict[str, _UnitColumn], list[Finding]]:
    """Sort segments with ids in the order of the first file that has ids, and report files with other ids."""
    basis = next((column.texts for column in columns.values() if column.texts.keys is not None), None)
    matched, findings = dict(columns), []
    for file, column in columns.items():
        try:
            texts = reorder(column.texts, basis)
        except InputError as error:
            remedy = "find the segments that were lost or renamed; files with ids are matched by them"
            findings.append(_OTHER_UNITS.at((), file, str(error), remedy))
            continue
        if texts is not column.texts:
            matched[file] = replace(column, texts=texts, names=_name_keys(texts.keys or ()))
    return matched, findings


# Checks of the bytes of a file, and checks of its decoded lines.

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@record
class Inspection:
    """The lines of a file, without byte-order mark and line ends, and the problems of its bytes.

    If the segments of a format are not lines, `lines` holds the segments, `noun` says what a segment is, and `names` lists the
    segments' names if they are not counted.
    """

    lines: tuple[str, ...]
    findings: tuple[Finding, ...]
    noun: str = "line"
    names: tuple[str, ...] = ()


def inspect_file(path: str | Path) -> Inspection:
    """Read a file, plain or compressed with gzip or xz, and check its bytes."""
    return inspect_bytes(read_bytes(str(path)), file=str(path))


def inspect_bytes(data: bytes, *, file: str = "text") -> Inspection:
    """Check the bytes of a text; bytes that are not UTF-8 are left out of its lines."""
    if not data:
        return Inspection((), (_report_empty(file),))
    if data.startswith(_UTF16_MARKS):
        return Inspection(_split(data.decode("utf-16", errors="ignore")), (_report_utf16(file),))
    lines = _split(data.decode("utf-8", errors="ignore").removeprefix("\ufeff"))
    findings = [finding for check in BYTE_CHECKS for finding in check(data, file)]
    findings += [finding for check in RAW_LINE_CHECKS for finding in check(lines, file)]
    return Inspection(lines, tuple(findings))


def _split(text: str) -> tuple[str, ...]:
    lines = text.removesuffix("\n").split("\n")
    return tuple(line.removesuffix("\r") for line in lines) if "\r" in text else tuple(lines)


_EMPTY_FILE = ProblemKind("empty-file", "error", "The file is empty.")


def _report_empty(file: str) -> Finding:
    return _EMPTY_FILE.at(
        (), file, "the file is empty", "find out why nothing was written, and write it again"
    )


_UTF16 = ProblemKind("utf-16", "error", "The file is encoded in UTF-16.")


def _report_utf16(file: str) -> Finding:
    remedy = "convert it, for example with `iconv -f UTF-16 -t UTF-8`"
    return _UTF16.at((), file, "the file is UTF-16, not UTF-8", remedy)


_BYTE_ORDER_MARK = ProblemKind("byte-order-mark", "warning", "The file begins with a byte-order mark.")


def _check_byte_order_mark(data: bytes, file: str) -> list[Finding]:
    if not data.startswith(codecs.BOM_UTF8):
        return []
    problem = "the file begins with a byte-order mark, which many tools attach to the first word"
    remedy = "remove it, for example with `sed -i '1s/^\\xEF\\xBB\\xBF//'`"
    return [_BYTE_ORDER_MARK.at((0,), file, problem, remedy)]


_INVALID_UTF8 = ProblemKind("invalid-utf-8", "error", "Some bytes are not valid UTF-8.")


def _check_encoding(data: bytes, file: str) -> list[Finding]:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        rows = [row for row, line in enumerate(data.split(b"\n")) if not _is_utf8(line)]
        problem = f"byte 0x{data[error.start]:02X} at offset {error.start:,} is not UTF-8"
        remedy = "convert the file from its true encoding, for example with `iconv -f WINDOWS-1252 -t UTF-8`"
        return [_INVALID_UTF8.at(rows, file, problem, remedy)]
    return []


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


_MIXED_LINE_ENDS = ProblemKind("mixed-line-ends", "warning", "Some lines end with \\r\\n, others with \\n.")
_WINDOWS_LINE_ENDS = ProblemKind("windows-line-ends", "note", "All lines end with \\r\\n.")


def _check_line_ends(data: bytes, file: str) -> list[Finding]:
    if b"\r\n" not in data:
        return []
    octets = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(octets == ord("\n"))
    has_return = (octets[np.maximum(ends - 1, 0)] == ord("\r")) & (ends > 0)
    n_returns = int(has_return.sum())
    remedy = "convert them, for example with `dos2unix`"
    if n_returns == len(ends):
        problem = "lines end with \\r\\n, and some tools treat the \\r as part of the last word"
        return [_WINDOWS_LINE_ENDS.at((), file, problem, remedy)]
    is_rarer = 2 * n_returns <= len(ends)
    rows = np.flatnonzero(has_return == is_rarer).tolist()
    problem = f"line ends are mixed: {n_returns:,} of {len(ends):,} are \\r\\n, the others \\n"
    return [_MIXED_LINE_ENDS.at(rows, file, problem, remedy)]


_RETURNS_INSIDE = ProblemKind("carriage-returns-inside", "warning", "A line contains a carriage return.")


def _check_returns_inside(data: bytes, file: str) -> list[Finding]:
    lone = [match.start() for match in re.finditer(rb"\r(?!\n)", data)] if b"\r" in data else []
    if not lone:
        return []
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
    rows = np.unique(np.searchsorted(ends, lone)).tolist()
    problem = "a line contains a carriage return, where some tools begin a new line"
    remedy = "replace it with a space, or with \\n if the file comes from an old Macintosh"
    return [_RETURNS_INSIDE.at(rows, file, problem, remedy)]


_NO_FINAL_NEWLINE = ProblemKind("no-final-newline", "note", "The last line does not end with a newline.")


def _check_final_newline(data: bytes, file: str) -> list[Finding]:
    if data.endswith(b"\n"):
        return []
    problem = "the last line has no newline: it may be cut off, and `wc -l` counts one line less"
    return [_NO_FINAL_NEWLINE.at((data.count(b"\n"),), file, problem, "end the file with a newline")]


_ASCII_CONTROLS = "".join(map(chr, [*range(0x01, 0x09), *range(0x0E, 0x20), 0x7F]))
_C1_CONTROLS = "".join(map(chr, [*range(0x80, 0x85), *range(0x86, 0xA0)]))
_CHARACTER_DAMAGES = (
    NULS,
    Damage(
        ProblemKind("line-breaks-inside", "warning", "A line contains a Unicode line separator."),
        pattern="[\x0b\x0c\x85\u2028\u2029]",
        marks="\x0b\x0c\x85\u2028\u2029",
        problem="a line contains {example}, where some tools begin a new line",
        remedy="replace it with a space",
    ),
    Damage(
        ProblemKind("control-characters", "warning", "A line contains control characters."),
        # After Â to ô, a C1 control is the second half of a misread UTF-8 character: mojibake, reported as such.
        pattern=(f"[{_ASCII_CONTROLS}{_C1_CONTROLS}](?<![\u00c2-\u00f4{_C1_CONTROLS}][{_C1_CONTROLS}])"),
        marks=_ASCII_CONTROLS + _C1_CONTROLS,
        problem="control characters such as {example} become part of words, which then match nothing",
        remedy="remove them, for example with `sed 's/[[:cntrl:]]//g'`",
    ),
    INVISIBLE,
)


def _check_characters(lines: Sequence[str], file: str) -> list[Finding]:
    return find_damages(lines, _CHARACTER_DAMAGES, file=file)


_OUTER_SPACE = ProblemKind("outer-space", "note", "A line begins or ends with white space.")


def _check_outer_spaces(lines: Sequence[str], file: str) -> list[Finding]:
    rows = [row for row, line in enumerate(lines) if line != line.strip()]
    remedy = "strip it; character metrics of some tools count it"
    return [_OUTER_SPACE.at(rows, file, "white space at the beginning or end", remedy)] if rows else []


_DOUBLE_SPACE = ProblemKind("double-space", "note", "A line contains double spaces or tabs.")


def _check_double_spaces(lines: Sequence[str], file: str) -> list[Finding]:
    rows = [row for row, line in enumerate(lines) if "  " in line or "\t" in line]
    remedy = "reduce them to one space; tabs may also separate the columns of a table"
    return [_DOUBLE_SPACE.at(rows, file, "double spaces or tabs between words", remedy)] if rows else []


@record
class Roles:
    """Which files are hypotheses, references and source; `guesses` describes roles inferred from file names."""

    files: tuple[str, ...]
    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    source: str | None
    guesses: tuple[str, ...] = ()

    @property
    def all_files(self) -> tuple[str, ...]:
        """Every file once, in the order given."""
        source = (self.source,) if self.source else ()
        return tuple(dict.fromkeys([*self.references, *source, *self.hypotheses, *self.files]))


def assign_roles(
    files: tuple[str, ...], references: tuple[str, ...], hypotheses: tuple[str, ...], source: str | None
) -> Roles:
    """Assign a role to each file; files without an option get the role that no option names."""
    if not (files or references or hypotheses or source):
        pair = f"{argument('hypotheses', 'FILE')} with {argument('references', 'FILE')}"
        raise OptionError(f"no file to check: pass files, or {pair}")
    if not (references or hypotheses):
        return _guess_roles(files, source)
    spare = files if references and hypotheses else ()
    return Roles(spare, hypotheses or files, references or files, source)


def examine(roles: Roles) -> tuple[dict[str, Inspection], list[Finding]]:
    """Check every file by itself, then the files that belong together."""
    roles, inspections, findings = _inspect(roles)
    for file, inspection in inspections.items():
        findings += [*inspection.findings, *check_text(inspection.lines, file=file)]
    lines = {file: inspection.lines for file, inspection in inspections.items()}
    return inspections, [*findings, *_compare(roles, lines)]


def _inspect(roles: Roles) -> tuple[Roles, dict[str, Inspection], list[Finding]]:
    """Read all files; a file with several systems or in several roles has a name for each of its texts."""
    inspections: dict[str, Inspection] = {}
    units: dict[str, _UnitColumn] = {}

    def read(paths: Sequence[str], role: _UnitRole) -> tuple[str, ...]:
        names: list[str] = []
        for path in paths:
            if not _has_units(path):
                inspections[path] = inspect_file(path)
                names.append(path)
                continue
            found = _read_units(path, role)
            found = {f"{name} ({role})" if name in units else name: column for name, column in found.items()}
            units.update(found)
            inspections.update(dict.fromkeys(found, Inspection((), ())))
            names += found
        return tuple(names)

    references = read(roles.references, "references")
    source = read(() if roles.source is None else (roles.source,), "source")
    hypotheses, others = read(roles.hypotheses, "hypotheses"), read(roles.files, "files")
    matched, findings = _match_units(units)
    inspections |= {name: _inspect_units(name, column) for name, column in matched.items()}
    unfit = {finding.file for finding in findings}  # their segments are not those of the other files
    found = Roles(
        others,
        tuple(name for name in hypotheses if name not in unfit),
        tuple(name for name in references if name not in unfit),
        next((name for name in source if name not in unfit), None),
    )
    return found, inspections, findings


def _inspect_units(name: str, column: _UnitColumn) -> Inspection:
    lines = tuple(column.texts.values)
    findings = [finding for check in RAW_LINE_CHECKS for finding in check(lines, name)]
    return Inspection(lines, tuple(findings), column.noun, tuple(column.names))


def _guess_roles(files: tuple[str, ...], source: str | None) -> Roles:
    reference = _first_named(files, "ref") if len(files) > 1 else None
    if reference is None:
        return Roles((), files, (), source) if source else Roles(files, (), (), None)
    guesses = [f"taking {reference} as the reference, by its name"]
    others = tuple(file for file in files if file != reference)
    if source is None and (source := _first_named(others, "src")):
        guesses.append(f"taking {source} as the source, by its name")
    hypotheses = tuple(file for file in others if file != source)
    return Roles((), hypotheses, (reference,), source, tuple(guesses))


def _first_named(files: Sequence[str], part: str) -> str | None:
    return next((file for file in files if part in Path(file).name.lower()), None)


def _compare(roles: Roles, lines: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    if roles.hypotheses and roles.references:
        yield from _compare_references(roles, lines)
    if roles.hypotheses and roles.source:
        yield from _compare_source(roles, roles.source, lines)
    if not roles.hypotheses:
        yield from _compare_line_counts(roles.all_files, lines)


def _compare_references(roles: Roles, lines: Mapping[str, Sequence[str]]) -> list[Finding]:
    columns = [[lines[file] for file in files] for files in (roles.hypotheses, roles.references)]
    transposed = check_layout(*columns, file=roles.references[0])
    return transposed or [
        finding
        for hypothesis in roles.hypotheses
        for reference in roles.references
        for finding in check_pair(
            lines[hypothesis], lines[reference], hypothesis_file=hypothesis, reference_file=reference
        )
    ]


def _compare_source(roles: Roles, source: str, lines: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    wanted = lines[roles.references[0]] if roles.references else ()
    encoder = (
        None if roles.references else find_sentence_vectors()
    )  # references show the order of lines faster
    votes = None if encoder is None else SimilarityVotes(encoder)
    for file in roles.hypotheses:
        yield from check_source(
            lines[file], lines[source], wanted, hypothesis_file=file, source_file=source, votes=votes
        )


def _compare_line_counts(files: Sequence[str], lines: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Compare every file with the first."""
    for file in files[1:]:
        yield from check_line_counts(TextPair(lines[file], lines[files[0]], file, files[0]))


BYTE_CHECKS: tuple[Callable[[bytes, str], list[Finding]], ...] = (
    _check_byte_order_mark,
    _check_encoding,
    _check_line_ends,
    _check_returns_inside,
    _check_final_newline,
)
RAW_LINE_CHECKS: tuple[Callable[[Sequence[str], str], list[Finding]], ...] = (
    _check_characters,
    _check_outer_spaces,
    _check_double_spaces,
)
