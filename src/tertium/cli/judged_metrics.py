"""Metrics for judged data: built once for each target language, as the language pairs or `-l` say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tertium.cli.judged_input import tell_failures
from tertium.cli.resources import given_language, in_language, named_resources
from tertium.errors import InputError, MissingExtraError, ResourceError, TertiumError

if TYPE_CHECKING:
    from tertium.catalog import LabelledMetric
    from tertium.meta import JudgedSet
    from tertium.metrics.base import Metric
    from tertium.tuning.space import Point

__all__ = ["Build", "MetricMaker", "TunedMetric"]

Build = Callable[["Point"], "Metric"]


class MetricMaker:
    """Builds metrics for any target language; resources are loaded once for all of them."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._language = given_language(given)
        self._has_own_vectors = bool(given["vectors"])
        self._resources = named_resources(given)

    def make(self, label: str) -> "LabelledMetric":
        """Build a metric for the language that `-l` names, or for none."""
        return self._make(label, self._language)

    def make_for(
        self, label: str, pairs: Sequence[str]
    ) -> "tuple[list[tuple[LabelledMetric, list[str]]], list[str]]":
        """Build a metric for several language pairs: each language's, with its pairs, and warnings.

        For a language that it does not know, or lacks a resource for, it is left out.
        """
        groups: dict[str | None, list[str]] = {}
        for pair in dict.fromkeys(pairs):
            groups.setdefault(self._language_of(pair), []).append(pair)
        made, warnings = [], []
        for language, group in groups.items():
            where = f" for {', '.join(group)}" if len(groups) > 1 else ""
            try:
                made.append((self._make(label, language), group))
            except TertiumError as error:
                self._refuse_mistake(label, error)
                warnings.append(f"{label} is left out{where}: {error}")
            else:
                warnings += self._doubts(made[-1][0], language)
        return made, warnings

    def _language_of(self, pair: str) -> str | None:
        from tertium.text.languages import language_of_pair

        return self._language or language_of_pair(pair)

    def _make(self, label: str, language: str | None) -> "LabelledMetric":
        from tertium.catalog import parse_metrics
        from tertium.text.languages import language_options

        (metric,) = parse_metrics(
            [label], defaults=language_options(language), providers=in_language(self._resources, language)
        )
        return metric

    def _refuse_mistake(self, label: str, error: TertiumError) -> None:
        """Raise again what the user got wrong; what a language lacks is not the user's mistake."""
        if isinstance(error, (ResourceError, MissingExtraError)):
            return
        if self._language:
            raise error
        self._make(label, None)

    def _doubts(self, made: "LabelledMetric", language: str | None) -> list[str]:
        if language in (None, "en") or self._has_own_vectors or not hasattr(made.metric, "vectors"):
            return []
        return [f"{made.label} reads {language} with English vectors; --vectors FILE names others"]


@dataclass(frozen=True, eq=False)
class TunedMetric:
    """A metric whose options are tried: what the user fixed, and how to build it with others."""

    maker: MetricMaker
    label: str
    metric: "Metric"
    fixed: dict[str, Any]

    @classmethod
    def read(cls, given: dict[str, Any]) -> "TunedMetric":
        """Build what the arguments name, or say what is wrong with it."""
        from tertium.catalog import parse_label

        maker, label = MetricMaker(given), given["metric"]
        return cls(maker, label, maker.make(label).metric, dict(parse_label(label).options))

    def choose(self, sets: "Sequence[JudgedSet]") -> "tuple[list[JudgedSet], dict[str, Build]]":
        """Keep the sets that it can score, with how to build it for their language pairs; tell of the others."""
        made, warnings = self.maker.make_for(self.label, [judged.pair for judged in sets])
        builds: dict[str, Build] = {}
        for labelled, pairs in made:
            builds |= dict.fromkeys(pairs, partial(_change, labelled.metric))
        if not builds:
            raise InputError("; ".join(warnings))
        tell_failures(warnings)
        return [judged for judged in sets if judged.pair in builds], builds


def _change(metric: "Metric", point: "Point") -> "Metric":
    return replace(metric, **point)
