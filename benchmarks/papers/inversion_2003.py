"""The tables of Leusch, Ueffing & Ney (2003) on the closest available data: WMT12's ranks, WMT15's assessments, d2t-sfres."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from papers.markdown import claims, number, table
from papers.rated import (
    Rated,
    assessed,
    generated,
    ranked_alike,
    score_sentences,
    score_systems,
    system_means,
)
from tertium.stats.correlation import pearson, rank_correlation
from tertium.values import FloatArray

__all__ = ["MEASURES", "assessed_pairs", "ranked_pairs", "render_claims", "render_correlations", "render_factors", "render_rankings", "render_references"]  # fmt: skip

MEASURES = ("PER", "WER", "invWER", "BLEU", "avgBLEU", "NIST")
LONGEST = 30
_RANKED, _ASSESSED = ("cs-en", "de-en", "es-en", "fr-en"), ("cs-en", "de-en", "fi-en", "ru-en")
_KEYS = {"PER": "per", "WER": "wer", "invWER": "invwer", "BLEU": "bleu", "avgBLEU": "avgbleu", "NIST": "nist"}
# Sentence, system weighted, system unweighted: Table 1 (VERBMOBIL), Table 3A and 3B (TIDES).
_VERBMOBIL = {"PER": (0.61, 0.85, 0.85), "WER": (0.65, 0.98, 0.98), "invWER": (0.68, 0.95, 0.95), "BLEU": (0.70, 0.97, 0.98), "avgBLEU": (None, 0.96, 0.96)}  # fmt: skip
_TIDES_A = {"PER": (0.24, 0.09, 0.09), "WER": (0.23, 0.02, 0.01), "invWER": (0.25, 0.02, 0.03), "BLEU": (0.23, 0.21, 0.24), "avgBLEU": (None, 0.08, 0.11)}  # fmt: skip
_TIDES_B = {"PER": (0.23, 0.59, 0.58), "WER": (0.23, 0.28, 0.29), "invWER": (0.24, 0.40, 0.41), "BLEU": (0.20, 0.77, 0.76), "avgBLEU": (None, 0.58, 0.49)}  # fmt: skip
_RANK_NUMBERS = {"PER": (0.92, 0.52), "WER": (0.95, 0.32), "invWER": (0.96, 0.42), "BLEU": (0.96, 0.80), "avgBLEU": (0.94, 0.33)}  # fmt: skip
_D2T = "d2t-sfres.jsonl.xz"
_N_REFERENCES = (1, 2, 4, 8, None)
_SCALES = ("informativeness", "naturalness", "quality")

Printed = Mapping[str, tuple[float | None, float, float]]


def label_of(measure: str, *, cased: bool) -> str:
    """Return our metric for a measure of the paper."""
    return f"{_KEYS[measure]}:lowercase={'no' if cased else 'yes'}"


@cache
def ranked_pairs(data: Path, *, normalised: bool) -> list[Rated]:
    """Read WMT12's ranked sentences of at most 30 words."""
    return [ranked_alike(data / "wmt12", pair)[normalised].shorter_than(LONGEST) for pair in _RANKED]


def assessed_pairs(data: Path) -> list[Rated]:
    """Read WMT15's assessed sentences."""
    return [assessed(data / "wmt15", pair) for pair in _ASSESSED]


def sentence_r(measure: str, rated: Rated, *, cased: bool) -> float:
    """Compute Pearson's r over all sentences of all systems."""
    return float(pearson(rated.human, score_sentences(label_of(measure, cased=cased), rated)))


def systems(measure: str, rated: Rated, *, cased: bool, weighted: bool) -> FloatArray:
    """Compute a measure's score of each system: means of sentences, optionally weighted by length; BLEU and NIST over all sentences."""
    label = label_of(measure, cased=cased)
    if measure in {"BLEU", "NIST"}:
        return score_systems(label, rated)
    return system_means(score_sentences(label, rated), rated, by_length=weighted)


