"""Tables of statistics that are read or computed when somebody asks for them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock

from tertium.types import FloatArray

__all__ = ["LazyTables"]


@dataclass(frozen=True, eq=False)
class LazyTables(Mapping[str, FloatArray]):
    """Tables by label, of which the size and the sums are known before any is loaded.

    Attributes
    ----------
    sums
        Each label's summed statistics (systems, k).
    load
        Makes the table (systems, segments, k) of a label; it is called once for each.
    """

    n_segments: int
    sums: Mapping[str, FloatArray]
    load: Callable[[str], FloatArray]
    _loaded: dict[str, FloatArray] = field(default_factory=dict, init=False, repr=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def __getitem__(self, label: str) -> FloatArray:
        if label not in self.sums:
            raise KeyError(label)
        with self._lock:
            if label not in self._loaded:
                self._loaded[label] = self.load(label)
        return self._loaded[label]

    def __iter__(self) -> Iterator[str]:
        return iter(self.sums)

    def __len__(self) -> int:
        return len(self.sums)
