"""Damaged files: valid files with bytes cut, flipped, repeated, spliced or inserted, or with other values in JSON."""

import gzip
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import strategies as st

__all__ = ["damage_at_random", "damaged"]

# Bytes that readers often handle wrongly: line ends and separators, brackets, numbers at the limits of their type,
# magic bytes of other formats, characters that only some programs treat as white space, halves of characters.
_TOKENS = [
    b"", b"\0", b"\n", b"\r", b"\r\n", b"\t", b" ", b"\t\t", b"\n\n", b"\x1b[31m", b"\x85", b"\xe2\x80\xa8", b"\xef\xbb\xbf",
    b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xc2\xb2", b"{", b"}", b"[", b"]", b'"', b"'", b"\\", b"\\ud800",
    b"\\u0000", b",", b":", b"#", b"=", b"<", b">", b"</", b"/>", b"&", b"&#27;", b"<!--", b"<![CDATA[", b"|", b"-", b"_", b"0", b"-1",
    b"1.5", b"1e999", b"nan", b"inf", b"-0", b"null", b"true", b"9" * 20, b"9" * 400, b"2147483648", b"18446744073709551616",
    b"ref", b"hyp", b"system", b"score", b"seg_id", b"rank1", b"sys1", b"lp", b"metric", b"[options]", b"[[rule]]", b"PAR1",
    b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x93NUMPY", b"TERTIUMV", b"PK\x03\x04", b"\x80\x04", b"\xff\xff\xff\x7f", b"\xff" * 8,
]  # fmt: skip

_VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    2,
    1.5,
    1e308,
    10**30,
    "",
    "x",
    "1",
    "nan",
    "\ud800",
    [],
    [1],
    ["a", "b"],
    {},
    {"a": 1},
]

Mutation = Callable[[bytes], bytes]


def damaged(seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Draw any bytes, or a valid file with some damage; sometimes compressed."""
    sound = st.sampled_from(list(seeds))
    mutated = st.builds(_apply, sound, st.lists(_mutations(seeds), max_size=6))
    stuffed = st.lists(st.sampled_from(_TOKENS), max_size=30).map(b"".join)
    plain = mutated | stuffed | st.binary(max_size=80)
    return plain | mutated | mutated.map(lambda data: gzip.compress(data, mtime=0))


def _apply(data: bytes, mutations: Sequence[Mutation]) -> bytes:
    for mutate in mutations:
        data = mutate(data)
    return data[:200_000]


def _mutations(seeds: Sequence[bytes]) -> st.SearchStrategy[Mutation]:
    place = st.floats(0, 1)
    return st.one_of(
        st.builds(_cut, place, place),
        st.builds(_repeat, place, place, st.integers(2, 40)),
        st.builds(_insert, place, st.sampled_from(_TOKENS) | st.binary(max_size=8)),
        st.builds(_overwrite, place, st.sampled_from(_TOKENS) | st.binary(min_size=1, max_size=4)),
        st.builds(_flip, place, st.integers(1, 255)),
        st.builds(_splice, place, place, st.sampled_from(list(seeds))),
        st.builds(_end, place),
        st.builds(_change_json, place, place, st.integers(0, len(_VALUES) + 2)),
    )


def damage_at_random(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Damage a valid file without Hypothesis, which takes most of the time of a fuzzer."""
    place = rng.random
    kinds: list[Callable[[], Mutation]] = [
        lambda: _cut(place(), place()),
        lambda: _repeat(place(), place(), rng.randint(2, 40)),
        lambda: _insert(place(), rng.choice(_TOKENS)),
        lambda: _overwrite(place(), rng.choice(_TOKENS)),
        lambda: _flip(place(), rng.randint(1, 255)),
        lambda: _splice(place(), place(), rng.choice(seeds)),
        lambda: _end(place()),
        lambda: _change_json(place(), place(), rng.randint(0, len(_VALUES) + 2)),
        lambda: _change_json(place(), place(), rng.randint(0, len(_VALUES) + 2)),
    ]
    data = _apply(rng.choice(seeds), [rng.choice(kinds)() for _ in range(rng.randint(1, 4))])
    return gzip.compress(data, mtime=0) if rng.random() < 0.05 else data


def _span(data: bytes, first: float, second: float) -> tuple[int, int]:
    begin, end = sorted((int(first * len(data)), int(second * len(data))))
    return begin, end


def _cut(first: float, second: float) -> Mutation:
    def mutate(data: bytes) -> bytes:
        begin, end = _span(data, first, second)
        return data[:begin] + data[end:]

    return mutate


def _repeat(first: float, second: float, times: int) -> Mutation:
    def mutate(data: bytes) -> bytes:
        begin, end = _span(data, first, second)
        return data[:end] + data[begin:end] * times + data[end:]

    return mutate


def _insert(at: float, token: bytes) -> Mutation:
    return lambda data: data[: int(at * len(data))] + token + data[int(at * len(data)) :]


def _overwrite(at: float, token: bytes) -> Mutation:
    def mutate(data: bytes) -> bytes:
        begin = int(at * len(data))
        return data[:begin] + token + data[begin + len(token) :]

    return mutate


def _flip(at: float, bits: int) -> Mutation:
    def mutate(data: bytes) -> bytes:
        place = min(int(at * len(data)), len(data) - 1)
        return data[:place] + bytes([data[place] ^ bits]) + data[place + 1 :] if data else data

    return mutate


def _splice(at: float, other_at: float, other: bytes) -> Mutation:
    return lambda data: data[: int(at * len(data))] + other[int(other_at * len(other)) :]


def _end(at: float) -> Mutation:
    return lambda data: data[: int(at * len(data))]


def _change_json(line_at: float, value_at: float, choice: int) -> Mutation:
    """Replace, remove or repeat a value in a line of JSON; a file without JSON stays as it is."""

    def mutate(data: bytes) -> bytes:
        lines = data.split(b"\n")
        number = min(int(line_at * len(lines)), len(lines) - 1)
        try:
            value = json.loads(lines[number])
        except (ValueError, RecursionError):
            return data
        holders = list(_holders(value))
        if not holders:
            return data
        holder, key = holders[min(int(value_at * len(holders)), len(holders) - 1)]
        if choice < len(_VALUES):
            holder[key] = _VALUES[choice]
        elif choice == len(_VALUES):
            del holder[key]
        else:
            lines.append(lines[number])
        lines[number] = json.dumps(value).encode()
        return b"\n".join(lines)

    return mutate


def _holders(value: Any) -> Iterator[tuple[Any, Any]]:
    """List every value inside a JSON value by its object or list and its key."""
    items = (
        list(value.items())
        if isinstance(value, dict)
        else list(enumerate(value))
        if isinstance(value, list)
        else []
    )
    for key, inner in items:
        yield value, key
        yield from _holders(inner)
