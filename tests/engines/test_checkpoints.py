"""Finished parts: found again by the same command, ignored by any other, never read if they are damaged."""

from pathlib import Path
from typing import Any

import pytest

from tertium.commands.base.scoring import ScoreRequest, ScoreResult
from tertium.corpus import CorpusFiles
from tertium.engines import jobs
from tertium.engines.checkpoints import Checkpoints
from tertium.errors import InputError

PARTS = 4


class Counted:
    """Counts the parts that are computed rather than found."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.n = 0
        compute = jobs.compute_part

        def count(*arguments: Any, **options: Any) -> Any:
            self.n += 1
            return compute(*arguments, **options)

        monkeypatch.setattr("tertium.engines.pipeline.compute_part", count)

    def take(self) -> int:
        taken, self.n = self.n, 0
        return taken


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "resume"


def run(files: dict[str, str], folder: Path, **options: Any) -> ScoreResult:
    corpus = CorpusFiles(references=(files["ref"],), hypotheses=(files["a"],))
    asked = {"metrics": ("bleu,nist",), "ci": True, "samples": 20, **options}
    result = ScoreRequest(corpus, tests_pairs=False, resume=str(folder), batch_size=10, **asked).run()
    assert result.corpus is None
    return result


def test_the_same_request_computes_nothing_twice(
    corpus_files: dict[str, str], folder: Path, computed: Counted
) -> None:
    first = run(corpus_files, folder)
    assert computed.take() == PARTS
    again = run(corpus_files, folder)
    assert computed.take() == 0
    assert again.render("json") == first.render("json")
    assert again.notes == ()


def test_parts_that_are_missing_or_damaged_are_computed_again(
    corpus_files: dict[str, str], folder: Path, computed: Counted
) -> None:
    expected = run(corpus_files, folder).render("json")
    computed.take()
    first, second, third, _ = sorted(folder.iterdir())
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1])
    damaged = bytearray(third.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    third.write_bytes(damaged)
    assert run(corpus_files, folder).render("json") == expected
    assert computed.take() == 3


def test_a_changed_file_is_noticed(corpus_files: dict[str, str], folder: Path, computed: Counted) -> None:
    run(corpus_files, folder)
    computed.take()
    path = Path(corpus_files["a"])
    path.write_text(path.read_text(encoding="utf-8").replace("a", "e", 1), encoding="utf-8")
    changed = run(corpus_files, folder)
    assert computed.take() == PARTS
    assert changed.notes == (
        f"4 files in {folder} came from other inputs, options or versions and were not used",
    )


@pytest.mark.parametrize("change", [{"metrics": ("bleu:lowercase=yes,nist",)}, {"lowercase": True}])
def test_a_changed_option_is_noticed(
    corpus_files: dict[str, str], folder: Path, computed: Counted, change: dict[str, Any]
) -> None:
    run(corpus_files, folder)
    computed.take()
    run(corpus_files, folder, **change)
    assert computed.take() == PARTS


def test_references_that_only_other_parts_have_change_what_nist_learnt(
    corpus_files: dict[str, str], folder: Path, computed: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part's own shard is the same, but the weights come from all shards."""
    shards = {}
    for name in ("ref", "a"):
        lines = Path(corpus_files[name]).read_text(encoding="utf-8").splitlines(keepends=True)
        shards[name] = folder.parent / f"{name}-shards"
        shards[name].mkdir()
        for i in range(4):
            (shards[name] / f"{i}.txt").write_text("".join(lines[i * 10 : i * 10 + 10]), encoding="utf-8")
    files = {name: str(path) for name, path in shards.items()}
    run(files, folder)
    computed.take()
    last = shards["ref"] / "3.txt"
    last.write_text(last.read_text(encoding="utf-8").replace("the", "a"), encoding="utf-8")
    run(files, folder)
    assert computed.take() == 4
    run(files, folder, metrics=("bleu",))
    assert computed.take() == 4
    last.write_text(last.read_text(encoding="utf-8").replace("a", "the"), encoding="utf-8")
    run(files, folder, metrics=("bleu",))
    assert computed.take() == 1  # BLEU learns nothing: only the changed shard is computed


def test_a_view_that_asks_no_more_of_the_statistics_computes_nothing(
    corpus_files: dict[str, str], folder: Path, computed: Counted
) -> None:
    run(corpus_files, folder)
    computed.take()
    run(corpus_files, folder, ci=False, scale=1)
    assert computed.take() == 0


def test_other_files_in_the_folder_are_left_alone(corpus_files: dict[str, str], folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    (folder / ".tertium-0123.tmp").write_bytes(b"half a part")
    assert run(corpus_files, folder).notes == ()
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_named(corpus_files: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"the folder .* cannot be created"):
        run(corpus_files, Path(corpus_files["ref"]) / "inside")


def test_a_part_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "1.part").mkdir()
    checkpoints = Checkpoints(tmp_path, ["1.part", "2.part"])
    for attempt in (checkpoints.has, checkpoints.load):
        with pytest.raises(
            InputError, match=r"1\.part cannot be read: Is a directory; check its mode, or remove it"
        ):
            attempt(0)
    assert not checkpoints.has(1)
