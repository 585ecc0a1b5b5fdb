"""MetricX: Google's prompts and formula, for a random checkpoint that is made here, and clear errors without it."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import tertium
from reference.toy_resources import ToyModel
from tertium.errors import MissingExtraError, OptionError, ResourceError
from tertium.metrics import MetricX
from tertium.resources.checkpoints import load_metricx
from tertium.values import FloatArray

SOURCE = ["das ist gut", "nein", "er kam nach hause", "ja ja"]
HYPOTHESES = ["this is good", "no", "he came home", "yes"]
REFERENCES = ["that is good", "no.", "he came back home", "yes, yes"]
Prompt = Literal["24", "24-qe", "23", "23-qe"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("prompt", "wanted", "reads"),
    [
        ("24", "source: s candidate: h reference: r", {"source", "references"}),
        ("24-qe", "source: s candidate: h", {"source"}),
        ("23", "candidate: h reference: r", {"references"}),
        ("23-qe", "candidate: h source: s", {"source"}),
    ],
)
def test_prompts_are_those_of_googles_programs(
    monkeypatch: pytest.MonkeyPatch, prompt: Prompt, wanted: str, reads: set[str]
) -> None:
    seen: list[str] = []

    def score(self: ToyModel, texts: Sequence[str], *_: Any) -> FloatArray:
        seen.extend(texts)
        return np.zeros(len(texts))

    monkeypatch.setattr(ToyModel, "score", score)
    metric = MetricX(model=ToyModel(reads=frozenset()), prompt=prompt)
    assert metric.reads == reads
    metric.sentence_score("h", ["r"] if "references" in reads else None, source="s")
    assert seen == [wanted]


def test_formats_do_not_share_their_cache() -> None:
    metrics = [MetricX(model=ToyModel(reads=frozenset()), prompt=prompt) for prompt in ("24-qe", "23-qe")]
    assert len({metric.cache_name for metric in metrics}) == 2


def test_the_lowest_score_of_several_references_counts() -> None:
    metric = MetricX(model=ToyModel(reads=frozenset()))
    alone = [metric.sentence_score("ab", [text], source="ab").value for text in ("xyz", "ab")]
    assert metric.sentence_score("ab", ["xyz", "ab"], source="ab").value == min(alone) < max(alone)


def test_a_missing_source_is_reported() -> None:
    with pytest.raises(OptionError, match="metricx reads the source"):
        MetricX(model=ToyModel(reads=frozenset())).corpus_score(HYPOTHESES, [REFERENCES])


def make_checkpoint(folder: Path) -> Path:
    """Write an mT5 of two layers with random weights, whose pieces are letters."""
    import torch  # noqa: PLC0415 - an extra
    from tokenizers import Tokenizer, models, pre_tokenizers, processors  # noqa: PLC0415 - an extra
    from transformers import (  # noqa: PLC0415 - an extra
        MT5Config,
        MT5ForConditionalGeneration,
        PreTrainedTokenizerFast,
    )

    letters = "abcdefghijklmnopqrstuvwxyz.,:"
    pieces = ["<pad>", "</s>", "<unk>", "▁", *letters, *(f"▁{letter}" for letter in letters)]
    cutter = Tokenizer(models.Unigram([(piece, -float(i)) for i, piece in enumerate(pieces)], unk_id=2))
    cutter.pre_tokenizer = pre_tokenizers.Metaspace()
    cutter.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    marks = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    PreTrainedTokenizerFast(tokenizer_object=cutter, **marks).save_pretrained(folder)
    torch.manual_seed(1)
    config = MT5Config(
        vocab_size=250_112, d_model=8, d_kv=4, d_ff=16, num_layers=2, num_heads=2, initializer_factor=0.3,
        tie_word_embeddings=False,
    )  # fmt: skip
    model = MT5ForConditionalGeneration(config)
    # Scores of random weights may all be clipped to 0: give the score the direction of an output.
    hidden = model.eval().encoder(input_ids=torch.tensor([[5, 6, 7]])).last_hidden_state
    output = model.decoder(input_ids=torch.tensor([[0]]), encoder_hidden_states=hidden)[0][0, 0]
    model.lm_head.weight.data[250_089] = 3 * output.data / output.data.norm()
    model.save_pretrained(folder)
    return folder


@pytest.mark.needs("transformers")
@pytest.mark.needs("torch")
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("prompt", ["24", "23-qe"])
def test_scores_follow_googles_formula(tmp_path: Path, prompt: Prompt) -> None:
    import torch  # noqa: PLC0415 - an extra
    from transformers import AutoTokenizer, MT5ForConditionalGeneration  # noqa: PLC0415 - an extra

    folder = make_checkpoint(tmp_path / "tiny-metricx")
    model = MT5ForConditionalGeneration.from_pretrained(folder).eval()
    cutter = AutoTokenizer.from_pretrained(folder)
    expected = []
    for source, hypothesis, reference in zip(SOURCE, HYPOTHESES, REFERENCES, strict=True):
        text = (
            f"source: {source} candidate: {hypothesis} reference: {reference}"
            if prompt == "24"
            else f"candidate: {hypothesis} source: {source}"
        )
        ids = torch.tensor([cutter(text)["input_ids"][:-1]])
        with torch.no_grad():
            hidden = model.encoder(input_ids=ids).last_hidden_state
            decoded = model.decoder(input_ids=torch.tensor([[0]]), encoder_hidden_states=hidden)[0][0, 0]
        expected.append(min(max(float(decoded @ model.lm_head.weight[250_089]), 0.0), 25.0))
    assert len(set(np.round(expected, 4)) - {0.0, 25.0}) > 1
    label = f"metricx:{folder},prompt={prompt}"
    result = tertium.score(HYPOTHESES, REFERENCES if prompt == "24" else None, label, source=SOURCE)
    np.testing.assert_allclose(result.segments(label)["system"], expected, atol=1e-5)


def test_mistakes_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ResourceError, match="metricx needs a checkpoint of MetricX: write metricx:FOLDER"):
        tertium.score(HYPOTHESES, REFERENCES, "metricx")
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    (tmp_path / "pytorch_model.bin").write_bytes(b"x")
    monkeypatch.setattr("tertium.resources.checkpoints.find_in_cache", lambda *_: None)
    with pytest.raises(
        ResourceError, match=r"has no tokenizer.* run 'hf download google/mt5-xl spiece\.model"
    ):
        load_metricx(str(tmp_path))
    (tmp_path / "spiece.model").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"metricx needs the package transformers: pip install"):
        tertium.score(HYPOTHESES, REFERENCES, f"metricx:{tmp_path}", source=SOURCE)
