"""Verdicts on the claims of the 2014, 2016 and 2019 papers, derived from the tables."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from papers.examples_2016 import places
from papers.layout import PaperTable, Row
from papers.markdown import claims, number
from papers.modif_2016 import MODIF_SEGMENT, MODIF_SYSTEM
from papers.red_2014 import RED_SEGMENT, RED_SYSTEM, RED_VARIANTS
from papers.scoring import ours
from papers.std_2019 import STD_SEGMENT, STD_SYSTEM
from tertium.metaeval.agreement import parse_statistic

__all__ = ["render_modif", "render_red", "std_claims"]


def _values(table: PaperTable, row: Row, data: Path) -> list[float]:
    """Return a row of a table, with NaN for missing numbers."""
    specs = [parse_statistic(column.statistic or table.statistic) for column in table.columns]
    found = [
        ours(spec, row, column, data / table.folder)
        for spec, column in zip(specs, table.columns, strict=True)
    ]
    return [float("nan") if value is None else value for value in found]


def _row(table: PaperTable, name: str, n: int = 0) -> Row:
    """Return the n-th row with a name."""
    return [row for row in table.rows if row.name == name][n]


def _average(table: PaperTable, name: str, data: Path, n: int = 0) -> float:
    """Return the average of a row, its last column."""
    return _values(table, _row(table, name, n), data)[-1]


def _holds(is_so: bool) -> str:
    return "holds" if is_so else "does not hold"


def render_red(data: Path) -> str:
    """The claims of Yu et al. (2014)."""
    system = {
        name: _average(RED_SYSTEM, name, data) for name in ("BLEU", "TER", "METEOR", "SEMPOS", "RED", "REDp")
    }
    hwcm = [_values(RED_SYSTEM, row, data)[-1] for row in RED_SYSTEM.rows if row.name == "HWCM"]
    segment = {name: _average(RED_SEGMENT, name, data) for name in ("BLEU", "METEOR", "RED", "REDp")}
    red = _values(RED_SEGMENT, _row(RED_SEGMENT, "RED"), data)
    lower = [_values(RED_SEGMENT, row, data) for row in RED_SEGMENT.rows if row.name in {"BLEU", "HWCM"}]
    redp = _values(RED_SEGMENT, _row(RED_SEGMENT, "REDp"), data)
    rows = [
        ("RED beats BLEU and TER on average, system level", f"{_holds(system['RED'] > max(system['BLEU'], system['TER']))} ({system['RED']:.3f} against {system['BLEU']:.3f} and {system['TER']:.3f})"),
        ("RED beats HWCM on average, system level", f"undecided, because the paper does not say how HWCM averages: RED has {system['RED']:.3f}, the variants of HWCM {min(hwcm):.3f} to {max(hwcm):.3f}"),
        ("RED beats BLEU and HWCM on every pair, segment level", f"{_holds(all(ours_ > theirs for other in lower for ours_, theirs in zip(red, other, strict=True)))} (averages {segment['RED']:.3f}; BLEU {segment['BLEU']:.3f})"),
        ("REDp beats RED at both levels", f"{_holds(system['REDp'] > system['RED'] and all(p > q for p, q in zip(redp, red, strict=True)))} ({system['REDp']:.3f} against {system['RED']:.3f}; {segment['REDp']:.3f} against {segment['RED']:.3f})"),
        ("REDp beats METEOR and SEMPOS on average, system level", f"{_holds(system['REDp'] > max(system['METEOR'], system['SEMPOS'], 0.902))} ({system['REDp']:.3f}; METEOR {system['METEOR']:.3f}, our SEMPOS {system['SEMPOS']:.3f}, the paper's 0.902)"),
        ("REDp is comparable to METEOR at segment level", f"holds ({segment['REDp']:.3f} against {segment['METEOR']:.3f})"),
        ("syntax is what helps", _syntax(data)),
    ]  # fmt: skip
    return "### Which claims hold\n\n" + claims(rows)


def _syntax(data: Path) -> str:
    found = []
    for name in ("RED", "REDp"):
        rows = [row for row in RED_VARIANTS.rows if row.name == name]
        whole = _values(RED_VARIANTS, rows[0], data)[-2:]
        bare = _values(RED_VARIANTS, next(row for row in rows if "trees" in row.without), data)[-2:]
        found.append(
            f"{name} {_pair(whole)} with trees, {_pair(bare)} with each word attached to the preceding one"
        )
    return f"not confirmed: systems and segments, {'; '.join(found)}"


def _pair(values: Sequence[float]) -> str:
    return " and ".join(number(value) for value in values)


def render_modif(data: Path) -> str:
    """The claims of Wang & Merlo (2016)."""
    system = {row.name: _values(MODIF_SYSTEM, row, data) for row in MODIF_SYSTEM.rows}
    segment = {row.name: _values(MODIF_SEGMENT, row, data) for row in MODIF_SEGMENT.rows}
    default = "BLEUmodif, the default δ = 0.7"
    wer_gains = [
        a - b for table in (system, segment) for a, b in zip(table["WERmodif"], table["WER"], strict=True)
    ]
    from_english = {name: values[1] for name, values in system.items()}
    best = max(from_english, key=lambda name: from_english[name])
    moved = places(data)
    rows = [
        ("WERmodif beats WER at both levels, both directions", f"{_holds(min(wer_gains) > 0)} (by {min(wer_gains):.3f} to {max(wer_gains):.3f})"),
        ("WERmodif leads all metrics from English, system level", f"{_holds(best == 'WERmodif')} ({from_english['WERmodif']:.3f}; {best} has {from_english[best]:.3f})"),
        ("BLEUmodif beats BLEU at segment level", f"to English {segment[default][0]:.3f} against {segment['BLEU'][0]:.3f} (sentBLEU {segment['sentBLEU'][0]:.3f}), from English {segment[default][1]:.3f} against {segment['BLEU'][1]:.3f} (sentBLEU {segment['sentBLEU'][1]:.3f})"),
        ("BLEUmodif beats BLEU at system level", f"to English {system[default][0]:.3f} against {system['BLEU'][0]:.3f}, from English {system[default][1]:.3f} against {system['BLEU'][1]:.3f}"),
        ("a threshold of 0.1 is best", f"not with our vectors: at 0.1 BLEUmodif has {system['BLEUmodif, δ = 0.1'][0]:.3f} and {segment['BLEUmodif, δ = 0.1'][0]:.3f} to English, at 0.7 {system[default][0]:.3f} and {segment[default][0]:.3f}; it depends on the vectors"),
        ("a rule-based system that human judges rank high is also ranked high", _moves(moved)),
    ]  # fmt: skip
    return "### Which claims hold\n\n" + claims(rows)


def _moves(moved: Mapping[str, Mapping[str, float]]) -> str:
    place = {judge: of_judge["PROMT-Rule"] for judge, of_judge in moved.items()}
    better = place["BLEUmodif"] < place["BLEU"] and place["WERmodif"] < place["WER"]
    return f"{_holds(better)} with these vectors: PROMT-Rule is at place {', '.join(f'{n:g} ({judge})' for judge, n in place.items())}"


def std_claims(data: Path) -> list[tuple[str, str]]:
    """The claims of Li et al. (2019) about Tables IV and VI."""
    return [
        ("STD has the best average at segment level", f"{_leads(STD_SEGMENT, data)}, but the number is optimistic: the settings of the package's vectors were chosen by it"),
        ("STD has the best average at system level", f"{_leads(STD_SYSTEM, data)}, on the three language pairs that we have"),
    ]  # fmt: skip


def _leads(table: PaperTable, data: Path) -> str:
    averages = {row.name: _values(table, row, data)[-1] for row in table.rows}
    std = averages["STD"]
    name, value = max(
        ((n, v) for n, v in averages.items() if not n.startswith("STD")), key=lambda item: item[1]
    )
    return f"{_holds(std > value)} ({std:.3f}; the best other is {name} with {value:.3f})"
