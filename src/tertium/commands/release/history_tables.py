"""Tables and the chart of a history: a table per metric with a row per release, and a panel per metric."""

from collections.abc import Sequence
from functools import partial

from tertium.evaluation.history import Release
from tertium.evaluation.units import Tested, describe_tests, describe_units
from tertium.presentation.charts.model import (
    Chart,
    Spec,
    heading,
    layer,
    named,
    number,
    padded_domain,
    parameters,
    tooltip,
    wrap_text,
)
from tertium.presentation.score_table import format_p, format_score
from tertium.presentation.tables.fields import (
    JSON,
    RECORDS,
    TABLE,
    Field,
    make_object,
    make_records,
    make_table,
)
from tertium.presentation.tables.model import Document, Note, Table
from tertium.records import record
from tertium.verdicts import ADJUSTED, RELEASE_MARKS, explain_interval, explain_level

AVERAGE = "average"
_MARKS = {"better": "▲", "worse": "▼", "": ""}
_STEP, _HEIGHT, _LEAST_WIDTH = 44, 170, 320


def _judge(row: Release) -> str:
    if row.gain is None or not row.is_significant:
        return ""
    return "better" if row.gain > 0 else "worse"


_TEST_SET: Field[Release] = Field("test_set", get=lambda row: row.test_set or AVERAGE, outputs=RECORDS | JSON)
_FIELDS: list[Field[Release]] = [
    Field("metric", outputs=RECORDS | JSON),
    Field("release", is_key=True),
    Field(
        "score",
        float,
        text=lambda row: (
            f"{format_score(row.score, 100)} ±{format_score((row.interval[1] - row.interval[0]) / 2, 100)}"
        ),
    ),
    Field("ci_low", float, get=lambda row: row.interval[0], outputs=RECORDS | JSON),
    Field("ci_high", float, get=lambda row: row.interval[1], outputs=RECORDS | JSON),
    Field(
        "change",
        float,
        text=lambda row: "" if row.change is None else format_score(row.change, 100, sign=True),
    ),
    Field(
        "p_value", float, heading="p", text=lambda row: "" if row.p_value is None else format_p(row.p_value)
    ),
    Field("verdict", get=_judge, heading=" ", outputs=TABLE | RECORDS | JSON),
]


@record(eq=False)
class _ReleaseLine:
    """A release: its average or only score, and its scores on the test sets."""

    main: Release
    by_set: dict[str, Release]


def describe_history(
    rows: Sequence[Release], n_segments: int, tested: Sequence[Tested], *, test_sets: Sequence[str] = ()
) -> Document:
    """Describe the releases of a system.

    Parameters
    ----------
    tested
        How each test set was resampled and tested.
    test_sets
        The names of several test sets.
    """
    labels = dict.fromkeys(row.metric for row in rows)
    fields = [_TEST_SET, *_FIELDS] if test_sets else _FIELDS
    return Document(
        "history",
        lambda: [_make_table(label, rows, n_segments, tested, test_sets) for label in labels],
        lambda: make_records(fields, rows),
        lambda: {
            "segments": n_segments,
            **({"test_sets": list(test_sets)} if test_sets else {}),
            "releases": [make_object(fields, row) for row in rows],
        },
    )


def _make_table(
    label: str, rows: Sequence[Release], n_segments: int, tested: Sequence[Tested], test_sets: Sequence[str]
) -> Table:
    own = [row for row in rows if row.metric == label]
    lines = [
        _ReleaseLine(
            row, {line.test_set: line for line in own if line.test_set and line.release == row.release}
        )
        for row in own
        if row.test_set is None
    ]
    columns = [field.within(_get_main) for field in _FIELDS] + [_set_field(name) for name in test_sets]
    return make_table(columns, lines, title=own[0].title, notes=_make_notes(n_segments, tested, test_sets))


def _get_main(line: _ReleaseLine) -> Release:
    return line.main


