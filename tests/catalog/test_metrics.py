"""Names, labels and options as users write them."""

from importlib.metadata import EntryPoint
from unittest.mock import patch

import pytest

import tertium.catalog.finding
from tertium.catalog import build_metric, families, find_metric, parse_metrics, read_signature
from tertium.errors import OptionError, TertiumError, UnknownNameError
from tertium.metrics.lexical.bleu import BLEU
from tertium.metrics.lexical.wer import WER


def test_a_file_name_is_a_metric_name() -> None:
    assert find_metric("bleu") is BLEU
    assert families()["wer"] == "lexical"


def test_an_item_with_a_value_belongs_to_the_metric_before_it() -> None:
    metrics = parse_metrics(["wer,bleu:smooth_method=floor,smooth_value=0.2,per", "sentbleu"])
    assert [metric.label for metric in metrics] == [
        "wer", "bleu:smooth_method=floor,smooth_value=0.2", "per", "sentbleu",
    ]  # fmt: skip
    assert metrics[1].metric == BLEU(smooth_method="floor", smooth_value=0.2)


def test_shared_options_give_way_to_a_metrics_own() -> None:
    first, second = parse_metrics(["wer,bleu:tokenizer=char"], defaults={"tokenizer": "none", "unknown": 1})
    assert first.metric == WER(tokenizer="none")
    assert second.metric == BLEU(tokenizer="char")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("beu", "unknown metric 'beu'; did you mean bleu?"),
        ("chrf" + "1" * 5000, "unknown metric 'chrf1111"),
        ("bleu:tokenizr=13a", "bleu has no option 'tokenizr'; did you mean tokenizer?"),
        ("bleu:max_ngram_order=many", "max_ngram_order must be a whole number at least 1 and at most 32"),
        ("bleu:lowercase=maybe", "lowercase must be yes or no, not 'maybe'"),
        ("bleu:smooth_method=magic", "smooth_method must be none, floor, add-k or exp, not 'magic'"),
        ("bleu:smooth_value=nan", "smooth_value must be a number or none at least 0"),
        ("bleu:13a", "'13a' is not an option"),
        ("bleu,bleu", "metric 'bleu' is given twice"),
        ("tokenizer=13a", "does not follow a metric"),
        ("", "a metric's name is missing"),
        ("wer:tokenizer=13b", "unknown tokenizer '13b'; did you mean 13a?"),
    ],
)
def test_mistakes_are_named_with_a_remedy(text: str, message: str) -> None:
    with pytest.raises(TertiumError) as caught:
        parse_metrics([text])
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_signature_names_its_metric_and_options() -> None:
    assert read_signature(BLEU(lowercase=True, max_ngram_order=2).signature((1, 1))) == BLEU(
        lowercase=True, max_ngram_order=2
    )


def test_unknown_options_are_refused_from_python_too() -> None:
    with pytest.raises(UnknownNameError, match="no option"):
        build_metric("wer", {"beta": 2})
    with pytest.raises(OptionError, match="yes or no"):
        build_metric("wer", {"lowercase": "yes"})


def test_third_parties_add_metrics_through_an_entry_point() -> None:
    entry = EntryPoint("mine", "tertium.metrics.lexical.wer:WER", "tertium.metrics")

    name = WER.name
    families.cache_clear()
    try:
        with patch.object(tertium.catalog.finding, "find_plugins", lambda: [entry]):
            assert families()["mine"] == "third party"
            assert find_metric("mine") is WER
            assert find_metric("mine").name == "wer", "a plug-in keeps its own name"
    finally:
        WER.name = name
        families.cache_clear()
