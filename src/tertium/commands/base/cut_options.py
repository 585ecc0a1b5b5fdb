"""The options of cutting outputs to the segments of the references, which `align` and `score` share."""

from functools import cached_property
from os import PathLike, fspath
from typing import Annotated, Any, Literal

from tertium.alignment.options import CutOptions, TokenKind
from tertium.arguments import describe_value
from tertium.commands.base.request import Opt, options_of
from tertium.errors import InputError, OptionError, argument
from tertium.interfaces import WordVectors
from tertium.records import record

TOKENS = Opt(
    "The tokens that are compared to cut outputs: words and punctuation marks (characters in scripts without spaces),"
    " strings between spaces, or characters.",
    "Input",
    in_parts=False,
    is_recorded=True,
)
CASE = Opt(
    "Distinguish upper and lower case when outputs are cut.", "Input", in_parts=False, is_recorded=True
)
BOUNDARIES = Opt(
    "Cost in edits of a cut in the middle of a sentence where the reference has a sentence end; other unlikely places"
    " cost less. With 0, boundaries only decide between equal numbers of edits (AS-WER).",
    "Input",
    metavar="X",
    least=0,
    in_parts=False,
    is_recorded=True,
)
SIMILAR = Opt(
    "Let the substitution of similar words cost less than one edit: 'spelling', or word vectors ('english',"
    " 'multilingual' or a file).",
    "Input",
    metavar="NAME|FILE",
    in_parts=False,
    is_recorded=True,
)
CONSENSUS = Opt(
    "With several references, cut to each of them and take the median of the cuts. By default, the closest reference of"
    " each segment counts.",
    "Input",
    in_parts=False,
    is_recorded=True,
)

Similar = str | PathLike[str] | WordVectors | None
"""A value of the option `similar`."""


def make_cut_options(*, similar: Similar, **options: Any) -> CutOptions:
    """Make the options of a cut from those of a command; word vectors are loaded."""
    if similar is None or (isinstance(similar, str) and similar == "spelling"):
        return CutOptions(**options, spelling=similar is not None)
    if isinstance(similar, str | PathLike):
        from tertium.resources.vectors import load_vectors  # few outputs need them

        similar = load_vectors(fspath(similar))
    if not isinstance(similar, WordVectors):
        raise InputError(
            f"{argument('similar')} must be 'spelling' or word vectors, not {describe_value(similar)}"
        )
    return CutOptions(**options, vectors=similar)


ANY_LINES = Opt(
    "Outputs of the systems, with any line breaks.",
    "Input",
    flags=("-i", "--hyp"),
    metavar="[NAME=]FILE",
    is_many=True,
    python="In Python: the lines of one system, of several systems by name, or paths.",
)


DOCUMENTS = Opt(
    "Column with the document of each line, in references and outputs; 'blank' if blank lines separate documents,"
    " 'none' to ignore documents.",
    "Input",
    metavar="COLUMN",
    default="document, doc_id or the ids of XML, if there are any",
    in_parts=False,
    is_recorded=True,
)


@record(kw_only=True, repr=False, eq=False)
class CutOptionFields:
    """Whether outputs are cut to the segments of the references, how, and what is scored."""

    align: Annotated[
        bool,
        Opt(
            "Cut outputs with other line breaks to the segments of the references, as 'tertium align' does.",
            "Input",
            in_parts=False,
            is_recorded=True,
        ),
    ] = False
    align_tokens: Annotated[TokenKind, TOKENS] = CutOptions.tokens
    align_case: Annotated[bool, CASE] = CutOptions.case
    align_boundaries: Annotated[float, BOUNDARIES] = CutOptions.boundaries
    align_similar: Annotated[Similar, SIMILAR] = None
    align_consensus: Annotated[bool, CONSENSUS] = CutOptions.consensus
    documents: Annotated[str | None, DOCUMENTS] = None
    unit: Annotated[
        Literal["segment", "document"],
        Opt("Score segments, or whole documents.", "Input", in_parts=False, is_recorded=True),
    ] = "segment"

    def check_cuts(self) -> None:
        """Raise on options of cuts if outputs are not cut."""
        given = (
            each.name
            for each in options_of(CutOptionFields)
            if each.name.startswith("align_") and not each.is_default(getattr(self, each.name))
        )
        if not self.align and (name := next(given, None)) is not None:
            raise OptionError(f"{argument(name)} requires {argument('align')}")

    @cached_property
    def cut_options(self) -> CutOptions:
        return make_cut_options(
            tokens=self.align_tokens,
            case=self.align_case,
            boundaries=self.align_boundaries,
            similar=self.align_similar,
            consensus=self.align_consensus,
        )

    @property
    def text_facts(self) -> tuple[tuple[str, str], ...]:
        """The facts about cuts and units for the signatures of metrics."""
        align = (("align", self.cut_options.signature),) if self.align else ()
        return align if self.unit == "segment" else (*align, ("unit", self.unit))
