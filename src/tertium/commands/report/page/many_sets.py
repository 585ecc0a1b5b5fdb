"""The page of many test sets: a heat map of all scores, the history, and the page of each test set inside it."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property

import numpy as np

from tertium import __version__
from tertium.commands.report.page.contents import PageContents, describe_mistakes, hide_folders
from tertium.commands.report.page.explained import MAX_BYTES
from tertium.commands.report.page.rendering import (
    EMBED_OPTIONS,
    javascript_bundle,
    make_environment,
    page_assets,
    read_assets,
    render_page,
    wrap_script,
    write_json,
    write_policy,
)
from tertium.diagnosis.finding import Finding
from tertium.evaluation import Evaluation
from tertium.evaluation.history import Release
from tertium.evaluation.many_sets import ManySets, add_sets
from tertium.evaluation.units import describe_tests, describe_units
from tertium.kernels.sums import sum_rows
from tertium.presentation.charts.model import DARK, LIGHT, Chart
from tertium.presentation.sets_tables import describe_average, describe_sets, explain_untested_average
from tertium.presentation.tables.html_fragment import render_html
from tertium.presentation.tables.latex import render_latex_table
from tertium.presentation.tables.model import Table
from tertium.records import record
from tertium.stats.analysis import Analysis
from tertium.stats.letters import find_best_group
from tertium.values import FloatArray
from tertium.verdicts import (
    NAMED_LETTERS,
    STRATIFIED,
    WINS,
    describe_clear_sets,
    describe_leaders,
    explain_interval,
    explain_level,
    name_all,
)

_SCRIPTS = ("data.js", "overflow.js", "chart_keys.js", "charts.js", "workbook.js", "downloads.js", "sets.js")
_STYLES = ("page.css", "sets.css")
_MOST_VALUES = 40  # a column with more values does not define kinds of segments
_EXPLAINED_BYTES = 4 * MAX_BYTES  # of all test sets together


@record(eq=False, kw_only=True)
class SetsPageContents:
    """Scored systems on many test sets.

    Attributes
    ----------
    pages
        The contents of the page of each test set, by name.
    history
        The scores of a system in earlier releases and in this one.
    command
        The command that made the page, if it is known.
    """

    title: str
    pages: Mapping[str, PageContents]
    analysis: Analysis
    history: Sequence[Release] = ()
    notes: Sequence[str] = ()
    command: str | None = None

    @property
    def findings(self) -> dict[str, Sequence[Finding]]:
        """Possible mistakes in the texts, by test set and system."""
        return {
            f"{name}: {system}": found
            for name, page in self.pages.items()
            for system, found in page.findings.items()
        }

    @cached_property
    def summary(self) -> ManySets:
        """Averages, ranks and tests over all test sets."""
        systems = {name: page.evaluation.systems for name, page in self.pages.items()}
        sets = ((name, page.evaluation, page.comparison) for name, page in self.pages.items())
        return add_sets(systems, sets, alpha=self.analysis.alpha, seed=self.analysis.seed)


def render_sets_page(contents: SetsPageContents) -> str:
    """Render one file that holds the overview, and the page of each test set compressed."""
    many, library = contents.summary, javascript_bundle()
    page_style, page_script = page_assets()
    style, script = read_assets(_STYLES), wrap_script(read_assets(_SCRIPTS))
    charts, history = _draw_history(contents.history), _make_history_tables(contents)
    page: str = (
        make_environment()
        .get_template("sets.html")
        .render(
            contents=contents,
            answer=_describe_answer(many, contents.findings),
            facts=_describe_facts(many),
            tested=_explain_tests(many, contents.analysis),
            command=hide_folders(contents.command or ""),
            history=history,
            history_charts=list(charts),
            signatures=list(_list_signatures(many)),
            fallback=render_html(describe_sets(many, contents.analysis, autorank=False)),
            policy=write_policy([style, page_style], [library, script, page_script]),
            style=style,
            library=library,
            script=script,
            data=write_json(describe_overview(contents, many, list(charts.values()), history)),
            packed=_pack_pages(contents.pages),
            version=__version__,
        )
    )
    return page


def _explain_tests(many: ManySets, analysis: Analysis) -> list[str]:
    """Explain the letters, the intervals, the wins and the average in full sentences."""
    tests = f"{NAMED_LETTERS} ({describe_tests(many.tested)}, {explain_level(analysis.alpha)})"
    tests += f"; {STRATIFIED}" if many.averaged else ""
    interval = explain_interval(f"{analysis.level} bootstrap interval", "±:")
    average = describe_average(many)
    return [
        f"{tests}.",
        f"{interval}; {describe_units(many.tested)}.",
        f"Wins: {WINS}.",
        f"{average[:1].upper()}{average[1:]}.",
    ]


def _pack_pages(pages: Mapping[str, PageContents]) -> list[tuple[int, str]]:
    most_bytes = min(MAX_BYTES, _EXPLAINED_BYTES // len(pages))
    rendered = (render_page(page, part_of=name, most_bytes=most_bytes) for name, page in pages.items())
    return [_pack_densely(gzip.compress(page.encode(), mtime=0)) for page in rendered]


# All printable characters of ASCII that HTML does not read in any other way.
_LETTERS = np.array([code for code in range(33, 127) if chr(code) not in "<>&"], dtype=np.uint8)
_BITS = 13  # two of 91 letters hold 13 bits: a tenth less text than in base64


def _pack_densely(data: bytes) -> tuple[int, str]:
    """Write data as text; also return their length in bytes, because the last letters may hold more."""
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8))
    padded = np.concatenate([bits, np.zeros(-len(bits) % _BITS, dtype=np.uint8)]).reshape(-1, _BITS)
    values = padded @ (1 << np.arange(_BITS - 1, -1, -1))
    pairs = np.stack(np.divmod(values, len(_LETTERS)), axis=1)
    return len(data), _LETTERS[pairs].tobytes().decode("ascii")


def describe_overview(
    contents: SetsPageContents, many: ManySets, charts: Sequence[Chart], tables: Mapping[str, Table]
) -> dict[str, object]:
    """Describe the systems, metrics, test sets and scores, and the charts and tables of the history."""
    return {
        "systems": many.systems,
        "metrics": [
            {"label": label, "title": many.title(label), "higher": many.higher_is_better(label)}
            for label in many.labels
        ],
        "sets": [_describe_set(many, name, page) for name, page in contents.pages.items()],
        "summaries": [_describe_summaries(many, label) for label in many.labels],
        "charts": {"history": [json.loads(chart.to_json()) for chart in charts]},
        "latex": {key: render_latex_table(table) for key, table in tables.items()},
        "embed": EMBED_OPTIONS,
        "themes": {"light": LIGHT.config(), "dark": DARK.config()},
    }


def _describe_set(many: ManySets, name: str, contents: PageContents) -> dict[str, object]:
    """Describe a test set: its scores by metric and system, and those of each kind of segments."""
    evaluation = contents.evaluation
    places = [
        evaluation.systems.index(system) if system in evaluation.systems else None for system in many.systems
    ]

    def spread(values: Sequence[object]) -> list[object]:
        return [None if place is None else values[place] for place in places]

    compared = [contents.comparison.metrics[label] for label in many.labels]
    is_tested = contents.comparison.untested is None and len(evaluation.systems) > 1
    return {
        "name": name,
        "segments": evaluation.n_segments,
        "scores": [spread(_round(comparison.scores)) for comparison in compared],
        "letters": [
            spread(comparison.letters) if is_tested else [""] * len(places) for comparison in compared
        ],
        "kinds": {
            column: {
                value: {"segments": len(rows), "scores": [spread(score) for score in scores]}
                for value, rows, scores in _score_kinds(evaluation, values, many.labels)
            }
            for column, values in contents.columns.items()
            if 1 < len(set(values)) <= _MOST_VALUES
        },
    }


def _score_kinds(
    evaluation: Evaluation, values: Sequence[str], labels: Sequence[str]
) -> Iterator[tuple[str, list[int], list[list[float | None]]]]:
    """Score the segments with each value of a column."""
    known = np.asarray(values)
    for value in np.unique(known):
        rows = np.flatnonzero(known == value)
        scores = [
            evaluation.metric(label).combine(
                sum_rows(np.ascontiguousarray(evaluation.tables[label][:, rows]))
            )
            for label in labels
        ]
        yield str(value), rows.tolist(), [_round(score) for score in scores]


def _round(scores: FloatArray) -> list[float | None]:
    """Round scores for display; null in JSON stands for a score that is not a number."""
    return [round(score, 4) if np.isfinite(score) else None for score in scores.tolist()]


def _describe_summaries(many: ManySets, label: str) -> list[dict[str, object]]:
    """Describe the averages of the systems, in the order of `ManySets.systems`."""
    by_system = {summary.system: summary for summary in many.summarise(label)}
    found = [by_system[system] for system in many.systems]
    return [
        {
            "average": summary.average,
            "interval": None if summary.interval is None else list(summary.interval),
            "letters": summary.overall,
            "rank": summary.mean_rank,
            "wins": summary.n_wins,
        }
        for summary in found
    ]


def _describe_answer(many: ManySets, findings: Mapping[str, Sequence[Finding]]) -> list[str]:
    """Describe the best systems by the first metric, on the average and on single test sets, and mistakes in the texts."""
    label = many.labels[0]
    average = _describe_average(many, label)
    alone = _describe_single_sets(many, label)
    answer = [average, *alone] if many.averaged else [*alone, average]
    return [*filter(None, answer), *describe_mistakes(findings)]


def _describe_average(many: ManySets, label: str) -> str:
    rows, title = (
        [summary for summary in many.summarise(label) if summary.average is not None],
        many.title(label),
    )
    if not rows:
        return "No system has all test sets, so there is no average."
    if len(rows) == 1:
        return f"Only {rows[0].system} has all test sets; its average {title} is {rows[0].average:.2f}."
    if many.too_small:
        if not many.leaders(label):
            return ""  # the sentence on single test sets says that nothing is tested
        return f"The averages are not tested: {explain_untested_average(many)}."
    letters = {row.system: row.overall for row in rows}
    averages = np.array([row.average for row in rows])
    higher = many.higher_is_better(label)
    leaders = find_best_group(averages, list(letters.values()), higher_is_better=higher)
    among = "" if len(rows) == len(many.systems) else f"Of the {len(rows)} systems with all test sets, "
    if not leaders:
        return f"{among}{name_all(list(letters))} have the same average {title}."
    return f"{among}{describe_leaders([rows[i].system for i in leaders], letters)} on the average {title}."


def _describe_single_sets(many: ManySets, label: str) -> list[str]:
    """Name the test sets on which one system is significantly better than all others."""
    tested, title = many.leaders(label), many.title(label)
    if not tested:
        return ["No test set is large enough for tests."]
    won: dict[str, list[str]] = {}
    for name, leaders in tested.items():
        if len(leaders) == 1:
            won.setdefault(leaders[0], []).append(name)
    sets = "tested test sets" if len(tested) < len(many.sets) else "test sets"
    return [describe_clear_sets(title, won, len(tested), sets)]


def _describe_facts(many: ManySets) -> list[str]:
    counted = (
        (len(many.sets), "test set"),
        (len(many.systems), "system"),
        (len(many.labels), "metric"),
        (sum(scored.n_segments for scored in many.sets), "segment"),
    )
    return [
        *(f"{number:,} {noun}{'s' if number != 1 else ''}" for number, noun in counted),
        date.today().isoformat(),  # noqa: DTZ011 - the date where the page is made
        f"tertium {__version__}",
    ]


def _list_signatures(many: ManySets) -> Iterator[tuple[str, str, str]]:
    """List the signatures of each metric with the test sets that they were used for."""
    for label in many.labels:
        by_signature: dict[str, list[str]] = {}
        for scored in many.sets:
            by_signature.setdefault(scored.columns[label].signature, []).append(scored.name)
        for signature, names in by_signature.items():
            yield many.title(label), "" if len(by_signature) == 1 else ", ".join(names), signature


def _draw_history(releases: Sequence[Release]) -> dict[str, Chart]:
    """Draw the average over releases, and the scores on each test set."""
    if not releases:
        return {}
    from tertium.commands.release.history_tables import AVERAGE, draw_releases

    by_set: dict[str | None, list[Release]] = {}
    for row in releases:
        by_set.setdefault(row.test_set, []).append(row)
    return {
        AVERAGE if name is None else name: draw_releases(
            rows, title="Average scores over releases" if name is None else f"Scores over releases on {name}"
        )
        for name, rows in by_set.items()
    }


def _make_history_tables(contents: SetsPageContents) -> dict[str, Table]:
    """Make the table of each metric's history, by the key of the table on the page."""
    if not contents.history:
        return {}
    from tertium.commands.release.history_tables import describe_history

    names = [name for name in dict.fromkeys(row.test_set for row in contents.history) if name is not None]
    n_segments = sum(contents.pages[name].evaluation.n_segments for name in names)
    document = describe_history(contents.history, n_segments, contents.summary.tested, test_sets=names)
    return {f"history-{number}": table for number, table in enumerate(document.tables)}
