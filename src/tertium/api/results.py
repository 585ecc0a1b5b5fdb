"""What all results have in common: they show themselves in a notebook and turn into other tools' tables."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from tertium.report.tables import (
    document_to_arrow,
    document_to_dict,
    document_to_pandas,
    render_document,
)
from tertium.report.tables.model import Document

__all__ = ["Progress", "Shown", "Tell"]

# Told how many of how many steps are done, and what is being done if it is not the usual.
Progress = Callable[..., None]

# Told a line while the work goes on, and what kind it is: "note", "warning" or "progress".
Tell = Callable[[str, str], None]


class Shown(ABC):
    """A result that can be read by people and by programs."""

    @abstractmethod
    def document(self) -> Document:
        """Lay the result out as tables for people, records for programs and a JSON document."""

    def render(self, form: str = "text", *, spreadsheet_safe: bool = False) -> str:
        """Write the result in one of the formats of the command line: text, json, csv, md, latex, html …

        With `spreadsheet_safe`, texts in CSV and TSV that a spreadsheet would take for formulas get an apostrophe.
        """
        return render_document(self.document(), form, spreadsheet_safe=spreadsheet_safe)

    def to_dict(self) -> Mapping[str, Any]:
        """Give what the JSON format holds, as Python values."""
        return document_to_dict(self.document())

    def to_pandas(self) -> Any:
        """Give the records in full precision as a pandas table (needs pandas)."""
        return document_to_pandas(self.document())

    def to_arrow(self) -> Any:
        """Give the records in full precision as an Arrow table (needs the extra `parquet`)."""
        return document_to_arrow(self.document())

    def _repr_html_(self) -> str:
        return self.render("html")
