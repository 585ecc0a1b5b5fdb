"""Meta-evaluation: judged outputs and metrics in, tables of agreement with people out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tertium.api.parallel import score_sets_on
from tertium.api.results import Progress, Shown
from tertium.catalog import LabelledMetric, MetricMaker, ResourceChoice, split_labels
from tertium.corpus import expand_paths
from tertium.corpus.judgments.mtme import find_metric_scores, is_mtme_folder
from tertium.corpus.judgments.score_files import ScoreFile, read_score_file
from tertium.corpus.test_sets import find_judged_folder
from tertium.engines.engine import EngineChoice, open_engine
from tertium.errors import InputError, OptionError
from tertium.files.paths import exists
from tertium.metaeval.calibration import Calibration, read_calibration, render_calibration
from tertium.metaeval.calibration_fitting import calibrate, pool_calibrations
from tertium.metaeval.ceiling import find_ceilings
from tertium.metaeval.data import JudgedData, render_score_files
from tertium.metaeval.judged_sets import JudgedSet, part_sets
from tertium.metaeval.scoring import (
    MetricScores,
    SystemScore,
    score_each_set,
    scores_from_files,
    with_system_scores,
)
from tertium.metaeval.statistics import StatisticSpec, parse_statistics, usual_statistics
from tertium.metaeval.tables import (
    MetaTable,
    TestOptions,
    check_test,
    make_meta_table,
    sort_table,
    with_ceilings,
)
from tertium.metrics.inputs import read_names
from tertium.report.charts.model import Chart
from tertium.report.metaeval import describe_agreement, describe_calibration, draw_agreement
from tertium.report.tables.model import Document

__all__ = ["CalibrationResult", "MetaRequest", "MetaResult", "meta"]


@dataclass(frozen=True, kw_only=True)
class MetaRequest:
    """Everything that `tertium meta` can be told.

    Attributes
    ----------
    metrics
        To be computed; BLEU if there are no score files either.
    scores
        Files of metric scores, in any layout of WMT or mt-metrics-eval.
    lower
        Metrics of these files for which lower is better.
    statistics
        LEVEL:NAME[:GROUPING], a table each; by default what the judgments allow.
    system_score
        A metric's system score: its own, the mean of its segment scores, or that weighted by length.
    by
        A column of segments, such as `document`: each of its values stands in the tables as language pairs do.
    ceiling
        Whether tables end with how well half of the raters agrees with the other half.
    sort
        Whether metrics stand in the order of their average, best first.
    """

    data: JudgedData
    metrics: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    statistics: tuple[str, ...] = ()
    test: TestOptions = field(default_factory=TestOptions)
    system_score: SystemScore = "own"
    resources: ResourceChoice = field(default_factory=ResourceChoice)
    absolute: bool = False
    by: str | None = None
    ceiling: bool = False
    sort: bool = False
    threads: int | None = None
    engine: EngineChoice = EngineChoice()

    def __post_init__(self) -> None:
        if self.by is not None and self.ceiling:
            raise OptionError("give either --by or --ceiling, not both")
        for spec in parse_statistics(self.statistics):
            check_test(self.test.method, spec)

    def run(self, progress: Progress | None = None) -> "MetaResult":
        """Score everything and compare it with what people said."""
        self._refuse_what_needs_texts()
        files, sets, notes = self._read()
        scored, failures = self._score(sets, files, progress)
        statistics = parse_statistics(self.statistics) or usual_statistics(sets)
        tables = [make_meta_table(spec, sets, scored, self.test) for spec in statistics]
        if self.ceiling:
            ceilings = self._find_ceilings(statistics)
            tables = [with_ceilings(table, ceilings) for table in tables]
        if self.sort:
            tables = [sort_table(table) for table in tables]
        return MetaResult(self, tuple(sets), tuple(scored), tuple(tables), tuple(notes), tuple(failures))

    def read_sets(self) -> tuple[list[JudgedSet], list[list[LabelledMetric]]]:
        """Read the judged sets, and build each set's metrics, as `run` does."""
        return (sets := self._read()[1]), self._build_metrics(sets)[0]

    def _read(self) -> tuple[list[ScoreFile], list[JudgedSet], list[str]]:
        files = [read_score_file(path) for path in self._score_paths()]
        _check_lower(self.lower, {name for file in files for name in file.metrics})
        sets, notes = self.data.read(scores=files)
        return files, sets if self.by is None else part_sets(sets, self.by, self.data.options), notes

    def _find_ceilings(self, statistics: Sequence[StatisticSpec]) -> Mapping[tuple[str, str], float]:
        corpora, judgments, _ = self.data.read_files()
        return find_ceilings(statistics, corpora, judgments, self.data.options, seed=self.test.seed)

    def _score_paths(self) -> list[str]:
        """List the files of scores; a name that is no file may be a metric in mt-metrics-eval's folder."""
        root = None if self.data.folder is None else find_judged_folder(self.data.folder)
        paths: list[str] = []
        for each in self.scores:
            may_be_name = root is not None and is_mtme_folder(root) and not exists(each)
            found = find_metric_scores(root, each, self.data.pairs) if root and may_be_name else []
            paths += found or expand_paths([each])
        return paths

    def _refuse_what_needs_texts(self) -> None:
        """Refuse options that need texts where there are only scores and judgments."""
        if not (self.data.lacks_texts and self.scores):
            return
        wishes = {
            "-m": bool(self.metrics),
            "--by": self.by is not None,
            "--ceiling": self.ceiling,
            "--by-length": self.data.options.by_length,
            "--system-score length": self.system_score == "length",
        }
        for wish, is_given in wishes.items():
            if is_given:
                raise OptionError(f"{wish} needs the texts: give a FOLDER, or -r and -i")

    def _score(
        self, sets: Sequence[JudgedSet], files: Sequence[ScoreFile], progress: Progress | None
    ) -> tuple[list[dict[str, MetricScores]], list[str]]:
        metrics, failures = self._build_metrics(sets)
        with open_engine(self.engine) as engine:
            if engine.is_remote:
                scored, more = score_sets_on(engine, self, len(sets), progress)
            else:
                scored, more = score_each_set(sets, metrics, threads=self.threads, progress=progress)
        scored = [
            by_label | scores_from_files(judged, files, lower_is_better=self.lower)
            for judged, by_label in zip(sets, scored, strict=True)
        ]
        failures += more
        if not any(scored):
            raise InputError("; ".join(failures) or "the score files have no score of these systems")
        return with_system_scores(sets, scored, self.system_score), failures

    def _build_metrics(self, sets: Sequence[JudgedSet]) -> tuple[list[list[LabelledMetric]], list[str]]:
        """Build each set's metrics; one that a set's language has no resource for is left out there."""
        maker, warnings = MetricMaker(self.resources), []
        metrics: dict[str, list[LabelledMetric]] = {judged.pair: [] for judged in sets}
        for label in split_labels(self.metrics or (() if self.scores else ("bleu",))):
            made, more = maker.make_for(label, list(metrics))
            warnings += more
            for metric, pairs in made:
                for pair in pairs:
                    metrics[pair].append(metric)
        return [metrics[judged.pair] for judged in sets], warnings


