"""Documents of a human evaluation: rankings, pairs of systems, raters, errors, and agreement of error spans."""

from collections.abc import Callable, Sequence
from itertools import combinations
from math import isnan
from typing import Any, NamedTuple, TypeVar

from tertium import __version__
from tertium.humaneval.errors import MarkedErrorRate, SpanAgreement
from tertium.humaneval.ranking import Ranking
from tertium.humaneval.raters import RaterFacts, RaterReport
from tertium.presentation.score_table import format_p
from tertium.presentation.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
    make_wide_table,
    select_fields,
)
from tertium.presentation.tables.model import Document, Mark, Note, Table
from tertium.records import record
from tertium.stats.letters import are_equal, format_rank_range
from tertium.verdicts import (
    ADJUSTED,
    ERROR_SIGNS,
    P_ADJUSTED,
    SHARED_LETTERS,
    describe_close,
    explain_interval,
    round_number,
)

SCHEMA_VERSION = 1

R = TypeVar("R")

METHODS = {
    "mean": "mean of the scores of segments",
    "z": "mean of z-scores, standardised for each rater",
    "model": "mixed model of system, segment and rater",
}
_TESTS = {
    "jackknife": "Student's t over {units} (jackknife)",
    "bootstrap": "paired bootstrap over {units}",
    "randomization": "approximate randomization over {units}",
}
_PERCENT_SPREAD = 5.0  # scores with a smaller standard deviation are not on a scale from 0 to 100


class RankedSystem(NamedTuple):
    """A system of a ranking."""

    ranking: Ranking
    system: int

    @property
    def interval(self) -> tuple[float, float]:
        intervals = self.ranking.comparison.intervals
        return float(intervals.low[self.system]), float(intervals.high[self.system])

    @property
    def ranks(self) -> tuple[int, int]:
        return self.ranking.comparison.ranks[self.system]

    @property
    def is_best(self) -> bool:
        """Whether the score is the best one; none is if all are equal."""
        scores = self.ranking.scores
        return not are_equal(scores) and bool(scores[self.system] == scores.max())

    @property
    def n_judgments(self) -> int:
        return int((self.ranking.campaign.system_of == self.system).sum())


def _digits(ranking: Ranking) -> int:
    return 1 if float(ranking.campaign.scores.std()) > _PERCENT_SPREAD else 3


def _write_score(row: RankedSystem) -> str:
    low, high = row.interval
    digits = 3 if row.ranking.method == "z" else _digits(row.ranking)
    return f"{row.ranking.scores[row.system]:.{digits}f} ±{(high - low) / 2:.{digits}f}"


def _write_z(mean: float) -> str:
    return "–" if isnan(mean) else f"{mean:.3f}"  # the scores of every rater are equal


RANKING_FIELDS: list[Field[RankedSystem]] = [
    Field("pair", get=lambda row: row.ranking.campaign.pair, outputs=RECORDS),
    Field("cluster", int, lambda row: int(row.ranking.clusters[row.system])),
    Field("ranks", text=lambda row: format_rank_range(row.ranks), get=lambda row: format_rank_range(row.ranks), outputs=TABLE),
    Field("system", get=lambda row: row.ranking.campaign.systems[row.system], is_key=True),
    Field(
        "score", float, lambda row: float(row.ranking.scores[row.system]), text=_write_score,
        marks=lambda row: [Mark.BEST] * row.is_best,
    ),
    Field("ci_low", float, lambda row: row.interval[0], outputs=RECORDS | JSON),
    Field("ci_high", float, lambda row: row.interval[1], outputs=RECORDS | JSON),
    Field("letters", get=lambda row: "" if row.ranking.untested else row.ranking.comparison.letters[row.system]),
    Field("rank_best", int, lambda row: row.ranks[0], outputs=RECORDS | JSON),
    Field("rank_worst", int, lambda row: row.ranks[1], outputs=RECORDS | JSON),
    Field(
        "mean", float, lambda row: float(row.ranking.means[row.system]),
        text=lambda row: f"{row.ranking.means[row.system]:.{_digits(row.ranking)}f}",
    ),
    Field(
        "z", float, lambda row: None if row.ranking.z_means is None else float(row.ranking.z_means[row.system]),
        text=lambda row: "" if row.ranking.z_means is None else _write_z(row.ranking.z_means[row.system]), request="z",
    ),
    Field(
        "model", float, lambda row: float(row.ranking.model.effects[row.system]),
        text=lambda row: f"{row.ranking.model.effects[row.system]:.{_digits(row.ranking)}f}",
    ),
    Field("judgments", int, lambda row: row.n_judgments),
]  # fmt: skip


