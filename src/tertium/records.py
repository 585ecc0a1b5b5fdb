"""The decorator of immutable values: frozen dataclasses that take little time to create."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields
from typing import Any, NoReturn, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(
    *, init: bool = True, repr: bool = True, eq: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None,
    /,
    *,
    init: bool = True,
    repr: bool = True,  # noqa: A002 - the names of dataclass
    eq: bool = True,
    kw_only: bool = False,
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class a frozen dataclass whose methods, except `__init__`, are shared by all records.

    Before Python 3.13, `dataclass(frozen=True)` compiles six functions per class, which took a third of the start of
    `tertium score`. Metrics are plain dataclasses, as those of plug-ins are.
    """

    def decorate(cls: type[Any]) -> type[Any]:
        made = dataclass(init=init, repr=False, eq=False, kw_only=kw_only)(cls)
        own = vars(made)
        shared: dict[str, Callable[..., object]] = {"__setattr__": _set_once, "__delattr__": _delete}
        if repr:
            shared["__repr__"] = _repr
        if eq:
            shared |= {"__eq__": _eq, "__hash__": _hash}
        for name, method in shared.items():
            if own.get(name) is None:  # a class that defines __eq__ has None as its __hash__
                setattr(made, name, method)
        return made

    return decorate if cls is None else decorate(cls)


def _set_once(self: Any, name: str, value: object) -> None:
    if name in self.__dict__ or name not in self.__dataclass_fields__:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _delete(self: Any, name: str) -> NoReturn:  # noqa: ARG001 - the signature of __delattr__
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({shown})"


def _eq(self: Any, other: object) -> bool:
    return _key(self) == _key(other) if type(self) is type(other) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_key(self))


def _key(self: Any) -> tuple[object, ...]:
    return tuple(getattr(self, each.name) for each in fields(self) if each.compare)
