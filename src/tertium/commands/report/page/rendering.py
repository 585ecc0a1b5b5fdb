"""Render the HTML report: its data, its charts and the bundled chart library."""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from tertium import __version__
from tertium.commands.report.page.contents import (
    HumanJudgments,
    PageContents,
    describe_answer,
    describe_facts,
    hide_folders,
    score_segments,
)
from tertium.commands.report.page.explained import MAX_BYTES, PageExplanations, explain_segments
from tertium.commands.report.page.figures import Figure, draw_figures
from tertium.errors import argument
from tertium.evaluation import Evaluation
from tertium.evaluation.differences import measure_influence
from tertium.evaluation.faults import Fault, FaultFinder, describe_faulty
from tertium.presentation.charts.model import DARK, LIGHT, N_COLOURS, Chart
from tertium.presentation.paper_table import render_paper_table
from tertium.presentation.score_table import format_expected_agreement
from tertium.presentation.score_tables import make_system_table
from tertium.presentation.segment_tables import mark_errors
from tertium.presentation.tables.fields import Field, make_table
from tertium.presentation.tables.latex import render_latex_table
from tertium.presentation.tables.model import Cell, Mark, Note, Table, Tone
from tertium.records import record
from tertium.values import Corpus, FloatArray
from tertium.verdicts import ADJUSTED_OVER_PAIRS, NAMED_LETTERS, SHADED, explain_direction, explain_interval

if TYPE_CHECKING:
    from jinja2 import Environment

    from tertium.commands.report.page.human_section import HumanSection


EMBED_OPTIONS = {"mode": "vega-lite", "ast": True, "renderer": "svg", "actions": False}
"""The options of `vegaEmbed`: with `ast` it parses expressions itself, so that a page may forbid `eval`."""


@cache
def javascript_bundle() -> str:
    """Read the libraries, about 0.9 MB, for a page's `<script>`; they define `window.vegaEmbed`.

    The bundle loads nothing, so a page works from disk under
    `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:`.
    `tools/make_vega_bundle.py` makes it.
    """
    return gzip.decompress((_FOLDER / "library" / "vega.js.gz").read_bytes()).decode()


_FOLDER = files("tertium.commands.report.page")

# With more numbers the page would open slowly, so influence is omitted.
_MOST_INFLUENCES = 3_000_000
_MOST_FAULTS = 500  # the segments of the page show the scores of all others
_LEVEL = 6


def describe_page(
    contents: PageContents,
    figures: Sequence[Figure],
    explained: PageExplanations,
    tables: Mapping[str, Table],
) -> dict[str, object]:
    """Describe systems, metrics, kinds of segments, charts, and the tables in LaTeX."""
    evaluation, corpus = contents.evaluation, contents.corpus
    return {
        "systems": list(evaluation.systems),
        "rows": [evaluation.systems.index(name) for name in contents.table.systems],
        "metrics": [
            {"label": metric.label, "title": metric.title, "higher": metric.metric.higher_is_better}
            for metric in evaluation.metrics
        ],
        "segments": evaluation.n_segments,
        "ids": None if corpus is None or corpus.segment_ids is None else list(corpus.segment_ids),
        "columns": [{"name": name, **_number_values(values)} for name, values in contents.columns.items()],
        "languages": list(contents.languages),
        "charts": {
            figure.key: [json.loads(chart.to_json()) for chart in figure.charts.values()]
            for figure in figures
        },
        "latex": {
            "score": render_paper_table(contents.table),
            **{key: render_latex_table(table) for key, table in tables.items()},
        },
        "explained": {"systems": list(explained.systems), "segments": list(explained.n_segments)},
        "embed": EMBED_OPTIONS,
        "nColours": N_COLOURS,
        "themes": {"light": LIGHT.config(), "dark": DARK.config()},
    }


