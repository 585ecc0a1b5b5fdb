"""An explanation on a terminal: what was compared, step by step, and its matrices as small heat maps."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from tertium.types import Explanation, FloatArray

__all__ = ["render_explanation"]

_SHADES = " ░▒▓█"
_LABEL_WIDTH = 12
_LARGEST_MAP = 60  # more rows or columns than a terminal shows


def render_explanation(explanation: Explanation) -> str:
    """Write everything the explanation holds as plain text."""
    parts = [
        _render_head(explanation),
        list(explanation.steps),
        _render_links(explanation),
        *(_render_matrix(explanation, *item) for item in explanation.matrices.items()),
        _render_facts(explanation.facts),
    ]
    return "\n\n".join("\n".join(map(_printable, part)) for part in parts if part) + "\n"


def _render_head(explanation: Explanation) -> list[str]:
    return [
        f"{explanation.metric} = {explanation.score:.2f}",
        f"  hypothesis  {' '.join(explanation.hypothesis)}",
        f"  reference   {' '.join(explanation.reference)}",
    ]


def _render_links(explanation: Explanation) -> list[str]:
    """The pairs of words, unless the steps already tell them."""
    if explanation.steps or not explanation.links:
        return []
    rows = explanation.rows or explanation.hypothesis
    columns = explanation.columns or explanation.reference
    pairs = [(f"{rows[i]} – {columns[j]}", kind) for i, j, kind in explanation.links]
    width = max(len(pair) for pair, _ in pairs)
    return [f"{pair:{width}}  {kind}".rstrip() for pair, kind in pairs]


def _render_matrix(explanation: Explanation, name: str, matrix: FloatArray) -> list[str]:
    if max(matrix.shape, default=0) > _LARGEST_MAP or matrix.ndim != 2:
        return [f"{name}: {' × '.join(map(str, matrix.shape))}, too large to draw here"]
    rows = _labels(explanation.rows or explanation.hypothesis, matrix.shape[0])
    columns = _labels(explanation.columns or explanation.reference, matrix.shape[1])
    largest = float(np.abs(matrix[np.isfinite(matrix)]).max(initial=0.0))
    lines = [f"{name} (█ = {largest:.3g})"]
    lines.append(" " * (_LABEL_WIDTH + 1) + "".join(f"{(j + 1) % 100:>2} " for j in range(len(columns))))
    for label, row in zip(rows, matrix, strict=True):
        cells = "".join(2 * _shade(float(value), largest) + " " for value in row)
        lines.append(f"{label[:_LABEL_WIDTH]:{_LABEL_WIDTH}} {cells}".rstrip())
    return [*lines, *_legend(columns)]


def _legend(columns: Sequence[str]) -> Iterator[str]:
    yield "columns: " + ", ".join(f"{j} {label}" for j, label in enumerate(columns, start=1))


def _labels(words: Sequence[str], count: int) -> Sequence[str]:
    return words if len(words) == count else [str(number) for number in range(1, count + 1)]


def _shade(value: float, largest: float) -> str:
    if not np.isfinite(value):
        return "?"
    if largest == 0:
        return _SHADES[0]
    return _SHADES[round(abs(value) / largest * (len(_SHADES) - 1))]


def _render_facts(facts: Mapping[str, float | str]) -> list[str]:
    width = max(map(len, facts), default=0)
    return [f"{name.replace('_', ' '):{width}}  {_spell(value)}" for name, value in facts.items()]


def _spell(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6g}"


def _printable(line: str) -> str:
    """Text may hold control characters, which a terminal would obey."""
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line
    )
