"""Tables 3 and 4 and Figure 2 of Wang & Merlo (2016): single translations, and where two systems stand in rankings."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from papers.keeping import kept
from papers.markdown import Pictures, table
from papers.rated import Rated, score_sentences
from papers.scoring import judged_sets
from tertium.catalog import LabelledMetric, build_metric
from tertium.engines import evaluate
from tertium.presentation.charts.model import Chart, category, layer
from tertium.presentation.charts.model import number as axis
from tertium.stats.correlation import average_ranks
from tertium.values import FloatArray

__all__ = ["places", "render_examples", "render_places"]

_REFERENCE = "Die Geschichte ist ein großartiger Lehrmeister"
# Hypothesis, and the paper's BLEU, BLEUmodif, WER, WERmodif.
_HYPOTHESES = (
    ("Die Geschichte ist ein guter Lehrer", (0.508, 0.835, 0.333, 0.178)),
    ("Die Geschichte ist ein großer Lehrer", (0.508, 0.812, 0.333, 0.199)),
    ("Die Geschichte ist ein großer Meister", (0.508, 0.797, 0.333, 0.219)),
)
_SYSTEMS = ("PROMT-Rule", "online-A")
_SCORES = {"people": (0.2600, 0.2350), "BLEU": (0.2253, 0.1859), "BLEUmodif": (0.7297, 0.7302), "WER": (0.6887, 0.6284), "WERmodif": (0.5866, 0.5810)}  # fmt: skip
_PLACES = {"people": (3, 4), "BLEU": (10, 8), "BLEUmodif": (6, 5), "WER": (11, 6), "WERmodif": (5, 6)}
_JUDGES = {"BLEU": "bleu", "BLEUmodif": "bleu_modif", "WER": "wer", "WERmodif": "wer_modif"}


def render_examples(vectors: Mapping[str, str]) -> str:
    """Table 3; `vectors` are those for German, by name."""
    texts = Rated("", [each[0] for each in _HYPOTHESES], [[_REFERENCE]] * 3, [""] * 3, np.zeros(3))
    plain = {
        "BLEU": score_sentences("bleu:smooth_method=none,effective_order=no", texts) / 100,
        "WER": -score_sentences("wer", texts) / 100,
    }
    head = ["hypothesis", "BLEU", "WER", *(f"{metric}, {name}" for metric in ("BLEUmodif", "WERmodif") for name in vectors)]  # fmt: skip
    modified = {
        (metric, name): sign * score_sentences(label, texts, path) / 100
        for metric, label, sign in (("BLEUmodif", "bleu_modif@paper", 1), ("WERmodif", "wer_modif@paper", -1))
        for name, path in vectors.items()
    }
    rows = [
        [
            str(i + 1),
            f"{plain['BLEU'][i]:.3f} / {printed[0]:.3f}",
            f"{plain['WER'][i]:.3f} / {printed[2]:.3f}",
            *(f"{values[i]:.3f} / {printed[1 if metric == 'BLEUmodif' else 3]:.3f}" for (metric, _), values in modified.items()),
        ]
        for i, (_, printed) in enumerate(_HYPOTHESES)
    ]  # fmt: skip
    told = "; ".join(
        f"{metric} with {name} {_order_of(metric, values)}" for (metric, name), values in modified.items()
    )
    return f"{_TABLE_3}{table(head, rows)}\nA native speaker ranks them 1, 2, 3. {told}.\n"


_TABLE_3 = """### Table 3: three translations of one sentence

“History is a great teacher” in German, without the final full stop and with unsmoothed BLEU: BLEU and WER then equal the paper's. `bleu_modif@paper` and
`wer_modif@paper` with every set of vectors that covers German.

