"""`tertium.score`: texts or files in, scores with intervals and tests out."""

from tertium.commands.base.request import function_of
from tertium.commands.base.scoring import ScoreRequest

score = function_of("score", ScoreRequest)
