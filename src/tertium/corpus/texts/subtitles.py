"""Reader of subtitles: SubRip (.srt) and WebVTT (.vtt), a cue per segment."""

import html
import re
from collections.abc import Iterator

from tertium.corpus.texts.line_formats import TextFile
from tertium.corpus.texts.tables import SegmentColumn
from tertium.errors import InputError
from tertium.files.paths import Address
from tertium.files.reading import read_lines
from tertium.kernels.strings import TextColumn
from tertium.records import record

_TIME = r"(?:\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
# Markup in cues: <i>, <v Speaker>, <00:01.500> and {\an8}.
_MARKUP = re.compile(r"<[^<>\n]*>|\{\\[^{}\n]*\}")


@record
class SubtitleFile(TextFile):
    """The texts of the cues; the lines of a cue are joined, and times, numbers and markup are left out."""

    def _column(self, address: Address) -> SegmentColumn[str]:
        if address.column is not None:
            raise InputError(f"{address.path} has subtitles and no column {address.column!r}")
        return SegmentColumn(address.label, "cue", self.lines)


def read_subtitles(path: str) -> SubtitleFile:
    """Read a file of subtitles.

    Raises
    ------
    InputError
        If a line with times is not valid, or there is no cue; the message names the line.
    """
    cues = list(_read_cues(path, read_lines(path)))
    if not cues:
        raise InputError(f"{path} has no subtitles; a cue begins with a line 00:00:01,000 --> 00:00:02,500")
    return SubtitleFile(TextColumn.keep(cues))


def _read_cues(path: str, lines: list[str]) -> Iterator[str]:
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if "-->" not in line:
            continue  # a header, a comment, or the number or name of a cue
        if not _TIMING.fullmatch(line):
            raise InputError(
                f"{path}: line {number:,} is not a line of times such as 00:00:01,000 --> 00:00:02,500: {line!r}"
            )
        first = number
        while number < len(lines) and lines[number].strip() and "-->" not in lines[number]:
            number += 1
        yield " ".join(filter(None, map(_clean, lines[first:number])))


def _clean(line: str) -> str:
    return " ".join(html.unescape(_MARKUP.sub("", line)).split())
