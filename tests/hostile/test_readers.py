"""Every reader with every invalid file under every suffix gives a result or a one-line error."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hostile.clean import outcome
from hostile.contents import CONTENTS
from tertium.corpus import read_columns, read_corpus, stream_corpus
from tertium.corpus.judgments.formats import read_judgments
from tertium.corpus.judgments.score_files import read_score_file
from tertium.files.project import read_project
from tertium.interfaces import WordVectors
from tertium.resources.presets import load_weights, read_preset
from tertium.resources.trees import load_trees
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.loading import WordTable

TEXTS = [".txt", ".txt.gz", ".txt.xz", ".tsv", ".jsonl", ".jsonl.gz", ".parquet", ".sgm", ".xml", ".xml.gz"]
WHOLE = [".csv", ".csv.gz", ".xlsx", ".xliff", ".tmx"]
READERS: dict[str, tuple[Callable[[str], object], list[str]]] = {
    "read_corpus": (lambda path: read_corpus([path], [("A", path)], path), [*TEXTS, *WHOLE]),
    "stream_corpus": (lambda path: list(stream_corpus([path], [("A", path)], batch_size=2)), TEXTS),
    "read_columns": (lambda path: read_columns(path, 1), [".tsv", ".jsonl", ".parquet", ".csv", ".xlsx"]),
    "find_project": (lambda path: read_project(Path(path)), [".toml"]),
    "read_judgments": (read_judgments, [".tsv", ".jsonl", ".jsonl.gz", ".seg.score", ".sys.score"]),
    "read_score_file": (read_score_file, [".seg.score", ".sys.score.gz"]),
    "read_preset": (read_preset, [".toml"]),
    "load_weights": (load_weights, [".toml"]),
    "load_trees": (load_trees, [".conllu", ".conllu.gz"]),
    "load_vectors": (lambda path: _use(load_vectors(path)), [".txt", ".bin", ".npy", ".gz", ".vectors"]),
}


def _use(vectors: WordVectors) -> None:
    assert isinstance(vectors, WordTable)
    assert vectors.identity
    vectors.vectors(["cat", "dog", "unknown"])
    vectors.source.read(vectors.source.find(vectors.source.words()[:9]))


@pytest.mark.parametrize("name", READERS)
def test_any_file_gives_a_result_or_one_line(tmp_path: Path, name: str) -> None:
    read, suffixes = READERS[name]
    faults = []
    for label, content in CONTENTS.items():
        for suffix in suffixes:
            path = tmp_path / f"a{suffix}"
            path.write_bytes(content)
            if suffix == ".npy":
                path.with_suffix(".words").write_text("cat\n", encoding="utf-8")
            try:
                outcome(read, str(path))
            except Exception as error:  # noqa: BLE001 - to show all of them at once
                faults.append(f"{label}, {suffix}: {type(error).__name__}: {str(error)[:200]}")
    assert not faults, "\n".join(faults)