@record
class SystemGap:
    """Two systems, the better one first.

    Attributes
    ----------
    p_adjusted
        The p-value, adjusted by Holm's method over all pairs.
    further_judgments
        Number of further judgments of both systems that would show the difference with a power of 80 %; None if no
        number would.
    """

    pair: str
    better: str
    worse: str
    difference: float
    p_adjusted: float
    is_significant: bool
    further_judgments: int | None


GAP_FIELDS: list[Field[SystemGap]] = [
    Field("pair", outputs=RECORDS),
    Field("better", is_key=True),
    Field("worse", is_key=True),
    Field("difference", float, form="{:.3f}"),
    Field("p_adjusted", float, heading=P_ADJUSTED, text=lambda row: format_p(row.p_adjusted)),
    Field("is_significant", bool, heading="significant"),
    Field(
        "further_judgments", int, heading="further judgments",
        text=lambda row: "" if row.is_significant else "none would do" if row.further_judgments is None else f"{row.further_judgments:,}",
    ),
]  # fmt: skip


def list_gaps(ranking: Ranking, alpha: float) -> list[SystemGap]:
    """List all pairs of systems, in the order of the ranking."""
    names, adjusted = ranking.campaign.systems, ranking.comparison.adjusted_p
    return [
        SystemGap(
            ranking.campaign.pair,
            names[a],
            names[b],
            float(ranking.scores[a] - ranking.scores[b]),
            float(adjusted[a, b]),
            bool(adjusted[a, b] < alpha),
            ranking.further_judgments(a, b),
        )
        for a, b in combinations(ranking.order, 2)
    ]


def describe_rankings(rankings: Sequence[Ranking], *, alpha: float, is_titled: bool = False) -> Document:
    """Describe the ranking of every language pair."""

    def tables() -> list[Table]:
        return [
            make_table(
                _table_fields(ranking),
                _rows(ranking),
                title=_title(ranking, "ranking", is_titled=is_titled),
                notes=_ranking_notes(ranking, alpha),
            )
            for ranking in rankings
        ]

    return Document(
        "human ranking",
        tables,
        lambda: make_records(
            _ranking_fields(rankings), [row for ranking in rankings for row in _rows(ranking)]
        ),
        lambda: _data(
            rankings,
            lambda ranking: {
                "method": ranking.method,
                "reason": ranking.reason,
                "unit": ranking.unit,
                "n_units": ranking.n_units,
                "test": ranking.test,
                "variances": {
                    name: float(value) for name, value in ranking.model.variances._asdict().items()
                },
                "systems": [make_object(_ranking_fields([ranking]), row) for row in _rows(ranking)],
                "pairs": [make_object(GAP_FIELDS, gap) for gap in list_gaps(ranking, alpha)],
            },
        ),
    )


def describe_gaps(rankings: Sequence[Ranking], *, alpha: float) -> Document:
    """Describe all pairs of systems."""
    gaps = {ranking.campaign.pair: list_gaps(ranking, alpha) for ranking in rankings}
    return Document(
        "human pairs",
        lambda: [
            make_table(GAP_FIELDS, gaps[ranking.campaign.pair], title=_title(ranking, "pairs"))
            for ranking in rankings
        ],
        lambda: make_records(GAP_FIELDS, [gap for group in gaps.values() for gap in group]),
        lambda: _data(
            rankings,
            lambda ranking: {"pairs": [make_object(GAP_FIELDS, gap) for gap in gaps[ranking.campaign.pair]]},
        ),
    )


def _ranking_fields(rankings: Sequence[Ranking]) -> list[Field[RankedSystem]]:
    has_z = any(ranking.z_means is not None for ranking in rankings)
    return select_fields(RANKING_FIELDS, ["z"] if has_z else [])


def _table_fields(ranking: Ranking) -> list[Field[RankedSystem]]:
    """Return the fields without the estimate that the column of scores shows already."""
    return [field for field in _ranking_fields([ranking]) if field.name != ranking.method]


