"""Corpora in files: plain text, gzip, xz, TSV, JSONL, Parquet, SGML and WMT XML; path in, types out."""

from tertium.corpus.texts.assembly import count_systems, read_corpus, read_outputs
from tertium.corpus.texts.formats import read_table
from tertium.corpus.texts.patterns import CorpusFiles, expand_paths, split_system
from tertium.corpus.texts.segment_columns import read_columns
from tertium.corpus.texts.streaming import plan_texts, stream_corpus
from tertium.files.reading import read_lines

__all__ = [
    "CorpusFiles",
    "count_systems",
    "expand_paths",
    "plan_texts",
    "read_columns",
    "read_corpus",
    "read_lines",
    "read_outputs",
    "read_table",
    "split_system",
    "stream_corpus",
]
