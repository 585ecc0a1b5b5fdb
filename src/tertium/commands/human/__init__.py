"""Human evaluation: judgments ranked and examined, and segments chosen for judges."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "People",
    5,
    (
        CommandEntry(
            "human",
            "Rank systems by human judgments, examine raters and errors, or plan a campaign.",
            "human:HumanRequest",
        ),
        CommandEntry(
            "select",
            "Choose segments for human evaluation under a budget.",
            "selection:SelectRequest",
            "command_line:SelectCommand",
        ),
    ),
)
