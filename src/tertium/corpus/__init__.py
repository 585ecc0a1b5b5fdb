"""Readers of corpora and human judgments: text, tables, XML and SGML, also compressed."""

from tertium.corpus.texts.assembly import (
    CorpusFiles,
    UnalignedOutput,
    count_systems,
    expand_names,
    expand_paths,
    read_corpus,
    read_outputs,
    read_unaligned,
)
from tertium.corpus.texts.formats import read_columns, read_table
from tertium.corpus.texts.streaming import plan_texts, stream_corpus
from tertium.files.reading import read_lines

__all__ = [
    "CorpusFiles",
    "UnalignedOutput",
    "count_systems",
    "expand_names",
    "expand_paths",
    "plan_texts",
    "read_columns",
    "read_corpus",
    "read_lines",
    "read_outputs",
    "read_table",
    "read_unaligned",
    "stream_corpus",
]
