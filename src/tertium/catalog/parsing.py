"""Metrics as the command line writes them: by name and options, or by signature."""

from collections.abc import Mapping, Sequence
from typing import Any

from tertium.catalog.building import LabelledMetric, Providers, build_metric, preset_providers
from tertium.catalog.labels import parse_label, split_labels
from tertium.catalog.signatures import is_signature, parse_signature
from tertium.errors import OptionError

__all__ = ["parse_metrics", "refuse_repeated"]


def parse_metrics(
    texts: Sequence[str],
    *,
    defaults: Mapping[str, Any] | None = None,
    providers: Providers | None = None,
    fallbacks: Providers | None = None,
) -> list[LabelledMetric]:
    """Build metrics as the command line writes them.

    `defaults` are option values for every metric that has such an option and was not given another value; a
    signature says all by itself. Resources come from `providers`, else from what a preset names, else from
    `fallbacks`.

    >>> [m.label for m in parse_metrics(["wer,bleu:smooth_method=floor,smooth_value=0.2,per"])]
    ['wer', 'bleu:smooth_method=floor,smooth_value=0.2', 'per']
    """
    made = [
        _parse_one(label, defaults or {}, providers or {}, fallbacks or {}) for label in split_labels(texts)
    ]
    refuse_repeated(made)
    return made


def refuse_repeated(metrics: Sequence[LabelledMetric]) -> None:
    """Raise if a metric is given by its name and again by its signature."""
    labels = [each.label for each in metrics]
    for label in labels:
        if labels.count(label) > 1:
            raise OptionError(f"metric {label!r} is given twice")


def _parse_one(
    label: str, defaults: Mapping[str, Any], providers: Providers, fallbacks: Providers
) -> LabelledMetric:
    if is_signature(label):
        return parse_signature(label, providers, fallbacks)
    named = parse_label(label, defaults)
    known = {**fallbacks, **preset_providers(named.resources), **providers}
    return LabelledMetric(label, build_metric(named.name, named.options, known), named.preset)
