r"""The table of scores as a LaTeX table for a paper: ranks, daggers, small intervals, and a caption with the methods."""

from collections.abc import Iterator

from tertium.reporting.score_table import MetricColumn, ScoreCell, ScoreTable, format_score
from tertium.reporting.scores import count_segments
from tertium.reporting.tables.latex import escape_latex
from tertium.stats.letters import format_rank_range

_TESTS = {
    "bootstrap": "paired bootstrap",
    "randomization": "approximate randomization",
    "sacrebleu-bootstrap": "sacreBLEU's paired bootstrap",
}


def render_paper_table(table: ScoreTable) -> str:
    """Write the scores as a floating table; the preamble needs booktabs."""
    return "".join(f"{line}\n" for line in _lines(table))


def _lines(table: ScoreTable) -> Iterator[str]:
    has_ranks = any(cell.rank_best is not None for cell in table.columns[0].cells)
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
    if _has_dagger(cell, table):
        text += r"$^{\dagger}$"
    if cell.interval is None:
        return text
    low, high = cell.interval
    return rf"{text} {{\scriptsize$\pm${format_score((high - low) / 2, cell.shown_scale)}}}"


def _has_dagger(cell: ScoreCell, table: ScoreTable) -> bool:
    """Whether the system differs significantly from the baseline; without one, whether it ties with the best."""
    comparison = table.comparison
    if comparison is None:
        return False
    if comparison.analysis.baseline is not None:
        return cell.p_value is not None and cell.p_value < comparison.analysis.alpha
    return cell.is_leading and not cell.is_best


def _caption(table: ScoreTable) -> Iterator[str]:
    comparison = table.comparison
    yield f"Scores on {count_segments(table.n_segments)}; the best score of each metric is bold."
    if comparison is not None:
        analysis = comparison.analysis
        if table.shows_intervals:
            yield rf"$\pm$: half of the {escape_latex(analysis.level)} bootstrap confidence interval."
        if comparison.untested is None and len(table.systems) > 1:
            yield from _explain_tests(table)
    yield f"Signatures: {'; '.join(_write_signature(column) for column in table.columns)}."


def _explain_tests(table: ScoreTable) -> Iterator[str]:
    assert table.comparison is not None  # noqa: S101 - checked by the caller
    analysis = table.comparison.analysis
    how = f"{_TESTS[analysis.test]}, {analysis.n_samples:,} samples"
    if analysis.baseline is not None:
        yield rf"$\dagger$: significantly different from {escape_latex(analysis.baseline)} ({how}, $p < {analysis.alpha:g}$)."
    else:
        yield rf"$\dagger$: not significantly worse than the best ({how}, Holm-adjusted $p < {analysis.alpha:g}$)."
    yield f"Ranks: the range that the tests support on {escape_latex(table.columns[0].title)}."


def _write_signature(column: MetricColumn) -> str:
    return rf"\texttt{{{escape_latex(column.signature)}}}"


def _join(*cells: str) -> str:
    return rf"{' & '.join(cells)} \\"
