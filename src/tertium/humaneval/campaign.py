"""A human evaluation of one language pair as indices: who judged which output of which system, and how."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tertium.corpus.judgments.readers import Judgments, SegmentJudgments
from tertium.corpus.judgments.spans import ErrorSpan, find_overlaps
from tertium.errors import InputError, OptionError, argument
from tertium.records import record
from tertium.stats.human import normalise_raters
from tertium.values import Corpus, FloatArray

Indices = npt.NDArray[np.int64]


@record(eq=False)
class Campaign:
    """The judgments of one language pair; every array has an entry per judgment.

    Attributes
    ----------
    systems, items, raters, documents
        The names; without named raters or documents these are empty.
    system_of, item_of, rater_of
        The index of each judgment's system, item (segment) and rater; rater 0 if raters are unknown.
    document_of
        The index of each item's document; the item itself if documents are unknown.
    judged
        The judgments with their spans and texts.
    checks
        Judgments that check a rater's attention.
    notes, warnings
        Facts about the files, and likely mistakes in them.
    """

    pair: str
    systems: tuple[str, ...]
    items: tuple[str, ...]
    raters: tuple[str, ...]
    documents: tuple[str, ...]
    system_of: Indices
    item_of: Indices
    rater_of: Indices
    document_of: Indices
    judged: SegmentJudgments
    checks: SegmentJudgments | None = None
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.judged)

    @property
    def scores(self) -> FloatArray:
        return self.judged.scores

    @cached_property
    def outputs(self) -> Indices:
        """The index of each judgment's output: its system and item."""
        return self.system_of * len(self.items) + self.item_of

    @cached_property
    def z_scores(self) -> FloatArray | None:
        """Scores with mean 0 and variance 1 for each rater; NaN for raters without variance, None without raters."""
        return normalise_raters(self.scores, self.rater_of.astype(np.int32)).scores if self.raters else None

    def item_means(self, scores: FloatArray) -> FloatArray:
        """Average the judgments of each output, (systems, items); NaN where there is none."""
        n_outputs = len(self.systems) * len(self.items)
        kept = ~np.isnan(scores)
        counts = np.bincount(self.outputs[kept], minlength=n_outputs)
        sums = np.bincount(self.outputs[kept], weights=scores[kept], minlength=n_outputs)
        means = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        return means.reshape(len(self.systems), len(self.items))


def make_campaigns(
    files: Sequence[Judgments],
    *,
    documents: Mapping[str, Mapping[str, str]] | None = None,
    pairs: Collection[str] = (),
    exclude: Collection[str] = (),
) -> list[Campaign]:
    """Join the judgments of all files by language pair.

    Parameters
    ----------
    documents
        The document of each segment by language pair, for files that do not name documents.
    pairs
        Language pairs to keep; all if empty.
    exclude
        Raters whose judgments are left out.

    Raises
    ------
    InputError
        If a file has no judgments of segments.
    OptionError
        If a language pair or a rater that was named does not exist.
    """
    for file in files:
        if not isinstance(file, SegmentJudgments):
            raise InputError(
                f"{file.path} has no judgments of segments; a human evaluation needs a row per judgment"
            )
    named = [file for file in files if isinstance(file, SegmentJudgments)]
    _check_names("pairs", pairs, {pair for file in named for pair in file.pairs})
    _check_names("exclude", exclude, {rater for file in named for rater in file.raters or ()})
    found = dict.fromkeys(pair for file in named for pair in file.pairs if not pairs or pair in pairs)
    return [_make(pair, named, (documents or {}).get(pair, {}), set(exclude)) for pair in found]


def documents_of(corpus: Corpus) -> dict[str, str]:
    """Return the document of each segment of a corpus, by the label that judgments use; empty if it is unknown."""
    documents = corpus.document_ids or corpus.columns.get("document")
    labels = corpus.segment_ids or [str(i + 1) for i in range(len(corpus))]
    return dict(zip(labels, documents, strict=True)) if documents else {}


def _check_names(option: str, names: Collection[str], known: set[str]) -> None:
    for name in names:
        if name not in known:
            listed = ", ".join(sorted(known - {""})) or "no names in these files"
            raise OptionError(f"{argument(option, name)} is not in these files; there are {listed}")


