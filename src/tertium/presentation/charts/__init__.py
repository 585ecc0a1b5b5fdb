"""Charts: plain numbers in, a Vega-Lite specification out, for files, pages and notebooks."""
