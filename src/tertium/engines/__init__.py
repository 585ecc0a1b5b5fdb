"""Where statistics are computed: this machine's threads, or a cluster."""

from tertium.engines.local import PreparedCorpus, evaluate

__all__ = ["PreparedCorpus", "evaluate"]
