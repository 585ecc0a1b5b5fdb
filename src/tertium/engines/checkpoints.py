"""Finished parts in a folder, so that an interrupted run continues."""

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path

from tertium.corpus.texts.parts import CorpusPart, FileSurvey
from tertium.corpus.texts.streaming import Plan
from tertium.engines.jobs import Job, PartResult, is_sound
from tertium.errors import InputError
from tertium.files.paths import list_folder, show_path
from tertium.files.writing import write_atomically
from tertium.records import record

_SUFFIX = ".part"


@record
class Checkpoints:
    """The files of finished parts; their names depend on the input bytes and on everything that changes a number.

    Attributes
    ----------
    names
        The file name of each part of this run.
    n_unused
        The number of finished parts in the folder that belong to other inputs, options or versions.
    """

    folder: Path
    names: Sequence[str]
    n_unused: int = 0

    def has(self, number: int) -> bool:
        """Whether a part is finished; a damaged file does not count and will be replaced."""
        try:
            return is_sound((self.folder / self.names[number]).read_bytes(), self.names[number])
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._unreadable(number, error) from None

    def load(self, number: int) -> PartResult:
        """Read a finished part."""
        try:
            saved = (self.folder / self.names[number]).read_bytes()
        except OSError as error:
            raise self._unreadable(number, error) from None
        return PartResult.from_bytes(saved, self.names[number])

    def _unreadable(self, number: int, error: OSError) -> InputError:
        path = show_path(self.folder / self.names[number])
        return InputError(f"{path} cannot be read: {error.strerror or error}; check its mode, or remove it")

    def save(self, number: int, result: PartResult) -> None:
        """Write a finished part, completely or not at all."""
        with write_atomically(self.folder / self.names[number], InputError) as temporary:
            temporary.write_bytes(result.to_bytes(self.names[number]))


def open_checkpoints(
    folder: str, job: Job, plan: Plan, parts: Sequence[CorpusPart], surveys: Mapping[str, FileSurvey]
) -> Checkpoints:
    """Open a folder of finished parts, or create it."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"the folder {show_path(folder)} cannot be created: {why}") from None
    common = _digest(_describe(job, plan, surveys).encode())
    names = [_name_part(common, plan, part, surveys) for part in parts]
    known = frozenset(names)
    found = [file.name for file in list_folder(path) if file.suffix == _SUFFIX]
    return Checkpoints(path, names, sum(name not in known for name in found))


def _name_part(common: bytes, plan: Plan, part: CorpusPart, surveys: Mapping[str, FileSurvey]) -> str:
    """Name a part by the bytes of its files, its position in them, and all that its numbers depend on."""
    shards = {shard.address.path: shard for shard in plan.shards.values()}
    places = [(surveys[shards[place.address].paths[place.shard]].digest, place.row) for place in part.places]
    content = json.dumps([places, part.first, part.n_segments]).encode()
    return f"{part.first:012d}-{_digest(common + content).hex()}{_SUFFIX}"


def _describe(job: Job, plan: Plan, surveys: Mapping[str, FileSurvey]) -> str:
    number_of = {shard.address.path: i for i, shard in enumerate(plan.shards.values())}
    columns = [
        (number_of[plan.shards[text].address.path], plan.shards[text].address.column) for text in plan.texts
    ]
    facts = {
        "version": job.version,
        "roles": [len(plan.references), plan.source is not None, len(plan.systems)],
        "columns": columns,
        "signatures": job.signatures,
        # learnt counts depend on all references, not only on the references of a part
        "learnt from": _reference_digests(plan, surveys) if job.learnt else [],
        "keeps": [job.keeps_rows, job.keeps_scores],
        "samples": [job.n_samples, job.seed],
    }
    return json.dumps(facts)


def _reference_digests(plan: Plan, surveys: Mapping[str, FileSurvey]) -> list[str]:
    return [surveys[path].digest for text in plan.references for path in plan.shards[text].paths]


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()
