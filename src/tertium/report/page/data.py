"""What goes into the page for its scripts: a small JSON document, and packed columns of texts and scores."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence

import numpy as np

from tertium.evaluation import Evaluation
from tertium.evaluation.influence import measure_influence
from tertium.report.charts.bundle import EMBED_OPTIONS
from tertium.report.charts.theme import DARK, LIGHT
from tertium.report.page.contents import PageContents, People
from tertium.report.page.explained import Explained
from tertium.report.page.figures import Figure
from tertium.report.page.people import score_segments
from tertium.types import Corpus, FloatArray

__all__ = [
    "describe_page",
    "pack_human",
    "pack_influence",
    "pack_json",
    "pack_scores",
    "pack_texts",
    "write_json",
]

# Beyond so many numbers the page would be too big to open quickly, so influence is left out.
_MOST_INFLUENCES = 3_000_000
_LEVEL = 6


def describe_page(
    contents: PageContents, figures: Sequence[Figure], explained: Explained
) -> dict[str, object]:
    """Describe systems, metrics, kinds of segments and charts."""
    evaluation, corpus = contents.evaluation, contents.corpus
    return {
        "systems": list(evaluation.systems),
        "metrics": [
            {"label": each.label, "higher": each.metric.higher_is_better} for each in evaluation.metrics
        ],
        "segments": evaluation.n_segments,
        "ids": None if corpus is None or corpus.segment_ids is None else list(corpus.segment_ids),
        "columns": {name: _number_values(values) for name, values in contents.columns.items()},
        "languages": list(contents.languages),
        "charts": {
            figure.key: [json.loads(chart.to_json()) for chart in figure.charts.values()]
            for figure in figures
        },
        "explained": {"systems": list(explained.systems), "segments": list(explained.n_segments)},
        "embed": EMBED_OPTIONS,
        "themes": {"light": LIGHT.config(), "dark": DARK.config()},
    }


def write_json(value: object) -> str:
    """Write JSON that may stand inside a page's `<script>`, whatever it holds."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def pack_texts(corpus: Corpus | None) -> str:
    """Pack the texts, segment by segment, so that outputs which are alike are stored beside each other."""
    if corpus is None:
        return ""
    outputs = zip(*corpus.systems.values(), strict=True)
    sources = corpus.sources if corpus.sources is not None else [""] * len(corpus)
    rows = [
        [source, list(references), list(texts)]
        for source, references, texts in zip(sources, corpus.references, outputs, strict=True)
    ]
    return pack_json(rows)


def pack_json(value: object) -> str:
    """Pack a JSON document."""
    try:
        return _pack(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can write
        return _pack(json.dumps(value, separators=(",", ":")).encode())


def pack_scores(evaluation: Evaluation) -> str:
    """Pack every segment's score as numbers of four bytes: metrics, then systems, then segments."""
    return _pack_numbers([evaluation.segment_scores(label) for label in evaluation.labels])


def pack_influence(evaluation: Evaluation) -> str:
    """Pack what every segment adds to every system's score, in the same order; nothing if that is too much."""
    n_numbers = len(evaluation.systems) * len(evaluation.labels) * evaluation.n_segments
    if evaluation.n_segments < 2 or n_numbers > _MOST_INFLUENCES:
        return ""
    return _pack_numbers([measure_influence(evaluation, label) for label in evaluation.labels])


def pack_human(people: People | None) -> str:
    """Pack what people said of every system's segments; nothing if they judged none."""
    scores = None if people is None else score_segments(people)
    return "" if scores is None else _pack_numbers([scores])


def _number_values(values: Sequence[str]) -> Mapping[str, object]:
    """Write each value once, and for each segment which one it has."""
    numbers: dict[str, int] = {}
    return {"rows": [numbers.setdefault(value, len(numbers)) for value in values], "values": list(numbers)}


def _pack_numbers(tables: Sequence[FloatArray]) -> str:
    return _pack(np.stack(tables).astype("<f4").tobytes())


def _pack(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, _LEVEL, mtime=0)).decode("ascii")
