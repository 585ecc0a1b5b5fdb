"""Folders of mt-metrics-eval are read with the official settings of the metrics tasks, or with others on request."""

import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import tertium
from reference.mtme import accuracy_with_ties
from reference.mtme import soft_pairwise_accuracy as naive_soft_accuracy
from tertium.corpus.judgments.mtme_settings import find_settings
from tertium.errors import InputError, OptionError
from tertium.metaeval.tables import make_meta_table
from tertium.metaeval.tasks import summarise_task
from tertium.stats.agreement import approximate_soft_accuracy, soft_pairwise_accuracy
from tertium.values import FloatArray

SYSTEMS = ("A", "B", "C", "D")
N = 6


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A test set with two references, of which refA was judged like a system, and two kinds of human scores."""
    root = tmp_path_factory.mktemp("data") / "wmt23"
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(30)]
    for name in ("refA", "refB"):
        write(root / f"references/he-en.{name}.txt", [" ".join(rng.choice(words, 8)) for _ in range(N)])
    for name in SYSTEMS:
        write(root / f"system-outputs/he-en/{name}.txt", [" ".join(rng.choice(words, 8)) for _ in range(N)])
    write(root / "documents/he-en.docs", [f"{'news' if i < 4 else 'chat'} doc{i % 3}" for i in range(N)])
    judged = (*SYSTEMS, "refA")
    for kind in ("mqm", "da-sqm"):
        scores = {name: rng.normal(size=N) for name in judged}
        rows = [f"{name}\t{score}" for name in judged for score in scores[name]]
        write(root / f"human-scores/he-en.{kind}.seg.score", rows)
        write(root / f"human-scores/he-en.{kind}.sys.score", [f"{n}\t{scores[n].mean()}" for n in judged])
    for metric in ("BLEU-refB", "MetricX-23-QE-src", "Other-refB"):
        scores = {name: rng.normal(size=N) for name in judged}
        rows = [f"{name}\t{score}" for name in judged for score in scores[name]]
        write(root / f"metric-scores/he-en/{metric}.seg.score", rows)
    return root


@pytest.mark.parametrize(("test_set", "pair", "reference", "gold"), [
    ("wmt24", "en-de", "refB", "mqm"), ("wmt21.news", "en-de", "refC", "mqm"), ("wmt22", "cs-en", "refB", "wmt"),
    ("wmt22", "en-cs", "refB", "wmt-appraise"), ("wmt23", "he-en", "refB", "mqm"), ("wmt20", "de-en", "ref", "wmt-raw"),
])  # fmt: skip
def test_settings_are_those_of_mt_metrics_eval(test_set: str, pair: str, reference: str, gold: str) -> None:
    found = find_settings(test_set, pair)
    assert found is not None
    assert (found.reference, found.gold["seg"]) == (reference, gold)


def test_wmt24_has_its_outliers_and_metrics() -> None:
    settings = {pair: find_settings("wmt24", pair) for pair in ("en-de", "ja-zh", "en-cs")}
    assert [setting.outliers for setting in settings.values() if setting] == [{"MSLC"}, {"MSLC"}, set()]
    assert all(
        setting is not None and "MetricX-24-Hybrid" in setting.metrics for setting in settings.values()
    )


def test_an_unknown_test_set_has_no_official_settings() -> None:
    assert find_settings("ours", "en-de") is None


def test_the_official_reference_and_judgments_are_used(folder: Path) -> None:
    result = tertium.meta(str(folder), "chrf", statistics="system:pearson")
    assert result.sets[0].systems == SYSTEMS
    assert (
        result.sets[0].corpus.references[0][0]
        == (folder / "references/he-en.refB.txt").read_text().split("\n")[0]
    )
    assert any("the reference is refB (official); also available: refA" in note for note in result.notes)
    assert any("the human scores are mqm; also available: da-sqm" in note for note in result.notes)


def test_other_references_judgments_and_systems_can_be_chosen(folder: Path) -> None:
    chosen = tertium.meta(str(folder), "chrf", statistics="system:pearson", refs="refA", gold="da-sqm")
    assert any("the reference is refA; also available: refB" in note for note in chosen.notes)
    both = tertium.meta(str(folder), "chrf", statistics="system:pearson", refs="refA,refB")
    assert {len(group) for group in both.sets[0].corpus.references} == {2}
    human = tertium.meta(str(folder), "chrf", statistics="system:pearson", with_human=True, leave_out="B")
    assert human.sets[0].systems == ("A", "C", "D", "refA")
    assert len(human.sets[0].system_scores) == 4  # type: ignore[arg-type]


def test_what_does_not_exist_is_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"refs=refX: .* has the references refA and refB"):
        tertium.meta(str(folder), "chrf", refs="refX")
    with pytest.raises(InputError, match=r"gold=esa: .* has the human scores da-sqm, mqm"):
        tertium.meta(str(folder), "chrf", gold="esa")
    with pytest.raises(InputError, match="leave_out=Z: there is no such system; there are A, B, C, D"):
        tertium.meta(str(folder), "chrf", leave_out="Z")
    with pytest.raises(InputError, match=r"scores=BLUE: no such file, and .* did you mean BLEU\?"):
        tertium.meta(str(folder), scores="BLUE")
    plain = tmp_path / "plain"
    write(plain / "de-en/ref.txt", ["a"])
    write(plain / "de-en/systems/A.txt", ["a"])
    with pytest.raises(OptionError, match="apply to folders of mt-metrics-eval"):
        tertium.meta(str(plain), "chrf", gold="mqm")


def test_a_named_file_of_human_scores_may_have_the_judged_reference(folder: Path) -> None:
    file = folder / "human-scores/he-en.da-sqm.seg.score"
    result = tertium.meta(str(folder), "chrf", human=str(file), statistics="segment:pearson")
    assert result.sets[0].segment_scores[0, 0] == float(file.read_text().split()[1])  # type: ignore[index]


def test_scores_in_files_are_split_into_parts(folder: Path) -> None:
    whole = tertium.meta(str(folder), scores="BLEU", statistics="segment:pearson")
    parts = tertium.meta(str(folder), scores="BLEU", statistics="segment:pearson", by="domain")
    assert [judged.name for judged in parts.sets] == ["he-en news", "he-en chat"]
    scores = [by_label["BLEU"].segment_scores for by_label in parts.scored]
    expected = whole.scored[0]["BLEU"].segment_scores
    np.testing.assert_array_equal(np.concatenate(scores, axis=1), expected)  # type: ignore[arg-type]


def test_written_scores_of_mt_metrics_eval_are_read_back(folder: Path, tmp_path: Path) -> None:
    result = tertium.meta(str(folder), "chrf", statistics="system:pearson")
    files = dict(result.score_files(layout="mtme", test_set="wmt23"))
    assert sorted(files) == ["he-en/chrf.seg.score", "he-en/chrf.sys.score"]
    for name, text in files.items():
        write(tmp_path / name, text.splitlines())
    again = tertium.meta(
        str(folder), scores=[str(tmp_path / name) for name in files], statistics="system:pearson"
    )
    np.testing.assert_array_equal(
        again.scored[0]["chrf"].segment_scores,
        result.scored[0]["chrf"].segment_scores,
    )


def test_a_task_has_its_metrics_statistics_and_average(folder: Path) -> None:
    result = tertium.meta(str(folder), task="wmt23", samples=50)
    rows = {row.metric: row for row in result.task_rows}
    assert set(rows) == {"BLEU", "MetricX-23-QE[noref]"}  # Other did not take part
    assert result.sets[0].systems == (*SYSTEMS, "refA")
    values = rows["BLEU"].values
    names = ["accuracy", "he-en sys pearson", "he-en seg pearson", "he-en seg acc-eq"]
    assert list(values) == names
    accuracy, system, segment, acc_eq = (values[name] or 0.0 for name in names)
    assert rows["BLEU"].average == pytest.approx(
        (accuracy + (system + 1) / 2 + (segment + 1) / 2 + acc_eq) / 4
    )
    assert result.task_rows[0].average == max(row.average or 0.0 for row in rows.values())
    assert "WMT23 metrics task" in result.render("text")


def test_texts_may_be_jsonl_with_metadata(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "wmt23"
    shutil.copytree(folder, root)
    fields = {"references": "target", "system-outputs/he-en": "hypothesis"}
    for place, name in fields.items():
        for file in (root / place).glob("*.txt"):
            lines = file.read_text(encoding="utf-8").splitlines()
            write(file.with_suffix(".jsonl"), [json.dumps({name: line, "doc": "d"}) for line in lines])
            file.unlink()
    write(root / "sources/he-en.jsonl", [json.dumps({"source": f"quelle {i}"}) for i in range(N)])
    for system in SYSTEMS:
        rows = [{"length": "short" if i < 2 else "long", "seconds": f"{system}{i}"} for i in range(N)]
        write(root / f"metadata/he-en/{system}.jsonl", [json.dumps(row) for row in rows])
    expected, found = (
        tertium.meta(str(path), "chrf", statistics="segment:pearson") for path in (folder, root)
    )
    assert found.tables[0].columns[0].cells == expected.tables[0].columns[0].cells
    corpus = found.sets[0].corpus
    assert corpus.sources is not None
    assert corpus.sources[1] == "quelle 1"
    assert list(corpus.columns["length"]) == ["short"] * 2 + ["long"] * 4
    assert "seconds" not in corpus.columns  # it differs between the outputs of a segment


def test_an_output_that_was_not_delivered_is_empty(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "wmt23"
    shutil.copytree(folder, root)
    write(root / "system-outputs/he-en/A.txt", ["[No translation supplied]"] * 2 + ["w1"] * (N - 2))
    result = tertium.meta(str(root), "chrf", statistics="segment:pearson")
    assert list(result.sets[0].corpus.systems["A"][:3]) == ["", "", "w1"]
    assert "he-en: A has no output for 2 segments, which are scored as empty" in result.notes


def test_without_texts_an_unscored_human_translation_does_not_empty_a_metric(folder: Path) -> None:
    judged = folder / "human-scores/he-en.mqm.seg.score"
    rows = (folder / "metric-scores/he-en/BLEU-refB.seg.score").read_text(encoding="utf-8").splitlines()
    file = folder / "X.seg.score"
    write(file, [row for row in rows if not row.startswith("refA")])
    result = tertium.meta(human=str(judged), scores=str(file), statistics="segment:pearson", pairs="he-en")
    assert result.tables[0].columns[0].cells[0].value is not None
    assert result.sets[0].systems == SYSTEMS
    assert "refA is left out: X has no scores of it" in result.notes


def test_the_last_column_of_accuracy_pools_pairs_of_systems(folder: Path) -> None:
    result = tertium.meta(str(folder), "chrf,chrf:char_order=2", statistics="system:accuracy")
    few = tertium.meta(str(folder), "chrf,chrf:char_order=2", statistics="system:accuracy", leave_out="A")
    sets = [result.sets[0], *(type(judged)(**{**vars(judged), "pair": "xx-en"}) for judged in few.sets)]
    table = make_meta_table(result.tables[0].spec, sets, [result.scored[0], few.scored[0]])
    assert table.columns[-1].pair == "all pairs"
    first, second, pooled = ([cell.value or 0.0 for cell in column.cells] for column in table.columns)
    for one, other, value in zip(first, second, pooled, strict=True):
        assert value == pytest.approx((6 * one + 3 * other) / 9)  # four and three systems


def test_clusters_of_a_task_come_from_the_resamples_of_its_columns(folder: Path) -> None:
    rows = tertium.meta(str(folder), task="wmt23", samples=50).task_rows
    assert [row.cluster for row in rows] in ([1, 1], [1, 2])
    assert set(rows[0].clusters) == set(rows[0].values)
    untested = tertium.meta(str(folder), task="wmt23", test="none").task_rows
    assert [row.cluster for row in untested] == [None, None]
    assert [row.average for row in untested] == [row.average for row in rows]


def test_the_default_statistics_follow_the_judgments(folder: Path, tmp_path: Path) -> None:
    specs = [str(table.spec) for table in tertium.meta(str(folder), "chrf", samples=20).tables]
    assert specs == ["system:pearson", "segment:acc-eq:item"]  # six segments are too few for system:spa
    systems = tmp_path / "systems.tsv"
    write(systems, ["lp\tsystem\tscore", *(f"he-en\t{name}\t{i}" for i, name in enumerate(SYSTEMS))])
    only_systems = tertium.meta(
        human=str(systems), scores=str(folder / "metric-scores/he-en/BLEU-refB.seg.score"), samples=20
    )
    assert [str(table.spec) for table in only_systems.tables] == ["system:pearson"]


def test_soft_pairwise_accuracy_has_a_test(folder: Path) -> None:
    result = tertium.meta(str(folder), task="wmt24", samples=50)
    spa = next(table for table in result.tables if table.spec.name == "spa")
    assert spa.columns[0].p_values is not None
    assert [row.metric for row in summarise_task(result.tables)] == [row.metric for row in result.task_rows]


def test_the_fast_soft_pairwise_accuracy_is_close_to_the_exact_one() -> None:
    rng = np.random.default_rng(3)
    quality = rng.normal(0, 0.2, (6, 1))
    human, metric = (quality + rng.normal(size=(6, 400)) for _ in range(2))
    assert approximate_soft_accuracy(human, metric) == pytest.approx(
        soft_pairwise_accuracy(human, metric), abs=0.01
    )


def test_a_language_pair_without_any_value_does_not_empty_the_average(folder: Path) -> None:
    result = tertium.meta(str(folder), "chrf,ter", statistics="system:pearson")
    few = tertium.meta(str(folder), "chrf,ter", statistics="system:pearson", leave_out="A,B")
    sets = [result.sets[0], *(type(judged)(**{**vars(judged), "pair": "xx-en"}) for judged in few.sets)]
    table = make_meta_table(result.tables[0].spec, sets, [result.scored[0], few.scored[0]])
    assert [column.pair for column in table.columns] == ["he-en", "xx-en", "average"]
    assert [cell.value for cell in table.columns[-1].cells] == [cell.value for cell in table.columns[0].cells]


@pytest.mark.parametrize("level", ["document", "domain"])
def test_scores_of_documents_and_domains_are_means_of_judged_segments(folder: Path, level: str) -> None:
    result = tertium.meta(
        str(folder), "chrf", statistics=f"{level}:pearson,segment:pearson", ci=True, samples=20
    )
    judged, scores = result.sets[0], result.scored[0]["chrf"].segment_scores
    assert judged.segment_scores is not None
    assert scores is not None
    labels = np.array(judged.corpus.document_ids if level == "document" else judged.corpus.columns["domain"])
    human, metric = (
        [side[:, labels == label].mean(axis=1) for label in dict.fromkeys(labels)]
        for side in (judged.segment_scores, scores)
    )
    (column,) = result.tables[0].columns
    assert column.cells[0].value == pytest.approx(np.corrcoef(np.ravel(human), np.ravel(metric))[0, 1])
    assert (column.n_units, column.unit) == (len(human), f"{level}s")
    assert column.cells[0].interval is None  # of three documents
    assert result.tables[1].columns[0].cells[0].interval is not None


def test_a_level_without_its_column_is_named(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "wmt23"
    shutil.copytree(folder, root)
    shutil.rmtree(root / "documents")
    with pytest.raises(InputError, match="of segments and a column domain for domain:pearson"):
        tertium.meta(str(root), "chrf", statistics="domain:pearson")


def test_written_scores_of_several_language_pairs_are_not_mixed(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "wmt23"
    shutil.copytree(folder, root)
    for path in sorted(root.rglob("*he-en*")):
        target = path.with_name(path.name.replace("he-en", "de-en"))
        shutil.copytree(path, target) if path.is_dir() else shutil.copy(path, target)
    result = tertium.meta(str(root), "chrf", statistics="system:pearson", refs="refA")
    names = {name for name, _ in result.score_files(layout="mtme", test_set="wmt23")}
    assert names == {f"{pair}/chrf.{level}.score" for pair in ("de-en", "he-en") for level in ("seg", "sys")}


WMT24_SYSTEMS = ("Aya23", "Claude-3.5", "GPT-4", "MSLC", "ONLINE-W")
WMT24_SEGMENTS = 40
QE_METRIC = "metametrics_mt_mqm_qe_kendall.seg.s"  # the name of its files contains a level


def write_wmt24_pair(root: Path, pair: str, references: tuple[str, ...], gold: str, seed: int) -> None:
    """Write a language pair in the layout of WMT24: some segments unjudged, MSLC judged, an unofficial metric."""
    rng = np.random.default_rng(seed)
    names = (*WMT24_SYSTEMS, *references)
    write(root / f"sources/{pair}.txt", [f"quelle {i}" for i in range(WMT24_SEGMENTS)])
    for name in names:
        lines = [" ".join(rng.choice(["a", "b", "c", "d"], 5)) for _ in range(WMT24_SEGMENTS)]
        write(root / f"system-outputs/{pair}/{name}.txt", lines)
        if name in references:
            write(root / f"references/{pair}.{name}.txt", lines)
    write(
        root / f"documents/{pair}.docs",
        [f"{'news' if i < 25 else 'social'}\tdoc{i // 4}" for i in range(WMT24_SEGMENTS)],
    )
    judged = [name for name in names if name not in references[-1:]]
    human = {name: -rng.integers(0, 6, WMT24_SEGMENTS) - 0.4 * i for i, name in enumerate(judged)}
    rows = [
        f"{name}\t{'None' if segment % 5 == 0 else score}"
        for name in judged
        for segment, score in enumerate(human[name].round(1))
    ]
    write(root / f"human-scores/{pair}.{gold}.seg.score", rows)
    for metric in ("BLEU", "chrfS", "Unofficial", QE_METRIC):
        reference = "src" if metric == QE_METRIC else (*references, "src")[len(references) - 1]
        scored = {name: rng.normal(size=WMT24_SEGMENTS).round(2) - 0.2 * i for i, name in enumerate(names)}
        rows = [f"{name}\t{score}" for name in names if name != reference for score in scored[name]]
        path = root / f"metric-scores/{pair}/{metric}-{reference}.seg.score"
        write(path, rows)
        write(
            path.with_name(path.name.replace(".seg.score", ".domain.score")),
            [
                f"{domain}\t{name}\t{i + j}"
                for i, name in enumerate(names)
                for j, domain in enumerate(("social", "news"))
            ],
        )


@pytest.fixture(scope="module")
def wmt24(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("data") / "wmt24"
    write_wmt24_pair(root, "en-de", ("refA", "refB"), "mqm", 1)
    write_wmt24_pair(root, "en-es", ("refA",), "mqm", 2)
    write_wmt24_pair(root, "en-cs", ("refA",), "esa", 3)
    return root


def read_rows(path: Path, systems: tuple[str, ...]) -> FloatArray:
    """Read the scores of systems, (systems, segments)."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    values = {
        name: [np.nan if score == "None" else float(score) for system, score in rows if system == name]
        for name in systems
    }
    return np.array([values[name] for name in systems])


