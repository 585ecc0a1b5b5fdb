"""Make the package's calibration table of human agreement, and its page docs/human-agreement.md, from WMT data.

    python tools/make_calibration.py --data FOLDER [--metrics LIST]
    python tools/make_calibration.py --page

FOLDER contains wmt10, wmt12, wmt14 and wmt15 in the format of `tertium meta`. Metrics of the existing table that are
not named are kept. --page only writes the page, from the existing table.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import tertium
from tertium.metaeval.calibration import Calibration, read_calibration, render_calibration
from tertium.metaeval.calibration_fitting import (
    HeldOutResult,
    calibrate,
    leave_out_collections,
    pool_calibrations,
)
from tertium.reporting.metaeval import describe_calibration
from tertium.reporting.tables import render_document

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "src/tertium/resources/data/calibration.json"
PAGE = ROOT / "docs/human-agreement.md"
YEARS = ("wmt10", "wmt12", "wmt14", "wmt15")
METRICS = (
    "bleu,sentbleu,avgbleu,chrf,chrf++,ter,wer,per,invwer,nist,wordf,character,ribes,beer,meteor,red,redp,hwcm,sempos,"
    "std,was,mas,has,sentvec,onehot,bleu_modif,wer_modif"
)
GOAL = 0.05
CHANCE = """There are {n} rows for single years. In {met} of them the error is at most {goal}; in {within} it is within the range that 95 % of
true tables would have (*at most*). The average error is {error:.3f}, that of a true table {chance:.3f}. Even a true table would reliably stay
below {goal} in only {sure} of these rows."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--data", type=Path, help="the folder with the years of WMT")
    what.add_argument("--page", action="store_true", help="only write the page, from the existing table")
    parser.add_argument("--metrics", default=METRICS, help="metrics whose rows are computed again")
    arguments = parser.parse_args()
    if not arguments.page:
        made = [learn(arguments.data / year, arguments.metrics) for year in YEARS]
        table = keep_others(pool_calibrations(made))
        TABLE.write_text(render_calibration(table), encoding="utf-8")
    table = read_calibration(str(TABLE))
    PAGE.write_text(describe(table), encoding="utf-8")


def learn(folder: Path, metrics: str) -> Calibration:
    """Collect the pairs of systems of one year; curves are fitted to all years together."""
    result = tertium.meta(str(folder), metrics, statistics="system:pearson")
    for warning in result.warnings:
        print(f"{folder.name}: {warning}")
    return calibrate(result.sets, result.scored, collection=folder.name, n_samples=1)


def keep_others(new: Calibration) -> Calibration:
    """Add the other metrics of the existing table."""
    names = {each.name for each in new.metrics}
    old = read_calibration(str(TABLE)).metrics if TABLE.exists() else ()
    order = {name: i for i, name in enumerate(METRICS.split(","))}
    kept = [each for each in old if each.name not in names]
    return Calibration.of(sorted([*new.metrics, *kept], key=lambda each: order.get(each.name, len(order))))


def describe(table: Calibration) -> str:
    """Write the page: the meaning of the numbers, how they were computed, and the tables."""
    text = (ROOT / "tools/human_agreement_page.md").read_text(encoding="utf-8")
    left_out = [row for metric in table.metrics for row in leave_out_collections(metric)]
    tables = render_document(describe_calibration(table), "md")
    return text.replace("<!-- CHANCE -->", tell_chance(left_out)) + tables


def tell_chance(rows: Sequence[HeldOutResult]) -> str:
    """Compare the errors on held-out years with those of a true table."""
    years = [row for row in rows if row.collection != "all"]
    error, chance = fmean(row.error for row in years), fmean(row.chance for row in years)
    met = sum(row.error <= GOAL for row in years)
    within = sum(row.error <= row.chance_high for row in years)
    sure = sum(row.chance_high <= GOAL for row in years)
    return CHANCE.format(
        n=len(years), error=error, chance=chance, met=met, within=within, sure=sure, goal=GOAL
    )


if __name__ == "__main__":
    main()
