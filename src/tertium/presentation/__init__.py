"""Presentation of results: tables, charts and the HTML page."""
