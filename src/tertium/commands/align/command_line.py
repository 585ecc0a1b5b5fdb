"""`tertium align`: files as they are named, and the cut outputs that are written."""

from typing import Annotated, Any

from tertium.commands.align.align import AlignRequest, AlignResult
from tertium.commands.base.command_line import TableCommand
from tertium.commands.base.given_texts import Addresses
from tertium.declarations import Opt
from tertium.errors import OptionError, argument
from tertium.records import record


@record(kw_only=True)
class AlignCommand(TableCommand):
    """Outputs that are cut to the segments of the references."""

    request = AlignRequest
    work = "aligning"
    examples = (
        "tertium align -r reference.txt -i stream.txt --write cut.txt",
        "tertium align -r reference.xml -i systems/*.jsonl --table segments -f tsv",
        "tertium align -r source.txt -i output.txt --table sentences --similar multilingual",
    )

    write_to: Annotated[
        str | None,
        Opt(
            "Write the cut output, a segment per line; with several systems, into this folder as NAME.txt.",
            "Output",
            flags=("--write",),
            metavar="FILE",
        ),
    ] = None

    def make_request(self, **values: Any) -> AlignRequest:
        for name in ("hypotheses", "references"):
            values[name] = Addresses(values[name])
        request = AlignRequest(**values)
        if self.write_to is not None and request.shows_sentences:
            raise OptionError(
                f"{argument('write')} writes cuts: leave out {argument('table', request.table)}"
            )
        return request

    def write(self, result: AlignResult) -> None:  # type: ignore[override]
        if self.write_to is not None:
            result.write_texts(self.write_to)
        super().write(result)
