"""`tertium.score_sets`: many test sets in, one table per metric out."""

from collections.abc import Iterator
from dataclasses import KW_ONLY
from functools import cached_property
from os import fspath
from pathlib import Path
from typing import Annotated, Any

from tertium.api.command import FilePath, Opt, Request, Strings, function_of
from tertium.api.options import EngineOptions, MetricOptions, ResamplingOptions, ResourceOptions
from tertium.api.results import Result
from tertium.api.score import DEFAULT_METRICS, METRICS, ScoreRequest, ScoreResult
from tertium.corpus import CorpusFiles
from tertium.corpus.suites import SuiteMember, list_members
from tertium.errors import InputError, OptionError, argument
from tertium.evaluation.many_sets import ManySets, ScoredSet
from tertium.progress import report_progress
from tertium.records import record
from tertium.reporting.many_sets import describe_sets
from tertium.reporting.tables.model import Document
from tertium.stats.analysis import Analysis


@record
class ScoreSetsRequest(
    ResamplingOptions, MetricOptions, ResourceOptions, EngineOptions, Request["ScoreSetsResult"]
):
    """Score all systems on many test sets: one table per metric, with averages and a test over all test sets.

    The tokenizer and the resources of language-dependent metrics are chosen for each language pair.
    """

    place: Annotated[
        FilePath | None,
        Opt(
            "A folder with a test set per language pair (LP/ref.txt and LP/systems/*.txt, mt-metrics-eval's or WMT's"
            " layout), or a manifest (.toml, .tsv).",
            "Input",
            is_argument=True,
            metavar="FOLDER",
            access="read",
        ),
    ] = None
    metrics: Annotated[Strings, METRICS] = DEFAULT_METRICS
    _: KW_ONLY
    test_sets: Annotated[
        Strings,
        Opt(
            "Test sets on this machine ('tertium data' lists them), all of their language pairs unless some are named.",
            "Input",
            flags=("-t", "--test-set"),
            metavar="SET",
            completes="test sets",
        ),
    ] = ()
    hypotheses: Annotated[
        Strings,
        Opt(
            "Patterns of the systems' outputs for these test sets: 'outputs/{system}/{set}.{pair}.txt'.",
            "Input",
            flags=("-i", "--hyp"),
            metavar="PATTERN",
        ),
    ] = ()
    language: Annotated[
        str | None,
        Opt(
            "Only these language pairs, separated by commas: en-de,en-fr.",
            "Input",
            flags=("-l", "--language"),
            metavar="PAIRS",
            completes="languages",
        ),
    ] = None
    autorank: Annotated[
        bool,
        Opt(
            "Also show WMT's AutoRank over all metrics and test sets, from 1 for the best system.", "Analysis"
        ),
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.place is None and not self.test_sets:
            raise OptionError(f"give a folder, a manifest, or test sets with {argument('test_sets', 'SET')}")
        if self.hypotheses and not self.test_sets:
            raise OptionError(f"{argument('hypotheses')} requires {argument('test_sets', 'SET')}")

    @property
    def analysis(self) -> Analysis:
        return Analysis.of(test=None, n_samples=self.samples, seed=self.seed, alpha=self.alpha)

    def run(self) -> "ScoreSetsResult":
        place = None if self.place is None else fspath(self.place)
        pairs = [each.strip() for each in (self.language or "").split(",") if each.strip()]
        members = list_members(place, tuple(self.test_sets), tuple(self.hypotheses), pairs)
        return ScoreSetsResult(self, dict(self._score(members)))

    def _score(self, members: list[SuiteMember]) -> Iterator[tuple[str, ScoreResult]]:
        for number, member in enumerate(members):
            report_progress("test sets", number, len(members))
            try:
                result = self._request(member).run()
                _ = result.comparison
            except InputError as error:
                raise InputError(f"{member.name}: {error}") from error
            yield member.name, result
        report_progress("test sets", len(members), len(members))

    def _request(self, member: SuiteMember) -> ScoreRequest:
        files = CorpusFiles(
            references=member.references,
            hypotheses=tuple(f"{name}={path}" for name, path in member.systems.items()),
            source=member.source,
        )
        shared: dict[str, Any] = {
            name: getattr(self, name)
            for name in (
                "samples", "alpha", "seed", "tokenizer", "lowercase", "vectors", "parser", "trees", "paraphrases",
                "synonyms", "function_words", "threads", "engine", "workers", "scheduler",
            )
        }  # fmt: skip
        return ScoreRequest(
            files, metrics=self.metrics, language=member.language, ci=True, tests_pairs=True, **shared
        )


@record(eq=False)
class ScoreSetsResult(Result):
    """The results by test set, and their summary."""

    request: ScoreSetsRequest
    results: dict[str, ScoreResult]

    @cached_property
    def summary(self) -> ManySets:
        """Averages, ranks and tests over all test sets."""
        sets = [
            ScoredSet(name, result.evaluation, result.comparison)
            for name, result in self.results.items()
            if result.comparison is not None
        ]
        return ManySets(sets, self.request.analysis.alpha, self.request.analysis.seed)

    @cached_property
    def warnings(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(f"{name}: {line}" for name, each in self.results.items() for line in each.warnings)

    def document(self) -> Document:
        return describe_sets(self.summary, self.request.analysis, autorank=self.request.autorank)

    def save(self, folder: FilePath) -> None:
        """Save every test set as a run in a folder."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name, result in self.results.items():
            result.save(target / f"{name.replace('/', '_').replace(' ', '.')}.run")


score_sets = function_of("score_sets", ScoreSetsRequest)
