"""Plans: files that were looked at, and the parts into which their corpus is cut."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from tertium.corpus.texts.batches import Plan
from tertium.corpus.texts.parts import Part, PartReader, cut_parts, list_paths, make_absolute
from tertium.corpus.texts.survey import Survey, survey_file
from tertium.engines.interface import Engine
from tertium.engines.side_by_side import share_evenly
from tertium.engines.tasks import survey_path
from tertium.errors import OptionError
from tertium.files.paths import file_size
from tertium.kernels.side_by_side import map_side_by_side
from tertium.types import Corpus

__all__ = ["PART_SIZE", "StreamPlan", "plan_stream"]

PART_SIZE = 100_000
"""Segments of a part: what a worker gets at once, and what is lost if it dies."""

_FIRST_BATCH = 20_000

Progress = Callable[..., None]


@dataclass(frozen=True, eq=False)
class StreamPlan:
    """Files that were looked at, and the parts into which their corpus is cut."""

    texts: Plan
    surveys: Mapping[str, Survey]
    parts: Sequence[Part]

    @property
    def n_segments(self) -> int:
        return sum(part.n_segments for part in self.parts)

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.texts.systems)

    def may_run_side_by_side(self, engine: Engine) -> bool:
        """Whether threads of this process can each read a part of their own."""
        return not engine.is_remote and all(survey.may_be_entered for survey in self.surveys.values())

    def read_first(self) -> Corpus:
        """Read the first segments, which show what kind of text this is."""
        reader = PartReader(self.texts)
        first = replace(self.parts[0], n_segments=min(_FIRST_BATCH, self.parts[0].n_segments))
        try:
            return next(corpus for _, corpus in reader.read(first, _FIRST_BATCH))
        finally:
            reader.close()


def plan_stream(
    engine: Engine,
    texts: Plan,
    *,
    part_size: int | None = None,
    with_digests: bool = False,
    progress: Progress | None = None,
) -> StreamPlan:
    """Count the rows of all files, on the engine, and cut the corpus into parts.

    Parameters
    ----------
    part_size
        Without it, `PART_SIZE` or a little less, so that all threads have work to the end.
    """
    if part_size is not None and part_size < 1:
        raise OptionError(f"batch_size must be at least 1, not {part_size}")
    plan = make_absolute(texts) if engine.is_remote else texts
    paths, found = list_paths(plan), dict[str, Survey]()
    for path in paths:
        if file_size(path) < 0:
            survey_file(path)  # which says why not
    look_at = partial(survey_path, with_digest=with_digests)
    surveys = engine.map(look_at, paths) if engine.is_remote else enumerate(map_side_by_side(look_at, paths))
    for number, survey in surveys:
        found[paths[number]] = survey
        if progress is not None:
            progress(len(found), len(paths), "counting segments")
    whole = StreamPlan(plan, found, cut_parts(plan, found, part_size or PART_SIZE))
    if part_size is not None or not whole.may_run_side_by_side(engine):
        return whole
    return replace(whole, parts=cut_parts(plan, found, share_evenly(whole.n_segments, PART_SIZE // 2)))
