"""Word vectors: files in several formats, the tables in the package, and contextual vectors."""

from tertium.resources.vectors.loading import default_vectors, load_vectors

__all__ = ["default_vectors", "load_vectors"]
