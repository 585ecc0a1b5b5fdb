"""Where a metric comes from: this package, or another one that plugs it in."""

from functools import cache
from typing import TYPE_CHECKING

import tertium

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

__all__ = ["ENTRY_POINTS", "default_name", "is_own", "name_origin", "plugged_in"]

ENTRY_POINTS = "tertium.metrics"

_OWN = "tertium"


def is_own(cls: type) -> bool:
    """Tell whether a metric is one of this package's."""
    return cls.__module__.split(".")[0] == _OWN


def default_name(cls: type) -> str:
    """Name a metric that does not name itself: by its module if it is ours, else by its class."""
    return cls.__module__.rpartition(".")[2] if is_own(cls) else cls.__name__.lower()


def name_origin(cls: type, given: str) -> str:
    """Name the package and version that made a score, for its signature.

    Parameters
    ----------
    given
        The version that a plug-in gives itself, or nothing.

    >>> name_origin(type("Mine", (), {"__module__": "my_metrics.lengths"}), "1.2").partition("+")[0]
    'my_metrics-1.2'
    """
    if is_own(cls):
        return _own_version()
    package = cls.__module__.split(".")[0]
    return f"{f'{package}-{given}' if given else _installed_version(package)}+{_own_version()}"


def plugged_in() -> "EntryPoints":
    """List the metrics of other packages, for which all that is installed is looked through."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - it brings half of the library for mails

    return entry_points(group=ENTRY_POINTS)


def _own_version() -> str:
    return f"{_OWN}-{tertium.__version__}"


@cache
def _installed_version(package: str) -> str:
    """Name the distribution that a plug-in came in and its version; without one, the package alone.

    Its entry point knows the distribution even where a checkout is installed in place.
    """
    from importlib.metadata import packages_distributions, version  # noqa: PLC0415

    for entry in plugged_in():
        if entry.dist is not None and entry.module.split(".")[0] == package:
            return f"{entry.dist.name}-{entry.dist.version}"
    owners = packages_distributions().get(package)
    return f"{owners[0]}-{version(owners[0])}" if owners else package
