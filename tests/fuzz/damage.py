"""Hypothesis strategies for damaged files: valid files with bytes cut, flipped, repeated, spliced or inserted."""

import gzip
from collections.abc import Callable, Sequence

from hypothesis import strategies as st

__all__ = ["damaged"]

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
    )


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
