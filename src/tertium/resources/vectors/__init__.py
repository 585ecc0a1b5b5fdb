"""Word vectors: files of many formats, our own store, the default English table, contextual vectors."""

from tertium.resources.vectors.loading import default_vectors, load_vectors

__all__ = ["default_vectors", "load_vectors"]
