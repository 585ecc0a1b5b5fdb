"""`tertium show` and `rerun`: tables of a run, and a run that is computed again."""

from typing import Any

from tertium.api.runs import RerunRequest, ShowRequest
from tertium.cli.commands import SignedTableCommand, TableCommand
from tertium.records import record


@record(kw_only=True)
class ShowCommand(SignedTableCommand):
    """A table of a run."""

    request = ShowRequest

    def make_request(self, **values: Any) -> ShowRequest:
        self.check_full(is_full=values["full"])
        shows_systems = values["table"] != "segments" and values["by"] is None
        return ShowRequest(**values, tests_pairs=None if self.is_human_readable and shows_systems else False)


@record(kw_only=True)
class RerunCommand(TableCommand):
    """A run, computed again."""

    request = RerunRequest
