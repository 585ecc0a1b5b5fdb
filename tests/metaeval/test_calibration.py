"""What a difference is worth: tables are made from judged pairs, kept in files, found by signature."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.metaeval import calibration
from tertium.metaeval.calibration import (
    CalibratedMetric,
    Calibration,
    fit_pairs,
    read_calibration,
    render_calibration,
)
from tertium.metaeval.calibration_fitting import calibrate, leave_out_collections, pool_calibrations
from tertium.metaeval.judged_sets import JudgedSet
from tertium.metaeval.scoring import MetricScores
from tertium.values import Corpus

SIGNATURE = "bleu|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:tertium-0.1.0"


def judged(pair: str, human: list[float]) -> JudgedSet:
    corpus = Corpus([["x"]], {f"s{i}": ["x"] for i in range(len(human))})
    return JudgedSet(pair, corpus, system_scores=np.array(human))


def learn(
    pair: str, human: list[float], metric: list[float], *, collection: str = "wmt15", better: bool = True
) -> Calibration:
    scores = {"bleu": MetricScores("bleu", better, SIGNATURE, np.array(metric))}
    return calibrate([judged(pair, human)], [scores], collection=collection)


def noisy(pair: str, seed: int, collection: str) -> Calibration:
    rng = np.random.default_rng(seed)
    human = rng.normal(0, 3, 12)
    return learn(pair, human.tolist(), (human + rng.normal(0, 2, 12)).tolist(), collection=collection)


def test_pairs_say_how_large_a_difference_was_and_whether_people_agreed() -> None:
    table = learn("de-en", [1, 2, 3, 4, 5], [10, 12, 11, 14, 15])
    (pairs,) = table.metrics[0].pairs
    assert len(pairs.differences) == 10
    assert pairs.agreed.count(False) == 1  # systems 2 and 3
    assert pairs.differences[pairs.agreed.index(False)] == 1


def test_a_metric_for_which_lower_is_better_is_turned_round() -> None:
    table = learn("de-en", [1, 2, 3, 4, 5], [50, 40, 30, 20, 10], better=False)
    assert all(table.metrics[0].pairs[0].agreed)


def test_pairs_that_people_or_the_metric_call_equal_are_left_out() -> None:
    table = learn("de-en", [1, 1, 3, 4, 5, 6], [10, 12, 12, 14, 15, 16])
    assert len(table.metrics[0].pairs[0].differences) == 13


def test_too_few_systems_are_refused() -> None:
    with pytest.raises(InputError, match="at least 10 judged pairs of systems"):
        learn("de-en", [1, 2, 3], [1, 2, 3])


def test_a_table_is_the_same_after_it_was_written_and_read(tmp_path: Path) -> None:
    table = noisy("de-en", 1, "wmt15")
    path = tmp_path / "table.json"
    path.write_text(render_calibration(table), encoding="utf-8")
    assert read_calibration(str(path)) == table


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "tertium-calibration-2"}', "nul\0",
    '{"format": "tertium-calibration-2", "metrics": [{"name": "x", "signatures": [], "pairs": {"a": "+nan"}, "curves": {}}]}'])  # fmt: skip
def test_another_file_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.json is not a calibration table"):
        read_calibration(str(path))


@pytest.mark.parametrize(
    ("scale", "deviation", "pairs"),
    [("1e-320", 0.9, "+1"), ("2", 700, "+1"), ("1e300", 0.9, "+1"), ("2", 0.9, "+1e-310")],
)
def test_numbers_that_a_curve_cannot_use_are_refused(
    tmp_path: Path, scale: str, deviation: float, pairs: str
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(
        '{"format": "tertium-calibration-2", "metrics": [{"name": "x", "signatures": [], "curve": {"shape": 1, "margin": 1,'
        f' "scale": {scale}, "deviation": {deviation}}}, "pairs": {{"wmt21 cs-en": "{pairs}"}}}}]}}'
    )
    with pytest.raises(InputError, match=r"odd\.json is not a calibration table"):
        read_calibration(str(path))


def test_a_metric_is_found_by_signature_whatever_version_and_resampling_say() -> None:
    table = noisy("de-en", 1, "wmt15")
    assert table.find(SIGNATURE.replace("0.1.0", "9.9.9") + "|bs:1000|seed:12345") is table.metrics[0]
    assert table.find(SIGNATURE.replace("13a", "intl")) is None
    assert table.find(SIGNATURE.replace("nrefs:1", "nrefs:4")) is None


def test_a_difference_larger_than_any_seen_is_said_to_be() -> None:
    metric = noisy("de-en", 1, "wmt15").metrics[0]
    largest = max(metric.pairs[0].differences)
    assert not metric.expect_agreement(largest).is_beyond
    assert metric.expect_agreement(largest * 2).is_beyond
    assert metric.expect_agreement(largest * 2).agreement == metric.expect_agreement(largest).agreement


def test_such_pairs_are_those_of_about_the_same_size() -> None:
    metric = learn("de-en", [1, 2, 3, 4, 5], [10, 20, 30, 40, 50]).metrics[0]
    assert metric.expect_agreement(10).n_pairs == 4
    assert metric.expect_agreement(-10).n_pairs == 4
    assert metric.expect_agreement(25).n_pairs == 3 + 2  # 20 and 30


def test_many_differences_are_looked_up_like_each_alone() -> None:
    differences = np.random.default_rng(3).standard_normal(40) * 5
    for metric in read_calibration().metrics[:3]:
        found = metric.expect_agreements(differences)
        assert found == [metric.expect_agreement(difference) for difference in differences.tolist()]
        for difference, expected in zip(np.abs(differences).tolist(), found, strict=True):
            similar = [
                (pairs, i)
                for pairs in metric.pairs
                for i, size in enumerate(pairs.differences)
                if difference / 1.5 <= size <= difference * 1.5
            ]
            tested = [pairs.significant[i] for pairs, i in similar if pairs.significant]
            assert expected.n_pairs == len(similar)
            assert expected.significant == (sum(tested) / len(tested) if tested else None)


def test_pooled_tables_have_the_pairs_of_both() -> None:
    first, second = noisy("de-en", 1, "wmt14"), noisy("en-de", 2, "wmt15")
    pooled = pool_calibrations([first, second]).metrics[0]
    assert pooled.collections == ("wmt14", "wmt15")
    assert pooled.pairs == (*first.metrics[0].pairs, *second.metrics[0].pairs)
    assert pooled.curve == fit_pairs(pooled.pairs)


def test_pairs_say_whether_the_judgments_themselves_are_significantly_different(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    means = np.array([0.0, 0.02, 2.0, 4.0, 6.0])
    segments = means[:, None] + rng.normal(0, 1, (5, 200))
    with_segments = replace(judged("de-en", means.tolist()), segment_scores=segments)
    scores = {"bleu": MetricScores("bleu", True, SIGNATURE, np.arange(5.0))}
    table = calibrate([with_segments], [scores], collection="wmt21")
    (pairs,) = table.metrics[0].pairs
    assert pairs.significant == (False, *[True] * 9)
    assert table.metrics[0].expect_agreement(1.0).significant == 0.75
    path = tmp_path / "table.json"
    path.write_text(render_calibration(table, source="ours"), encoding="utf-8")
    assert read_calibration(str(path)).metrics[0] == replace(table.metrics[0], source="ours")
    assert noisy("de-en", 1, "wmt15").metrics[0].expect_agreement(1.0).significant is None


@pytest.mark.slow
def test_a_collection_is_judged_by_the_table_of_other_years_and_of_other_language_pairs() -> None:
    tables = [noisy(f"{'de' if i % 2 else 'cs'}-en", i, f"wmt{i}") for i in range(10, 16)]
    rows = leave_out_collections(pool_calibrations(tables).metrics[0])
    years = ["wmt10", "wmt11", "wmt12", "wmt13", "wmt14", "wmt15"]
    assert [row.collection for row in rows] == [*years, "all years", "all language pairs"]
    assert {row.n_pairs for row in rows[-2:]} == {sum(row.n_pairs for row in rows[:-2])}
    assert rows[-1].error < 0.12
    assert rows[0].fitted == rows[0].predicted  # no margin


def test_collections_of_one_year_are_left_out_together() -> None:
    tables = [noisy("de-en", 1, "wmt21"), noisy("en-de", 2, "wmt21fromen"), noisy("cs-en", 3, "wmt22")]
    metric = pool_calibrations(tables).metrics[0]
    first = leave_out_collections(metric)[0]
    alone = fit_pairs(metric.pairs[2:])
    assert first.collection == "wmt21"
    assert first.predicted == pytest.approx(float(alone(np.array(metric.pairs[0].differences)).mean()))


def test_a_margin_makes_promises_lower_but_not_the_fit() -> None:
    metric = pool_calibrations([noisy("de-en", i, f"wmt{i}") for i in (10, 11)]).metrics[0]
    cautious = replace(metric, curve=replace(metric.curve, margin=2.0))
    assert cautious.expect_agreement(1.0).agreement < metric.expect_agreement(1.0).agreement
    plain_row, row = leave_out_collections(metric)[0], leave_out_collections(cautious)[0]
    assert row.fitted == plain_row.fitted == plain_row.predicted > row.predicted


def test_one_collection_cannot_be_judged_by_itself() -> None:
    assert leave_out_collections(noisy("de-en", 1, "wmt15").metrics[0]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "std", "meteor", "beer", "redp"])
def test_the_default_table_promises_no_left_out_year_more_than_it_kept(name: str) -> None:
    metric = next(metric for metric in read_calibration().metrics if metric.name == name)
    rows = {row.collection: row for row in leave_out_collections(metric)}
    assert rows["all language pairs"].error <= 0.08
    assert all(row.predicted <= row.seen + 0.05 for row in rows.values())


def test_a_table_that_does_not_exist_gets_the_names_of_those_that_do() -> None:
    with pytest.raises(InputError, match=r"no calibration table wmt99; give a file, or wmt21-22 or wmt10-15"):
        read_calibration("wmt99")


def test_tables_of_the_package_are_named_by_their_years() -> None:
    assert read_calibration() is read_calibration("wmt21-22")
    assert {metric.source for metric in read_calibration("wmt10-15").metrics} == {
        "WMT10–15, statistical systems"
    }
    assert read_calibration().metrics[0].expect_agreement(1.0).source == "WMT21–22, neural systems"


def test_only_metrics_that_are_looked_up_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = calibration._parse_metric

    def parse_and_note(data: Mapping[str, Any], source: str) -> CalibratedMetric:
        parsed.append(data["name"])
        return parse(data, source)

    monkeypatch.setattr(calibration, "_parse_metric", parse_and_note)
    calibration._read_packaged.cache_clear()
    table = read_calibration()
    for version in ("0.1.0", "0.2.0"):
        found = table.find(f"bleu|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:tertium-{version}")
        assert found is not None
        assert found.name == "bleu"
    assert parsed == ["bleu"]
    assert table.find("bleu|nrefs:9") is None
    assert len(table.metrics[1:3]) == 2


@pytest.mark.parametrize(
    "metric", ["meteor|nrefs:1", "redp|nrefs:1|trees:tertium-english-1[9fe5a956]|tok:meteor|case:mixed"]
)
@pytest.mark.parametrize(
    "resources",
    [
        "words:tertium[4533ff72]|paraphrases:none",
        "words:meteor-1.5[b5f917d2]|paraphrases:paraphrase-en[af15bede]",
    ],
)
def test_meteors_paraphrases_do_not_remove_the_expected_agreement(metric: str, resources: str) -> None:
    rest = "task:rank|norm:yes" if metric.startswith("meteor") else "recall:weighed"
    signature = f"{metric}|{resources}|synonyms:wordnet-3.0[30437e9b]|lang:en|{rest}|version:tertium-9"
    assert read_calibration().find(signature) is not None
