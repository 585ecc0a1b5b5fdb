"""The border to the compiled core: every array argument is of one type, and nothing is cast in silence."""

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tertium._core as _core
from tertium.kernels.meteor import make_phrase_table
from tertium.resources.trees import load_core_parser

_ARRAY = re.compile(r"(?<!numpy\.)ndarray\[dtype=(\w+), shape=\(([^)]*)\)[^\]]*\]")
_IDS, _ENDS = np.zeros(1, dtype=np.int32), np.array([0, 1], dtype=np.int64)
_TEXTS = _core.EmbeddedTexts(_IDS, _ENDS, _IDS, np.ones((1, 2), dtype=np.float32), np.ones(1))
_SAMPLES: dict[str, object] = {
    "int": 1,
    "float": 1.0,
    "bool": True,
    "str": "pearson",
    "bytes": b"a",
    "list[str]": ["a"],
    "collections.abc.Sequence[str]": ["exact"],
    "Vocabulary": _core.Vocabulary(),
    "PhraseTable": make_phrase_table([("a", "b")]),
    "InversionCosts": _core.InversionCosts(1, 1, 1, 1),
    "TravelOptions": _core.TravelOptions(0.4, "clipped", 0.0, True, True, True, False),
    "TextPairs": _core.TextPairs(_IDS, _ENDS, _IDS, _ENDS, _ENDS),
    "EmbeddedTexts": _TEXTS,
    "EmbeddedPairs": _core.EmbeddedPairs(_TEXTS, _TEXTS, _ENDS),
    "ParserModel": load_core_parser().model,
    "TextColumn": _core.TextColumn(["a"]),
    "AlignerTables": _core.AlignerTables(None, None, None, None, None, None, _core.TextColumn(["a"])),
}


def _kinds(function: Callable[..., object]) -> list[str]:
    """The types of a function's parameters, as nanobind knows them."""
    target: Any = vars(function)["__init__"] if isinstance(function, type) else function
    signature: str = target.__nb_signature__[0][0]
    inside = signature[signature.index("(") + 1 : signature.rindex(") ->")]
    arrays = _ARRAY.sub(lambda found: f"array {found[1]} {found[2].count('*')}", inside)
    words = [part.split(": ")[-1].removesuffix(" | None") for part in arrays.split(", ")]
    return [word.removeprefix("tertium._core.") for word in words if word != "self"]


def _sample(kind: str) -> object:
    if not kind.startswith("array"):
        return _SAMPLES[kind]
    _, dtype, dimensions = kind.split()
    return np.zeros((1,) * int(dimensions), dtype=dtype)


def _array_arguments() -> Iterator[tuple[str, int]]:
    for name, function in vars(_core).items():
        if callable(function) and not name.startswith("_"):
            places = [place for place, kind in enumerate(_kinds(function)) if kind.startswith("array")]
            yield from ((name, place) for place in places)


def test_there_are_array_arguments_to_look_at() -> None:
    assert len(list(_array_arguments())) > 40


@pytest.mark.parametrize(("name", "place"), list(_array_arguments()))
def test_an_array_of_another_type_is_refused(name: str, place: int) -> None:
    """Nanobind raises TypeError before a function is entered; what the function itself refuses is a ValueError."""
    function = getattr(_core, name)
    arguments = [_sample(kind) for kind in _kinds(function)]
    with contextlib.suppress(ValueError):
        function(*arguments)
    arguments[place] = np.asarray(arguments[place]).astype(np.int16)
    with pytest.raises(TypeError, match="incompatible function arguments"):
        function(*arguments)
