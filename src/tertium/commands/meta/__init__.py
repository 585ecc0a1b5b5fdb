"""Metrics compared with human judgments, and tuned for agreement with them."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Metrics against people",
    6,
    (
        CommandEntry(
            "meta",
            "Measure how well metrics agree with human judgments.",
            "meta:MetaRequest",
            "command_line:MetaCommand",
        ),
        CommandEntry(
            "tune",
            "Search a metric's options for agreement with human judgments, or show it over one option.",
            "tune:TuneRequest",
            "command_line:TuneCommand",
        ),
    ),
)
