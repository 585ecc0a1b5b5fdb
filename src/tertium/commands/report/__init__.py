"""One page with scores, tests, charts and every segment."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Report",
    4,
    (
        CommandEntry(
            "report",
            "Write one page with scores, tests, charts and every segment.",
            "report:ReportRequest",
            "command_line:ReportCommand",
        ),
    ),
)