def test_the_task_of_wmt24_has_its_language_pairs_metrics_systems_and_columns(wmt24: Path) -> None:
    result = tertium.meta(str(wmt24), task="wmt24", samples=20)
    assert [judged.pair for judged in result.sets] == ["en-de", "en-es"]
    assert any("the metrics task has the language pairs en-de, en-es" in note for note in result.notes)
    without_outlier = tuple(name for name in WMT24_SYSTEMS if name != "MSLC")
    assert result.sets[0].systems == (*without_outlier, "refA")  # refB is the reference
    assert result.sets[1].systems == without_outlier
    rows = {row.metric: row for row in result.task_rows}
    assert set(rows) == {"BLEU", "chrfS", f"{QE_METRIC}[noref]"}
    values = rows["BLEU"].values
    assert list(values) == ["en-de sys spa", "en-es sys spa", "en-de seg acc-eq", "en-es seg acc-eq"]
    assert rows["BLEU"].average == pytest.approx(np.mean([value or 0.0 for value in values.values()]))
    assert "sys spa: system level, soft pairwise accuracy" in result.render("text")


def test_values_of_the_task_are_those_of_the_definitions(wmt24: Path) -> None:
    rows = {row.metric: row for row in tertium.meta(str(wmt24), task="wmt24", test="none").task_rows}
    systems = ("Aya23", "Claude-3.5", "GPT-4", "ONLINE-W", "refA")
    human = read_rows(wmt24 / "human-scores/en-de.mqm.seg.score", systems)
    judged = ~np.isnan(human).any(axis=0)
    for label, file in (("BLEU", "BLEU-refB"), (f"{QE_METRIC}[noref]", f"{QE_METRIC}-src")):
        metric = read_rows(wmt24 / f"metric-scores/en-de/{file}.seg.score", systems)
        values = rows[label].values
        assert values["en-de seg acc-eq"] == pytest.approx(accuracy_with_ties(human, metric))
        naive = naive_soft_accuracy(
            human[:, judged], metric[:, judged], n_samples=2000, rng=np.random.default_rng(0)
        )
        assert values["en-de sys spa"] == pytest.approx(naive, abs=0.03)  # both draw random signs


