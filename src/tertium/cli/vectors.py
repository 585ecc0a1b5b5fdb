"""`tertium vectors`: convert, look into and train word vectors."""

from pathlib import Path
from typing import Any, Literal

import click

from tertium.cli.output import Output, output_options, tell_notes

__all__ = ["command"]

_VOCABULARY = click.option("--vocabulary", metavar="FILE", help="The words of a NumPy matrix, one per line.")


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
@_VOCABULARY
@click.option("--keep-first", is_flag=True, help="Where a word stands twice, keep its first vector.")
def convert(
    source: str,
    target: Path,
    precision: Literal["float32", "float16", "int8"],
    vocabulary: str | None,
    *,
    keep_first: bool,
) -> None:
    """Make IN a store that opens at once; OUT ending in .txt or .vec is word2vec text."""
    from tertium.api.vectors import convert as convert_vectors

    done, note = convert_vectors(
        source, target, precision=precision, vocabulary=vocabulary, keep_first=keep_first
    )
    click.echo(done)
    tell_notes([note] if note else [], quiet=False)


@command.command("info")
@click.argument("file")
@_VOCABULARY
@click.option("--verify", is_flag=True, help="Read a store's whole content and check it.")
@output_options
def info(*, file: str, vocabulary: str | None, verify: bool, output: Output) -> None:
    """Say what a file of word vectors holds."""
    from tertium.api.vectors import info as describe

    output.write(describe(file, vocabulary=vocabulary, verify=verify))


@command.command("similar")
@click.argument("file")
@click.argument("word")
@click.option("-n", "--count", type=click.IntRange(min=1), default=10, show_default=True, help="How many words.")  # fmt: skip
@_VOCABULARY
@output_options
def similar(*, file: str, word: str, count: int, vocabulary: str | None, output: Output) -> None:
    """List the words nearest to WORD by cosine; FILE may be `default`."""
    from tertium.api.vectors import similar as find_similar

    output.write(find_similar(file, word, count=count, vocabulary=vocabulary))


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
def train(
    corpus: tuple[Path, ...],
    output: Path,
    *,
    algorithm: Literal["cbow", "skip-gram"],
    keep_case: bool,
    **options: Any,
) -> None:
    """Train word2vec on CORPUS, a sentence per line, .gz or not."""
    from tertium.api.vectors import train as train_vectors

    click.echo(train_vectors(corpus, output, algorithm=algorithm, lowercase=not keep_case, **options))
