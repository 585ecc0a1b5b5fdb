"""Runs come back from their files with every bit, and damaged ones are refused."""

import gzip
import io
import json
import lzma
import pickle
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tertium
from contract.test_metrics import HYPOTHESES, REFERENCES
from reference.toy_resources import TOY_PROVIDERS
from tertium.catalog import LabelledMetric, build_metric, metric_names, parse_metrics
from tertium.corpus import read_corpus
from tertium.engines import evaluate
from tertium.errors import InputError, ResourceError, TertiumError, UnknownNameError
from tertium.evaluation import Evaluation
from tertium.evaluation.comparison import compare
from tertium.evaluation.runs import open_run, open_runs, save_run
from tertium.files.archive import write_archive
from tertium.metrics.means import make_external, tabulate_scores
from tertium.stats.analysis import Analysis
from tertium.values import Corpus

CORPUS = Corpus(
    [list(group) for group in REFERENCES],
    {"a": list(HYPOTHESES), 'b:1|"<\n': list(HYPOTHESES[::-1])},
    sources=[f"source {i}" for i in range(10)],
    segment_ids=list("0123456789"),
    document_ids=["x"] * 4 + ["y"] * 6,
    columns={"domain": ["news"] * 5 + [""] * 5, "id": list("abcdefghij")},
)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_compressed_run_is_rejected_with_a_remedy(
    small: Path, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    packed = tmp_path / "packed.run.gz"
    packed.write_bytes(pack(small.read_bytes()))
    with pytest.raises(
        InputError, match=r"packed\.run\.gz is compressed, but a tertium run is not; unpack it with gunzip"
    ):
        open_run(str(packed))
    with pytest.raises(InputError, match=r"packed\.run\.gz is compressed"):
        tertium.compare(packed)


def test_a_run_inside_another_archive_is_not_a_run(small: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "outer.run", "w") as outer:
        outer.write(small, "small.run")
    with pytest.raises(InputError, match=r"is not a tertium run: it is a ZIP file without manifest\.json"):
        open_run(str(tmp_path / "outer.run"))


def test_a_run_is_read_and_written_through_a_symbolic_link(small: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.run"
    link.symlink_to(small.name)
    run = open_run(str(link))
    assert run.evaluation.systems == ("one", "two")
    assert run.corpus is not None
    save_run(str(link), run.evaluation, run.corpus)
    assert link.is_symlink()
    assert open_run(str(small)).evaluation.systems == ("one", "two")


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
    for label, compared in before.items():
        np.testing.assert_array_equal(np.array(compared.intervals), np.array(after[label].intervals))
        np.testing.assert_array_equal(compared.adjusted_p, after[label].adjusted_p)


def test_a_recorded_resource_refuses_to_score_texts(path: str) -> None:
    metric = open_run(path).evaluation.metric("sentvec")
    with pytest.raises(ResourceError, match="a run knows only the name of"):
        metric.sentence_score("a", ["b"])


@pytest.mark.parametrize("limit", [0, 1 << 20])
def test_a_run_without_its_tables_is_refused_when_it_is_opened(
    small: Path, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.evaluation.runs.files.CHECKED_AT_ONCE", limit)
    with zipfile.ZipFile(small) as archive:
        manifest = archive.read("manifest.json")
    with zipfile.ZipFile(small, "w") as archive:
        archive.writestr("manifest.json", manifest)
    with pytest.raises(InputError, match="damaged or truncated"):
        open_run(str(small))


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
    with zipfile.ZipFile(small) as archive:
        names = set(archive.namelist())
        scores = np.load(io.BytesIO(gzip.decompress(archive.read("scores/1.npy.gz"))))
        statistics = np.load(io.BytesIO(gzip.decompress(archive.read("statistics/1.npy.gz"))))
        lines = gzip.decompress(archive.read("segments.jsonl.gz")).decode().splitlines()
    assert names == {
        "manifest.json", "segments.jsonl.gz", "statistics/1.npy.gz", "scores/1.npy.gz",
        "statistics/2.npy.gz", "scores/2.npy.gz",
    }  # fmt: skip
    np.testing.assert_allclose(scores, [[100 / 3, 0], [200 / 3, 100]], rtol=1e-15)
    assert statistics.dtype == np.int32
    assert statistics.shape[:2] == (2, 2)
    segments = [json.loads(line) for line in lines]
    assert [row["references"] for row in segments] == [["a b c"], ["d e"]]
    assert [row["system:two"] for row in segments] == ["a", "e d"]


def test_tertium_reads_the_texts_of_a_run_as_json_lines(small: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(small) as archive:
        (tmp_path / "segments.jsonl.gz").write_bytes(archive.read("segments.jsonl.gz"))
    address = f"{tmp_path / 'segments.jsonl.gz'}#system:two"
    corpus = read_corpus([str(tmp_path / "segments.jsonl.gz")], [("two", address)])
    assert list(corpus.systems["two"]) == ["a", "e d"]


def test_the_same_run_gives_the_same_bytes(small: Path, tmp_path: Path) -> None:
    run = open_run(str(small))
    assert run.corpus is not None
    save_run(str(tmp_path / "again.run"), run.evaluation, run.corpus)
    again = (tmp_path / "again.run").read_bytes()
    save_run(str(tmp_path / "again.run"), run.evaluation, run.corpus)
    assert (tmp_path / "again.run").read_bytes() == again


def replace_member(path: Path, member: str, content: bytes) -> None:
    """Replace a member and correct its checksum, as only a program would."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(members.pop("manifest.json"))
    write_archive(str(path), manifest, {**members, member: content})


def write_npy(array: Any) -> bytes:
    content = io.BytesIO()
    np.save(content, array, allow_pickle=True)
    return gzip.compress(content.getvalue())


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no gzip",
        gzip.compress(b""),
        gzip.compress(b"no array"),
        gzip.compress(bytes(10_000_000)),
        write_npy(np.zeros((2, 2, 1))),
        write_npy(np.zeros((2, 2, 99))),
        write_npy(np.array([[["x"]]], dtype=object)),
        write_npy(np.zeros((2, 2, 9), dtype=np.complex128)),
        write_npy(np.zeros((2, 2, 9)))[:-9],
    ],
    ids=["nothing", "text", "empty", "no-array", "bomb", "few", "many", "pickle", "complex", "cut"],
)
def test_forged_statistics_are_rejected_in_one_line(small: Path, content: bytes) -> None:
    replace_member(small, "statistics/1.npy.gz", content)
    with pytest.raises(InputError, match=r"small\.run is damaged \(statistics/1\.npy\.gz: ") as error:
        read_all(small)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}\n",
        "3\n4\n",
        "{\n{\n",
        '{"references": 3, "system:one": "x", "system:two": "x"}\n' * 2,
        '{"references": ["x"], "system:one": "x", "system:two": "x"}\n{}\n',
        "[" * 99999,
    ],
    ids=["nothing", "few", "numbers", "cut", "types", "names", "deep"],
)
def test_forged_texts_are_rejected_in_one_line(small: Path, text: str) -> None:
    replace_member(small, "segments.jsonl.gz", gzip.compress(text.encode()))
    with pytest.raises(InputError, match=r"small\.run is damaged \(segments\.jsonl\.gz: ") as error:
        read_all(small)
    assert "\n" not in str(error.value)


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
    labels = [metric.label for metric in run.evaluation.metrics]
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
    rewrite(small, format=4, tertium="9.1")
    with pytest.raises(InputError, match=r"has format 4 of runs.*written by tertium 9\.1: update"):
        open_run(str(small))


@pytest.mark.parametrize(
    "changes",
    [
        {"format": None}, {"format": True}, {"systems": []}, {"systems": ["one", "one"]}, {"systems": 3},
        {"systems": ["one"]}, {"metrics": []}, {"metrics": [{}]}, {"metrics": None}, {"n_segments": -1},
        {"n_segments": "2"}, {"n_references": [1]}, {"n_references": [2, 1]}, {"files": [{}]}, {"settings": 3}, {"texts": "yes"},
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


def change_metric(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    with zipfile.ZipFile(path) as archive:
        metrics = json.loads(archive.read("manifest.json"))["metrics"]
    change(metrics[0])
    rewrite(path, metrics=metrics)


def test_the_direction_of_a_metric_cannot_be_changed(small: Path) -> None:
    change_metric(small, lambda metric: metric.update(higher_is_better=True))
    with pytest.raises(InputError, match="the direction of wer is not that of the metric"):
        open_run(str(small))


def test_a_sum_of_metrics_is_no_part_of_a_sum(tmp_path: Path) -> None:
    corpus = Corpus([["a b"]], {"s": ["a"]})
    save_run(str(tmp_path / "x.run"), evaluate(corpus, parse_metrics(["mix:1*bleu+1*chrf"])), corpus)

    def nest(metric: dict[str, Any]) -> None:
        (resource,) = metric["resources"].values()
        resource["parts"][0] = {**resource["parts"][0], "resources": deepcopy(metric["resources"])}

    change_metric(tmp_path / "x.run", nest)
    with pytest.raises(InputError, match="a part has parts itself"):
        open_run(str(tmp_path / "x.run"))


def test_a_file_of_many_test_sets_has_one_at_least(small: Path) -> None:
    rewrite(small, format=3, test_sets=[])
    with pytest.raises(InputError, match=r"is damaged \(in its manifest, test_sets is empty\)"):
        open_runs(str(small))
    rewrite(small, format=3, test_sets=3)
    with pytest.raises(InputError, match=r"is damaged \(in its manifest, test_sets is 3\)"):
        open_runs(str(small))


def test_forged_references_are_rejected_when_a_run_is_opened(small: Path) -> None:
    groups: list[list[str]] = [[], ["a", "b"]]
    lines = [
        json.dumps({"references": group, "system:one": "x", "system:two": "y"}) + "\n" for group in groups
    ]
    replace_member(small, "segments.jsonl.gz", gzip.compress("".join(lines).encode()))
    with pytest.raises(InputError, match="a segment has no reference"):
        open_run(str(small))
    lines = [line.replace("[]", '["other"]').replace('["a", "b"]', '["other"]') for line in lines]
    replace_member(small, "segments.jsonl.gz", gzip.compress("".join(lines).encode()))
    with pytest.raises(InputError, match="its references are not those of its test set"):
        open_run(str(small))


def test_an_array_of_another_version_is_rejected(small: Path) -> None:
    content = io.BytesIO()
    np.lib.format.write_array(content, np.zeros((2, 2, 2)), version=(2, 0))
    replace_member(small, "statistics/1.npy.gz", gzip.compress(content.getvalue()))
    with pytest.raises(InputError, match="its array has another version"):
        read_all(small)


def test_the_outputs_of_an_unknown_system_are_not_in_a_run(small: Path) -> None:
    with pytest.raises(UnknownNameError, match="has no system 'on'; did you mean one"):
        open_run(str(small)).outputs("on")


def test_tables_of_a_run_are_a_mapping_of_its_labels(small: Path) -> None:
    tables = open_run(str(small)).evaluation.tables
    assert list(tables) == ["wer", "bleu"]
    assert "ter" not in tables
    copied = pickle.loads(pickle.dumps(tables))
    assert list(copied) == ["wer", "bleu"]
    np.testing.assert_array_equal(copied["wer"], tables["wer"])


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
    corpus = Corpus([["x"]], {"s": ["x"]}, columns={"b": ["x"], "c": ["\ud800"]})
    with pytest.raises(InputError, match="c has an unpaired surrogate"):
        save_run(str(tmp_path / "x.run"), evaluate(corpus, metrics_of("wer")), corpus)
    assert list(tmp_path.iterdir()) == []
