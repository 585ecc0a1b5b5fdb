"""Explanations as JSON, for programs that draw them."""

import json
from collections.abc import Sequence
from typing import Any

from tertium.types import Explanation

__all__ = ["render_explanations_json"]


def render_explanations_json(explanations: Sequence[Explanation]) -> str:
    """Write explanations as one JSON document."""
    records = [_record(each) for each in explanations]
    return json.dumps({"schema_version": 1, "explanations": records}, ensure_ascii=False, indent=1) + "\n"


def _record(explanation: Explanation) -> dict[str, Any]:
    return {
        "metric": explanation.metric,
        "score": explanation.score,
        "hypothesis": list(explanation.hypothesis),
        "reference": list(explanation.reference),
        "steps": list(explanation.steps),
        "links": [list(link) for link in explanation.links],
        "rows": list(explanation.rows),
        "columns": list(explanation.columns),
        "matrices": {name: matrix.tolist() for name, matrix in explanation.matrices.items()},
        "facts": dict(explanation.facts),
    }
