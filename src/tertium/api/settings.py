"""What a run remembers of the request that made it: its settings and its files, as plain data."""

from collections.abc import Mapping
from dataclasses import fields
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from tertium.api.scored import View
from tertium.catalog import ResourceChoice
from tertium.corpus import CorpusFiles, expand_paths, split_system
from tertium.errors import InputError
from tertium.files.paths import STDIN, parse_address
from tertium.files.reading import checksum_file

if TYPE_CHECKING:
    from tertium.api.score import ScoreRequest
    from tertium.evaluation.runs import InputFile

__all__ = ["list_files", "read_resources", "read_view", "write_settings"]

# How a table looks is up to whoever shows it, not to the run.
_VIEW = tuple(each.name for each in fields(View) if each.name not in ("clusters", "by", "full"))


def write_settings(request: "ScoreRequest") -> dict[str, Any]:
    """Write down what was asked for; a resource that was handed over in Python by its identity."""
    view = {name: getattr(request, name) for name in _VIEW}
    return {
        "metrics": list(request.metrics),
        "tokenizer": request.tokenizer,
        "lowercase": request.lowercase,
        "where": list(request.where),
        "lower": list(request.lower),
        "resources": {key: _write(value) for key, value in vars(request.resources).items()},
        "view": view,
    }


def read_view(path: str, settings: Mapping[str, Any], **changes: Any) -> View:
    """Read what was asked of the statistics; changes that are not None go first."""
    given = {key: value for key, value in changes.items() if value is not None}
    try:
        recorded = {key: value for key, value in settings.get("view", {}).items() if key in _VIEW}
        if given.get("paired") is None and not recorded.get("paired"):
            recorded.pop("baseline", None)
        return View(**{**recorded, **given})
    except (TypeError, AttributeError):
        raise InputError(
            f"{path} is damaged (its settings are not a run's); make or fetch it again"
        ) from None


def read_resources(settings: Mapping[str, Any]) -> ResourceChoice:
    """Read which resources were named."""
    known = {each.name for each in fields(ResourceChoice)}
    found = {key: value for key, value in settings.get("resources", {}).items() if key in known}
    return ResourceChoice(**{**found, "trees": tuple(found.get("trees") or ())})


def list_files(request: "ScoreRequest") -> "tuple[InputFile, ...]":
    """List the files that a request reads, with their checksums; none for texts from Python."""
    files = request.corpus
    given = tuple(_look_at("scores", path, name) for name, path in map(split_system, request.scores))
    if not isinstance(files, CorpusFiles):
        return given
    systems = [split_system(path) for path in expand_paths(files.hypotheses)]
    return (
        *(_look_at("reference", path) for path in expand_paths(files.references)),
        *(_look_at("system", path, name) for name, path in systems),
        *(_look_at("source", path) for path in (files.source,) if path is not None),
        *(_look_at("columns", path) for path in (files.columns,) if path is not None),
        *given,
    )


def _look_at(role: str, text: str, name: str | None = None) -> "InputFile":
    path = parse_address(text).path
    from tertium.evaluation.runs import InputFile

    return InputFile(role, text, name, None if path == STDIN else checksum_file(path))


def _write(value: object) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return list(value)
    return fspath(value) if isinstance(value, PathLike) else getattr(value, "identity", None)
