"""The section of the HTML report that lists the faults that checks find."""

from itertools import islice

from tertium.commands.report.page.contents import PageContents
from tertium.errors import argument
from tertium.evaluation.faults import Fault, FaultFinder, describe_faulty
from tertium.presentation.tables.fields import Field, make_table
from tertium.presentation.tables.model import Note, Table
from tertium.values import Corpus

_MOST_FAULTS = 500  # the segments of the page show the scores of all others


def make_faults_table(contents: PageContents) -> Table | None:
    """Make the table of all faults with the ids of their segments; None if no check was computed or has texts."""
    if contents.corpus is None:
        return None
    finder = FaultFinder(contents.evaluation, contents.corpus)
    if not finder.checks:
        return None
    faults = list(islice(finder.find_all(), _MOST_FAULTS + 1))
    notes = [
        Note(describe_faulty(check, contents.evaluation, contents.evaluation.systems))
        for check in finder.checks
    ]
    if len(faults) > _MOST_FAULTS:
        where = argument("where", f"'{finder.checks[0].label}<100'")
        notes.append(Note(f"The first {_MOST_FAULTS} faults; tertium segments {where} lists the others."))
    return make_table(
        _fields(contents.corpus), faults[:_MOST_FAULTS], title="Faults that checks found", notes=notes
    )


def _fields(corpus: Corpus) -> list[Field[Fault]]:
    ids = corpus.segment_ids
    return [
        Field("system", is_key=True),
        Field("segment", int, lambda fault: fault.row + 1, form="{}"),
        *([] if ids is None else [Field[Fault]("id", get=lambda fault: ids[fault.row])]),
        Field("check", get=lambda fault: fault.label),
        Field("fault", get=lambda fault: fault.description),
    ]
