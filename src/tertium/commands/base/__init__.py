"""One module per command: its declared options, the Python function and the result."""
