"""Presets of the package, by name: `-m std@contextual`."""

from pathlib import Path

import pytest

from reference.vectors import MadeUpVectors
from tertium.catalog import (
    MetricMaker,
    ResourceChoice,
    find_metric,
    parse_label,
    parse_metrics,
    parse_signature,
)
from tertium.cli.completion import complete_metrics
from tertium.commands.inspect.metric_tables import ERAS, STATISTICS
from tertium.errors import UnknownNameError
from tertium.evaluation.evaluation import Evaluation
from tertium.resources.presets import NamedPreset, measurements, named_presets, published_measurements

PRESETS = list(named_presets().values())


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.label for preset in PRESETS])
def test_every_preset_fits_its_metric(preset: NamedPreset) -> None:
    known = {option.name: option for option in find_metric(preset.metric).options()}
    for name, value in preset.options.items():
        known[name].check(value, preset.label)
    assert preset.version >= 1
    assert preset.source


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.label for preset in PRESETS])
def test_a_preset_in_a_label_gives_its_options(preset: NamedPreset) -> None:
    named = parse_label(preset.label)
    assert named.options == preset.options
    assert (named.preset, named.resources) == (f"{preset.name}-{preset.version}", preset.resources)


def test_options_that_are_written_out_go_before_a_presets() -> None:
    assert parse_label("mas@paper:threshold=0.5").options["threshold"] == 0.5


def test_presets_are_named_after_the_metrics_own_spellings() -> None:
    assert parse_label("BLEUmodif@paper").options["threshold"] == 0.1


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("std@contxtual", "std has no preset 'contxtual'; did you mean contextual?"),
        ("mas@wmt10", "mas has no preset 'wmt10'; choose from contextual, english, paper"),
        ("bleu@paper", "bleu has no preset 'paper', and no such file exists"),
        ("std@", "std has no preset ''"),
    ],
)
def test_an_unknown_preset_is_an_error_with_a_suggestion(label: str, message: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        parse_metrics([label])
    assert message in str(caught.value)


def test_a_presets_name_goes_before_a_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper").write_text('metric = "mas"\n[options]\nthreshold = 0.9\n', encoding="utf-8")
    assert parse_label("mas@paper").options == {"threshold": 0.33}
    assert parse_label("mas@./paper").options == {"threshold": 0.9}


def test_a_preset_brings_its_vectors_unless_the_user_names_others() -> None:
    (own,) = parse_metrics(["mas@english"])
    assert own.metric.vectors.identity.startswith("tertium-english")  # type: ignore[attr-defined]
    mine = MadeUpVectors()
    made = MetricMaker(ResourceChoice(vectors=mine)).make("mas@english")
    assert made.metric.vectors is mine  # type: ignore[attr-defined]
    assert made.metric.threshold == 0.33  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", [None, "en", "de"])
def test_a_presets_vectors_go_before_those_of_the_language(
    language: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = MadeUpVectors()
    monkeypatch.setattr(
        "tertium.catalog.building._load_named_vectors", lambda name: mine if name == "contextual:4" else None
    )
    maker = MetricMaker(ResourceChoice(language=language))
    assert maker.make("mas@contextual").metric.vectors is mine  # type: ignore[attr-defined]
    assert maker.build("mas", {}, "mas@contextual").vectors is mine  # type: ignore[attr-defined]


def test_a_signature_names_the_preset_with_its_version_and_can_be_run() -> None:
    (labelled,) = parse_metrics(["mas@english"])
    signature = Evaluation(("A",), (labelled,), {}, (1, 1)).signature("mas@english")
    assert "|preset:english-2|" in signature
    again = parse_signature(signature)
    assert again.metric == labelled.metric
    assert again.preset == "english-2"


def test_a_run_is_scored_further_with_the_presets_vectors() -> None:
    maker = MetricMaker(ResourceChoice())
    built = maker.build("mas", {"threshold": 0.33}, "mas@english")
    assert built.vectors.identity.startswith("tertium-english")  # type: ignore[attr-defined]


def test_presets_and_options_behind_them_are_completed() -> None:
    assert "bleu,std@contextual" in complete_metrics("bleu,std@")
    assert "std@contextual:order_weight=" in complete_metrics("std@contextual:")
    assert "std@contextual:mass=nbow" in complete_metrics("std@contextual:mass=")


def test_only_known_metrics_and_presets_are_measured() -> None:
    for label, years in measurements().items():
        parse_label(label)
        for values in years.values():
            assert all(-1 <= value <= 1 for value in values.values()), label


def test_every_measured_test_set_and_statistic_has_a_column() -> None:
    shown = {name for era in ERAS for name in era.headings}
    for years in (*measurements().values(), *published_measurements().values()):
        assert shown.issuperset(years)
        assert all(STATISTICS.keys() >= values.keys() for values in years.values())


def test_our_bleu_and_chrf_agree_with_judges_as_the_published_ones_do() -> None:
    for ours, theirs in (("bleu", "BLEU"), ("chrf", "chrF")):
        assert measurements()[ours]["wmt23 he-en"] == published_measurements()[theirs]["wmt23 he-en"]
