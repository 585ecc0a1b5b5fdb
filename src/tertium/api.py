"""The library's front door: score systems from Python in one call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.catalog import parse_metrics
from tertium.engines import evaluate
from tertium.errors import InputError
from tertium.evaluation.comparison import Comparison, PairedTest, compare
from tertium.evaluation.statistics import Evaluation
from tertium.metrics.base import Orientation, group_references
from tertium.types import Corpus, Score

__all__ = ["Result", "score"]

DEFAULT_METRICS = ("bleu",)


@dataclass(frozen=True, eq=False)
class Result:
    """Scores by metric and system, and everything else that can be asked of them."""

    evaluation: Evaluation
    seed: int

    def __getitem__(self, label: str) -> dict[str, Score]:
        """Each system's score under the metric of this label."""
        metric = self.evaluation.metric(label)
        signature, totals = self.evaluation.signature(label), self.evaluation.totals(label)
        return {
            system: Score(label, float(metric.combine(totals[i])), signature, metric.details(totals[i]))
            for i, system in enumerate(self.evaluation.systems)
        }

    def segments(self, label: str) -> dict[str, list[float]]:
        """Each system's segment scores under the metric of this label."""
        rows = self.evaluation.segment_scores(label).tolist()
        return dict(zip(self.evaluation.systems, rows, strict=True))

    def compare(
        self, test: PairedTest = "bootstrap", *, n_samples: int | None = None, baseline: str | None = None
    ) -> Comparison:
        """Compute intervals, paired tests and clusters."""
        return compare(self.evaluation, test=test, n_samples=n_samples, seed=self.seed, baseline=baseline)


def score(
    hypotheses: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[str] | Sequence[Sequence[str | None]],
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    *,
    orientation: Orientation | None = None,
    threads: int | None = None,
    seed: int = 12345,
) -> Result:
    """Score one system or several.

    Parameters
    ----------
    hypotheses
        One system's output, or several by name.
    references
        One reference per segment as a plain list; or a list of reference streams, or of references
        per segment: then `orientation` says which, unless the shape leaves no doubt.
    metrics
        As the command line writes them: `"bleu,chrf:beta=3"`, or a list of such.
    threads
        How many to use; every core by default. The scores do not depend on it.

    Examples
    --------
    >>> result = score({"a": ["the cat sat"], "b": ["a cat sat"]}, ["the cat sat"], "wer")
    >>> {system: round(score.value, 1) for system, score in result["wer"].items()}
    {'a': 0.0, 'b': 33.3}
    """
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"system": hypotheses}
    if not systems:
        raise InputError("no system to score: the mapping of hypotheses is empty")
    first = next(iter(systems.values()))
    corpus = Corpus(_groups(first, references, orientation), systems)
    chosen = parse_metrics([metrics] if isinstance(metrics, str) else metrics)
    return Result(evaluate(corpus, chosen, threads=threads), seed)


def _groups(
    hypotheses: Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str | None]],
    orientation: Orientation | None,
) -> list[list[str]]:
    texts = [item for item in references if isinstance(item, str)]
    if texts and len(texts) == len(references):
        return group_references(hypotheses, [texts], "streams")
    lists = [item for item in references if not isinstance(item, str)]
    if len(lists) != len(references):
        raise InputError("references must be all strings or all lists of strings, not a mixture")
    return group_references(hypotheses, lists, orientation)