def _rows(ranking: Ranking) -> list[RankedSystem]:
    return [RankedSystem(ranking, system) for system in ranking.order]


def _title(ranking: Ranking, name: str, *, is_titled: bool = False) -> str:
    """Return the title of a table; without a language pair it has one only where other tables follow."""
    if ranking.campaign.pair:
        return f"{ranking.campaign.pair}: {name}"
    return name if is_titled else ""


def _ranking_notes(ranking: Ranking, alpha: float) -> list[Note]:
    campaign = ranking.campaign
    n_raters = len(campaign.raters)
    raters = f" by {n_raters} rater{'s' if n_raters != 1 else ''}" if campaign.raters else ""
    units = f"{ranking.n_units:,} {ranking.unit}s"
    interval = explain_interval(f"{100 * (1 - alpha):g} % bootstrap interval")
    notes = [
        f"score: {METHODS[ranking.method]} ({ranking.reason}); {interval}",
        f"{len(campaign):,} judgments of {len(campaign.items):,} segments{raters}",
    ]
    if not ranking.untested:
        notes.append(
            f"{SHARED_LETTERS}: {_TESTS[ranking.test].format(units=units)}, {ADJUSTED} over all pairs,"
            f" level {alpha:g}"
        )
    if ranking.unit == "segment" and campaign.documents:
        notes.append(
            f"{'1 document is' if len(campaign.documents) == 1 else f'{len(campaign.documents)} documents are'} too few to resample,"
            " so segments are, although those of one document are not independent"
        )
    notes += [ranking.untested] if ranking.untested else _further_note(ranking, alpha)
    return [Note(note) for note in notes]


def _further_note(ranking: Ranking, alpha: float) -> list[str]:
    """Describe what would separate the best system from the next one, if they do not differ significantly."""
    first, second = ranking.order[:2]
    if ranking.comparison.adjusted_p[first, second] < alpha:
        return []
    further = ranking.further_judgments(first, second)
    more = f"about {round_number(further)} more judgments of these two systems" if further else ""
    systems = ranking.campaign.systems
    return [describe_close(systems[first], systems[second], further=more)]


