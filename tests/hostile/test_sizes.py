"""Very long texts: memory grows linearly, or an error is raised before the work starts."""

import re

import pytest

from hostile.processes import run
from tertium.commands.score.score import score
from tertium.errors import InputError

MEASURE = """
import resource
import tertium

n, kind, metric = int(sys.argv[1]), sys.argv[2], sys.argv[3]
first = " ".join(f"a{i}" for i in range(n))
other = {"same words": lambda i: f"a{i * 7919 % n}", "others": lambda i: f"b{i}"}[kind]
second = " ".join(map(other, range(n)))
tertium.score(["a"], ["a"], metric)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tertium.score([first], [second], metric)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.parametrize(
    ("metric", "n_words", "kind", "megabytes"),
    [
        ("wer", 40_000, "same words", 60),  # a bit for each pair of words would take 200
        ("ter", 30_000, "others", 60),
        ("per", 100_000, "others", 120),
        ("character", 1_000, "others", 60),
        ("character", 2_000, "same words", 20),  # distances would take 4 bytes for each pair of words
    ],
)
def test_one_enormous_segment_takes_memory_in_proportion(
    metric: str, n_words: int, kind: str, megabytes: int
) -> None:
    assert int(run(MEASURE, str(n_words), kind, metric)) < megabytes


ALIGN = """
import random
import resource
import time
import tertium

n = int(sys.argv[1])
rng = random.Random(0)
words = [f"w{min(rng.randrange(3000), rng.randrange(3000))}" for _ in range(n)]
segments = [" ".join(words[i : i + 20]) + "." for i in range(0, n, 20)]
heard = " ".join(word for text in segments for word in text.split() if rng.random() > 0.2)
tertium.align(["a b."], ["a b."])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
begin = time.process_time()
cuts = tertium.align([heard], segments)["system"]
assert len(cuts.texts) == len(segments) and cuts.error_rate < 0.25
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024, time.process_time() - begin)
"""


def test_an_unbroken_stream_is_cut_in_little_memory_and_time() -> None:
    """The whole table of costs would take 300 megabytes."""
    megabytes, seconds = map(float, run(ALIGN, "10000").split())
    assert megabytes < 60
    assert seconds < 5  # about 0.2


def test_meteor_says_before_the_work_that_an_alignment_would_not_fit() -> None:
    text = "a " * 5_000
    message = r"a segment of 5,000 words and a reference of 5,000 have .* GB; split them into sentences"
    with pytest.raises(InputError, match=message):
        score([text], [text], "meteor:modules=exact")


def test_an_attribute_of_any_length_is_read() -> None:
    from tertium.corpus.texts.markup import _ATTRIBUTE  # noqa: PLC0415

    assert re.findall(_ATTRIBUTE, "a" * 1_000_000) == []
