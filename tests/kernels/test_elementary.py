"""Elementary functions give the C library's digits, whatever registers the processor has."""

import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.kernels.elementary import exp, expm1, log, log2, power
from tertium.types import FloatArray

DATA = Path(__file__).parents[2] / "examples" / "data"
POSITIVE = st.floats(min_value=5e-324, max_value=1.7e308)


@pytest.mark.parametrize(("ours", "theirs"), [(log, math.log), (log2, math.log2)], ids=["log", "log2"])
@given(values=st.lists(POSITIVE, max_size=70))
def test_logarithms_are_those_of_pythons_math(
    ours: Callable[[list[float]], FloatArray], theirs: Callable[[float], float], values: list[float]
) -> None:
    assert ours(values).tolist() == [theirs(value) for value in values]


@pytest.mark.slow
@pytest.mark.parametrize(("ours", "theirs"), [(exp, math.exp), (expm1, math.expm1)], ids=["exp", "expm1"])
@given(values=st.lists(st.floats(min_value=-800, max_value=700), max_size=70))
def test_exponentials_are_those_of_pythons_math(
    ours: Callable[[list[float]], FloatArray], theirs: Callable[[float], float], values: list[float]
) -> None:
    assert ours(values).tolist() == [theirs(value) for value in values]


@pytest.mark.slow
@given(values=st.lists(st.floats(min_value=0, max_value=1e6), max_size=70), exponent=st.floats(0, 5))
def test_powers_are_those_of_pythons_math(values: list[float], exponent: float) -> None:
    assert power(values, exponent).tolist() == [math.pow(value, exponent) for value in values]


def test_shapes_stay() -> None:
    assert exp(0.0).shape == ()
    assert log(np.ones((2, 0, 3))).shape == (2, 0, 3)
    assert power(np.ones((2, 1)), [1.0, 2.0, 3.0]).shape == (2, 3)
    np.testing.assert_array_equal(log2(np.array([[1.0, 2.0], [4.0, 8.0]]).T), [[0, 2], [1, 3]])


def test_borders_give_numbers_and_no_warning() -> None:
    assert exp([-1e9, 1e9]).tolist() == [0, math.inf]
    assert log([0.0]).tolist() == [-math.inf]
    assert np.isnan(log([-1.0])).all()


def _score(disabled: str) -> bytes:
    command = [sys.executable, "-c", "from tertium.cli.main import main; main()"]
    command += [
        "score",
        "-r",
        "reference.en.txt",
        "-i",
        "systems/aurora.txt",
        "systems/boreas.txt",
        "-f",
        "json",
    ]
    command += ["--segments", "-m", "bleu,sentbleu,nist,ribes,meteor,hwcm,redp,std,chrf,beer"]
    environment = {**os.environ, "TERTIUM_CACHE": "off", "NPY_DISABLE_CPU_FEATURES": disabled}
    return subprocess.run(command, cwd=DATA, env=environment, check=True, capture_output=True).stdout


@pytest.mark.slow
def test_scores_do_not_depend_on_the_registers_that_numpy_finds() -> None:
    numpy_core = pytest.importorskip("numpy._core._multiarray_umath")
    wide = [name for name in numpy_core.__cpu_dispatch__ if numpy_core.__cpu_features__[name]]
    if not wide:
        pytest.skip("this processor has none beyond what numpy always uses")
    assert _score(" ".join(wide)) == _score("")
