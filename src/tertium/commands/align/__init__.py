"""Texts that do not line up."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Align",
    7,
    (
        CommandEntry(
            "align",
            "Cut outputs with other line breaks to the references' segments, or align sentences.",
            "align:AlignRequest",
            "command_line:AlignCommand",
        ),
    ),
)
