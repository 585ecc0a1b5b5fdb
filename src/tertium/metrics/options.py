"""The options of a metric, declared once as dataclass fields.

The command-line syntax, the checks, the signature, the documentation and the tuner's search space are derived
from these declarations.
"""

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field
from typing import Any, Literal

from tertium.decimals import parse_number
from tertium.errors import OptionError, ResourceError
from tertium.interfaces import Resource, VectorKind
from tertium.records import record
from tertium.text.tokenizers import format_tokenizer, parse_tokenizer

# A function that formats a value for the signature, and one that parses it.
Speller = tuple[Callable[[Any], str], Callable[[str], Any]]

_MAX_INTEGER = (1 << 63) - 1  # the core's integers have 64 bits
_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@record
class Option:
    """One option of a metric, as its field declares it.

    `key` is its name in the signature; an option without a key appears there only if its value is not
    the default. `by_vectors` holds defaults for certain kinds of word vectors; `default` is for all others.
    `spelled` maps values to the texts that the signature shows; `speller` is a pair of functions that
    format a value for the signature and parse it.
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
    in_signature: bool = True

    def default_for(self, kind: VectorKind) -> Any:
        """Return the default for a kind of word vectors."""
        return (self.by_vectors or {}).get(kind, self.default)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed values of a closed choice."""
        return tuple(c for part in _alternatives(self.type) for c in _literals(part))

    def check(self, value: Any, owner: str) -> None:
        """Raise if the value has the wrong type or is outside the option's range, or if a needed resource is missing."""
        if value is None and is_resource_type(self.type) and not self._fits(None):
            raise ResourceError(f"{owner} needs {self.help or self.name}")
        if not self._fits(value):
            raise OptionError(f"{owner}: {self.name} must be {self.describe()}, not {value!r}")

    def parse(self, text: str, owner: str) -> Any:
        """Parse a value as the command line writes it."""
        for alternative in _alternatives(self.type):
            try:
                value = _parse_as(alternative, text)
            except ValueError:
                continue
            self.check(value, owner)
            return value
        raise OptionError(f"{owner}: {self.name} must be {self.describe()}, not {text!r}")

    def format(self, value: Any) -> str:
        """Format a value for the signature; `parse_signature_value` is the inverse."""
        if self.spelled is not None and value in self.spelled:
            return self.spelled[value]
        return self.write(value) if self.speller is None else self.speller[0](value)

    def write(self, value: Any) -> str:
        """Format a value for the command line; `parse` is the inverse."""
        return _format_value(value)

    def parse_signature_value(self, text: str, owner: str) -> Any:
        """Parse a value as the signature shows it."""
        for value, word in (self.spelled or {}).items():
            if word == text:
                return value
        return self.parse(text, owner) if self.speller is None else self.speller[1](text)

    def describe(self) -> str:
        """Describe the allowed values in words."""
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
            -_MAX_INTEGER <= number <= _MAX_INTEGER  # false for NaN
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
    in_signature: bool = True,
) -> Any:
    """Declare an option as a dataclass field.

    Parameters
    ----------
    help
        A short description for `tertium metrics NAME` and the documentation.
    key
        The option's name in the signature. Without a key it is shown there only if its value is not the default.
    spelled
        Texts that the signature shows for certain values.
    speller
        A pair of functions that format a value for the signature and parse it.
    at_least, at_most, above
        The allowed range of numbers.
    grid
        The values that `tertium tune` tries by default.
    by_vectors
        Defaults for certain kinds of word vectors. The field is None until the metric sets it.
    in_signature
        Whether scores depend on the option. If they do not, because it is about speed or failures, the signature
        does not have it, and metrics that differ in it are equal.
    """
    facts = {
        "default": default, "help": help, "key": key, "spelled": spelled, "speller": speller,
        "at_least": at_least, "at_most": at_most, "above": above, "grid": tuple(grid), "by_vectors": by_vectors,
        "in_signature": in_signature,
    }  # fmt: skip
    usual = default if by_vectors is None else None
    return field(default=usual, compare=in_signature, metadata={"tertium": facts})


def fitted_field() -> Any:
    """Declare a field for values that `fit` learns: None at first, then set by `dataclasses.replace`.

    It is not an option: it appears neither in the signature nor in `repr`, and metrics with equal options
    are equal even if they were fitted to different references.
    """
    return field(default=None, repr=False, compare=False, kw_only=True, metadata={"tertium-fitted": True})


def is_fitted_field(declared: "Field[Any]") -> bool:
    """Whether a field was declared by `fitted_field`."""
    return "tertium-fitted" in declared.metadata


def tokenizer_option(default: str, *, outside_english: str | None = None) -> Any:
    """Declare the tokenizer, an option of every metric over words.

    If there is another default for languages `outside_english`, the field is None until the metric sets it.
    """
    others = "" if outside_english is None else f"; {outside_english} for languages other than English"
    speller = (format_tokenizer, parse_tokenizer)
    declared = option(default, f"tokenizer that splits text into words{others}", key="tok", speller=speller)
    return declared if outside_english is None else field(default=None, metadata=declared.metadata)


def lowercase_option(*, default: bool) -> Any:
    """Declare whether a metric ignores case; the signature shows it as sacreBLEU does."""
    return option(default, "ignore case", key="case", spelled={False: "mixed", True: "lc"})


def option_of(declared: "Field[Any]", hint: Any) -> Option:
    """Return the option that a dataclass field declares; `hint` is its resolved type."""
    default = None if declared.default is MISSING else declared.default
    facts = {"default": default, "help": "", **declared.metadata.get("tertium", {})}
    return Option(name=declared.name, type=hint, **facts)


def is_resource_type(kind: Any) -> bool:
    """Whether an option of this type is a resource, which the catalogue supplies."""
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
    number = text if kind is str else parse_number(text)
    if number is not None and kind in (int, float, str):
        return kind(text)
    raise ValueError


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(_format_value(item) for item in value)
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if value is not None and isinstance(value, Resource):
        return value.identity
    return str(value).lower() if value is None else str(value)


def _format_bound(bound: float) -> str:
    """Format a large integer in full rather than in scientific notation."""
    return f"{bound:,}" if isinstance(bound, int) and bound >= 1_000_000 else f"{bound:g}"


def _describe_type(kind: Any) -> str:
    if literals := _literals(kind):
        return (
            ", ".join(map(str, literals[:-1])) + f" or {literals[-1]}"
            if len(literals) > 1
            else str(literals[0])
        )
    if typing.get_origin(kind) is tuple:
        return f"{_describe_type(typing.get_args(kind)[0])}, or several separated by /"
    names = {bool: "yes or no", int: "a whole number", float: "a number", str: "a text", type(None): "none"}
    return names.get(kind, getattr(kind, "__name__", str(kind)))