def _set_field(name: str) -> Field[_ReleaseLine]:
    return Field(name, float, get=lambda line: line.by_set[name].score, text=partial(_write_score, name))


def _write_score(name: str, line: _ReleaseLine) -> str:
    row = line.by_set[name]
    return f"{format_score(row.score, 100)} {_MARKS[_judge(row)]}".rstrip()


def _make_notes(n_segments: int, tested: Sequence[Tested], test_sets: Sequence[str]) -> list[Note]:
    analysis, many = tested[0][0], f" of {len(test_sets)} test sets" if test_sets else ""
    test, level = describe_tests(tested), explain_level(analysis.alpha)
    shown = "stratified bootstrap" if test_sets else test
    notes = [
        Note(
            f"{n_segments:,} segments{many}; {explain_interval(f'{analysis.level} interval', '±:')};"
            f" {describe_units(tested)}; change since the release before, tested by {shown} ({level})"
        )
    ]
    if test_sets:
        notes.append(
            Note(
                f"score: average over the test sets; {RELEASE_MARKS} on a test set ({test}, {ADJUSTED} over all changes"
                " and test sets)"
            )
        )
    return notes


def draw_releases(releases: Sequence[Release], *, title: str = "Scores over releases") -> Chart:
    """Draw the scores of all releases, oldest first, and mark those that are significantly better or worse than the last."""
    labels = list(dict.fromkeys(row.metric for row in releases))
    names = list(dict.fromkeys(row.release for row in releases))
    width = max(_LEAST_WIDTH, _STEP * len(names))
    subtitle = f"lines: confidence intervals; {RELEASE_MARKS} than the release before"
    return Chart.of(
        {
            "description": title,
            "title": {**heading(title, subtitle, width), "frame": "bounds"},
            "params": parameters(releases=names),
            "spacing": 18,
            "vconcat": [
                _panel(
                    [row for row in releases if row.metric == label],
                    names,
                    width,
                    is_last=label == labels[-1],
                )
                for label in labels
            ],
        }
    )


def _panel(releases: Sequence[Release], names: Sequence[str], width: int, *, is_last: bool) -> Spec:
    rows: list[Spec] = [
        {
            "place": names.index(row.release),
            "release": row.release,
            "score": row.score,
            "low": row.interval[0],
            "high": row.interval[1],
            "change": "–" if row.change is None else f"{row.change:+.4g}".replace("-", "−"),
            "verdict": "" if not row.is_significant else "better" if (row.gain or 0) > 0 else "worse",
        }
        for row in releases
    ]
    domain = padded_domain([end for row in releases for end in (*row.interval, row.score)], 0.08)
    axis: Spec = {"axis": {"title": wrap_text(releases[0].title, 12, _HEIGHT), "tickCount": 5}}
    told: Spec = {"tooltip": tooltip("release", "verdict", "change", score="score", low="from", high="to")}
    score: Spec = {"y": number("score", domain, **axis)}
    marked = {verdict: [row for row in rows if row["verdict"] == verdict] for verdict in ("better", "worse")}
    across: Spec = {"labels": is_last, "title": "release" if is_last else None, "labelAngle": -40}
    return {
        "width": width,
        "height": _HEIGHT,
        "encoding": {"x": named("place", "releases", len(names), axis=across)},
        "layer": [
            layer("rule", rows, {"y": number("low", domain, **axis), "y2": {"field": "high"}}, style="faint", strokeWidth=2.5),
            layer("line", rows, {**score, "order": {"field": "place"}}, strokeWidth=1.6),
            layer("circle", rows, {**score, **told}, size=45, opacity=1),
            layer("point", marked["better"], {**score, **told}, shape="triangle-up", size=170, style="ink", filled=True, opacity=1),
            layer("point", marked["worse"], {**score, **told}, shape="triangle-down", size=170, style="ink", filled=True, opacity=1),
        ],
    }  # fmt: skip
