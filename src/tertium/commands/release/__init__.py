"""Runs that were saved, and decisions between them: shown, computed again, gated, planned, followed over releases."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Release",
    3,
    (
        CommandEntry(
            "show",
            "Show a table of a run that 'tertium score --save' wrote.",
            "show:ShowRequest",
            "command_line:ShowCommand",
        ),
        CommandEntry(
            "rerun",
            "Compute a run again and report what changed and why.",
            "rerun:RerunRequest",
            "command_line:RerunCommand",
        ),
        CommandEntry(
            "gate",
            "Check whether a new system may replace the one in use.",
            "gate:GateRequest",
            "command_line:GateCommand",
        ),
        CommandEntry(
            "history",
            "Show the scores of a system over releases.",
            "history:HistoryRequest",
            "command_line:HistoryCommand",
        ),
        CommandEntry(
            "plan",
            "Estimate how many segments a difference needs.",
            "plan:PlanRequest",
            "command_line:PlanCommand",
        ),
    ),
    names={"open_run": "show:open_run"},
)
