"""A metric's options: declared once as dataclass fields, from which come the command-line syntax,
the checks, the signature, the documentation and the tuner's search space.
"""

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field
from typing import Any, Literal

from tertium.errors import OptionError
from tertium.interfaces import Resource, VectorKind
from tertium.text.tokenizers import format_tokenizer, parse_tokenizer

# Spells a value as the signature shows it, and reads it back.
Speller = tuple[Callable[[Any], str], Callable[[str], Any]]

_LARGEST = (1 << 63) - 1  # what the core can hold as a whole number
_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True)
class Option:
    """One option of a metric, as its field declares it.

    `key` is its name in the signature; an option without one appears there only when it is not at
    its default. `by_vectors` holds defaults for certain kinds of word vectors; `default` is for all others.
    `spelled` maps values to other words in the signature; `speller` does so by a pair of
    functions, one that spells a value and one that reads it back.
    """

    name: str
    type: Any
    default: Any
    help: str
    key: str | None = None
    spelled: Mapping[Any, str] | None = None
    speller: Speller | None = None
    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    grid: Sequence[Any] = ()
    by_vectors: Mapping[VectorKind, Any] | None = None

    def default_for(self, kind: VectorKind) -> Any:
        """The default that goes with vectors of a kind."""
        return (self.by_vectors or {}).get(kind, self.default)

    @property
    def choices(self) -> tuple[str, ...]:
        """The values a closed choice allows."""
        return tuple(c for part in _alternatives(self.type) for c in _literals(part))

    def check(self, value: Any, owner: str) -> None:
        """Raise if the value is of the wrong kind or outside the option's range."""
        if not self._fits(value):
            raise OptionError(f"{owner}: {self.name} must be {self.describe()}, not {value!r}")

    def parse(self, text: str, owner: str) -> Any:
        """Read a value as the command line spells it."""
        for alternative in _alternatives(self.type):
            try:
                value = _parse_as(alternative, text)
            except ValueError:
                continue
            self.check(value, owner)
            return value
        raise OptionError(f"{owner}: {self.name} must be {self.describe()}, not {text!r}")

    def spell(self, value: Any) -> str:
        """Write a value as the signature shows it; `read_spelled` reads it back."""
        if self.spelled is not None and value in self.spelled:
            return self.spelled[value]
        return self.write(value) if self.speller is None else self.speller[0](value)

    def write(self, value: Any) -> str:
        """Write a value as the command line takes it; `parse` reads it back."""
        return _spell(value)

    def read_spelled(self, text: str, owner: str) -> Any:
        """Read a value as the signature spells it."""
        for value, word in (self.spelled or {}).items():
            if word == text:
                return value
        return self.parse(text, owner) if self.speller is None else self.speller[1](text)

    def describe(self) -> str:
        """Say in words which values are allowed."""
        words = " or ".join(_describe_type(part) for part in _alternatives(self.type))
        bounds = [
            f"{relation} {_format_bound(bound)}"
            for relation, bound in (
                ("above", self.above),
                ("at least", self.at_least),
                ("at most", self.at_most),
            )
            if bound is not None
        ]
        return f"{words} {' and '.join(bounds)}".strip()

    def _fits(self, value: Any) -> bool:
        if not any(_is_a(part, value) for part in _alternatives(self.type)):
            return False
        numbers = value if isinstance(value, tuple) else (value,)
        return all(
            self._within(n) for n in numbers if isinstance(n, (int, float)) and not isinstance(n, bool)
        )

    def _within(self, number: float) -> bool:
        return (
            -_LARGEST <= number <= _LARGEST  # NaN is not
            and (self.at_least is None or number >= self.at_least)
            and (self.at_most is None or number <= self.at_most)
            and (self.above is None or number > self.above)
        )


def option(
    default: Any,
    help: str,  # noqa: A002 - as click names it
    *,
    key: str | None = None,
    spelled: Mapping[Any, str] | None = None,
    speller: Speller | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    above: float | None = None,
    grid: Sequence[Any] = (),
    by_vectors: Mapping[VectorKind, Any] | None = None,
) -> Any:
    """Declare an option as a dataclass field.

    A field with defaults `by_vectors` is None until the metric, which then knows its vectors, fills it in.
    """
    facts = {
        "default": default, "help": help, "key": key, "spelled": spelled, "speller": speller,
        "at_least": at_least, "at_most": at_most, "above": above, "grid": tuple(grid), "by_vectors": by_vectors,
    }  # fmt: skip
    return field(default=default if by_vectors is None else None, metadata={"tertium": facts})


