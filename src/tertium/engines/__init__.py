"""Where statistics are computed: this machine's threads, or a cluster."""

from tertium.engines.local import evaluate

__all__ = ["evaluate"]
