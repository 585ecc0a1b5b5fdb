"""Minimum Bayes risk decoding."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Decode",
    8,
    (
        CommandEntry(
            "mbr",
            "Choose the best of many candidate translations.",
            "mbr:MBRRequest",
            "command_line:MBRCommand",
        ),
    ),
    names={"pairwise": "mbr:pairwise"},
)
