"""What a difference is worth to people, beside scores and as lines below them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.report.score_table import ScoreTable

if TYPE_CHECKING:  # a single system has no difference, and should not wait for what tells of it
    from tertium.agreement.calibration import Calibration, Promise

__all__ = ["spell_collections", "spell_promises", "with_promises"]


def with_promises(table: ScoreTable, calibration: "Calibration", language: str | None) -> ScoreTable:
    """Add to each pair of systems what its difference is worth, where that is known."""
    columns = []
    for column in table.columns:
        metric = calibration.find(column.signature)
        factor = 100 / table.scale if column.metric.bounded else 1.0
        pairs = [
            replace(
                each, people=None if metric is None else metric.promise(each.difference * factor, language)
            )
            for each in column.pairs
        ]
        columns.append(replace(column, pairs=tuple(pairs)))
    return replace(table, columns=tuple(columns), is_calibrated=True)


def spell_promises(table: ScoreTable) -> list[str]:
    """Say in a line or two how often people agree with the difference of the two best systems."""
    told: dict[tuple[str, str, str], list[str]] = {}
    unknown = []
    for column in table.columns if table.is_calibrated else ():
        pair = next(iter(column.pairs), None)
        if pair is None or pair.difference == 0:
            continue
        if pair.people is None:
            unknown.append(column.label)
            continue
        shown = f"{pair.difference:+.2f}" if column.shown_scale == 100 else f"{pair.difference:+.4f}"
        words = f"{shown} {column.label} in {_spell(pair.people)}"
        told.setdefault((pair.better, pair.worse, spell_collections(pair.people.collections)), []).append(
            words
        )
    lines = [
        f"{better} over {worse}: people preferred the same system at {'; '.join(words)} ({seen})"
        for (better, worse, seen), words in told.items()
    ]
    if unknown:
        lines.append(
            f"what people make of differences was not measured for {', '.join(unknown)} as computed here"
        )
    return lines


def _spell(promise: "Promise") -> str:
    span = f"{promise.agreement:.0%} [{promise.low:.0%}-{promise.high:.0%}]"
    if promise.is_beyond:
        return f"about {span} of pairs, none of which differed as much"
    return f"{span} of {promise.n_pairs:,} such pairs"


def spell_collections(names: Sequence[str]) -> str:
    """Write test sets' names for people.

    >>> spell_collections(["wmt10", "wmt12", "wmt15"])
    'WMT10, 12, 15'
    >>> spell_collections(["news", "talks"])
    'news, talks'
    """
    if names and all(name.startswith("wmt") for name in names):
        return "WMT" + ", ".join(name.removeprefix("wmt") for name in names)
    return ", ".join(names)