def system_r(measure: str, rated: Rated, *, cased: bool, weighted: bool) -> float:
    people = system_means(rated.human, rated, by_length=weighted)
    return float(pearson(people, systems(measure, rated, cased=cased, weighted=weighted)))


def correlations(measure: str, sets: Sequence[Rated], *, cased: bool) -> list[float]:
    """Compute the values of sentences, weighted systems and unweighted systems, averaged over language pairs."""
    return [
        float(np.mean([sentence_r(measure, each, cased=cased) for each in sets])),
        *(
            float(np.mean([system_r(measure, each, cased=cased, weighted=weighted) for each in sets]))
            for weighted in (True, False)
        ),
    ]


def render_correlations(data: Path) -> str:
    """Tables 1 and 3."""
    plain, normal = ranked_pairs(data, normalised=False), ranked_pairs(data, normalised=True)
    rows = [
        [
            measure,
            *_beside(correlations(measure, plain, cased=False), _TIDES_A.get(measure)),
            *_beside(correlations(measure, normal, cased=True), _TIDES_B.get(measure)),
            " ".join(number(value, 2) for value in _VERBMOBIL.get(measure, ())) or "–",
        ]
        for measure in MEASURES
    ]
    head = ["measure"]
    head += [f"{name}: {level}" for name in "AB" for level in ("sentence", "system, weighted", "unweighted")]
    counts = ", ".join(f"{each.name} {len(each):,} of {len(each.names)} systems" for each in plain)
    return _CORRELATIONS.format(longest=LONGEST, counts=counts) + table([*head, "VERBMOBIL (paper)"], rows)


_CORRELATIONS = """### Tables 1 and 3: sentences and systems, with and without case, original and normalised raters

Neither VERBMOBIL's candidates with their 11 quality classes nor the judgments of TIDES 2002 are available to us. The closest available data
are WMT12's rankings: they name the judge, and a judge ranks five translations of a sentence from 1 to 5. We use the ranks
as scores, like those of the TIDES judges. A rank depends on the four other translations, so these scores say less about
a sentence than those of TIDES. As in the paper, long sentences are excluded (texts above {longest} words; in the paper 50), and systems are
scored on the judged sentences: {counts}. A: without case, original ranks. B: with case,
the ranks of each judge normalised to mean 0 and variance 1. Our value (Pearson's r averaged over the four language pairs) / TIDES; the last
column has the paper's values for VERBMOBIL (sentence, weighted, unweighted).

"""


def _beside(values: Sequence[float], printed: tuple[float | None, float, float] | None) -> list[str]:
    shown = printed or (None, None, None)
    return [f"{value:.3f} / {number(theirs, 2)}" for value, theirs in zip(values, shown, strict=True)]


def render_factors(data: Path) -> str:
    """Measure the effects of case and of the normalisation of raters, for each language pair."""
    head = ["measure"]
    head += [f"{case}, ranks {kind}: {level}" for case in ("no case", "case") for kind in ("as they are", "normalised") for level in ("sentence", "system")]  # fmt: skip
    rows = []
    for measure in MEASURES:
        cells = [measure]
        for cased in (False, True):
            for normalised in (False, True):
                values = correlations(measure, ranked_pairs(data, normalised=normalised), cased=cased)
                cells += [number(value) for value in values[:2]]
        rows.append(cells)
    pairs = assessed_pairs(data)
    assessed_rows = [
        [
            measure,
            *(
                number(value)
                for cased in (False, True)
                for value in _with_average(measure, pairs, cased=cased)
            ),
        ]
        for measure in MEASURES
    ]
    assessed_head = ["measure"]
    assessed_head += [f"{name}, {case}" for case in ("no case", "case") for name in (*_ASSESSED, "average")]
    return "\n".join(
        [
            "### Case and raters separately; direct assessment\n",
            "The same sentences of WMT12 with all four combinations (systems weighted by length).\n",
            table(head, rows),
            "Sentences of WMT15 with direct assessments, which are already normalised by rater; sentences of all lengths.\n",
            table(assessed_head, assessed_rows),
        ]
    )


