"""`tertium explain`, `parse` and `mbr`: commands with arguments or outputs of their own."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

from tertium.api.command import Opt
from tertium.api.explain import ExplainRequest, ExplainResult
from tertium.api.mbr import MBRRequest, MBRResult
from tertium.api.parse import ParseRequest, ParseResult
from tertium.catalog import find_metric, parse_label, split_labels
from tertium.cli.commands import OUTPUT, CommandBase, TableCommand
from tertium.cli.output import check_output, write_text
from tertium.corpus import CorpusFiles
from tertium.errors import OptionError, argument
from tertium.records import record
from tertium.reporting.charts.model import check_picture


@record(kw_only=True)
class ExplainCommand(TableCommand):
    """Explanations of texts on the command line, or of a line of files."""

    request = ExplainRequest
    examples = (
        'tertium explain -m invwer "we meet at noon" "at noon we meet"',
        "tertium explain -m wer,ter -i system.txt -r reference.txt --line 12",
    )

    texts: Annotated[
        tuple[str, ...],
        Opt(
            "The texts, instead of files.",
            "Input",
            is_argument=True,
            metavar="[HYPOTHESIS [REFERENCE]...]",
            is_many=True,
        ),
    ] = ()
    picture: Annotated[
        str | None,
        Opt(
            "Also draw it, as .svg or .png: lines between words, a tree or a heat map, depending on the metric.",
            "Output",
            metavar="FILE",
        ),
    ] = None
    heatmap: Annotated[
        str | None, Opt("Also draw the metric's matrix, as .svg or .png.", "Output", metavar="FILE")
    ] = None
    matrix: Annotated[
        str | None, Opt("The matrix to draw.", "Output", metavar="NAME", default="the first")
    ] = None

    def check(self) -> None:
        super().check()
        for file in filter(None, (self.picture, self.heatmap)):
            check_picture(file)
            check_output(file)

    def make_request(self, **values: Any) -> ExplainRequest:
        hypotheses, references, line = values.pop("hypothesis"), values.pop("references"), values.pop("line")
        names = f"{argument('hypothesis')}, {argument('references')} and {argument('line')}"
        if self.texts:
            if hypotheses or references or line is not None:
                raise OptionError(f"give two texts, or files with {names}, not both")
            request = ExplainRequest(self.texts[0], self.texts[1:], **values)
            if len(self.texts) < 2 and request.source is None and _need_texts(request.metrics):
                raise OptionError(f"a reference is missing; or give files with {names}")
            return request
        source = values.pop("source")
        if not (hypotheses or references or line is not None):
            raise OptionError(f"a hypothesis and a reference are missing; or give files with {names}")
        if not hypotheses or line is None or not (references or source):
            raise OptionError(f"files need all of {names}")
        corpus = CorpusFiles(references=references, hypotheses=hypotheses, source=source)
        return ExplainRequest(corpus, line=line, **values)

    def write(self, result: ExplainResult) -> None:  # type: ignore[override]
        if self.picture:
            result.picture().write(self.picture)
        if self.heatmap:
            result.heatmap(self.matrix).write(self.heatmap)
        super().write(result)


def _need_texts(labels: Sequence[str]) -> bool:
    """Whether a metric compares the hypothesis with another text."""
    return any(find_metric(parse_label(each).name).reads for each in split_labels(tuple(labels)))


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
            write_text("".join(f"{json.dumps(each.tolist())}\n" for each in result.matrices), self.matrix)
        if self.form == "text":
            write_text("".join(f"{line}\n" for line in result.lines()), self.output)
        else:
            super().write(result)
