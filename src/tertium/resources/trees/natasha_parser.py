"""The Russian parser of the package natasha: its tagger and parser (slovnet) with its vectors (navec)."""

import importlib.util
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tertium.errors import MissingExtraError
from tertium.records import record
from tertium.resources.trees.parses import CachedTrees, Parse, Sentence
from tertium.resources.trees.spacy_models import NATASHA, Model

_FILES = {
    "embedding": "emb/navec_news_v1_1B_250K_300d_100q.tar",
    "tags": "model/slovnet_morph_news_v1.tar",
    "heads": "model/slovnet_syntax_news_v1.tar",
}


@record
class NatashaTrees(CachedTrees):
    """Parses Russian with natasha. The lemma of a token is the token in lower case."""

    def _run(self, sentences: Sequence[Sentence]) -> Iterator[Parse]:
        tagger, parser = _load_models()
        texts = [list(words) for words in sentences]
        for words, tags, tree in zip(texts, tagger.map(texts), parser.map(texts), strict=True):
            yield Parse(
                untangle_heads([int(token.head_id) - 1 for token in tree.tokens]),
                [word.lower() for word in words],
                [token.pos for token in tags.tokens],
                [token.rel for token in tree.tokens],
            )


def find_natasha() -> Model:
    """Find the installed package.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    if importlib.util.find_spec(NATASHA) is None:
        raise MissingExtraError("the Russian parser natasha is not installed: pip install natasha")
    digest = sha256()
    for path in _model_files().values():
        digest.update(path.read_bytes())
    return Model(NATASHA, version(NATASHA), digest.hexdigest(), "ru")


def untangle_heads(heads: Sequence[int]) -> list[int]:
    """Turn heads that were predicted independently into a tree with one root (-1) and no cycles.

    The root is the first root, or the first token if there is none. All other roots and the first token of
    every cycle are attached to it.

    >>> untangle_heads([1, -1, -1, 4, 3])
    [1, -1, 1, 1, 3]
    """
    root = heads.index(-1) if -1 in heads else 0
    tree = [root if head in (-1, i) else head for i, head in enumerate(heads)]
    tree[root] = -1
    for start in range(len(tree)):
        if _is_in_cycle(tree, start):
            tree[start] = root
    return tree


def _is_in_cycle(tree: Sequence[int], start: int) -> bool:
    token = tree[start]
    for _ in tree:
        if token in (-1, start):
            break
        token = tree[token]
    return token == start


def _model_files() -> dict[str, Path]:
    spec = importlib.util.find_spec(NATASHA)
    folder = Path(spec.origin or "").parent / "data" if spec is not None else Path()
    return {name: folder / place for name, place in _FILES.items()}


@cache
def _load_models() -> tuple[Any, Any]:
    # natasha itself is not imported, because its morphological dictionary does not run on newer Pythons.
    from navec import Navec  # noqa: PLC0415 - an optional package
    from slovnet import Morph, Syntax  # noqa: PLC0415

    files = _model_files()
    embedding = Navec.load(files["embedding"])
    tagger, parser = Morph.load(files["tags"]), Syntax.load(files["heads"])
    tagger.navec(embedding)
    parser.navec(embedding)
    return tagger, parser
