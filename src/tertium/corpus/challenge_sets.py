"""Reader of challenge sets: a good and a bad translation per example, and the phenomenon in which they differ."""

from collections.abc import Mapping, Sequence

import numpy as np

from tertium.corpus.texts.formats import open_table
from tertium.corpus.texts.tables import TextTable
from tertium.errors import InputError
from tertium.numbers import describe_score, parse_score
from tertium.records import record
from tertium.types import FloatArray, TextKind, available_texts

# The first names are ACES's (Amrhein, Moghe & Guillou 2022).
_GOOD = ("good-translation", "good", "correct")
_BAD = ("incorrect-translation", "bad", "incorrect")
_PHENOMENON = ("phenomena", "phenomenon", "category")
_PAIR = ("langpair", "lp", "language_pair")
_REFERENCE = ("reference", "ref")
_SOURCE = ("source", "src")
_GOOD_SCORE, _BAD_SCORE = "-good", "-bad"


@record(eq=False)
class ChallengeSet:
    """The examples of a challenge set, a row each; `sources` and `references` are None if the file has none.

    `scores` are those of metrics in the file, by name: (2, examples) of the good and the bad translations.
    """

    path: str
    good: Sequence[str]
    bad: Sequence[str]
    phenomena: Sequence[str]
    pairs: Sequence[str]
    sources: Sequence[str] | None
    references: Sequence[str] | None
    scores: Mapping[str, FloatArray]

    def __len__(self) -> int:
        return len(self.good)

    @property
    def texts(self) -> frozenset[TextKind]:
        """The kinds of texts besides translations."""
        return available_texts(references=self.references is not None, source=self.sources is not None)


def read_challenge_set(path: str) -> ChallengeSet:
    """Read a table (TSV, CSV, JSONL, Parquet or XLSX) of good and bad translations.

    Columns `METRIC-good` and `METRIC-bad`, as ACES's tool writes them, are scores of metrics.

    Raises
    ------
    InputError
        If a column is missing, or there is no example.
    """
    table = open_table(path)
    if not len(table):
        raise InputError(f"{path} has no examples: it is empty")
    return ChallengeSet(
        path,
        table.plain_values(_require(table, _GOOD)),
        table.plain_values(_require(table, _BAD)),
        _optional(table, _PHENOMENON) or ["all"] * len(table),
        _optional(table, _PAIR) or [""] * len(table),
        _optional(table, _SOURCE),
        _optional(table, _REFERENCE),
        _read_scores(table),
    )


def _find(table: TextTable, names: Sequence[str]) -> str | None:
    return next((name for name in names if name in table.names), None)


def _optional(table: TextTable, names: Sequence[str]) -> list[str] | None:
    found = _find(table, names)
    return None if found is None else table.plain_values(found)


def _require(table: TextTable, names: Sequence[str]) -> str:
    found = _find(table, names)
    if found is None:
        raise InputError(f"{table.path} has no column {' or '.join(names)}; it has: {', '.join(table.names)}")
    return found


def _read_scores(table: TextTable) -> dict[str, FloatArray]:
    found = {}
    for name in table.names:
        metric = name.removesuffix(_GOOD_SCORE)
        if metric != name and f"{metric}{_BAD_SCORE}" in table.names:
            found[metric] = np.array([_numbers(table, name), _numbers(table, f"{metric}{_BAD_SCORE}")])
    return found


def _numbers(table: TextTable, name: str) -> list[float]:
    texts = table.plain_values(name)
    values = [parse_score(text) for text in texts]
    if None in values:
        row = values.index(None)
        raise InputError(f"{table.path}#{name}: {table.place(row)} is {describe_score(texts[row])}")
    return [value for value in values if value is not None]
