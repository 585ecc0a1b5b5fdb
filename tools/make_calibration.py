"""Makes the package's table of what differences are worth to people, and its page docs/people.md, from WMT.

    python tools/make_calibration.py --data FOLDER [--metrics LIST]

FOLDER holds wmt10, wmt12, wmt14 and wmt15, as `tertium meta` reads them. Metrics that the table has already and that are not
named are kept.
"""

import argparse
from pathlib import Path

import tertium
from tertium.agreement.calibrating import calibrate, pool_calibrations
from tertium.agreement.calibration import Calibration
from tertium.agreement.calibration_files import read_calibration, render_calibration
from tertium.report.calibrations import describe_calibration
from tertium.report.tables import render_document

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "src/tertium/resources/data/people.json"
PAGE = ROOT / "docs/people.md"
YEARS = ("wmt10", "wmt12", "wmt14", "wmt15")
METRICS = (
    "bleu,sentbleu,avgbleu,chrf,chrf++,ter,wer,per,invwer,nist,wordf,character,ribes,beer,meteor,red,redp,hwcm,sempos,"
    "std,was,mas,has,sentvec,onehot,bleu_modif,wer_modif"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the years of WMT")
    parser.add_argument("--metrics", default=METRICS, help="whose rows are to be made anew")
    arguments = parser.parse_args()
    made = [learn(arguments.data / year, arguments.metrics) for year in YEARS]
    table = keep_others(pool_calibrations(made))
    TABLE.write_text(render_calibration(table), encoding="utf-8")
    PAGE.write_text(describe(table), encoding="utf-8")


def learn(folder: Path, metrics: str) -> Calibration:
    """Collect the pairs of systems of one year; their curves are fitted when all years are there."""
    result = tertium.meta(str(folder), metrics, statistics="system:pearson")
    for failure in result.failures:
        print(f"{folder.name}: {failure}")
    return calibrate(result.sets, result.scored, collection=folder.name, n_samples=1)


def keep_others(new: Calibration) -> Calibration:
    """Add the metrics that the present table has besides."""
    names = {each.name for each in new.metrics}
    old = read_calibration(str(TABLE)).metrics if TABLE.exists() else ()
    order = {name: i for i, name in enumerate(METRICS.split(","))}
    kept = [each for each in old if each.name not in names]
    return Calibration(
        tuple(sorted([*new.metrics, *kept], key=lambda each: order.get(each.name, len(order))))
    )


def describe(table: Calibration) -> str:
    """Write the page: what the numbers mean, how they were made, and the tables."""
    text = (ROOT / "tools/people_page.md").read_text(encoding="utf-8")
    return text + render_document(describe_calibration(table), "md")


if __name__ == "__main__":
    main()
