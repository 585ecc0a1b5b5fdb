"""Score tables as JSON, TSV, CSV, Markdown, LaTeX and plain text."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence

from tertium import __version__
from tertium.evaluation.statistics import Evaluation
from tertium.report.scores import Cell, MetricColumn, ScoreTable

__all__ = [
    "FORMATS",
    "escape_latex",
    "footnotes",
    "headings",
    "render_layout",
    "render_rows",
    "render_scores",
    "render_segments",
    "show_cell",
]

FORMATS = ("text", "json", "csv", "tsv", "md", "latex")
SCHEMA_VERSION = 1

# A row of texts, and lists of them.
Rows = Iterable[Sequence[object]]


def render_scores(table: ScoreTable, form: str) -> str:
    """Write the score table in a format."""
    if form == "json":
        return _dump(_describe(table))
    if form in ("csv", "tsv"):
        return _render_delimited(_long_rows(table), form)
    layout = [["system", *headings(table)], *_wide_rows(table)]
    notes = footnotes(table)
    return {"text": _render_text, "md": _render_markdown, "latex": _render_latex}[form](layout, notes)


def render_segments(evaluation: Evaluation, table: ScoreTable, form: str) -> str:
    """Write every segment's score under every metric for every system."""
    scores = {column.label: _segment_scores(evaluation, column, table) for column in table.columns}
    if form == "json":
        described = _describe(table)
        for i, system in enumerate(described["systems"]):  # type: ignore[arg-type, var-annotated]
            system["segments"] = {label: rows[i] for label, rows in scores.items()}
        return _dump(described)
    if form in ("csv", "tsv"):
        rows: list[Sequence[object]] = [["system", "segment", "metric", "score"]]
        for i, system in enumerate(table.systems):
            for segment in range(table.n_segments):
                rows += [[system, segment + 1, label, repr(by[i][segment])] for label, by in scores.items()]
        return _render_delimited(rows, form)
    layout = [["system", "segment", *scores]]
    for i, system in enumerate(table.systems):
        for segment in range(table.n_segments):
            numbers = [_number(by[i][segment], table.scale) for by in scores.values()]
            layout.append([system, str(segment + 1), *numbers])
    return {"text": _render_text, "md": _render_markdown, "latex": _render_latex}[form](layout, [])


def headings(table: ScoreTable) -> list[str]:
    """A column's heading: the label the user gave and which way is better."""
    return [f"{column.label} {column.arrow}" for column in table.columns]


def show_cell(cell: Cell, scale: int) -> str:
    """Write one score with what stands beside it: `*44.80 ±2.10 p=0.0120 (1)`, * for the best."""
    parts = [_number(cell.score, scale)]
    if cell.interval is not None:
        low, high = cell.interval
        parts.append(f"±{_number((high - low) / 2, scale)}")
    if cell.p_value is not None:
        parts.append(f"p={cell.p_value:.4f}")
    if cell.cluster is not None:
        parts.append(f"({cell.cluster})")
    return "*" * cell.is_best + " ".join(parts)


def footnotes(table: ScoreTable) -> list[str]:
    """What a reader needs to understand the table: test, clusters, close calls, signatures."""
    notes = [f"{table.n_segments:,} segments; ↑ higher is better, ↓ lower is better"]
    if (comparison := table.comparison) is not None and len(table.systems) > 1:
        notes[0] += ", * best"
        name = {"bootstrap": "bootstrap", "randomization": "approximate randomization"}[comparison.test]
        notes.append(
            f"(1), (2), …: clusters of systems that cannot be told apart "
            f"(paired {name}, {comparison.n_samples:,} samples, all pairs, Holm-adjusted p < 0.05)"
        )
        if comparison.baseline is not None:
            notes.append(f"p: against the baseline {comparison.baseline}, as sacreBLEU computes it")
        notes += [note for column in table.columns if (note := _close_call(column))]
    if table.shows_intervals:
        notes.append("±: half of the 95 % bootstrap interval")
    return notes + [f"{column.label}: {column.signature}" for column in table.columns]


def _close_call(column: MetricColumn) -> str | None:
    """The two best systems, if the metric cannot tell them apart."""
    if not column.pairs or column.pairs[0].p_adjusted < 0.05:
        return None
    pair = column.pairs[0]
    if pair.further_segments is None:
        return f"{column.label}: {pair.better} and {pair.worse} score the same"
    return (
        f"{column.label}: {pair.better} and {pair.worse} cannot be told apart; "
        f"about {pair.further_segments:,} further segments would probably separate them"
    )


def _number(value: float, scale: int) -> str:
    return f"{value:.2f}" if scale == 100 else f"{value:.4f}"


def _wide_rows(table: ScoreTable) -> list[list[str]]:
    return [
        [system, *(show_cell(column.cells[i], table.scale) for column in table.columns)]
        for i, system in enumerate(table.systems)
    ]