def _with_average(measure: str, pairs: Sequence[Rated], *, cased: bool) -> list[float]:
    values = [sentence_r(measure, pair, cased=cased) for pair in pairs]
    return [*values, float(np.mean(values))]


def render_rankings(data: Path) -> str:
    """Render Tables 2 and 4: the order of systems by each measure, and c_R."""
    parts = ["### Tables 2 and 4: rankings of systems by each measure\n", _RANKINGS]
    for rated in ranked_pairs(data, normalised=True)[1:3]:
        places = {system: i for i, system in enumerate(rated.names, 1)}
        rows = []
        for measure in MEASURES:
            scores = systems(measure, rated, cased=True, weighted=True)
            order = [rated.names[i] for i in np.argsort(-scores, kind="stable")]
            people = system_means(rated.human, rated, by_length=True)
            coefficient = float(rank_correlation(people, scores))
            printed = " ".join(number(value, 2) for value in _RANK_NUMBERS.get(measure, ())) or "–"
            rows.append(
                [measure, " ".join(f"S{places[name]}" for name in order), number(coefficient), printed]
            )
        names = ", ".join(f"S{i} {name}" for name, i in places.items())
        head = ["measure", f"ranking of {rated.name}", "c_R", "paper: VERBMOBIL, TIDES"]
        parts += [table(head, rows, n_names=2), f"{names}.\n"]
    return "\n".join(parts)


_RANKINGS = """Systems are numbered from best to worst by human judgment (experiment B, weighted by length). The paper has 22 variants of two
systems (VERBMOBIL) and nine systems (TIDES).
"""


def render_references(data: Path) -> str:
    """Compute correlations on d2t-sfres with one to many references."""
    path = data / _D2T
    if not path.exists():
        return f"### One to many references\n\nNot computed here: {_D2T} is not in the folder.\n"
    head = ["measure"]
    head += [f"{scale}: {n or 'all'}" for scale in _SCALES for n in _N_REFERENCES]
    rows = [
        [measure, *(number(_many(measure, path, scale, n)) for scale in _SCALES for n in _N_REFERENCES)]
        for measure in MEASURES
    ]
    every = generated(path, "quality")
    several = [sum(len(group) >= n for group in every.references) for n in (2, 4, 8)]
    words = _REFERENCES.format(
        n=f"{len(every):,}",
        two=several[0],
        four=several[1],
        eight=several[2],
        words=f"{every.lengths.mean():.1f}",
    )
    return words + table(head, rows)


_REFERENCES = """### One to many references

The paper's sentences have 2.6 (VERBMOBIL) and 4 references (TIDES); WMT has one. d2t-sfres, a data-to-text set about
restaurants, has several: {n} generated sentences of {words} words on average, of which {two} have at least two different references,
{four} at least four and {eight} at least eight. It is not translation. Pearson's r over sentences, with case, for at most 1, 2, 4, 8 and
all references.

"""


def _many(measure: str, path: Path, scale: str, n_references: int | None) -> float:
    return sentence_r(measure, generated(path, scale, n_references), cased=True)


