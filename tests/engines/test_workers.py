"""What a worker or a cluster may lack: each has one clear line."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tertium.catalog import LabelledMetric, ResourceChoice, parse_metrics
from tertium.corpus.texts.parts import cut_parts, list_paths, survey_file
from tertium.corpus.texts.streaming import Plan, plan_texts
from tertium.engines import jobs
from tertium.engines.engine import EngineChoice, LocalEngine, open_engine
from tertium.engines.jobs import Job, MetricRecipe, score_part, survey_path
from tertium.engines.pipeline import compute_scores, plan_files
from tertium.errors import InputError, MissingExtraError, OptionError, ResourceError, UnknownNameError
from tertium.metrics.base import Metric


@pytest.fixture
def job(corpus_files: dict[str, str]) -> Iterator[Job]:
    plan = plan_texts([corpus_files["ref"]], [(None, corpus_files["a"])])
    yield Job(
        key="test",
        texts=plan,
        sizes={path: Path(path).stat().st_size for path in (corpus_files["ref"], corpus_files["a"])},
        recipe=MetricRecipe(labels=("wer",)),
        signatures=tuple(metric.metric.signature((1, 1)) for metric in parse_metrics(["wer"])),
    )
    jobs._made.clear()
    jobs.close_files()


def compute(job: Job) -> Any:
    assert isinstance(job.texts, Plan)
    surveys = {path: survey_file(path) for path in list_paths(job.texts)}
    return score_part(job, cut_parts(job.texts, surveys, 10)[1])


def test_a_worker_that_sees_the_same_computes(job: Job) -> None:
    assert compute(job).rows[0].shape == (1, 10, 2)


def test_another_version_must_not_take_part(job: Job) -> None:
    with pytest.raises(ResourceError, match=r"has Tertium .*, but this is 0\.0\.1; install the same version"):
        compute(replace(job, version="0.0.1"))


def test_a_path_that_a_worker_cannot_see_is_named(job: Job, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"worker .* sees no file .*there\.txt; put the files where all"):
        compute(replace(job, sizes={**job.sizes, str(tmp_path / "there.txt"): 3}))
    with pytest.raises(InputError, match=r"sees no file .*there\.txt"):
        survey_path(str(tmp_path / "there.txt"), with_digest=False)


def test_another_file_under_the_same_path_is_noticed(job: Job) -> None:
    path, size = next(iter(job.sizes.items()))
    with pytest.raises(InputError, match=f"sees another .*: it has {size:,} bytes, not 7"):
        compute(replace(job, sizes={**job.sizes, path: 7}))


def test_other_resources_must_not_take_part(job: Job) -> None:
    with pytest.raises(ResourceError, match=r"has other resources: it would compute wer\|"):
        compute(replace(job, signatures=("wer|vectors:theirs",)))


def test_a_missing_file_is_the_user_s_own_mistake_first(tmp_path: Path) -> None:
    plan = plan_texts([str(tmp_path / "nowhere.txt")], [(None, str(tmp_path / "nowhere.txt"))])
    with pytest.raises(InputError, match=r"no such file: .*nowhere\.txt"):
        plan_files(LocalEngine(), plan)


class Whole(Metric):
    """A metric that must see all references at once, and cannot count them in parts."""

    def statistics(self, hypotheses: Any, references: Any) -> Any:
        raise NotImplementedError

    def combine(self, totals: Any) -> Any:
        raise NotImplementedError

    def fit(self, references: Any) -> "Whole":
        return self


@pytest.mark.slow
def test_a_metric_that_needs_all_references_at_once_is_refused(corpus_files: dict[str, str]) -> None:
    plan = plan_files(LocalEngine(), plan_texts([corpus_files["ref"]], [(None, corpus_files["a"])]))
    with pytest.raises(OptionError, match="whole learns from all references at once"):
        compute_scores(LocalEngine(), plan, [LabelledMetric("whole", Whole())])


def test_an_unknown_engine_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown engine 'ray'; engine= must be local or dask"):
        open_engine(EngineChoice(name="ray"))  # type: ignore[arg-type]


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"engine=dask requires Dask: pip install 'distributed>="):
        open_engine(EngineChoice(name="dask"))


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("tertium.engines.dask._PATIENCE", 1)
    with (
        pytest.raises(ResourceError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"),
        open_engine(EngineChoice(name="dask", scheduler="tcp://127.0.0.1:9")),
    ):
        pass


@pytest.mark.usefixtures("dask_engine")
def test_a_cluster_that_runs_already_is_used(dask_engine: Any) -> None:
    address = dask_engine._cluster.scheduler_address
    with open_engine(EngineChoice(name="dask", scheduler=address)) as engine:
        assert dict(engine.map(abs, [-1, -2])) == {0: 1, 1: 2}
    assert dict(dask_engine.map(abs, [-3])) == {0: 3}, "it still runs afterwards"


def test_resources_are_named_by_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "words.txt").write_text("a")
    monkeypatch.chdir(tmp_path)
    given = ResourceChoice(
        vectors="contextual", function_words="words.txt", trees=("words.txt",), language="de"
    )
    found = jobs.absolute_resources(given)
    assert found == replace(
        given, function_words=str(tmp_path / "words.txt"), trees=(str(tmp_path / "words.txt"),)
    )
