"""Metrics in the Trainer of Hugging Face have the digits of one call over the decoded texts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.adaptors.huggingface import compute_metrics
from tertium.errors import InputError, UnknownNameError

WORDS = ["<pad>", "</s>", "the", "cat", "sat", "on", "mat", "a", "dog"]
HYPOTHESES = ["the cat sat on the mat", "a dog sat", "the mat"]
REFERENCES = ["the cat sat on a mat", "the dog sat", "a mat"]


class WordTokenizer:
    """Decodes word by word, as a tokenizer of transformers does."""

    pad_token_id = 0

    def batch_decode(self, rows: Any, *, skip_special_tokens: bool) -> list[str]:
        kept = range(2 if skip_special_tokens else 0, len(WORDS))
        return [" ".join(WORDS[number] for number in row if number in kept) for row in rows]


class Prediction:
    def __init__(self, predictions: Any, label_ids: Any) -> None:
        self.predictions, self.label_ids = predictions, label_ids


def encode(texts: list[str], padding: int) -> np.ndarray[Any, Any]:
    rows = [[*(WORDS.index(word) for word in text.split()), 1] for text in texts]
    return np.array([row + [padding] * (9 - len(row)) for row in rows])


@pytest.mark.parametrize("is_tuple", [False, True])
def test_padding_and_ignored_labels_are_no_text(is_tuple: bool) -> None:
    predictions = encode(HYPOTHESES, -100)
    given = Prediction((predictions, "states") if is_tuple else predictions, encode(REFERENCES, -100))
    found = compute_metrics(WordTokenizer(), "bleu,chrf,ter")(given)
    at_once = tertium.score(HYPOTHESES, REFERENCES, "bleu,chrf,ter")
    assert found == {label: at_once[label]["system"].value for label in ("bleu", "chrf", "ter")}


def test_logits_are_explained() -> None:
    with pytest.raises(InputError, match="predict_with_generate=True"):
        compute_metrics(WordTokenizer())(Prediction(np.zeros((3, 9, 11)), encode(REFERENCES, -100)))


def test_a_wrong_metric_is_reported_before_the_training() -> None:
    with pytest.raises(UnknownNameError, match="unknown metric 'blue'"):
        compute_metrics(WordTokenizer(), "blue")


@pytest.mark.slow
def test_the_trainer_reports_the_scores(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the Trainer needs PyTorch (workflow frameworks)")
    transformers = pytest.importorskip("transformers", reason="not installed (workflow frameworks)")
    tokenizers = pytest.importorskip("tokenizers")
    pytest.importorskip("accelerate", reason="the Trainer needs accelerate (workflow frameworks)")
    words = {word: number for number, word in enumerate([*WORDS, "<unk>"])}
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<unk>"))
    model.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=model, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    config = transformers.T5Config(
        vocab_size=len(words),
        d_model=16,
        d_ff=16,
        d_kv=8,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
    )
    examples = [
        {"input_ids": encode([source], 0)[0][:6].tolist(), "labels": encode([target], -100)[0].tolist()}
        for source, target in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    seen: list[Any] = []
    compute = compute_metrics(tokenizer, "bleu,chrf")

    def record(prediction: Any) -> dict[str, float]:
        seen.append(prediction)
        return compute(prediction)

    trainer = transformers.Seq2SeqTrainer(
        model=transformers.T5ForConditionalGeneration(config),
        args=transformers.Seq2SeqTrainingArguments(
            str(tmp_path),
            predict_with_generate=True,
            report_to=[],
            use_cpu=True,
            per_device_eval_batch_size=2,
        ),
        eval_dataset=examples,
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer),
        compute_metrics=record,
    )
    found = trainer.evaluate(max_new_tokens=8)
    ids = np.where(seen[0].predictions == -100, 0, seen[0].predictions)
    outputs = [text.strip() for text in tokenizer.batch_decode(ids, skip_special_tokens=True)]
    at_once = tertium.score(outputs, REFERENCES, "bleu,chrf")
    assert found["eval_chrf"] == at_once["chrf"]["system"].value
    assert found["eval_bleu"] == at_once["bleu"]["system"].value