def write_json(value: object) -> str:
    """Write JSON that is safe inside a page's `<script>`, for any value."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def pack_texts(corpus: Corpus | None) -> str:
    """Pack the texts, segment by segment, so that similar outputs are stored next to each other."""
    if corpus is None:
        return ""
    outputs = zip(*corpus.systems.values(), strict=True)
    sources = corpus.sources if corpus.sources is not None else [""] * len(corpus)
    rows = [
        [source, list(references), list(texts)]
        for source, references, texts in zip(sources, corpus.references, outputs, strict=True)
    ]
    return pack_json(rows)


def pack_json(value: object) -> str:
    """Pack a JSON document."""
    try:
        return pack(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
    except UnicodeEncodeError:  # half of a surrogate pair, which must be escaped
        return pack(json.dumps(value, separators=(",", ":")).encode())


@record
class PackedNumbers:
    """Numbers as text: of four bytes each, or of two bytes, which are multiples of the step of their metric."""

    text: str = ""
    steps: Sequence[float] | None = None


def pack_scores(evaluation: Evaluation, *, is_compact: bool = False) -> PackedNumbers:
    """Pack every segment's score: metrics, then systems, then segments."""
    tables = [evaluation.segment_scores(label) for label in evaluation.labels]
    return _pack_whole(tables, _FINEST_SCORE) if is_compact else PackedNumbers(_pack_numbers(tables))


def pack_influence(evaluation: Evaluation, *, is_compact: bool = False) -> PackedNumbers:
    """Pack the influence of every segment on every system's score, in the same order; an empty text if that is too much."""
    n_numbers = len(evaluation.systems) * len(evaluation.labels) * evaluation.n_segments
    if evaluation.n_segments < 2 or n_numbers > _MOST_INFLUENCES:
        return PackedNumbers()
    tables = [measure_influence(evaluation, label) for label in evaluation.labels]
    return _pack_whole(tables, _FINEST_INFLUENCE) if is_compact else PackedNumbers(_pack_numbers(tables))


# The page shows scores with two digits and influence with three.
_FINEST_SCORE, _FINEST_INFLUENCE = 1 / 256, 1 / 2048
_LARGEST, _NO_NUMBER = 32767, -32768


def _pack_whole(tables: Sequence[FloatArray], finest: float) -> PackedNumbers:
    """Pack numbers as multiples of a step, which is coarser than the finest only if two bytes require it."""
    steps, rows = [], []
    for table in tables:
        known = np.isfinite(table)
        step = max(finest, float(np.abs(table[known]).max(initial=0.0)) / _LARGEST)
        rows.append(np.where(known, np.round(np.where(known, table, 0.0) / step), _NO_NUMBER))
        steps.append(step)
    return PackedNumbers(pack(np.stack(rows).astype("<i2").tobytes()), steps)


_SEVERITIES = {Tone.MAJOR: "major", Tone.MINOR: "minor"}


def pack_annotations(contents: PageContents) -> str:
    """Pack the outputs with error spans: segment, system, rater with score, and pieces of text with their severity."""
    if contents.human is None or contents.corpus is None or not contents.human.annotations:
        return ""
    numbers = {name: i for i, name in enumerate(contents.evaluation.systems)}
    entries = [
        [row, numbers[system], f"{annotation.rater} ({annotation.score:g})",
         [[span.text, _SEVERITIES.get(span.tone, "")] for span in mark_errors(contents.corpus.systems[system][row], annotation.spans)]]
        for (system, row), given in contents.human.annotations.items()
        if system in numbers
        for annotation in given
    ]  # fmt: skip
    return pack_json(entries)


def pack_human(human: HumanJudgments | None) -> str:
    """Pack the human scores of every system's segments; an empty text if there are none."""
    scores = None if human is None else score_segments(human)
    return "" if scores is None else _pack_numbers([scores])


def _number_values(values: Sequence[str]) -> Mapping[str, object]:
    """Write each value once, and the number of the value of each segment."""
    numbers: dict[str, int] = {}
    return {"rows": [numbers.setdefault(value, len(numbers)) for value in values], "values": list(numbers)}


