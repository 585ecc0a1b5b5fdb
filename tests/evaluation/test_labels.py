"""Words of the references that systems have, groups of segments, and one adjustment over all groups."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tertium.catalog import LabelledMetric
from tertium.engines import evaluate
from tertium.evaluation.labels import (
    ReferenceWords,
    WordRecall,
    compare_segment_groups,
    compare_word_groups,
    group_by_source_word,
    label_by_frequency,
)
from tertium.metrics import ChrF
from tertium.stats.analysis import Analysis
from tertium.values import Corpus

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=8).map(" ".join)


@given(pairs=st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=6))
def test_matched_words_equal_a_count_word_by_word(pairs: list[tuple[str, str, str]]) -> None:
    corpus = Corpus(
        [[r] for r, _, _ in pairs], {"x": [x for _, x, _ in pairs], "y": [y for _, _, y in pairs]}
    )
    words = ReferenceWords.of(corpus, ["x", "y"])
    assert words.words() == [word for reference, _, _ in pairs for word in reference.split()]
    tables = words.tabulate(words.words(), "abcd")
    for name, table in tables.items():
        for system, outputs in enumerate(([x for _, x, _ in pairs], [y for _, _, y in pairs])):
            for segment, (reference, output) in enumerate(
                zip((r for r, _, _ in pairs), outputs, strict=True)
            ):
                wanted, own = Counter(reference.split())[name], Counter(output.split())[name]
                assert table[system, segment].tolist() == [min(wanted, own), wanted]


def test_recall_by_all_words_is_the_metric() -> None:
    references, outputs = [["a b c a"], ["d d"]], {"x": ["a c", "d"], "y": ["b", "d d d"]}
    words = ReferenceWords.of(Corpus(references, outputs), ["x", "y"])
    rows = compare_word_groups(words, "all", ["word"] * 6, ["word"], Analysis())
    by_metric = [
        WordRecall().corpus_score(texts, [[r] for (r,) in references], orientation="segments").value
        for texts in outputs.values()
    ]
    assert rows[0].scores == tuple(by_metric)
    assert rows[0].letters == ("", "")  # too few segments for a test
    assert rows[0].p_value is None


def test_frequencies_are_looked_up_as_written_then_in_lower_case() -> None:
    labels, order = label_by_frequency(["The", "the", "of", "xyz", "US"], {"the": 5000, "of": 100, "US": 3})
    assert labels == ["more than 1,000", "more than 1,000", "11–100", "never", "1–10"]
    assert order == ["never", "1–10", "11–100", "101–1,000", "more than 1,000"]


def test_source_words_group_the_segments_that_have_them() -> None:
    groups = group_by_source_word(["der Hund", "Der Hund Hund", "die Katze", "ein Haus", "ein"], lower=2)
    assert {word: rows.tolist() for word, rows in groups.items()} == {
        "der": [0, 1],
        "hund": [0, 1],
        "ein": [3, 4],
    }


def test_all_groups_are_adjusted_together() -> None:
    rng = np.random.default_rng(1)
    references = [[" ".join(rng.choice(list("abcdefgh"), 12))] for _ in range(120)]
    worse = [" ".join(np.where(rng.random(12) < 0.3, "z", r.split())) for (r,) in references]
    worst = [" ".join(np.where(rng.random(12) < 0.35, "z", r.split())) for (r,) in references]
    corpus = Corpus(references, {"good": [r for (r,) in references], "worse": worse, "worst": worst})
    evaluation = evaluate(corpus, [LabelledMetric("chrf", ChrF())])
    halves = {"first": np.arange(60), "second": np.arange(60, 120)}
    both = compare_segment_groups(evaluation, "chrf", "half", halves, Analysis())
    alone = compare_segment_groups(evaluation, "chrf", "half", {"first": halves["first"]}, Analysis())
    assert both[0].letters[0] == "a"
    assert "a" not in both[0].letters[1]
    assert (both[0].p_adjusted >= alone[0].p_adjusted - 1e-12)[~np.isnan(alone[0].p_adjusted)].all()
    assert both[0].scores == alone[0].scores
    assert both[0].example is not None
