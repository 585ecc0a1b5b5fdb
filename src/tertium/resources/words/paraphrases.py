"""Paraphrase tables in METEOR's format: lines of probability, phrase, phrase, repeating; gzip or plain."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

import numpy as np

from tertium.errors import ResourceError
from tertium.files.checksums import checksum_content
from tertium.files.opening import open_bytes
from tertium.files.paths import refuse_pipe
from tertium.kernels import read_phrases
from tertium.resources.progress import report_progress
from tertium.resources.words.meteor_package import find_in_package
from tertium.types import PhrasePairs, TokenColumn

__all__ = ["ParaphraseFile", "find_paraphrases", "load_paraphrases"]

_BLOCK = 1 << 22
_KEPT = 4  # choices: a few metrics over the same test set
_PARTS = ("a probability", "a phrase", "a phrase")
_FORMAT = "METEOR's format has lines of probability, phrase, phrase"
_SHOWN = 40  # characters of a wrong line


@dataclass(frozen=True)
class ParaphraseFile:
    """A table on disk. It is read through for each test set, and only what can match is kept."""

    path: Path
    identity: str
    language: str | None = None
    chosen: dict[bytes, PhrasePairs] = field(default_factory=dict, repr=False, compare=False)

    def select(self, references: TokenColumn) -> PhrasePairs:
        """Give the pairs of which one side is a phrase of these texts; the last few choices are kept."""
        key = _content(references)
        if key not in self.chosen:
            pairs = self._read(references)
            while len(self.chosen) >= _KEPT:
                del self.chosen[next(iter(self.chosen))]
            self.chosen[key] = pairs
        return self.chosen[key]

    def _read(self, references: TokenColumn) -> PhrasePairs:
        """Read through the file.

        Raises
        ------
        ResourceError
            If the file is damaged or not in METEOR's format; the message has the line.
        """
        reader = read_phrases(references)
        for block in self._blocks():
            first = reader.lines
            if (line := reader.read(block)) > 0:
                raise self._wrong(line, _complaint(line, block.split(b"\n")[line - first - 1]))
        if not reader.lines:
            raise ResourceError(f"{self.path} is empty; {_FORMAT}")
        if reader.lines % 3:
            raise self._wrong(reader.lines, "the file ends within an entry of three lines")
        return reader.finish()

    def _blocks(self) -> Iterator[bytes]:
        """Whole lines, a few megabytes at a time."""
        rest = b""
        with open_bytes(self.path, error=ResourceError) as content:
            total = self.path.stat().st_size
            while block := content.read(_BLOCK):
                report_progress(f"reading {self.path.name}", content.n_packed, total)
                end = block.rfind(b"\n") + 1
                if end > 0:
                    yield rest + block[:end]
                    rest = b""
                rest += block[end:]
        yield rest

    def _wrong(self, line: int, what: str) -> ResourceError:
        return ResourceError(f"{self.path}, line {line:,}: {what}; {_FORMAT}")


def load_paraphrases(path: str | Path, language: str | None = None) -> ParaphraseFile:
    """Open a table: it must exist; its lines are checked when a test set is read against it."""
    file = Path(path)
    refuse_pipe(file, "a table of paraphrases", error=ResourceError)
    checksum = checksum_content(file, error=ResourceError)
    return ParaphraseFile(file, f"{file.name.removesuffix('.gz')}[{checksum:08x}]", language)


def find_paraphrases() -> ParaphraseFile | None:
    """METEOR's English table, if the package pycocoevalcap that brings it is installed."""
    path = find_in_package("data/paraphrase-en.gz")
    return None if path is None else load_paraphrases(path, "en")


def _content(column: TokenColumn) -> bytes:
    digest = blake2b(digest_size=16)
    used = np.unique(column.ids)
    digest.update("\n".join(column.vocabulary.words(used)).encode())
    for part in (used, column.ids, column.offsets):
        digest.update(part.tobytes())
    return digest.digest()


def _complaint(line: int, given: bytes) -> str:
    """Say what is wrong with a line."""
    try:
        text = given.decode().rstrip("\r")
    except UnicodeDecodeError as error:
        return f"byte {given[error.start]:#04x} is no UTF-8 (convert the file, as with iconv -t UTF-8)"
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return f"{_PARTS[(line - 1) % 3]} was expected, not {shown!r}"
