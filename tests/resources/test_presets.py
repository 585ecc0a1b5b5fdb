"""Presets: writing, reading, checks, and their stamp in signatures."""

from collections.abc import Callable

import pytest

from tertium.catalog import parse_metrics, read_signature
from tertium.errors import InputError, OptionError, UnknownNameError
from tertium.evaluation.evaluation import Evaluation
from tertium.resources.presets import Preset, read_preset, render_preset

Write = Callable[[str, str | bytes], str]

PRESET = Preset(
    "bleu", {"lowercase": True, "smooth_value": 0.25, "smooth_method": "floor", "max_ngram_order": 3}
)


def test_a_preset_is_read_as_it_was_written(write: Write) -> None:
    path = write("p.toml", render_preset(PRESET, {"objective": 'with "quotes"', "train": 0.5}))
    assert read_preset(path) == PRESET
    assert read_preset(path).digest == PRESET.digest


def test_tuples_and_none_survive(write: Write) -> None:
    preset = Preset("x", {"weights": (0.5, 0.5), "left_out": None})
    assert read_preset(write("p.toml", render_preset(preset, {}))).options == {"weights": (0.5, 0.5)}


def test_the_checksum_depends_on_values_alone(write: Write) -> None:
    reordered = Preset("bleu", {name: PRESET.options[name] for name in sorted(PRESET.options)})
    assert reordered.digest == PRESET.digest
    assert Preset("bleu", {**PRESET.options, "smooth_value": 0.3}).digest != PRESET.digest


def test_a_metric_takes_its_options_from_a_preset(write: Write) -> None:
    path = write("p.toml", render_preset(PRESET, {}))
    plain, overridden, other = parse_metrics(
        [f"bleu@{path}", f"bleu@{path}:lowercase=no", "wer"], defaults={"lowercase": False}
    )
    assert (
        plain.metric
        == parse_metrics(["bleu:lowercase=yes,smooth_value=0.25,smooth_method=floor,max_ngram_order=3"])[
            0
        ].metric
    )
    assert (plain.label, plain.preset, other.preset) == (f"bleu@{path}", PRESET.digest, None)
    assert not overridden.metric.lowercase  # type: ignore[attr-defined]


def test_a_preset_may_stand_in_a_list_with_options_behind_it(write: Write) -> None:
    path = write("p=1.toml", render_preset(PRESET, {}))
    assert [metric.label for metric in parse_metrics([f"wer,bleu@{path},lowercase=no,per"])] == [
        "wer",
        f"bleu@{path}:lowercase=no",
        "per",
    ]


def test_the_signature_has_the_checksum(write: Write) -> None:
    (metric,) = parse_metrics([f"bleu@{write('p.toml', render_preset(PRESET, {}))}"])
    signature = Evaluation(("A",), (metric,), {}, (1, 1)).signature(metric.label)
    assert f"|preset:{PRESET.digest}|" in signature
    assert read_signature(signature) == metric.metric


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("metric = ", InputError, "p.toml is not TOML"),
        ("metric = 3\n[options]\n", InputError, "p.toml is not a preset: it needs metric"),
        ('metric = "bleu"\n', InputError, "p.toml is not a preset"),
        (
            'metric = "wer"\n[options]\n',
            InputError,
            "p.toml is a preset of wer, not of bleu; write wer@p.toml",
        ),
        ('metric = "bleu"\n[options]\nbeta = 2\n', UnknownNameError, "bleu has no option 'beta'"),
        ('metric = "bleu"\n[options]\nlowercase = 2\n', OptionError, "lowercase must be yes or no, not 2"),
    ],
)
def test_a_bad_preset_is_refused(write: Write, content: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        parse_metrics([f"bleu@{write('p.toml', content)}"])
