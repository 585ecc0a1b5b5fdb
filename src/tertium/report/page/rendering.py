"""The page as HTML: one template, our scripts and styles, the chart library and the data, all in one file."""

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tertium import __version__
from tertium.agreement.tables import MetaCell, MetaTable
from tertium.errors import MissingExtraError
from tertium.files.extras import install_hint
from tertium.report.charts.bundle import javascript_bundle
from tertium.report.page.answer import describe_answer
from tertium.report.page.contents import PageContents
from tertium.report.page.data import (
    describe_page,
    pack_human,
    pack_influence,
    pack_json,
    pack_scores,
    pack_texts,
    write_json,
)
from tertium.report.page.explained import MOST_BYTES, explain_segments
from tertium.report.page.figures import Figure, draw_figures
from tertium.report.page.people import draw_people, view_people
from tertium.report.promises import spell_promises
from tertium.report.score_table import MetricColumn

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["check_page_extra", "render_page"]

# In this order: each uses only what stands before it.
_SCRIPTS = (
    "data.js", "words.js", "state.js", "score_table.js", "charts.js",
    "filters.js", "segment_list.js", "pictures.js", "segment.js", "explorer.js", "main.js",
)  # fmt: skip
_STYLES = ("page.css", "explorer.css")


def check_page_extra() -> None:
    """Say before the work begins if the packages that a page needs are missing."""
    for module in ("jinja2", "vl_convert"):
        if find_spec(module) is None:
            raise MissingExtraError(
                f"the report page needs jinja2 and vl-convert-python: {install_hint('report')}"
            )


def render_page(contents: PageContents) -> str:
    """Write the whole page; it opens from disk, and its policy forbids it to load anything."""
    check_page_extra()
    figures = draw_figures(contents)
    people = contents.people
    people_charts = {} if people is None else dict(draw_people(people))
    explained = explain_segments(contents)
    drawn = [*figures, Figure("people", "People", people_charts)]
    style, script, library = _read_all(_STYLES), _wrap(_read_all(_SCRIPTS)), javascript_bundle()
    page: str = (
        _environment()
        .get_template("page.html")
        .render(
            contents=contents,
            promises=spell_promises(contents.table),
            table=contents.table,
            answer=describe_answer(contents.table),
            figures=figures,
            people=None if people is None else view_people(people),
            people_charts=people_charts,
            policy=_write_policy(style, [library, script]),
            style=style,
            library=library,
            script=script,
            data=write_json(describe_page(contents, drawn, explained)),
            texts=pack_texts(contents.corpus),
            scores=pack_scores(contents.evaluation),
            influence=pack_influence(contents.evaluation),
            human=pack_human(people),
            explained=pack_json(explained.entries) if explained.entries else "",
            explained_systems=explained.systems,
            explained_counts=dict(zip(contents.evaluation.labels, explained.n_segments, strict=False)),
            most_bytes=MOST_BYTES,
            version=__version__,
        )
    )
    return page


def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - an extra

    environment = Environment(
        loader=PackageLoader("tertium.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["score"] = _write_score
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.globals["half_interval"] = _half_interval
    environment.globals["agreement_of"] = _agreement_of
    return environment


def _write_score(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _half_interval(column: MetricColumn, row: int) -> str:
    low, high = column.cells[row].interval or (0.0, 0.0)
    return f"±{(high - low) / 2:.2f}"


def _agreement_of(table: MetaTable, label: str) -> MetaCell:
    if label not in table.metrics:
        return MetaCell(None, None, "not scored")
    return table.columns[0].cells[table.metrics.index(label)]


def _read_all(names: Sequence[str]) -> str:
    folder = files("tertium.report.page") / "assets"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def _wrap(script: str) -> str:
    """Keep our names out of the page's global ones."""
    return f'(() => {{\n"use strict";\n{script}}})();\n'


def _write_policy(style: str, scripts: Sequence[str]) -> str:
    """Allow exactly these texts to run, and nothing to be loaded from anywhere."""
    hashes = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {hashes}; style-src {_hash(style)}; img-src data:; connect-src 'none'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"
