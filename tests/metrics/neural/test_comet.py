"""COMET: the numbers of unbabel-comet, for a random checkpoint that is made here, and clear errors without it."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from reference.toy_resources import ToyModel
from tertium.errors import MissingExtraError, OptionError, ResourceError
from tertium.metrics import COMET
from tertium.resources.checkpoints import CometCheckpoint, load_comet

SOURCE = ["das ist gut", "nein", "er kam nach hause", "ja ja"]
HYPOTHESES = ["this is good", "no", "he came home", "yes"]
REFERENCES = ["that is good", "no.", "he came back home", "yes, yes"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))


def make_encoder(folder: Path) -> None:
    """Write an XLM-R of two layers whose pieces are letters."""
    from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: PLC0415 - an extra
    from transformers import XLMRobertaConfig, XLMRobertaTokenizerFast  # noqa: PLC0415 - an extra

    letters = "abcdefghijklmnopqrstuvwxyz.,"
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", *letters, *(f"▁{letter}" for letter in letters), "<mask>"]
    cutter = Tokenizer(models.Unigram([(piece, -float(i)) for i, piece in enumerate(pieces)], unk_id=3))
    cutter.pre_tokenizer = pre_tokenizers.Metaspace()
    names = {
        "bos": "<s>",
        "eos": "</s>",
        "sep": "</s>",
        "cls": "<s>",
        "unk": "<unk>",
        "pad": "<pad>",
        "mask": "<mask>",
    }
    marks = {f"{name}_token": text for name, text in names.items()}
    XLMRobertaTokenizerFast(tokenizer_object=cutter, model_max_length=64, **marks).save_pretrained(folder)
    XLMRobertaConfig(
        vocab_size=len(pieces), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=66, type_vocab_size=1,
    ).save_pretrained(folder)  # fmt: skip


def make_checkpoint(folder: Path, kind: str, **options: Any) -> Path:
    """Write a checkpoint of COMET with random weights."""
    import torch  # noqa: PLC0415 - an extra
    import yaml  # type: ignore[import-untyped] # noqa: PLC0415 - an extra
    from comet.models import str2model  # noqa: PLC0415 - an extra

    make_encoder(folder / "encoder")
    torch.manual_seed(1)
    model = str2model[kind](
        pretrained_model=str(folder / "encoder"), hidden_sizes=[8], layer_transformation="softmax",
        load_pretrained_weights=False, local_files_only=True, **options,
    )  # fmt: skip
    (folder / "checkpoints").mkdir()
    content = {"state_dict": model.state_dict(), "hyper_parameters": dict(model.hparams)}
    versions = {"pytorch-lightning_version": "2.0.0", "epoch": 0, "global_step": 0}
    torch.save(content | versions, folder / "checkpoints" / "model.ckpt")
    (folder / "hparams.yaml").write_text(yaml.safe_dump(dict(model.hparams)), encoding="utf-8")
    return folder


def predict(folder: Path, keys: Sequence[str]) -> list[float]:
    """Return the scores that the package computes."""
    from comet import load_from_checkpoint  # noqa: PLC0415 - an extra

    model = load_from_checkpoint(str(folder / "checkpoints" / "model.ckpt"), local_files_only=True)
    texts = {"src": SOURCE, "mt": HYPOTHESES, "ref": REFERENCES}
    samples = [{key: texts[key][i] for key in keys} for i in range(len(SOURCE))]
    found: list[float] = model.predict(samples, gpus=0, progress_bar=False, num_workers=0).scores
    return found


@pytest.mark.needs("comet")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("kind", "keys", "options"),
    [
        ("regression_metric", ("src", "mt", "ref"), {}),
        ("referenceless_regression_metric", ("src", "mt"), {}),
        ("unified_metric", ("src", "mt"), {"input_segments": ["mt", "src"], "sent_layer": "mix"}),
    ],
    ids=["references", "quality estimation", "unified"],
)
def test_scores_are_those_of_the_package(
    tmp_path: Path, kind: str, keys: tuple[str, ...], options: dict[str, Any]
) -> None:
    folder = make_checkpoint(tmp_path / kind, kind, **options)
    label = f"comet:{folder}"
    references = REFERENCES if "ref" in keys else None
    result = tertium.score(HYPOTHESES, references, label, source=SOURCE)
    expected = predict(folder, keys)
    assert len(set(np.round(expected, 6))) == len(expected)
    np.testing.assert_allclose(result.segments(label)["system"], expected, atol=2e-6)  # rounded to six digits
    assert result[label]["system"].value == pytest.approx(np.mean(expected), abs=2e-6)
    n_references = 0 if references is None else 1
    assert f"comet|nrefs:{n_references}|src:yes|model:{kind}[" in result.evaluation.signature(label)
    small = tertium.score(HYPOTHESES, references, f"{label},batch_size=1", source=SOURCE)
    assert small.segments(f"{label},batch_size=1") == result.segments(label)


def test_the_best_reference_counts_and_scores_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    score = ToyModel.score

    def count(self: ToyModel, hypotheses: Sequence[str], *others: Any) -> Any:
        calls.append(len(hypotheses))
        return score(self, hypotheses, *others)

    monkeypatch.setattr(ToyModel, "score", count)
    metric = COMET(model=ToyModel())
    for _ in range(2):
        found = metric.sentence_score("ab", ["ab", "abcd", "ab"], source="ab")
        assert found.value == 4
    assert calls == [2]


def test_without_the_texts_that_it_reads_nothing_is_loaded() -> None:
    with pytest.raises(OptionError, match="comet reads the source"):
        COMET(model=ToyModel()).corpus_score(HYPOTHESES, [REFERENCES])


@pytest.mark.parametrize(
    ("settings", "reads"),
    [
        ("class_identifier: regression_metric\n", {"source", "references"}),
        ("class_identifier: referenceless_regression_metric\n", {"source"}),
        ("class_identifier: unified_metric\ninput_segments:\n- mt\n- src\n", {"source"}),
        (
            "class_identifier: unified_metric\ninput_segments:\n- mt\n- src\n- ref\nloss: mse\n",
            {"source", "references"},
        ),
        ("class_identifier: unified_metric\ninput_segments: [mt, src]\n", {"source"}),
    ],
)
def test_the_settings_say_what_a_checkpoint_reads(tmp_path: Path, settings: str, reads: set[str]) -> None:
    (tmp_path / "hparams.yaml").write_text(settings, encoding="utf-8")
    assert CometCheckpoint(tmp_path, "x").reads == reads


def test_mistakes_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ResourceError, match="comet needs a checkpoint of COMET: write comet:FOLDER"):
        tertium.score(HYPOTHESES, REFERENCES, "comet")
    with pytest.raises(ResourceError, match=r"has no hparams\.yaml"):
        load_comet(str(tmp_path))
    (tmp_path / "hparams.yaml").write_text("class_identifier: regression_metric\n", encoding="utf-8")
    with pytest.raises(ResourceError, match=r"has no checkpoints/model\.ckpt"):
        load_comet(str(tmp_path))
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "model.ckpt").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "comet", None)
    with pytest.raises(
        MissingExtraError, match=r"comet needs the package unbabel-comet: pip install 'unbabel-comet>="
    ):
        tertium.score(HYPOTHESES, REFERENCES, f"comet:{tmp_path}", source=SOURCE)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match="the model Unbabel/none needs its packages"):
        load_comet("Unbabel/none")


@pytest.mark.needs("huggingface_hub")
def test_a_model_that_is_not_there_is_not_downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(
        ResourceError, match="Tertium downloads nothing: run 'hf download Unbabel/wmt22-comet-da'"
    ):
        load_comet("Unbabel/wmt22-comet-da")


def test_without_a_cache_the_network_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", "off")
    metric = COMET(model=ToyModel())
    first, second = (metric.sentence_score("ab", ["ab"], source="cd").value for _ in range(2))
    assert first == second == 4


def test_an_explanation_names_the_checkpoint() -> None:
    told = COMET(model=ToyModel()).explain_segment("ab", ["ab"], "cd")
    assert told.score == 4
    assert list(told.steps) == ["toy: 4"]
    assert (list(told.reference), list(told.source)) == (["ab"], ["cd"])


def test_a_network_without_references_reads_the_source_alone() -> None:
    metric = COMET(model=ToyModel(reads=frozenset({"source"})))
    assert metric.sentence_score("ab", source="cd").value == 4
