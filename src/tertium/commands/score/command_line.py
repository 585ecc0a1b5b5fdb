"""`tertium score`."""

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from tertium.catalog import split_labels
from tertium.commands.base.command_line import CHART, SignedTableCommand, TableCommand, typed_command
from tertium.commands.base.given_texts import Addresses, split_groups
from tertium.commands.base.output import check_output, print_notes, print_warnings, write_text
from tertium.commands.base.scoring import ScoreRequest, ScoreResult
from tertium.commands.base.streamed import SegmentFile
from tertium.commands.base.text_options import TEST_SET
from tertium.commands.score.sacrebleu import find_piped_system, translate_arguments
from tertium.declarations import Opt, options_of
from tertium.errors import OptionError, argument
from tertium.files.paths import is_folder
from tertium.records import record

if TYPE_CHECKING:
    from tertium.commands.base.set_scores import SetsSummary
    from tertium.commands.score.score import ScoreSetsRequest


@record(kw_only=True)
class SavingCommand(TableCommand):
    """Scores that can be saved as a run."""

    save: Annotated[
        str | None,
        Opt(
            "Save everything as a run, for show, compare, gate, report, history and rerun.",
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

    def print_messages(self, result: Any) -> None:
        if not self.quiet:
            print_warnings(result.warnings)
        print_notes(result.notes, quiet=self.quiet)


@record(kw_only=True)
class ScoreCommand(SavingCommand, SignedTableCommand):
    """Scores of systems or segments on one test set, or on many."""

    request = ScoreRequest
    forms = (*TableCommand.forms, "jsonl", "parquet")
    folders_end_files = False
    examples = (
        "tertium score -r reference.txt -i system.txt",
        "tertium score -r reference.txt -i systems/*.txt -m bleu,chrf,ter --ci --save all.run",
        "tertium score -r reference.txt -i old.txt new.txt --paired bootstrap --details",
        "tertium score wmt21/ -m bleu,chrf",
    )

    places: Annotated[
        tuple[str, ...],
        Opt(
            "Many test sets: folders (LP/ref.txt and LP/systems/NAME.txt, or the layout of mt-metrics-eval or WMT) and"
            " manifests (.toml, .tsv); -l en-de,en-fr selects pairs.",
            "Input",
            is_argument=True,
            metavar="[FOLDER]...",
            is_many=True,
            access="read",
        ),
    ] = ()
    test_set: Annotated[
        tuple[str, ...],
        replace(
            TEST_SET,
            help="A test set on this machine ('tertium data' lists them): -t wmt15 -l de-en. With several, or several"
            " pairs, -i takes patterns: 'outputs/{system}/{set}.{pair}.txt'.",
            is_many=True,
        ),
    ] = ()
    autorank: Annotated[
        bool,
        Opt(
            "With many test sets, also show WMT's AutoRank over all metrics and test sets, from 1 for the best system.",
            "Analysis",
        ),
    ] = False
    segments: Annotated[
        bool, Opt("Scores of single segments instead of systems.", "Output", excludes=("by", "group"))
    ] = False
    score_only: Annotated[
        bool,
        Opt(
            "Only the numbers, for scripts: a line per system, tabs between metrics.",
            "Output",
            excludes=("segments", "by", "group", "ci", "paired", "calibration", "full"),
        ),
    ] = False
    chart: Annotated[
        str | None,
        replace(CHART, help="Draw the scores with their intervals, as .svg or .png."),
    ] = None

    @classmethod
    def translate(cls, arguments: list[str]) -> list[str]:
        translated, notes = translate_arguments(arguments)
        print_notes(notes, quiet=not {"-q", "--quiet"}.isdisjoint(arguments))
        return translated

    def check(self) -> None:
        super().check()
        if self.chart is not None:
            from tertium.presentation.charts.model import check_picture  # most runs draw nothing

            check_picture(self.chart)
            check_output(self.chart)

    def execute(self, **values: Any) -> int:
        """Score many test sets, or one; arguments that are neither folders nor manifests are references, as in sacreBLEU."""
        if self._names_many_sets(values):
            self._check_many_sets(values)
            return super().execute(**values)
        if self.autorank:
            raise OptionError(f"{argument('autorank')} is for many test sets").about("autorank")
        if self.places:
            values["references"] = (*self.places, *values["references"])
            values["hypotheses"] = values["hypotheses"] or find_piped_system(self.places[0])
        values["test_set"] = next(iter(self.test_set), None)
        return super().execute(**values)

    def _names_many_sets(self, values: Mapping[str, Any]) -> bool:
        """Whether the arguments are folders, manifests, several test sets or several language pairs."""
        return (
            len(self.test_set) > 1
            or "," in (values["language"] or "")
            or any(place.endswith((".toml", ".tsv")) or is_folder(place) for place in self.places)
        )

    def _check_many_sets(self, values: Mapping[str, Any]) -> None:
        """Raise on options that are for one test set."""
        from tertium.commands.score.score import ScoreSetsRequest

        known = {option.name for option in (*options_of(ScoreSetsRequest), *options_of(SavingCommand))}
        given = {option: values.get(option.name) for option in options_of(ScoreRequest)}
        given |= {option: getattr(self, option.name) for option in options_of(ScoreCommand)}
        for option, value in given.items():
            if option.name not in known and value not in (None, (), False, option.default):
                raise OptionError(f"{argument(option.name)} is for a single test set").about(option.name)
        if self.form not in SavingCommand.forms:
            raise OptionError(f"{argument('form', self.form)} is for a single test set")

    def make_request(self, **values: Any) -> "ScoreRequest | ScoreSetsRequest":
        if self.save is not None:
            from tertium.evaluation.runs import check_recordable

            check_recordable(split_labels(values["metrics"]))
        if self._names_many_sets(values):
            return self._make_sets_request(values)
        _check_view({**values, **vars(self)})
        self.check_full(is_full=values["full"])
        shows_systems = not (self.segments or self.score_only or values["by"] is not None)
        values["hypotheses"], groups = split_groups(values["hypotheses"])
        values["references"] = Addresses(values["references"])
        values["group"] = (*values["group"], *groups)
        values["metrics"] = values["metrics"] or None
        tests_pairs = None if self.is_human_readable and shows_systems else False
        return ScoreRequest(**values, tests_pairs=tests_pairs)

    def _make_sets_request(self, values: Mapping[str, Any]) -> "ScoreSetsRequest":
        from tertium.commands.score.score import ScoreSetsRequest

        known = {option.name for option in options_of(ScoreSetsRequest)}
        shared = {name: value for name, value in values.items() if name in known and value != ()}
        own = {"places": self.places, "test_set": self.test_set, "autorank": self.autorank}
        return ScoreSetsRequest(**{**shared, **own})

    def compute(self, request: Any) -> "ScoreResult | SetsSummary":
        whole = {argument("save"): ""} if self.save else {}
        if not isinstance(request, ScoreRequest):
            return self._score_sets(request, whole)
        with self._segment_file(request) as sink:
            if self.segments and sink is None:
                shown = f"{argument('segments')} {argument('form', self.form)}"
                whole[shown] = f", or choose {argument('form', 'csv')}, tsv, jsonl or parquet"
            result = request.run(sink, whole)
            if not (self.segments or self.score_only or request.by):
                _ = result.comparison  # computed now, while the progress bar is shown
            if self.chart is not None:
                result.plot().write(self.chart)
        return result

    def _score_sets(self, request: "ScoreSetsRequest", whole: Mapping[str, str]) -> "SetsSummary":
        """Score the test sets one after the other; each is saved before the next is scored, and none is kept."""
        from tertium.commands.base.set_scores import SetsCollector, save_sets

        systems = {member.name: tuple(member.systems) for member in request.members}
        collector = SetsCollector(systems, request.analysis)
        scored = collector.collect(request.score(whole))
        if self.save is None:
            deque(scored, maxlen=0)
        else:
            contents = ((name, result.make_contents(typed_command())) for name, result in scored)
            save_sets(self.save, contents, autorank=request.autorank, texts=not self.no_texts)
        return collector.finish(autorank=request.autorank)

    def write(self, result: "ScoreResult | SetsSummary") -> None:  # type: ignore[override]
        if not isinstance(result, ScoreResult):
            super().write(result)
            return
        if self.save is not None:
            result.save(self.save, texts=not self.no_texts, command=typed_command())
        if self.score_only:
            write_text(result.numbers(), self.output)
        elif not self._writes_while_scoring(result.request):
            super().write(result.by_segment() if self.segments else result)

    def _writes_while_scoring(self, request: ScoreRequest) -> bool:
        """Whether segments are written one by one; full rows are not."""
        if not self.segments or request.full:
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


def _check_view(given: Mapping[str, Any]) -> None:
    """Raise on options that the chosen table does not show."""
    if given["style"] != "plain" and given["form"] != "latex":
        raise OptionError(f"{argument('style', given['style'])} requires {argument('form', 'latex')}")
    for option in options_of(ScoreCommand):
        for other in option.opt.excludes:
            if option.name in ("segments", "score_only") and given[option.name] and given[other]:
                text = f"give either {argument(option.name)} or {argument(other)}, not both"
                raise OptionError(text).about(other)