def render_claims(data: Path) -> str:
    """Compare the paper's claims with our results."""
    normal, pairs = ranked_pairs(data, normalised=True), assessed_pairs(data)
    wmt12 = {measure: correlations(measure, normal, cased=True) for measure in MEASURES}
    plain = {m: correlations(m, ranked_pairs(data, normalised=False), cased=False) for m in MEASURES}
    wmt15 = {measure: _with_average(measure, pairs, cased=True)[-1] for measure in MEASURES}
    rows = [
        ("invWER lies between WER and PER, sentence by sentence", _between(pairs)),
        ("invWER's sentence correlation is above WER's and PER's (0.68 against 0.65 and 0.61; 0.25 against 0.23 and 0.24)", f"{_above_both([wmt15, {m: wmt12[m][0] for m in MEASURES}])}: WMT12 {_order({m: wmt12[m][0] for m in MEASURES[:3]})}; WMT15 {_order({m: wmt15[m] for m in MEASURES[:3]})}; by pair: {_by_pair([*normal, *pairs])}"),
        ("BLEU has the best sentence correlation (VERBMOBIL), not so on harder text (TIDES)", f"WMT12 (ranks): {_order({m: values[0] for m, values in wmt12.items()})}; WMT15: {_order(wmt15)}"),
        ("systems correlate far better than sentences", _systems_above(wmt12)),
        ("weighting by length hardly matters at system level", f"holds: the largest change is {max(abs(values[1] - values[2]) for values in wmt12.values()):.3f} (experiment B)"),
        ("case and normalised raters improve the system level (A to B)", f"they help a little: {'; '.join(f'{m} {plain[m][1]:.3f} to {wmt12[m][1]:.3f}' for m in MEASURES)}"),
        ("adding or removing one system changes a system correlation much", _without_one(normal)),
        ("BLEU averaged over sentences and BLEU of the whole set behave similarly at system level", f"BLEU {wmt12['BLEU'][1]:.3f}, avgBLEU weighted {wmt12['avgBLEU'][1]:.3f}, unweighted {wmt12['avgBLEU'][2]:.3f}"),
    ]  # fmt: skip
    return "### Which claims hold\n\n" + claims(rows)


def _between(pairs: Sequence[Rated]) -> str:
    """Count how often PER ≤ invWER ≤ WER holds; scores are negative error rates here."""
    inside, strictly, total = 0, 0, 0
    for pair in pairs:
        per, wer, inv = (score_sentences(label_of(m, cased=True), pair) for m in ("PER", "WER", "invWER"))
        inside += int(np.sum((wer <= inv + 1e-9) & (inv <= per + 1e-9)))
        strictly += int(np.sum(inv > wer + 1e-9))
        total += len(pair)
    return f"holds in {inside:,} of {total:,} sentences of WMT15; it is below WER in {strictly:,} of them"


def _order(values: Mapping[str, float]) -> str:
    ordered = sorted(values.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {value:.3f}" for name, value in ordered)


def _above_both(values: Sequence[Mapping[str, float]]) -> str:
    above = all(value["invWER"] > max(value["WER"], value["PER"]) for value in values)
    return "holds" if above else "does not hold: it is between them"


def _by_pair(sets: Sequence[Rated]) -> str:
    """Count the language pairs in which invWER is above both, between them, or below both."""
    counts = {"above both": 0, "between": 0, "below both": 0}
    for each in sets:
        per, wer, inv = (sentence_r(m, each, cased=True) for m in ("PER", "WER", "invWER"))
        where = "above both" if inv > max(per, wer) else "below both" if inv < min(per, wer) else "between"
        counts[where] += 1
    return ", ".join(f"{where} {count}" for where, count in counts.items())


def _systems_above(values: Mapping[str, Sequence[float]]) -> str:
    gains = [value[1] - value[0] for value in values.values()]
    verdict = "holds" if min(gains) > 0 else "does not hold throughout"
    return f"{verdict} (by {min(gains):.3f} to {max(gains):.3f} on WMT12)"


def _without_one(sets: Sequence[Rated]) -> str:
    """Compute the widest range of a measure's correlation if any one system is left out."""
    widest = (0.0, "")
    for each in sets:
        people = system_means(each.human, each, by_length=True)
        for measure in MEASURES:
            scores = systems(measure, each, cased=True, weighted=True)
            left = [float(pearson(np.delete(people, i), np.delete(scores, i))) for i in range(len(people))]
            words = f"{measure} on {each.name} ({len(people)} systems): {min(left):.3f} to {max(left):.3f}"
            widest = max(widest, (max(left) - min(left), words))
    return f"holds; the widest range when one system is left out: {widest[1]}"
