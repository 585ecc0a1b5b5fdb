"""Where two systems differ, and why a segment gets its score."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Compare",
    2,
    (
        CommandEntry(
            "compare",
            "Show where two systems differ.",
            "compare:CompareRequest",
            "command_line:CompareCommand",
        ),
        CommandEntry(
            "segments",
            "Show the worst segments, or others, with their texts.",
            "segments:SegmentsRequest",
            "command_line:SegmentsCommand",
        ),
        CommandEntry(
            "explain",
            "Show why a segment gets its score.",
            "explain:ExplainRequest",
            "command_line:ExplainCommand",
        ),
    ),
)