@dataclass(frozen=True, eq=False)
class MetaResult(Shown):
    """Tables of agreement, with the judged sets and the metrics' scores behind them."""

    request: MetaRequest
    sets: tuple[JudgedSet, ...]
    scored: tuple[Mapping[str, MetricScores], ...]
    tables: tuple[MetaTable, ...]
    notes: tuple[str, ...] = ()
    """What was left out of the data."""
    failures: tuple[str, ...] = ()
    """Metrics that are missing from the tables, and why."""

    def __repr__(self) -> str:
        pairs = ", ".join(judged.name or "all" for judged in self.sets)
        return f"<MetaResult: {len(self.tables)} tables of {pairs}>"

    @property
    def signatures(self) -> dict[str, str]:
        """Each metric's signature, or its signatures where language pairs differ."""
        found: dict[str, dict[str, list[str]]] = {}
        for judged, by_label in zip(self.sets, self.scored, strict=True):
            for label, scores in by_label.items():
                found.setdefault(label, {}).setdefault(scores.signature, []).append(judged.pair)
        named: dict[str, str] = {}
        for label, by_signature in found.items():
            for signature, pairs in by_signature.items():
                each_once = dict.fromkeys(pairs)  # a pair comes twice if texts of its own were judged besides
                named[f"{label} on {', '.join(each_once)}" if len(by_signature) > 1 else label] = signature
        return named

    def charts(self) -> Iterator[tuple[tuple[str, ...], Chart]]:
        """Draw each metric against people, and how all of them rank the systems, with the parts of a name each."""
        return draw_agreement(self.sets, self.scored, normalised=self.request.data.options.normalise_raters)

    def score_files(
        self, *, layout: str, test_set: str, spell: Callable[[str], str] = str
    ) -> Iterator[tuple[str, str]]:
        """Write each metric's scores in a layout of WMT: pairs of a file's name and its text.

        `spell` makes a metric's label fit for a file name.
        """
        return render_score_files(self.sets, self.scored, layout=layout, test_set=test_set, spell=spell)

    def calibrate(self, collection: str, *, pool: Sequence[str] = ()) -> "CalibrationResult":
        """Learn how often people agree with differences of every size, for `tertium score --calibration`.

        Parameters
        ----------
        collection
            The name of these judged sets, such as `wmt15`.
        pool
            Files that were made from other judged sets, whose pairs of systems are to be added.
        """
        tables = [calibrate(self.sets, self.scored, collection=collection)]
        tables += [read_calibration(path) for path in pool]
        return CalibrationResult(tables[0] if len(tables) == 1 else pool_calibrations(tables))

    def document(self) -> Document:
        return describe_agreement(self.tables, signatures=self.signatures, absolute=self.request.absolute)


