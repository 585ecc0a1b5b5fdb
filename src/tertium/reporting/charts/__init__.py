"""Charts: plain numbers in, a Vega-Lite specification out, which files, pages and notebooks draw alike."""
