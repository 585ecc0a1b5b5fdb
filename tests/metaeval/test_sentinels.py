"""Sentinels: scores without knowledge of quality, as rows that a metric must beat."""

from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.errors import OptionError
from tertium.metaeval import JudgedSet
from tertium.metaeval.sentinels import score_sentinels
from tertium.values import Corpus

DATA = Path(__file__).parents[2] / "examples" / "data"


def test_lengths_and_rare_words_are_counted() -> None:
    outputs = {"A": ["the cat", "the dog"], "B": ["the feline", "the the"]}
    corpus = Corpus([["the cat sat"], ["the dog sat"]], outputs, sources=["die Katze", "ein Hund"])
    found = score_sentinels(JudgedSet("de-en", corpus), seed=1)
    assert found["sentinel-output-length"].segment_scores is not None
    assert found["sentinel-output-length"].segment_scores.tolist() == [[7, 7], [10, 7]]
    assert not found["sentinel-output-length"].higher_is_better
    rare = found["sentinel-rare-words"].segment_scores
    assert rare is not None
    assert rare.tolist() == [[0.5, 0.5], [0.5, 0.0]]  # "cat", "dog" and "feline" are rare, "the" is not
    assert found["sentinel-source-length"].system_scores is not None
    assert found["sentinel-source-length"].system_scores.tolist() == [8.5, 8.5]
    np.testing.assert_array_equal(
        found["sentinel-random"].segment_scores,
        score_sentinels(JudgedSet("de-en", corpus), seed=1)["sentinel-random"].segment_scores,
    )


def test_the_table_names_the_metrics_that_do_not_beat_every_sentinel() -> None:
    result = tertium.meta(
        metrics="chrf",
        references=[str(DATA / "reference.en.txt")],
        hypotheses=sorted(map(str, (DATA / "systems").glob("*.txt"))),
        human=[str(DATA / "human.tsv")],
        statistics="segment:pearson",
        sentinels=True,
        samples=100,
    )
    assert "sentinel-rare-words" in result.tables[0].metrics
    assert "not significantly better than every sentinel" in result.render("text")


def test_sentinels_need_texts(tmp_path: Path) -> None:
    scores = tmp_path / "X.sys.score"
    scores.write_text("A\t1\nB\t2\nC\t3\n", encoding="utf-8")
    with pytest.raises(OptionError, match="needs the texts"):
        tertium.meta(human=str(scores), scores=str(scores), sentinels=True)
