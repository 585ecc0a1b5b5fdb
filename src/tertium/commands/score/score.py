"""`tertium.score` and `tertium.score_sets`: one test set or many in, scores with intervals and tests out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from tertium.commands.base.options import (
    BATCH_SIZE,
    LANGUAGE,
    METRICS,
    RESAMPLE,
    RESUME,
    EngineOptions,
    MetricOptions,
    ResamplingOptions,
    ResourceOptions,
    WhereOption,
)
from tertium.commands.base.request import FilePath, Request, Strings, function_of
from tertium.commands.base.scores import ScoreSetsResult
from tertium.commands.base.scoring import DEFAULT_METRICS, ScoreRequest, ScoreResult
from tertium.commands.base.text_options import HYPOTHESES, TEST_SET, InputFormatOptions
from tertium.corpus import CorpusFiles
from tertium.corpus.test_sets import SuiteMember, list_members
from tertium.declarations import Opt, check_list, options_of
from tertium.engines.engine import share_cluster
from tertium.errors import MissingExtraError, OptionError, TertiumError, argument
from tertium.files.paths import NamedPath
from tertium.progress import report_progress
from tertium.records import record
from tertium.stats.analysis import Analysis


@record
class ScoreSetsRequest(
    WhereOption,
    ResamplingOptions,
    MetricOptions,
    ResourceOptions,
    EngineOptions,
    InputFormatOptions,
    Request["ScoreSetsResult"],
):
    """Score all systems on many test sets: one table per metric, with averages and a test over all test sets.

    The tokenizer and the resources of language-dependent metrics are chosen for each language pair.
    """

    places: Annotated[
        FilePath | Sequence[FilePath],
        Opt(
            "Folders with a test set per language pair (LP/ref.txt and LP/systems/NAME.txt, mt-metrics-eval's or WMT's"
            " layout), and manifests (.toml, .tsv).",
            "Input",
            is_argument=True,
            metavar="[FOLDER]...",
            is_many=True,
            access="read",
        ),
    ] = ()
    metrics: Annotated[Strings, METRICS] = DEFAULT_METRICS
    _: KW_ONLY
    test_set: Annotated[
        Strings,
        replace(
            TEST_SET,
            help="Test sets on this machine ('tertium data' lists them), all of their language pairs unless some are named.",
            excludes=(),
        ),
    ] = ()
    hypotheses: Annotated[
        Strings,
        replace(
            HYPOTHESES,
            help="Patterns of the systems' outputs for these test sets: 'outputs/{system}/{set}.{pair}.txt'.",
            metavar="PATTERN",
        ),
    ] = ()
    language: Annotated[
        str | None,
        replace(
            LANGUAGE,
            help="Only these language pairs, separated by commas: en-de,en-fr.",
            group="Input",
            metavar="PAIRS",
            default=None,
            is_recorded=False,
        ),
    ] = None
    autorank: Annotated[
        bool,
        Opt(
            "Also show WMT's AutoRank over all metrics and test sets, from 1 for the best system.", "Analysis"
        ),
    ] = False
    resample: Annotated[str | None, RESAMPLE] = None
    resume: Annotated[FilePath | None, RESUME] = None
    batch_size: Annotated[int | None, BATCH_SIZE] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self._places and not self.test_set:
            raise OptionError(f"give a folder, a manifest, or test sets with {argument('test_set', 'SET')}")
        if self.hypotheses and not self.test_set:
            raise OptionError(f"{argument('hypotheses')} requires {argument('test_set', 'SET')}")

    @property
    def _places(self) -> tuple[str, ...]:
        return check_list(self.places, "places")

    @property
    def analysis(self) -> Analysis:
        return Analysis.of(test=None, n_samples=self.samples, seed=self.seed, alpha=self.alpha)

    @cached_property
    def members(self) -> list[SuiteMember]:
        """The test sets with their files."""
        pairs = [pair.strip() for pair in (self.language or "").split(",") if pair.strip()]
        return list_members(self._places, tuple(self.test_set), tuple(self.hypotheses), pairs)

    def run(self) -> ScoreSetsResult:
        results = dict(self.score())
        return ScoreSetsResult(results, self.analysis, autorank=self.autorank, inputs=tuple(self.input_paths))

    def score(self, whole: Mapping[str, str] | None = None) -> Iterator[tuple[str, ScoreResult]]:
        """Score the test sets one after the other, and return each with its name.

        Parameters
        ----------
        whole
            Options of the caller that need all texts in memory, each with more advice for the error message.
        """
        with share_cluster(self.engine_choice) as choice:
            cluster = {"workers": choice.workers, "scheduler": choice.scheduler}
            self._check_metrics(cluster)
            for number, member in enumerate(self.members):
                report_progress("test sets", number, len(self.members))
                try:
                    result = self._request(member, cluster).run(whole=whole)
                    _ = result.comparison
                except TertiumError as error:
                    raise error.at(member.name) from error
                yield member.name, result
            report_progress("test sets", len(self.members), len(self.members))

    def _check_metrics(self, cluster: Mapping[str, Any]) -> None:
        """Raise if a metric lacks a package for the language of a test set, before any test set is scored."""
        groups = dict[str | None, list[SuiteMember]]()
        for member in self.members:
            groups.setdefault(member.language, []).append(member)
        errors = dict[str | None, MissingExtraError]()
        for language, members in groups.items():
            try:
                self._request(members[0], cluster).make_metrics()
            except MissingExtraError as error:
                errors[language] = error.at(", ".join(member.name for member in members))
            except TertiumError as error:
                raise error.at(members[0].name) from error
        if errors:
            others = [group for group in groups if group is not None and group not in errors]
            remedy = f"; {argument('language', ','.join(others))} scores the others" if others else ""
            raise MissingExtraError("; ".join(map(str, errors.values())) + remedy)

    def _request(self, member: SuiteMember, cluster: Mapping[str, Any]) -> ScoreRequest:
        is_streamed = self.engine != "local" or self.resume is not None or self.batch_size is not None
        files = CorpusFiles(
            references=member.references,
            hypotheses=tuple(NamedPath(name, path) for name, path in member.systems.items()),
            source=member.source,
            columns=None if is_streamed else member.columns,
        )
        own = {"hypotheses", "metrics", "language", "resume", "test_set"}
        known = {option.name for option in options_of(ScoreRequest)}
        shared: dict[str, Any] = {
            option.name: getattr(self, option.name)
            for option in options_of(ScoreSetsRequest)
            if option.name in known - own
        }
        return ScoreRequest(
            files,
            metrics=self.metrics,
            language=member.language,
            resume=None if self.resume is None else str(Path(self.resume) / _file_name(member.name)),
            ci=True,
            tests_pairs=True,
            **{**shared, **cluster},
        )


def _file_name(test_set: str) -> str:
    return test_set.replace("/", "_").replace(" ", ".")


score = function_of("score", ScoreRequest)
score_sets = function_of("score_sets", ScoreSetsRequest)