def _make(
    pair: str, files: Sequence[SegmentJudgments], documents: Mapping[str, str], exclude: set[str]
) -> Campaign:
    parts = [_select_pair(file, pair, exclude) for file in files]
    joined = _join([part for part in parts if len(part)])
    whole, checks = joined.of_systems(), _only_checks(joined)
    if not len(whole):
        raise InputError(f"{files[0].path}: no judgments of systems are left for {pair or 'this evaluation'}")
    systems, items, raters = (
        dict.fromkeys(names) for names in (whole.systems, whole.segments, whole.raters or ())
    )
    known = dict(zip(whole.segments, whole.documents, strict=True)) if whole.documents else documents
    named = {item: known.get(item, "") for item in items}
    names = tuple(dict.fromkeys(named.values())) if all(named.values()) else ()
    return Campaign(
        pair,
        tuple(systems),
        tuple(items),
        tuple(raters) if any(raters) else (),
        names,
        _number(whole.systems, systems),
        _number(whole.segments, items),
        _number(whole.raters, raters) if whole.raters else np.zeros(len(whole), np.int64),
        _number([named[item] for item in items], names) if names else np.arange(len(items)),
        whole,
        checks,
        [note for file in files for note in file.notes],
        _find_mistakes(whole),
    )


def _number(labels: Iterable[str], names: Iterable[str]) -> Indices:
    index = {name: i for i, name in enumerate(names)}
    return np.fromiter((index[label] for label in labels), dtype=np.int64)


def _select_pair(file: SegmentJudgments, pair: str, exclude: set[str]) -> SegmentJudgments:
    raters = file.raters or [""] * len(file)
    rows = zip(file.pairs, raters, strict=True)
    return file.select([i for i, (own, rater) in enumerate(rows) if own == pair and rater not in exclude])


def _only_checks(joined: SegmentJudgments) -> SegmentJudgments | None:
    rows = [i for i, check in enumerate(joined.checks or ()) if check]
    return joined.select(rows) if rows else None


_DEFAULTS = {"raters": "", "documents": "", "spans": (), "targets": "", "sources": "", "checks": ""}


def _join(parts: Sequence[SegmentJudgments]) -> SegmentJudgments:
    """Concatenate judgments of several files; a column that one of them lacks gets its empty value."""
    if not parts:
        raise InputError("no judgments are left; exclude fewer raters")
    if len(parts) == 1:
        return parts[0]
    columns: dict[str, object] = {"path": " and ".join(dict.fromkeys(part.path for part in parts))}
    for name in ("lines", "pairs", "systems", "segments"):
        columns[name] = [value for part in parts for value in getattr(part, name)]
    for name, default in _DEFAULTS.items():
        values = [value for part in parts for value in getattr(part, name) or [default] * len(part)]
        columns[name] = values if any(getattr(part, name) is not None for part in parts) else None
    if any(part.seconds is not None for part in parts):
        columns["seconds"] = np.concatenate(
            [np.full(len(part), np.nan) if part.seconds is None else part.seconds for part in parts]
        )
    columns["scores"] = np.concatenate([part.scores for part in parts])
    return SegmentJudgments(**columns)  # type: ignore[arg-type]


def _find_mistakes(judged: SegmentJudgments) -> list[str]:
    """Describe repeated judgments and overlapping error spans, each in one line with the first place."""
    return [*_find_repeats(judged), *_find_overlapping(judged)]


def _find_repeats(judged: SegmentJudgments) -> list[str]:
    if judged.raters is None:
        return []
    seen: dict[tuple[str, str, str], int] = {}
    repeats = [
        (i, first)
        for i, key in enumerate(zip(judged.raters, judged.systems, judged.segments, strict=True))
        if (first := seen.setdefault(key, i)) != i
    ]
    if not repeats:
        return []
    i, first = repeats[0]
    line = (
        f"{judged.place(i)} judges system {judged.systems[i]!r}, segment {judged.segments[i]!r} again by rater"
        f" {judged.raters[i]!r} (first in line {judged.lines[first]:,}); {len(repeats):,} such judgments are averaged"
    )
    return [line]


def _find_overlapping(judged: SegmentJudgments) -> list[str]:
    found = [i for i, spans in enumerate(judged.spans or ()) if len(spans) > 1 and find_overlaps(spans)]
    if not found:
        return []
    one, other = find_overlaps(judged.spans[found[0]])[0]  # type: ignore[index] # spans is not None here
    line = (
        f"{judged.place(found[0])} has overlapping error spans, {_format(one)} and {_format(other)};"
        f" {len(found):,} judgments have such spans, and all of their errors count"
    )
    return [line]


def _format(span: ErrorSpan) -> str:
    return f"{span.start}:{span.end}"
