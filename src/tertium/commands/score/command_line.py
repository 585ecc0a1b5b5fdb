"""`tertium score`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import click

from tertium.catalog import split_labels
from tertium.commands.base.command_line import SignedTableCommand, TableCommand, typed_command
from tertium.commands.base.given_texts import Addresses
from tertium.commands.base.output import check_output, print_notes, print_warnings, write_text
from tertium.commands.base.request import Opt
from tertium.commands.base.scoring import ScoreRequest, ScoreResult
from tertium.commands.base.set_scores import ScoreSetsResult
from tertium.commands.base.streamed import SegmentFile
from tertium.commands.score.score_sets import ScoreSetsRequest
from tertium.errors import OptionError, argument
from tertium.evaluation.runs import check_recordable
from tertium.records import record


@record(kw_only=True)
class ScoreCommand(SignedTableCommand):
    """Scores of systems or segments, which can be saved as a run."""

    request = ScoreRequest
    forms = (*TableCommand.forms, "jsonl", "parquet")
    examples = (
        "tertium score -r reference.txt -i system.txt",
        "tertium score -r reference.txt -i systems/*.txt -m bleu,chrf,ter --ci",
        "tertium score -r reference.txt -i old.txt new.txt --paired bootstrap --details",
        "tertium score -r reference.txt -i systems/*.txt --save all.run",
    )

    segments: Annotated[bool, Opt("Scores of single segments instead of systems.", "Output")] = False
    score_only: Annotated[
        bool, Opt("Only the numbers, for scripts: a line per system, tabs between metrics.", "Output")
    ] = False
    save: Annotated[
        str | None,
        Opt(
            "Save everything as a run, for show, compare, gate and report.",
            "Output",
            metavar="FILE.run",
        ),
    ] = None
    chart: Annotated[
        str | None,
        Opt("Draw the scores with their intervals, as .svg or .png.", "Output", metavar="FILE"),
    ] = None
    no_texts: Annotated[bool, Opt("Save checksums instead of texts.", "Output")] = False

    @classmethod
    def translate(cls, arguments: list[str]) -> list[str]:
        from tertium.commands.score.sacrebleu import translate_arguments

        translated, notes = translate_arguments(arguments)
        print_notes(notes, quiet=not {"-q", "--quiet"}.isdisjoint(arguments))
        return translated

    def check(self) -> None:
        super().check()
        if self.chart is not None:
            from tertium.presentation.charts.model import check_picture  # most runs draw nothing

            check_picture(self.chart)
            check_output(self.chart)
        if self.save is not None:
            check_output(self.save)
        elif self.no_texts:
            raise OptionError(f"{argument('no_texts')} requires {argument('save', 'FILE.run')}")

    def make_request(self, **values: Any) -> ScoreRequest:
        if self.segments and values["by"] is not None:
            raise OptionError(f"give either {argument('segments')} or {argument('by')}, not both")
        self.check_full(is_full=values["full"])
        if values["style"] != "plain" and self.form != "latex":
            raise OptionError(f"{argument('style', values['style'])} requires {argument('form', 'latex')}")
        shows_systems = not (self.segments or self.score_only or values["by"] is not None)
        tests_pairs = None if self.is_human_readable and shows_systems else False
        if self.save is not None:
            from tertium.evaluation.runs import check_recordable

            check_recordable(split_labels(values["metrics"]))
        for name in ("hypotheses", "references"):
            values[name] = Addresses(values[name])
        values["metrics"] = values["metrics"] or None  # the default depends on the texts
        return ScoreRequest(**values, tests_pairs=tests_pairs)

    def compute(self, request: Any) -> ScoreResult:
        with self._segment_file(request) as sink:
            whole = {argument("save"): ""} if self.save else {}
            if self.segments and sink is None:
                shown = f"{argument('segments')} {argument('form', self.form)}"
                whole[shown] = f", or choose {argument('form', 'csv')}, tsv, jsonl or parquet"
            result: ScoreResult = request.run(sink, whole)
            if not (self.segments or self.score_only or request.by):
                _ = result.comparison  # computed now, while the progress bar is shown
            if self.chart is not None:
                result.plot().write(self.chart)
        return result

    def print_messages(self, result: ScoreResult) -> None:
        if not self.quiet:
            print_warnings(result.warnings)
        print_notes(result.notes, quiet=self.quiet)

    def write(self, result: ScoreResult) -> None:  # type: ignore[override]
        if self.save is not None:
            result.save(self.save, texts=not self.no_texts, command=typed_command())
        if self.score_only:
            write_text(result.numbers(), self.output)
        elif not self._writes_while_scoring(result.request):
            super().write(result.by_segment() if self.segments else result)

    def _writes_while_scoring(self, request: ScoreRequest) -> bool:
        """Whether segments are written one by one; full rows and rows made safe for spreadsheets are not."""
        if not self.segments or request.full or self.spreadsheet_safe:
            return False
        from tertium.presentation.segment_files import SEGMENT_FORMATS

        return self.form in SEGMENT_FORMATS

    @contextmanager
    def _segment_file(self, request: ScoreRequest) -> Iterator[SegmentFile | None]:
        """Open the file that is written while segments are scored; standard output gets a copy of it."""
        if not self._writes_while_scoring(request):
            if self.form in ("jsonl", "parquet"):
                raise OptionError(f"{argument('form', self.form)} requires {argument('segments')}")
            yield None
            return
        if self.output not in (None, "-"):
            yield SegmentFile(self.form, str(self.output))
            return
        if self.form == "parquet":
            raise OptionError(f"{argument('form', 'parquet')} requires {argument('output', 'FILE')}")
        import tempfile

        with tempfile.TemporaryDirectory(prefix="tertium-") as folder:
            target = SegmentFile(self.form, str(Path(folder) / "segments"))
            yield target
            with Path(target.path).open(encoding="utf-8", newline="") as content:
                while block := content.read(1 << 20):
                    click.echo(block, nl=False)


@record(kw_only=True)
class ScoreSetsCommand(TableCommand):
    """Scores on many test sets, which can be saved as one run."""

    request = ScoreSetsRequest
    examples = (
        "tertium score-sets wmt21/ -m bleu,chrf --save wmt21.run",
        "tertium score-sets suite.toml -m chrf,comet --autorank",
        "tertium score-sets -t wmt23 -t wmt24 -l en-de,en-ja -i 'outputs/{system}/{set}.{pair}.txt'",
    )

    save: Annotated[
        str | None,
        Opt(
            "Save all test sets as one run, for show, report, gate, history and rerun.",
            "Output",
            metavar="FILE.run",
        ),
    ] = None
    no_texts: Annotated[bool, Opt("Save checksums instead of texts.", "Output")] = False

    def check(self) -> None:
        super().check()
        if self.save is not None:
            check_output(self.save)
        elif self.no_texts:
            raise OptionError(f"{argument('no_texts')} requires {argument('save', 'FILE.run')}")

    def make_request(self, **values: Any) -> ScoreSetsRequest:
        if self.save is not None:
            check_recordable(split_labels(values["metrics"]))
        return ScoreSetsRequest(**values)

    def compute(self, request: Any) -> ScoreSetsResult:
        result: ScoreSetsResult = request.run({argument("save"): ""} if self.save else {})
        return result

    def print_messages(self, result: ScoreSetsResult) -> None:
        if not self.quiet:
            print_warnings(result.warnings)
        print_notes(result.notes, quiet=self.quiet)

    def write(self, result: ScoreSetsResult) -> None:  # type: ignore[override]
        if self.save is not None:
            result.save(self.save, texts=not self.no_texts, command=typed_command())
        super().write(result)
