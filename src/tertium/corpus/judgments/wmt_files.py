"""Readers of human evaluations as WMT, mt-metrics-eval and COMET write them, where a table's columns are not enough.

- WMT24's ESA: one JSON object per judgment, with `esa_score` and `esa_spans`.
- WMT25 and WMT26: one JSON object per segment, with the outputs and their human scores by system.
- WMT17 to WMT22: `ad-seg-scores-LP.csv`, mean scores of direct assessment per output, separated by spaces.
- mt-metrics-eval: `LP.NAME.seg.rating`, a system, MQM errors as JSON and a rater per line.
- COMET: the JSON file of `comet-score --to_json`, with the error spans of XCOMET.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tertium.corpus.judgments.readers import (
    Judgment,
    SegmentJudgments,
    WeighSpans,
    collect_judgments,
    require_score,
)
from tertium.corpus.judgments.score_files import LANGUAGE_PAIR, pair_in_name
from tertium.corpus.judgments.spans import parse_spans
from tertium.decimals import parse_score
from tertium.errors import InputError
from tertium.files.paths import Address, default_name, strip_compression

Entry = Mapping[str, object]


WMT24_ESA_KEYS = frozenset({"esa_score", "system", "line_id"})
WMT25_KEYS = frozenset({"scores", "tgt_text"})


def parse_wmt24_esa(path: str, entries: Sequence[Entry]) -> SegmentJudgments:
    """Read WMT24's ESA judgments; `line_id` counts from 0, so segment 1 has the line 0."""
    return collect_judgments(path, (_read_esa(path, row + 1, entry) for row, entry in enumerate(entries)))


def _read_esa(path: str, number: int, entry: Entry) -> Judgment:
    place = f"{path}: line {number:,}"
    times = entry.get("times")
    start, end = (
        (parse_score(time) for time in times) if isinstance(times, list) and len(times) == 2 else (None, None)
    )
    line, system = entry.get("line_id"), entry.get("system")
    if not isinstance(line, int) or isinstance(line, bool) or line < 0:
        raise InputError(f"{place} has the line_id {line!r}, which is not a whole number from 0 on")
    if not isinstance(system, str) or not system:
        raise InputError(f"{place} has the system {system!r}, which is not a name")
    target = _text(entry.get("tgt"))
    return Judgment(
        line=number,
        system=system,
        segment=str(line + 1),
        score=require_score(entry.get("esa_score"), place),
        pair=_text(entry.get("langs")) or "",
        document=_text(entry.get("doc_id")) or "",
        rater=_text(entry.get("annotator")) or "",
        spans=parse_spans(entry.get("esa_spans"), place, target),
        seconds=None if start is None or end is None else end - start,
        target=target,
        source=_text(entry.get("src")),
    )


def parse_wmt25(path: str, entries: Sequence[Entry], weigh: WeighSpans) -> SegmentJudgments:
    """Read WMT25's and WMT26's human evaluation.

    `scores` maps each system to its judgment, or to a list of them. The segments of a language pair, which is the
    beginning of `doc_id`, are counted from 1 in the order of the file.
    """
    repeated = [i for i in range(1, len(entries)) if entries[i] == entries[i - 1]]
    notes = [
        f"{path}: line {row + 1:,} is identical to the line before it; it counts as another segment"
        for row in repeated[:1]
    ]
    return collect_judgments(path, _read_wmt25(path, entries, weigh), notes=notes)


_SEPARATOR = "_#_"


def _read_wmt25(path: str, entries: Sequence[Entry], weigh: WeighSpans) -> Iterator[Judgment]:
    n_segments: Counter[str] = Counter()
    for number, entry in enumerate(entries, start=1):
        place = f"{path}: line {number:,}"
        document, outputs, scores = (
            _text(entry.get("doc_id")) or "",
            entry.get("tgt_text"),
            entry.get("scores"),
        )
        pair = document.partition(_SEPARATOR)[0] if _SEPARATOR in document else ""
        n_segments[pair] += 1
        if not isinstance(outputs, dict) or not isinstance(scores, dict):
            raise InputError(f"{place}: tgt_text and scores must map systems to outputs and judgments")
        for system, given in scores.items():
            if system not in outputs:
                raise InputError(f"{place} judges the system {system!r}, which has no output in tgt_text")
            for judgment in given if isinstance(given, list) else [given]:
                yield _read_wmt25_judgment(
                    place, number, (pair, document, str(n_segments[pair]), system), outputs[system], judgment,
                    weigh, source=_text(entry.get("src_text")),
                )  # fmt: skip


def _read_wmt25_judgment(
    place: str,
    number: int,
    key: tuple[str, str, str, str],
    output: object,
    given: object,
    weigh: WeighSpans,
    *,
    source: str | None,
) -> Judgment:
    pair, document, segment, system = key
    facts = given if isinstance(given, dict) else {"human": given}
    target = _text(output)
    errors = next((facts[name] for name in ("errors", "error_spans") if name in facts), None)
    spans = None if errors is None else parse_spans(errors, place, target)
    score = next((facts[name] for name in ("human", "score") if facts.get(name) is not None), None)
    if score is None and spans is None:
        raise InputError(f"{place} has an empty annotation of {system!r}: neither a score nor errors")
    rater = next((facts[name] for name in ("annotator", "user_id", "rater") if name in facts), "")
    return Judgment(
        line=number,
        system=system,
        segment=segment,
        score=weigh(spans or (), place) if score is None else require_score(score, place),
        pair=pair,
        document=document,
        rater=str(rater),
        spans=spans,
        target=target,
        source=source,
    )


