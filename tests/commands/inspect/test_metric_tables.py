"""The catalogue as documents."""

import csv
import io
import json

import pytest

from tertium.catalog import families, find_metric
from tertium.commands.inspect.metric_tables import Knowledge, describe_metric, describe_metrics
from tertium.metrics.embedding.std import STD
from tertium.presentation.tables import FORMATS, render_document
from tertium.presentation.tables.data_formats import document_to_pandas
from tertium.resources.presets import NamedPreset

CLASSES = [(find_metric(name), families()[name]) for name in ("wer", "bleu", "std")]


@pytest.mark.parametrize("form", FORMATS)
def test_a_list_has_every_metric_in_every_format(form: str) -> None:
    page = render_document(describe_metrics(CLASSES), form)
    for part in ("wer", "bleu", "std", "Papineni"):
        assert part in page


@pytest.mark.parametrize("form", FORMATS)
def test_one_metric_has_its_options_in_every_format(form: str) -> None:
    page = render_document(describe_metric(*CLASSES[1]), form)
    assert page.replace("\\", "").count("smooth_method") >= 1
    assert "lexical" in page or form in ("csv", "safe-csv", "tsv")


def test_a_list_is_told_by_family() -> None:
    lines = render_document(describe_metrics(CLASSES), "text").splitlines()
    assert [line for line in lines if line and not line.startswith(" ")][:2] == ["lexical", "embedding"]
    assert any(line.startswith("  wer          ↓  Insertions") for line in lines)
    assert lines[-1] == "tertium metrics NAME shows one with its options."


def test_records_say_which_way_is_better() -> None:
    document = describe_metrics(CLASSES)
    rows = list(csv.DictReader(io.StringIO(render_document(document, "csv"))))
    assert [row["higher_is_better"] for row in rows] == ["false", "true", "false"]
    assert document_to_pandas(document)["higher_is_better"].tolist() == [False, True, False]


def test_json_of_one_and_of_many_has_one_schema() -> None:
    (one,) = json.loads(render_document(describe_metric(*CLASSES[0]), "json"))["metrics"]
    assert one == json.loads(render_document(describe_metrics(CLASSES), "json"))["metrics"][0]


KNOWLEDGE = Knowledge(
    (
        NamedPreset("wer", "paper", 2, {"lowercase": True, "weights": (0.5, 1.0)}, "A paper", {}),
        NamedPreset("mas", "other", 1, {}, "B paper", {"vectors": "contextual"}),
    ),
    {"wer": {"wmt12": {"segment": 0.25, "system": 0.8}}, "wer@paper": {"wmt15": {"assessment": 0.5}}},
)
NEURAL = Knowledge(
    measured={
        "wer": {
            "wmt12": {"system": 0.8},
            "wmt21mqm zh-en": {"accuracy": 0.7, "pairwise": 0.4},
            "wmt22": {"pairwise": 0.3},
        },
        "bleu": {"wmt12": {"system": 0.9}},
    }
)


def test_the_list_has_presets_and_what_was_measured_in_a_column_per_test_set() -> None:
    text = render_document(describe_metrics(CLASSES, KNOWLEDGE), "text")
    assert "presets: wer@paper\n" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["wmt12", "τ", "wmt12", "r", "wmt15", "DA"] in lines
    assert ["wer", "0.250", "0.800"] in lines
    assert ["wer@paper", "0.500"] in lines
    assert "mas@other" not in text, "a preset of a metric that is not listed"


def test_each_era_has_a_table_with_the_newest_systems_first() -> None:
    tables = list(describe_metrics(CLASSES, NEURAL).tables)[1:]
    assert [[column.heading for column in table.columns] for table in tables] == [
        ["metric", "wmt22 acc-eq"],
        ["metric", "zh-en SPA", "zh-en acc-eq"],
        ["metric", "wmt12 r"],
    ]
    assert [[row[0].text for row in table.rows] for table in tables] == [["wer"], ["wer"], ["wer", "bleu"]]
    assert [bool(table.notes) for table in tables] == [False, False, True]


def test_a_single_metric_shows_its_presets_with_options_version_and_source() -> None:
    text = render_document(describe_metric(*CLASSES[0], KNOWLEDGE), "text")
    assert "wer@paper  version 2: lowercase=yes, weights=0.5/1\n      A paper" in text
    (entry,) = json.loads(render_document(describe_metric(*CLASSES[0], KNOWLEDGE), "json"))["metrics"]
    assert entry["measured"] == {"wmt12": {"segment": 0.25, "system": 0.8}}
    assert entry["presets"][0]["measured"] == {"wmt15": {"assessment": 0.5}}


def test_defaults_that_depend_on_vectors_are_told() -> None:
    text = render_document(describe_metric(STD, "embedding"), "text")
    assert "mass=nsim (" in text
    assert "contextual vectors: idf" in text
