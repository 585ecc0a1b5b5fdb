"""Time limits, generous enough for a quiet machine; `make bench` runs them, `make test` does not."""

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import tertium
from kernels.test_interrupts import CASES, seconds_until_interrupted
from tertium.catalog import parse_metrics
from tertium.corpus.texts.markup import read_sgml
from tertium.errors import InputError
from tertium.evaluation.comparison import compare
from tertium.evaluation.evaluation import Evaluation
from tertium.kernels.sums import sum_rows
from tertium.text.detection import detect_language


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    begin = clock()
    work()
    return clock() - begin


@pytest.mark.parametrize(("name", "threads"), CASES)
def test_a_signal_ends_a_long_call_within_two_seconds(name: str, threads: int) -> None:
    assert seconds_until_interrupted(name, threads) < 2


def test_a_thousand_resamples_of_ten_systems_take_less_than_two_seconds() -> None:
    rng = np.random.default_rng(0)
    metrics = parse_metrics(["bleu,wer,per,bleu:lowercase=yes,wer:lowercase=yes"])
    widths = {"bleu": 10, "wer": 2, "per": 2, "bleu:lowercase=yes": 10, "wer:lowercase=yes": 2}
    tables = {label: rng.integers(1, 20, (10, 3000, k)).astype(float) for label, k in widths.items()}
    evaluation = Evaluation(tuple("abcdefghij"), tuple(metrics), tables, (1, 1))
    assert seconds(lambda: compare(evaluation)) < 2  # about 0.3


def test_a_language_is_detected_from_a_sample() -> None:
    lines = ["Der Rat tritt am Dienstag zusammen, um über die Preise von Brot zu beraten."] * 100_000
    assert seconds(lambda: detect_language(lines)) < 0.1


def test_wordnet_loads_in_less_than_a_third_of_a_second() -> None:
    code = (
        "import numpy, time; from tertium.resources.synonyms import load_wordnet\n"
        "begin = time.process_time(); load_wordnet(); print(time.process_time() - begin)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(run.stdout) < 0.3


def test_a_million_rows_take_about_as_long_as_numpy() -> None:
    table = np.random.default_rng(0).random((1_000_000, 10))

    def best(work: Callable[[npt.NDArray[np.float64]], object]) -> float:
        return min(seconds(lambda: work(table), time.thread_time) for _ in range(5))

    assert best(sum_rows) < 3 * best(lambda rows: rows.sum(axis=0))  # about 1.3 on an idle core


@pytest.mark.parametrize(("n_words", "step"), [(1_000, None), (2_000, 7919)], ids=["others", "same words"])
def test_character_scores_an_enormous_segment_within_half_a_minute(n_words: int, step: int | None) -> None:
    first = " ".join(f"a{i}" for i in range(n_words))
    second = " ".join(f"a{i * step % n_words}" if step else f"b{i}" for i in range(n_words))
    assert seconds(lambda: tertium.score([first], [second], "character")) < 30  # it once took minutes


@pytest.mark.parametrize(
    "inside",
    ["a" * 10**6, "a " * 500_000, "a" + " " * 10**6, 'a="' * 300_000, "a='\"" * 200_000, "=" * 10**6],
)
def test_a_tag_of_any_length_is_read_in_linear_time(tmp_path: Path, inside: str) -> None:
    path = tmp_path / "a.sgm"
    path.write_text(
        f'<refset><doc {inside} docid="d"><seg id="1">text</seg></doc></refset>', encoding="utf-8"
    )

    def read() -> None:
        with suppress(InputError):
            read_sgml(str(path))

    assert seconds(read) < 5  # a tenth of this once took minutes
