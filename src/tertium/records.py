"""The decorator of immutable values: frozen dataclasses that take little time to create."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from functools import cache
from typing import Any, NamedTuple, NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, repr: bool = True, eq: bool = True, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None,
    /,
    *,
    repr: bool = True,  # noqa: A002 - the names of dataclass
    eq: bool = True,
    kw_only: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a frozen dataclass whose methods are shared by all records.

    `dataclass(frozen=True)` compiles up to six functions per class, which took a third of the start of
    `tertium score`. Metrics are plain dataclasses, as those of plug-ins are.
    """

    def decorate(cls: type[Any]) -> type[Any]:
        made = dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
        own = vars(made)
        shared: dict[str, object] = {
            "__init__": _init, "__setattr__": _set, "__delattr__": _delete, "__signature__": _LazySignature()
        }  # fmt: skip
        if repr:
            shared["__repr__"] = _repr
        if eq:
            shared |= {"__eq__": _eq, "__hash__": _hash}
        for name, method in shared.items():
            if own.get(name) is None:  # a class that defines __eq__ has None as its __hash__
                setattr(made, name, method)
        return made

    return decorate if cls is None else decorate(cls)


class _Fields(NamedTuple):
    """The fields of a class, as `__init__` uses them: in order with their defaults, and by kind."""

    defaults: dict[str, Any]
    positional: tuple[str, ...]
    required: frozenset[str]
    factories: tuple[tuple[str, Callable[[], Any]], ...]


@cache
def _fields_of(cls: Any) -> _Fields:
    listed = fields(cls)
    return _Fields(
        {declared.name: declared.default for declared in listed},
        tuple(declared.name for declared in listed if declared.init and not declared.kw_only),
        frozenset(
            declared.name
            for declared in listed
            if declared.default is MISSING and declared.default_factory is MISSING
        ),
        tuple(
            (declared.name, declared.default_factory)
            for declared in listed
            if declared.default_factory is not MISSING
        ),
    )


def _init(self: Any, *args: Any, **named: Any) -> None:
    cls: Any = type(self)
    defaults, positional, required, factories = _fields_of(cls)
    given = dict(zip(positional, args, strict=False)) | named
    state = self.__dict__
    state.update(defaults)
    state.update(given)
    if len(given) != len(args) + len(named) or len(state) != len(defaults) or not required <= given.keys():
        inspect.signature(cls).bind(*args, **named)  # raises and names the wrong argument
    for name, make in factories:
        if name not in given:
            state[name] = make()
    if hasattr(self, "__post_init__"):
        self.__post_init__()


class _LazySignature:
    """The signature of a record's class, made when it is read."""

    def __get__(self, instance: object, cls: Any) -> inspect.Signature:
        if instance is not None:
            raise AttributeError("__signature__")  # a record that can be called has the signature of __call__
        defaults, _, required, factories = _fields_of(cls)
        shown = {**defaults, **dict(factories), **dict.fromkeys(required, inspect.Parameter.empty)}
        positional, by_name = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        return inspect.Signature(
            [
                inspect.Parameter(
                    declared.name, by_name if declared.kw_only else positional,
                    default=shown[declared.name], annotation=declared.type,
                )
                for declared in sorted(fields(cls), key=lambda declared: bool(declared.kw_only))
                if declared.init
            ],
            return_annotation=None,
        )  # fmt: skip


def _set(self: Any, name: str, value: object) -> NoReturn:  # noqa: ARG001 - the signature of __setattr__
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> NoReturn:  # noqa: ARG001 - the signature of __delattr__
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(self: Any) -> str:
    shown = ", ".join(
        f"{declared.name}={getattr(self, declared.name)!r}" for declared in fields(self) if declared.repr
    )
    return f"{type(self).__qualname__}({shown})"


def _eq(self: Any, other: object) -> bool:
    return _key(self) == _key(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_key(self))


def _key(self: Any) -> tuple[object, ...]:
    return tuple(getattr(self, declared.name) for declared in fields(self) if declared.compare)
