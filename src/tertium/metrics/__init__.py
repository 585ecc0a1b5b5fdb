"""The metrics, a file each in the folder of its family; the file's name is the metric's name."""

from tertium.metrics.base import Metric
from tertium.metrics.options import Option, option

__all__ = ["Metric", "Option", "option"]
