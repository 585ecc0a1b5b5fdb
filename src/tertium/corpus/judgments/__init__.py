"""Readers of human judgments (segment and system scores, rankings, MQM errors) and of files of metric scores."""
