"""Command line."""

import json
from typing import Annotated, Any

from tertium.commands.base.command_line import TableCommand
from tertium.commands.base.output import check_output, write_text
from tertium.commands.mbr.mbr import MBRRequest, MBRResult
from tertium.declarations import Opt
from tertium.records import record


@record(kw_only=True)
class MBRCommand(TableCommand):
    """Chosen translations as plain text, one per line; other formats also have places and utilities."""

    request = MBRRequest
    work = "choosing"
    examples = (
        "tertium mbr nbest.jsonl -o chosen.txt",
        "tertium mbr samples.txt -k 64 -m chrf --sample 16 -o chosen.txt",
        "tertium mbr nbest.jsonl -m std -f json -o choices.json --matrix pairs.jsonl",
    )

    matrix: Annotated[
        str | None,
        Opt(
            "Also write the score of every pair: a JSON matrix per source and line.",
            "Output",
            metavar="FILE",
            is_stream=True,
        ),
    ] = None

    def check(self) -> None:
        super().check()
        check_output(self.matrix)

    def make_request(self, **values: Any) -> MBRRequest:
        return MBRRequest(keep_matrices=self.matrix is not None, **values)

    def write(self, result: MBRResult) -> None:  # type: ignore[override]
        if self.matrix:
            write_text(
                "".join(f"{json.dumps(matrice.tolist())}\n" for matrice in result.matrices), self.matrix
            )
        if self.form == "text":
            write_text("".join(f"{line}\n" for line in result.lines()), self.output)
        else:
            super().write(result)
