"""`tertium compare`, `gate` and `report`: systems compared, judged by rules, and shown on a page."""

from collections.abc import Sequence
from typing import Annotated, Any

from tertium.catalog import find_metric, parse_label, split_labels
from tertium.commands.base.command_line import TableCommand
from tertium.commands.base.output import check_output
from tertium.commands.compare.compare import CompareRequest
from tertium.commands.compare.explain import ExplainRequest, ExplainResult
from tertium.commands.compare.segments import SegmentsRequest
from tertium.corpus import CorpusFiles
from tertium.declarations import Opt
from tertium.errors import OptionError, argument
from tertium.presentation.charts.model import check_picture
from tertium.records import record


@record(kw_only=True)
class CompareCommand(TableCommand):
    """The differences between two systems."""

    request = CompareRequest
    examples = (
        "tertium compare old.txt new.txt -r ref.txt -m bleu,chrf",
        "tertium compare release-1.run release-2.run",
        "tertium compare all.run --systems aurora boreas",
    )


@record(kw_only=True)
class SegmentsCommand(TableCommand):
    """Single segments with their texts."""

    request = SegmentsRequest
    examples = (
        "tertium segments all.run --worst 20 -m chrf",
        "tertium segments -r ref.txt -i new.txt -m chrf,ter --where 'chrf<40,length>20' --sort ter",
        "tertium segments all.run --systems old new --differences --worst 10",
    )


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
    return any(find_metric(parse_label(label).name).reads for label in split_labels(tuple(labels)))
