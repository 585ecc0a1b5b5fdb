"""Find metrics by name: one file each in the folder of a family, the metrics of other packages, and users' files."""

import importlib.util
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from tertium.consent import check_consent
from tertium.errors import ResourceError, UnknownNameError, argument, suggest
from tertium.files.paths import show_path
from tertium.metrics import find_class, list_modules
from tertium.metrics.base import Metric, find_plugins

# A metric in a file of the user: ./metric.py:MyMetric
_FILE = re.compile(r"(?P<path>[^|*]*\.py):(?P<name>\w+)")

COMMAND = "command:"
"""The beginning of the label of a program."""

SUM = "mix:"
"""The beginning of the label of a sum of metrics."""

# A program, the program or model of a tokenizer, or a glossary, inside a label
_USER_FILE = re.compile(r"((?:command|sentencepiece|terms):)([^,]+)")

# Families and metrics that need a file, a program or other metrics, which the user names
_NEEDING = ("combined", "external", "neural", "terms")


@cache
def families() -> dict[str, str]:
    """Map the name of every metric to its family, without importing any of them."""
    found = {name: module.split(".")[-2] for name, module in list_modules().items()}
    for entry in find_plugins():
        if _NAME.fullmatch(entry.name):
            found.setdefault(entry.name, "third party")
    return found


# Names that can be written in a list of metrics, shown in a table and used in a file name.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}")


def metric_names() -> list[str]:
    """List the names of all metrics."""
    return list(families())


def self_contained_names() -> list[str]:
    """List the names of the metrics that need no program, network or model besides the package and its default resources."""
    return [name for name, family in families().items() if family not in _NEEDING and name not in _NEEDING]


def canonical_name(name: str) -> str:
    """Return a metric's name as the catalogue writes it, ignoring case, hyphens and underscores.

    >>> canonical_name("BLEU"), canonical_name("CharacTER"), canonical_name("BLEUmodif")
    ('bleu', 'character', 'bleu_modif')
    """
    if name in list_modules() or is_file(name) or name in families():
        return name
    plain = {family.replace("_", ""): family for family in families()}
    return plain.get(name.lower().replace("_", "").replace("-", ""), name)


def find_metric(name: str) -> type[Metric]:
    """Find the class of the metric with this name, or in a file: `./metric.py:MyMetric`."""
    if found := _FILE.fullmatch(name):
        return _load_file(found["path"], found["name"])
    name = canonical_name(name)
    if name in list_modules():  # without plug-ins, whose search reads the metadata of all installed packages
        return find_class(list_modules()[name])
    if name in families():
        return _load_entry_point(name)
    raise UnknownNameError(_explain_unknown(name))


def is_file(name: str) -> bool:
    """Whether the name is that of a metric in a file of the user.

    >>> is_file("./metric.py:MyMetric"), is_file("bleu")
    (True, False)
    """
    return _FILE.fullmatch(name) is not None


def split_name(label: str) -> tuple[str, str]:
    """Split a label at the colon between the metric and its options.

    >>> split_name("bleu:tokenizer=intl"), split_name("./metric.py:MyMetric:order=2")
    (('bleu', 'tokenizer=intl'), ('./metric.py:MyMetric', 'order=2'))
    """
    found = _FILE.match(label)
    if found is not None and label[found.end() :][:1] in ("", ":"):
        return found[0], label[found.end() + 1 :]
    name, _, options = label.partition(":")
    return name, options


# A weight in a sum of metrics, with the sign before it: 0.5*chrf+1e-1*ter. The sign of an exponent does not begin a weight.
_WEIGHT = re.compile(r"(?<![0-9.][eE])(?P<weight>[+-]?\s*(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*\*\s*")


def split_sum(text: str) -> list[tuple[str, str]]:
    """Split a sum of metrics into weights and labels; a text before the first weight has the weight "".

    >>> split_sum("0.5*chrf+++0.25*bleu:smooth_method=floor,smooth_value=0.1 + 1e-1*ter")
    [('0.5', 'chrf++'), ('+0.25', 'bleu:smooth_method=floor,smooth_value=0.1'), ('+1e-1', 'ter')]
    """
    before, *cut = _WEIGHT.split(text)
    first = [("", before)] if before.strip() else []
    return first + [(cut[i].replace(" ", ""), cut[i + 1].strip()) for i in range(0, len(cut), 2)]


