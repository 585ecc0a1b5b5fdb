"""Metrics that read the source: in memory, in parts, on a cluster, in runs, comparisons and meta-evaluation."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium.catalog import LabelledMetric, find_metric
from tertium.commands.base.scoring import ScoreRequest, ScoreResult
from tertium.corpus import CorpusFiles
from tertium.engines import PreparedCorpus, evaluate
from tertium.errors import InputError, OptionError, ResourceError
from tertium.evaluation.runs.manifest import read_metric
from tertium.values import Corpus, ReferenceStreams

CODE = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics import Explanation, Metric, option


@dataclass(frozen=True)
class Copied(Metric):
    """The share of the words of the output that stand in the source, too."""

    reads: ClassVar = frozenset({"source"})
    higher_is_better: ClassVar = False

    longest: int = option(100, "words that are counted")

    def statistics(self, hypotheses, references, source):
        return np.array([self._count(*pair) for pair in zip(hypotheses, source, strict=True)], dtype=float)

    def _count(self, hypothesis, source):
        words = hypothesis.split()[: self.longest]
        return sum(word in source.split() for word in words), len(words)

    def combine(self, totals):
        return 100 * totals[..., 0] / np.maximum(totals[..., 1], 1)

    def explain(self, hypothesis, references, source):
        return Explanation(self.name, hypothesis.split(), source.split(), 0.0, steps=(f"source: {source}",))


@dataclass(frozen=True)
class Both(Copied):
    """As above, but only words that are in no reference."""

    reads: ClassVar = frozenset({"source", "references"})

    def statistics(self, hypotheses, references, source):
        left = [
            " ".join(word for word in text.split() if word not in " ".join(group).split())
            for text, group in zip(hypotheses, references, strict=True)
        ]
        return super().statistics(left, references, source)


@dataclass(frozen=True)
class Alone(Metric):
    """The length of the output."""

    reads: ClassVar = frozenset()
    bounded: ClassVar = False

    def statistics(self, hypotheses, references):
        return np.array([[len(text.split()), 1] for text in hypotheses], dtype=float)

    def combine(self, totals):
        return totals[..., 0] / np.maximum(totals[..., 1], 1)
'''

SOURCE = ("eins zwei drei", "vier", "Anna kam", "nie", "fünf sechs", "so so")
ONE = ("one zwei drei", "four", "Anna came", "never", "fünf six", "so so")
TWO = ("one two three", "vier vier", "Anna kam", "nie", "five six", "so so")
REFERENCE = ("one two three", "four", "Anna came", "never", "five six", "so so")

COPIED = "./metric.py:Copied"
BOTH = "./metric.py:Both"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "metric.py").write_text(CODE, encoding="utf-8")
    for name, lines in {"src": SOURCE, "one": ONE, "two": TWO, "ref": REFERENCE}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def score(**options: Any) -> ScoreResult:
    given = {"references": (), "hypotheses": ("one.txt", "two.txt"), "source": "src.txt"}
    texts = CorpusFiles(**{**given, **{key: options.pop(key) for key in given if key in options}})
    return ScoreRequest(texts, **{"metrics": (COPIED,), "tests_pairs": False, **options}).run()


def test_a_metric_that_reads_the_source_needs_no_reference() -> None:
    result = score()
    assert {name: each.value for name, each in result[COPIED].items()} == {
        "one": pytest.approx(100 * 6 / 11),
        "two": pytest.approx(100 * 7 / 12),
    }
    assert result.evaluation.signature(COPIED).startswith("copied|nrefs:0|src:yes|version:metric_")
    assert json.loads(result.render("json"))["references"] == {"min": 0, "max": 0}


def test_a_reference_free_metric_has_the_same_signature_with_references() -> None:
    alone, beside = score(), score(references=("ref.txt",), metrics=(COPIED, "bleu", BOTH))
    assert beside.evaluation.signature(COPIED) == alone.evaluation.signature(COPIED)
    assert beside.evaluation.signature(BOTH).startswith("both|nrefs:1|src:yes|")
    assert beside[COPIED]["two"].value == alone[COPIED]["two"].value


def test_python_texts_need_no_references_either() -> None:
    result = tertium.score({"one": list(ONE)}, metrics=COPIED, source=list(SOURCE))
    assert result[COPIED]["one"].value == pytest.approx(100 * 6 / 11)
    assert (
        tertium.score(list(ONE), metrics="./metric.py:Alone")["./metric.py:Alone"]["system"].value == 11 / 6
    )


@pytest.mark.parametrize(
    ("metrics", "options", "message"),
    [
        ("bleu", {}, "bleu reads references: give them with references=FILE"),
        (BOTH, {}, "both reads references"),
        (
            COPIED,
            {"source": None, "references": ("ref.txt",)},
            "copied reads the source: give it with source=FILE",
        ),
        ("bleu," + COPIED, {}, "bleu reads references"),
    ],
)
def test_a_missing_text_is_reported_before_any_is_read(
    metrics: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        score(metrics=(metrics,), hypotheses=("nowhere.txt",), **options)


def test_a_metric_called_directly_checks_its_texts() -> None:
    metric = find_metric(COPIED)()
    assert metric.corpus_score(ONE, source=SOURCE).value == pytest.approx(100 * 6 / 11)
    assert metric.sentence_score("Anna kam", source="Anna kam").value == 100
    with pytest.raises(OptionError, match="copied reads the source"):
        metric.corpus_score(ONE, [REFERENCE])
    with pytest.raises(InputError, match="6 hypotheses but source of 2 segments"):
        metric.corpus_score(ONE, source=SOURCE[:2])


@pytest.mark.parametrize(
    "options", [{"batch_size": 4}, {"resume": "parts", "batch_size": 2}], ids=["parts", "resume"]
)
@pytest.mark.parametrize("references", [(), ("ref.txt",)], ids=["alone", "references"])
def test_parts_have_their_own_part_of_the_source(
    options: dict[str, Any], references: tuple[str, ...]
) -> None:
    metrics = (COPIED, *(("bleu",) if references else ()))
    whole = score(references=references, metrics=metrics)
    for _ in range(2):  # the second time from finished parts
        parts = score(references=references, metrics=metrics, **options)
        assert parts.corpus is None
        for label in metrics:
            assert parts[label] == whole[label]


def test_another_source_is_not_resumed(files: Path) -> None:
    first = score(resume="parts", batch_size=2)
    (files / "src.txt").write_text("\n" * 6, encoding="utf-8")
    again = score(resume="parts", batch_size=2)
    assert again[COPIED]["one"].value == 0 != first[COPIED]["one"].value


@pytest.mark.slow
def test_workers_read_the_source_and_load_the_metric_from_its_file() -> None:
    pytest.importorskip("distributed")
    whole, cluster = score(), score(engine="dask", workers=1, batch_size=2)
    assert cluster[COPIED] == whole[COPIED]


def test_selected_segments_keep_their_source(files: Path) -> None:
    (files / "columns.tsv").write_text("domain\n" + "a\nb\n" * 3, encoding="utf-8")
    texts = CorpusFiles(hypotheses=("two.txt",), source="src.txt", columns="columns.tsv")
    result = ScoreRequest(texts, metrics=(COPIED,), where=("domain=b",), tests_pairs=False).run()
    assert result[COPIED]["two"].value == pytest.approx(100 * 5 / 5)
    assert len(ScoreRequest(texts, metrics=(COPIED,), where=("length<2",)).run().sample) == 2


def test_threads_in_batches_and_prepared_texts_give_the_same_rows() -> None:
    metric = find_metric(COPIED)()
    corpus = Corpus(
        ReferenceStreams([], n_segments=6), {"one": list(ONE), "two": list(TWO)}, sources=list(SOURCE)
    )
    tables = [
        evaluate(corpus, [LabelledMetric("copied", metric)], batch_size=size).tables["copied"]
        for size in (None, 1, 4)
    ]
    _, prepared = PreparedCorpus(corpus).count(metric).weigh(metric)
    for table in (*tables, prepared):
        np.testing.assert_array_equal(table, tables[0])


def test_explanations_show_the_source() -> None:
    explained = tertium.explain("Anna kam", (), COPIED, source="Anna kam")
    assert explained.only.steps == ("source: Anna kam",)
    with pytest.raises(OptionError, match="copied reads the source"):
        tertium.explain("Anna kam", ("Anna came",), COPIED)


def test_two_outputs_are_compared_and_gated_without_references() -> None:
    result = tertium.compare("one.txt", "two.txt", source="src.txt", metrics=COPIED)
    assert result.differences[0].label == COPIED
    assert "source" in result.render("text")
    assert "reference" not in json.loads(result.render("json"))
    gated = tertium.gate(
        "one.txt", "two.txt", metrics=COPIED, not_worse=1, source="src.txt", undecided="pass"
    )
    assert gated.passes


def test_meta_reads_the_source_of_files_and_folders(files: Path) -> None:
    rows = [f"{name}\t{i + 1}\t{i % 3 + (name == 'one')}" for name in ("one", "two") for i in range(6)]
    human = "system\tsegment\tscore\n" + "\n".join(rows) + "\n"
    (files / "human.tsv").write_text(human, encoding="utf-8")
    result = tertium.meta(
        hypotheses=("one.txt", "two.txt"), source="src.txt", human="human.tsv", metrics=COPIED
    )
    assert COPIED in result.scored[0]
    folder = files / "set" / "de-en"
    (folder / "systems").mkdir(parents=True)
    for name in ("src", "ref"):
        (files / f"{name}.txt").rename(folder / f"{name}.txt")
    for name in ("one", "two"):
        (files / f"{name}.txt").rename(folder / "systems" / f"{name}.txt")
    table = (
        human.replace("system\t", "lp\tsystem\t", 1)
        .replace("\none", "\nde-en\tone")
        .replace("\ntwo", "\nde-en\ttwo")
    )
    (files / "set" / "human.tsv").write_text(table, encoding="utf-8")
    again = tertium.meta("set", metrics=(COPIED, "bleu"))
    assert again.scored[0][COPIED].segment_scores is not None
    tuned = tertium.tune("set", COPIED, ("longest=1,2",), objective="segment:pearson")
    assert tuned.outcome.best.point["longest"] in (1, 2)
    (folder / "src.txt").unlink()
    lacking = tertium.meta("set", metrics=(COPIED, "bleu"))
    assert any("copied reads the source" in warning for warning in lacking.warnings)
    with pytest.raises(InputError, match="left out for de-en: copied reads the source"):
        tertium.tune("set", COPIED, ("longest=1,2",))


def test_a_metric_from_a_file_is_not_saved_because_opening_a_run_executes_nothing() -> None:
    with pytest.raises(OptionError, match=r"metric\.py:Copied cannot be saved in a run"):
        score().save("one.run")


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("./metric.py:Copid", "metric.py has no metric 'Copid'; did you mean Copied"),
        ("./none.py:Copied", "none.py cannot be read: No such file"),
        ("./broken.py:X", r"broken\.py failed to import \(ZeroDivisionError"),
        ("./empty.py:X", r"empty\.py has no metric 'X'; it has none: derive a class"),
        ("./metric.py:Copied:longst=1", "has no option 'longst'; did you mean longest"),
    ],
)
def test_a_file_without_the_metric_is_one_line(files: Path, label: str, message: str) -> None:
    (files / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    (files / "empty.py").write_text("", encoding="utf-8")
    with pytest.raises((ResourceError, LookupError), match=message):
        score(metrics=(label,))


def test_a_changed_file_has_another_signature(files: Path) -> None:
    before = score().evaluation.signature(COPIED)
    assert score(metrics=(f"{COPIED}:longest=1,bleu",), references=("ref.txt",)).evaluation.labels == (
        f"{COPIED}:longest=1",
        "bleu",
    )
    (files / "metric.py").write_text(CODE + "\n# changed\n", encoding="utf-8")
    assert score().evaluation.signature(COPIED) != before


def test_a_run_that_names_a_file_does_not_execute_it(files: Path) -> None:
    (files / "evil.py").write_text("raise SystemExit(9)\n", encoding="utf-8")
    recorded = {"name": "./evil.py:X", "label": "x", "kind": "computed", "options": {}, "resources": {}}
    with pytest.raises(ResourceError, match="is code in a file, which runs do not execute"):
        read_metric({**recorded, "signature": "x", "preset": None})
