"""Tables I and VIII to XI and Figures 1 and 2 of Li et al. (2019): examples, vectors, and the parts of STD one by one."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from papers.markdown import Pictures, claims, number, table
from papers.pairs_2017 import first_segments
from papers.rated import Rated, assessed, ranked, score_sentences, score_systems, system_means
from tertium import explain
from tertium.presentation.charts.matrix import draw_heatmap
from tertium.resources.vectors import default_vectors, load_vectors
from tertium.resources.vectors.loading import WordTable
from tertium.stats.correlation import pearson
from tertium.values import FloatArray

__all__ = ["render_ablations", "render_claims", "render_examples", "render_heatmaps", "render_vectors"]

PROGRAM = "std:shared_mass=cancel,centroid=list,units=types,mass=nsim,order_weight=0.4"
"""Return the label of the authors' program with any vectors."""
N_SEGMENTS = 60
_ASSESSED, _RANKED = ("cs-en", "de-en", "fi-en", "ru-en"), ("de-en", "fi-en", "ru-en")
_REFERENCE = "The man will fly to France for a holiday."
_HYPOTHESES = (
    "The guy is scheduled to France for a vacation.",
    "Vacation a for France to scheduled is the guy.",
)
_OTHERS = {"sentBLEU": "sentbleu", "BEER": "beer", "CharacTER": "character"}
# Table IX: algorithm, text, dimensions, words; then the averages of Tables X and XI on WMT16.
_PRINTED = (
    ("GloVe 200", "GloVe, Twitter", 200, "1.2 million", 0.208, 0.800),
    ("GloVe 100", "GloVe, Twitter", 100, "1.2 million", 0.244, 0.812),
    ("GloVe 50", "GloVe, Twitter", 50, "1.2 million", 0.259, 0.817),
    ("GloVe 25", "GloVe, Twitter", 25, "1.2 million", 0.345, 0.815),
    ("GloVe 300", "GloVe, Common Crawl", 300, "2.2 million", 0.479, 0.959),
    ("fastText, Wikipedia", "fastText", 300, "1 million", 0.531, 0.942),
    ("word2vec", "word2vec, Google News", 300, "3 million", 0.532, 0.919),
    ("fastText, Common Crawl", "fastText", 300, "2 million", 0.542, 0.937),
)
_KNOWN = {
    "english": "the package's English table",
    "multilingual": "the package's table of pieces for 16 languages",
    "contextual": "MiniLM, six layers: a vector for each occurrence",
    "glove": "GloVe 6B (Wikipedia and Gigaword), 400,000 words",
    "cbow": "word2vec CBOW, trained on WMT text",
}


def find_sets(vectors: Path | None) -> dict[str, str]:
    """Map the name of every available set of English vectors to its value for `--vectors`."""
    files = sorted(vectors.glob("*.en.vectors")) if vectors else []
    return {path.name.partition(".")[0]: str(path) for path in files} | {
        name: name for name in ("multilingual", "english", "contextual")
    }


@cache
def segment_r(label: str, vectors: str, data: Path) -> tuple[float, ...]:
    """Compute Pearson's r with direct assessments for each language pair, and the average."""
    sets = [assessed(data / "wmt15", pair) for pair in _ASSESSED]
    values = [float(pearson(each.human, score_sentences(label, each, vectors))) for each in sets]
    return (*values, float(np.mean(values)))


@cache
def system_r(label: str, vectors: str, data: Path) -> tuple[float, ...]:
    """Compute Pearson's r over systems on the first ranked segments for each pair, and the average."""
    values = []
    for each in _system_sets(data):
        people = system_means(each.human, each)
        values.append(float(pearson(people, score_systems(label, each, vectors))))
    return (*values, float(np.mean(values)))


def _system_sets(data: Path) -> list[Rated]:
    return [first_segments(ranked(data / "wmt15", pair), N_SEGMENTS) for pair in _RANKED]


def render_vectors(data: Path, vectors: Path | None) -> str:
    """Tables IX to XI."""
    sets = find_sets(vectors)
    rows = [["here", name, _KNOWN.get(name, ""), *_sizes(path)] for name, path in sets.items()]
    rows += [["paper", *map(str, each[:4])] for each in _PRINTED]
    parts = [_VECTORS, table(["from", "vectors", "description", "dimensions", "words"], rows, n_names=3)]
    parts += ["### Table X: effect of the vectors at segment level\n", _SEGMENTS]
    parts.append(table(["STD with", "settings", *_ASSESSED, "average"], _measured(sets, data, segments=True), n_names=2))  # fmt: skip
    parts += ["### Table XI: effect of the vectors at system level\n", _SYSTEMS.format(n=N_SEGMENTS)]
    parts.append(table(["STD with", "settings", *_RANKED, "average"], _measured(sets, data, segments=False), n_names=2))  # fmt: skip
    printed = [[name, number(segment), number(system)] for name, _, _, _, segment, system in _PRINTED]
    parts += ["The paper's averages on WMT16:\n", table(["STD with", "segments (Table X)", "systems (Table XI)"], printed)]  # fmt: skip
    return "\n".join(parts)


