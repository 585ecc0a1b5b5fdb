"""Scores of systems on one test set or on many."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Score",
    1,
    (
        CommandEntry(
            "score",
            "Score systems against references, on one test set or on many.",
            "score:ScoreRequest",
            "command_line:ScoreCommand",
        ),
    ),
    names={"score_sets": "score:score_sets"},
)
