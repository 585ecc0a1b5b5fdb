"""What there is: metrics with their options, and languages with what works for them."""

from dataclasses import dataclass

from tertium.api.results import Shown
from tertium.catalog import families, find_metric
from tertium.catalog.finding import canonical_name
from tertium.errors import ResourceError, UnknownNameError
from tertium.metrics.base import Metric
from tertium.report.metrics import Knowledge, describe_metric, describe_metrics
from tertium.report.tables.model import Document, describe_listing
from tertium.resources.coverage import LanguageReport, LanguageResource, describe_languages
from tertium.resources.presets import measurements, named_presets
from tertium.text.languages import target_language

__all__ = ["LanguageList", "MetricList", "list_languages", "list_metrics"]


@dataclass(frozen=True)
class MetricList(Shown):
    """Classes of metrics with their families; `is_single` if the user asked for one of them."""

    metrics: tuple[tuple[type[Metric], str], ...]
    is_single: bool = False
    failures: tuple[str, ...] = ()
    """Plug-ins that could not be imported."""

    def document(self) -> Document:
        knowledge = Knowledge(tuple(named_presets().values()), measurements())
        if self.is_single:
            return describe_metric(*self.metrics[0], knowledge)
        return describe_metrics(self.metrics, knowledge)


def list_metrics(name: str | None = None) -> MetricList:
    """Describe all metrics, or one of them."""
    if name:
        name = canonical_name(name)
        return MetricList(((find_metric(name), families()[name]),), is_single=True)
    found, failures = [], []
    for each, family in families().items():
        try:
            found.append((find_metric(each), family))
        except ResourceError as error:  # a plug-in that does not import must not hide the others
            failures.append(str(error))
    return MetricList(tuple(found), failures=tuple(failures))


@dataclass(frozen=True)
class LanguageList(Shown):
    """What works for which language here and now, and what to install for the rest."""

    languages: tuple[LanguageReport, ...]

    def document(self) -> Document:
        rows = [
            {
                "code": each.code,
                "name": each.name,
                **{family: _spell(part) for family, part in each.families.items()},
            }
            for each in self.languages
        ]
        notes = [
            "lexical: the tokenizer; embedding: the default vectors; meteor: its modules; syntax: the parser"
        ]
        if len(self.languages) == 1:
            notes = [
                f"{family}: {part.remedy}"
                for family, part in self.languages[0].families.items()
                if part.remedy
            ]
        return describe_listing("languages", rows, notes=notes)


def list_languages(language: str | None = None) -> LanguageList:
    """Describe what works for all languages, or for one and what would help it."""
    found = describe_languages()
    if language is None:
        return LanguageList(tuple(found))
    code = target_language(language)
    chosen = [each for each in found if each.code == code]
    if not chosen:
        raise UnknownNameError(
            f"unknown language {language!r}; 'tertium languages' lists those that are known"
        )
    return LanguageList(tuple(chosen))


def _spell(part: LanguageResource) -> str:
    return part.value or "–"
