"""Ctrl-C ends a kernel, whatever it computes, and leaves nothing behind."""

import signal
import subprocess
import sys
import time
from textwrap import dedent

import pytest

pytestmark = pytest.mark.slow

# A function and its arguments, with which it takes from ten seconds to hours.
LONG_CALLS = {
    "inversion, one pair": ("inversion_distance", "words(170, 9), words(170, 9)"),
    "inversion, many pairs": (
        "inversion_distances",
        "*([words(90, 9) for _ in range(300)] for _ in range(2))",
    ),
    "levenshtein": ("levenshtein_distances", "[words(2_000_000, 50)], [words(2_000_000, 50)]"),
    "character": ("count", "'character', [text(3000, 4000)], [[text(3000, 4000)]]"),
    "ter": ("count", "'ter', [text(100_000, 30)] * 9, [[text(100_000, 30)]] * 9"),
    "aligner": ("count", "'meteor:modules=exact', [text(900, 3)] * 200, [[text(900, 3)]] * 200"),
    "travel": ("travel", "vectors(6000)"),
    "batches side by side": (
        "count",
        "'invwer', [text(60, 30) for _ in range(8000)], [[text(60, 30)] for _ in range(8000)]",
    ),
    "ribes": ("count", "'ribes', [text(100_000, 30)], [[text(100_000, 30)]]"),
}

PROGRAM = dedent("""
    import sys
    import time
    import numpy as np
    from tertium import score
    from tertium.kernels.strings import Vocabulary, tokenize_texts
    from tertium.kernels.threads import use_threads
    from tertium.kernels.embedding import embed_texts
    from tertium.kernels.edits import inversion_distance, inversion_distances, levenshtein_distances
    from tertium.kernels.embedding import TravelOptions, travel_distances
    from tertium.values import Embedding

    rng = np.random.default_rng(1)

    def words(length, kinds):
        return rng.integers(0, kinds, length).tolist()

    def text(length, kinds):
        return " ".join(f"w{number}" for number in words(length, kinds))

    def count(metric, hypotheses, references):
        return score(hypotheses, references, metric, orientation="segments")

    def vectors(length):
        tokens = tokenize_texts([text(length, 10**6), text(length, 10**6)], "none", Vocabulary())
        matrix = rng.normal(size=(len(tokens.vocabulary), 64)).astype(np.float32)
        return embed_texts(tokens, Embedding(tokens.ids, matrix))

    def travel(column):
        return travel_distances(column, column, np.arange(3), orders=[1] * 9, options=TravelOptions(cancels=False))

    arguments = ({arguments},)
    try:
        print("ready", flush=True)
        with use_threads(int(sys.argv[1])):
            {function}(*arguments)
        print("finished")
    except KeyboardInterrupt:
        print(time.monotonic())
""")

CASES = [(name, 3) for name in LONG_CALLS] + [("inversion, one pair", 1), ("character", 1)]


def seconds_until_interrupted(name: str, threads: int) -> float:
    """Send Ctrl-C to a long call and measure how long it takes to end; fail if it ends by itself."""
    function, arguments = LONG_CALLS[name]
    program = PROGRAM.replace("{function}", function).replace("{arguments}", arguments)
    with subprocess.Popen(
        [sys.executable, "-c", program, str(threads)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.7)
        sent = time.monotonic()  # one clock for all processes
        process.send_signal(signal.SIGINT)
        answer = process.stdout.read()
    return float(answer) - sent


@pytest.mark.parametrize(("name", "threads"), CASES)
def test_a_signal_ends_a_long_call(name: str, threads: int) -> None:
    assert seconds_until_interrupted(name, threads) >= 0


def test_a_kernel_that_was_interrupted_can_be_called_again() -> None:
    """A handler that raises an error of its own is heard; what it left is whole."""
    program = dedent("""
        import signal
        from tertium.kernels.edits import inversion_distance

        class Enough(Exception):
            pass

        def stop(*_):
            raise Enough

        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        a, b = [i * 7919 % 50 for i in range(400)], [i * 104729 % 50 for i in range(400)]
        try:
            inversion_distance(a, b, max_memory=4000)
        except Enough:
            print("heard", inversion_distance("abcd", "cdab"))
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "heard 1.0\n"
