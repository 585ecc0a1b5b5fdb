"""Fuzzing of all readers: a damaged file gives a result or one of our errors with a one-line message."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz import seeds
from fuzz.damage import damaged
from hostile.clean import outcome
from tertium.catalog.glossaries import load_glossary
from tertium.corpus import read_columns, read_corpus, stream_corpus
from tertium.corpus.candidates import read_candidates
from tertium.corpus.external_scores import read_external_scores
from tertium.corpus.judgments.formats import read_judgments
from tertium.corpus.judgments.mqm import read_weights
from tertium.corpus.judgments.score_files import read_score_file
from tertium.corpus.test_sets import list_members
from tertium.evaluation.gate_rules import read_rules
from tertium.files.project import read_project
from tertium.interfaces import WordVectors
from tertium.metaeval.calibration import read_calibration
from tertium.resources.paraphrases import load_paraphrases
from tertium.resources.presets import load_weights, read_preset
from tertium.resources.synonyms import load_thesaurus
from tertium.resources.trees import load_trees
from tertium.resources.vectors import load_vectors
from tertium.resources.vectors.loading import WordTable
from tertium.resources.word_lists import load_frequencies, load_function_words
from tertium.text import Texts
from tertium.tuning.journal import Journal, format_head

TASK = {"metric": "bleu"}
JOURNAL = (
    format_head(TASK).encode()
    + b'{"point": {"a": 0.5, "b": [1, 2]}, "values": {"x": {"cs": 0.5, "de": null}}}\n'
)
HALF_PAIR = format_head(TASK).encode() + b'{"point": {"a": "\\ud800"}, "values": {"x": {"cs": 0.5}}}\n'
TABLE_WORDS = "cat\nParis\nparis\nna\u00efve\ndog\n"


def _use_calibration(path: str) -> None:
    for metric in read_calibration(path).metrics:
        metric.expect_agreement(1.5)


class Reader(NamedTuple):
    """A reader, the suffix of its files, and valid examples."""

    read: Callable[[str], object]
    suffixes: Sequence[str]
    seeds: Sequence[bytes]


READERS = {
    "read_corpus": Reader(
        lambda path: read_corpus([path], [("A", path)], path),
        [".txt", ".tsv", ".csv", ".jsonl", ".parquet", ".sgm", ".xml", ".tmx", ".xlf", ".xlsx", ".srt", ".vtt", ".txt.gz", ".jsonl.gz"],
        seeds.TEXTS,
    ),
    "stream_corpus": Reader(
        lambda path: list(stream_corpus([path], [("A", path)], batch_size=2)),
        [".txt", ".tsv", ".jsonl", ".parquet", ".txt.gz"],
        seeds.TEXTS,
    ),
    "read_columns": Reader(lambda path: read_columns(path, 2), [".tsv", ".csv", ".jsonl", ".parquet"], seeds.TEXTS),
    "read_judgments": Reader(
        read_judgments,
        [".tsv", ".csv", ".jsonl", ".json", ".seg.score", ".sys.score", ".seg.rating", ".tsv.gz"],
        seeds.JUDGMENTS,
    ),
    "read_candidates": Reader(
        lambda path: list(read_candidates(path)), [".jsonl", ".tsv", ".txt", ".nbest"], seeds.CANDIDATES
    ),
    "read_weights": Reader(read_weights, [".tsv"], [b"major\t5\nminor/fluency\t0.5\n"]),
    "read_score_file": Reader(read_score_file, [".seg.score", ".sys.score"], seeds.JUDGMENTS),
    "read_given_scores": Reader(
        lambda path: read_external_scores(path, ["A"], 2),
        [".txt", ".json", ".tsv", ".jsonl", ".seg.score"],
        seeds.SCORES,
    ),
    "read_preset": Reader(read_preset, [".toml"], seeds.MANIFEST_TOML),
    "load_weights": Reader(load_weights, [".toml"], seeds.MANIFEST_TOML),
    "list_members": Reader(lambda path: list_members([path], [], [], []), [".toml", ".tsv"], seeds.SUITES),
    "read_project": Reader(lambda path: read_project(Path(path)), [".toml"], seeds.SUITES),
    "read_calibration": Reader(_use_calibration, [".json"], seeds.CALIBRATION),
    "load_glossary": Reader(load_glossary, [".tsv", ".txt", ".csv"], seeds.GLOSSARY),
    "load_frequencies": Reader(load_frequencies, [".tsv", ".txt"], seeds.GLOSSARY),
    "read_rules": Reader(read_rules, [".toml"], seeds.RULES),
    "journal": Reader(lambda path: Journal(path, TASK), [".jsonl"], [JOURNAL, HALF_PAIR]),
    "load_trees": Reader(
        lambda path: load_trees(path).parse(Texts(["a b"]).tokens("none")), [".conllu", ".conllu.gz"], seeds.TREES
    ),
    "load_thesaurus": Reader(lambda path: load_thesaurus(path, "en"), [".dat"], seeds.THESAURUS),
    "load_paraphrases": Reader(
        lambda path: load_paraphrases(path).phrases(),
        ["", ".gz"],
        seeds.THESAURUS,
    ),
    "load_function_words": Reader(load_function_words, [".txt"], seeds.THESAURUS),
    "load_vectors": Reader(
        lambda path: _use(load_vectors(path)), [".txt", ".bin", ".npy", ".vectors", ".vec.gz"], seeds.VECTORS
    ),
}  # fmt: skip


def _use(vectors: WordVectors) -> None:
    assert isinstance(vectors, WordTable)
    assert vectors.identity
    vectors.vectors(["cat", "dog", "unknown", ""])
    vectors.source.read(vectors.source.find(vectors.source.words()[:9]))


@pytest.mark.parametrize("name", READERS)
@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_file_gives_a_result_or_one_line(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    read, suffixes, sound = READERS[name]
    suffix = data.draw(st.sampled_from(list(suffixes)), label="suffix")
    content = data.draw(damaged(sound), label="content")
    path = tmp_path_factory.getbasetemp() / f"fuzzed{suffix}"
    write_file(path, content)
    outcome(read, str(path))


@pytest.mark.parametrize("name", READERS)
def test_the_fuzz_begins_with_files_that_can_be_read(tmp_path: Path, name: str) -> None:
    read, suffixes, sound = READERS[name]
    accepted = 0
    for number, content in enumerate(sound):
        for suffix in suffixes:
            path = tmp_path / f"sound{number}{suffix}"
            write_file(path, content)
            accepted += outcome(read, str(path)) == ""
    assert accepted, "no seed of this reader is sound"


def write_file(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    if path.suffix == ".npy":
        path.with_suffix(".vocab").write_text(TABLE_WORDS, encoding="utf-8")
