"""What a difference is worth to people, as a table."""

from collections.abc import Mapping, Sequence

from tertium.agreement.calibrating import LeftOut, leave_out_collections
from tertium.agreement.calibration import CalibratedMetric, Calibration
from tertium.report.tables.model import Cell, Column, Document, Note, Records, Row, Table, Value

__all__ = ["describe_calibration"]

_SHARES = (0.6, 0.7, 0.8, 0.9)


def describe_calibration(calibration: Calibration) -> Document:
    """Describe how large a difference must be before so many of a hundred pairs of systems are preferred alike."""
    keys = [Column("metric", "metric", is_key=True), Column("target", "target", is_key=True)]
    sizes = [Column(f"at_{share:.0%}", f"{share:.0%}", is_number=True) for share in _SHARES]
    numbers = [
        Column("pairs", "pairs", is_number=True),
        *sizes,
        Column("ceiling", "ceiling", is_number=True),
    ]
    rows = [
        (metric, target, _facts(metric, target)) for metric in calibration.metrics for target in metric.curves
    ]
    people = Table(
        [*keys, *numbers],
        [_row(metric, target, facts) for metric, target, facts in rows],
        notes=[
            Note("60 %, 70 %, …: the difference at which people preferred the same system that often"),
            Note(
                "ceiling: how often at most, however large the difference; pairs of systems; …: never reached"
            ),
        ],
    )
    left_out = [row for metric in calibration.metrics for row in leave_out_collections(metric)]
    tables = [people, *([_describe_left_out(left_out)] if left_out else [])]
    columns: dict[str, type] = {"metric": str, "target": str, "pairs": int}
    columns |= {f"at_{share:.0%}": float for share in _SHARES} | {"ceiling": float}
    records: list[list[Value]] = [
        [metric.name, target or "all", *facts.values()] for metric, target, facts in rows
    ]
    data = {
        "metrics": [dict(zip(columns, record, strict=True)) for record in records],
        "left_out": [vars(row) for row in left_out],
    }
    return Document("calibration", tables, Records(columns, records), data)


def _facts(metric: CalibratedMetric, target: str) -> dict[str, Value]:
    fitted = metric.curves[target]
    n_pairs = sum(len(each.differences) for each in metric.pairs_of(target))
    reached: dict[str, Value] = {f"{share}": fitted.curve.reach(share) for share in _SHARES}
    return {"pairs": n_pairs, **reached, "ceiling": fitted.curve.ceiling}


def _row(metric: CalibratedMetric, target: str, facts: Mapping[str, Value]) -> Row:
    n_pairs, *sizes, ceiling = facts.values()
    return [
        Cell(metric.name, metric.name),
        Cell(target or "all", target or "all"),
        Cell(f"{n_pairs:,}", n_pairs),
        *(Cell("…" if size is None else f"{size:.3g}", size) for size in sizes),
        Cell(f"{ceiling:.0%}", ceiling),
    ]


def _describe_left_out(rows: Sequence[LeftOut]) -> Table:
    headings = ("metric", "left out", "pairs", "promised", "seen", "error", "by chance", "at most")
    columns = [
        Column(each.replace(" ", "_"), each, is_number=i > 1, is_key=i < 2) for i, each in enumerate(headings)
    ]
    cells = [
        [
            Cell(row.metric, row.metric),
            Cell(row.collection, row.collection),
            Cell(f"{row.n_pairs:,}", row.n_pairs),
            Cell(f"{row.promised:.1%}", row.promised),
            Cell(f"{row.seen:.1%}", row.seen),
            Cell(f"{row.error:.3f}", row.error),
            Cell(f"{row.chance:.3f}", row.chance),
            Cell(f"{row.chance_high:.3f}", row.chance_high),
        ]
        for row in rows
    ]
    notes = [
        Note("each row: what the table made from the other collections promises of this one, and what was seen there"),
        Note("error: expected calibration error in five bins; by chance: what a true table would get, as pairs share systems"),
        Note("at most: what a true table would stay below in 95 % of cases"),
    ]  # fmt: skip
    return Table(columns, cells, "Judged on what was left out", notes)
