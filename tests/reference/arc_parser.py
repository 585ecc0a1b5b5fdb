"""The tagger and parser as a textbook would write them: whole numbers, one sentence at a time, nothing kept."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Tables", "parse_sentence", "random_tables"]

Tables = Mapping[str, npt.NDArray[Any]]
Numbers = npt.NDArray[np.int64]

WIDTH = 64
MOST = 32 * 256 - 1  # the largest activation
NOBODY = -1
SHIFT, LEFT, RIGHT = range(3)
MASK = (1 << 64) - 1


def hash_key(kind: int, data: bytes) -> int:
    value = ((0xCBF29CE484222325 ^ kind) * 0x100000001B3) & MASK
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & MASK
    value ^= value >> 29
    return (value ^ (value >> 32)) & 0xFFFFFFFF


def shape(word: bytes) -> bytes:
    kinds = b""
    for byte in word:
        letter = bytes([byte])
        if b"A" <= letter <= b"Z":
            kind = b"X"
        elif b"a" <= letter <= b"z":
            kind = b"x"
        elif b"0" <= letter <= b"9":
            kind = b"d"
        else:
            kind = b"u" if byte >= 128 else letter
        if len(kinds) < 8 and not kinds.endswith(2 * kind):
            kinds += kind
    return kinds


def word_keys(word: str) -> list[int]:
    data = word.encode()
    plain = bytes(ord("0") if 48 <= byte <= 57 else byte + 32 if 65 <= byte <= 90 else byte for byte in data)
    keys = [hash_key(1, plain), hash_key(2, shape(data))]
    if plain != data:
        keys.append(hash_key(3, data))
    keys += [hash_key(10 + k, plain[len(plain) - k :]) for k in range(1, 5) if k < len(plain)]
    return keys + [hash_key(20 + k, plain[:k]) for k in range(1, 4) if k < len(plain)]


def parse_sentence(words: Sequence[str], tables: Tables) -> tuple[list[int], list[int], list[int]]:
    """Heads, tags and relations of a sentence; -1 at the root."""
    if not words:
        return [], [], []
    t = {name: table.astype(np.int64) for name, table in tables.items() if name != "keys"}
    states = encode(words, {int(key): i + 2 for i, key in enumerate(tables["keys"])}, t)
    heads = attach(states, t)
    tags = [int(np.argmax(t["tags"] @ state + t["tag_bias"])) for state in states]
    relations = [
        NOBODY
        if head == NOBODY
        else int(np.argmax(t["dependents"] @ states[i] + t["heads"] @ states[head] + t["relation_bias"]))
        for i, head in enumerate(heads)
    ]
    return heads, tags, relations


def encode(words: Sequence[str], rows: Mapping[int, int], t: dict[str, Numbers]) -> list[Numbers]:
    boundary = activate((t["row_bias"] + t["rows"][0]) * 4)
    embedded = [embed(word, rows, t) for word in words]
    padded = [boundary, boundary, *embedded, boundary, boundary]
    states = []
    for i in range(len(words)):
        parts = [np.clip(t["wide"][k] @ padded[i + k] >> 6, -32767, 32767) for k in range(5)]
        states.append(activate(t["wide_bias"] + sum(parts)))
    for weights, bias in zip(t["layers"], t["layer_bias"], strict=True):
        zero = np.zeros(WIDTH, dtype=np.int64)
        around = [zero, *states, zero]
        windows = [np.concatenate(around[i : i + 3]) for i in range(len(states))]
        states = [
            activate((weights @ window + (bias + state) * 64) >> 6)
            for window, state in zip(windows, states, strict=True)
        ]
    return states


def embed(word: str, rows: Mapping[int, int], t: dict[str, Numbers]) -> Numbers:
    keys = word_keys(word)
    numbers = [rows[key] for key in keys if key in rows]
    if keys[0] not in rows:
        numbers.append(1)
    return activate((t["row_bias"] + t["rows"][numbers].sum(axis=0)) * 4)


def activate(sums: Numbers) -> Numbers:
    return np.clip(sums, 0, MOST)


def attach(states: Sequence[Numbers], t: dict[str, Numbers]) -> list[int]:
    n = len(states)
    stack: list[int] = []
    following = 0
    heads = [NOBODY] * n
    made: list[tuple[int, int]] = []  # arcs as (head, child), in the order in which they were made
    while following < n or stack:
        allowed = [following < n, bool(stack) and (following < n or len(stack) == 1), len(stack) >= 2]
        scores = score(states, stack, following, made, t)
        choice = max((k for k in range(3) if allowed[k]), key=lambda k: (scores[k], -k))
        if choice == SHIFT:
            stack.append(following)
            following += 1
            continue
        child = stack.pop()
        head = following if choice == LEFT else stack[-1]
        made.append((head, child))
        heads[child] = NOBODY if head == n else head
    return heads


def score(
    states: Sequence[Numbers],
    stack: list[int],
    following: int,
    made: list[tuple[int, int]],
    t: dict[str, Numbers],
) -> Numbers:
    n = len(states)

    def children(head: int, *, left: bool) -> list[int]:
        return [child for parent, child in made if parent == head != NOBODY and (child < head) == left]

    def last(some: list[int]) -> int:
        return some[-1] if some else NOBODY

    top, below, third = ([NOBODY] * 3 + stack)[-1], ([NOBODY] * 3 + stack)[-2], ([NOBODY] * 3 + stack)[-3]
    words = [
        top, below, third, following, following + 1 if following < n else NOBODY,
        last(children(top, left=True)), last(children(top, left=False)), last(children(below, left=False)),
        last(children(following, left=True)), last(children(below, left=True)),
    ]  # fmt: skip
    counts = [
        distance(top, following),
        8 + distance(below, top),
        16 + min(3, len(children(top, left=True))),
        24 + min(3, len(children(top, left=False))),
        32 + min(3, len(children(following, left=True))),
        40 + min(3, len(children(below, left=False))),
    ]
    limit = 32767 // 17
    total = np.clip(t["hidden_bias"], -limit, limit) + np.clip(t["counts"], -limit, limit)[counts].sum(axis=0)
    for slot, word in enumerate(words):
        if word in (NOBODY, n):
            part = t["nobody" if word == NOBODY else "root"][slot]
        else:
            part = t["slots"][slot] @ states[word] >> 8
        total = total + np.clip(part, -limit, limit)
    scores: Numbers = t["choices"] @ np.maximum(total, 0) + t["choice_bias"]
    return scores


def distance(first: int, second: int) -> int:
    if first == NOBODY:
        return 0
    gap = second - first
    return next((limit for limit in range(1, 5) if gap <= limit), 5 if gap <= 6 else 6 if gap <= 10 else 7)


def random_tables(rng: np.random.Generator, known: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """A parser that learned nothing: random weights, rows for the keys of some words."""
    keys = np.array(sorted({key for word in known for key in word_keys(word)}), dtype=np.uint32)
    n_tags, n_relations, n_layers, n_slots, n_counts = 5, 4, 2, 10, 48

    def weights(*size: int) -> npt.NDArray[Any]:
        return rng.integers(-127, 128, size).astype(np.int8)

    def biases(*size: int) -> npt.NDArray[Any]:
        return rng.integers(-3000, 3000, size).astype(np.int32)

    return {
        "keys": keys, "rows": weights(len(keys) + 2, WIDTH), "row_bias": biases(WIDTH),
        "wide": weights(5, WIDTH, WIDTH), "wide_bias": biases(WIDTH),
        "layers": weights(n_layers, WIDTH, 3 * WIDTH), "layer_bias": biases(n_layers, WIDTH),
        "slots": weights(n_slots, WIDTH, WIDTH), "nobody": biases(n_slots, WIDTH), "root": biases(n_slots, WIDTH),
        "counts": biases(n_counts, WIDTH), "hidden_bias": biases(WIDTH),
        "choices": weights(3, WIDTH), "choice_bias": biases(3), "tags": weights(n_tags, WIDTH),
        "tag_bias": biases(n_tags), "dependents": weights(n_relations, WIDTH), "heads": weights(n_relations, WIDTH),
        "relation_bias": biases(n_relations),
    }  # fmt: skip
