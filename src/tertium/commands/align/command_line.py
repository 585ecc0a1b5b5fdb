"""`tertium align` and `sentences`: commands for texts that do not line up."""

from typing import Annotated, Any

from tertium.commands.align.align import AlignRequest, AlignResult
from tertium.commands.align.sentences import SentencesRequest
from tertium.commands.base.command_line import TableCommand
from tertium.commands.base.given_texts import Addresses
from tertium.commands.base.request import Opt
from tertium.records import record


@record(kw_only=True)
class AlignCommand(TableCommand):
    """Outputs that are cut to the segments of the references."""

    request = AlignRequest
    work = "aligning"
    examples = (
        "tertium align -r reference.txt -i stream.txt --write cut.txt",
        "tertium align -r reference.xml -i systems/*.jsonl --show -f tsv",
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
        return AlignRequest(**values)

    def write(self, result: AlignResult) -> None:  # type: ignore[override]
        if self.write_to is not None:
            result.write_texts(self.write_to)
        super().write(result)


@record(kw_only=True)
class SentencesCommand(TableCommand):
    """Changes of sentences."""

    request = SentencesRequest
    work = "aligning"
    examples = (
        "tertium sentences -r reference.txt -i output.txt --show groups",
        "tertium sentences -r source.txt -i output.txt --vectors multilingual",
    )

    def make_request(self, **values: Any) -> SentencesRequest:
        for name in ("hypotheses", "references"):
            values[name] = Addresses(values[name])
        return SentencesRequest(**values)