def test_other_language_pairs_take_part_on_request(wmt24: Path) -> None:
    result = tertium.meta(str(wmt24), task="wmt24", pairs="en-cs", test="none")
    assert list(result.task_rows[0].values) == ["en-cs sys spa", "en-cs seg acc-eq"]


def test_published_scores_of_domains_are_used(wmt24: Path) -> None:
    result = tertium.meta(str(wmt24), scores="BLEU", statistics="domain:pearson", pairs="en-es")
    scores = result.scored[0]["BLEU"].group_scores["domain"]
    assert scores.tolist() == [
        [1, 0],
        [2, 1],
        [3, 2],
        [5, 4],
    ]  # news comes first in the test set; without MSLC
    human = read_rows(wmt24 / "human-scores/en-es.mqm.seg.score", result.sets[0].systems)
    means = [np.nanmean(human[:, part], axis=1) for part in (slice(25), slice(25, None))]
    expected = np.corrcoef(np.ravel(means, order="F"), scores.ravel())[0, 1]
    assert result.tables[0].columns[0].cells[0].value == pytest.approx(expected)


def test_a_score_of_an_unknown_domain_is_named(wmt24: Path, tmp_path: Path) -> None:
    file = tmp_path / "en-es" / "X.domain.score"
    write(file, [f"literary\t{name}\t1" for name in WMT24_SYSTEMS])
    with pytest.raises(InputError, match=r"line 1 has a score of domain 'literary', which is not in en-es"):
        tertium.meta(str(wmt24), scores=str(file), statistics="domain:pearson", pairs="en-es")


