"""The vectors of 16 languages in the package: small, for any word, similar for words of similar meaning or form."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import ResourceError
from tertium.interfaces import known_languages
from tertium.resources.vectors import default_vectors, load_vectors
from tertium.resources.vectors.pieces import PieceSettings, PieceVectors, write_pieces
from tertium.text import Texts

LANGUAGES = frozenset({"ar", "de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"})


def cosine(first: str, second: str) -> float:
    a, b = default_vectors("de").vectors([first, second])
    assert a is not None
    assert b is not None
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_the_table_is_small_and_has_a_name() -> None:
    table = load_vectors("multilingual")
    assert table is default_vectors("ru")
    assert isinstance(table, type(default_vectors("en")))
    assert table.source.path.stat().st_size < 10_000_000
    assert table.identity.startswith("tertium-multilingual[")
    assert table.kind == "multilingual"


def test_languages_have_their_tables() -> None:
    assert {code for code in LANGUAGES if default_vectors(code).name == "tertium-multilingual"} == LANGUAGES
    assert known_languages(default_vectors("de")) == LANGUAGES
    assert default_vectors("en") is default_vectors("cs") is default_vectors()
    assert known_languages(default_vectors()) == frozenset({"en"})


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("Auto", "Fahrzeug", "Brot"),
        ("begann", "anfing", "Zitrone"),
        ("машина", "автомобиль", "хлеб"),
        ("voiture", "automobile", "fromage"),
        ("سيارة", "مركبة", "خبز"),
        ("汽车", "车辆", "面包"),
        ("車", "自動車", "牛乳"),
    ],
)
def test_words_that_mean_the_same_are_nearer(word: str, near: str, far: str) -> None:
    assert cosine(word, near) > cosine(word, far)


@pytest.mark.parametrize(
    ("word", "form", "other"), [("машина", "машинами", "телефон"), ("Hauses", "Häuser", "Katze")]
)
def test_forms_of_one_word_are_near(word: str, form: str, other: str) -> None:
    assert cosine(word, form) > 0.3 > cosine(word, other)


def test_case_does_not_matter() -> None:
    assert cosine("Straße", "STRAßE") == pytest.approx(1, abs=1e-6)
    assert cosine("Совет", "совет") == pytest.approx(1, abs=1e-6)


def test_every_word_has_a_vector_but_nothing_has_none() -> None:
    table = default_vectors("ru")
    assert all(vector is not None for vector in table.vectors(["xqzzt", "ⴰⵎⵖⵔⴰⴱⵉ", "🙂", "."]))
    assert table.vectors([""]) == [None]


def test_the_table_travels_to_other_processes() -> None:
    again = pickle.loads(pickle.dumps(default_vectors("ru")))
    assert again.identity == default_vectors("ru").identity
    tokens = Texts(["Он купил машину"]).tokens("13a")
    np.testing.assert_array_equal(again.embed(tokens).matrix, default_vectors("ru").embed(tokens).matrix)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "small.npz"
    matrix = np.array([[1, 0, 0, 0], [0, 1, 0, 0]], dtype=np.float32)
    write_pieces(path, ["▁a", "b"], [1.0, 3.0], matrix, PieceSettings("small", form_share=0.0, form_width=8))
    vectors = PieceVectors(path)
    _, (one, both) = vectors.compose(["a", "ab"])
    assert vectors.dimension == 12
    # Three parts of b and one of a; quantisation to four bits has an error of up to 0.1.
    assert one[:4] @ both[:4] == pytest.approx(1 / np.sqrt(10), abs=0.2)
    np.testing.assert_array_equal(one[4:], 0)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"no archive at all"])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "damaged.npz"
    path.write_bytes(content)
    with pytest.raises(ResourceError, match="cannot read word vectors"):
        PieceVectors(path)
