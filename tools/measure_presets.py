"""Measures how well every metric, at its defaults and with every preset, agrees with people, and keeps the figures
in the package, where `tertium metrics` and docs/which-metric.md find them.

    python tools/measure_presets.py --data FOLDER [--only LABEL]… [--test-sets wmt12]… [--encode-all]

FOLDER holds wmt10, wmt12, … as `tertium meta` takes them; only pairs into English are scored, and each figure is
the mean over these pairs: `system` is Pearson's r of system scores, `segment` Kendall's τ over rankings in WMT14's
variant, `assessment` Pearson's r of direct assessments of segments (da-segments.tsv). What contextual vectors score is
measured on assessments only, unless --encode-all is given: encoding all systems' outputs takes hours.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from tertium.agreement.data import JudgedData
from tertium.agreement.tables import TestOptions
from tertium.api.meta import MetaRequest
from tertium.catalog import metric_names, parse_label
from tertium.errors import TertiumError
from tertium.resources.named_presets import DATA, named_presets

NAMES = {"system:pearson": "system", "segment:wmt14": "segment", "segment:pearson": "assessment"}
ASSESSMENTS = "da-segments.tsv"


def main() -> None:
    given = _read_arguments()
    labels = given.only or [*metric_names(), *named_presets()]
    for folder in sorted(path for path in given.data.iterdir() if path.is_dir()):
        if given.test_sets and folder.name not in given.test_sets:
            continue
        for label in labels:
            began = perf_counter()
            found = _measure(label, folder, encodes_all=given.encode_all)
            if found:
                _keep(label, folder.name, found)
            told = " ".join(f"{name} {value:.4f}" for name, value in found.items())
            print(
                f"{folder.name} {label}: {told or 'not measured'} ({perf_counter() - began:.0f} s)",
                flush=True,
            )


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", action="append", metavar="LABEL")
    parser.add_argument("--test-sets", action="append", metavar="NAME")
    parser.add_argument("--encode-all", action="store_true")
    return parser.parse_args()


def _measure(label: str, folder: Path, *, encodes_all: bool) -> dict[str, float]:
    pairs = sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name.endswith("-en"))
    found: dict[str, float] = {}
    is_slow = parse_label(label).resources.get("vectors") == "contextual"
    if encodes_all or not is_slow:
        found |= dict(_average(JudgedData(folder=str(folder), pairs=tuple(pairs)), label))
    if (folder / ASSESSMENTS).exists():
        found |= dict(_average(_assessments(folder), label))
    return found


def _assessments(folder: Path) -> JudgedData:
    """Take the judged texts by themselves: some are of pairs whose systems' outputs are not there."""
    rows = (folder / ASSESSMENTS).read_text(encoding="utf-8").splitlines()[1:]
    pairs = sorted({row.partition("\t")[0] for row in rows})
    return JudgedData(
        human=(str(folder / ASSESSMENTS),), pairs=tuple(pair for pair in pairs if pair.endswith("-en"))
    )


def _average(data: JudgedData, label: str) -> Iterator[tuple[str, float]]:
    wanted = ("segment:pearson",) if data.folder is None else ("system:pearson", "segment:wmt14")
    request = MetaRequest(data=data, metrics=(label,), statistics=wanted, test=TestOptions(method="none"))
    try:
        result = request.run()
    except TertiumError as error:
        print(f"{label}: {error}", file=sys.stderr)
        return
    for table in result.tables:
        yield (
            NAMES[str(table.spec)],
            round(table.columns[-1].cells[0].value, 4),
        )  # the last one is the average


def _keep(label: str, test_set: str, found: dict[str, float]) -> None:
    """Write each figure down at once: a run that is stopped keeps what it has."""
    document = json.loads(DATA.read_text(encoding="utf-8"))
    document["measured"].setdefault(label, {}).setdefault(test_set, {}).update(found)
    order = [*metric_names(), *named_presets()]
    measured = sorted(document["measured"].items(), key=lambda item: order.index(item[0]))
    document["measured"] = {name: dict(sorted(by_set.items())) for name, by_set in measured}
    DATA.write_text(render(document), encoding="utf-8")


def render(document: dict[str, object]) -> str:
    """Write the file with a line for each preset and each metric, so that changes can be read."""
    presets = ",\n".join("  " + json.dumps(each, ensure_ascii=False) for each in document["presets"])  # type: ignore[attr-defined]
    measured = ",\n".join(
        f"  {json.dumps(label)}: {json.dumps(each)}"
        for label, each in document["measured"].items()  # type: ignore[attr-defined]
    )
    head = f' "schema_version": {document["schema_version"]},'
    return f'{{\n{head}\n "presets": [\n{presets}\n ],\n "measured": {{\n{measured}\n }}\n}}\n'


if __name__ == "__main__":
    main()