def test_scores_of_documents_are_in_the_order_of_the_test_set(wmt24: Path, tmp_path: Path) -> None:
    file = tmp_path / "en-es" / "X.doc.score"
    write(file, [f"{name}\t{i * 10 + j}" for i, name in enumerate(WMT24_SYSTEMS) for j in range(10)])
    result = tertium.meta(str(wmt24), scores=str(file), statistics="document:pearson", pairs="en-es")
    assert result.scored[0]["X"].group_scores["document"][1].tolist() == list(range(10, 20))
    write(file, [f"{name}\t1" for name in WMT24_SYSTEMS])
    with pytest.raises(InputError, match=r"has 1 scores of Aya23, but en-es has 10 documents"):
        tertium.meta(str(wmt24), scores=str(file), statistics="document:pearson", pairs="en-es")


def test_a_language_pair_without_reference_takes_part_with_published_scores(tmp_path: Path) -> None:
    root = tmp_path / "wmt25"
    write_wmt24_pair(root, "en-ko_KR", ("refA",), "mqm", 4)
    write_wmt24_pair(root, "en-it_IT", (), "esa", 5)
    result = tertium.meta(str(root), task="wmt25", test="none")
    row = next(row for row in result.task_rows if row.metric == f"{QE_METRIC}[noref]")
    assert list(row.values) == [
        "en-it_IT sys spa",
        "en-ko_KR sys spa",
        "en-it_IT seg acc-eq",
        "en-ko_KR seg acc-eq",
    ]
    assert None not in row.values.values()
    assert any(note.startswith("en-it_IT has no reference") for note in result.notes)


