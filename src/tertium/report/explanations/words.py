"""An explanation in words: what was compared, step by step, and its matrices as small heat maps."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tertium.types import Explanation, FloatArray

__all__ = ["LARGEST_MAP", "axis_labels", "explain_in_words", "label_links", "spell_fact"]

LARGEST_MAP = 60  # more rows or columns than a terminal shows

_SHADES = " ░▒▓█"
_LABEL_WIDTH = 12


def explain_in_words(explanation: Explanation, *, system: str = "") -> list[str]:
    """Tell everything that the explanation holds, line by line, with blank lines between its parts."""
    parts = [
        _tell_head(explanation, system),
        list(explanation.steps),
        _tell_links(explanation),
        *(_draw_matrix(explanation, *item) for item in explanation.matrices.items()),
        [*_tell_weights(explanation)],
        _tell_facts(explanation.facts),
    ]
    first, *rest = [part for part in parts if part]
    return [*first, *(line for part in rest for line in ("", *part))]


def axis_labels(words: Sequence[str], count: int) -> Sequence[str]:
    """Name the rows or columns of a matrix by their words, or by numbers if there are more or fewer words."""
    return words if len(words) == count else [str(number) for number in range(1, count + 1)]


def label_links(explanation: Explanation) -> list[tuple[str, str, str]]:
    """Name both ends of every link."""
    rows = explanation.rows or explanation.hypothesis
    columns = explanation.columns or explanation.reference
    return [(rows[i], columns[j], kind) for i, j, kind in explanation.links]


def spell_fact(value: float | str) -> str:
    """Write a fact's value in up to six digits."""
    return value if isinstance(value, str) else f"{value:.6g}"


def _tell_head(explanation: Explanation, system: str) -> list[str]:
    return [
        f"{f'{system}: ' if system else ''}{explanation.metric} = {explanation.score:.2f}",
        f"  hypothesis  {' '.join(explanation.hypothesis)}",
        f"  reference   {' '.join(explanation.reference)}",
    ]


def _tell_links(explanation: Explanation) -> list[str]:
    """The pairs of words, unless the steps already tell them."""
    if explanation.steps or not explanation.links:
        return []
    pairs = [(f"{row} – {column}", kind) for row, column, kind in label_links(explanation)]
    width = max(len(pair) for pair, _ in pairs)
    return [f"{pair:{width}}  {kind}".rstrip() for pair, kind in pairs]


def _draw_matrix(explanation: Explanation, name: str, matrix: FloatArray) -> list[str]:
    if max(matrix.shape, default=0) > LARGEST_MAP or matrix.ndim != 2:
        return [f"{name}: {' × '.join(map(str, matrix.shape))}, too large to draw here"]
    rows = axis_labels(explanation.rows or explanation.hypothesis, matrix.shape[0])
    columns = axis_labels(explanation.columns or explanation.reference, matrix.shape[1])
    largest = float(np.abs(matrix[np.isfinite(matrix)]).max(initial=0.0))
    lines = [f"{name} (█ = {largest:.3g})"]
    lines.append(" " * (_LABEL_WIDTH + 1) + "".join(f"{(j + 1) % 100:>2} " for j in range(len(columns))))
    for label, row in zip(rows, matrix, strict=True):
        cells = "".join(2 * _shade(float(value), largest) + " " for value in row)
        lines.append(f"{label[:_LABEL_WIDTH]:{_LABEL_WIDTH}} {cells}".rstrip())
    legend = ", ".join(f"{j} {label}" for j, label in enumerate(columns, start=1))
    return [*lines, f"columns: {legend}"]


def _shade(value: float, largest: float) -> str:
    if not np.isfinite(value):
        return "?"
    if largest == 0:
        return _SHADES[0]
    return _SHADES[round(abs(value) / largest * (len(_SHADES) - 1))]


def _tell_weights(explanation: Explanation) -> Iterator[str]:
    """How much each row and each column of the matrices counts."""
    axes = (
        ("row", explanation.rows or explanation.hypothesis, explanation.row_weights),
        ("column", explanation.columns or explanation.reference, explanation.column_weights),
    )
    for axis, words, weights in axes:
        if weights:
            labels = axis_labels(words, len(weights))
            pairs = zip(labels, weights, strict=True)
            yield f"{axis} weights: " + ", ".join(f"{label} {weight:.4g}" for label, weight in pairs)


def _tell_facts(facts: Mapping[str, float | str]) -> list[str]:
    width = max(map(len, facts), default=0)
    return [f"{name.replace('_', ' '):{width}}  {spell_fact(value)}" for name, value in facts.items()]
