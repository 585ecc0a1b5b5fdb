"""The model of a paper's table: columns, and rows of printed numbers with our metric for each."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["FROM_ENGLISH", "TO_ENGLISH", "Column", "PaperTable", "Row", "Tokens", "columns", "with_average"]

Tokens = Literal["", "bare", "meteor", "moses", "penn"]
"""Text as it is, or tokenised beforehand: letters and digits only (bare), by METEOR's rules, by sacremoses, by NLTK's Penn
Treebank rules."""


@dataclass(frozen=True)
class Column:
    """A language pair, or several that the paper averages."""

    heading: str
    pairs: tuple[str, ...]
    statistic: str = ""
    """Where it is not the table's."""


@dataclass(frozen=True)
class Row:
    """The paper's name of a metric, our label, and the printed numbers (None if missing)."""

    name: str
    label: str
    printed: tuple[float | None, ...]
    note: str = ""
    """The reason for a difference above 0.02."""
    means: bool = False
    """Whether the system score is the mean of segment scores."""
    tokens: Tokens = ""
    without: tuple[Literal["paraphrases", "trees"], ...] = ()
    """Resources that are removed; without trees, the head of each word is the word before it."""
    parser: str = ""
    """A parser to use instead of the package's own."""

    @property
    def description(self) -> str:
        """Our metric as the table shows it."""
        extras = [f"{self.tokens} tokens"] if self.tokens else []
        extras += [f"no {resource}" for resource in self.without]
        extras += [f"{self.parser} trees"] if self.parser else []
        extras += ["mean of segments"] if self.means else []
        return ", ".join([f"`{self.label}`", *extras])


@dataclass(frozen=True)
class PaperTable:
    title: str
    folder: str
    statistic: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    text: str = ""
    """Stands below the table."""
    explains: bool = True
    """Whether gaps above 0.02 are bold and explained."""


TO_ENGLISH = Column("to English", ("de-en", "fr-en"))
FROM_ENGLISH = Column("from English", ("en-de", "en-fr"))


def columns(*pairs: str) -> tuple[Column, ...]:
    """A column for each language pair."""
    return tuple(Column(pair, (pair,)) for pair in pairs)


def with_average(*pairs: str) -> tuple[Column, ...]:
    """A column for each language pair, and their average."""
    return (*columns(*pairs), Column("average", pairs))
