"""Texts that do not line up."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Align",
    7,
    (
        CommandEntry(
            "align",
            "Cut outputs with other line breaks to the segments of the references.",
            "align:AlignRequest",
            "command_line:AlignCommand",
        ),
        CommandEntry(
            "sentences",
            "Count merged, split, dropped, added and moved sentences.",
            "sentences:SentencesRequest",
            "command_line:SentencesCommand",
        ),
    ),
)
