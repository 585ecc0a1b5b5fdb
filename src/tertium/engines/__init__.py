"""Engines: statistics are computed on the threads of this machine, or on a cluster."""

from tertium.engines.engine import PreparedCorpus
from tertium.engines.pipeline import evaluate

__all__ = ["PreparedCorpus", "evaluate"]
