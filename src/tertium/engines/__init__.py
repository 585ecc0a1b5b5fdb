"""Engines: statistics are computed on the threads of this machine, or on a cluster.

An *engine* calls a function on items, in this process or on the workers of a cluster. A *plan* is how a text is divided into *parts*, ranges
of segments that are read, scored and summed one by one. A *batch* is a range of segments that one thread computes. A *job* is a part with
the recipe of its metrics; a worker returns its sums. A *checkpoint* is a finished part in a folder, with which a stopped run continues.
"""

from tertium.engines.engine import PreparedCorpus
from tertium.engines.pipeline import evaluate

__all__ = ["PreparedCorpus", "evaluate"]
