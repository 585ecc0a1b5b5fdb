"""Human judgments in files: segment and system scores, rankings, MQM errors, and metrics' score files."""
