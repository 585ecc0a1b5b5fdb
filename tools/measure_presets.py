"""Measure the human agreement of every metric, with its defaults and with every preset, and store the figures.

    python tools/measure_presets.py --data FOLDER [--only LABEL,LABEL]… [--test-sets wmt12]…

The figures are part of the package; `tertium metrics` and docs/which-metric.md show them. FOLDER contains wmt10,
wmt12, wmt14, wmt15, wmt21, wmt22, wmt21mqm and wmt21fromen in the format of `tertium meta`, and WMT23's he-en in
mt-metrics-eval-v2/wmt23; what is missing there is left out. Figures of judgments into English are means over the
pairs; MQM and pairs from English have a figure for each pair. `system` is Pearson's r of system scores, `accuracy` the
soft pairwise accuracy of systems, `segment` Kendall's τ over rankings in WMT14's variant, `assessment` Pearson's r of
direct assessments of segments, and `pairwise` the accuracy of pairs of outputs of a segment with calibrated ties (acc-eq).
Contextual vectors of a sentence are computed once and cached (set TERTIUM_CACHE; about 20 KB per sentence).
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

import tertium
from tertium.catalog import families, parse_label, parse_metrics, self_contained_names
from tertium.commands.meta.meta import MetaResult
from tertium.corpus.judgments.mtme import MtmeChoice
from tertium.metaeval.data import JudgedData
from tertium.metrics.base import Metric
from tertium.records import record
from tertium.resources.presets import DATA, named_presets, presets_of

NAMES = {
    "system:pearson": "system",
    "system:spa": "accuracy",
    "segment:wmt14": "segment",
    "segment:pearson": "assessment",
    "segment:acc-eq:item": "pairwise",
}
# By the kind of judgments: rankings, assessments of outputs of systems, MQM of outputs, scores of systems.
RANKINGS = ("system:pearson", "segment:wmt14")
ASSESSED = ("system:pearson", "system:spa", "segment:pearson", "segment:acc-eq:item")
MQM = ("system:pearson", "system:spa", "segment:acc-eq:item")
SYSTEMS = ("system:pearson",)
# Direct assessments of WMT15, a file with its own texts.
ASSESSED_TEXTS = "da-segments.tsv"
# Metrics whose scores for he-en are published.
PUBLISHED = ("BLEU", "chrF", "BERTscore", "YiSi-1", "BLEURT-20", "COMET", "MetricX-23", "XCOMET-Ensemble")
# The vectors in signatures that are used, with a warning, for languages without vectors in the package.
ENGLISH = "|vectors:tertium-english"
# Texts of more than 250 words are too long for the exact inversion distance.
BOUND = ":beyond=bound"
# Metrics that share one reading of the data; an interrupted run loses at most this number.
BATCH = 6

Found = tuple[str, str, str, float]
"""A label, the name of a test set, the kind of figure, and its value."""


@record
class Collection:
    """A folder of judged sets: the figures that its judgments allow, of all pairs into English or of each pair."""

    folder: str
    statistics: tuple[str, ...]
    by_pair: bool = False

    @property
    def name(self) -> str:
        return Path(self.folder).name

    @property
    def is_published(self) -> bool:
        """Whether it is a folder of mt-metrics-eval, with human translations and scores of other metrics."""
        return self.folder.startswith("mt-metrics-eval")

    def data(self, root: Path, *, into_english: bool = False) -> JudgedData:
        """Return the judged data, of pairs into English only if wanted."""
        folder = str(root / self.folder)
        if self.is_published:
            return JudgedData(folder=folder, choice=MtmeChoice(with_human=True))
        all_pairs = self.by_pair and not into_english
        return JudgedData(folder=folder, pairs=() if all_pairs else self.english_pairs(root))

    def english_pairs(self, root: Path) -> tuple[str, ...]:
        """List the pairs into English."""
        if self.is_published:
            return ("he-en",)
        return tuple(sorted(path.name for path in (root / self.folder).glob("*-en") if path.is_dir()))


COLLECTIONS = (
    *(Collection(f"wmt{year}", RANKINGS) for year in (10, 12, 14, 15)),
    *(Collection(f"wmt{year}", ASSESSED) for year in (21, 22)),
    Collection("wmt21mqm", MQM, by_pair=True),
    Collection("wmt21fromen", SYSTEMS, by_pair=True),
    Collection("mt-metrics-eval-v2/wmt23", MQM, by_pair=True),
)


def main() -> None:
    given = _read_arguments()
    labels = [label for text in given.only or [] for label in text.split(",")] or _all_labels()
    for collection in COLLECTIONS:
        is_wanted = not given.test_sets or collection.name in given.test_sets
        if is_wanted and (given.data / collection.folder).is_dir():
            for found in _measure(labels, collection, given.data):
                _keep(found)


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", action="append", metavar="LABEL,LABEL")
    parser.add_argument("--test-sets", action="append", metavar="NAME")
    return parser.parse_args()


def _all_labels() -> list[str]:
    """List the metrics that compare outputs with references, and all presets that differ from the defaults."""
    names = [name for name in self_contained_names() if families()[name] != "checks"]
    names[names.index("invwer")] += BOUND
    return [*names, *(label for label in named_presets() if label not in twins(parse_label(label).name))]


def _measure(labels: Sequence[str], collection: Collection, root: Path) -> Iterator[list[Found]]:
    """Yield the figures of a batch of metrics at a time; contextual vectors are English."""
    plain = [label for label in labels if not is_contextual(label)]
    contextual = [label for label in labels if is_contextual(label) and collection.english_pairs(root)]
    for fitting in (plain, contextual):
        data = collection.data(root, into_english=fitting is contextual)
        for start in range(0, len(fitting), BATCH):
            yield list(_measure_batch(fitting[start : start + BATCH], collection, data, root))
    if collection.is_published:
        published = collection.data(root)
        yield list(agreement(published, collection, scores=PUBLISHED, statistics=collection.statistics))


def _measure_batch(
    labels: Sequence[str], collection: Collection, data: JudgedData, root: Path
) -> Iterator[Found]:
    texts = root / collection.folder / ASSESSED_TEXTS
    yield from agreement(data, collection, metrics=labels, statistics=collection.statistics)
    if "segment:wmt14" in collection.statistics and texts.exists():
        yield from agreement(_assessments(texts), collection, metrics=labels, statistics=("segment:pearson",))


def is_contextual(label: str) -> bool:
    """Whether a preset chooses contextual vectors."""
    return parse_label(label).resources.get("vectors", "").startswith("contextual")


def _assessments(path: Path) -> JudgedData:
    """Read only the judged texts; for some pairs the outputs of the systems are missing."""
    rows = path.read_text(encoding="utf-8").splitlines()[1:]
    pairs = sorted({row.partition("\t")[0] for row in rows})
    return JudgedData(human=(str(path),), pairs=tuple(pair for pair in pairs if pair.endswith("-en")))


def agreement(
    data: JudgedData,
    collection: Collection,
    *,
    metrics: Sequence[str] = (),
    scores: Sequence[str] = (),
    statistics: Sequence[str],
) -> Iterator[Found]:
    """Yield the figures of metrics or of published scores, of each pair or as means over all pairs."""
    result = tertium.meta(data, metrics, scores=scores, statistics=statistics, test="none")
    for warning in result.warnings:
        print(warning, file=sys.stderr)
    unfit = _scored_with_english_vectors(result)
    for table in result.tables:
        columns = [column for column in table.columns if column.pair in {each.pair for each in result.sets}]
        judged = {
            column.pair for column in columns if any(cell and cell.value is not None for cell in column.cells)
        }
        for number, label in enumerate(table.metrics):
            cells = {
                column.pair: column.cells[number] for column in columns if (label, column.pair) not in unfit
            }
            values = {pair: cell.value for pair, cell in cells.items() if cell and cell.value is not None}
            kind = NAMES[str(table.spec)]
            if collection.by_pair:
                for pair, value in values.items():
                    yield label, f"{collection.name} {pair}", kind, round(value, 4)
            elif values.keys() == judged:
                yield label, collection.name, kind, round(fmean(values.values()), 4)


def _scored_with_english_vectors(result: MetaResult) -> set[tuple[str, str]]:
    """Return the metrics, with the pairs into other languages, that fell back to English vectors."""
    return {
        (label, judged.pair)
        for judged, by_label in zip(result.sets, result.scored, strict=True)
        for label, each in by_label.items()
        if ENGLISH in each.signature and not judged.pair.endswith("-en")
    }


def _keep(found: Sequence[Found]) -> None:
    """Write and print figures, also of equivalent presets, so that an interrupted run keeps its results."""
    document = json.loads(DATA.read_text(encoding="utf-8"))
    for named, test_set, kind, value in found:
        label = named.partition("-ref")[0].removesuffix(BOUND)  # published scores name their reference
        print(f"{test_set} {label}: {kind} {value:.4f}", flush=True)
        part = document["published" if label in PUBLISHED else "measured"]
        # presets that name the English vectors differ from the defaults in other languages
        into_english = " " not in test_set or test_set.endswith("-en")
        for each in (label, *(twins(label) if into_english else ())):
            part.setdefault(each, {}).setdefault(test_set, {})[kind] = value
    order = [*self_contained_names(), *named_presets()]
    measured = sorted(document["measured"].items(), key=lambda item: order.index(item[0]))
    document["measured"] = {name: dict(sorted(by_set.items())) for name, by_set in measured}
    DATA.write_text(render(document), encoding="utf-8")


@cache
def twins(label: str) -> list[str]:
    """Return the presets that equal the defaults of a metric."""
    return [
        each.label
        for each in presets_of(label)
        if not is_contextual(each.label) and _build(each.label) == _build(label)
    ]


def _build(label: str) -> Metric:
    (labelled,) = parse_metrics([label])
    return labelled.metric


def render(document: dict[str, object]) -> str:
    """Write the file with one line per preset and per metric, for readable diffs."""
    presets = ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in document["presets"])  # type: ignore[attr-defined]
    measured, published = (
        ",\n".join(f"  {json.dumps(label)}: {json.dumps(each)}" for label, each in document[part].items())  # type: ignore[attr-defined]
        for part in ("measured", "published")
    )
    head = f' "schema_version": {document["schema_version"]},\n "presets": [\n{presets}\n ],'
    return f'{{\n{head}\n "measured": {{\n{measured}\n }},\n "published": {{\n{published}\n }}\n}}\n'


if __name__ == "__main__":
    main()
