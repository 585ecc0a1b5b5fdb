"""Run all checks on files: their bytes, each text, and the pairs of texts that belong together."""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tertium.diagnosis.finding import Finding, TextPair
from tertium.diagnosis.order import check_layout, check_line_counts
from tertium.diagnosis.pairs import check_pair, check_source
from tertium.diagnosis.texts import Damage, check_text, find_damages
from tertium.errors import OptionError
from tertium.files.reading import read_bytes

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_LINE_BREAKS = Damage(
    code="line-breaks-inside",
    severity="warning",
    pattern=re.compile("[\x0b\x0c\x85\u2028\u2029]"),
    marks="\x0b\x0c\x85\u2028\u2029",
    problem="{example} stands inside a line, and some tools begin a new line there",
    remedy="replace it with a space",
)
_NUL = Damage(
    code="nul",
    severity="error",
    pattern=re.compile("\0"),
    marks="\0",
    problem="NUL characters: the file is UTF-16 or UTF-32, damaged, or no text at all",
    remedy="convert it to UTF-8, for example with `iconv -f UTF-16 -t UTF-8`",
)
_ASCII_CONTROLS = "".join(map(chr, [*range(0x01, 0x09), *range(0x0E, 0x20), 0x7F]))
_C1_CONTROLS = "".join(map(chr, [*range(0x80, 0x85), *range(0x86, 0xA0)]))
_CONTROLS = Damage(
    code="control-characters",
    severity="warning",
    # After Â to ô, a C1 control is the second half of a misread UTF-8 character: mojibake, reported as such.
    pattern=re.compile(
        f"[{_ASCII_CONTROLS}{_C1_CONTROLS}](?<![\u00c2-\u00f4{_C1_CONTROLS}][{_C1_CONTROLS}])"
    ),
    marks=_ASCII_CONTROLS + _C1_CONTROLS,
    problem="control characters such as {example} stick to words and make them unknown",
    remedy="remove them, for example with `sed 's/[[:cntrl:]]//g'`",
)
_INVISIBLE = Damage(
    code="invisible-characters",
    severity="note",
    # The joiners U+200C and U+200D belong to Persian, to Indian scripts and to emoji.
    pattern=re.compile("[\u00ad\u200b-\u200d\u2060\ufeff](?<![\u0590-\U0010ffff][\u200c\u200d])"),
    marks="\u00ad\u200b\u200c\u200d\u2060\ufeff",
    problem="invisible characters such as {example} make equal words differ",
    remedy="remove them from every file alike",
)
_CHARACTER_DAMAGES = (_NUL, _LINE_BREAKS, _CONTROLS, _INVISIBLE)


@dataclass(frozen=True)
class Inspection:
    """The lines of a file, without byte-order mark and line ends, and what is wrong with its bytes."""

    lines: tuple[str, ...]
    findings: tuple[Finding, ...]


def inspect_file(path: str | Path) -> Inspection:
    """Read a file, plain or compressed with gzip or xz, and look at its bytes."""
    return inspect_bytes(read_bytes(str(path)), file=str(path))


def inspect_bytes(data: bytes, *, file: str = "text") -> Inspection:
    """Look at the bytes of a text; bytes that are not UTF-8 are left out of its lines."""
    if not data:
        return Inspection((), (_report_empty(file),))
    if data.startswith(_UTF16_MARKS):
        return Inspection(_split(data.decode("utf-16", errors="ignore")), (_report_utf16(file),))
    text, problems = _decode(data, file)
    lines = _split(text.removeprefix("\ufeff"))
    findings = [
        *_check_byte_order_mark(data, file),
        *problems,
        *_check_line_ends(data, file),
        *_check_final_newline(data, len(lines), file),
        *find_damages(lines, _CHARACTER_DAMAGES, file=file),
        *_check_outer_spaces(lines, file),
        *_check_double_spaces(lines, file),
    ]
    return Inspection(lines, tuple(findings))


def _split(text: str) -> tuple[str, ...]:
    lines = text.removesuffix("\n").split("\n")
    return tuple(line.removesuffix("\r") for line in lines) if "\r" in text else tuple(lines)


def _report_empty(file: str) -> Finding:
    remedy = "look why nothing was written, and write it again"
    return Finding.at(
        (), severity="error", file=file, problem="the file is empty", remedy=remedy, code="empty-file"
    )


def _report_utf16(file: str) -> Finding:
    return Finding.at(
        (),
        severity="error",
        file=file,
        problem="the file is UTF-16, not UTF-8",
        remedy="convert it, for example with `iconv -f UTF-16 -t UTF-8`",
        code="utf-16",
    )


def _check_byte_order_mark(data: bytes, file: str) -> list[Finding]:
    if not data.startswith(codecs.BOM_UTF8):
        return []
    return [
        Finding.at(
            (0,),
            severity="warning",
            file=file,
            problem="the file begins with a byte-order mark, which many tools glue to the first word",
            remedy="remove it, for example with `sed -i '1s/^\\xEF\\xBB\\xBF//'`",
            code="byte-order-mark",
        )
    ]