"""


def _order_of(metric: str, values: FloatArray) -> str:
    order = np.argsort(-values if metric == "BLEUmodif" else values, kind="stable")
    return "ranks them " + ", ".join(str(i + 1) for i in order)


@cache
def _judged(data: Path) -> tuple[tuple[str, ...], FloatArray, dict[str, FloatArray]]:
    """Return the systems of WMT15 en-de, human scores, and the scores of each metric (higher is better)."""
    judged = next(
        each
        for each in judged_sets(data / "wmt15")
        if each.pair == "en-de" and each.system_scores is not None
    )
    assert judged.system_scores is not None
    scores = {}
    for name, key in _JUDGES.items():
        metric = LabelledMetric(key, build_metric(key, {}, {}))
        sign = 1.0 if metric.metric.higher_is_better else -1.0
        done = kept(
            ["en-de", key, metric.metric.signature((1, 1))],
            lambda metric=metric: evaluate(judged.corpus, [metric]).system_scores(metric.label),  # type: ignore[misc]
        )
        scores[name] = sign * done
    return judged.systems, judged.system_scores, scores


def places(data: Path) -> dict[str, dict[str, float]]:
    """Map each judge to the ranks of the paper's two systems among all."""
    systems, people, scores = _judged(data)
    chosen = [next(i for i, name in enumerate(systems) if name.startswith(start)) for start in _SYSTEMS]
    ranks = {judge: average_ranks(-values) for judge, values in {"people": people, **scores}.items()}
    return {
        judge: {name: float(values[i]) for name, i in zip(_SYSTEMS, chosen, strict=True)}
        for judge, values in ranks.items()
    }


def render_places(data: Path, pictures: Pictures) -> str:
    """Table 4 and Figure 2."""
    systems, people, scores = _judged(data)
    chosen = [next(i for i, name in enumerate(systems) if name.startswith(start)) for start in _SYSTEMS]
    all_scores = {"people": people} | {name: values / 100 for name, values in scores.items()}
    found = places(data)
    rows = [
        [
            name,
            *(f"{abs(all_scores[judge][i]):.4f} / {_SCORES[judge][k]:.4f}" for judge in all_scores),
        ]
        for k, (name, i) in enumerate(zip(_SYSTEMS, chosen, strict=True))
    ]
    ranks = [
        [f"{name}, place among {len(systems)}", *(f"{found[judge][name]:g} / {_PLACES[judge][k]}" for judge in all_scores)]
        for k, name in enumerate(_SYSTEMS)
    ]  # fmt: skip
    title = "Figure 2: where a rule-based and a statistical system stand"
    picture = pictures.show("modif-figure-2", _draw(found, title), title)
    return "\n".join([_TABLE_4, table(["system", *all_scores], [*rows, *ranks]), picture])


_TABLE_4 = """### Table 4 and Figure 2: the rank of a rule-based system

WMT15 en-de, whole test set, with the defaults of `bleu_modif` and `wer_modif` and the package's English vectors (German words are composed
from pieces). Our value / the paper's value; the same 16 systems as in the paper. The paper's two BLEU scores seem to be
exchanged: the smaller one has the better rank.
"""


def _draw(found: Mapping[str, Mapping[str, float]], title: str) -> Chart:
    rows = [
        {"judge": judge, "system": name, "place": place, "kind": kind}
        for judge, of_judge in found.items()
        for kind, places_ in (("here", of_judge), ("paper", dict(zip(_SYSTEMS, _PLACES[judge], strict=True))))
        for name, place in places_.items()
    ]
    encoding = {
        "x": {
            "field": "judge",
            "type": "ordinal",
            "sort": list(found),
            "title": None,
            "axis": {"labelAngle": 0},
        },
        "y": axis("place", [16, 1], title="place"),
        "color": category("system", list(_SYSTEMS), title=None),
        "strokeDash": category(
            "kind",
            ["here", "paper"],
            scale={"range": [[1, 0], [4, 3]]},
            title=None,
            legend={
                "symbolType": "stroke",
                "encode": {
                    "symbols": {"update": {"stroke": {"value": "#666"}}}
                },  # else the marks' fill counts
                "symbolStrokeWidth": 2,
                "symbolSize": 300,
            },
        ),
    }
    return Chart.of(
        {
            "description": title,
            "title": title,
            "width": 420,
            "height": 220,
            "layer": [layer("line", rows, encoding, strokeWidth=2, point=True)],
        }
    )