@dataclass(frozen=True)
class CalibrationResult(Shown):
    """How often people agree with differences of every size, for each metric."""

    calibration: Calibration

    def to_file(self) -> str:
        """Write what `tertium score --calibration FILE` reads."""
        return render_calibration(self.calibration)

    def document(self) -> Document:
        return describe_calibration(self.calibration)


def meta(
    data: str | JudgedData,
    metrics: str | Sequence[str] = (),
    *,
    pairs: Sequence[str] = (),
    scores: Sequence[str] = (),
    lower: Sequence[str] = (),
    statistics: str | Sequence[str] = (),
    test: TestOptions | None = None,
    system_score: SystemScore = "own",
    by: str | None = None,
    ceiling: bool = False,
    sort: bool = False,
    resources: ResourceChoice | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> MetaResult:
    """Find out how well metrics agree with people; the options are those of `tertium meta`.

    Parameters
    ----------
    data
        A folder (LP/ref.txt, LP/systems/NAME.txt, tables of judgments), or `JudgedData` that names files.
    """
    request = MetaRequest(
        data=JudgedData(folder=data, pairs=tuple(pairs)) if isinstance(data, str) else data,
        metrics=read_names(metrics, "metrics"),
        scores=tuple(scores),
        lower=tuple(lower),
        statistics=read_names(statistics, "statistics"),
        test=test or TestOptions(),
        system_score=system_score,
        by=by,
        ceiling=ceiling,
        sort=sort,
        resources=resources or ResourceChoice(),
        threads=threads,
    )
    return request.run(progress)


def _check_lower(lower: Sequence[str], known: set[str]) -> None:
    there = f"there are {', '.join(sorted(known))}" if known else "it is for metrics of --scores"
    for name in lower:
        if name not in known:
            raise OptionError(f"--lower {name}: no file of --scores has this metric; {there}")