def _long_rows(table: ScoreTable) -> list[Sequence[object]]:
    shows_p = table.comparison is not None and table.comparison.baseline is not None
    header = ["system", "metric", "score"]
    header += ["ci_low", "ci_high"] * table.shows_intervals + ["p_value"] * shows_p
    rows: list[Sequence[object]] = [header]
    for i, system in enumerate(table.systems):
        for column in table.columns:
            cell = column.cells[i]
            row = [system, column.label, repr(cell.score)]
            if cell.interval is not None:
                row += [repr(bound) for bound in cell.interval]
            if shows_p:
                row.append("" if cell.p_value is None else repr(cell.p_value))
            rows.append(row)
    return rows


def _describe(table: ScoreTable) -> dict[str, object]:
    """The JSON document: one schema for one or many systems."""
    low, high = table.n_references
    document: dict[str, object] = {
        "schema_version": SCHEMA_VERSION,
        "tool": "tertium",
        "version": __version__,
        "scale": table.scale,
        "segments": table.n_segments,
        "references": {"min": low, "max": high},
        "metrics": [_describe_metric(column) for column in table.columns],
        "systems": [_describe_system(table, i) for i in range(len(table.systems))],
    }
    if table.comparison is not None:
        document["test"] = {
            "name": table.comparison.test,
            "samples": table.comparison.n_samples,
            "seed": table.comparison.seed,
            "baseline": table.comparison.baseline,
        }
        document["pairs"] = [
            {"metric": column.label, **vars(pair)} for column in table.columns for pair in column.pairs
        ]
    return document


def _describe_metric(column: MetricColumn) -> dict[str, object]:
    return {
        "label": column.label,
        "name": column.metric.name,
        "signature": column.signature,
        "higher_is_better": column.metric.higher_is_better,
        "bounded": column.metric.bounded,
    }


def _describe_system(table: ScoreTable, i: int) -> dict[str, object]:
    scores = {}
    for column in table.columns:
        cell = column.cells[i]
        entry: dict[str, object] = {"score": cell.score, "details": column.details[i]}
        if cell.interval is not None:
            entry |= {"mean": cell.mean, "ci_low": cell.interval[0], "ci_high": cell.interval[1]}
        if cell.p_value is not None:
            entry["p_value"] = cell.p_value
        if cell.cluster is not None:
            entry["cluster"] = cell.cluster
        scores[column.label] = entry
    return {"name": table.systems[i], "scores": scores}


def _segment_scores(evaluation: Evaluation, column: MetricColumn, table: ScoreTable) -> list[list[float]]:
    factor = table.scale / 100 if column.metric.bounded else 1.0
    rows: list[list[float]] = (evaluation.segment_scores(column.label) * factor).tolist()
    return rows


def _dump(document: dict[str, object]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _render_delimited(rows: Rows, form: str) -> str:
    if form == "tsv":
        return "".join("\t".join(map(_tab_free, row)) + "\n" for row in rows)
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def _tab_free(value: object) -> str:
    return str(value).replace("\t", " ").replace("\n", " ")


def _render_text(layout: list[list[str]], notes: list[str]) -> str:
    widths = [max(map(len, column)) for column in zip(*layout, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in layout
    ]
    return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"


def _render_markdown(layout: list[list[str]], notes: list[str]) -> str:
    header, *body = [[cell.replace("|", "\\|") for cell in row] for row in layout]
    rule = ["---", *["---:"] * (len(header) - 1)]
    lines = [f"| {' | '.join(row)} |" for row in [header, rule, *body]]
    return "\n".join([*lines, *([""] if notes else []), *(f"- {note}" for note in notes)]) + "\n"


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{",
    "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "↑": r"$\uparrow$",
    "↓": r"$\downarrow$", "±": r"$\pm$", "…": r"\ldots{}",
}  # fmt: skip


def _render_latex(layout: list[list[str]], notes: list[str]) -> str:
    escape: Callable[[str], str] = lambda text: "".join(_LATEX.get(c, c) for c in text)  # noqa: E731
    header, *body = [" & ".join(map(escape, row)) + r" \\" for row in layout]
    columns = "l" + "r" * (len(layout[0]) - 1)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule", *body, r"\bottomrule"]
    comments = [f"% {note}" for note in notes]
    return "\n".join([*comments, *lines, r"\end{tabular}"]) + "\n"


def render_layout(layout: list[list[str]], notes: list[str], form: str) -> str:
    """Write any table of texts, its heading first, as plain text, Markdown or LaTeX."""
    return {"text": _render_text, "md": _render_markdown, "latex": _render_latex}[form](layout, notes)


def render_rows(rows: Rows, form: str) -> str:
    """Write any rows as CSV or TSV."""
    return _render_delimited(rows, form)


def escape_latex(text: str) -> str:
    """Write a text so that LaTeX prints it."""
    return "".join(_LATEX.get(character, character) for character in text)
