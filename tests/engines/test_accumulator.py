"""The accumulator gives the digits of one call over all texts, for any batches, merges and processes."""

import pickle
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.errors import InputError, OptionError, UnknownNameError

METRICS = "bleu,chrf,ter,wer,beer"
WORDS = ["a", "the", "cat", "sat", "on", "mat", "dog", "it", "1,000.5", "ß"]
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
SEGMENTS = st.lists(
    st.tuples(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=3)), min_size=1, max_size=24
)
HYPOTHESES = ["the cat sat on the mat", "a dog barked at it", "it sat", "the dog"] * 8
REFERENCES = ["the cat sat on a mat", "a dog barked at me", "it was sat on", "a dog"] * 8


def accumulate(segments: list[tuple[str, list[str]]], *, keep_segments: bool = True) -> tertium.Accumulator:
    made = tertium.Accumulator(METRICS, keep_segments=keep_segments)
    if segments:
        made.update([text for text, _ in segments], [group for _, group in segments])
    return made


@given(SEGMENTS, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_any_split_and_order_gives_the_bytes_of_one_call(
    segments: list[tuple[str, list[str]]], random: Random
) -> None:
    whole = accumulate(segments)
    shuffled = random.sample(segments, len(segments))
    parts = []
    while shuffled:
        size = random.randint(1, len(shuffled))
        parts.append(accumulate(shuffled[:size]))
        shuffled = shuffled[size:]
    random.shuffle(parts)
    merged = tertium.Accumulator(METRICS)
    for part in parts:
        merged = merged + part if random.random() < 0.5 else part.merge(merged)
    assert dict(merged.compute()) == dict(whole.compute())
    assert merged.state()["sums"].tobytes() == whole.state()["sums"].tobytes()
    at_once = tertium.score(
        [text for text, _ in segments], [group for _, group in segments], METRICS, orientation="segments"
    )
    assert dict(whole.compute()) == {label: at_once[label]["system"] for label in whole.labels}


def test_intervals_are_those_of_one_call() -> None:
    scores = tertium.Accumulator(METRICS)
    for start in range(0, 32, 5):
        scores.update(HYPOTHESES[start : start + 5], REFERENCES[start : start + 5])
    at_once = tertium.score(HYPOTHESES, REFERENCES, METRICS, ci=True).compare()
    for label, score in scores.compute(ci=True).items():
        interval = at_once.metrics[label].intervals
        assert (score.low, score.high) == (interval.low[0], interval.high[0])
        assert score.signature.count("|bs:1000|seed:12345|") == 1


def test_added_states_of_processes_give_the_scores_of_all_segments() -> None:
    """As torch.distributed adds integers of all ranks; a rank may have no segment."""
    ranks = [accumulate([], keep_segments=False) for _ in range(5)]
    for number, pair in enumerate(zip(HYPOTHESES, REFERENCES, strict=True)):
        ranks[number % 4].update([pair[0]], [pair[1]])
    states = [rank.state() for rank in ranks]
    assert {name: array.dtype for name, array in states[4].items()} == {
        "sums": np.int64,
        "references": np.int64,
    }
    total = accumulate([], keep_segments=False)
    total.load_state({name: np.sum([state[name] for state in states], axis=0) for name in states[0]})
    whole = accumulate([], keep_segments=False)
    whole.update(HYPOTHESES, REFERENCES)
    assert dict(total.compute()) == dict(whole.compute())
    assert total.n_segments == 32
    assert total.state()["sums"].tobytes() == whole.state()["sums"].tobytes()


def test_another_process_continues_a_pickled_accumulator(tmp_path: Path) -> None:
    first = tertium.Accumulator("bleu,nist,std", references=REFERENCES)
    first.update(HYPOTHESES[:10], REFERENCES[:10])
    (tmp_path / "saved").write_bytes(pickle.dumps(first))
    (tmp_path / "texts").write_bytes(pickle.dumps((HYPOTHESES[10:], REFERENCES[10:])))
    program = """
import pickle, sys
from pathlib import Path
folder = Path(sys.argv[1])
scores = pickle.loads((folder / "saved").read_bytes())
scores.update(*pickle.loads((folder / "texts").read_bytes()))
(folder / "result").write_bytes(pickle.dumps(scores.compute()))
"""
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)
    found = pickle.loads((tmp_path / "result").read_bytes())
    at_once = tertium.score(HYPOTHESES, REFERENCES, "bleu,nist,std")
    assert dict(found) == {label: at_once[label]["system"] for label in ("bleu", "nist", "std")}
    assert found.n_segments == 32


