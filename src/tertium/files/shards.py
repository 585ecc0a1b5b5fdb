"""A text in several files: `FOLDER`, `PATTERN*`, each also with `#COLUMN`, and how such parts match."""

import glob
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from tertium.errors import InputError
from tertium.files.addresses import Address, default_name, parse_address
from tertium.files.paths import exists, is_folder, list_folder, show_path

__all__ = ["Shards", "find_shards", "match_shards", "single_file"]

_WILDCARDS = re.compile(r"[*?\[]")
# What Hadoop, Spark and file managers leave beside the data.
_IGNORED = (".", "_")


@dataclass(frozen=True)
class Shards:
    """The files behind an address, in the order of their names; a single file is one shard of itself."""

    address: Address
    paths: tuple[str, ...]
    is_sharded: bool

    @property
    def name(self) -> str:
        """What a system is called whose outputs these are: as the folder, or the pattern without its stars.

        Examples
        --------
        >>> Shards(Address("out/online-A/*.txt.gz"), (), is_sharded=True).name
        'online-A'
        >>> Shards(Address("online-A-*.jsonl"), (), is_sharded=True).name
        'online-A'
        """
        if not self.is_sharded or self.address.column is not None:
            return default_name(self.address)
        plain = _WILDCARDS.split(default_name(self.address))[0].rstrip("-_.")
        return plain or PurePath(self.address.path).parent.name or "shards"


def find_shards(text: str) -> Shards:
    """Find the files of an address: one file, or those of a folder or of a pattern with `*`, `?` or `[`.

    In a folder, files whose names begin with a full stop or an underscore are passed over.

    Raises
    ------
    InputError
        If there are none, or a folder cannot be read or holds a folder.
    """
    path, mark, column = text.rpartition("#")
    if not mark or exists(text):
        path, column = text, ""
    if column or path == text:
        if is_folder(path):
            return Shards(Address(path, column or None), _files_in(path), is_sharded=True)
        if _WILDCARDS.search(path) and not exists(path):
            return Shards(Address(path, column or None), _matching(path), is_sharded=True)
    address = parse_address(text)
    return replace(single_file(address.path), address=address)


def single_file(path: str) -> Shards:
    """One file, whatever its name looks like."""
    return Shards(Address(path), (path,), is_sharded=False)


def match_shards(parts: Sequence[Shards]) -> list[Shards]:
    """Put the shards of several addresses into one order, so that the first belongs to the first and so on.

    They match by their names without the suffixes, or else by what stands for the pattern's stars.

    Raises
    ------
    InputError
        If one of them lacks a shard that another has.
    """
    by_stem = [_name_shards(each, _stem) for each in parts]
    if len({frozenset(names) for names in by_stem}) > 1:
        by_star = [_name_shards(each, _star) for each in parts]
        if len({frozenset(names) for names in by_star}) > 1:
            raise _mismatch(parts, by_stem)
        by_stem = by_star
    order = sorted(by_stem[0]) if by_stem else []
    return [
        Shards(each.address, tuple(names[name] for name in order), is_sharded=True)
        for each, names in zip(parts, by_stem, strict=True)
    ]


def _files_in(folder: str) -> tuple[str, ...]:
    paths = [str(path) for path in list_folder(folder) if not path.name.startswith(_IGNORED)]
    if not paths:
        raise InputError(f"the folder {show_path(folder)} holds no file; give one with the parts of a text")
    for path in paths:
        if is_folder(path):
            raise InputError(f"{show_path(path)} is a folder inside a folder of texts; give its files alone")
    return tuple(paths)


def _matching(pattern: str) -> tuple[str, ...]:
    paths = sorted(path for path in glob.glob(pattern) if not is_folder(path))  # noqa: PTH207 - as the shell does
    if not paths:
        raise InputError(f"no file matches {pattern!r}; check the pattern")
    return tuple(paths)


def _stem(_: Shards, path: str) -> str:
    return default_name(Address(path))


def _star(shards: Shards, path: str) -> str:
    """What the stars of a pattern stand for; the stem where the address is a folder."""
    name, pattern = PurePath(path).name, PurePath(shards.address.path).name
    places = [match.start() for match in _WILDCARDS.finditer(pattern)]
    if not places or is_folder(shards.address.path):
        return _stem(shards, path)
    return name[places[0] : len(name) - (len(pattern) - places[-1] - 1)]


def _name_shards(shards: Shards, name: Callable[[Shards, str], str]) -> dict[str, str]:
    names = [name(shards, path) for path in shards.paths]
    twice = next((each for each, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        both = " and ".join(
            show_path(path) for path, each in zip(shards.paths, names, strict=True) if each == twice
        )
        raise InputError(f"{both} are both the part {twice!r} of {shards.address.label}; take one away")
    return dict(zip(names, shards.paths, strict=True))


def _mismatch(parts: Sequence[Shards], names: Sequence[dict[str, str]]) -> InputError:
    for each, own in zip(parts, names, strict=True):
        for other, theirs in zip(parts, names, strict=True):
            missing = next((name for name in theirs if name not in own), None)
            if missing is not None:
                return InputError(
                    f"{each.address.label} has no part {missing!r}, which {other.address.label} has"
                    f" ({show_path(theirs[missing])}); parts match by their names"
                )
    raise AssertionError("the parts do not differ")
