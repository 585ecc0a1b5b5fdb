"""Runs come back from their files with every bit, and damaged ones are refused."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contract.test_metrics import HYPOTHESES, REFERENCES
from reference.toy_resources import TOY_PROVIDERS
from tertium.catalog import LabelledMetric, build_metric, metric_names
from tertium.engines import evaluate
from tertium.errors import InputError, ResourceError, TertiumError
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import compare
from tertium.evaluation.runs import open_run, save_run
from tertium.files.archive import write_archive
from tertium.metrics.external_scores import make_external, tabulate_scores
from tertium.stats.analysis import Analysis
from tertium.types import Corpus

pytest.importorskip("pyarrow")

CORPUS = Corpus(
    [list(group) for group in REFERENCES],
    {"a": list(HYPOTHESES), 'b:1|"<\n': list(HYPOTHESES[::-1])},
    sources=[f"source {i}" for i in range(10)],
    segment_ids=list("0123456789"),
    document_ids=["x"] * 4 + ["y"] * 6,
    columns={"domain": ["news"] * 5 + [""] * 5, "id": list("abcdefghij")},
)


def metrics_of(*names: str) -> list[LabelledMetric]:
    return [LabelledMetric(name, build_metric(name, {}, TOY_PROVIDERS)) for name in names]


@pytest.fixture(scope="module")
def whole() -> Evaluation:
    return evaluate(CORPUS, metrics_of(*metric_names()))


@pytest.fixture(scope="module")
def path(whole: Evaluation, tmp_path_factory: pytest.TempPathFactory) -> str:
    saved = str(tmp_path_factory.mktemp("runs") / "whole.run")
    save_run(saved, whole, CORPUS)
    return saved


@pytest.fixture
def small(tmp_path: Path) -> Path:
    corpus = Corpus([["a b c"], ["d e"]], {"one": ["a b", "d e"], "two": ["a", "e d"]})
    saved = tmp_path / "small.run"
    save_run(str(saved), evaluate(corpus, metrics_of("wer", "bleu")), corpus)
    return saved


@pytest.mark.slow
@pytest.mark.parametrize("label", metric_names())
def test_every_metric_reads_its_statistics_without_its_resources(
    label: str, whole: Evaluation, path: str
) -> None:
    found = open_run(path).evaluation
    np.testing.assert_array_equal(found.tables[label], whole.tables[label])
    np.testing.assert_array_equal(found.totals(label), whole.totals(label))
    np.testing.assert_array_equal(found.system_scores(label), whole.system_scores(label))
    np.testing.assert_array_equal(found.segment_scores(label), whole.segment_scores(label))
    assert found.signature(label) == whole.signature(label)
    assert found.signature(label, bs=1000, seed=1) == whole.signature(label, bs=1000, seed=1)


def test_a_run_gives_its_texts_back(path: str) -> None:
    assert open_run(path).corpus == CORPUS


def test_intervals_and_tests_are_those_of_the_first_time(whole: Evaluation, path: str) -> None:
    before = compare(whole, Analysis.of(n_samples=50, baseline="a")).metrics
    after = compare(open_run(path).evaluation, Analysis.of(n_samples=50, baseline="a")).metrics
    for label, each in before.items():
        np.testing.assert_array_equal(np.array(each.intervals), np.array(after[label].intervals))
        np.testing.assert_array_equal(each.adjusted_p, after[label].adjusted_p)


def test_a_recorded_resource_refuses_to_score_texts(path: str) -> None:
    metric = open_run(path).evaluation.metric("sentvec")
    with pytest.raises(ResourceError, match="a run knows only the name of"):
        metric.sentence_score("a", ["b"])


def test_totals_are_known_before_any_table_is_read(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.evaluation.runs.files.CHECKED_AT_ONCE", 0)
    with zipfile.ZipFile(small) as archive:
        manifest = archive.read("manifest.json")
    with zipfile.ZipFile(small, "w") as archive:
        archive.writestr("manifest.json", manifest)
    run = open_run(str(small))
    assert run.evaluation.system_scores("wer").tolist() == [20.0, 80.0]
    assert run.evaluation.n_segments == 2
    with pytest.raises(InputError, match="damaged or truncated"):
        run.evaluation.segment_scores("wer")


def test_a_run_without_texts_holds_none_but_knows_its_test_set(tmp_path: Path) -> None:
    corpus = Corpus([["secret one"], ["secret two", "secret"]], {"s": ["secret one", "x"]}, ["hidden", "h"])
    evaluation = evaluate(corpus, metrics_of("wer"))
    for name, with_texts in {"with": True, "without": False}.items():
        save_run(str(tmp_path / name), evaluation, corpus, with_texts=with_texts)
    known, unknown = open_run(str(tmp_path / "with")), open_run(str(tmp_path / "without"))
    assert unknown.corpus is None
    assert unknown.reference_checksums == known.reference_checksums
    assert unknown.manifest.test_set == known.manifest.test_set
    with zipfile.ZipFile(tmp_path / "without") as archive:
        assert not any(b"secret" in archive.read(name) for name in archive.namelist())


def test_other_tools_read_what_a_run_holds(small: Path) -> None:
    import io  # noqa: PLC0415

    import pyarrow.parquet as pq  # noqa: PLC0415

    with zipfile.ZipFile(small) as archive:
        names = set(archive.namelist())
        scores = pq.read_table(io.BytesIO(archive.read("scores/1.parquet"))).to_pydict()
        segments = pq.read_table(io.BytesIO(archive.read("segments.parquet"))).to_pydict()
    assert {"manifest.json", "segments.parquet", "statistics/1.parquet", "scores/2.parquet"} <= names
    assert scores == {"one": [pytest.approx(100 / 3), 0.0], "two": [pytest.approx(200 / 3), 100.0]}
    assert segments["references"] == [["a b c"], ["d e"]]
    assert segments["system:two"] == ["a", "e d"]


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
names = st.lists(texts, min_size=1, max_size=3, unique=True)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), systems=names, columns=names, n=st.integers(1, 5), with_texts=st.booleans())
def test_any_texts_and_names_come_back(
    tmp_path: Path, data: st.DataObject, systems: list[str], columns: list[str], n: int, with_texts: bool
) -> None:
    lines = st.lists(texts, min_size=n, max_size=n)
    corpus = Corpus(
        data.draw(st.lists(st.lists(texts, min_size=1, max_size=3), min_size=n, max_size=n)),
        {name: data.draw(lines) for name in systems},
        columns={name: data.draw(lines) for name in columns},
    )
    evaluation = evaluate(corpus, metrics_of("chrf", "wer"))
    saved = str(tmp_path / "any.run")
    save_run(saved, evaluation, corpus, with_texts=with_texts)
    run = open_run(saved)
    assert run.corpus == (corpus if with_texts else None)
    assert run.columns == corpus.columns
    assert run.evaluation.systems == tuple(systems)
    for label in ("chrf", "wer"):
        np.testing.assert_array_equal(run.evaluation.tables[label], evaluation.tables[label])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scores=st.lists(st.floats(), min_size=1, max_size=4))
def test_any_numbers_come_back_with_every_bit(tmp_path: Path, scores: list[float]) -> None:
    table = tabulate_scores(np.array([scores]))
    metric = LabelledMetric("comet", make_external("comet", "ab", higher_is_better=False))
    corpus = Corpus([["x"]] * len(scores), {"s": ["y"] * len(scores)})
    saved = str(tmp_path / "numbers.run")
    save_run(saved, Evaluation(("s",), (metric,), {"comet": table}, (1, 1)), corpus)
    found = open_run(saved).evaluation
    assert found.tables["comet"].tobytes() == table.tobytes()
    assert found.metric("comet").higher_is_better is False
    assert found.signature("comet") == "comet|given|sha256:ab"


def read_all(path: Path) -> list[Any]:
    """Read everything that a run holds."""
    run = open_run(str(path))
    labels = [each.label for each in run.evaluation.metrics]
    tables = [run.evaluation.tables[label].tolist() for label in labels]
    scores = [run.evaluation.system_scores(label).tolist() for label in labels]
    signatures = [run.evaluation.signature(label) for label in labels]
    return [run.manifest.systems, signatures, tables, scores, run.corpus]


@pytest.mark.slow
def test_a_flipped_bit_is_refused_or_changes_nothing(small: Path) -> None:
    right, data = read_all(small), small.read_bytes()
    refused = []
    for at in range(0, len(data), 13):
        small.write_bytes(data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :])
        try:
            assert read_all(small) == right
        except TertiumError as error:
            refused.append(str(error))
    assert len(refused) > len(data) // 13 * 0.9
    assert not any("\n" in message for message in refused)


def test_a_run_that_was_cut_is_refused(small: Path) -> None:
    data = small.read_bytes()
    for end in range(0, len(data), 301):
        small.write_bytes(data[:end])
        with pytest.raises(InputError, match=r"small\.run"):
            read_all(small)


def rewrite(path: Path, **changes: object) -> None:
    """Change a manifest and keep all checksums right, as only a program would."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    write_archive(str(path), {**manifest, **changes}, members)


