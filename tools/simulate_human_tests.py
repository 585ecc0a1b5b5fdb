"""Measure how often the ranking of a human evaluation calls equal systems different, with strict and lenient raters.

    python tools/simulate_human_tests.py [--trials 1000] [--seed 1]

Every design has effects of segments, documents, raters, and of system and document together; the systems are equal on
average. The table shows the share of trials in which any pair of systems is significant at the 5 % level, for each
estimate: the mean of segments, z-scores, and the mixed model that `tertium human` chooses for such designs.
"""

import argparse
from collections.abc import Callable, Iterator

import numpy as np

from tertium.corpus.judgments.readers import SegmentJudgments
from tertium.humaneval.campaign import Campaign, make_campaigns
from tertium.humaneval.ranking import RANKING_METHODS, RankingMethod, rank_systems
from tertium.stats.analysis import Analysis

N_DOCUMENTS, SEGMENTS_PER_DOCUMENT = 60, 5
ITEM_SD, DOCUMENT_SD, RATER_SD, INTERACTION_SD, RESIDUAL_SD = 8.0, 5.0, 10.0, 4.0, 15.0

Shape = tuple[int, int, int]
Assign = Callable[[np.random.Generator, Shape], np.ndarray]
"""Chooses the raters of all outputs, (systems, documents, segments)."""

N_RATERS = 6


def _by_document(_: np.random.Generator, shape: Shape) -> np.ndarray:
    return np.broadcast_to((np.arange(shape[1]) % N_RATERS)[None, :, None], shape)


def _by_output(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    return rng.integers(N_RATERS, size=shape)


def _by_system_and_document(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    return np.broadcast_to(rng.integers(N_RATERS, size=(*shape[:2], 1)), shape)


def _unequally(rng: np.random.Generator, shape: Shape) -> np.ndarray:
    """Let the last raters judge the second system more often."""
    drawn = [rng.integers(N_RATERS + 2 * system, size=shape[1:]) for system in range(shape[0])]
    return np.minimum(np.stack(drawn), N_RATERS - 1)


DESIGNS: dict[str, tuple[int, Assign]] = {
    "every document by one rater": (2, _by_document),
    "random rater for each output": (2, _by_output),
    "random rater for each system and document": (2, _by_system_and_document),
    "raters who judge one system more often": (2, _unequally),
    "six systems, random rater for each system and document": (6, _by_system_and_document),
}


def simulate(n_systems: int, assign: Assign, rng: np.random.Generator) -> Campaign:
    """Draw a campaign in which all systems are equal on average."""
    rows = list(_draw(n_systems, assign, rng))
    systems, documents, segments, names, scores = zip(*rows, strict=True)
    judged = SegmentJudgments(
        "simulated", range(len(rows)), [""] * len(rows), systems, segments, np.array(scores), names, documents
    )
    return make_campaigns([judged])[0]


def _draw(
    n_systems: int, assign: Assign, rng: np.random.Generator
) -> Iterator[tuple[str, str, str, str, float]]:
    shape = (n_systems, N_DOCUMENTS, SEGMENTS_PER_DOCUMENT)
    strictness = rng.normal(0, RATER_SD, N_RATERS)
    raters = assign(rng, shape)
    scores = (
        rng.normal(70, DOCUMENT_SD, (1, N_DOCUMENTS, 1))
        + rng.normal(0, ITEM_SD, (1, *shape[1:]))
        + rng.normal(0, INTERACTION_SD, (*shape[:2], 1))
        + strictness[raters]
        + rng.normal(0, RESIDUAL_SD, shape)
    )
    for (system, document, segment), score in np.ndenumerate(scores):
        rater = raters[system, document, segment]
        yield f"s{system}", f"d{document}", f"d{document}-{segment}", f"r{rater}", float(score)


def main() -> None:
    """Print the share of false alarms of each design and estimate."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--design", default="")
    options = parser.parse_args()
    for name, (n_systems, assign) in DESIGNS.items():
        if options.design not in name:
            continue
        alarms: dict[RankingMethod, int] = dict.fromkeys(RANKING_METHODS, 0)
        for trial in range(options.trials):
            campaign = simulate(n_systems, assign, np.random.default_rng([options.seed, trial]))
            for method in RANKING_METHODS:
                ranking = rank_systems(campaign, Analysis(seed=trial), method=method)
                alarms[method] += bool(np.any(ranking.comparison.adjusted_p < 0.05))
        shares = "  ".join(
            f"{method} {100 * count / options.trials:5.1f} %" for method, count in alarms.items()
        )
        print(f"{name:55}  {shares}", flush=True)


if __name__ == "__main__":
    main()