def make_absolute(label: str, folder: str) -> str:
    """Return the label of a metric in a file, or of a program, for a process in another folder."""
    from tertium.files.programs import make_absolute as make_command_absolute

    if label.startswith(SUM):
        parts = split_sum(label.removeprefix(SUM))
        return SUM + "".join(f"{weight}*{make_absolute(part, folder)}" for weight, part in parts)
    label = _USER_FILE.sub(lambda found: found[1] + make_command_absolute(found[2], folder), label)
    found = _FILE.match(label)
    return label if found is None else f"{Path(folder, found['path'])}{label[found.end('path') :]}"


# Neural metrics by other names: the metric whose checkpoints they are, or the package that computes them.
_CHECKPOINTS = {"cometkiwi": "comet", "xcomet": "comet", "unite": "comet", "metricxqe": "metricx"}
_OTHER_TOOLS = {"prism": "prism", "bartscore": "bart-score", "gemba": "gemba"}


def _explain_unknown(name: str) -> str:
    if any(entry.name == name for entry in find_plugins()):
        return f"{name!r} is not allowed as the name of a metric: rename the entry point, with letters, digits, _ - + or ."
    plain = name.lower().replace("-", "").partition("2")[0]
    if plain in _CHECKPOINTS:
        return f"{name} is a checkpoint of {_CHECKPOINTS[plain]}: write {_CHECKPOINTS[plain]}:FOLDER"
    package = _OTHER_TOOLS.get(plain)
    if package is None:
        return f"unknown metric {name!r}; {suggest(name, metric_names())}"
    return (
        f"{name} is computed by another package ({package}): run it by command:PROGRAM, or pass its scores of the segments"
        f" with {argument('scores', f'{name}=FILE')}"
    )


def _load_file(path: str, name: str) -> type[Metric]:
    """Load a metric from a Python file; the code in the file runs."""
    check_consent(f"the code in {show_path(path)}")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ResourceError(f"{show_path(path)} cannot be read: {error.strerror or error}") from None
    module = _run_file(str(Path(path).absolute()), content)
    cls = getattr(module, name, None)
    if isinstance(cls, type) and issubclass(cls, Metric):
        return cls
    known = [key for key, value in vars(module).items() if _is_metric_of(value, module.__name__)]
    advice = suggest(name, known) if known else "it has none: derive a class from tertium.metrics.Metric"
    raise UnknownNameError(f"{show_path(path)} has no metric {name!r}; {advice}")


@cache
def _run_file(path: str, content: bytes) -> ModuleType:
    """Import a file as a module of its own, once for each content."""
    from hashlib import sha256

    # The checksum is part of the module's name, which the signature of the metric shows.
    name = f"{re.sub(r'[^0-9A-Za-z_]', '_', Path(path).stem)}_{sha256(content).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # noqa: S101 - for mypy: the name ends with .py
    assert spec.loader is not None  # noqa: S101 - as above
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up the types of their fields there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[spec.name]
        reason = f"{type(error).__name__}: {error}"
        raise ResourceError(f"{show_path(path)} failed to import ({reason}); fix the file") from error
    return module


def _is_metric_of(value: object, module: str) -> bool:
    return isinstance(value, type) and issubclass(value, Metric) and value.__module__ == module


def _load_entry_point(name: str) -> type[Metric]:
    entry = next(entry for entry in find_plugins() if entry.name == name)
    try:
        cls = entry.load()
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        raise ResourceError(
            f"metric {name!r} of package {entry.module} failed to import ({reason}); fix or uninstall the package"
        ) from error
    if not (isinstance(cls, type) and issubclass(cls, Metric)):
        raise UnknownNameError(f"metric {name!r} of package {entry.module} is not a tertium.metrics.Metric")
    if cls.name not in families():
        raise ResourceError(
            f"metric {name!r} of package {entry.module} calls itself {cls.name!r}, under which a saved run would look for it;"
            " give the entry point and the class the same name"
        )
    return cls
