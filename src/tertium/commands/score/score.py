"""Score."""

from typing import TYPE_CHECKING

from tertium.commands.base.request import function_of
from tertium.commands.base.scoring import ScoreRequest

if TYPE_CHECKING:
    pass


score = function_of("score", ScoreRequest)