_AD_COLUMNS = {
    "system": ("SYS",),
    "segment": ("SID", "SEGID", "SEG_ID"),
    "raw": ("RAW.SCR", "RAW"),
    "z": ("Z.SCR", "Z"),
}


def is_ad_seg_scores(lines: Sequence[str]) -> bool:
    """Whether the first line is the header of an `ad-seg-scores` file."""
    return bool(lines) and _ad_places(lines[0]) is not None


def _ad_places(header: str) -> dict[str, int] | None:
    names = [name.strip('"').upper() for name in header.replace(",", " ").split()]
    places = {
        key: next((names.index(choice) for choice in choices if choice in names), -1)
        for key, choices in _AD_COLUMNS.items()
    }
    return None if min(places.values()) < 0 else places


def parse_ad_seg_scores(path: str, lines: Sequence[str], *, score: str | None = None) -> SegmentJudgments:
    """Read mean scores of direct assessment: z-scores, or scores from 0 to 100 if `score` is `raw`.

    WMT21 and WMT22 into English number the segments over the documents sorted by their ids, not in the order of the
    test set.
    """
    if score not in (None, "z", "raw"):
        raise InputError(f"{path} has the scores z and raw, not {score!r}")
    places = _ad_places(lines[0]) or {}
    pair = pair_in_name(path) or _pair_at_end(path)
    rows: list[Judgment] = []
    seen: dict[tuple[str, str], int] = {}
    for number, line in enumerate(lines[1:], start=2):
        fields = [field.strip('"') for field in line.replace(",", " ").split()]
        if len(fields) <= max(places.values()):
            raise InputError(f"{path}: line {number:,} has {len(fields)} fields; expected those of line 1")
        value = require_score(fields[places[score or "z"]], f"{path}: line {number:,}")
        system, segment = fields[places["system"]], fields[places["segment"]]
        first = seen.setdefault((system, segment), number)
        if first != number:
            raise InputError(
                f"{path}: line {number:,} has a score of segment {segment} of {system} again (first in line {first:,});"
                " there must be one mean score for each output"
            )
        rows.append(Judgment(line=number, system=system, segment=segment, score=value, pair=pair))
    return collect_judgments(path, rows)


def _pair_at_end(path: str) -> str:
    """Return the language pair at the end of a name: `ad-seg-scores-cs-en.csv`."""
    end = "-".join(strip_compression(path).stem.split("-")[-2:])
    return end if LANGUAGE_PAIR.fullmatch(end) else ""


def parse_ratings(path: str, lines: Sequence[str], weigh: WeighSpans) -> SegmentJudgments:
    """Read mt-metrics-eval's ratings; the rows of each system are its segments, counted from 1 for each rater."""
    n_rows: Counter[tuple[str, str]] = Counter()
    rows = []
    for number, line in enumerate(lines, start=1):
        place = f"{path}: line {number:,}"
        system, *rest = line.split("\t")
        if len(rest) not in (1, 2):
            raise InputError(
                f"{place} is not SYSTEM, a tab, a rating in JSON or None, and optionally a tab and a rater"
            )
        rater = rest[1] if len(rest) == 2 else _rater_in_name(path)
        key = (system, "" if len(rest) == 2 else rater)
        n_rows[key] += 1
        if rest[0] == "None":
            continue
        spans = parse_spans(_rating_errors(rest[0], place), place)
        rows.append(
            Judgment(
                line=number, system=system, segment=str(n_rows[key]), score=weigh(spans, place),
                pair=pair_in_name(path), rater=rater, spans=spans,
            )
        )  # fmt: skip
    return collect_judgments(path, rows)


def _rating_errors(text: str, place: str) -> object:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"{place} has a rating that is not JSON; unrated outputs are None") from None
    if isinstance(found, dict) and isinstance(found.get("errors"), list):
        return found["errors"]
    raise InputError(f"{place} has a rating without a list of errors")


def _rater_in_name(path: str) -> str:
    """Return the rater in a name such as `en-de.mqm.rater3.seg.rating`."""
    *_, name = default_name(Address(path)).removesuffix(".seg").split(".")
    return name


def is_comet(value: object) -> bool:
    """Whether a JSON value has the layout of `comet-score --to_json`: lists of scored outputs by file."""
    return (
        isinstance(value, dict)
        and bool(value)
        and all(
            isinstance(entries, list)
            and entries
            and all(isinstance(entry, dict) and "COMET" in entry for entry in entries)
            for entries in value.values()
        )
    )


def parse_comet(path: str, value: Mapping[str, Sequence[Entry]]) -> SegmentJudgments:
    """Read COMET's scores and XCOMET's error spans; the outputs of each file are segments 1, 2, …"""
    rows = []
    for file, outputs in value.items():
        system = default_name(Address(file))
        for number, entry in enumerate(outputs, start=1):
            place = f"{path}: {system}, segment {number:,}"
            target = _text(entry.get("mt"))
            rows.append(
                Judgment(
                    line=number, system=system, segment=str(number), score=require_score(entry["COMET"], place),
                    spans=parse_spans(entry.get("errors", entry.get("error_spans")), place, target),
                    target=target, source=_text(entry.get("src")),
                )
            )  # fmt: skip
    return collect_judgments(path, rows)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
