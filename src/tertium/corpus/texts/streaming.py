"""A corpus of any size, read some segments at a time, so that memory does not grow with it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace

from tertium.corpus.texts.assembly import check_inputs, read_corpus
from tertium.corpus.texts.batches import BatchReader, Plan
from tertium.corpus.texts.formats import check_is_table, is_streamed
from tertium.corpus.texts.shard_rows import ShardRows
from tertium.errors import OptionError
from tertium.files.shards import Shards, find_shards, match_shards, single_file
from tertium.types import Corpus

__all__ = ["must_be_whole", "plan_texts", "stream_corpus"]


def stream_corpus(
    references: Sequence[str],
    systems: Sequence[tuple[str | None, str]],
    source: str | None = None,
    *,
    columns: str | None = None,
    batch_size: int = 50_000,
) -> Iterator[Corpus]:
    """Read a corpus in batches of at most `batch_size` segments, each a corpus of its own, in order.

    Arguments, checks and errors are those of `read_corpus`. An address may also name many files, the
    shards of a text: `FOLDER`, or a pattern with `*`, `?` or `[`, each also with `#COLUMN`. The shards of
    all such addresses must have the same names and lengths, and a batch ends where a shard does. That
    files have different lengths is found only at the end, when the batches before were given already.

    A table's own column that holds a list or an object in some batch is missing from that batch. SGML and
    XML files are read as a whole.

    Raises
    ------
    InputError
        If a file cannot be read or the files do not fit together, now or while the batches are read.
    """
    if batch_size < 1:
        raise OptionError(f"batch_size must be at least 1, not {batch_size}")
    plan = plan_texts(references, systems, source, columns=columns)
    if must_be_whole(plan):
        return _cut(read_corpus(references, systems, source, columns=columns), batch_size)
    return _read_batches(plan, batch_size)


def plan_texts(
    references: Sequence[str],
    systems: Sequence[tuple[str | None, str]],
    source: str | None = None,
    *,
    columns: str | None = None,
) -> Plan:
    """Find the files of a corpus, and what its systems are called, without reading any text."""
    found = {text: find_shards(text) for text in check_inputs(references, systems, source)}
    if columns is not None:
        check_is_table(columns)
    names = [(found[text].name if name is None else name, text) for name, text in systems]
    return Plan(list(references), names, source, columns, _match(found))


def must_be_whole(plan: Plan) -> bool:
    """Whether some file can only be read as a whole, as SGML and XML are."""
    parts = plan.shards.values()
    is_sharded = any(each.is_sharded for each in parts)
    return not is_sharded and not all(is_streamed(each.address.path) for each in parts)


def _match(found: Mapping[str, Shards]) -> dict[str, Shards]:
    sharded = {text: each for text, each in found.items() if each.is_sharded}
    return {**found, **dict(zip(sharded, match_shards(list(sharded.values())), strict=True))}


def _read_batches(plan: Plan, batch_size: int) -> Iterator[Corpus]:
    with ExitStack() as stack:
        rows = {each.address.path: ShardRows(each) for each in plan.shards.values()}
        described = None if plan.columns is None else ShardRows(single_file(plan.columns))
        for each in [*rows.values(), *([] if described is None else [described])]:
            stack.enter_context(closing(each))
        yield from BatchReader(plan, rows, described).batches(batch_size)


def _cut(corpus: Corpus, batch_size: int) -> Iterator[Corpus]:
    for start in range(0, len(corpus), batch_size):
        part = slice(start, start + batch_size)
        yield replace(
            corpus,
            references=corpus.references[part],
            systems={name: texts[part] for name, texts in corpus.systems.items()},
            sources=None if corpus.sources is None else corpus.sources[part],
            segment_ids=None if corpus.segment_ids is None else corpus.segment_ids[part],
            document_ids=None if corpus.document_ids is None else corpus.document_ids[part],
            columns={name: values[part] for name, values in corpus.columns.items()},
        )
