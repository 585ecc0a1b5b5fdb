"""Corpora in files: plain text, gzip, xz, TSV, JSONL, Parquet, SGML and WMT XML; path in, types out."""

from tertium.corpus.texts.assembly import read_corpus
from tertium.corpus.texts.formats import read_table
from tertium.corpus.texts.lines import read_lines
from tertium.corpus.texts.patterns import CorpusFiles, expand_paths, split_system

__all__ = ["CorpusFiles", "expand_paths", "read_corpus", "read_lines", "read_table", "split_system"]
