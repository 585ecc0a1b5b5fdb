"""What a kernel is given together is checked when it is put together."""

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.kernels.embedding import embed_texts
from tertium.kernels.meteor import WordAligner
from tertium.kernels.strings import Vocabulary, decode_texts, pair_embedded, pair_texts, tokenize_texts
from tertium.values import Embedding, OffsetArray, TokenColumn


def _column(*texts: str) -> TokenColumn:
    return tokenize_texts(list(texts), "none", Vocabulary())


def _offsets(*numbers: int) -> OffsetArray:
    return np.array(numbers, dtype=np.int64)


@pytest.mark.parametrize(
    ("offsets", "groups", "complaint"),
    [
        pytest.param(_offsets(0, 2, 3), _offsets(0, 1, 2), "offsets must rise", id="ends too early"),
        pytest.param(_offsets(1, 2, 4), _offsets(0, 1, 2), "offsets must rise", id="begins too late"),
        pytest.param(_offsets(0, 5, 4), _offsets(0, 1, 2), "offsets must rise", id="falls"),
        pytest.param(_offsets(), _offsets(0, 1, 2), "offsets must rise", id="empty"),
        pytest.param(
            _offsets(0, 2, 4), _offsets(0, 2), "as many segments as references", id="a group too few"
        ),
        pytest.param(
            _offsets(0, 2, 4), _offsets(0, 0, 2), "every segment needs a reference", id="empty group"
        ),
        pytest.param(_offsets(0, 2, 4), _offsets(0, 1, 3), "offsets must rise", id="group beyond the end"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(
    offsets: OffsetArray, groups: OffsetArray, complaint: str
) -> None:
    hypotheses = _column("a b", "c d")
    references = TokenColumn(hypotheses.ids, offsets, hypotheses.vocabulary)
    with pytest.raises(ValueError, match=complaint):
        pair_texts(hypotheses, references, groups)


def test_ids_of_another_type_are_refused_and_not_converted() -> None:
    column = _column("a b", "c d")
    wide = TokenColumn(column.ids.astype(np.float64), column.offsets, column.vocabulary)
    with pytest.raises(TypeError):
        pair_texts(wide, column, _offsets(0, 1, 2))


def test_pairs_keep_their_arrays_alive() -> None:
    from tertium import _core  # noqa: PLC0415 - what a kernel does, with the columns gone

    column = _column("the cat sat", "the cat")
    pairs = pair_texts(
        TokenColumn(column.ids.copy(), column.offsets.copy(), column.vocabulary),
        TokenColumn(column.ids[::-1].copy(), column.offsets[[0, 1, 2]].copy(), column.vocabulary),
        _offsets(0, 1, 2),
    )
    garbage = [np.full(5, 2**30, dtype=np.int32) for _ in range(100)]
    assert _core.count_levenshtein(pairs, 1).tolist() == [[2.0, 3.0], [2.0, 2.0]]
    assert len(garbage) == 100


def test_vectors_of_different_dimensions_are_refused() -> None:
    column = _column("a b")
    rows = np.arange(2, dtype=np.int32)
    two, three = (
        embed_texts(column, Embedding(rows, np.ones((2, width), dtype=np.float32))) for width in (2, 3)
    )
    with pytest.raises(ValueError, match="different dimensions"):
        pair_embedded(two, three, _offsets(0, 1))


def test_a_row_outside_the_matrix_is_refused() -> None:
    column = _column("a b")
    with pytest.raises(ValueError, match="a row is not in the matrix"):
        embed_texts(column, Embedding(np.array([0, 2], dtype=np.int32), np.ones((2, 4), dtype=np.float32)))


def test_characters_are_refused_where_words_are_needed() -> None:
    column = decode_texts(["ab"], keep_space=False)
    with pytest.raises(InputError, match="words are needed, but the ids of this column are CodePoints"):
        WordAligner(["exact"]).align(column, column, _offsets(0, 1))