def _decode(data: bytes, file: str) -> tuple[str, list[Finding]]:
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        return data.decode("utf-8", errors="ignore"), [_report_encoding(data, error.start, file)]


def _report_encoding(data: bytes, offset: int, file: str) -> Finding:
    return Finding.at(
        [row for row, line in enumerate(data.split(b"\n")) if not _is_utf8(line)],
        severity="error",
        file=file,
        problem=f"byte 0x{data[offset]:02X} at offset {offset:,} is not UTF-8",
        remedy="convert the file from its true encoding, for example with `iconv -f WINDOWS-1252 -t UTF-8`",
        code="invalid-utf-8",
    )


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _check_line_ends(data: bytes, file: str) -> list[Finding]:
    if b"\r" not in data:
        return []
    octets = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(octets == ord("\n"))
    has_return = (octets[np.maximum(ends - 1, 0)] == ord("\r")) & (ends > 0)
    lone = [match.start() for match in re.finditer(rb"\r(?!\n)", data)]
    rows = np.unique(np.searchsorted(ends, lone)).tolist()
    return [*_report_returns(has_return.tolist(), file), *_report_lone_returns(rows, file)]


def _report_returns(has_return: Sequence[bool], file: str) -> list[Finding]:
    n_returns = sum(has_return)
    if not n_returns:
        return []
    rare = 2 * n_returns <= len(has_return)
    if n_returns < len(has_return):
        rows = [row for row, value in enumerate(has_return) if value == rare]
        problem = f"line ends are mixed: {n_returns:,} of {len(has_return):,} are \\r\\n, the others \\n"
    else:
        rows, problem = [], "lines end with \\r\\n, whose \\r some tools take for a part of the last word"
    return [
        Finding.at(
            rows,
            severity="warning" if rows else "note",
            file=file,
            problem=problem,
            remedy="convert them, for example with `dos2unix`",
            code="mixed-line-ends" if rows else "windows-line-ends",
        )
    ]


def _report_lone_returns(rows: Sequence[int], file: str) -> list[Finding]:
    if not rows:
        return []
    return [
        Finding.at(
            rows,
            severity="warning",
            file=file,
            problem="a carriage return stands inside a line, and some tools begin a new line there",
            remedy="replace it with a space, or with \\n if the file comes from an old Macintosh",
            code="carriage-returns-inside",
        )
    ]


def _check_final_newline(data: bytes, n_lines: int, file: str) -> list[Finding]:
    if data.endswith(b"\n"):
        return []
    return [
        Finding.at(
            (n_lines - 1,),
            severity="note",
            file=file,
            problem="the last line has no newline: it may be cut off, and `wc -l` counts one line less",
            remedy="end the file with a newline",
            code="no-final-newline",
        )
    ]


def _check_outer_spaces(lines: Sequence[str], file: str) -> list[Finding]:
    rows = [row for row, line in enumerate(lines) if line != line.strip()]
    if not rows:
        return []
    return [
        Finding.at(
            rows,
            severity="note",
            file=file,
            problem="white space at the beginning or end",
            remedy="strip it; character metrics of some tools count it",
            code="outer-space",
        )
    ]


def _check_double_spaces(lines: Sequence[str], file: str) -> list[Finding]:
    rows = [row for row, line in enumerate(lines) if "  " in line or "\t" in line]
    if not rows:
        return []
    return [
        Finding.at(
            rows,
            severity="note",
            file=file,
            problem="double spaces or tabs between words",
            remedy="reduce them to one space; tabs may also mean columns of a table",
            code="double-space",
        )
    ]


@dataclass(frozen=True)
class Roles:
    """Which file plays which part; `guesses` says in words what was read off the files' names."""

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
    """Give each file its part; a part that no option fills is filled by the bare files."""
    if not (files or references or hypotheses or source):
        raise OptionError("no file to look at: give FILES, or -i HYPOTHESIS with -r REFERENCE")
    if not (references or hypotheses):
        return _guess_roles(files, source)
    spare = files if references and hypotheses else ()
    return Roles(spare, hypotheses or files, references or files, source)


def examine(roles: Roles) -> tuple[dict[str, Inspection], list[Finding]]:
    """Look at every file by itself, then at those that belong together."""
    inspections = {file: inspect_file(file) for file in roles.all_files}
    findings = []
    for file, inspection in inspections.items():
        findings += [*inspection.findings, *check_text(inspection.lines, file=file)]
    lines = {file: inspection.lines for file, inspection in inspections.items()}
    return inspections, [*findings, *_compare(roles, lines)]


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
    for file in roles.hypotheses:
        yield from check_source(lines[file], lines[source], wanted, hypothesis_file=file, source_file=source)


def _compare_line_counts(files: Sequence[str], lines: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Compare every file with the first."""
    for file in files[1:]:
        yield from check_line_counts(TextPair(lines[file], lines[files[0]], file, files[0]))
