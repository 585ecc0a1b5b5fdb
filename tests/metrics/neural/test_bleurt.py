"""BLEURT: the numbers of bleurt-pytorch, for a random checkpoint that is made here, and clear errors without it."""

import sys
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.errors import MissingExtraError, ResourceError
from tertium.resources.checkpoints import load_bleurt

HYPOTHESES = ["this is good", "no", "he came home late", "yes"]
REFERENCES = ["that is good", "no.", "he came back home", "yes, yes"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))


def make_checkpoint(folder: Path) -> Path:
    """Write a BLEURT of two layers with random weights, whose pieces are letters."""
    import torch  # noqa: PLC0415 - an extra
    from bleurt_pytorch import (  # noqa: PLC0415 - an extra
        BleurtConfig,
        BleurtForSequenceClassification,
        BleurtTokenizer,
    )

    letters = "abcdefghijklmnopqrstuvwxyz.,"
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters)]
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(pieces), encoding="utf-8")
    BleurtTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    torch.manual_seed(1)
    config = BleurtConfig(
        vocab_size=len(pieces), hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
        max_position_embeddings=48, initializer_range=0.3,
    )  # fmt: skip
    BleurtForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.mark.needs("bleurt_pytorch")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_scores_are_those_of_the_package(tmp_path: Path) -> None:
    import torch  # noqa: PLC0415 - an extra
    from bleurt_pytorch import BleurtForSequenceClassification, BleurtTokenizer  # noqa: PLC0415 - an extra

    folder = make_checkpoint(tmp_path / "tiny-bleurt")
    model = BleurtForSequenceClassification.from_pretrained(folder).eval()
    cutter = BleurtTokenizer.from_pretrained(folder)
    with torch.no_grad():
        pieces = cutter(REFERENCES, HYPOTHESES, padding="longest", return_tensors="pt")
        expected = model(**pieces).logits.flatten().tolist()
    assert len(set(np.round(expected, 4))) == len(expected)
    label = f"bleurt:{folder}"
    result = tertium.score(HYPOTHESES, REFERENCES, label)
    np.testing.assert_allclose(result.segments(label)["system"], expected, atol=2e-6)  # rounded to six digits
    assert "bleurt|nrefs:1|model:tiny-bleurt[" in result.evaluation.signature(label)
    small = tertium.score(HYPOTHESES, REFERENCES, f"{label},batch_size=1")
    np.testing.assert_allclose(
        small.segments(f"{label},batch_size=1")["system"], result.segments(label)["system"], atol=2e-6
    )
    long = "a " * 300  # longer than the model allows
    assert np.isfinite(tertium.score([long], [long], label)[label]["system"].value)


def test_mistakes_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ResourceError, match="bleurt needs a checkpoint of BLEURT: write bleurt:FOLDER"):
        tertium.score(HYPOTHESES, REFERENCES, "bleurt")
    with pytest.raises(ResourceError, match=r"has no config\.json"):
        load_bleurt(str(tmp_path))
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ResourceError, match=r"has no model\.safetensors and no pytorch_model\.bin"):
        load_bleurt(str(tmp_path))
    (tmp_path / "pytorch_model.bin").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "bleurt_pytorch", None)
    with pytest.raises(
        MissingExtraError, match=r"bleurt needs the package bleurt-pytorch: pip install 'bleurt-pytorch>="
    ):
        tertium.score(HYPOTHESES, REFERENCES, f"bleurt:{tmp_path}")