def test_a_metric_with_the_official_reference_of_each_pair_is_one_metric(wmt24: Path) -> None:
    result = tertium.meta(str(wmt24), scores=["BLEU", QE_METRIC], statistics="segment:pearson", test="none")
    assert [set(labels) for labels in result.scored] == 3 * [{"BLEU", f"{QE_METRIC}-src"}]
    (table,) = result.tables
    assert table.metrics[0] == "BLEU"
    assert [cell.value is None for cell in (column.cells[0] for column in table.columns)] == 4 * [False]


def test_a_metric_with_another_reference_keeps_its_name(folder: Path) -> None:
    result = tertium.meta(str(folder), scores="BLEU-refB", refs="refA", statistics="segment:pearson")
    assert list(result.scored[0]) == ["BLEU-refB"]


def test_metrics_are_lower_is_better_by_the_name_that_the_table_shows(wmt24: Path) -> None:
    values = [
        tertium.meta(
            str(wmt24), scores="BLEU", statistics="system:pearson", test="none", pairs="en-de", lower=lower
        )
        .tables[0]
        .columns[0]
        .cells[0]
        .value
        for lower in ((), "BLEU")
    ]
    assert values[0] == -values[1]  # type: ignore[operator]


@pytest.fixture
def unjudged(folder: Path, tmp_path: Path) -> Path:
    """The test set without the judgments of refA."""
    root = tmp_path / "wmt23"
    shutil.copytree(folder, root)
    for level in ("seg", "sys"):
        file = root / f"human-scores/he-en.mqm.{level}.score"
        rows = file.read_text(encoding="utf-8").splitlines()
        write(file, [row if not row.startswith("refA") else "refA\tNone" for row in rows])
    return root