def test_memory_is_constant_without_segments() -> None:
    scores = tertium.Accumulator("bleu,chrf", keep_segments=False)
    scores.update(HYPOTHESES, REFERENCES)
    tracemalloc.start()
    try:
        for _ in range(20):
            scores.update(HYPOTHESES, REFERENCES)
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(200):
            scores.update(HYPOTHESES, REFERENCES)
        assert tracemalloc.get_traced_memory()[0] - before < 50_000  # 6,400 rows would have 1.4 MB
    finally:
        tracemalloc.stop()


def test_segments_may_have_different_numbers_of_references() -> None:
    scores = tertium.Accumulator("bleu")
    scores.update(["a b"], [["a b", "a c"]])
    scores.update(["a b", "c"], ["a b", "c"])
    assert "|nrefs:var|" in scores.compute()["bleu"].signature
    scores.reset()
    scores.update(["a b"], [["a b", "a c"]])
    assert "nrefs:2|" in scores.compute()["bleu"].signature


def test_reference_streams_are_read_as_sacrebleu_writes_them() -> None:
    scores = tertium.Accumulator("bleu", orientation="streams")
    scores.update(["a b", "c"], [["a b", "d"], ["a c", "c"]])
    by_segment = tertium.Accumulator("bleu")
    by_segment.update(["a b", "c"], [["a b", "a c"], ["d", "c"]])
    assert dict(scores.compute()) == dict(by_segment.compute())


def test_vectors_are_chosen_by_the_language_of_the_first_batch_and_kept() -> None:
    german = ["der Hund saß auf der Matte und schlief", "die Katze ist nicht im Haus"]
    scores = tertium.Accumulator("was")
    scores.update(german, german)
    other = tertium.Accumulator("was")
    other.update(REFERENCES, REFERENCES)
    assert (
        scores.compute()["was"].signature == tertium.score(german, german, "was")["was"]["system"].signature
    )
    assert pickle.loads(pickle.dumps(scores)).compute() == scores.compute()
    if scores.compute()["was"].signature != other.compute()["was"].signature:
        with pytest.raises(InputError, match="language="):
            scores.merge(other)


def test_scores_are_a_mapping_with_numbers_for_a_log() -> None:
    scores = accumulate([("a b", ["a b"]), ("c d", ["c e"])]).compute(ci=True)
    assert list(scores) == METRICS.split(",")
    assert float(scores["wer"]) == 25.0
    logged = scores.to_metrics("eval/")
    assert logged["eval/wer"] == 25.0
    assert set(logged) >= {"eval/wer_low", "eval/wer_high"}
    assert "eval/wer_low" not in accumulate([("a", ["a"])]).compute().to_metrics("eval/")
    with pytest.raises(UnknownNameError, match="no metric 'blue'; did you mean bleu"):
        scores["blue"]
    assert repr(scores).startswith("<2 segments: bleu = ")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tertium.Accumulator("nist"), "nist learns from the references of the whole test set"),
        (lambda: tertium.Accumulator("bleu").compute(), "no segments to score"),
        (lambda: tertium.Accumulator("bleu").update(["a"], ["a", "b"]), "1 hypotheses but 2 references"),
        (lambda: tertium.Accumulator("bleu").update(["a"]), "bleu needs references|bleu reads references"),
        (lambda: tertium.Accumulator("bleu").update("a", ["a"]), "hypotheses"),
        (
            lambda: tertium.Accumulator("bleu").update(["a"], ["a"], ["b", "c"]),
            "1 hypotheses but a source of 2",
        ),
        (
            lambda: tertium.Accumulator("bleu").merge(tertium.Accumulator("chrf")),
            "cannot be merged with chrf",
        ),
        (
            lambda: tertium.Accumulator("bleu").merge(tertium.Accumulator("bleu", keep_segments=False)),
            "keeps segments cannot be merged",
        ),
        (
            lambda: tertium.Accumulator("bleu").load_state(tertium.Accumulator("chrf").state()),
            "these metrics have",
        ),
    ],
)
def test_a_mistake_is_explained(call: Callable[[], object], message: str) -> None:
    with pytest.raises((InputError, OptionError), match=message):
        call()


def test_a_wrong_batch_adds_nothing() -> None:
    scores = tertium.Accumulator("bleu,chrf")
    scores.update(HYPOTHESES, REFERENCES)
    before = scores.state()
    mistakes: list[Any] = [(["a", None], ["a", "b"]), (["a"], [[]]), (["a", "b"], ["a"])]
    for wrong in mistakes:
        with pytest.raises(InputError):
            scores.update(*wrong)
    scores.update([], [])
    assert {name: array.tobytes() for name, array in scores.state().items()} == {
        name: array.tobytes() for name, array in before.items()
    }


def test_intervals_without_segments_are_explained() -> None:
    scores = accumulate([("a b", ["a b"])], keep_segments=False)
    with pytest.raises(OptionError, match="keep_segments=True"):
        scores.compute(ci=True)
