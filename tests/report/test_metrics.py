"""The catalogue as documents."""

import csv
import io
import json

import pytest

from tertium.catalog import families, find_metric
from tertium.report.metrics import describe_metric, describe_metrics
from tertium.report.tables import FORMATS, document_to_pandas, render_document

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
    assert "lexical" in page or form in ("csv", "tsv")


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
