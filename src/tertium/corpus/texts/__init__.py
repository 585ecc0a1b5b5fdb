"""Texts in files: plain text, TSV, JSONL, Parquet, SGML and WMT XML."""
