"""Lines that do not stand beside their reference: missing, shifted, or of another text."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.diagnosis.finding import SHOWN_LINES, Finding, TextPair
from tertium.types import FloatArray

# Shifted lines: where hypothesis line i answers reference line i + d instead of reference line i.
#
# Two lines that translate the same sentence share rare words. Every shared word votes for the distance
# between its two lines with its inverse document frequency, a log-likelihood ratio of "same sentence"
# against "any sentence". The most likely sequence of distances, where a change of distance has a price,
# gives the shifts; where no distance stands out, the lines are unrelated.


LARGEST_SHIFT = 5
DISTANCES = np.arange(-LARGEST_SHIFT, LARGEST_SHIFT + 1)

# In nats. A line of a WMT system gives its reference line about 30 and the neighbours 3; with this price
# no clean excerpt of 4 to 3,003 lines is called shifted, and a lost line is seen 8 lines before the end.
CHANGE_PRICE = 20.0

# A distance stands out if it has this many times the mean votes of all distances. Translations reach 6, and 3
# without spaces between words; lines of another text stay about 1, and 1.7 by luck.
STANDS_OUT = 2.0

# Inflection changes endings, and commas stick to words; beginnings survive both.
STEM_LENGTH = 5

# Beyond this, "words" are whole clauses of a script that writes no spaces.
LONGEST_MEAN_WORD = 12

IndexArray = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ShiftedLines:
    """Hypothesis lines `first` to `stop` - 1 (from 0), which answer the reference lines `distance` later.

    Lines that answer none of the reference lines around have no distance.
    """

    first: int
    stop: int
    distance: int | None

    def __len__(self) -> int:
        return self.stop - self.first


@dataclass(frozen=True)
class LineMatch:
    """Which reference line each hypothesis line answers; clean data give one run with distance 0."""

    runs: tuple[ShiftedLines, ...]

    @property
    def n_lines(self) -> int:
        return self.runs[-1].stop if self.runs else 0

    @property
    def shifted(self) -> tuple[ShiftedLines, ...]:
        """The runs beside their reference that are too long for two swapped sentences."""
        shortest = min(3, self.n_lines / 2)
        return tuple(run for run in self.runs if run.distance and len(run) >= shortest)

    @property
    def unrelated(self) -> tuple[ShiftedLines, ...]:
        return tuple(run for run in self.runs if run.distance is None)


def match_lines(
    hypotheses: Sequence[str], references: Sequence[str], *, max_blocks: int = 1000, block_sample: int = 40
) -> LineMatch:
    """Divide the hypothesis lines into runs of equal distance to their reference lines.

    Long files are looked at in `max_blocks` blocks, by the first `block_sample` lines of each; where the
    distance changes, every line is looked at.
    """
    if not hypotheses or not references:
        return LineMatch(())
    starts = _block_starts(len(hypotheses), max_blocks)
    rows = _sample_rows(starts, len(hypotheses), block_sample)
    votes = _count_votes(hypotheses, references, rows)
    blocks = np.zeros((len(starts), votes.shape[1]))
    np.add.at(blocks, np.searchsorted(starts, rows, side="right") - 1, votes)
    path = _likeliest_path(blocks)
    edges = np.append(starts, len(hypotheses))
    return LineMatch(tuple(_join_blocks(hypotheses, references, path, edges)))


def _count_votes(hypotheses: Sequence[str], references: Sequence[str], rows: IndexArray) -> FloatArray:
    """Add up, for the given hypothesis lines, the votes for each distance: (rows, distances + 1).

    The last column stands for "unrelated" and wins unless a distance stands out.
    """
    partners = _partners(rows, len(references))
    as_bigrams = _writes_no_spaces(hypotheses, rows) or _writes_no_spaces(references, partners)
    vocabulary: defaultdict[str, int] = defaultdict()
    vocabulary.default_factory = vocabulary.__len__  # an unseen word gets the next number
    left_lines, left_ids = _intern(hypotheses, rows, vocabulary, as_bigrams=as_bigrams)
    right_lines, right_ids = _intern(references, partners, vocabulary, as_bigrams=as_bigrams)
    size = len(vocabulary)
    left, right = (
        _distinct(lines * size + ids) for lines, ids in ((left_lines, left_ids), (right_lines, right_ids))
    )
    weights = _weights(np.concatenate([left, right]), size, len(rows) + len(partners))
    left = left[weights[left % size] > 0] if size else left
    owners = np.searchsorted(rows, left // max(size, 1))
    votes = np.zeros((len(rows), len(DISTANCES)))
    for column, distance in enumerate(DISTANCES):
        shared = _contains(right, left + distance * size)
        votes[:, column] = np.bincount(owners[shared], weights[left[shared] % size], minlength=len(rows))
    return np.column_stack([votes, STANDS_OUT * votes.mean(axis=1)])


def _distinct(numbers: IndexArray) -> IndexArray:
    """Sort the numbers and keep each once, as `np.unique` does after it has loaded numpy's masked arrays."""
    ordered = np.sort(numbers)
    is_first = np.ones(len(ordered), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    distinct: IndexArray = ordered[is_first]
    return distinct


def _block_starts(n_lines: int, max_blocks: int) -> IndexArray:
    size = max(1, -(-n_lines // max_blocks))
    return np.arange(0, n_lines, size)


def _sample_rows(starts: IndexArray, n_lines: int, block_sample: int) -> IndexArray:
    rows = (starts[:, None] + np.arange(block_sample)).ravel()
    return np.flatnonzero(np.bincount(rows[rows < n_lines]))


def _partners(rows: IndexArray, n_references: int) -> IndexArray:
    partners = (rows[:, None] + DISTANCES).ravel()
    return np.flatnonzero(np.bincount(partners[(partners >= 0) & (partners < n_references)]))


def _writes_no_spaces(lines: Sequence[str], rows: IndexArray) -> bool:
    sample = [lines[row] for row in rows[:200]]
    return sum(map(len, sample)) > LONGEST_MEAN_WORD * (1 + sum(len(line.split()) for line in sample))


def _intern(
    lines: Sequence[str], rows: IndexArray, vocabulary: defaultdict[str, int], *, as_bigrams: bool
) -> tuple[IndexArray, IndexArray]:
    """Turn the words of the given lines into ids; each id comes with its line."""
    ids: list[int] = []
    counts: list[int] = []
    for row in rows.tolist():
        line = lines[row].lower()
        units = _bigrams(line) if as_bigrams else line.split()
        ids.extend([vocabulary[unit[:STEM_LENGTH]] for unit in units])
        counts.append(len(units))
    return np.repeat(rows, counts), np.asarray(ids, dtype=np.int64)


def _bigrams(line: str) -> list[str]:
    return [line[i : i + 2] for i in range(len(line) - 1)]


def _weights(keys: IndexArray, size: int, n_lines: int) -> FloatArray:
    """Weigh words by the logarithm of inverse document frequency; words of every fifth line count nothing."""
    if not size:
        return np.zeros(0)
    frequency = np.bincount(keys % size, minlength=size)
    weights = np.log(n_lines / np.maximum(frequency, 1))
    return np.where(frequency > max(2, n_lines / 5), 0.0, weights)


def _contains(ordered: IndexArray, wanted: IndexArray) -> npt.NDArray[np.bool_]:
    if not len(ordered):
        return np.zeros(len(wanted), dtype=bool)
    places = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    found: npt.NDArray[np.bool_] = ordered[places] == wanted
    return found


def _likeliest_path(blocks: FloatArray) -> IndexArray:
    """Viterbi: the column per block with the most votes, less a price for each change of column."""
    origins = np.zeros(blocks.shape, dtype=np.int64)
    stay = np.arange(blocks.shape[1])
    best = np.where(stay == LARGEST_SHIFT, 0.0, -CHANGE_PRICE)  # innocent until proven shifted
    for row, votes in enumerate(blocks):
        top = int(best.argmax())
        changes = best < best[top] - CHANGE_PRICE
        origins[row] = np.where(changes, top, stay)
        best = np.where(changes, best[top] - CHANGE_PRICE, best) + votes
    path = np.zeros(len(blocks), dtype=np.int64)
    column = int(best.argmax())
    for row in range(len(blocks) - 1, -1, -1):
        path[row] = column
        column = int(origins[row, column])
    return path


def _join_blocks(
    hypotheses: Sequence[str], references: Sequence[str], path: IndexArray, edges: IndexArray
) -> Iterator[ShiftedLines]:
    """Join blocks of one distance; find the exact line between two distances."""
    changes = [*(np.flatnonzero(np.diff(path)) + 1).tolist(), len(path)]
    first = 0
    for block in changes:
        stop = len(hypotheses)
        if block < len(path):
            rows = np.arange(edges[block - 1], edges[block + 1])
            votes = _count_votes(hypotheses, references, rows)
            stop = int(rows[0]) + _best_split(votes[:, path[block - 1]], votes[:, path[block]])
        if stop > first:
            yield ShiftedLines(first, stop, _distance(int(path[block - 1])))
            first = stop


def _best_split(before: FloatArray, after: FloatArray) -> int:
    """Find the row from which on the votes of the later distance count."""
    return int(np.append(0.0, np.cumsum(before - after)).argmax())


def _distance(column: int) -> int | None:
    return int(DISTANCES[column]) if column < len(DISTANCES) else None


# Fewer lines may be unlike their reference by bad luck.
MIN_LINES_TO_CHECK = 20


def check_line_counts(pair: TextPair) -> list[Finding]:
    n_here, n_there = len(pair.hypotheses), len(pair.references)
    if n_here == n_there:
        return []
    return [
        Finding(
            severity="error",
            file=pair.hypothesis_file,
            lines=(min(n_here, n_there) + 1,),
            n_lines=abs(n_here - n_there),
            problem=f"{n_here:,} lines here but {n_there:,} in {pair.reference_file}",
            remedy="find the lines that were lost, split or joined; a score needs one line per segment",
            code="line-count",
        )
    ]


def check_order(pair: TextPair, match: LineMatch) -> list[Finding]:
    n_shifted, n_unrelated = (sum(map(len, runs)) for runs in (match.shifted, match.unrelated))
    findings = []
    if n_shifted > n_unrelated:  # in shuffled lines, a few stand near their place by luck
        findings.append(_report_shift(pair, match.shifted))
    if n_unrelated >= max(MIN_LINES_TO_CHECK, match.n_lines / 10):
        findings.append(_report_unrelated(pair, match.unrelated))
    return findings


def check_layout(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], *, file: str = "references"
) -> list[Finding]:
    """Notice references given as a file per segment instead of a file per reference.

    `hypotheses` and `references` hold the lines of each file, `file` is the name to report.
    """
    n_lines = {len(lines) for lines in hypotheses}
    n_references = {len(lines) for lines in references}
    if (
        n_lines != {len(references)}
        or len(n_references) != 1
        or n_references == n_lines
        or len(references) < 2
    ):
        return []
    n_each = n_references.pop()
    return [
        Finding(
            severity="error",
            file=file,
            lines=(),
            n_lines=0,
            problem=f"the references look transposed: {len(references):,} files of {_plural(n_each, 'line')}"
            f" for {len(references):,} segments",
            remedy=f"write {_plural(n_each, 'file')} of {len(references):,} lines: line i translates segment i",
            code="transposed-references",
        )
    ]


def _report_shift(pair: TextPair, shifted: Sequence[ShiftedLines]) -> Finding:
    first = shifted[0]
    distance = first.distance or 0
    direction = "down" if distance > 0 else "up"
    problem = (
        f"shifted: up to line {first.stop} they match {pair.reference_file} {_plural(abs(distance), 'line')}"
    )
    return Finding(
        severity="error",
        file=pair.hypothesis_file,
        lines=tuple(run.first + 1 for run in shifted[:SHOWN_LINES]),
        n_lines=sum(map(len, shifted)),
        problem=f"{problem} further {direction}{_render_others(len(shifted) - 1)}",
        remedy=_shift_remedy(distance, first.first + 1),
        code="shifted-lines",
    )


def _shift_remedy(distance: int, line: int) -> str:
    here, there = ("lost", "added") if distance > 0 else ("added", "lost")
    return f"look for {_plural(abs(distance), 'line')} {here} here, or {there} in the reference, before line {line}"


def _render_others(number: int) -> str:
    return f"; {_plural(number, 'more shift')} follow{'s' if number == 1 else ''}" if number else ""


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _report_unrelated(pair: TextPair, unrelated: Sequence[ShiftedLines]) -> Finding:
    return Finding.at(
        [row for run in unrelated for row in range(run.first, run.stop)],
        severity="warning",
        file=pair.hypothesis_file,
        problem=f"fits its line of {pair.reference_file} no better than the lines around",
        remedy=f"look for another test set, another order, or a shift of more than {LARGEST_SHIFT} lines",
        code="unrelated",
    )
