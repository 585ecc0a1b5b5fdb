"""Presets and measured agreement as parts of the catalogue's documents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tertium.report.tables.model import Cell, Column, Note, Table
from tertium.resources.named_presets import Measured, NamedPreset

__all__ = ["Knowledge"]

# What was measured, in the order of the columns, and what it is called in headings.
STATISTICS = {"segment": "τ", "system": "r", "assessment": "DA"}
NOTE = (
    "means over pairs into English; τ: Kendall's τ of segments over rankings (WMT14's variant), r: Pearson's r of"
    " systems, DA: Pearson's r of directly assessed segments"
)


@dataclass(frozen=True)
class Knowledge:
    """The presets there are, and how well metrics and presets agreed with people."""

    presets: Sequence[NamedPreset] = ()
    measured: Mapping[str, Measured] = field(default_factory=dict)

    def presets_of(self, metric: str) -> list[NamedPreset]:
        return [each for each in self.presets if each.metric == metric]

    def records(self, metric: str) -> list[dict[str, object]]:
        """Write a metric's presets down for programs."""
        return [
            {
                "label": each.label,
                "version": each.version,
                "options": dict(each.options),
                "resources": dict(each.resources),
                "source": each.source,
                "measured": self.measured.get(each.label, {}),
            }
            for each in self.presets_of(metric)
        ]

    def labels(self, metrics: Iterable[str]) -> list[str]:
        """Name metrics and their presets, each metric before its own."""
        return [
            label for name in metrics for label in (name, *(each.label for each in self.presets_of(name)))
        ]

    def table(self, metrics: Iterable[str]) -> Table:
        """Lay out what was measured: a row per metric and preset, two or three columns per test set."""
        labels = [label for label in self.labels(metrics) if label in self.measured]
        columns = self._columns(labels)
        return Table(
            [
                Column("label", "metric", is_key=True),
                *(Column(f"{year} {name}", f"{year} {STATISTICS[name]}", is_number=True) for year, name in columns),
            ],
            [[Cell(label), *(self._cell(label, *column) for column in columns)] for label in labels],
            "agreement with people",
            [Note(NOTE)],
        )  # fmt: skip

    def lines(self, metrics: Iterable[str]) -> list[str]:
        """Lay the same table out as lines of text; none if nothing was measured."""
        table = self.table(metrics)
        rows = [[cell.text for cell in row] for row in table.rows]
        if not rows:
            return []
        cells = [["" if column.is_key else column.heading for column in table.columns], *rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(
                [row[0].ljust(widths[0]), *(t.rjust(w) for t, w in zip(row[1:], widths[1:], strict=True))]
            )
            for row in cells
        ]
        return [table.title, *(f"  {line.rstrip()}" for line in lines), f"  ({NOTE})"]

    def _columns(self, labels: Iterable[str]) -> list[tuple[str, str]]:
        found = {
            (year, name)
            for label in labels
            for year, values in self.measured[label].items()
            for name in values
        }
        order = list(STATISTICS)
        return sorted(found, key=lambda column: (column[0], order.index(column[1])))

    def _cell(self, label: str, year: str, name: str) -> Cell:
        value = self.measured[label].get(year, {}).get(name)
        return Cell("" if value is None else f"{value:.3f}", value)
