"""The base of all results: shown in a terminal or a notebook, and converted to other tools' tables."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from tertium.commands.base.request import guard_output
from tertium.presentation.tables import render_document, write_document
from tertium.presentation.tables.model import Document


class CommandResult:
    """The common part of all results: notes, warnings and an exit code."""

    notes: Sequence[str] = ()
    """Facts that the user should know, such as data that were left out."""
    warnings: Sequence[str] = ()
    """Likely mistakes, and parts of the result that are missing."""

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return 0


class Result(CommandResult, ABC):
    """An outcome that can be shown in every output format."""

    @abstractmethod
    def document(self) -> Document:
        """Describe the result as tables, records and a JSON document."""

    def render(self, form: str = "text", *, signatures: bool = False) -> str:
        """Render the result in a format of the command line: text, json, csv, safe-csv, tsv, md, latex or html.

        Parameters
        ----------
        form
            The name of the format.
        signatures
            In text, also write the metrics' signatures; the other formats always have them.
        """
        return render_document(self.document(), form, signatures=signatures)

    def __str__(self) -> str:
        """The result as the command line prints it, so that `print(result)` shows a table."""
        return self.render().rstrip("\n")

    def write(self, path: str | PathLike[str], form: str | None = None) -> None:
        """Write the result to a file, completely or not at all.

        Parameters
        ----------
        path
            The file. Its suffix is the format, if none is given: .csv, .tsv, .json, .xlsx, .md, .tex or .html; other
            files are text.
        form
            The name of the format, as in `render`, or xlsx (requires the extra `xlsx`).
        """
        request = getattr(self, "request", None)
        with guard_output([] if request is None else request.input_paths, path):
            write_document(self.document(), fspath(path), form)

    def to_dict(self) -> Mapping[str, Any]:
        """Return the content of the JSON format as Python values."""
        from tertium.presentation.tables.data_formats import document_to_dict

        return document_to_dict(self.document())

    def to_pandas(self) -> Any:
        """Return the records in full precision as a pandas DataFrame (requires pandas)."""
        from tertium.presentation.tables.data_formats import document_to_pandas

        return document_to_pandas(self.document())

    def to_arrow(self) -> Any:
        """Return the records in full precision as an Arrow table (requires the extra `parquet`)."""
        from tertium.presentation.tables.data_formats import document_to_arrow

        return document_to_arrow(self.document())

    def _repr_html_(self) -> str:
        return self.render("html")