def _data(rankings: Sequence[Ranking], describe: Callable[[Ranking], dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "tertium": __version__,
        "evaluations": [
            {
                "pair": ranking.campaign.pair,
                "judgments": len(ranking.campaign),
                "segments": len(ranking.campaign.items),
                "documents": len(ranking.campaign.documents),
                "raters": len(ranking.campaign.raters),
                **describe(ranking),
            }
            for ranking in rankings
        ],
    }


class RaterRow(NamedTuple):
    """A rater and the language pair."""

    pair: str
    facts: RaterFacts


def _fact(name: str, kind: type, form: str = "", **options: Any) -> Field[RaterRow]:
    return Field(name, kind, lambda row: _plain(getattr(row.facts, name)), form=form, **options)


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and isnan(value) else value


RATER_FIELDS: list[Field[RaterRow]] = [
    Field("pair", get=lambda row: row.pair, outputs=RECORDS),
    Field("rater", get=lambda row: row.facts.name, is_key=True),
    _fact("n_judgments", int, heading="judgments"),
    _fact("mean", float, "{:.2f}"),
    _fact("sd", float, "{:.2f}"),
    _fact("agreement", float, "{:.2f}", heading="r", request="shared"),
    _fact("kendall", float, "{:.2f}", heading="τ", request="shared"),
    _fact("n_shared", int, heading="shared", request="shared"),
    _fact("repeat_difference", float, "{:.2f}", outputs=RECORDS | JSON),
    _fact("failed_checks", int, heading="failed checks", request="checks"),
    _fact("n_checks", int, heading="checks", request="checks"),
    _fact("seconds", float, "{:.0f}", request="seconds"),
]


def describe_raters(
    rankings: Sequence[Ranking], reports: Sequence[RaterReport], *, is_titled: bool = False
) -> Document:
    """Describe the raters of every language pair."""
    both = list(zip(rankings, reports, strict=True))
    rows = {
        ranking.campaign.pair: [RaterRow(ranking.campaign.pair, facts) for facts in report.raters]
        for ranking, report in both
    }
    known = [facts for report in reports for facts in report.raters]
    has = {
        "seconds": any(facts.seconds is not None for facts in known),
        "checks": any(facts.n_checks for facts in known),
        "shared": any(facts.n_shared for facts in known),
    }
    fields = select_fields(RATER_FIELDS, [name for name, is_known in has.items() if is_known])
    return Document(
        "human raters",
        lambda: [
            make_table(
                fields,
                rows[ranking.campaign.pair],
                title=_title(ranking, "raters", is_titled=is_titled),
                notes=_rater_notes(report),
            )
            for ranking, report in both
        ],
        lambda: make_records(fields, [row for group in rows.values() for row in group]),
        lambda: _data(
            rankings,
            lambda ranking: {
                "agreement": _group_agreement(reports[rankings.index(ranking)]),
                "raters_examined": [make_object(fields, row) for row in rows[ranking.campaign.pair]],
            },
        ),
    )


def _group_agreement(report: RaterReport) -> dict[str, float | int | None]:
    return {
        "krippendorff_alpha_interval": _plain(report.alpha),
        "krippendorff_alpha_ordinal": _plain(report.alpha_ordinal),
        "split_half_raters": _plain(report.halves.correlation),
        "split_half_raters_reliability": _plain(report.halves.reliability),
        "split_half_ranking": _plain(report.ranking_halves.correlation),
        "split_half_ranking_reliability": _plain(report.ranking_halves.reliability),
        "shared_outputs": report.n_shared,
    }


def _rater_notes(report: RaterReport) -> list[Note]:
    notes = []
    if report.n_shared:
        notes.append(
            f"Krippendorff's α over {report.n_shared:,} outputs with several raters: {_write(report.alpha, 3)} (interval),"
            f" {_write(report.alpha_ordinal, 3)} (ordinal)"
        )
        notes.append(
            f"half of the raters against the other half, over outputs: r = {_write(report.halves.correlation)}"
        )
    else:
        notes.append("no output has several raters, so their agreement on outputs is unknown")
    halves = report.ranking_halves
    notes.append(
        f"half of the segments against the other half, over systems: r = {_write(halves.correlation)}"
        f" (all segments: {_write(halves.reliability)})"
    )
    if report.n_shared:
        notes.append("r, τ: with the mean of the other raters, over the shared outputs")
    return [Note(note) for note in notes]


def _write(value: float, digits: int = 2) -> str:
    return "undefined" if isnan(value) else f"{value:.{digits}f}"


class RateRow(NamedTuple):
    """The rate of a kind of error in a system, and the language pair."""

    pair: str
    rate: MarkedErrorRate
    is_best: bool
    alpha: float

    @property
    def kind(self) -> str:
        return f"{self.rate.severity}: {self.rate.category}" if self.rate.category else self.rate.severity

    @property
    def shown(self) -> float:
        return self.rate.per_segment if self.rate.per_1000_words is None else self.rate.per_1000_words


def _write_rate(row: RateRow) -> str:
    sign = "" if row.rate.p_adjusted >= row.alpha else "+" if row.rate.difference > 0 else "-"
    return f"{row.shown:.2f}{sign}"


RATE_FIELDS: list[Field[RateRow]] = [
    Field("pair", get=lambda row: row.pair, outputs=RECORDS),
    Field("kind", get=lambda row: row.kind, outputs=TABLE, heading="error", is_key=True),
    Field("severity", get=lambda row: row.rate.severity, outputs=RECORDS | JSON),
    Field("category", get=lambda row: row.rate.category, outputs=RECORDS | JSON),
    Field("system", get=lambda row: row.rate.system, outputs=RECORDS | JSON),
    Field("count", int, lambda row: row.rate.count, outputs=RECORDS | JSON),
    Field("per_segment", float, lambda row: row.rate.per_segment, outputs=RECORDS | JSON),
    Field("per_1000_words", float, lambda row: row.rate.per_1000_words, outputs=RECORDS | JSON),
    Field("difference", float, lambda row: row.rate.difference, outputs=RECORDS | JSON),
    Field("p_adjusted", float, lambda row: row.rate.p_adjusted, outputs=RECORDS | JSON),
    Field(
        "rate",
        float,
        lambda row: row.shown,
        text=_write_rate,
        outputs=TABLE,
        marks=lambda row: [Mark.BEST] * row.is_best,
    ),
]


def describe_errors(
    rankings: Sequence[Ranking],
    rates: Sequence[Sequence[MarkedErrorRate]],
    *,
    alpha: float,
    is_titled: bool = False,
) -> Document:
    """Describe the errors of every language pair by severity and category."""
    groups = [_error_rows(ranking, group, alpha) for ranking, group in zip(rankings, rates, strict=True)]
    rows = [row for group in groups for kind in group for row in kind]
    return Document(
        "human errors",
        lambda: [
            _error_table(ranking, group, alpha, is_titled=is_titled)
            for ranking, group in zip(rankings, groups, strict=True)
        ],
        lambda: make_records(RATE_FIELDS, rows),
        lambda: _data(
            rankings,
            lambda ranking: {
                "errors": [make_object(RATE_FIELDS, row) for row in rows if row.pair == ranking.campaign.pair]
            },
        ),
    )


def _error_rows(ranking: Ranking, rates: Sequence[MarkedErrorRate], alpha: float) -> list[list[RateRow]]:
    n_systems = len(ranking.campaign.systems)
    groups = [rates[i : i + n_systems] for i in range(0, len(rates), n_systems)]
    found = []
    for group in groups:
        rows = [RateRow(ranking.campaign.pair, rate, is_best=False, alpha=alpha) for rate in group]
        lowest, highest = min(row.shown for row in rows), max(row.shown for row in rows)
        found.append([row._replace(is_best=row.shown == lowest < highest) for row in rows])
    return found


def _error_table(
    ranking: Ranking, groups: Sequence[Sequence[RateRow]], alpha: float, *, is_titled: bool
) -> Table:
    headings = {row.rate.system: row.rate.system for row in groups[0]} if groups else {}
    has_words = groups and groups[0][0].rate.per_1000_words is not None
    unit = "1,000 words" if has_words else "judged output"
    notes = [
        Note(f"errors per {unit}"),
        Note(
            f"{ERROR_SIGNS} (mixed model, t over {ranking.n_units:,}"
            f" {ranking.unit}s, {ADJUSTED} over the whole table, level {alpha:g})"
        ),
    ]
    return make_wide_table(
        RATE_FIELDS, groups, headings, title=_title(ranking, "errors", is_titled=is_titled), notes=notes
    )


def _share(name: str, get: Callable[[SpanAgreement], float | None], heading: str) -> Field[SpanAgreement]:
    return Field(name, float, lambda row: _plain(get(row)), form="{:.3f}", heading=heading)


SPAN_FIELDS: list[Field[SpanAgreement]] = [
    Field("judge", is_key=True),
    Field("n_outputs", int, heading="outputs"),
    _share("precision", lambda row: row.characters.precision, "P"),
    _share("recall", lambda row: row.characters.recall, "R"),
    _share("f1", lambda row: row.characters.f1, "F1"),
    _share("matched_precision", lambda row: row.matched.precision, "span P"),
    _share("matched_recall", lambda row: row.matched.recall, "span R"),
    _share("matched_f1", lambda row: row.matched.f1, "span F1"),
    _share("error_free_f1", lambda row: row.error_free.f1 if row.error_free else None, "free F1"),
    _share("error_free_mcc", lambda row: row.error_free.mcc if row.error_free else None, "free MCC"),
    _share("error_free_auc", lambda row: row.error_free.auc if row.error_free else None, "free AUC"),
]


def describe_spans(rankings: Sequence[Ranking], found: Sequence[Sequence[SpanAgreement]]) -> Document:
    """Describe how well error spans agree."""
    notes = [
        Note("P, R, F1: characters, with half credit for the wrong severity (WMT23 to WMT25)"),
        Note("span: matched one to one, with credit for the overlapping share; free: outputs without errors"),
    ]
    return Document(
        "human spans",
        lambda: [
            make_table(SPAN_FIELDS, agreements, title=_title(ranking, "error spans"), notes=notes)
            for ranking, agreements in zip(rankings, found, strict=True)
        ],
        lambda: make_records(SPAN_FIELDS, [row for group in found for row in group]),
        lambda: _data(
            rankings,
            lambda ranking: {
                "spans": [make_object(SPAN_FIELDS, row) for row in found[rankings.index(ranking)]]
            },
        ),
    )
