"""One corpus, one result: the same bytes of JSON for any parts, threads, workers, streams or not, of every metric."""

from dataclasses import replace
from pathlib import Path

import pytest

from tertium.catalog import self_contained_names
from tertium.commands.base import scoring as score
from tertium.commands.base.scoring import ScoreRequest
from tertium.corpus import CorpusFiles
from tertium.engines.engine import Engine, open_engine
from tertium.errors import MissingExtraError, ResourceError

DATA = Path(__file__).parents[2] / "examples" / "data"

# Every metric of the catalogue, and options whose metric learns from all references.
LABELS = [*self_contained_names(), "std:mass=idf", "nist:max_ngram_order=2", "chrf:word_order=2"]


def make_request(files: dict[str, str], labels: tuple[str, ...], **options: object) -> ScoreRequest:
    corpus = CorpusFiles(references=(files["ref"],), hypotheses=(files["a"], files["b"]), source=files["ref"])
    # a table of our own: METEOR's, where it is installed, takes seconds to read
    phrases = write_phrases(files) if {"meteor", "redp"} & set(labels) else None
    return ScoreRequest(corpus, metrics=labels, tests_pairs=False, paraphrases=phrases, **options)  # type: ignore[arg-type]


def write_phrases(files: dict[str, str]) -> str:
    path = Path(files["ref"]).with_name("phrases")
    path.write_text("0.5\nthe old\nthe\n0.4\nin\nwithin the\n")
    return str(path)


def run_in_memory(
    files: dict[str, str], labels: tuple[str, ...], *, samples: int = 20, ci: bool = True, **options: object
) -> str:
    request = make_request(files, labels, ci=ci, samples=samples, **options)
    assert isinstance(request.texts, CorpusFiles)
    try:
        return replace(request, hypotheses=request.texts.read()).run().render("json")
    except (MissingExtraError, ResourceError) as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.parametrize("label", LABELS)
def test_every_metric_gives_the_same_bytes_in_any_parts(label: str, corpus_files: dict[str, str]) -> None:
    expected = run_in_memory(corpus_files, (label,))
    for batch_size, threads in ((1, 1), (7, 2), (1000, 2)):
        request = make_request(
            corpus_files, (label,), ci=True, samples=20, threads=threads, batch_size=batch_size
        )
        assert request.run().render("json") == expected, (batch_size, threads)


@pytest.fixture
def use_engine(monkeypatch: pytest.MonkeyPatch, dask_engine: Engine) -> None:
    """Compute on the workers that run already."""

    class Kept:
        def __enter__(self) -> Engine:
            return dask_engine

        def __exit__(self, *_: object) -> None: ...

    here = open_engine
    monkeypatch.setattr(
        score, "open_engine", lambda choice: Kept() if choice.name == "dask" else here(choice)
    )


@pytest.mark.slow
@pytest.mark.usefixtures("use_engine")
@pytest.mark.parametrize("batch_size", [9, 1000])
def test_workers_give_the_same_bytes_for_all_metrics_together(
    corpus_files: dict[str, str], batch_size: int
) -> None:
    labels = tuple(label for label in LABELS if _is_installed(corpus_files, label))
    expected = run_in_memory(corpus_files, labels)
    request = make_request(corpus_files, labels, ci=True, samples=20, engine="dask", batch_size=batch_size)
    assert request.run().render("json") == expected


def _is_installed(files: dict[str, str], label: str) -> bool:
    try:
        make_request(files, (label,)).run()
    except (MissingExtraError, ResourceError):
        return False
    return True


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the Poisson bootstrap begin with 30 segments."""
    monkeypatch.setattr("tertium.evaluation.resampling.POISSON_FROM", 30)


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("view", [{}, {"ci": True}, {"paired": "bootstrap"}])
def test_sums_of_many_segments_give_the_bytes_of_their_tables(
    corpus_files: dict[str, str], view: dict[str, object]
) -> None:
    labels = ("bleu,chrf,ter,nist",)
    expected = run_in_memory(corpus_files, labels, **{"samples": 50, "ci": False, **view})  # type: ignore[arg-type]
    assert ("bs:poisson" in expected) == bool(view)
    for batch_size in (3, 16, 40, None):  # None: in parts because there are so many segments
        result = make_request(corpus_files, labels, samples=50, batch_size=batch_size, **view).run()
        assert result.corpus is None
        assert result.render("json") == expected


@pytest.mark.usefixtures("few_are_many", "use_engine")
def test_sums_from_workers_are_the_same_too(corpus_files: dict[str, str]) -> None:
    expected = run_in_memory(corpus_files, ("bleu,ter",), samples=50)
    request = make_request(corpus_files, ("bleu,ter",), ci=True, samples=50, engine="dask", batch_size=6)
    assert request.run().render("json") == expected


@pytest.mark.slow
@pytest.mark.usefixtures("use_engine")
def test_workers_take_the_vectors_that_the_language_asks_for(corpus_files: dict[str, str]) -> None:
    german = (DATA / "source.de.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    Path(corpus_files["ref"]).write_text("".join(german[:40]), encoding="utf-8")
    Path(corpus_files["a"]).write_text("".join(german[1:41]), encoding="utf-8")
    expected = run_in_memory(corpus_files, ("sentvec",))
    for engine in ("local", "dask"):
        request = make_request(corpus_files, ("sentvec",), ci=True, samples=20, engine=engine, batch_size=9)
        result = request.run()
        assert result.render("json") == expected
        assert any("look German" in warning for warning in result.warnings)


def test_shards_and_formats_give_the_same_bytes(tmp_path: Path, corpus_files: dict[str, str]) -> None:
    expected = run_in_memory(corpus_files, ("bleu,nist",))
    for name, path in corpus_files.items():
        folder = tmp_path / "shards" / name
        folder.mkdir(parents=True)
        lines = Path(path).read_text(encoding="utf-8").splitlines(keepends=True)
        for i, (begin, end) in enumerate([(0, 11), (11, 12), (12, 40)]):
            (folder / f"{i}.txt").write_text("".join(lines[begin:end]), encoding="utf-8")
    shards = str(tmp_path / "shards")
    corpus = CorpusFiles(references=(f"{shards}/ref",), hypotheses=(f"{shards}/a", f"b={shards}/b/*.txt"))
    for batch_size in (None, 5):
        request = ScoreRequest(
            corpus, metrics=("bleu,nist",), tests_pairs=False, ci=True, samples=20, batch_size=batch_size
        )
        assert request.run().render("json") == expected
