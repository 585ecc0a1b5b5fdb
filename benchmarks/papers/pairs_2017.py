"""The tables of Matsuo, Komachi & Sudoh (2017): WAS, MAS and HAS on WMT15's assessments and WMT12's ranks, and why WAS is behind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from papers.markdown import Pictures, claims, number, table
from papers.rated import Rated, assessed, ranked, score_sentences, score_systems, system_means
from tertium.presentation.charts.curves import Panel, draw_curves
from tertium.stats.correlation import kendall_b, pearson
from tertium.values import FloatArray

__all__ = ["DATASETS", "render_claims", "render_curves", "render_sentences", "render_systems", "render_transfer"]  # fmt: skip

ALIGNED = {"WAS": "was", "MAS": "mas", "HAS": "has"}
THRESHOLDS = tuple(n / 10 for n in range(11))
BASELINES = {"one-hot": "onehot", "sentence vectors": "sentvec", "BLEU": "bleu", "METEOR": "meteor", "NIST": "nist", "RIBES": "ribes"}  # fmt: skip
N_SEGMENTS = 150  # of each language pair, with all systems' sentences that people ranked


@dataclass(frozen=True)
class Dataset:
    """The sources of human scores of sentences and systems, and the paper's corresponding data."""

    name: str
    stands_for: str
    year: str
    pairs: tuple[str, ...]
    assessed: tuple[str, ...]
    """Language pairs with direct assessments of sentences; without any, ranks are used for sentences, too."""
    sentence: Mapping[str, float]
    system: Mapping[str, float]
    transfer: Mapping[str, tuple[float, float]]
    """The best threshold for systems, and the values of sentences with it."""


DATASETS = (
    Dataset(
        "WMT15",
        "WAT2015",
        "wmt15",
        ("de-en", "fi-en", "ru-en"),
        ("cs-en", "de-en", "fi-en", "ru-en"),
        {"one-hot": 0.211, "sentence vectors": 0.097, "WAS": 0.332, "MAS": 0.235, "HAS": 0.092, "BLEU": 0.220, "METEOR": 0.248, "NIST": 0.204, "RIBES": 0.261},
        {"one-hot": 0.983, "sentence vectors": 0.979, "WAS": 0.814, "MAS": 0.995, "HAS": 0.656, "BLEU": 0.531, "METEOR": 0.973, "NIST": 0.998, "RIBES": 0.721},
        {"WAS": (0.30, 0.263), "MAS": (0.33, 0.223), "HAS": (0.35, 0.068)},
    ),
    Dataset(
        "WMT12",
        "NTCIR8",
        "wmt12",
        ("cs-en", "de-en", "es-en", "fr-en"),
        (),
        {"one-hot": 0.180, "sentence vectors": 0.022, "WAS": 0.343, "MAS": 0.171, "HAS": 0.075, "BLEU": 0.225, "METEOR": 0.211, "NIST": 0.150, "RIBES": 0.368},
        {"one-hot": 0.543, "sentence vectors": 0.645, "WAS": 0.515, "MAS": 0.657, "HAS": 0.097, "BLEU": 0.075, "METEOR": 0.482, "NIST": 0.159, "RIBES": 0.861},
        {"WAS": (0.68, 0.304), "MAS": (0.32, 0.152), "HAS": (0.38, 0.073)},
    ),
)  # fmt: skip


def sentences(dataset: Dataset, data: Path) -> list[Rated]:
    """Return the sentences of the sentence level, one set per language pair."""
    folder = data / dataset.year
    return [assessed(folder, pair) for pair in dataset.assessed] or systems(dataset, data)


def systems(dataset: Dataset, data: Path) -> list[Rated]:
    """Return the ranked sentences of each pair's first segments, with their systems."""
    return [first_segments(ranked(data / dataset.year, pair)) for pair in dataset.pairs]


@cache
def first_segments(rated: Rated, n_segments: int = N_SEGMENTS) -> Rated:
    """Return all sentences of the first segments that were judged."""
    kept = set(list(dict.fromkeys(group[0] for group in rated.references))[:n_segments])
    return rated.take(np.flatnonzero([group[0] in kept for group in rated.references]))


def tau(label: str, sets: Sequence[Rated], vectors: str = "") -> float:
    """Compute Kendall's τ-b over all sentences of all systems, averaged over language pairs."""
    return float(np.mean([kendall_b(each.human, score_sentences(label, each, vectors)) for each in sets]))


