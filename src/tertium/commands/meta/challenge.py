"""Challenge sets: good and bad translations in, the accuracy of metrics by phenomenon out."""

from dataclasses import KW_ONLY, replace
from typing import Annotated

from tertium.catalog import LabelledMetric, MetricMaker, match_texts, split_labels
from tertium.commands.base.options import METRICS, ResourceOptions, ThreadOptions
from tertium.commands.base.request import Opt, Request, Strings, function_of
from tertium.commands.base.results import Result
from tertium.commands.meta.challenge_tables import describe_challenge
from tertium.corpus.challenge_sets import ChallengeSet, read_challenge_set
from tertium.errors import InputError, OptionError, argument
from tertium.metaeval.challenge import ChallengeCell, compare_translations, score_challenge_set
from tertium.presentation.tables.model import Document
from tertium.records import record
from tertium.stats.analysis import DEFAULT_ALPHA, MIN_ALPHA


@record
class ChallengeRequest(ResourceOptions, ThreadOptions, Request["ChallengeResult"]):
    """Measure how often metrics prefer a good translation to a bad one, by phenomenon.

    The file is ACES's TSV or JSONL, or any table with the columns good and bad, and optionally phenomenon, reference, source
    and lp. Columns METRIC-good and METRIC-bad are scores of further metrics.
    """

    file: Annotated[str, Opt("The challenge set.", "Input", is_argument=True, metavar="FILE")]
    metrics: Annotated[
        Strings,
        replace(
            METRICS,
            help="Metrics to compute.",
            default="chrf, unless the file has scores",
        ),
    ] = ()
    _: KW_ONLY
    lower: Annotated[
        Strings,
        Opt("Metrics whose scores are in the file and where lower is better.", "Metrics", metavar="NAME"),
    ] = ()
    alpha: Annotated[
        float,
        Opt(
            "Confidence intervals have level 1 − alpha.",
            "Analysis",
            metavar="LEVEL",
            least=MIN_ALPHA,
            below=1,
        ),
    ] = DEFAULT_ALPHA

    def run(self) -> "ChallengeResult":
        examples = read_challenge_set(self.file)
        for name in self.lower:
            if name not in examples.scores:
                known = ", ".join(examples.scores) or "none"
                raise OptionError(f"{argument('lower', name)}: the file has scores of {known}")
        metrics, warnings = self._build_metrics(examples)
        scores, more = score_challenge_set(
            examples, metrics, lower_is_better=tuple(self.lower), threads=self.threads
        )
        cells = compare_translations(examples, scores, level=1 - self.alpha)
        warnings += more
        if not cells:
            raise InputError("; ".join(warnings) or f"{self.file}: no metric has scores")
        return ChallengeResult(self, tuple(cells), tuple(warnings))

    def _build_metrics(self, examples: ChallengeSet) -> tuple[dict[str, list[LabelledMetric]], list[str]]:
        """Build the metrics of each language pair; a metric without resources for a language is left out there."""
        labels = split_labels(tuple(self.metrics) or (() if examples.scores else ("chrf",)))
        found, warnings = MetricMaker(self.resources).make_by_pair(labels, examples.pairs)
        return {
            pair: [self._fit(metric, examples) for metric in metrics] for pair, metrics in found.items()
        }, warnings

    def _fit(self, metric: LabelledMetric, examples: ChallengeSet) -> LabelledMetric:
        try:
            (fitted,) = match_texts([metric], examples.texts)
        except OptionError:
            missing = " and ".join(
                sorted(kind.removesuffix("s") for kind in metric.metric.reads - examples.texts)
            )
            raise InputError(f"{self.file} has no column {missing}, which {metric.label} reads") from None
        return fitted


@record
class ChallengeResult(Result):
    """The accuracy of each metric on each phenomenon."""

    request: ChallengeRequest
    cells: tuple[ChallengeCell, ...]
    warnings: tuple[str, ...] = ()

    def document(self) -> Document:
        return describe_challenge(self.cells, level=1 - self.request.alpha)


challenge = function_of("challenge", ChallengeRequest)
