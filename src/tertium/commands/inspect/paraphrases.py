"""Paraphrases: compile a table into a store that opens instantly."""

from pathlib import Path
from typing import Annotated

from tertium.commands.base.request import FilePath, Request, function_of
from tertium.commands.inspect.vectors import WrittenFile
from tertium.declarations import Opt
from tertium.records import record
from tertium.resources.paraphrases import convert_paraphrases

__all__ = ["convert"]


@record
class ParaphraseConversionRequest(Request[WrittenFile]):
    """Compile a paraphrase table in METEOR's format into a store that opens instantly."""

    source: Annotated[FilePath, Opt("The table.", "Input", is_argument=True, metavar="FILE")]
    target: Annotated[
        FilePath, Opt("The store to write.", "Output", flags=("-o", "--output"), metavar="STORE")
    ]

    def run(self) -> WrittenFile:
        path = Path(self.target)
        table = convert_paraphrases(Path(self.source), path)
        return WrittenFile(f"{path}: {len(table):,} pairs of phrases, {path.stat().st_size:,} bytes")


convert = function_of("convert", ParaphraseConversionRequest)
