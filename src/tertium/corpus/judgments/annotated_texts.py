"""Corpora from annotations that contain the judged outputs, such as Google's MQM and WMT24's ESA."""

import re
from collections.abc import Mapping, Sequence

from tertium.corpus.judgments.readers import SegmentJudgments
from tertium.errors import InputError
from tertium.values import Corpus

_REFERENCE = re.compile(r"ref[-_.]?[a-z0-9]?", re.IGNORECASE)
"""Names of human translations that were judged among the systems: ref, refA, ref_B."""


def collect_texts(
    files: Sequence[SegmentJudgments],
) -> tuple[dict[str, Corpus], list[SegmentJudgments], list[str]]:
    """Make a corpus of each language pair from the judged outputs.

    Human translations that were judged among the systems (ref, refA …) are the references, and their judgments are
    left out. Segments that lack an output of a system are left out too.

    Returns
    -------
    tuple
        The corpora by language pair, the judgments of systems, and notes on what was left out.

    Raises
    ------
    InputError
        If no human translation was judged, or no segment has the outputs of all systems.
    """
    corpora: dict[str, Corpus] = {}
    notes: list[str] = []
    for pair in dict.fromkeys(pair for file in files for pair in file.pairs):
        corpora[pair] = _collect_pair(pair, files, notes)
    kept = [file.select(_rows_of_systems(file, corpora)) for file in files]
    return corpora, kept, notes


def _rows_of_systems(file: SegmentJudgments, corpora: Mapping[str, Corpus]) -> list[int]:
    """List the judgments of systems and segments that the corpora contain."""
    known = {
        (pair, system, segment)
        for pair, corpus in corpora.items()
        for system in corpus.systems
        for segment in corpus.segment_ids or ()
    }
    keys = zip(file.pairs, file.systems, file.segments, strict=True)
    return [i for i, key in enumerate(keys) if key in known]


def _collect_pair(pair: str, files: Sequence[SegmentJudgments], notes: list[str]) -> Corpus:
    outputs: dict[str, dict[str, str]] = {}
    sources: dict[str, str] = {}
    documents: dict[str, str] = {}
    for file in files:
        for i, own in enumerate(file.pairs):
            if own == pair and file.targets is not None and file.targets[i]:
                segment = file.segments[i]
                outputs.setdefault(file.systems[i], {})[segment] = file.targets[i]
                sources[segment] = file.sources[i] if file.sources else ""
                documents[segment] = file.documents[i] if file.documents else ""
    names = [name for name in outputs if not _REFERENCE.fullmatch(name)]
    references = [name for name in outputs if _REFERENCE.fullmatch(name)]
    path = files[0].path
    if not references or not names:
        raise InputError(
            f"{path} has no judged human translation (ref, refA …) that could serve as reference; give the outputs and"
            " references as files"
        )
    segments = [segment for segment in sources if all(segment in texts for texts in outputs.values())]
    if not segments:
        raise InputError(f"{path} has no segment with the outputs of all systems; give them as files")
    label = f"{pair}: " if pair else ""
    notes.append(
        f"{label}the outputs are those in {path}, with {' and '.join(references)} as reference"
        + (
            f"; {len(sources) - len(segments):,} segments lack an output"
            if len(segments) < len(sources)
            else ""
        )
    )
    return Corpus(
        [[outputs[name][segment] for name in references] for segment in segments],
        {name: [outputs[name][segment] for segment in segments] for name in names},
        [sources[segment] for segment in segments] if any(sources.values()) else None,
        segments,
        [documents[segment] for segment in segments] if all(documents.values()) else None,
    )
