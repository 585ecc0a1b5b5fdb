"""Measure the human agreement of every metric, with its defaults and with every preset, and store the figures.

    python tools/measure_presets.py --data FOLDER [--only LABEL,LABEL]… [--test-sets wmt12]… [--encode-all]

The figures are part of the package; `tertium metrics` and docs/which-metric.md show them. FOLDER contains wmt10,
wmt12, … in the format of `tertium meta`. Only pairs into English are scored, and each figure is the mean over these
pairs: `system` is Pearson's r of system scores, `accuracy` the soft pairwise accuracy of systems, `segment` Kendall's τ
over rankings in WMT14's variant, `assessment` Pearson's r of direct assessments of segments (da-segments.tsv). Contextual
vectors are measured on assessments only, unless --encode-all is given, because encoding all outputs takes minutes.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

import tertium
from tertium.catalog import parse_label, parse_metrics, self_contained_names
from tertium.metaeval.data import JudgedData
from tertium.metrics.base import Metric
from tertium.resources.presets import DATA, named_presets, presets_of

NAMES = {
    "system:pearson": "system",
    "system:spa": "accuracy",
    "segment:wmt14": "segment",
    "segment:pearson": "assessment",
}
# By the kind of judgments: rankings, assessments of outputs of systems, assessments with their texts.
RANKINGS = ("system:pearson", "segment:wmt14")
ASSESSED_OUTPUTS = ("system:pearson", "system:spa", "segment:pearson")
ASSESSED_TEXTS = ("segment:pearson",)
ASSESSMENTS = "da-segments.tsv"
# Metrics that share one reading of the data; an interrupted run loses at most this number.
BATCH = 6


def main() -> None:
    given = _read_arguments()
    labels = [label for text in given.only or [] for label in text.split(",")]
    labels = labels or [*self_contained_names(), *named_presets()]
    folders = sorted(path for path in given.data.iterdir() if path.is_dir())
    for folder in folders:
        if given.test_sets and folder.name not in given.test_sets:
            continue
        for start in range(0, len(labels), BATCH):
            batch = labels[start : start + BATCH]
            for label, found in _measure(batch, folder, encodes_all=given.encode_all).items():
                _keep(label, folder.name, found)
                told = " ".join(f"{name} {value:.4f}" for name, value in found.items())
                print(f"{folder.name} {label}: {told}", flush=True)


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", action="append", metavar="LABEL,LABEL")
    parser.add_argument("--test-sets", action="append", metavar="NAME")
    parser.add_argument("--encode-all", action="store_true")
    return parser.parse_args()


def _measure(labels: Sequence[str], folder: Path, *, encodes_all: bool) -> dict[str, dict[str, float]]:
    pairs = sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name.endswith("-en"))
    found: dict[str, dict[str, float]] = {label: {} for label in labels}
    fast = [label for label in labels if encodes_all or not _is_slow(label)]
    has_texts = _names_texts(folder / ASSESSMENTS)
    wanted = RANKINGS if has_texts is not False else ASSESSED_OUTPUTS
    for label, name, value in _average(JudgedData(folder=str(folder), pairs=tuple(pairs)), fast, wanted):
        found[label][name] = value
    if has_texts:
        for label, name, value in _average(_assessments(folder), labels, ASSESSED_TEXTS):
            found[label][name] = value
    return {label: values for label, values in found.items() if values}


def _names_texts(assessments: Path) -> bool | None:
    """Whether the assessed texts are in the file itself; None if there is no such file."""
    if not assessments.exists():
        return None
    with assessments.open(encoding="utf-8") as file:
        return "hyp" in file.readline().split("\t")


def _is_slow(label: str) -> bool:
    """Whether scoring the outputs of all systems takes many minutes, as with contextual vectors."""
    return parse_label(label).resources.get("vectors", "").startswith("contextual")


def _assessments(folder: Path) -> JudgedData:
    """Read only the judged texts; for some pairs the outputs of the systems are missing."""
    rows = (folder / ASSESSMENTS).read_text(encoding="utf-8").splitlines()[1:]
    pairs = sorted({row.partition("\t")[0] for row in rows})
    return JudgedData(
        human=(str(folder / ASSESSMENTS),), pairs=tuple(pair for pair in pairs if pair.endswith("-en"))
    )


def _average(
    data: JudgedData, labels: Sequence[str], wanted: Sequence[str]
) -> Iterator[tuple[str, str, float]]:
    """Yield a label, the kind of figure, and its mean over the pairs that have one."""
    if not labels:
        return
    result = tertium.meta(data, labels, statistics=wanted, test="none")
    for warning in result.warnings:
        print(warning, file=sys.stderr)
    for table in result.tables:
        for number, label in enumerate(table.metrics):
            cells = [column.cells[number] for column in table.columns if column.pair in (data.pairs or ())]
            values = [cell.value for cell in cells if cell is not None and cell.value is not None]
            if values:
                yield label, NAMES[str(table.spec)], round(fmean(values), 4)


def _keep(label: str, test_set: str, found: dict[str, float]) -> None:
    """Write each figure at once, also for equivalent presets, so that an interrupted run keeps its results."""
    document = json.loads(DATA.read_text(encoding="utf-8"))
    for each in (label, *twins(label)):
        document["measured"].setdefault(each, {}).setdefault(test_set, {}).update(found)
    order = [*self_contained_names(), *named_presets()]
    measured = sorted(document["measured"].items(), key=lambda item: order.index(item[0]))
    document["measured"] = {name: dict(sorted(by_set.items())) for name, by_set in measured}
    DATA.write_text(render(document), encoding="utf-8")


def twins(label: str) -> list[str]:
    """Return the presets that equal the defaults of a metric."""
    return [
        each.label
        for each in presets_of(label)
        if not _is_slow(each.label) and _build(each.label) == _build(label)
    ]


def _build(label: str) -> Metric:
    (labelled,) = parse_metrics([label])
    return labelled.metric


def render(document: dict[str, object]) -> str:
    """Write the file with one line per preset and per metric, for readable diffs."""
    presets = ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in document["presets"])  # type: ignore[attr-defined]
    measured = ",\n".join(
        f"  {json.dumps(label)}: {json.dumps(each)}"
        for label, each in document["measured"].items()  # type: ignore[attr-defined]
    )
    head = f' "schema_version": {document["schema_version"]},'
    return f'{{\n{head}\n "presets": [\n{presets}\n ],\n "measured": {{\n{measured}\n }}\n}}\n'


if __name__ == "__main__":
    main()
