"""Explanations of metrics over trees: the reference's tree, and what became of each part of it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tertium.types import Explanation, TokenColumn, TreeColumn

__all__ = ["explain_chains", "explain_ngrams"]

ScoredNgram = tuple[tuple[str, tuple[int, ...]], float]

_JOINTS = {"word": " ", "chain": " > ", "structure": " "}


def explain_ngrams(
    metric: str,
    score: float,
    *,
    hypothesis: Sequence[str],
    reference: Sequence[str],
    trees: TreeColumn,
    ngrams: Sequence[ScoredNgram],
) -> Explanation:
    """Account for dependency n-grams: the tree, then the longer n-grams that match and those that do not."""
    kept = {positions[0] for (kind, positions), value in ngrams if kind == "word" and value > 0}
    longer = [(kind, positions, value) for (kind, positions), value in ngrams if kind != "word"]
    steps = [
        "reference tree (+ marks words with a match):",
        *_render_tree(reference, trees, 0, kept),
        "matched:",
        *(_line(kind, at, reference, value) for kind, at, value in longer if value > 0),
        "not matched:",
        *(_line(kind, at, reference, value) for kind, at, value in longer if value == 0),
    ]
    return Explanation(
        metric,
        hypothesis,
        reference,
        score,
        steps=steps,
        facts=_facts(ngrams),
        heads=_heads(trees, 0),
        ngrams=[(kind, tuple(at), float(value)) for (kind, at), value in ngrams],
    )


def explain_chains(
    metric: str, score: float, tokens: TokenColumn, words: TokenColumn, trees: TreeColumn, *, order: int
) -> Explanation:
    """Account for headword chains: both trees and the chains they share; text 0 is the hypothesis."""
    chains = [_chains(words.words(i), _heads(trees, i), order) for i in (0, 1)]
    shared = chains[0] & chains[1]
    known = {chain[0] for chain in shared if len(chain) == 1}
    shown = [tokens.words(i) for i in (0, 1)]
    steps: list[str] = []
    for i, title in enumerate(("hypothesis", "reference")):
        marked = {at for at, word in enumerate(words.words(i)) if word in known}
        steps += [f"{title} tree (+ marks words of both):", *_render_tree(shown[i], trees, i, marked)]
    steps.append("shared chains:")
    steps += [f"  {' > '.join(chain)}" + (f" ({n} times)" if n > 1 else "") for chain, n in shared.items()]
    facts: dict[str, float | str] = {}
    for n in range(1, order + 1):
        facts[f"shared chains of {n}"] = float(sum(v for chain, v in shared.items() if len(chain) == n))
        facts[f"hypothesis chains of {n}"] = float(
            sum(v for chain, v in chains[0].items() if len(chain) == n)
        )
    return Explanation(metric, shown[0], shown[1], score, steps=steps, facts=facts)


def _chains(words: Sequence[str], heads: Sequence[int], order: int) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for bottom in range(len(words)):
        path: tuple[str, ...] = ()
        at = bottom
        while at != -1 and len(path) < order:
            path = (words[at], *path)
            found[path] += 1
            at = heads[at]
    return found


def _heads(trees: TreeColumn, i: int) -> list[int]:
    heads: list[int] = trees.heads[trees.offsets[i] : trees.offsets[i + 1]].tolist()
    return heads


def _render_tree(words: Sequence[str], trees: TreeColumn, i: int, marked: set[int]) -> Iterator[str]:
    """Write text i's tree: a word per line, indented below its head."""
    children: dict[int, list[int]] = {}
    for word, head in enumerate(_heads(trees, i)):
        children.setdefault(head, []).append(word)
    waiting = [(word, 1) for word in reversed(children.get(-1, []))]
    while waiting:
        word, depth = waiting.pop()
        relation = trees.relations[int(trees.offsets[i]) + word] or "dep"
        mark = "+" if word in marked else "-"
        yield f"{'  ' * depth}{mark} {words[word]} ({relation}, {word + 1})"
        waiting += [(child, depth + 1) for child in reversed(children.get(word, []))]


def _line(kind: str, positions: tuple[int, ...], words: Sequence[str], value: float) -> str:
    return f"  {kind} {_JOINTS[kind].join(words[at] for at in positions)}: {value:.3f}"


def _facts(ngrams: Sequence[ScoredNgram]) -> dict[str, float | str]:
    facts: dict[str, float | str] = {}
    for kind in ("word", "chain", "structure"):
        values = [value for (each, _), value in ngrams if each == kind]
        facts[f"{kind}s"] = float(len(values))
        facts[f"{kind}s matched"] = sum(values)
    return facts