def test_a_human_translation_without_judgments_is_left_out(unjudged: Path) -> None:
    result = tertium.meta(str(unjudged), scores="BLEU", with_human=True, statistics="system:spa", test="none")
    assert result.sets[0].systems == SYSTEMS
    assert result.tables[0].columns[0].cells[0].value is not None
    assert "he-en: refA is left out: this human translation has no judgments" in result.notes


def test_judgments_in_a_file_decide_which_human_translations_take_part(folder: Path, unjudged: Path) -> None:
    human = str(folder / "human-scores/he-en.da-sqm.seg.score")
    result = tertium.meta(str(unjudged), "chrf", human=human, with_human=True, statistics="segment:pearson")
    assert result.sets[0].systems == (*SYSTEMS, "refA")


def test_a_system_without_judgments_is_named_with_the_remedy(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "wmt23"
    shutil.copytree(folder, root)
    file = root / "human-scores/he-en.mqm.seg.score"
    rows = file.read_text(encoding="utf-8").splitlines()
    write(file, [row for row in rows if not row.startswith("B\t")])
    result = tertium.meta(str(root), "chrf", statistics="system:spa", test="none")
    assert (
        "no segment with judgments of every system (1 of them without any: leave_out=SYSTEM)"
        in result.render()
    )
    assert (
        tertium.meta(str(root), "chrf", statistics="system:spa", leave_out="B")
        .tables[0]
        .columns[0]
        .cells[0]
        .value
    )


def test_named_judgments_replace_those_of_the_folder(folder: Path, tmp_path: Path) -> None:
    """Judgments of systems were ignored, because the default statistics read those of segments."""
    file = tmp_path / "human.tsv"
    write(file, ["system\tscore", *(f"{name}\t{i}" for i, name in enumerate(SYSTEMS))])
    result = tertium.meta(str(folder), "chrf", human=str(file))
    assert [str(table.spec) for table in result.tables] == ["system:pearson"]
    assert result.sets[0].system_scores.tolist() == [0, 1, 2, 3]  # type: ignore[union-attr]
    assert result.sets[0].segment_scores is None


def test_named_judgments_of_other_language_pairs_are_an_error(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "human.tsv"
    write(file, ["lp\tsystem\tscore", *(f"de-en\t{name}\t1" for name in SYSTEMS)])
    with pytest.raises(InputError, match=r"human.tsv has judgments of de-en, but .* has the texts of he-en"):
        tertium.meta(str(folder), "chrf", human=str(file))


@pytest.mark.parametrize("is_published", [True, False])
def test_misplaced_judgments_are_an_error_or_a_warning_if_they_are_published(
    tmp_path: Path, is_published: bool
) -> None:
    """The metrics tasks used the data of mt-metrics-eval as they are."""
    rng = np.random.default_rng(3)
    root, n = tmp_path / "ours", 450
    words = [f"w{i}" for i in range(200)]
    references = rng.choice(words, (n, 8))
    write(root / "references/de-en.refA.txt", [" ".join(row) for row in references])
    rows = []
    for name in SYSTEMS:
        wrong = rng.random((n, 8)) < rng.random((n, 1))
        lines = [" ".join(row) for row in np.where(wrong, rng.choice(words, (n, 8)), references)]
        write(root / f"system-outputs/de-en/{name}.txt", lines)
        rows += [f"{name}\t{score}" for score in np.roll(-wrong.sum(axis=1), 2)]
    write(root / "human-scores/de-en.mqm.seg.score", rows)
    problem = (
        "de-en: the human scores of segments do not fit their texts .* they fit the texts 2 lines before"
    )
    if is_published:
        result = tertium.meta(str(root), "chrf", statistics="system:pearson")
        assert any(re.match(problem, warning) for warning in result.warnings)
        assert tertium.meta(str(root), "chrf", statistics="system:pearson", unchecked=True).warnings == ()
        return
    (root / "de-en").mkdir()
    (root / "system-outputs/de-en").rename(root / "de-en/systems")
    shutil.rmtree(root / "human-scores")
    (root / "references/de-en.refA.txt").rename(root / "de-en/ref.txt")
    numbers = [i % n + 1 for i in range(len(rows))]
    table = [f"{row.split()[0]}\t{i}\t{row.split()[1]}" for row, i in zip(rows, numbers, strict=True)]
    write(root / "segments.tsv", ["system\tsegment\tscore", *table])
    with pytest.raises(InputError, match=rf"{problem}.*check the segment numbers, or use unchecked="):
        tertium.meta(str(root), "chrf", statistics="system:pearson")
