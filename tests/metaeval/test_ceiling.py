"""How well people agree with people: halves of the raters, only where both spoke."""

from dataclasses import replace

import numpy as np
import pytest

from tertium.corpus.judgments.readers import Judgments, Rankings, SegmentJudgments
from tertium.errors import InputError
from tertium.metaeval.agreement import parse_statistics
from tertium.metaeval.ceiling import find_ceilings, find_rater_agreement
from tertium.metaeval.judged_sets import HumanOptions
from tertium.values import Corpus

N_SYSTEMS, N_SEGMENTS, N_RATERS = 6, 40, 8


def corpus() -> dict[str, Corpus]:
    return {"de-en": Corpus([["x"]] * N_SEGMENTS, {f"s{i}": ["x"] * N_SEGMENTS for i in range(N_SYSTEMS)})}


def direct(noise: float) -> SegmentJudgments:
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(N_SYSTEMS, N_SEGMENTS)) + np.arange(N_SYSTEMS)[:, None]
    cells = [
        (i, j, r) for i in range(N_SYSTEMS) for j in range(N_SEGMENTS) for r in rng.choice(N_RATERS, 4, replace=False)
    ]  # fmt: skip
    scores = np.array([truth[i, j] + noise * rng.normal() for i, j, _ in cells])
    return SegmentJudgments(
        "human.tsv",
        range(len(cells)),
        ["de-en"] * len(cells),
        [f"s{i}" for i, _, _ in cells],
        [str(j + 1) for _, j, _ in cells],
        scores,
        [f"r{r}" for *_, r in cells],
    )


def ceilings(files: list[Judgments], statistics: str) -> dict[tuple[str, str], float]:
    return dict(find_ceilings(parse_statistics([statistics]), corpus(), files, HumanOptions(), n_splits=5))


def test_raters_who_say_the_same_agree_perfectly() -> None:
    found = ceilings([direct(0.0)], "system:pearson,segment:pearson")
    assert found["segment:pearson", "de-en"] == pytest.approx(1.0)
    assert found["system:pearson", "de-en"] > 0.99


def test_raters_who_err_agree_less_and_as_much_as_theory_says() -> None:
    found = ceilings([direct(1.0)], "segment:pearson")["segment:pearson", "de-en"]
    spread = 1 + (N_SYSTEMS**2 - 1) / 12  # of the truth
    assert found == pytest.approx(
        spread / (spread + 1.0 / 2), abs=0.05
    )  # two judgments in each half, or one of four


def test_rankings_are_judged_by_the_other_halfs_wins() -> None:
    rng = np.random.default_rng(2)
    rows = [
        (j, r, *rng.permutation(N_SYSTEMS)[:2]) for j in range(N_SEGMENTS) for r in range(N_RATERS) for _ in range(3)
    ]  # fmt: skip
    file = Rankings(
        "rankings.tsv", range(len(rows)), ["de-en"] * len(rows), [str(j + 1) for j, *_ in rows],
        [f"r{r}" for _, r, *_ in rows], [f"s{a}" for *_, a, _ in rows], [f"s{b}" for *_, b in rows],
        np.array([1 if a > b else -1 for *_, a, b in rows], dtype=np.int32),
    )  # fmt: skip
    found = ceilings([file], "system:pearson,segment:wmt14")
    assert found["system:pearson", "de-en"] > 0.98
    assert found["segment:wmt14", "de-en"] > 0.6


def test_judgments_without_raters_are_refused() -> None:
    nameless = direct(0.0)
    nameless = SegmentJudgments(
        nameless.path, nameless.lines, nameless.pairs, nameless.systems, nameless.segments, nameless.scores
    )
    with pytest.raises(InputError, match="no file of judgments names the raters"):
        ceilings([nameless], "segment:pearson")


def agreement(files: list[Judgments], statistics: str) -> dict[tuple[str, str], dict[str, float]]:
    found = find_rater_agreement(parse_statistics([statistics]), corpus(), files, HumanOptions())
    return {key: dict(values) for key, values in found.items()}


def test_a_careless_rater_agrees_less_with_the_others() -> None:
    judged = direct(0.3)
    raters = judged.raters or ()
    noise = np.random.default_rng(3).normal(size=len(raters)) * 5
    scores = np.where([name == "r3" for name in raters], noise, judged.scores)
    found = agreement([replace(judged, scores=scores)], "segment:pearson")["segment:pearson", "de-en"]
    assert set(found) == {f"r{i}" for i in range(N_RATERS)}
    assert min(found, key=lambda name: found[name]) == "r3"
    assert found["r3"] < found["r0"] - 0.4


def test_raters_without_a_common_segment_can_be_compared_by_their_systems() -> None:
    judged = direct(0.1)
    halves = ["first" if int(segment) <= N_SEGMENTS // 2 else "second" for segment in judged.segments]
    found = agreement([replace(judged, raters=halves)], "system:pearson,system:spa,segment:pearson")
    assert found["system:pearson", "de-en"]["first"] > 0.9
    assert found["system:spa", "de-en"]["first"] > 0.9
    assert ("segment:pearson", "de-en") not in found  # they share no output