def system_r(label: str, sets: Sequence[Rated]) -> float:
    """Compute Pearson's r over systems; BLEU and NIST have formulas for whole sets, other scores are means of sentences."""
    values = []
    for each in sets:
        people = system_means(each.human, each)
        own = label in {"bleu", "nist"}
        scores = score_systems(label, each) if own else system_means(score_sentences(label, each), each)
        values.append(float(pearson(people, scores)))
    return float(np.mean(values))


@cache
def curves(dataset_name: str, data: Path) -> dict[str, tuple[FloatArray, FloatArray]]:
    """Compute the values of each metric for sentences and for systems at each threshold."""
    (dataset,) = [each for each in DATASETS if each.name == dataset_name]
    of_sentences, of_systems = sentences(dataset, data), systems(dataset, data)
    return {
        name: (
            np.array([tau(f"{key}:threshold={threshold}", of_sentences) for threshold in THRESHOLDS]),
            np.array([system_r(f"{key}:threshold={threshold}", of_systems) for threshold in THRESHOLDS]),
        )
        for name, key in ALIGNED.items()
    }


def render_curves(data: Path, pictures: Pictures) -> str:
    """Figures 2 and 3."""
    parts = [_CURVES.format(n=N_SEGMENTS)]
    for figure, dataset in enumerate(DATASETS, 2):
        found = curves(dataset.name, data)
        panels = [
            Panel(label, {name: values[level].tolist() for name, values in found.items()})
            for level, label in enumerate(("sentences, Kendall’s τ", "systems, Pearson’s r"))
        ]
        title = f"Figure {figure} on {dataset.name}: the threshold of WAS, MAS and HAS"
        chart = draw_curves(THRESHOLDS, panels, title=title, x_label="threshold")
        parts.append(pictures.show(f"was-mas-has-{dataset.year}", chart, title))
        head = ["metric", "level", *(f"{threshold:.1f}" for threshold in THRESHOLDS)]
        rows = [
            [name, level, *_mark_best(values)]
            for name, levels in found.items()
            for level, values in zip(("sentences", "systems"), levels, strict=True)
        ]
        parts.append(table(head, rows, n_names=2))
    return "\n".join(parts)


_CURVES = """### Figures 2 and 3: the threshold

The Japanese–English judgments of WAT2015 and NTCIR8 and word2vec's Google News vectors are not available to us. We replace WAT2015 by
WMT15 into English: direct assessments for sentences (500 for each of four language pairs), and the ranks of the first {n} segments of
de-en, fi-en and ru-en for systems. We replace NTCIR8 by WMT12 into English, with ranks at both levels. Ranks from 1 to 5 are used
as scores. The vectors are the package's English vectors. Each value is an average over language pairs.
"""


def _mark_best(values: FloatArray) -> list[str]:
    best = int(np.argmax(values))
    return [f"**{value:.3f}**" if i == best else f"{value:.3f}" for i, value in enumerate(values)]


def best_by(dataset: Dataset, data: Path, level: int) -> dict[str, int]:
    """Return the index of the best threshold of each metric for sentences (0) or systems (1)."""
    return {name: int(np.argmax(values[level])) for name, values in curves(dataset.name, data).items()}


def sentence_values(dataset: Dataset, data: Path) -> dict[str, float]:
    """Table 1 or 2: every metric, tuned on sentences."""
    return _values(dataset, data, 0)


def system_values(dataset: Dataset, data: Path) -> dict[str, float]:
    """Table 3 or 4: every metric, tuned on systems."""
    return _values(dataset, data, 1)


def _values(dataset: Dataset, data: Path, level: int) -> dict[str, float]:
    tuned = {name: float(values[level].max()) for name, values in curves(dataset.name, data).items()}
    sets = systems(dataset, data) if level else sentences(dataset, data)
    measure = system_r if level else tau
    return tuned | {name: measure(key, sets) for name, key in BASELINES.items()}


def render_sentences(data: Path) -> str:
    """Tables 1 and 2."""
    return "### Tables 1 and 2: sentences, Kendall's τ, thresholds tuned on sentences\n\n" + _beside(data, 0)


def render_systems(data: Path) -> str:
    """Tables 3 and 4."""
    return "### Tables 3 and 4: systems, Pearson's r, thresholds tuned on systems\n\n" + _beside(data, 1)


def _beside(data: Path, level: int) -> str:
    found = [_values(each, data, level) for each in DATASETS]
    printed = [each.system if level else each.sentence for each in DATASETS]
    order = ("one-hot", "sentence vectors", *ALIGNED, "BLEU", "METEOR", "NIST", "RIBES")
    rows = [
        [
            name,
            *(f"{ours[name]:.3f} / {theirs[name]:.3f}" for ours, theirs in zip(found, printed, strict=True)),
        ]
        for name in order
    ]
    return table(["metric", *(f"{each.name} / {each.stands_for}" for each in DATASETS)], rows)


