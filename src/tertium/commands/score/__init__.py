"""Score systems on one test set or on many."""

from tertium.commands import CommandEntry, Family

FAMILY = Family(
    "Score",
    1,
    (
        CommandEntry(
            "score", "Score systems against references.", "score:ScoreRequest", "command_line:ScoreCommand"
        ),
        CommandEntry(
            "score-sets",
            "Score systems on many test sets; 'tertium score FOLDER' is short for it.",
            "score_sets:ScoreSetsRequest",
            "command_line:ScoreSetsCommand",
        ),
    ),
)
