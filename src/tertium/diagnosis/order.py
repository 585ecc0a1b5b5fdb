"""Checks of the order of lines: missing lines, shifted lines, and lines of another text."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from tertium.diagnosis.finding import Finding, ProblemKind, TextPair
from tertium.interfaces import SentenceEncoder, known_languages
from tertium.kernels.elementary import log
from tertium.records import record
from tertium.text.detection import decode_text
from tertium.values import FloatArray

# Lines are shifted by d if hypothesis line i translates the sentence of reference line i + d.
#
# Two lines that translate the same sentence share rare words. Every shared word votes for the distance
# between its two lines, weighted by its inverse document frequency, a log-likelihood ratio of "same sentence"
# against "any sentence". The most likely sequence of distances, with a penalty for each change of distance,
# gives the shifts. If no distance has clearly more votes than the others, the lines are unrelated.
#
# A translation and its source share few words; there the cosine of their sentence vectors gives the votes.

MAX_SHIFT = 5
DISTANCES = np.arange(-MAX_SHIFT, MAX_SHIFT + 1)

# In nats. A line of a WMT system gives its reference line about 30 votes and the neighbouring lines 3. With this
# penalty no clean excerpt of 4 to 3,003 lines is called shifted, and a lost line is found if 8 lines follow it.
CHANGE_PENALTY = 20.0

# A distance is accepted if it has this many times the mean votes of all distances. Translations reach 6, or 3
# without spaces between words; lines of another text reach about 1, and at most 1.7 by chance.
MIN_VOTE_RATIO = 2.0

# Inflection changes the ends of words, and commas are attached there; the first letters stay the same.
STEM_LENGTH = 5

# The rest of a longer line does not vote.
MAX_LINE = 10_000

# If words are longer on average, they are whole clauses of a script without spaces.
MAX_MEAN_WORD = 12

# Sentence vectors of a translation and its source have a cosine of about 0.7, those of neighbouring lines 0.1 to 0.4.
# These numbers give them as many votes as shared words do.
UNRELATED_COSINE = 0.3
VOTES_PER_COSINE = 75.0
# A line whose best cosine is below 0.4 fits none of the lines.
MIN_SIMILARITY_VOTES = 7.5

IndexArray = npt.NDArray[np.int64]
CountVotes = Callable[[Sequence[str], Sequence[str], IndexArray], FloatArray]
"""Return the votes of the given hypothesis lines for each distance, and in a last column the votes for "unrelated"."""


@record
class ShiftedLines:
    """Hypothesis lines `first` to `stop` - 1 (from 0), which match the reference lines `distance` further down.

    Lines that match no nearby reference line have no distance.
    """

    first: int
    stop: int
    distance: int | None

    def __len__(self) -> int:
        return self.stop - self.first


@record
class LineMatch:
    """Which reference line each hypothesis line matches; clean data have one run with distance 0."""

    runs: tuple[ShiftedLines, ...]

    @property
    def n_lines(self) -> int:
        return self.runs[-1].stop if self.runs else 0

    @property
    def shifted(self) -> tuple[ShiftedLines, ...]:
        """The runs that are shifted and too long to be two swapped sentences."""
        shortest = min(3, self.n_lines / 2)
        return tuple(run for run in self.runs if run.distance and len(run) >= shortest)

    @property
    def unrelated(self) -> tuple[ShiftedLines, ...]:
        return tuple(run for run in self.runs if run.distance is None)


def match_lines(
    hypotheses: Sequence[str],
    references: Sequence[str],
    *,
    max_blocks: int = 1000,
    block_sample: int = 40,
    count_votes: CountVotes | None = None,
) -> LineMatch:
    """Divide the hypothesis lines into runs of equal distance to their reference lines.

    Long files are divided into `max_blocks` blocks, of which the first `block_sample` lines are used; where the
    distance changes, all lines are used. By default, shared words vote.
    """
    if not hypotheses or not references:
        return LineMatch(())
    count = partial(count_votes or _count_shared_words, hypotheses, references)
    n_lines = len(hypotheses)
    starts = np.arange(0, n_lines, max(1, -(-n_lines // max_blocks)))
    rows = (starts[:, None] + np.arange(block_sample)).ravel()
    rows = np.flatnonzero(np.bincount(rows[rows < n_lines]))
    votes = count(rows)
    blocks = np.zeros((len(starts), votes.shape[1]))
    np.add.at(blocks, np.searchsorted(starts, rows, side="right") - 1, votes)
    path = _likeliest_path(blocks)
    edges = np.append(starts, n_lines)
    return LineMatch(tuple(_join_blocks(count, path, edges)))


class SimilarityVotes:
    """Votes by the cosine of sentence vectors, for lines in two languages."""

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._known: dict[str, FloatArray] = {}

    def knows(self, languages: Iterable[str | None]) -> bool:
        """Whether the encoder covers all languages."""
        covered = known_languages(self._encoder)
        return covered is None or covered.issuperset(languages)

    def __call__(self, hypotheses: Sequence[str], references: Sequence[str], rows: IndexArray) -> FloatArray:
        here = self._encode([hypotheses[row] for row in rows])
        votes = np.zeros((len(rows), len(DISTANCES)))
        for column, distance in enumerate(DISTANCES):
            partners = rows + distance
            inside = (partners >= 0) & (partners < len(references))
            there = self._encode([references[row] for row in partners[inside]])
            cosines = np.sum(here[inside] * there, axis=1)
            votes[inside, column] = VOTES_PER_COSINE * np.maximum(cosines - UNRELATED_COSINE, 0.0)
        unrelated = np.maximum(MIN_VOTE_RATIO * votes.mean(axis=1), MIN_SIMILARITY_VOTES)
        return np.column_stack([votes, unrelated])

    def _encode(self, texts: Sequence[str]) -> FloatArray:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._encoder.encode(new).astype(np.float64), strict=True))
        return np.array([self._known[text] for text in texts]).reshape(len(texts), -1)


def _count_shared_words(hypotheses: Sequence[str], references: Sequence[str], rows: IndexArray) -> FloatArray:
    """Sum the votes of shared words for each distance: (rows, distances + 1).

    The last column is the score of "unrelated", which wins unless a distance has clearly more votes.
    """
    partners = (rows[:, None] + DISTANCES).ravel()
    partners = np.flatnonzero(np.bincount(partners[(partners >= 0) & (partners < len(references))]))
    as_bigrams = _has_no_spaces(hypotheses, rows) or _has_no_spaces(references, partners)
    left_lines, left_keys = _hash_words(hypotheses, rows, as_bigrams=as_bigrams)
    right_lines, right_keys = _hash_words(references, partners, as_bigrams=as_bigrams)
    ids, size = _number(np.concatenate([left_keys, right_keys]))
    left, right = (
        _distinct(lines * size + numbers)
        for lines, numbers in zip((left_lines, right_lines), np.split(ids, [len(left_keys)]), strict=True)
    )
    weights = _weights(np.concatenate([left, right]), size, len(rows) + len(partners))
    left, right = (side[weights[side % size] > 0] if size else side for side in (left, right))
    owners = np.searchsorted(rows, left // max(size, 1))
    votes = np.zeros((len(rows), len(DISTANCES)))
    for column, distance in enumerate(DISTANCES):
        shared = _contains(right, left + distance * size)
        votes[:, column] = np.bincount(owners[shared], weights[left[shared] % size], minlength=len(rows))
    return np.column_stack([votes, MIN_VOTE_RATIO * votes.mean(axis=1)])


def _distinct(numbers: IndexArray) -> IndexArray:
    """Sort the numbers and remove duplicates, as `np.unique` does, but without importing numpy's masked arrays."""
    ordered = np.sort(numbers)
    is_first = np.ones(len(ordered), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    distinct: IndexArray = ordered[is_first]
    return distinct


def _has_no_spaces(lines: Sequence[str], rows: IndexArray) -> bool:
    sample = [lines[row] for row in rows[:200]]
    return sum(map(len, sample)) > MAX_MEAN_WORD * (1 + sum(len(line.split()) for line in sample))


def _hash_words(
    lines: Sequence[str], rows: IndexArray, *, as_bigrams: bool
) -> tuple[IndexArray, npt.NDArray[np.uint64]]:
    """Return the line number and a hash of the first letters of every word of the given lines, or of every bigram."""
    lowered = [lines[row][:MAX_LINE].lower() for row in rows.tolist()]
    width = 2 if as_bigrams else STEM_LENGTH
    codes = decode_text("\n".join(lowered) + "\n" * (width + 1))
    owners = np.repeat(np.arange(len(rows)), [len(line) + 1 for line in lowered])
    is_end = codes == ord("\n")
    if not as_bigrams:  # white space, as `str.split` sees it
        is_end = (codes <= ord(" ")) | np.isin(codes, [0x85, 0xA0, 0x2028, 0x2029, 0x202F, 0x3000])
    starts = ~is_end[: len(owners)]
    starts[1:] &= as_bigrams | is_end[: len(owners) - 1]
    begins = np.flatnonzero(starts)
    if as_bigrams:
        begins = begins[~is_end[begins + 1]]
    keys = np.zeros(len(begins), dtype=np.uint64)
    inside = np.ones(len(begins), dtype=bool)
    for place in range(width):
        inside &= ~is_end[begins + place]
        keys = keys * _HASH_FACTOR + np.where(inside, codes[begins + place], 0)
    return rows[owners[begins]], keys


# Odd, so that no letter is lost; hashes of different words are equal once in many billions.
_HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def _number(keys: npt.NDArray[np.uint64]) -> tuple[IndexArray, int]:
    """Number equal keys alike, from 0; also return how many different keys there are."""
    order = np.argsort(keys)
    ordered = keys[order]
    numbers = np.cumsum(np.append(False, ordered[1:] != ordered[:-1])) if len(keys) else np.zeros(0, np.int64)
    ids = np.empty(len(keys), dtype=np.int64)
    ids[order] = numbers
    return ids, int(numbers[-1]) + 1 if len(keys) else 0


def _weights(keys: IndexArray, size: int, n_lines: int) -> FloatArray:
    """Weight words by log inverse document frequency; words in more than a fifth of the lines weigh 0."""
    if not size:
        return np.zeros(0)
    frequency = np.bincount(keys % size, minlength=size)
    weights = log(n_lines / np.maximum(frequency, 1))
    return np.where(frequency > max(2, n_lines / 5), 0.0, weights)


def _contains(ordered: IndexArray, wanted: IndexArray) -> npt.NDArray[np.bool_]:
    if not len(ordered):
        return np.zeros(len(wanted), dtype=bool)
    places = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    found: npt.NDArray[np.bool_] = ordered[places] == wanted
    return found


def _likeliest_path(blocks: FloatArray) -> IndexArray:
    """Find the column of each block with the most votes, minus a penalty per change of column (Viterbi)."""
    origins = np.zeros(blocks.shape, dtype=np.int64)
    stay = np.arange(blocks.shape[1])
    best = np.where(stay == MAX_SHIFT, 0.0, -CHANGE_PENALTY)  # start unshifted
    for row, votes in enumerate(blocks):
        top = int(best.argmax())
        changes = best < best[top] - CHANGE_PENALTY
        origins[row] = np.where(changes, top, stay)
        best = np.where(changes, best[top] - CHANGE_PENALTY, best) + votes
    path = np.zeros(len(blocks), dtype=np.int64)
    column = int(best.argmax())
    for row in range(len(blocks) - 1, -1, -1):
        path[row] = column
        column = int(origins[row, column])
    return path


def _join_blocks(
    count: Callable[[IndexArray], FloatArray], path: IndexArray, edges: IndexArray
) -> Iterator[ShiftedLines]:
    """Join blocks of one distance; find the exact line between two distances."""
    changes = [*(np.flatnonzero(np.diff(path)) + 1).tolist(), len(path)]
    first = 0
    for block in changes:
        stop = int(edges[-1])
        if block < len(path):
            rows = np.arange(edges[block - 1], edges[block + 1])
            votes = count(rows)
            stop = int(rows[0]) + _best_split(votes[:, path[block - 1]], votes[:, path[block]])
        if stop > first:
            column = int(path[block - 1])
            yield ShiftedLines(first, stop, int(DISTANCES[column]) if column < len(DISTANCES) else None)
            first = stop


def _best_split(before: FloatArray, after: FloatArray) -> int:
    """Find the row at which to change to the later distance, so that the votes are maximal."""
    return int(np.append(0.0, np.cumsum(before - after)).argmax())


# Fewer lines may differ from their reference by chance.
MIN_LINES_TO_CHECK = 20


_LINE_COUNT = ProblemKind("line-count", "error", "The two files have different numbers of lines.")


def check_line_counts(pair: TextPair) -> list[Finding]:
    n_here, n_there = len(pair.hypotheses), len(pair.references)
    if n_here == n_there:
        return []
    problem = f"{n_here:,} lines here but {n_there:,} in {pair.reference_file}"
    remedy = "find the lines that were lost, split or joined; a score needs one line per segment"
    first = min(n_here, n_there)
    return [_LINE_COUNT.at((first,), pair.hypothesis_file, problem, remedy, n_lines=abs(n_here - n_there))]


_SHIFTED_LINES = ProblemKind("shifted-lines", "error", "Lines match other lines of the reference.")
_UNRELATED = ProblemKind("unrelated", "warning", "Lines do not match the reference near them.")


def check_order(pair: TextPair, match: LineMatch) -> list[Finding]:
    n_shifted, n_unrelated = (sum(map(len, runs)) for runs in (match.shifted, match.unrelated))
    findings = []
    if n_shifted > n_unrelated:  # in shuffled files, a few lines are near their place by chance
        findings.append(_report_shift(pair, match.shifted))
    if n_unrelated >= max(MIN_LINES_TO_CHECK, match.n_lines / 10):
        rows = [row for run in match.unrelated for row in range(run.first, run.stop)]
        problem = f"fits its line of {pair.reference_file} no better than the lines around it"
        remedy = f"look for another test set, another order, or a shift of more than {MAX_SHIFT} lines"
        findings.append(_UNRELATED.at(rows, pair.hypothesis_file, problem, remedy))
    return findings


_TRANSPOSED = ProblemKind("transposed-references", "error", "There is one reference file per segment.")


def check_layout(
    hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], *, file: str = "references"
) -> list[Finding]:
    """Find references given as one file per segment instead of one file per reference.

    `hypotheses` and `references` hold the lines of each file; `file` is the name to report.
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
    problem = (
        f"the references look transposed: {len(references):,} files of {_plural(n_each, 'line')}"
        f" for {len(references):,} segments"
    )
    remedy = f"write {_plural(n_each, 'file')} of {len(references):,} lines: line i translates segment i"
    return [_TRANSPOSED.at((), file, problem, remedy)]


def _report_shift(pair: TextPair, shifted: Sequence[ShiftedLines]) -> Finding:
    first = shifted[0]
    distance = first.distance or 0
    direction = "down" if distance > 0 else "up"
    problem = (
        f"shifted: up to line {first.stop} they match {pair.reference_file} {_plural(abs(distance), 'line')}"
        f" further {direction}{_format_others(len(shifted) - 1)}"
    )
    remedy = _shift_remedy(distance, first.first + 1)
    rows = [run.first for run in shifted]
    return _SHIFTED_LINES.at(rows, pair.hypothesis_file, problem, remedy, n_lines=sum(map(len, shifted)))


def _shift_remedy(distance: int, line: int) -> str:
    here, there = ("lost", "added") if distance > 0 else ("added", "lost")
    return f"look for {_plural(abs(distance), 'line')} {here} here, or {there} in the reference, before line {line}"


def _format_others(number: int) -> str:
    return f"; {_plural(number, 'more shift')} follow{'s' if number == 1 else ''}" if number else ""


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
