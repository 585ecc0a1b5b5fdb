"""However many threads share texts out, words get the ids that one thread would give."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.kernels.strings import Vocabulary, tokenize_texts
from tertium.kernels.threads import use_threads


def _number(texts: list[str], known: list[str], threads: int) -> tuple[list[int], list[int], list[str]]:
    vocabulary = Vocabulary()
    vocabulary.intern_all(known)
    with use_threads(threads):
        tokens = tokenize_texts(texts, "none", vocabulary)
    words = vocabulary.words(np.arange(len(vocabulary), dtype=np.int32))
    return tokens.ids.tolist(), tokens.offsets.tolist(), words


@pytest.mark.slow
@pytest.mark.parametrize("threads", [2, 3, 8])
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_texts=st.integers(500, 1500),
    n_words=st.integers(1, 3000),
    known=st.lists(st.integers(0, 50).map(str), unique=True, max_size=20),
)
def test_ids_offsets_and_words_are_those_of_one_thread(
    threads: int, seed: int, n_texts: int, n_words: int, known: list[str]
) -> None:
    rng = np.random.default_rng(seed)
    texts = [" ".join(map(str, rng.integers(n_words, size=rng.integers(6)))) for _ in range(n_texts)]
    assert _number(texts, known, threads) == _number(texts, known, 1)
