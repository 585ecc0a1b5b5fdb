"""CoNLL-U: trees that the user has, read with every check, and the trees of a parser written out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tertium.errors import ResourceError
from tertium.files.line_streams import open_text
from tertium.files.paths import show_path
from tertium.resources.trees.parses import Parse
from tertium.types import TokenColumn, TreeColumn

__all__ = ["Sentence", "read_conllu", "render_conllu"]

_COLUMNS = 10


@dataclass(frozen=True)
class Sentence:
    """A sentence of a file: where it stands, its words and its tree."""

    path: str
    number: int
    line: int
    words: tuple[str, ...]
    parse: Parse

    @property
    def place(self) -> str:
        return f"{self.path}, sentence {self.number:,} (line {self.line:,})"


def read_conllu(path: str) -> list[Sentence]:
    """Read a CoNLL-U file (plain, gzip or xz); ranges and empty nodes are passed over.

    Raises
    ------
    ResourceError
        If the file cannot be read, a line is malformed, or a sentence is no tree with one root.
    """
    with open_text(path, error=ResourceError) as lines:
        return [
            _read_sentence(show_path(path), number, rows)
            for number, rows in enumerate(_blocks(lines), start=1)
        ]


def render_conllu(tokens: TokenColumn, trees: TreeColumn, texts: Sequence[str]) -> Iterator[str]:
    """Write every sentence that has a token; `sent_id` is the number of its text."""
    for i, text in enumerate(texts):
        words = tokens.words(i)
        if not words:
            continue
        first = int(trees.offsets[i])
        comment = " ".join(text.split())
        rows = (
            _render_token(number, word, trees, first + number - 1)
            for number, word in enumerate(words, start=1)
        )
        yield f"# sent_id = {i + 1}\n# text = {comment}\n" + "".join(rows) + "\n"


def _render_token(number: int, word: str, trees: TreeColumn, at: int) -> str:
    head = int(trees.heads[at]) + 1
    relation = "root" if head == 0 else trees.relations[at] or "_"
    fields = (
        number,
        word,
        trees.lemmas[at] or "_",
        trees.tags[at] or "_",
        "_",
        "_",
        head,
        relation,
        "_",
        "_",
    )
    return "\t".join(map(str, fields)) + "\n"


def _blocks(lines: Iterable[str]) -> Iterator[list[tuple[int, str]]]:
    """The token lines of each sentence with their numbers in the file."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            block.append((number, line))
        elif not line.strip() and block:
            yield block
            block = []
    if block:
        yield block


def _read_sentence(path: str, number: int, rows: Sequence[tuple[int, str]]) -> Sentence:
    place = f"{path}, sentence {number:,}"
    tokens = []
    for line, row in rows:
        fields = row.split("\t")
        if len(fields) != _COLUMNS:
            raise ResourceError(
                f"{place}, line {line:,}: {len(fields)} columns, but CoNLL-U has {_COLUMNS} between tabs"
            )
        if not any(mark in fields[0] for mark in "-."):
            tokens.append((line, fields))
    heads = [_read_head(place, line, fields, i, len(tokens)) for i, (line, fields) in enumerate(tokens)]
    _check_tree(f"{place} (line {rows[0][0]:,})", heads)
    words = tuple(fields[1] for _, fields in tokens)
    lemmas = [fields[2] if fields[2] != "_" else fields[1] for _, fields in tokens]
    parse = Parse(heads, lemmas, [fields[3] for _, fields in tokens], [fields[7] for _, fields in tokens])
    return Sentence(path, number, rows[0][0], words, parse)


def _read_head(place: str, line: int, fields: Sequence[str], index: int, n_tokens: int) -> int:
    if fields[0] != str(index + 1):
        raise ResourceError(f"{place}, line {line:,}: token {index + 1} expected, not {fields[0]!r}")
    head = fields[6]
    if not (head.isascii() and head.isdigit() and len(head) < 10 and int(head) <= n_tokens):
        raise ResourceError(f"{place}, line {line:,}: the head must be 0 to {n_tokens}, not {head!r}")
    return int(head) - 1


def _check_tree(place: str, heads: Sequence[int]) -> None:
    if (roots := heads.count(-1)) != 1:
        raise ResourceError(f"{place}: {roots or 'no'} roots, but a tree has exactly one")
    safe = {heads.index(-1)}
    for start in range(len(heads)):
        path: dict[int, None] = {}
        at = start
        while at not in safe and at not in path:
            path[at] = None
            at = heads[at]
        if at in path:
            raise ResourceError(f"{place}: token {at + 1} hangs under itself (a cycle)")
        safe |= path.keys()
