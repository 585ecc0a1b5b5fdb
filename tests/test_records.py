"""Records behave as frozen dataclasses."""

import copy
import inspect
import pickle
from dataclasses import KW_ONLY, FrozenInstanceError, asdict, dataclass, field, replace

import pytest

from tertium.records import record


@record
class Point:
    """A record with every kind of field."""

    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list, compare=False)
    _: KW_ONLY
    name: str = field(default="", repr=False)


@dataclass(frozen=True)
class Twin:
    """The same fields in a frozen dataclass."""

    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list, compare=False)
    _: KW_ONLY
    name: str = field(default="", repr=False)


@record(eq=False)
class Identity:
    """A record that is equal to itself only."""

    x: int


def test_a_record_shows_compares_and_hashes_like_a_frozen_dataclass() -> None:
    ours, theirs = Point(1, 2, ["a"], name="p"), Twin(1, 2, ["a"], name="p")
    assert repr(ours) == repr(theirs).replace("Twin", "Point")
    assert hash(ours) == hash(theirs)
    assert asdict(ours) == asdict(theirs)
    assert str(inspect.signature(Point)) == str(inspect.signature(Twin)).replace(
        "<factory>", "<class 'list'>"
    )
    assert list(vars(Point(name="p", x=1))) == list(vars(theirs))
    assert ours == Point(1, 2, ["b"], name="p")
    assert ours != Point(1, 3, ["a"], name="p")


@pytest.mark.parametrize(
    ("args", "named"),
    [((), {}), ((1, 2, [], ""), {}), ((1,), {"x": 1}), ((1,), {"z": 1})],
    ids=["missing", "too many", "twice", "unknown"],
)
def test_wrong_arguments_of_a_record_raise(args: tuple[object, ...], named: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="argument"):
        Point(*args, **named)  # type: ignore[arg-type]


def test_a_record_without_equality_equals_itself_only() -> None:
    one = Identity(1)
    assert one == one  # noqa: PLR0124
    assert one != Identity(1)
    assert len({one, Identity(1)}) == 2


@pytest.mark.parametrize("name", ["x", "tags", "other"])
def test_attributes_cannot_be_set_or_deleted(name: str) -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        setattr(point, name, 5)
    with pytest.raises(FrozenInstanceError):
        delattr(point, name)
    assert point == Point(1)


def test_records_can_be_copied_pickled_and_changed_by_replace() -> None:
    point = Point(1, 2)
    assert copy.deepcopy(point) == pickle.loads(pickle.dumps(point)) == point
    assert replace(point, y=3) == Point(1, 3)
