"""WordNet's tables, searched by the compiled core."""

from tertium._core import WordNet as WordNetTable

__all__ = ["WordNetTable"]
