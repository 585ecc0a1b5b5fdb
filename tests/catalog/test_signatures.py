"""Signatures run: sacreBLEU's give sacreBLEU's scores, ours give ours, and what cannot be honoured is named."""

import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

import tertium
from reference.toy_resources import TOY_PROVIDERS
from tertium.catalog import build_metric, metric_names, parse_metrics, parse_signature, split_labels
from tertium.errors import InputError, OptionError, ResourceError, TertiumError, UnknownNameError

HYPOTHESES = ["The cat sat on a mat.", "it rains, and rains", "We meet at Noon"]
REFERENCES = ["The cat sat on the mat.", "It rains and rains!", "we meet at noon, 12.5"]
SACREBLEU = "bleu|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.3"
CHRF2 = "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.4.3"

PEERS = [
    BLEU(), BLEU(smooth_method="floor"), BLEU(smooth_method="add-k", smooth_value=2, tokenize="intl", lowercase=True),
    BLEU(smooth_method="none", tokenize="char"), BLEU(effective_order=True), CHRF(), CHRF(word_order=2, beta=3),
    CHRF(eps_smoothing=True, lowercase=True), CHRF(whitespace=True, char_order=4), TER(),
    TER(normalized=True, asian_support=True, case_sensitive=True, no_punct=True),
]  # fmt: skip


@pytest.mark.parametrize("peer", PEERS)
def test_a_signature_of_sacrebleu_gives_its_score(peer: BLEU | CHRF | TER) -> None:
    expected = peer.corpus_score(HYPOTHESES, [REFERENCES])
    signature = f"{expected.name}|{peer.get_signature()}"
    result = tertium.score(HYPOTHESES, REFERENCES, signature)
    (label,) = (metric.label for metric in result.evaluation.metrics)
    assert result[label]["system"].value == pytest.approx(expected.score, rel=1e-12)


@pytest.mark.parametrize("name", metric_names())
def test_our_signatures_give_the_metric_back(name: str) -> None:
    metric = build_metric(name, {}, TOY_PROVIDERS)
    found = parse_signature(metric.signature((1, 1)), TOY_PROVIDERS)
    assert found.metric == metric
    label = "mix:0.5*bleu+0.5*chrf" if name == "mix" else name  # the label of a sum names its parts
    assert (found.label, found.warnings) == (label, ())


def test_labels_of_signatures_say_what_differs_from_the_default() -> None:
    labels = [metric.label for metric in parse_metrics(["wer|case:lc|tok:none", CHRF2.replace("F2", "F3")])]
    assert labels == ["wer:tokenizer=none,lowercase=yes", "chrf:beta=3"]


def test_commas_inside_signatures_do_not_end_them() -> None:
    odd = "std|vectors:my,odd[1f],name|tok:13a"
    assert split_labels([f"wer,{odd},{SACREBLEU},chrf:beta=3,word_order=2,{CHRF2}"]) == [
        "wer", odd, SACREBLEU, "chrf:beta=3,word_order=2", CHRF2
    ]  # fmt: skip


def test_defaults_do_not_change_a_signature() -> None:
    (found,) = parse_metrics([SACREBLEU], defaults={"tokenizer": "zh", "lowercase": True})
    assert found.label == "bleu"


@pytest.mark.parametrize(
    ("signature", "error", "message"),
    [
        ("blue|tok:13a", UnknownNameError, "unknown metric 'blue'; did you mean bleu"),
        ("bleu|tko:13a", UnknownNameError, "the signature of bleu has no entry 'tko'; did you mean tok"),
        ("bleu|tok", OptionError, "'tok' is not of the form key:value"),
        ("bleu|tok:13a|tok:intl", OptionError, "has tok twice"),
        ("bleu|tok:13b", TertiumError, "13b"),
        ("TER|tok:13a", OptionError, "ter: tok:13a is not supported; here it is tok:tercom"),
        ("BLEU|case:mixed|version:1.5.1", OptionError, r"scores of sacreBLEU 1\.5\.1 cannot be reproduced"),
        ("sentvec|vectors:glove[12345678]", ResourceError, r"has vectors:glove\[12345678\], but the resource here is"),
        ("bleu|smooth:sometimes", OptionError, "smooth_method must be"),
    ],
)  # fmt: skip
def test_what_cannot_be_honoured_is_named(signature: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_signature(signature, TOY_PROVIDERS)


def test_a_number_of_references_that_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="the signature says nrefs:2, but the data has nrefs:1"):
        tertium.score(HYPOTHESES, REFERENCES, SACREBLEU.replace("nrefs:1", "nrefs:2"))


def test_other_versions_and_resampling_are_doubted() -> None:
    result = tertium.score(HYPOTHESES, REFERENCES, "wer|nrefs:1|bs:1000|seed:7|version:tertium-0.0.1")
    assert any("is from tertium-0.0.1, but this is" in warning for warning in result.warnings)
    assert any("ci= samples=1000 seed=7" in warning for warning in result.warnings)


@pytest.mark.parametrize("version", ["2x.1", "²", "1" * 5000])
def test_a_version_that_is_no_number_is_doubted(version: str) -> None:
    result = tertium.score(HYPOTHESES, REFERENCES, f"bleu|nrefs:1|tok:13a|version:{version}")
    assert any(f"is from {version}, but this is" in warning for warning in result.warnings)


def test_a_metric_given_by_name_and_signature_is_refused() -> None:
    with pytest.raises(OptionError, match="metric 'bleu' is given twice"):
        tertium.score(HYPOTHESES, REFERENCES, ["bleu", SACREBLEU])