def _pack_numbers(tables: Sequence[FloatArray]) -> str:
    return pack(np.stack(tables).astype("<f4").tobytes())


def pack(data: bytes) -> str:
    """Compress data into text for a page's `<script>`."""
    return base64.b64encode(gzip.compress(data, _LEVEL, mtime=0)).decode("ascii")


# In this order: each script uses only those before it.
_SCRIPTS = (
    "data.js", "words.js", "state.js", "score_table.js", "overflow.js",
    "chart_keys.js", "charts.js",
    "filters.js", "segment_list.js", "pictures.js", "segment.js", "explorer.js",
    "workbook.js", "downloads.js", "main.js",
)  # fmt: skip
_STYLES = ("page.css", "explorer.css")


def render_page(contents: PageContents, *, part_of: str = "", most_bytes: int = MAX_BYTES) -> str:
    """Render the whole page; it opens from disk, and its policy forbids it to load anything.

    Parameters
    ----------
    part_of
        The name of the test set, if the page is opened by a page of many test sets, which has the chart library.
    most_bytes
        The maximal size of all explanations before compression.
    """
    figures = draw_figures(contents)
    human_section, human_charts = _show_judgments(contents)
    explained = explain_segments(contents, most_bytes=most_bytes)
    drawn = [*figures, Figure("human", "Human judgments", human_charts)]
    faults = make_faults_table(contents)
    tables = {
        **({} if human_section is None else human_section.tables),
        **({} if faults is None else {"faults": faults}),
    }
    columns, steps = _pack_columns(contents, explained, is_compact=bool(part_of))
    titles = [metric.title for metric in contents.evaluation.metrics]
    page: str = (
        make_environment()
        .get_template("page.html")
        .render(
            contents=contents,
            notes=[*contents.notes, *_describe_missing_curves(contents, figures)],
            table=contents.table,
            legend=list(_explain_scores(contents, has_faults=faults is not None)),
            system_table=make_system_table(contents.table),
            answer=describe_answer(contents),
            facts=describe_facts(contents),
            command=hide_folders(contents.command or ""),
            faults=faults,
            figures=figures,
            human=human_section,
            human_charts=human_charts,
            part_of=part_of,
            **_load_assets(has_library=not part_of),
            data=write_json(
                {**describe_page(contents, drawn, explained, tables), "set": part_of, "steps": steps}
            ),
            columns=columns,
            explained_systems=explained.systems,
            explained_counts=dict(zip(titles, explained.n_segments, strict=False)),
            version=__version__,
        )
    )
    return page


def _load_assets(*, has_library: bool) -> dict[str, str]:
    """Return the page's style, scripts and the policy that allows nothing else."""
    style, script = page_assets()
    library = javascript_bundle() if has_library else ""
    policy = write_policy([style], [library, script])
    return {"style": style, "script": script, "library": library, "policy": policy}


def _show_judgments(contents: PageContents) -> "tuple[HumanSection | None, dict[str, Chart]]":
    """Return the section about human judgments and its charts; nothing without judgments."""
    if contents.human is None:
        return None, {}
    from tertium.commands.report.page.human_section import draw_human_section, make_human_section

    section = make_human_section(contents.human, contents.table, broken=contents.broken)
    return section, dict(draw_human_section(contents.human))


def _pack_columns(
    contents: PageContents, explained: PageExplanations, *, is_compact: bool
) -> tuple[dict[str, str], dict[str, object]]:
    """Pack the data of all segments by the names that the script uses; also return the steps of compact numbers."""
    scores, influence = (
        pack_table(contents.evaluation, is_compact=is_compact) for pack_table in (pack_scores, pack_influence)
    )
    columns = {
        "scores": scores.text,
        "influence": influence.text,
        "human": pack_human(contents.human),
        "annotations": pack_annotations(contents),
        "explained": pack_json(explained.entries) if explained.entries else "",
        "texts": pack_texts(contents.corpus),
    }
    return columns, {"scores": scores.steps, "influence": influence.steps}


