"""Statistics are objects: one registered object is enough for tables, tests and intervals."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.commands.meta.meta import MetaResult
from tertium.errors import OptionError
from tertium.metaeval.agreement import parse_statistic
from tertium.metaeval.agreement_statistics import STATISTICS, CoefficientStatistic, Statistic, register
from tertium.stats.correlation import Coefficient, kendall_b, pearson
from tertium.values import FloatArray

DATA = Path(__file__).parents[2] / "examples" / "data"


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    """Forget statistics that a test registers."""
    known = dict(STATISTICS)
    yield
    STATISTICS.clear()
    STATISTICS.update(known)


def run_meta(*names: str, **options: object) -> MetaResult:
    return tertium.meta(
        metrics="bleu,chrf,ter",
        references=[str(DATA / "reference.en.txt")],
        hypotheses=sorted(map(str, (DATA / "systems").glob("*.txt"))),
        human=[str(DATA / "human.tsv")],
        statistics=names,
        **options,  # type: ignore[arg-type]
    )


def concordance_correlation(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Lin's (1989) coefficient, as a contributor may write it."""
    known = ~np.isnan(human) & ~np.isnan(metric)
    x, y = np.where(known, human, np.nan), np.where(known, metric, np.nan)
    deviations = (x - np.nanmean(x, axis=-1, keepdims=True)) * (y - np.nanmean(y, axis=-1, keepdims=True))
    gaps = (np.nanmean(x, axis=-1) - np.nanmean(y, axis=-1)) ** 2
    return np.asarray(
        2 * np.nanmean(deviations, axis=-1) / (np.nanvar(x, axis=-1) + np.nanvar(y, axis=-1) + gaps)
    )


def test_one_registered_object_has_values_the_default_test_and_intervals() -> None:
    register(CoefficientStatistic("ccc", "Lin's concordance correlation", concordance_correlation))
    result = run_meta("system:ccc", "segment:ccc", "segment:ccc:system", ci=True, samples=20)
    assert [table.spec.title for table in result.tables] == [
        "system level, Lin's concordance correlation",
        "segment level, Lin's concordance correlation",
        "segment level, Lin's concordance correlation, averaged over systems",
    ]
    for table in result.tables:
        (column,) = table.columns
        assert column.p_values is not None
        assert np.all((column.p_values > 0) & (column.p_values <= 1))
        for cell in column.cells:
            assert cell.value is not None
            assert cell.interval is not None
            assert cell.interval[0] < cell.interval[1]
    assert "Lin's concordance correlation" in result.render("text")


@pytest.mark.parametrize(
    ("fast", "coefficient"), [("pearson", pearson), ("kendall", kendall_b)], ids=["pearson", "kendall"]
)
@pytest.mark.parametrize("place", ["system:{}", "segment:{}", "segment:{}:item", "segment:{}:system"])
def test_the_generic_test_and_bootstrap_give_what_the_fast_ones_give(
    fast: str, coefficient: Coefficient, place: str
) -> None:
    register(CoefficientStatistic("generic", "the same coefficient", coefficient))
    n_samples = 5 if place == "segment:{}" else 20
    tables = run_meta(place.format(fast), place.format("generic"), ci=True, samples=n_samples).tables
    first, second = (table.columns[0] for table in tables)
    np.testing.assert_array_equal(first.p_values, second.p_values)
    for one, other in zip(first.cells, second.cells, strict=True):
        assert one.value == other.value
        # sums in another order
        np.testing.assert_allclose(one.interval, other.interval, rtol=0, atol=1e-10)  # type: ignore[arg-type]


def test_a_name_is_registered_once() -> None:
    with pytest.raises(OptionError, match="there is a statistic 'pearson' already"):
        register(CoefficientStatistic("pearson", "another r", pearson))


def test_a_statistic_exists_only_at_its_levels() -> None:
    register(CoefficientStatistic("toy", "a toy", pearson, levels=("segment",)))
    assert parse_statistic("segment:toy:item").statistic.title == "a toy"
    with pytest.raises(OptionError, match="the system level has no statistic 'toy'"):
        parse_statistic("system:toy")


@pytest.mark.parametrize("statistic", STATISTICS.values(), ids=STATISTICS)
def test_every_statistic_is_documented(statistic: Statistic[object]) -> None:
    page = (DATA.parents[1] / "docs" / "meta-evaluation.md").read_text(encoding="utf-8")
    assert f"`{statistic.name}`" in page


@pytest.mark.parametrize("alpha", [0.05, 0.3, 0.5])
def test_intervals_have_level_one_minus_alpha(alpha: float) -> None:
    (table,) = run_meta("segment:pearson", ci=True, alpha=alpha, samples=50).tables
    (wide,) = run_meta("segment:pearson", ci=True, alpha=0.01, samples=50).tables
    assert table.test.level == f"{100 - 100 * alpha:g} %"
    for cell, wider in zip(table.columns[0].cells, wide.columns[0].cells, strict=True):
        assert cell.interval is not None
        assert wider.interval is not None
        assert wider.interval[0] < cell.interval[0] < cell.interval[1] < wider.interval[1]
