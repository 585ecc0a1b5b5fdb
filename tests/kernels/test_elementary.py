"""Elementary functions give rounded exact values, and scores the same digits, whatever instructions the processor has."""

import hashlib
import math
import os
import subprocess
import sys
from collections.abc import Callable
from decimal import Context, Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.kernels.elementary import erfc, exp, expm1, lgamma, log, log1p, log2, power, tanh
from tertium.values import FloatArray

DATA = Path(__file__).parents[2] / "examples" / "data"
POSITIVE = st.floats(min_value=2**-1000, max_value=1.7e308)
HALF = 0.5001  # about one result in ten thousand is a little nearer to the next number
Function = Callable[[list[float]], FloatArray]


MATH = Context(prec=50)


def _error(found: float, exact: Decimal) -> float:
    """Return the error of a result in units of its last place."""
    return float(abs(Decimal(found) - exact) / Decimal(math.ulp(found)))


def _ln(value: float) -> Decimal:
    return Decimal(value).ln(MATH)


LOGARITHMS: dict[str, tuple[Function, Callable[[float], Decimal]]] = {
    "log": (log, _ln),
    "log2": (log2, lambda value: MATH.divide(_ln(value), _ln(2))),
    "log1p": (log1p, lambda value: MATH.add(Decimal(value), 1).ln(MATH)),
}


@pytest.mark.parametrize("name", LOGARITHMS)
@given(values=st.lists(st.floats(min_value=2**-40, max_value=1e15) | POSITIVE, max_size=20))
def test_logarithms_are_rounded_exact_values(name: str, values: list[float]) -> None:
    ours, exact = LOGARITHMS[name]
    if name == "log1p":
        values = [value for value in values if 1e-12 < value < 1e12]  # within the digits of MATH
    assert all(
        _error(found, exact(value)) <= HALF
        for value, found in zip(values, ours(values).tolist(), strict=True)
    )


@pytest.mark.slow
@given(
    values=st.lists(st.floats(min_value=-700, max_value=700).filter(lambda x: abs(x) > 1e-12), max_size=20)
)
def test_exponentials_are_rounded_exact_values(values: list[float]) -> None:
    for value, one, other in zip(values, exp(values).tolist(), expm1(values).tolist(), strict=True):
        exact = Decimal(value).exp(MATH)
        assert _error(one, exact) <= HALF
        assert _error(other, MATH.subtract(exact, 1)) <= HALF


def test_exponentials_halfway_between_two_numbers_are_rounded_exact_values() -> None:
    """Single doubles would round these powers to the wrong side."""
    values = [0.83576702071569375, -0.59820351466263255, -0.29870931115262822, -28.219893900722195]
    values += [-7.2643748320119492, -23.657488687449, 399.20195768360384, -143.25782059511693]
    for value, found in zip(values, exp(values).tolist(), strict=True):
        assert _error(found, Decimal(value).exp(MATH)) <= 0.5


@pytest.mark.slow
@given(values=st.lists(st.floats(min_value=1e-9, max_value=1e6), max_size=20), exponent=st.floats(-5, 5))
def test_powers_are_rounded_exact_values(values: list[float], exponent: float) -> None:
    for value, found in zip(values, power(values, exponent).tolist(), strict=True):
        assert _error(found, MATH.multiply(Decimal(exponent), _ln(value)).exp(MATH)) <= HALF


@given(values=st.lists(st.floats(min_value=-5, max_value=25), max_size=20))
def test_functions_of_distributions_are_those_of_pythons_math(values: list[float]) -> None:
    np.testing.assert_allclose(erfc(values), [math.erfc(value) for value in values], rtol=1e-14)
    np.testing.assert_allclose(tanh(values), [math.tanh(value) for value in values], rtol=1e-14)
    positive = [value for value in values if value > 0]
    np.testing.assert_allclose(lgamma(positive), list(map(math.lgamma, positive)), rtol=1e-13, atol=2e-14)


def test_powers_of_borders_are_those_of_pythons_math() -> None:
    bases, exponents = (
        [0.0, 0.0, -2.0, -2.0, 1.0, 3.0, 5.0, 0.5],
        [0.0, 2.0, 3.0, 2.0, 1e300, 2.0, 1e300, 1e300],
    )
    assert power(bases, exponents).tolist() == [1, 0, -8, 4, 1, 9, math.inf, 0]
    assert np.isnan(power([-2.0], 0.5)).all()


def test_every_bit_is_the_same_on_every_machine() -> None:
    """The checksum was computed on x86-64 with GCC 12; a processor or compiler that fuses or reorders changes it."""
    values = np.arange(1, 40_001) * 0.017
    found = [
        exp(-values), expm1(values / 100), log(values), log2(values), log1p(values), power(values, 0.3), erfc(values / 40), lgamma(values)
    ]  # fmt: skip
    assert hashlib.sha256(np.stack(found).astype("<f8").tobytes()).hexdigest()[:16] == "5c0bf1a9260ac94f"


def test_shapes_stay() -> None:
    assert exp(0.0).shape == ()
    assert log(np.ones((2, 0, 3))).shape == (2, 0, 3)
    assert power(np.ones((2, 1)), [1.0, 2.0, 3.0]).shape == (2, 3)
    np.testing.assert_array_equal(log2(np.array([[1.0, 2.0], [4.0, 8.0]]).T), [[0, 2], [1, 3]])


def test_borders_give_numbers_and_no_warning() -> None:
    assert exp([-1e9, 1e9]).tolist() == [0, math.inf]
    assert log([0.0]).tolist() == [-math.inf]
    assert np.isnan(log([-1.0])).all()


def _find_features() -> list[str]:
    """List the instructions that numpy uses here beyond those that it always uses."""
    numpy_core = pytest.importorskip("numpy._core._multiarray_umath")
    return [name for name in numpy_core.__cpu_dispatch__ if numpy_core.__cpu_features__[name]]


WITHOUT_SIMD = {
    "C library": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"},
    "BLAS": {"OPENBLAS_CORETYPE": "Prescott"},
    "numpy": {"NPY_DISABLE_CPU_FEATURES": " ".join(_find_features())},
}


def _score(environment: dict[str, str]) -> bytes:
    files = ["-r", "reference.en.txt", "-i", "systems/aurora.txt", "systems/boreas.txt"]
    metrics = "bleu,sentbleu,nist,ribes,meteor,hwcm,redp,std,has,mas,chrf,beer,yisi0"
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        "from tertium.cli.main import main; main()",
        "score",
        *files,
    ]
    command += ["-f", "json", "--ci", "--samples", "200", "--segments", "-m", metrics]
    environment = {**os.environ, "TERTIUM_CACHE": "off", **environment}
    return subprocess.run(command, cwd=DATA, env=environment, check=True, capture_output=True).stdout


@pytest.mark.slow
def test_scores_do_not_depend_on_the_instructions_that_libraries_use() -> None:
    expected = _score({})
    assert {library for library, settings in WITHOUT_SIMD.items() if _score(settings) != expected} == set()


@pytest.mark.parametrize("function", [log, log2])
def test_remembered_results_are_those_of_single_values(function: Function) -> None:
    ratios = np.random.default_rng(1).integers(0, 60, (4000, 2)) / np.array([1.0, 7.0])
    values = [*ratios.ravel().tolist(), -0.0, 0.0, -1.0, math.inf, math.nan]
    with np.errstate(all="ignore"):
        alone = [function([value])[0] for value in values]
    np.testing.assert_array_equal(function(values), alone)
    assert [math.copysign(1, value) for value in function(values)] == [
        math.copysign(1, value) for value in alone
    ]
