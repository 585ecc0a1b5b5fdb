"""The options of cutting outputs to the segments of the references, which `align` and `score` share."""

from os import PathLike, fspath
from typing import Any

from tertium.alignment.options import CutOptions
from tertium.arguments import describe_value
from tertium.commands.base.request import Opt
from tertium.errors import InputError, argument
from tertium.interfaces import WordVectors

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
