"""Archives: several files in one ZIP file, with a manifest that holds their checksums.

Members are stored uncompressed, because most of them are compressed already; any ZIP tool opens the file.
"""

import hashlib
import json
import struct
import zipfile
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.files.overwriting import note_input
from tertium.files.paths import check_not_pipe
from tertium.files.reading import has_packing
from tertium.files.writing import write_atomically
from tertium.records import record

MANIFEST = "manifest.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # ZIP's first day: equal content gives equal bytes

# The errors that reading a damaged ZIP file may raise; RecursionError comes from JSON that nests too deeply.
_DAMAGES = (
    OSError,
    EOFError,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    RecursionError,
    ValueError,
    OverflowError,
    struct.error,
)


@record
class Archive:
    """An archive whose members are read one at a time; reading a member verifies its checksum."""

    path: str
    manifest: Mapping[str, Any]
    prefix: str = ""
    """The folder in the archive that holds the members, with a slash at its end."""

    def read(self, member: str) -> bytes:
        """Read a member; raise InputError if it is missing or damaged."""
        name = f"{self.prefix}{member}"
        try:
            with zipfile.ZipFile(self.path) as file:
                data = _read_stored(file, name)
        except (KeyError, *_DAMAGES) as error:
            raise _damaged(self.path, f"{name}: {error}") from None
        if hashlib.sha256(data).hexdigest() != self._checksums.get(name):
            raise _damaged(self.path, f"{name} does not have the checksum in the manifest")
        return data

    def check(self) -> None:
        """Raise if any member is damaged or missing."""
        for name in self._checksums:
            if name.startswith(self.prefix):
                self.read(name.removeprefix(self.prefix))

    @cached_property
    def _checksums(self) -> Mapping[str, str]:
        found = self.manifest.get("checksums")
        return found if isinstance(found, dict) else {}


def write_archive(path: str, manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> None:
    """Write an archive atomically; the checksums of the members are added to the manifest."""
    checksums = {name: hashlib.sha256(data).hexdigest() for name, data in members.items()}
    document = json.dumps({**manifest, "checksums": checksums}, ensure_ascii=False, indent=1, allow_nan=False)
    with write_atomically(Path(path), InputError) as temporary, zipfile.ZipFile(temporary, "w") as file:
        for name, data in {MANIFEST: document.encode("utf-8", "surrogatepass"), **members}.items():
            file.writestr(zipfile.ZipInfo(name, _EPOCH), data)


def open_archive(path: str, *, kind: str) -> Archive:
    """Open an archive; its manifest must state this kind.

    Raises
    ------
    InputError
        If the file is missing, damaged, or not an archive of this kind.
    """
    check_not_pipe(path, f"a {kind}")
    note_input(path)
    try:
        with zipfile.ZipFile(path) as file:
            manifest = json.loads(_read_stored(file, MANIFEST).decode("utf-8", "surrogatepass"))
    except FileNotFoundError:
        raise InputError(f"no such file: {path!r}; check the path") from None
    except (IsADirectoryError, PermissionError) as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; check the path") from None
    except KeyError:
        raise InputError(f"{path} is not a {kind}: it is a ZIP file without {MANIFEST}") from None
    except _DAMAGES as error:
        if has_packing(path):
            raise InputError(
                f"{path} is compressed, but a {kind} is not; unpack it with gunzip or unxz"
            ) from None
        raise _damaged(path, str(error)) from None
    if not isinstance(manifest, dict) or manifest.get("kind") != kind:
        raise InputError(f"{path} is not a {kind}: its manifest states another kind or none")
    return Archive(path, manifest)


def _read_stored(file: zipfile.ZipFile, member: str) -> bytes:
    """Read a member; raise if it is compressed, because it was not written here and may expand to any size."""
    if file.getinfo(member).compress_type != zipfile.ZIP_STORED:
        raise ValueError("it is compressed, but members of an archive are stored uncompressed")
    return file.read(member)


def _damaged(path: str, why: str) -> InputError:
    reason = " ".join(why.split())
    return InputError(f"{path} is damaged or truncated ({reason}); create or download it again")
