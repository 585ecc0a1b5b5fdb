"""The document of a history: a table per metric, a row per release."""

from collections.abc import Sequence
from functools import partial

from tertium.evaluation.history import Release
from tertium.evaluation.units import Tested, describe_tests, describe_units
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
            row, {each.test_set: each for each in own if each.test_set and each.release == row.release}
        )
        for row in own
        if row.test_set is None
    ]
    columns = [each.within(_get_main) for each in _FIELDS] + [_set_field(name) for name in test_sets]
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