def fitted_field() -> Any:
    """Declare a field for what `fit` learns: None at first, and filled in by `dataclasses.replace`.

    It is not an option, so it appears neither in the signature nor in `repr`, and two metrics with equal
    options are equal whatever they have learnt.
    """
    return field(default=None, repr=False, compare=False, kw_only=True, metadata={"tertium-fitted": True})


def is_fitted_field(declared: "Field[Any]") -> bool:
    """Tell whether `fitted_field` declared this field."""
    return "tertium-fitted" in declared.metadata


def tokenizer_option(default: str, *, outside_english: str | None = None) -> Any:
    """Declare the option that every metric over words has.

    With a tokenizer for text `outside_english`, the field is None until the metric, which knows its language, fills it in.
    """
    others = "" if outside_english is None else f"; outside English {outside_english}"
    speller = (format_tokenizer, parse_tokenizer)
    declared = option(default, f"how text is cut into words{others}", key="tok", speller=speller)
    return declared if outside_english is None else field(default=None, metadata=declared.metadata)


def lowercase_option(*, default: bool) -> Any:
    """Declare whether a metric ignores case, in sacreBLEU's spelling."""
    return option(default, "ignore case", key="case", spelled={False: "mixed", True: "lc"})


def option_of(declared: "Field[Any]", hint: Any) -> Option:
    """Read the option that a dataclass field declares; `hint` is its resolved type."""
    default = None if declared.default is MISSING else declared.default
    facts = {"default": default, "help": "", **declared.metadata.get("tertium", {})}
    return Option(name=declared.name, type=hint, **facts)


def is_resource_type(kind: Any) -> bool:
    """Tell whether an option of this type is a resource, which the catalogue hands over."""
    return any(Resource in getattr(part, "__mro__", ()) for part in _alternatives(kind))


def _alternatives(kind: Any) -> tuple[Any, ...]:
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return typing.get_args(kind)
    return (kind,)


def _literals(kind: Any) -> tuple[Any, ...]:
    return typing.get_args(kind) if typing.get_origin(kind) is Literal else ()


def _is_a(kind: Any, value: Any) -> bool:
    if literals := _literals(kind):
        return value in literals
    if typing.get_origin(kind) is tuple:
        inner = typing.get_args(kind)[0]
        return isinstance(value, tuple) and bool(value) and all(_is_a(inner, item) for item in value)
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind)


def _parse_as(kind: Any, text: str) -> Any:
    if literals := _literals(kind):
        if text not in literals:
            raise ValueError
        return text
    if typing.get_origin(kind) is tuple:
        return tuple(_parse_as(typing.get_args(kind)[0], part) for part in text.split("/"))
    if kind is bool:
        if text.lower() not in _BOOLEANS:
            raise ValueError
        return _BOOLEANS[text.lower()]
    if kind is type(None):
        if text.lower() != "none":
            raise ValueError
        return None
    if kind in (int, float, str):
        return kind(text)
    raise ValueError


def _spell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(_spell(item) for item in value)
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if value is not None and isinstance(value, Resource):
        return value.identity
    return str(value).lower() if value is None else str(value)


def _format_bound(bound: float) -> str:
    """Spell a large whole number in full rather than as a power of ten."""
    return f"{bound:,}" if isinstance(bound, int) and bound >= 1_000_000 else f"{bound:g}"


def _describe_type(kind: Any) -> str:
    if literals := _literals(kind):
        return (
            ", ".join(map(str, literals[:-1])) + f" or {literals[-1]}"
            if len(literals) > 1
            else str(literals[0])
        )
    if typing.get_origin(kind) is tuple:
        return f"{_describe_type(typing.get_args(kind)[0])}, or several joined by /"
    names = {bool: "yes or no", int: "a whole number", float: "a number", str: "a text", type(None): "none"}
    return names.get(kind, getattr(kind, "__name__", str(kind)))
