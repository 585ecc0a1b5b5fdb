"""Sentences about the best systems: no system is called better than one that it does not significantly beat."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tertium
from tertium.commands.report.page.contents import describe_answer
from tertium.commands.report.report import Report
from tertium.stats.letters import BoolMatrix, compact_letters, find_best_group
from tertium.values import FloatArray
from tertium.verdicts import describe_leaders

OTHERS = re.compile(r"(.+) is significantly better than (all others|s\d+|(\d+) of the (\d+) others)")
TIED = re.compile(r"(.+) (?:tie|do not differ significantly)")


def list_names(words: str) -> tuple[list[str], int]:
    """Return the names in a list, and the number of further systems."""
    found = re.search(r" and (\d+) others$", words)
    return re.findall(r"s\d+", words), 0 if found is None else int(found[1])


def check_sentence(said: str, systems: list[str], scores: FloatArray, differs: BoolMatrix) -> None:
    """Check a sentence about the best systems against the tests; higher scores are better."""
    n = len(systems)
    if said == f"no two of the {n} systems differ significantly":
        assert not differs.any()
    elif said.endswith(" is not significantly better than any other"):
        best = systems.index(said.partition(" ")[0])
        assert not differs[best].any()
    elif (found := OTHERS.fullmatch(said)) is not None:
        best = systems.index(found[1])
        beaten = [i for i in range(n) if differs[best, i] and scores[best] > scores[i]]
        if found[3] is not None:
            assert (len(beaten), n - 1) == (int(found[3]), int(found[4]))
        else:
            assert len(beaten) == n - 1
            assert found[2] == "all others" if n > 2 else found[2] in systems
    else:
        found = TIED.fullmatch(said)
        assert found is not None, said
        if found[1].lower() == f"all {n} systems":
            assert not differs.any()
            return
        names, n_others = list_names(found[1])
        places = [systems.index(name) for name in names]
        assert not any(differs[a, b] for a, b in combinations(places, 2))
        best = int(np.argmax(scores))
        leading = [i for i in range(n) if not differs[best, i] or scores[i] == scores[best]]
        assert set(places) <= set(leading)
        assert len(places) + n_others == len(leading)


@given(data=st.data(), n=st.integers(2, 7))
def test_a_sentence_about_the_best_systems_says_what_the_tests_say(data: st.DataObject, n: int) -> None:
    scores = np.array(data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n)), dtype=float)
    differs = np.zeros((n, n), dtype=bool)
    for a, b in combinations(range(n), 2):
        differs[a, b] = differs[b, a] = scores[a] != scores[b] and data.draw(st.booleans())
    systems = [f"s{i}" for i in range(n)]
    letters = compact_letters(scores, differs)
    leaders = find_best_group(scores, letters)
    if not leaders:
        assert len(set(scores)) == 1
        return
    order = np.argsort(-scores, kind="stable")
    by_name = {systems[i]: letters[i] for i in order}
    check_sentence(describe_leaders([systems[i] for i in leaders], by_name), systems, scores, differs)


def make_report(n: int, seed: int, spread: float, folder: Path) -> Report:
    """Score systems with errors at random, and let two raters judge them."""
    rng = np.random.default_rng(seed)
    references = [" ".join(rng.choice(list("abcdefghij"), 8)) for _ in range(60)]
    rates = rng.uniform(0.1, 0.1 + spread, n)
    outputs = {
        f"s{i}": [
            " ".join("x" if rng.random() < rates[i] else w for w in line.split()) for line in references
        ]
        for i in range(n)
    }
    human = folder / "human.tsv"
    with human.open("w", encoding="utf-8") as file:
        file.write("system\tsegment\trater\tscore\n")
        qualities = rng.normal(0, spread, n)
        file.writelines(
            f"s{i}\t{segment}\t{segment % 2}\t{qualities[i] + rng.normal():.3f}\n"
            for i in range(n)
            for segment in range(1, 61)
        )
    result = tertium.score(outputs, references, "wer,chrf")
    report = tertium.report(result, human=[str(human)])
    assert isinstance(report, Report)
    return report


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(n=st.integers(2, 6), seed=st.integers(0, 10**6), spread=st.sampled_from([0.0, 0.2, 1.0, 3.0]))
@example(n=2, seed=2, spread=3.0)  # no word of either system is right
def test_the_answer_of_a_page_says_what_its_tests_say(
    tmp_path_factory: pytest.TempPathFactory, n: int, seed: int, spread: float
) -> None:
    report = make_report(n, seed, spread, tmp_path_factory.mktemp("judged"))
    contents = report.make_contents()
    human, *rest = describe_answer(contents)
    assert contents.human is not None
    ranking = contents.human.ranking
    assert ranking is not None
    said = human.removeprefix("By the human judgments, ").removesuffix(".")
    differs = ranking.comparison.adjusted_p < 0.05
    check_sentence(said, list(ranking.campaign.systems), ranking.scores, differs & ~np.eye(n, dtype=bool))
    compared = {column.title: column for column in contents.table.columns}
    for sentence in rest:
        found = re.fullmatch(r"(.*) on (both metrics|WER|chrF)\.", sentence)
        if (same := re.fullmatch(r"(.*) have the same (.*)\.", sentence)) is not None:
            for title in same[2].split(" and "):
                named = zip(contents.evaluation.systems, compared[title].cells, strict=True)
                assert (
                    len(
                        {
                            cell.score
                            for system, cell in named
                            if system in same[1] or same[1] == f"All {n} systems"
                        }
                    )
                    == 1
                )
            continue
        if found is None:
            assert re.match("Separating|On|.* among the best on", sentence), sentence
            continue
        for title in compared if found[2] == "both metrics" else [found[2]]:
            of_metric = contents.comparison.metrics[compared[title].label]
            scores = of_metric.scores if title == "chrF" else -of_metric.scores
            differs = (of_metric.adjusted_p < 0.05) & ~np.eye(n, dtype=bool)
            check_sentence(found[1], list(contents.evaluation.systems), scores, differs)
