"""Reading and writing of CoNLL-U files, and trees from such files as a resource of metrics."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from hashlib import sha256

from tertium.errors import ResourceError, argument
from tertium.files.line_streams import LineStream
from tertium.files.paths import show_path
from tertium.records import record
from tertium.resources.trees.parses import EMPTY, Parse, make_column
from tertium.values import TokenColumn, TreeColumn

_COLUMNS = 10
_ADVICE = "'tertium parse' writes trees over a metric's tokens (for red and redp, use the tokenizer meteor)"


@record
class Sentence:
    """A sentence of a CoNLL-U file: its place, its words and its tree."""

    path: str
    number: int
    line: int
    words: tuple[str, ...]
    parse: Parse

    @property
    def place(self) -> str:
        return f"{self.path}, sentence {self.number:,} (line {self.line:,})"


def read_conllu(path: str) -> list[Sentence]:
    """Read a CoNLL-U file (plain, gzip or xz); multiword tokens and empty nodes are skipped.

    Raises
    ------
    ResourceError
        If the file cannot be read, a line is malformed, or a sentence is not a tree with one root.
    """
    with LineStream(path, error=ResourceError) as lines:
        return [
            _parse_sentence(show_path(path), number, rows)
            for number, rows in enumerate(_blocks(lines), start=1)
        ]


def render_conllu(tokens: TokenColumn, trees: TreeColumn, texts: Sequence[str]) -> Iterator[str]:
    """Format every text that is not empty as a sentence; `sent_id` is the number of the text, from 1."""
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
    """Yield the token lines of each sentence with their line numbers."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            block.append((number, line))
        elif not line.strip() and block:
            yield block
            block = []
    if block:
        yield block


def _parse_sentence(path: str, number: int, rows: Sequence[tuple[int, str]]) -> Sentence:
    place = f"{path}, sentence {number:,}"
    tokens = []
    for line, row in rows:
        fields = row.split("\t")
        if len(fields) != _COLUMNS:
            raise ResourceError(
                f"{place}, line {line:,}: {len(fields)} columns, but CoNLL-U has {_COLUMNS}, separated by tabs"
            )
        if not any(mark in fields[0] for mark in "-."):
            tokens.append((line, fields))
    heads = [_parse_head(place, line, fields, i, len(tokens)) for i, (line, fields) in enumerate(tokens)]
    _check_tree(f"{place} (line {rows[0][0]:,})", heads)
    words = tuple(fields[1] for _, fields in tokens)
    lemmas = [fields[2] if fields[2] != "_" else fields[1] for _, fields in tokens]
    parse = Parse(heads, lemmas, [fields[3] for _, fields in tokens], [fields[7] for _, fields in tokens])
    return Sentence(path, number, rows[0][0], words, parse)


def _parse_head(place: str, line: int, fields: Sequence[str], index: int, n_tokens: int) -> int:
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
            raise ResourceError(f"{place}: token {at + 1} is its own ancestor (a cycle)")
        safe |= path.keys()


Words = tuple[str, ...]


@record
class SuppliedTrees:
    """Trees from CoNLL-U files. A text gets the tree of the first sentence with the same words.

    If there is a single file and its words differ from the text's (such as brackets or quotation marks), its
    sentences are matched with the references by position. Their numbers and their lengths must be equal, and
    their tokens must have the same letters and digits, ignoring case. If `whole`, a single file must have exactly
    as many sentences as there are references that are not empty.
    """

    paths: tuple[str, ...]
    identity: str
    whole: bool = True
    sentences: tuple[Sentence, ...] = field(default=(), repr=False, compare=False)
    by_words: Mapping[Words, Parse] = field(default_factory=dict, repr=False, compare=False)

    def parse(self, tokens: TokenColumn) -> TreeColumn:
        """Look up the tree of every text."""
        return make_column([self._find(tuple(tokens.words(i))) for i in range(len(tokens))])

    def match_to(self, references: TokenColumn) -> "SuppliedTrees":
        """Return trees that match these references.

        Raises
        ------
        ResourceError
            If a file has more or fewer sentences than the references, or a sentence has different tokens.
        """
        texts = [words for i in range(len(references)) if (words := tuple(references.words(i)))]
        if len(self.paths) == 1 and self.whole:
            self._check_count(texts)
        if len(self.paths) > 1 or all(words in self.by_words for words in texts):
            return self
        if len(self.sentences) != len(texts):
            return self  # parse() names the first text without a tree
        _check_words(self.sentences, texts)
        by_order = {
            words: sentence.parse
            for words, sentence in zip(reversed(texts), reversed(self.sentences), strict=True)
        }
        return replace(self, by_words={**self.by_words, **by_order})

    def _check_count(self, texts: Sequence[Words]) -> None:
        if len(self.sentences) != len(texts):
            first = _first_difference(self.sentences, texts)
            raise ResourceError(
                f"{self.paths[0]} has {len(self.sentences):,} sentences but the references have "
                f"{len(texts):,} that are not empty (first difference: sentence {first:,})"
            )

    def _find(self, words: Words) -> Parse:
        if not words:
            return EMPTY
        if words in self.by_words:
            return self.by_words[words]
        raise ResourceError(
            f"{', '.join(self.paths)}: no tree over the tokens {_quote(words)}; {_ADVICE}, and a metric that compares "
            f"trees also needs those of the outputs (give {argument('trees', 'FILE')} for them too)"
        )


def load_trees(*paths: str, whole: bool = True) -> SuppliedTrees:
    """Read CoNLL-U files with the trees of the references and, for metrics that compare trees, of the outputs."""
    sentences = tuple(sentence for path in paths for sentence in read_conllu(path))
    digest = sha256()
    for sentence in sentences:
        digest.update(repr((sentence.words, sentence.parse)).encode())
    by_words = {sentence.words: sentence.parse for sentence in reversed(sentences)}
    identity = f"conllu[{digest.hexdigest()[:8]}]"
    return SuppliedTrees(tuple(paths), identity, whole, sentences, by_words)


def _check_words(sentences: Sequence[Sentence], texts: Sequence[Words]) -> None:
    for sentence, words in zip(sentences, texts, strict=True):
        if len(sentence.words) != len(words):
            raise ResourceError(
                f"{sentence.place}: {len(sentence.words)} tokens but the reference has {len(words)}: "
                f"{_quote(words)}; {_ADVICE}"
            )
        for number, (theirs, ours) in enumerate(zip(sentence.words, words, strict=True), start=1):
            if _letters(ours) and _letters(theirs) != _letters(ours):
                raise ResourceError(
                    f"{sentence.place}: token {number} is {theirs!r} but the reference has {ours!r}: "
                    f"{_quote(words)}; {_ADVICE}"
                )


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word)).casefold()


def _first_difference(sentences: Sequence[Sentence], texts: Sequence[Words]) -> int:
    shorter = min(len(sentences), len(texts))
    differing = (i + 1 for i in range(shorter) if len(sentences[i].words) != len(texts[i]))
    return next(differing, shorter + 1)


def _quote(words: Words) -> str:
    text = " ".join(words)
    return repr(text if len(text) <= 60 else text[:57] + "...")