def _sizes(path: str) -> list[str]:
    if path.startswith("contextual"):
        return ["384", "any"]
    loaded = load_vectors(path)
    assert isinstance(loaded, WordTable)
    return [str(loaded.dimension), f"{len(loaded.source):,}"]


def _measured(sets: Mapping[str, str], data: Path, *, segments: bool) -> list[list[str]]:
    """Return the rows of a table, from the worst to the best average."""
    measure = segment_r if segments else system_r
    found = [
        (name, "the authors' program", measure(PROGRAM, path, data))
        for name, path in sets.items()
        if segments or name != "contextual"
    ]
    found.append(("contextual", "the default for such vectors", measure("std", "contextual", data)))
    others = _OTHERS if segments else {"BLEU": "bleu", "BEER": "beer", "CharacTER": "character"}
    found += [(f"no STD: {name}", "–", measure(label, "", data)) for name, label in others.items()]
    found.sort(key=lambda row: row[2][-1])
    return [[name, settings, *(number(value) for value in values)] for name, settings, values in found]


_VECTORS = """### Table IX: the vectors

The paper's vectors are downloads of several gigabytes each, which are not available to us; WMT16 is held out. The table lists the vectors that we
use, on WMT15, and the paper's vectors.
"""
_SEGMENTS = """Pearson's r with direct assessments, 500 segments per language pair. “The authors' program” is STD as they published it (types, nSIM, order weight 0.4). The
settings of the package's English vectors were chosen on these segments ([how](default-vectors.md#how-the-settings-were-chosen)), and so were those for
contextual vectors.
"""
_SYSTEMS = """Pearson's r with human ranks, systems of WMT15 on the first {n} ranked segments of each language pair (Table VI uses whole test
sets).
"""


def render_ablations(data: Path) -> str:
    """Evaluate the paper's choices one by one, with the package's vectors."""
    rows = [
        ("the authors' program", PROGRAM),
        ("the paper's text (`std@paper`): shared mass is transported, centroid of the set", "std@paper"),
        *((f"mass {mass}", PROGRAM.replace("mass=nsim", f"mass={mass}")) for mass in ("nbow", "idf")),
        ("each occurrence separately, mass nbow", PROGRAM.replace("types,mass=nsim", "occurrences,mass=nbow")),
        *((f"order weight {weight}", PROGRAM.replace("order_weight=0.4", f"order_weight={weight}")) for weight in (0, 0.2, 0.6, 0.8)),
        *((f"n-grams of length {orders.replace('/', ', ')}", f"{PROGRAM},orders={orders}") for orders in ("1", "2", "3", "1/2/3", "1/2/3/4")),
    ]  # fmt: skip
    cells = [
        [
            name,
            *(number(value) for value in segment_r(label, "", data)),
            number(system_r(label, "", data)[-1]),
        ]
        for name, label in rows
    ]
    head = ["setting", *_ASSESSED, "average", "systems, average"]
    words = f"Segments of WMT15 with direct assessment; systems as in Table XI (first {N_SEGMENTS} ranked segments). The package's English vectors.\n\n"
    return f"### nSIM or nBOW, word order, lengths of n-grams\n\n{words}" + table(head, cells)


def render_examples() -> str:
    """Tables I and VIII."""
    return f"{_TABLE_I}\n{_weights_table()}\n{_TABLE_VIII}\n{_ranking_table()}"


def _weights_table() -> str:
    texts = [text.rstrip(".").lower().split() for text in (_REFERENCE, _HYPOTHESES[0])]
    words = list(dict.fromkeys(word for text in texts for word in text))
    nbow = np.array([[text.count(word) / len(text) for word in words] for text in texts])
    nsim = np.array([_nsim(text, words) for text in texts])
    rows = [
        [name, side, *(number(value) for value in row), number(_cosine(*matrix))]
        for name, matrix in (("nBOW", nbow), ("nSIM", nsim))
        for side, row in zip(("reference", "hypothesis"), matrix, strict=True)
    ]
    return table(["weights", "text", *words, "cosine"], rows, n_names=2)


def _nsim(text: Sequence[str], words: Sequence[str]) -> FloatArray:
    """Compute the softmax of each word's similarity to the text, which is 1 for its own words (Eq. 1)."""
    found = zip(words, default_vectors().vectors(words), strict=True)
    vectors = {word: vector.astype(np.float64) for word, vector in found if vector is not None}
    centre = np.mean([vectors[word] for word in text], axis=0)
    alike = np.exp([1.0 if word in text else _cosine(vectors[word], centre) for word in words])
    weights: FloatArray = alike / alike.sum()
    return weights


