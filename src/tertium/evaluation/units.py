"""The units that intervals and tests resample: whole documents where they are known, otherwise segments.

Segments of one document share its topic, its style and its difficulty, so 200 documents of ten segments tell less than
2,000 independent segments. `choose_units` is the only function that decides the unit.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

from tertium.errors import InputError, UnknownNameError, argument, suggest
from tertium.records import record
from tertium.stats.analysis import DEFAULT_SAMPLES, DOCUMENT, SEGMENT, Analysis, PairedTest
from tertium.values import DOCUMENT_COLUMNS

Columns = Mapping[str, Sequence[str]]

MIN_DOCUMENTS = 6
"""With fewer documents, segments are resampled, unless the user asks for documents."""


MAX_SHUFFLED_SYSTEMS = 30
"""With more systems, exchanging documents between all pairs would take longer than scoring: the bootstrap is the default."""


@record(eq=False)
class Units:
    """The groups of segments that intervals and tests draw, and exchange between systems, as a whole.

    Attributes
    ----------
    name
        "segment", "document", or the column that the user named.
    groups
        The group of each segment; None if segments are resampled.
    reason
        Why segments are resampled although documents are known; empty otherwise.
    is_chosen
        Whether the user named the unit.
    """

    name: str = SEGMENT
    groups: Sequence[Hashable] | None = None
    reason: str = ""
    is_chosen: bool = False

    def take(self, rows: Iterable[int]) -> "Units":
        """Return the units of some segments, chosen by the same rules."""
        if self.groups is None:
            return self
        groups = [self.groups[row] for row in rows]
        return replace(self, groups=groups) if self.is_chosen else _take_documents(groups)

    def count(self, n_segments: int) -> int:
        """Return the number of units."""
        return n_segments if self.groups is None else len(set(self.groups))

    def complete(self, analysis: Analysis, n_systems: int) -> Analysis:
        """Return the analysis with this unit, and with the test of these units if the user chose none.

        Groups are exchanged between systems at random, because the bootstrap of fewer than some hundred documents finds too
        many differences (docs/significance.md).
        """
        labelled = replace(analysis, unit=self.name, unit_reason=self.reason)
        if self.name == SEGMENT or not analysis.is_open or not 1 < n_systems <= MAX_SHUFFLED_SYSTEMS:
            return labelled
        has_samples = analysis.n_samples != DEFAULT_SAMPLES[analysis.test]
        return replace(
            labelled,
            test="randomization",
            n_samples=analysis.n_samples if has_samples else DEFAULT_SAMPLES["randomization"],
        )


def choose_units(columns: Columns, resample: str | None = None, *, test: PairedTest | None = None) -> Units:
    """Choose the unit of intervals and tests: documents wherever a column names them, otherwise segments.

    Parameters
    ----------
    resample
        The user's choice: "segment", "document" or a column; None for none.
    test
        The test of systems; sacreBLEU's draws segments.

    Raises
    ------
    UnknownNameError
        If there is no such column.
    InputError
        If a segment has no value in the column that the user named.

    Examples
    --------
    >>> columns = {"doc_id": ["a", "a", "b", "c", "d", "e", "f"], "topic": list("vvwwxyz")}
    >>> choose_units(columns).name, choose_units(columns, "topic").name, choose_units(columns, "segment").name
    ('document', 'topic', 'segment')
    """
    if resample == SEGMENT:
        return Units(is_chosen=True)
    documents = find_documents(columns)
    if resample is not None:
        column = documents if resample == DOCUMENT and documents else resample
        return Units(
            DOCUMENT if column == documents else column, find_groups(columns, column), is_chosen=True
        )
    if documents is None or test == "sacrebleu-bootstrap":
        return Units()
    return _take_documents(columns[documents])


def choose_units_of_parts(sample: Columns) -> Units:
    """Choose the unit of texts that are scored in parts: segments, because the documents are not kept.

    Parameters
    ----------
    sample
        The columns of the first segments.
    """
    return Units(reason="the texts were scored in parts" if find_documents(sample) else "")


def find_documents(columns: Columns) -> str | None:
    """Return the column that names the documents; None if there is none."""
    return next((column for column in DOCUMENT_COLUMNS if column in columns), None)


def _take_documents(documents: Sequence[Hashable]) -> Units:
    """Return documents as the unit, or segments and the reason if the documents cannot be resampled."""
    if "" in documents:
        return Units(reason=f"segment {documents.index('') + 1:,} has no document")
    n_documents = len(set(documents))
    if n_documents == len(documents):
        return Units()  # each segment is a document of its own
    if n_documents < MIN_DOCUMENTS:
        few = "1 document is" if n_documents == 1 else f"{n_documents} documents are"
        return Units(reason=f"{few} too few to resample")
    return Units(DOCUMENT, documents)


Tested = tuple[Analysis, int]
"""The completed analysis of a test set, and the number of its units."""


def describe_units(tested: Sequence[Tested]) -> str:
    """Describe in one phrase what intervals and tests resample on one or several test sets."""
    if len(tested) == 1:
        return tested[0][0].describe_unit(tested[0][1])
    grouped = [(analysis, n) for analysis, n in tested if analysis.unit != SEGMENT]
    if not grouped:
        return Analysis().describe_unit(0)
    if len(grouped) == len(tested):
        return grouped[0][0].describe_unit(sum(n for _, n in grouped))
    return f"{grouped[0][0].unit}s resampled on {len(grouped)} of {len(tested)} test sets, segments on the others"


def describe_tests(tested: Sequence[Tested]) -> str:
    """Name the tests of all pairs of systems on one or several test sets."""
    return " and ".join(dict.fromkeys(analysis.pair_test for analysis, _ in tested))


def find_column(columns: Columns, name: str) -> Sequence[str]:
    """Find a column of the segments."""
    if name not in columns:
        advice = f"there are no columns; give them with {argument('columns', 'FILE')}"
        known = suggest(name, columns) if columns else advice
        raise UnknownNameError(f"segments have no column {name!r}; {known}")
    return columns[name]


def find_groups(columns: Columns, name: str) -> Sequence[str]:
    """Return the group of each segment; raise if a segment has none."""
    groups = find_column(columns, name)
    if "" in groups:
        raise InputError(
            f"segment {groups.index('') + 1:,} has no {name}, so it belongs to no group; give every segment a value"
        )
    return groups
