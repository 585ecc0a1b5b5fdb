"""How argv is read: lists after one option, and options that several commands share."""

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

__all__ = [
    "ListCommand",
    "engine_choice_options",
    "engine_options",
    "human_options",
    "judged_data_options",
    "other_resource_options",
    "part_options",
    "resource_options",
    "scored_options",
    "seed_option",
    "threads_option",
    "view_options",
]

Command = TypeVar("Command", bound=Callable[..., Any])


class ListCommand(click.Command):
    """A command whose repeatable options take lists, so that `-i systems/*.txt` works.

    A list ends at the next option, or at a folder if the command still lacks the folder it works on.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(self._spread(args)))

    def _spread(self, args: Sequence[str]) -> Iterator[str]:
        """Repeat a repeatable option before each further value that follows it."""
        takers = {
            name: parameter
            for parameter in self.params
            if isinstance(parameter, click.Option) and not parameter.is_flag and not parameter.count
            for name in parameter.opts
        }
        n_lacking = sum(isinstance(parameter, click.Argument) for parameter in self.params)
        current, values = "", 0
        given: set[str | None] = set()
        for index, arg in enumerate(args):
            if arg == "--":
                yield from args[index:]
                return
            if arg.startswith("-") and arg != "-" and not (current and values == 0):
                name, equals, _ = arg.partition("=")
                current = name if name in takers else ""
                values = 1 if equals else 0
                if current:
                    _refuse_repeated(takers[current], current, given)
                yield arg
                continue
            if current and values >= 1 and not takers[current].multiple:
                current = ""
            is_positional = not current or (values >= 1 and n_lacking > 0 and Path(arg).is_dir())
            if is_positional:
                n_lacking -= 1
            elif values >= 1:
                yield current
            values += 1
            yield arg


def _refuse_repeated(option: click.Option, name: str, given: set[str | None]) -> None:
    """Refuse a second value for an option that takes one: the first would be forgotten without a word."""
    if not option.multiple and option.name in given:
        raise click.UsageError(f"{name} was given twice, but it takes one value")
    given.add(option.name)


threads_option = click.option("-j", "--threads", type=click.IntRange(min=1), metavar="N", help="Threads.  [default: every core]")  # fmt: skip


def seed_option(what: str) -> Callable[[Command], Command]:
    """Add `--seed`; `what` says what it is the seed of."""
    return click.option("--seed", type=click.IntRange(min=0), default=12345, show_default=True, help=f"Seed of {what}.")  # fmt: skip


_samples_option = click.option("--samples", type=click.IntRange(min=1), metavar="N", help="Resamples.  [default: 1000 bootstrap, 10000 randomization]")  # fmt: skip

_VIEW = (
    click.option("--ci", is_flag=True, help="Bootstrap confidence intervals, 95 % unless --alpha says otherwise."),
    click.option("--paired", type=click.Choice(["bootstrap", "randomization"]), help="Test every system against the baseline."),
    click.option("--baseline", metavar="NAME", help="The baseline of --paired.  [default: the first system]"),
    _samples_option,
    click.option("--resample", metavar="COLUMN", help="Draw groups of segments whole in intervals and tests: --resample document."),
    click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), help="Level of tests and clusters; intervals have 1 - alpha.  [default: 0.05]"),
    click.option("--full", is_flag=True, help="In CSV, TSV and JSON also intervals, p-values, clusters and signatures."),
    click.option("--sort", metavar="METRIC", help="Order systems by this metric, best first."),
    click.option("--calibration", metavar="FILE", help="How often people agree with differences, as tertium meta --calibrate learnt it.  [default: from WMT, in the package]"),
)  # fmt: skip

_RESOURCES = (
    click.option("-l", "--language", metavar="LANG", help="Target language or pair (zh, de-en): chooses the tokenizer for zh, ja and ko, and is told to metrics that ask.  [default: what the language pair's name says, if there is one]"),
    click.option("--vectors", metavar="FILE", help="Word vectors for embedding metrics: a file, 'contextual', or 'onnx:FOLDER' with a model of your own.  [default: English, in the package]"),
    click.option("--parser", metavar="MODEL", help="spaCy model for metrics over trees: package or folder, or 'spacy'.  [default: for English the parser in the package, else an installed spaCy model]"),
    click.option("--trees", multiple=True, metavar="FILE", help="CoNLL-U trees of the references (and of the systems, for metrics that parse both) instead of a parser."),
    click.option("--paraphrases", metavar="FILE", help="Paraphrase table in METEOR's format, plain or gzip, or a store (`tertium paraphrases`).  [default: that of an installed pycocoevalcap]"),
    click.option("--synonyms", metavar="FILE", help="Thesaurus in MyThes format, for METEOR and REDp.  [default: WordNet for English, none for others]"),
    click.option("--function-words", metavar="FILE", help="Function words, separated by white space.  [default: METEOR's if pycocoevalcap is installed, else ours]"),
)  # fmt: skip

_SCORED = (
    click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s), if outputs are given."),
    click.option("-s", "--src", "source", metavar="FILE", help="Source text, shown beside the outputs."),
    click.option("--columns", metavar="FILE", help="More about each segment: TSV with a header, or JSONL."),
    click.option("-m", "--metrics", multiple=True, metavar="LIST", help="Metrics.  [default: those of the run, else bleu]"),
    click.option("--lowercase", is_flag=True, help="Ignore case, for every metric that can."),
    click.option("--tokenizer", metavar="NAME", help="Tokenizer for every metric that has one."),
    click.option("--test", type=click.Choice(["bootstrap", "randomization"]), default="bootstrap", show_default=True, help="The paired test."),
    _samples_option,
    click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.05, show_default=True, help="Level of tests and clusters; intervals have 1 - alpha."),
    seed_option("the resampling"),
    threads_option,
)  # fmt: skip

_ENGINE = (
    click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True, help="Where it is computed: in this process, or by a Dask cluster (extra cluster)."),
    click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes of a Dask cluster on this machine.  [default: one per core]"),
    click.option("--scheduler", metavar="ADDRESS", help="A Dask cluster that runs already: tcp://host:8786."),
    click.option("--resume", metavar="FOLDER", help="Keep finished parts there: after a crash the same command goes on where it stopped."),
    click.option("--batch-size", type=click.IntRange(min=1), metavar="N", help="Go through the texts in parts of N segments.  [default: 100000, from 200000 segments on]"),
)  # fmt: skip

_TEXTS = (
    click.argument("folder", required=False, metavar="[FOLDER]"),
    click.option("-r", "--ref", "references", multiple=True, metavar="FILE", help="Reference file(s), instead of a folder."),
    click.option("-i", "--hyp", "hypotheses", multiple=True, metavar="[NAME=]FILE", help="Systems' outputs, instead of a folder."),
    click.option("--columns", metavar="FILE", help="More about each segment, beside -r and -i; a folder has LP/columns.tsv."),
)  # fmt: skip

_HUMAN = (
    click.option("--human", multiple=True, metavar="FILE", help="Judgments: TSV or JSONL of segment scores, system scores, rankings, MQM errors or judged texts; mt-metrics-eval's .seg.score, .sys.score."),
    click.option("-p", "--pairs", multiple=True, metavar="LIST", help="Language pairs.  [default: all]"),
    click.option("--normalise-raters", is_flag=True, help="Bring each rater to mean 0 and variance 1."),
    click.option("--at-least", type=click.IntRange(min=1), default=1, show_default=True, help="Judgments that a segment needs."),
    click.option("--by-length", is_flag=True, help="Weigh segments by length where system scores are made of segment scores."),
    click.option("--ratio", type=click.Choice(["human_gt", "human_ge", "expected_wins"]), default="human_gt", show_default=True, help="How rankings become system scores."),
    click.option("--skip-unknown", is_flag=True, help="Leave out judgments of systems and segments that do not exist."),
    click.option("--no-outliers", is_flag=True, help="Leave out systems far from the rest at system level, as WMT20 did."),
)  # fmt: skip


def part_options(command: Command) -> Command:
    """Add the options that say which parts of a test set are looked at."""
    click.option("--where", multiple=True, metavar="LIST", help="Only segments that fulfil all conditions: --where 'domain=news,length>20' (= != < <= > >=, ~ contains). `length` counts the words of the reference, or the characters of scripts without spaces.")(command)  # fmt: skip
    return click.option("--by", metavar="COLUMN", help="A row per value of a column, their mean (macro) and all segments (micro).")(command)  # fmt: skip


def view_options(command: Command) -> Command:
    """Add the options that say what is asked of statistics; the command gets them as one `view`."""
    return _gather(command, _VIEW, "view", dict)


def resource_options(command: Command) -> Command:
    """Add the options that name resources; the command gets them as one `resources`."""

    def gather(**given: Any) -> Any:
        from tertium.catalog import ResourceChoice

        return ResourceChoice(**given)

    return _gather(command, _RESOURCES, "resources", gather)


def other_resource_options(command: Command) -> Command:
    """Add the same options where a run may say them: `resources` is None if nothing is named."""

    def gather(**given: Any) -> Any:
        from tertium.catalog import ResourceChoice

        named = ResourceChoice(**given)
        return named if named.language or named.named else None

    return _gather(command, _RESOURCES, "resources", gather)


def scored_options(command: Command) -> Command:
    """Add the options of `ScoredRequest`, but for its inputs; the command gets them as one `scored`."""

    @wraps(command)
    def joined(scored: dict[str, Any], resources: Any, **given: Any) -> Any:
        return command(scored={**scored, "resources": resources}, **given)

    def gather(metrics: tuple[str, ...], **given: Any) -> Any:
        return {"metrics": metrics or None, **given}

    return _gather(other_resource_options(joined), _SCORED, "scored", gather)  # type: ignore[return-value]


def engine_options(command: Command) -> Command:
    """Add the options that say how large corpora are gone through; the command gets them as one `streaming`."""

    def gather(
        engine: Any, workers: int | None, scheduler: str | None, resume: str | None, batch_size: int | None
    ) -> Any:
        from tertium.api.streamed import StreamOptions
        from tertium.engines.engine import EngineChoice

        choice = EngineChoice(name=engine, workers=workers, scheduler=scheduler)
        return StreamOptions(engine=choice, resume=resume, batch_size=batch_size)

    return _gather(command, _ENGINE, "streaming", gather)


def engine_choice_options(command: Command) -> Command:
    """Add the options that say where language pairs or trials are computed; the command gets them as one `engine`."""

    def gather(engine: Any, workers: int | None, scheduler: str | None) -> Any:
        from tertium.engines.engine import EngineChoice

        return EngineChoice(name=engine, workers=workers, scheduler=scheduler)

    return _gather(command, _ENGINE[:3], "engine", gather)


def judged_data_options(command: Command) -> Command:
    """Add the options that say where outputs, references and judgments are, as one `data`."""
    return _gather(command, (*_TEXTS, *_HUMAN), "data", _make_judged_data)


def human_options(command: Command) -> Command:
    """Add the options that say what people thought of outputs that are given elsewhere, as one `human`."""
    return _gather(command, _HUMAN, "human", _make_judged_data)


_TEXT_NAMES = ("folder", "references", "hypotheses", "columns")


def _make_judged_data(human: Sequence[str], pairs: Sequence[str], **options: Any) -> Any:
    from tertium.metaeval import HumanOptions
    from tertium.metaeval.data import JudgedData

    files = {name: options.pop(name) for name in _TEXT_NAMES if name in options}
    listed = tuple(pair for text in pairs for pair in text.split(",") if pair)
    return JudgedData(human=tuple(human), pairs=listed, options=HumanOptions(**options), **files)


def _gather(
    command: Command, parameters: Sequence[Callable[[Any], Any]], name: str, make: Callable[..., Any]
) -> Command:
    """Add parameters that reach the command as one object, made when the command runs."""

    @wraps(command)
    def gathered(**given: Any) -> Any:
        own = {key: given.pop(key) for key in names}
        return command(**given, **{name: make(**own)})

    before = len(getattr(gathered, "__click_params__", []))
    for parameter in reversed(parameters):
        parameter(gathered)
    names = [each.name for each in gathered.__click_params__[before:]]  # type: ignore[attr-defined]
    return gathered  # type: ignore[return-value]
