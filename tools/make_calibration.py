"""Make the package's calibration tables of human agreement, and their page docs/human-agreement.md, from WMT data.

    python tools/make_calibration.py --data FOLDER [--tables LIST] [--metrics LIST] [--variant TEXT]
    python tools/make_calibration.py --page

FOLDER contains wmt10, wmt12, wmt14, wmt15, wmt21, wmt21fromen, wmt21mqm and wmt22 in the format of `tertium meta`.
Metrics of the existing tables that are not named are kept. --variant adds the metrics as computed in another
environment under another name, such as meteor with METEOR's own paraphrases. --page only fits the curves of the
existing tables again and writes the page and its pictures.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import tertium
from choose_margin import tabulate_margins
from tertium.catalog import find_metric
from tertium.commands.meta.calibration import describe_calibration
from tertium.commands.report.page.figures import draw_reliability
from tertium.metaeval.calibration import (
    CalibratedMetric,
    Calibration,
    fit_pairs,
    read_calibration,
    render_calibration,
)
from tertium.metaeval.calibration_fitting import (
    HeldOutResult,
    calibrate,
    leave_out_collections,
    pool_calibrations,
)
from tertium.metaeval.data import JudgedData
from tertium.presentation.tables import render_document
from tertium.records import record

ROOT = Path(__file__).parent.parent
TABLES = ROOT / "src/tertium/resources/data"
PAGE = ROOT / "docs/human-agreement.md"
IMAGES = ROOT / "docs/images"
METRICS = (
    "bleu,sentbleu,avgbleu,chrf,chrf++,ter,wer,per,invwer,nist,wordf,character,ribes,beer,meteor,red,redp,hwcm,sempos,"
    "std,was,mas,has,sentvec,onehot,bleu_modif,wer_modif,"
    "std@contextual,mas@contextual,has@contextual,bertscore@contextual,yisi1@contextual,bleu_modif@contextual"
)
SHOWN = ("bleu", "chrf", "ter", "std", "meteor", "beer", "redp")


@record
class Era:
    """A table of the package: its name for users, its years, and the margin of its promises."""

    source: str
    collections: tuple[str, ...]
    margin: float


ERAS: Mapping[str, Era] = {
    "wmt21-22": Era("WMT21–22, neural systems", ("wmt21", "wmt21fromen", "wmt21mqm", "wmt22"), margin=1.6),
    "wmt10-15": Era("WMT10–15, statistical systems", ("wmt10", "wmt12", "wmt14", "wmt15"), margin=1.0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--data", type=Path, help="the folder with the years of WMT")
    what.add_argument(
        "--page", action="store_true", help="only fit the curves of the existing tables and write the page"
    )
    parser.add_argument("--tables", default=",".join(ERAS), help="tables that are computed again")
    parser.add_argument("--metrics", default=METRICS, help="metrics whose rows are computed again")
    parser.add_argument("--variant", default="", help="text added to the names of the metrics")
    arguments = parser.parse_args()
    for name in arguments.tables.split(","):
        new: list[CalibratedMetric] = []
        if arguments.data:
            years = [arguments.data / year for year in ERAS[name].collections]
            made = [table for year in years for table in learn(year, arguments.metrics)]
            new = rename(pool_calibrations(made).metrics, arguments.variant)
        write_table(name, new)
    tables = {name: read_calibration(str(path_of(name))) for name in ERAS}
    PAGE.write_text(describe(tables), encoding="utf-8")


def path_of(name: str) -> Path:
    return TABLES / f"calibration-{name}.json"


def learn(folder: Path, metrics: str) -> list[Calibration]:
    """Collect the pairs of systems of one collection; curves are fitted to all collections together."""
    labels = metrics.split(",")
    pairs = sorted(path.name for path in folder.iterdir() if path.is_dir())
    # contextual vectors are English
    english, others = (
        [label for label in labels if ("@contextual" in label) is wanted] for wanted in (True, False)
    )
    into_english = tuple(pair for pair in pairs if pair.endswith("-en"))
    return [
        _collect(JudgedData(folder=str(folder), pairs=chosen), names)
        for names, chosen in ((others, tuple(pairs)), (english, into_english))
        if names and chosen
    ]


def _collect(data: JudgedData, metrics: Sequence[str]) -> Calibration:
    name = Path(data.sources[0]).name
    result = tertium.meta(data, metrics, statistics="system:pearson")
    for warning in result.warnings:
        print(f"{name}: {warning}")
    return calibrate(result.sets, result.scored, collection=name)


def rename(metrics: Sequence[CalibratedMetric], variant: str) -> list[CalibratedMetric]:
    return [replace(metric, name=f"{metric.name} {variant}".strip()) for metric in metrics]


def write_table(name: str, new: Sequence[CalibratedMetric]) -> None:
    """Write a table: the new metrics, the other metrics of the existing table, and the margin in all curves."""
    names = {each.name for each in new}
    old = read_calibration(str(path_of(name))).metrics if path_of(name).exists() else ()
    order = {each: i for i, each in enumerate(METRICS.split(","))}
    listed = sorted(
        [*new, *(each for each in old if each.name not in names)],
        key=lambda each: (order.get(each.name.split()[0], len(order)), each.name),
    )
    era = ERAS[name]
    table = Calibration.of(
        replace(each, curve=replace(fit_pairs(each.pairs), margin=era.margin)) for each in listed
    )
    path_of(name).write_text(render_calibration(table, source=era.source), encoding="utf-8")


def describe(tables: Mapping[str, Calibration]) -> str:
    """Write the page: the meaning of the numbers, how they were computed, the tables and the pictures."""
    text = (ROOT / "tools/human_agreement_page.md").read_text(encoding="utf-8")
    for name, table in tables.items():
        text = text.replace(f"<!-- ERRORS {name} -->", summarise(table))
        text = text.replace(
            f"<!-- TABLES {name} -->", render_document(describe_calibration(table), "md").strip()
        )
        shown = [
            replace(metric, name=find_metric(metric.name).title)
            for metric in table.metrics
            if metric.name in SHOWN
        ]
        draw_reliability(shown, title=f"Human agreement by score difference, {ERAS[name].source}").write(
            IMAGES / f"human-agreement-{name}.svg"
        )
    text = text.replace("<!-- ANSWERS -->", list_differences(tables["wmt21-22"]))
    text = text.replace("<!-- MARGINS -->", tabulate_margins(tables["wmt21-22"].metrics))
    return text.replace("<!-- GROWTH -->", compare_eras(tables))


def list_differences(table: Calibration) -> str:
    """List the differences that reach a level of agreement."""
    levels = (0.6, 0.7, 0.8, 0.9)
    lines = [
        f"| metric | {' | '.join(f'{level:.0%}' for level in levels)} |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for metric in table.metrics:
        if metric.name in SHOWN:
            cells = [f"{metric.curve.reach(level) or float('nan'):.2f}" for level in levels]
            lines.append(
                f"| [{find_metric(metric.name).title}](metrics/{metric.name}.md) | {' | '.join(cells)} |"
            )
    return "\n".join(lines)


def compare_eras(tables: Mapping[str, Calibration]) -> str:
    """Compare the differences at which people agree in 80 % of pairs, without margins."""
    new, old = ({metric.name: metric for metric in tables[name].metrics} for name in ERAS)
    lines = ["| metric | WMT10–15 | WMT21–22 | factor |", "| --- | ---: | ---: | ---: |"]
    for name in SHOWN:
        before, after = (replace(each[name].curve, margin=1.0).reach(0.8) or 0.0 for each in (old, new))
        lines.append(f"| {name} | {before:.3g} | {after:.3g} | {after / before:.1f} |")
    return "\n".join(lines)


def summarise(table: Calibration) -> str:
    """Compare the errors on collections that were left out with those of a true table, averaged over metrics."""
    shown = [metric for metric in table.metrics if metric.name in SHOWN]
    rows = [row for metric in shown for row in leave_out_collections(metric)]
    lines = [
        "| left out | pairs | fitted | promised | observed | error | by chance | at most | in interval |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    collections = dict.fromkeys(row.collection for row in rows)
    lines += [summarise_rows(name, [row for row in rows if row.collection == name]) for name in collections]
    return "\n".join(lines)


def summarise_rows(collection: str, rows: Sequence[HeldOutResult]) -> str:
    rates = [fmean(getattr(row, name) for row in rows) for name in ("fitted", "predicted", "seen")]
    errors = [fmean(getattr(row, name) for row in rows) for name in ("error", "chance", "chance_high")]
    cells = [
        collection,
        f"{max(row.n_pairs for row in rows):,}",
        *(f"{rate:.1%}" for rate in rates),
        *(f"{error:.3f}" for error in errors),
        f"{fmean(row.covered for row in rows):.0%}",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