def test_a_newer_format_is_refused_with_the_version_that_wrote_it(small: Path) -> None:
    rewrite(small, format=2, tertium="9.1")
    with pytest.raises(InputError, match=r"has format 2 of runs.*written by tertium 9\.1: update"):
        open_run(str(small))


@pytest.mark.parametrize(
    "changes",
    [
        {"format": None}, {"format": True}, {"systems": []}, {"systems": ["one", "one"]}, {"systems": 3},
        {"systems": ["one"]}, {"metrics": []}, {"metrics": [{}]}, {"metrics": None}, {"n_segments": -1},
        {"n_segments": "2"}, {"n_references": [1]}, {"files": [{}]}, {"settings": 3}, {"texts": "yes"},
        {"columns": ["lost"]}, {"sources": True}, {"n_segments": 3}, {"ids": True}, {"systems": ["two", "one"]},
    ],
    ids=str,
)  # fmt: skip
def test_a_manifest_that_lies_is_refused_in_one_line(small: Path, changes: dict[str, object]) -> None:
    rewrite(small, **changes)
    with pytest.raises(InputError, match=r"small\.run") as error:
        read_all(small)
    assert "\n" not in str(error.value)


def test_totals_that_the_statistics_do_not_sum_to_are_refused(small: Path) -> None:
    with zipfile.ZipFile(small) as archive:
        metrics = json.loads(archive.read("manifest.json"))["metrics"]
    metrics[0]["totals"][0][0] += 1
    rewrite(small, metrics=metrics)
    with pytest.raises(InputError, match="the statistics of wer do not sum to its totals"):
        read_all(small)


def test_a_metric_that_is_not_installed_here_is_named(small: Path) -> None:
    with zipfile.ZipFile(small) as archive:
        metrics = json.loads(archive.read("manifest.json"))["metrics"]
    metrics[0]["name"] = "werr"
    rewrite(small, metrics=metrics)
    with pytest.raises(InputError, match="cannot be read here: unknown metric 'werr'"):
        open_run(str(small))


def test_what_is_not_a_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.run").write_text("hello\n")
    with zipfile.ZipFile(tmp_path / "zip.run", "w") as archive:
        archive.writestr("a", "b")
    write_archive(str(tmp_path / "other.run"), {"kind": "tertium data"}, {})
    for name in ("text.run", "zip.run", "other.run", "none.run", "."):
        with pytest.raises(InputError):
            open_run(str(tmp_path / name))


def test_half_a_surrogate_pair_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    corpus = Corpus([["x"]], {"s": ["x"]}, columns={"c": ["\ud800"]})
    with pytest.raises(InputError, match="an unpaired surrogate"):
        save_run(str(tmp_path / "x.run"), evaluate(corpus, metrics_of("wer")), corpus)
    assert list(tmp_path.iterdir()) == []
