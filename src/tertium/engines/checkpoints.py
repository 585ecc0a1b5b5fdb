"""A folder of finished parts, so that a run that was killed goes on where it stopped."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from tertium.corpus.texts.parts import Part
from tertium.corpus.texts.survey import Survey
from tertium.engines.jobs import Job
from tertium.engines.part_results import PartResult, is_sound
from tertium.errors import InputError
from tertium.files.paths import list_folder, show_path
from tertium.files.writing import written_whole

__all__ = ["Checkpoints", "open_checkpoints"]

_SUFFIX = ".part"


@dataclass(frozen=True)
class Checkpoints:
    """Finished parts by name; a name says what was computed from which bytes, so that nothing is mixed up.

    Attributes
    ----------
    names
        The file's name for each part of this run.
    """

    folder: Path
    names: Sequence[str]
    unused: int = field(default=0)
    """How many finished parts in the folder belong to other inputs, options or versions."""

    def has(self, number: int) -> bool:
        """Whether a part is finished; one whose file is damaged is not, and will be replaced."""
        try:
            return is_sound((self.folder / self.names[number]).read_bytes())
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._unreadable(number, error) from None

    def load(self, number: int) -> PartResult:
        """Read a finished part."""
        try:
            return PartResult.from_bytes((self.folder / self.names[number]).read_bytes())
        except OSError as error:
            raise self._unreadable(number, error) from None

    def _unreadable(self, number: int, error: OSError) -> InputError:
        path = show_path(self.folder / self.names[number])
        return InputError(f"{path} cannot be read: {error.strerror or error}; check its mode, or remove it")

    def save(self, number: int, result: PartResult) -> None:
        """Write a finished part, whole or not at all."""
        with written_whole(self.folder / self.names[number], InputError) as temporary:
            temporary.write_bytes(result.to_bytes())


def open_checkpoints(
    folder: str, job: Job, parts: Sequence[Part], surveys: Mapping[str, Survey]
) -> Checkpoints:
    """Open a folder of finished parts, which need not exist yet, for the parts of one job."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {show_path(folder)}: {error.strerror or error}") from None
    names = _name_parts(job, parts, surveys)
    known = frozenset(names)
    there = [each.name for each in list_folder(path) if each.suffix == _SUFFIX]
    return Checkpoints(path, names, sum(name not in known for name in there))


def _name_parts(job: Job, parts: Sequence[Part], surveys: Mapping[str, Survey]) -> list[str]:
    common = _digest(_describe(job, surveys).encode())
    return [_name_part(common, job, part, surveys) for part in parts]


def _name_part(common: bytes, job: Job, part: Part, surveys: Mapping[str, Survey]) -> str:
    """Name a part by the bytes of its files, its place in them, and all that its numbers depend on."""
    shards = {each.address.path: each for each in job.plan.shards.values()}
    places = [(surveys[shards[place.address].paths[place.shard]].digest, place.row) for place in part.places]
    content = json.dumps([places, part.first, part.n_segments]).encode()
    return f"{part.first:012d}-{_digest(common + content).hex()}{_SUFFIX}"


def _describe(job: Job, surveys: Mapping[str, Survey]) -> str:
    plan, number_of = job.plan, {each.address.path: i for i, each in enumerate(job.plan.shards.values())}
    columns = [
        (number_of[plan.shards[text].address.path], plan.shards[text].address.column) for text in plan.texts
    ]
    facts = {
        "version": job.version,
        "roles": [len(plan.references), plan.source is not None, len(plan.systems)],
        "columns": columns,
        "signatures": job.signatures,
        # what is learnt depends on all references, not only on a part's
        "learnt from": _reference_digests(job, surveys) if job.learnt else [],
        "keeps": [job.keeps_rows, job.keeps_scores],
        "samples": [job.n_samples, job.seed],
    }
    return json.dumps(facts)


def _reference_digests(job: Job, surveys: Mapping[str, Survey]) -> list[str]:
    return [surveys[path].digest for text in job.plan.references for path in job.plan.shards[text].paths]


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=16).digest()
