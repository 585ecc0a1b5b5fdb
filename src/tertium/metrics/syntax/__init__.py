"""Metrics over dependency trees. A file whose name begins with _ is not a metric."""