def _cosine(one: FloatArray, other: FloatArray) -> float:
    return float(one @ other / np.sqrt((one @ one) * (other @ other)))


_TABLE_I = """### Table I: nBOW and nSIM

The weights of the words in the paper's example, with the package's vectors. The paper's cosines are 0.556 (nBOW) and 0.912 (nSIM).
"""
_TABLE_VIII = """### Table VIII: three translations in the order of human preference

"""
_DETTORI = "Dettori soaks up the cheers as he brings in Predilection after victory"
_TRANSLATIONS = (
    ("Dai Tuli brought the Predilection after the victory, causing the crowd to cheer.", 0.135, 0.883),
    ("Dai Tuli received the Predilection after winning, causing the audience cheers.", 0.156, 0.869),
    ("After winning the winner, Doodle led the Predilation, causing the whole field.", 0.104, 0.855),
)


def _ranking_table() -> str:
    texts = Rated("", [each[0] for each in _TRANSLATIONS], [[_DETTORI]] * 3, [""] * 3, np.zeros(3))
    bleu = score_sentences("sentbleu", texts) / 100
    found = [1 + score_sentences(PROGRAM, texts) / 100, 1 + score_sentences("std", texts, "contextual") / 100]
    rows = [
        [f"H{i + 1}", f"{bleu[i]:.3f} / {each[1]:.3f}", f"{found[0][i]:.3f} / {each[2]:.3f}", number(float(found[1][i]))]
        for i, each in enumerate(_TRANSLATIONS)
    ]  # fmt: skip
    return table(["translation", "sentBLEU", "1 − STD", "1 − STD, contextual vectors"], rows)


def render_heatmaps(pictures: Pictures) -> str:
    """Figures 1 and 2."""
    parts = [_FIGURES]
    for i, hypothesis in enumerate(_HYPOTHESES, 1):
        (told,) = explain(hypothesis.rstrip("."), _REFERENCE.rstrip("."), PROGRAM).explanations
        chart = draw_heatmap(told)
        parts.append(pictures.show(f"std-figure-{i}", chart, f"Figure {i}: ground distances of example {i}"))
    near, far = (_distance(text, "vacation", "holiday") for text in _HYPOTHESES)
    parts.append(f"From “vacation” to “holiday” it is {near:.2f} in the first example (paper 0.23) and {far:.2f} in the second, whose words are in reverse order (paper 0.58).\n")  # fmt: skip
    return "\n".join(parts)


def _distance(hypothesis: str, ours: str, theirs: str) -> float:
    (told,) = explain(hypothesis.rstrip("."), _REFERENCE.rstrip("."), PROGRAM).explanations
    matrix = next(iter(told.matrices.values()))
    return float(matrix[list(told.rows).index(ours), list(told.columns).index(theirs)])


_FIGURES = """### Figures 1 and 2: ground distances

The paper's two examples, unigrams, with the package's vectors; dark means a large distance.
"""


def render_claims(data: Path, vectors: Path | None, before: Sequence[tuple[str, str]]) -> str:
    """Compare the paper's claims with our results; `before` are those about Tables IV and VI."""
    sets = find_sets(vectors)
    segments = {name: segment_r(PROGRAM, path, data)[-1] for name, path in sets.items()}
    systems = {name: system_r(PROGRAM, path, data)[-1] for name, path in sets.items() if name != "contextual"}
    nsim, nbow = (segment_r(PROGRAM.replace("nsim", mass), "", data)[-1] for mass in ("nsim", "nbow"))
    without = segment_r(PROGRAM.replace("order_weight=0.4", "order_weight=0"), "", data)[-1]
    one, two = (segment_r(f"{PROGRAM},orders={orders}", "", data)[-1] for orders in ("1", "2"))
    best = segment_r("std", "contextual", data)[-1]
    rows = [
        *before,
        ("vectors have a large influence", f"holds: segments {min(segments.values()):.3f} ({min(segments, key=lambda n: segments[n])}) to {max(segments.values()):.3f} ({max(segments, key=lambda n: segments[n])}), systems {min(systems.values()):.3f} to {max(systems.values()):.3f}"),
        ("better vectors such as BERT's would help (future work)", f"holds if each occurrence counts separately: contextual vectors have {segments['contextual']:.3f} in the authors' program and {best:.3f} with the settings for such vectors; the package's English ones {segments['english']:.3f}"),
        ("nSIM is better than nBOW", f"{'holds' if nsim > nbow else 'does not hold'} (segments {nsim:.3f} against {nbow:.3f})"),
        ("word order helps", f"{'holds' if nsim > without else 'does not hold'} (segments {nsim:.3f}, without it {without:.3f})"),
        ("unigrams and bigrams together are better than either", f"{'holds' if nsim > max(one, two) else 'does not hold'} (segments {nsim:.3f}; unigrams {one:.3f}, bigrams {two:.3f})"),
    ]  # fmt: skip
    return "### Which claims hold\n\n" + claims(rows)
