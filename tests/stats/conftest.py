"""The scores on which mt-metrics-eval was run, and what it said of them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.values import FloatArray

GOLDEN = Path(__file__).parents[1] / "golden" / "mtme_stats.json"


@pytest.fixture(scope="session")
def mtme() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="session")
def mtme_results(mtme: dict[str, Any]) -> dict[str, Any]:
    results: dict[str, Any] = mtme["results"]
    return results


@pytest.fixture(scope="session")
def mtme_scores(mtme: dict[str, Any]) -> dict[str, FloatArray]:
    """Each column as (systems, segments); None is NaN."""
    data = mtme["data"]
    shape = data["num_sys"], data["num_items"]
    names = ("gold", "gold_with_none", "metric1", "metric2")
    return {name: np.array(data[name], dtype=float).reshape(shape) for name in names}
