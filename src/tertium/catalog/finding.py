"""Find metrics by name: one file each in the folder of a family, and the metrics of other packages."""

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module

import tertium.metrics
from tertium.errors import ResourceError, UnknownNameError
from tertium.metrics.base import Metric, find_plugins

FAMILIES = ("lexical", "embedding", "meteor", "syntax")


@cache
def families() -> dict[str, str]:
    """Map the name of every metric to its family, without importing any of them."""
    found = dict(_own_families())
    for entry in find_plugins():
        found.setdefault(entry.name, "third party")
    return found


@cache
def _own_families() -> dict[str, str]:
    """Map names to families without plug-ins, whose search reads the metadata of all installed packages."""
    found: dict[str, str] = {}
    for family in FAMILIES:
        folders = [f"{folder}/{family}" for folder in tertium.metrics.__path__]
        modules = [module.name for module in pkgutil.iter_modules(folders)]
        found |= {name: family for name in modules if not name.startswith("_")}
    return found


def metric_names() -> list[str]:
    """List the names of all metrics."""
    return list(families())


def canonical_name(name: str) -> str:
    """Return a metric's name as the catalogue writes it, ignoring case, hyphens and underscores.

    >>> canonical_name("BLEU"), canonical_name("CharacTER"), canonical_name("BLEUmodif")
    ('bleu', 'character', 'bleu_modif')
    """
    if name in _own_families() or name in families():
        return name
    plain = {each.replace("_", ""): each for each in families()}
    return plain.get(name.lower().replace("_", "").replace("-", ""), name)


def find_metric(name: str) -> type[Metric]:
    """Find the class of the metric with this name."""
    name = canonical_name(name)
    family = _own_families().get(name) or families().get(name)
    if family is None:
        raise UnknownNameError(f"unknown metric {name!r}; {suggest(name, metric_names())}")
    if family in FAMILIES:
        return _metric_in(f"tertium.metrics.{family}.{name}")
    return _load_entry_point(name)


def suggest(name: str, names: Iterable[str]) -> str:
    """Suggest the most similar name, or list all names."""
    names = list(names)
    import difflib

    near = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {near[0]}?" if near else f"choose from {', '.join(names)}"


@cache
def _metric_in(module_name: str) -> type[Metric]:
    module = import_module(module_name)
    (cls,) = (
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Metric) and value.__module__ == module_name
    )
    return cls


def _load_entry_point(name: str) -> type[Metric]:
    entry = next(entry for entry in find_plugins() if entry.name == name)
    try:
        cls = entry.load()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ResourceError(
            f"metric {name!r} of package {entry.module} failed to import ({reason}); fix or uninstall the package"
        ) from error
    if not (isinstance(cls, type) and issubclass(cls, Metric)):
        raise UnknownNameError(f"metric {name!r} of package {entry.module} is not a tertium.metrics.Metric")
    return cls
