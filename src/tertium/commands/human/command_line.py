"""`tertium select`: the chosen segments as a table, a list of outputs and a campaign."""

from pathlib import Path
from typing import Annotated

from tertium.commands.base.command_line import TableCommand
from tertium.commands.base.output import check_output, write_text
from tertium.commands.human.selection import Protocol, SelectionResult, SelectRequest
from tertium.declarations import Opt
from tertium.errors import OptionError, argument
from tertium.files.paths import format_suffix
from tertium.records import record


@record(kw_only=True)
class SelectCommand(TableCommand):
    """A table of the chosen segments, and files for annotators."""

    request = SelectRequest
    examples = (
        "tertium select systems/*.txt -r ref.txt -s src.txt --segments 200 --campaign campaign.json",
        "tertium select systems/*.txt -r ref.txt --words 20000 --by domain --items items.tsv",
    )

    items: Annotated[
        str | None,
        Opt(
            "Write a row per output to be judged, with empty columns rater and score, as .tsv or .jsonl.",
            "Output",
            metavar="FILE",
        ),
    ] = None
    campaign: Annotated[
        str | None, Opt("Write a campaign of Pearmut.", "Output", metavar="FILE.json", is_stream=True)
    ] = None
    protocol: Annotated[
        Protocol, Opt("Annotation protocol of the campaign.", "Output", requires=("campaign",))
    ] = "ESA"
    raters: Annotated[
        int, Opt("Number of raters of the campaign.", "Output", metavar="N", least=1, requires=("campaign",))
    ] = 1

    def check(self) -> None:
        super().check()
        check_output(self.items)
        check_output(self.campaign)
        if self.items is not None and format_suffix(self.items) not in (".tsv", ".jsonl"):
            raise OptionError(f"{argument('items')} must end with .tsv or .jsonl, not {self.items!r}")

    def write(self, result: SelectionResult) -> None:  # type: ignore[override]
        super().write(result)
        if self.items is not None:
            is_jsonl = format_suffix(self.items) == ".jsonl"
            write_text(result.to_items("jsonl" if is_jsonl else "tsv"), self.items)
        if self.campaign is not None:
            name = Path(self.campaign).name.partition(".")[0]
            text = result.to_pearmut(name=name, protocol=self.protocol, raters=self.raters)
            write_text(text, self.campaign)
