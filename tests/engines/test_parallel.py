"""Language pairs and trials on workers: the tables that this process makes."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tertium
from tertium.engines.engine import Engine
from tertium.metaeval.data import JudgedData

DATA = Path(__file__).parents[2] / "examples" / "data"
ENGINES: tuple[Any, ...] = ("local", "dask")


@pytest.fixture(autouse=True)
def workers(monkeypatch: pytest.MonkeyPatch, dask_engine: Engine) -> None:
    """Compute on the workers that run already, if Dask is asked for."""

    class Kept:
        def __enter__(self) -> Engine:
            return dask_engine

        def __exit__(self, *_: object) -> None: ...

    for name in ("meta", "tune"):
        module = import_module(f"tertium.commands.meta.{name}")
        here = module.open_engine
        monkeypatch.setattr(
            module,
            "open_engine",
            lambda choice, here=here: here(choice) if choice.name == "local" else Kept(),
        )


@pytest.fixture
def judged(tmp_path: Path) -> JudgedData:
    """Make two language pairs of the bundled texts, with the same judgments."""
    human = (DATA / "human.tsv").read_text(encoding="utf-8").splitlines()
    rows = [f"lp\t{human[0]}"]
    for pair, systems in (("de-en", ("aurora", "cirrus", "ember")), ("cs-en", ("boreas", "delta", "fathom"))):
        folder = tmp_path / pair
        (folder / "systems").mkdir(parents=True)
        _copy(DATA / "reference.en.txt", folder / "ref.txt")
        for name in systems:
            _copy(DATA / "systems" / f"{name}.txt", folder / "systems" / f"{name}.txt")
        rows += [
            f"{pair}\t{row}"
            for row in human[1:]
            if row.split("\t")[0] in systems and int(row.split("\t")[1]) <= 60
        ]
    (tmp_path / "human.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return JudgedData(folder=str(tmp_path))


def _copy(source: Path, target: Path) -> None:
    target.write_text(
        "".join(source.read_text(encoding="utf-8").splitlines(keepends=True)[:60]), encoding="utf-8"
    )


@pytest.mark.slow
def test_meta_scores_language_pairs_on_workers(judged: JudgedData) -> None:
    here, there = (tertium.meta(judged, "bleu,chrf", engine=engine) for engine in ENGINES)
    assert len(here.sets) == 2
    assert there.render("json") == here.render("json")


def test_the_values_of_an_option_are_tried_on_workers(judged: JudgedData) -> None:
    asked: dict[str, Any] = {"data": judged, "metric": "chrf", "over": "beta=1,2,3"}
    here = tertium.tune(**asked)
    assert tertium.tune(**asked, engine="dask").render("json") == here.render("json")


@pytest.mark.slow
@pytest.mark.parametrize("search", ["grid", "random", "coordinate", "alternating"])
def test_tune_finds_the_same_on_workers(
    judged: JudgedData, tmp_path_factory: pytest.TempPathFactory, search: Any
) -> None:
    asked: dict[str, Any] = {
        "data": judged,
        "metric": "chrf",
        "options": ("beta=1,2", "char_order=4,6"),
        "search": search,
        **({"n_trials": 4} if search == "random" else {}),
    }
    folder = tmp_path_factory.mktemp("journals")
    journals = [str(folder / name) for name in ("here.jsonl", "there.jsonl")]
    here, there = (
        tertium.tune(**asked, journal=journal, engine=engine)
        for journal, engine in zip(journals, ENGINES, strict=True)
    )
    assert there.render("json") == here.render("json")
    assert sorted(Path(journals[1]).read_text().splitlines()) == sorted(
        Path(journals[0]).read_text().splitlines()
    )
