r"""The table of scores as a LaTeX table for a paper: ranks, letters, small intervals, and a caption with the methods."""

from collections.abc import Iterator

from tertium.presentation.score_table import MetricColumn, ScoreCell, ScoreTable, format_score
from tertium.presentation.score_tables import count_segments
from tertium.presentation.tables.latex import escape_latex
from tertium.stats.letters import format_rank_range
from tertium.verdicts import ADJUSTED_OVER_PAIRS, SHARED_LETTERS, explain_interval, explain_mark


def render_paper_table(table: ScoreTable) -> str:
    """Write the scores as a floating table; the preamble needs booktabs."""
    return "".join(f"{line}\n" for line in _lines(table))


def _lines(table: ScoreTable) -> Iterator[str]:
    has_ranks = table.tests_pairs
    headings = [f"{escape_latex(column.title)} {escape_latex(column.arrow)}" for column in table.columns]
    yield r"\begin{table}"
    yield r"\centering"
    yield rf"\begin{{tabular}}{{{'r' * has_ranks}l{'r' * len(headings)}}}"
    yield r"\toprule"
    yield _join(*(["Rank"] if has_ranks else []), "System", *headings)
    yield r"\midrule"
    for i, system in enumerate(table.systems):
        cells = [_write_cell(column.cells[i], table) for column in table.columns]
        rank = [_write_rank(table.columns[0].cells[i])] if has_ranks else []
        yield _join(*rank, escape_latex(system), *cells)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield rf"\caption{{{' '.join(_caption(table))}}}"
    yield r"\label{tab:scores}"
    yield r"\end{table}"


def _write_rank(cell: ScoreCell) -> str:
    if cell.rank_best is None or cell.rank_worst is None:
        return ""
    return format_rank_range((cell.rank_best, cell.rank_worst)).replace("–", "--")


def _write_cell(cell: ScoreCell, table: ScoreTable) -> str:
    score = format_score(cell.score, cell.shown_scale).replace("-", "$-$")
    text = rf"\textbf{{{score}}}" if cell.is_best else score
    text += _mark_significance(cell, table)
    if cell.interval is None:
        return text
    low, high = cell.interval
    return rf"{text} {{\scriptsize$\pm${format_score((high - low) / 2, cell.shown_scale)}}}"


def _mark_significance(cell: ScoreCell, table: ScoreTable) -> str:
    """Mark a significant difference from the baseline; without a baseline, write the letters."""
    comparison = table.comparison
    if comparison is None:
        return ""
    if comparison.analysis.baseline is None:
        return rf"$^{{\mathrm{{{cell.letters}}}}}$" if cell.letters else ""
    is_significant = cell.p_value is not None and cell.p_value < comparison.analysis.alpha
    return r"$^{\ddagger}$" if is_significant else ""


def _caption(table: ScoreTable) -> Iterator[str]:
    comparison = table.comparison
    yield f"Scores on {count_segments(table.n_segments)}; the best score of each metric is bold."
    if comparison is not None:
        analysis = comparison.analysis
        if table.shows_intervals:
            yield explain_interval(escape_latex(analysis.interval_name), r"$\pm$:") + "."
        yield from _explain_tests(table)
    yield f"Signatures: {'; '.join(_write_signature(column) for column in table.columns)}."


def _explain_tests(table: ScoreTable) -> Iterator[str]:
    """Say what the marks mean: the test, the unit of resampling, the correction and the level."""
    assert table.comparison is not None  # noqa: S101 - checked by the caller
    analysis = table.comparison.analysis
    level = f"$p < {analysis.alpha:g}$"
    tested = f"{escape_latex(analysis.pair_test)}, {ADJUSTED_OVER_PAIRS}, {level}"
    if not table.tests_pairs:
        tested = f"sacreBLEU's paired bootstrap, {analysis.n_samples:,} samples, not adjusted, {level}"
    if table.has_p_values:
        mark = explain_mark(r"$\ddagger$", escape_latex(analysis.baseline or ""))
        yield f"{mark} ({tested})."
    elif table.tests_pairs:
        yield f"{SHARED_LETTERS[:1].upper()}{SHARED_LETTERS[1:]} ({tested})."
    elif table.untested is not None and len(table.systems) > 1:
        yield f"No tests: {escape_latex(table.untested)}."
    if table.tests_pairs:
        yield f"Ranks: the range that the tests support on {escape_latex(table.columns[0].title)}."


def _write_signature(column: MetricColumn) -> str:
    return rf"\texttt{{{escape_latex(column.signature)}}}"


def _join(*cells: str) -> str:
    return rf"{' & '.join(cells)} \\"
