"""`tertium vectors`: convert, look into and train word vectors."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments import write_document
from tertium.report.tables import FORMATS

if TYPE_CHECKING:
    from tertium.resources.vectors.table import WordTable

__all__ = ["command"]

_FORM = click.option(
    "-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="Output format."
)  # fmt: skip


@click.group("vectors")
def command() -> None:
    """Convert, inspect and train word vectors.

    \b
    tertium vectors convert crawl-300d-2M.vec.gz crawl.vectors
    tertium score -r ref.txt -i hyp.txt -m std --vectors crawl.vectors
    tertium vectors similar default holiday
    """  # noqa: D301 - click reads the backspace


@command.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--precision", type=click.Choice(["float32", "float16", "int8"]), default="float32", show_default=True, help="How numbers are kept: 4, 2 or 1 bytes each.")  # fmt: skip
@click.option("--vocabulary", metavar="FILE", help="The words of a NumPy matrix, one per line.")
@click.option("--keep-first", is_flag=True, help="Where a word stands twice, keep its first vector.")
def convert(source: str, target: Path, precision: Any, vocabulary: str | None, *, keep_first: bool) -> None:
    """Make IN a store that opens at once; OUT ending in .txt or .vec is word2vec text."""
    from tertium.resources.vectors.fasttext import FastTextVectors
    from tertium.resources.vectors.loading import open_named, stem_of
    from tertium.resources.vectors.writing import write_vectors

    opened = open_named(source, vocabulary=vocabulary, keeps_first=keep_first)
    write_vectors(target, opened, name=stem_of(Path(source)), precision=precision)
    click.echo(
        f"{target}: {len(opened):,} words, {opened.dimension:,} dimensions, {target.stat().st_size:,} bytes"
    )
    if isinstance(opened, FastTextVectors) and opened.has_grams:
        click.echo(f"tertium: note: {target} has no vectors for unknown words; {source} makes them", err=True)


@command.command("info")
@click.argument("file")
@click.option("--vocabulary", metavar="FILE", help="The words of a NumPy matrix, one per line.")
@click.option("--verify", is_flag=True, help="Read a store's whole content and check it.")
@_FORM
def info(file: str, vocabulary: str | None, form: str, *, verify: bool) -> None:
    """Say what a file of word vectors holds."""
    from tertium.report.vectors import describe_vectors
    from tertium.resources.vectors.store import Store

    table = _load_table(file, vocabulary)
    if verify and isinstance(table.source, Store):
        table.source.verify()
    write_document(describe_vectors(table), form)


@command.command("similar")
@click.argument("file")
@click.argument("word")
@click.option("-n", "--count", type=click.IntRange(min=1), default=10, show_default=True, help="How many words.")  # fmt: skip
@click.option("--vocabulary", metavar="FILE", help="The words of a NumPy matrix, one per line.")
@_FORM
def similar(file: str, word: str, count: int, vocabulary: str | None, form: str) -> None:
    """List the words nearest to WORD by cosine; FILE may be `default`."""
    from tertium.errors import UnknownNameError
    from tertium.report.vectors import describe_neighbours
    from tertium.resources.vectors.neighbours import find_similar

    table = _load_table(file, vocabulary)
    (vector,) = table.vectors([word])
    if vector is None:
        raise UnknownNameError(f"{file} has no vector for {word!r}")
    found = find_similar(table.source, vector, count, without=word)
    write_document(describe_neighbours(found), form)


@command.command("train")
@click.argument("corpus", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))  # fmt: skip
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="A store, or word2vec text if it ends in .txt or .vec.")  # fmt: skip
@click.option("--algorithm", type=click.Choice(["cbow", "skip-gram"]), default="cbow", show_default=True, help="With the settings of Wang & Merlo (2016): 500 dimensions, window 5 (cbow) or 10 (skip-gram).")  # fmt: skip
@click.option("--dimension", type=click.IntRange(min=1), help="Dimensions.  [default: 500]")
@click.option("--window", type=click.IntRange(min=1), help="Words on either side.  [default: 5 or 10]")
@click.option("--min-count", type=click.IntRange(min=1), default=5, show_default=True, help="Leave rarer words out.")  # fmt: skip
@click.option("--epochs", type=click.IntRange(min=1), default=5, show_default=True, help="Passes over the text.")  # fmt: skip
@click.option("--tokenizer", default="13a", show_default=True, help="How text is cut into words.")
@click.option("--keep-case", is_flag=True, help="Do not lowercase.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed; repeatable with one thread.")  # fmt: skip
@click.option("-j", "--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Threads.")
def train(corpus: tuple[Path, ...], output: Path, **given: Any) -> None:
    """Train word2vec on CORPUS, a sentence per line, .gz or not."""
    from tertium.resources.vectors.training import PRESETS, train_vectors
    from tertium.resources.vectors.writing import write_vectors

    preset = vars(PRESETS[given.pop("algorithm")])
    lowercase = not given.pop("keep_case")
    chosen = {name: value for name, value in given.items() if value is not None}
    vectors = train_vectors(corpus, **{**preset, **chosen}, lowercase=lowercase)
    write_vectors(output, vectors, name=output.stem)
    click.echo(f"{output}: {len(vectors):,} words, {vectors.dimension:,} dimensions")


def _load_table(file: str, vocabulary: str | None) -> "WordTable":
    from tertium.errors import OptionError
    from tertium.resources.vectors import load_vectors
    from tertium.resources.vectors.table import WordTable

    table = load_vectors(file, vocabulary=vocabulary)
    if not isinstance(table, WordTable):
        raise OptionError(
            f"{file}: contextual vectors are made for sentences; there is no table to look into"
        )
    return table
