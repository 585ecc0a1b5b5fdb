"""Metrics over word vectors. A file whose name begins with _ is not a metric."""
