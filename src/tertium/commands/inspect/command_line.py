"""`tertium explain`, `parse` and `mbr`: commands with arguments or outputs of their own."""

from typing import Annotated

from tertium.commands.base.command_line import OUTPUT, CommandBase
from tertium.commands.base.output import check_output, write_text
from tertium.commands.inspect.parse import ParseRequest, ParseResult
from tertium.records import record


@record(kw_only=True)
class ParseCommand(CommandBase):
    """Trees as CoNLL-U."""

    request = ParseRequest
    work = "parsing"

    output: Annotated[str | None, OUTPUT] = None

    def check(self) -> None:
        check_output(self.output)

    def write(self, result: ParseResult) -> None:
        write_text(result.conllu(), self.output)