def _describe_missing_curves(contents: PageContents, figures: Sequence[Figure]) -> list[str]:
    """Say that no metric has a curve of expected human agreement, if that is so."""
    has_curves = any(figure.key == "expected" for figure in figures)
    return [] if has_curves else format_expected_agreement(contents.table)


def page_assets() -> tuple[str, str]:
    """Return the style and the script of a page."""
    return read_assets(_STYLES), wrap_script(read_assets(_SCRIPTS))


def _explain_scores(contents: PageContents, *, has_faults: bool) -> Iterator[str]:
    """Explain the symbols of the score table in full sentences."""
    comparison, table = contents.comparison, contents.table
    analysis = comparison.analysis
    yield f"{explain_interval(analysis.interval_name, '±:')}; {comparison.unit_note}."
    if table.tests_pairs:
        yield f"{NAMED_LETTERS} ({analysis.pair_test}, {ADJUSTED_OVER_PAIRS}, p < {analysis.alpha:g}); {SHADED}."
    elif len(table.systems) > 1:
        yield f"No letters: {table.untested}."
    if has_faults:
        yield "In brackets: the segments with faults."


def make_environment() -> "Environment":
    """Make the environment of the templates, which escape every text."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("tertium.commands.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["minus"] = _write_minus
    environment.globals["mark_classes"] = _mark_classes
    environment.globals["explain_direction"] = explain_direction
    return environment


def _write_minus(text: str) -> str:
    """Write minus signs before numbers; hyphens in names stay."""
    return re.sub(r"(?<![^\s(\[±])-(?=\d)", "−", text)


def _mark_classes(cell: Cell) -> str:
    """Return the CSS classes of a cell's marks, with a space before each."""
    classes = {Mark.LEADING: " leading", Mark.BEST: " best"}
    return "".join(name for mark, name in classes.items() if mark in cell.marks)


def read_assets(names: Sequence[str]) -> str:
    """Read files of the package as one text."""
    return "\n".join((_FOLDER / "assets" / name).read_text(encoding="utf-8") for name in names)


def wrap_script(script: str) -> str:
    """Keep our names out of the page's global scope."""
    return f'(() => {{\n"use strict";\n{script}}})();\n'


def write_policy(styles: Sequence[str], scripts: Sequence[str]) -> str:
    """Allow exactly these scripts and styles, and forbid all loading."""
    script_hashes, style_hashes = (" ".join(map(_hash, texts)) for texts in (scripts, styles))
    return (
        f"default-src 'none'; script-src {script_hashes}; style-src {style_hashes}; img-src data:; connect-src 'none'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def make_faults_table(contents: PageContents) -> Table | None:
    """Make the table of all faults with the ids of their segments; None if no check was computed or has texts."""
    if contents.corpus is None:
        return None
    finder = FaultFinder(contents.evaluation, contents.corpus)
    if not finder.checks:
        return None
    faults = list(islice(finder.find_all(), _MOST_FAULTS + 1))
    notes = [
        Note(describe_faulty(check, contents.evaluation, contents.evaluation.systems))
        for check in finder.checks
    ]
    if len(faults) > _MOST_FAULTS:
        where = argument("where", f"'{finder.checks[0].label}<100'")
        notes.append(Note(f"The first {_MOST_FAULTS} faults; tertium segments {where} lists the others."))
    return make_table(
        _fault_fields(contents.corpus), faults[:_MOST_FAULTS], title="Faults that checks found", notes=notes
    )


def _fault_fields(corpus: Corpus) -> list[Field[Fault]]:
    ids = corpus.segment_ids
    return [
        Field("system", is_key=True),
        Field("segment", int, lambda fault: fault.row + 1, form="{}"),
        *([] if ids is None else [Field[Fault]("id", get=lambda fault: ids[fault.row])]),
        Field("check", get=lambda fault: fault.label),
        Field("fault", get=lambda fault: fault.description),
    ]