def render_transfer(data: Path) -> str:
    """Tables 5 and 6: the threshold of one level applied to the other."""
    rows = []
    for dataset in DATASETS:
        found, by_sentence, by_system = (
            curves(dataset.name, data),
            *(best_by(dataset, data, i) for i in (0, 1)),
        )
        for name, (of_sentences, of_systems) in found.items():
            here, there = by_sentence[name], by_system[name]
            theirs = dataset.transfer[name]
            rows.append([
                f"{dataset.name} / {dataset.stands_for}",
                name,
                f"{of_sentences[here]:.3f} at {THRESHOLDS[here]}",
                f"{of_sentences[there]:.3f} at {THRESHOLDS[there]} / {theirs[1]:.3f} at {theirs[0]:.2f}",
                f"{of_systems[there]:.3f} at {THRESHOLDS[there]}",
                f"{of_systems[here]:.3f} at {THRESHOLDS[here]}",
            ])  # fmt: skip
    head = ["data", "metric", "sentences, tuned on sentences", "sentences, tuned on systems (Tables 5 and 6)", "systems, tuned on systems", "systems, tuned on sentences"]  # fmt: skip
    return "### Tables 5 and 6: tuned at one level, applied to the other\n\n" + table(head, rows, n_names=2)


def render_claims(data: Path, shortness: Callable[[str], float]) -> str:
    """Compare the paper's claims with our results."""
    first, second = (sentence_values(each, data) for each in DATASETS)
    of_first, of_second = (system_values(each, data) for each in DATASETS)
    both, both_systems = (first, second), (of_first, of_second)
    rows = [
        ("WAS is better than BLEU, METEOR and NIST at sentence level", f"{_holds(both, 'WAS', 'BLEU', 'METEOR', 'NIST')}: {_list(both, 'WAS', 'BLEU', 'METEOR', 'NIST')}; see the reasons above"),
        ("WAS is better than MAS and HAS at sentence level", f"{_holds(both, 'WAS', 'MAS', 'HAS')}: {_list(both, 'WAS', 'MAS', 'HAS')}"),
        ("WAS decreases with sentence length", f"holds: its τ with shortness alone is {shortness('was'):.3f}, MAS has {shortness('mas'):.3f}"),
        ("the threshold affects WAS most at sentence level", _moves(data)),
        ("at system level MAS is better than METEOR", f"{_holds(both_systems, 'MAS', 'METEOR')}: {_list(both_systems, 'MAS', 'METEOR')}"),
        ("at system level sentence vectors are better than METEOR", f"{_holds(both_systems, 'sentence vectors', 'METEOR')}: {_list(both_systems, 'sentence vectors', 'METEOR')}"),
        ("HAS is the worst of the five similarities at system level", f"{_list(both_systems, 'HAS')}; the worst are {' and '.join(_last(system) for system in both_systems)}"),
        ("a threshold tuned on systems is worse for sentences", "holds by construction, slightly: see Tables 5 and 6"),
    ]  # fmt: skip
    return "### Which claims hold\n\n" + claims(rows)


def _holds(sets: Sequence[Mapping[str, float]], ahead: str, *others: str) -> str:
    """Name the data sets on which a metric is better than others."""
    is_so = [values[ahead] > max(values[name] for name in others) for values in sets]
    if all(is_so):
        return "holds"
    where = [each.name for each, so in zip(DATASETS, is_so, strict=True) if so]
    return f"holds on {where[0]} only" if where else "does not hold"


def _list(sets: Sequence[Mapping[str, float]], *names: str) -> str:
    return ", ".join(f"{name} {' and '.join(number(values[name]) for values in sets)}" for name in names)


def _moves(data: Path) -> str:
    spans = [
        {name: float(np.ptp(values[0])) for name, values in curves(each.name, data).items()}
        for each in DATASETS
    ]
    return (
        f"{_holds(spans, 'WAS', 'MAS', 'HAS')}: from the worst threshold to the best {_list(spans, *ALIGNED)}"
    )


def _last(values: Mapping[str, float]) -> str:
    similarities = {name: values[name] for name in ("one-hot", "sentence vectors", *ALIGNED)}
    name = min(similarities, key=lambda each: similarities[each])
    return f"{name} ({number(values[name])})"
