"""Minimum Bayes risk decoding: choices, formats of candidates, interruptions and bad input."""

import gzip
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from scipy.stats import rankdata

import tertium
from tertium.errors import InputError, OptionError

GROUPS = [["the cat sat", "a cat sat", "the cat sat down", "dogs"], ["x", "y y", "y y", "y y z"]]


def test_the_candidate_nearest_to_all_others_is_chosen() -> None:
    result = tertium.mbr(GROUPS, keep_matrices=True)
    assert result.texts == [group[index] for group, index in zip(GROUPS, result.indices, strict=True)]
    for group, index, values, matrix in zip(
        GROUPS, result.indices, result.utilities, result.matrices, strict=True
    ):
        expected = tertium.pairwise(group, group, "chrf")
        np.testing.assert_array_equal(matrix, expected)
        np.testing.assert_allclose(values, expected.mean(axis=1))
        assert index == expected.mean(axis=1).argmax()


def test_a_lower_error_rate_is_better() -> None:
    result = tertium.mbr(GROUPS, metric="wer")
    for index, values in zip(result.indices, result.utilities, strict=True):
        assert values[index] == min(values)


@pytest.mark.parametrize(
    ("name", "text", "per_source"),
    [
        ("n.jsonl", "\n".join(json.dumps(group) for group in GROUPS), None),
        ("n.jsonl", "\n".join(json.dumps({"id": 1, "candidates": group}) for group in GROUPS), None),
        ("n.tsv", "\n".join("\t".join(group) for group in GROUPS), None),
        ("n.txt", "\r\n".join(text for group in GROUPS for text in group), 4),
        ("n.best", "\n".join(f"{k} ||| {t} ||| f= 1 ||| -2" for k, g in enumerate(GROUPS) for t in g), None),
    ],
    ids=["lists", "objects", "tsv", "lines", "moses"],
)
def test_every_format_gives_the_same_choices(
    tmp_path: Path, name: str, text: str, per_source: int | None
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    assert tertium.mbr(path, per_source=per_source).texts == tertium.mbr(GROUPS).texts
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert tertium.mbr(packed, per_source=per_source).texts == tertium.mbr(GROUPS).texts


def test_pseudo_references_replace_the_candidates() -> None:
    assert tertium.mbr([["a b", "c d"]], references=[["c d e"]], metric="wer").texts == ["c d"]


def test_a_sample_depends_on_the_seed_and_the_source_only() -> None:
    groups = [[f"{a} {b} {c}" for a in "xyz" for b in "uvw" for c in "rst"] for _ in range(20)]
    one = tertium.mbr(groups, sample=3, seed=1)
    assert one.indices == tertium.mbr(groups, sample=3, seed=1).indices
    assert one.indices != tertium.mbr(groups, sample=3, seed=2).indices
    assert len(set(one.indices)) > 1


def test_an_interrupted_run_continues(tmp_path: Path) -> None:
    groups = [[f"{a} {b}" for a in "xyz" for b in f"uvw{k % 10}"] for k in range(40)]
    journal = tmp_path / "done.jsonl"
    whole = tertium.mbr(groups, sample=4)
    tertium.mbr(groups, sample=4, resume=journal)
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:21]) + lines[21][:5])  # cut off inside a line
    again = tertium.mbr(groups, sample=4, resume=journal)
    assert again.indices == whole.indices
    assert again.utilities == whole.utilities


def test_the_order_of_lines_of_two_processes_does_not_matter(tmp_path: Path) -> None:
    groups = [[f"{a} {b}" for a in "xyz" for b in f"uvw{k % 10}"] for k in range(8)]
    journal = tmp_path / "done.jsonl"
    whole = tertium.mbr(groups, resume=journal)
    head, *lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join([head, *lines[1:5], *lines[4:0:-1], *lines[:2], lines[7]]))
    again = tertium.mbr(groups, resume=journal)
    assert (again.indices, again.utilities) == (whole.indices, whole.utilities)


@pytest.mark.parametrize("choice", ["[0, 9, [1, 2]]", "[0, -1, [1, 2]]", "[0, 0, [1]]", "[0, 0, 1]"])
def test_a_choice_that_does_not_fit_the_candidates_is_an_error(tmp_path: Path, choice: str) -> None:
    journal = tmp_path / "done.jsonl"
    tertium.mbr([["a", "b"]], resume=journal)
    journal.write_text(f"{journal.read_text().splitlines()[0]}\n{choice}\n")
    with pytest.raises(InputError, match="source 1 does not fit its 2 candidates; delete the file"):
        tertium.mbr([["a", "b"]], resume=journal)


def test_a_journal_of_other_candidates_is_refused(tmp_path: Path) -> None:
    tertium.mbr(GROUPS, resume=tmp_path / "done")
    with pytest.raises(InputError, match="belongs to other candidates or options"):
        tertium.mbr(GROUPS[:1], resume=tmp_path / "done")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("n.jsonl", '["a"]\n[1]\n', "line 2: expected a list of texts"),
        ("n.jsonl", "[}\n", "line 1: this is not JSON"),
        ("n.jsonl", "[]\n", "line 1: a source needs at least one candidate"),
        ("n.tsv", "a\tb\n\nc\n", "line 2: a source needs at least one candidate"),
        ("n.txt", "a\nb\n", "give the number of lines per source"),
        ("n.best", "0 ||| a ||| 1\n1 ||| b ||| 1\n0 ||| c ||| 1\n", "line 3: source 0 occurred before"),
        ("n.best", "0 ||| a ||| 1\nb\n", "line 2: expected 'source ||| text ||| ...'"),
        ("empty.jsonl", "", "is empty"),
    ],
)
def test_bad_files_are_named_with_their_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        tertium.mbr(tmp_path / name)


def test_a_partial_last_group_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("a\nb\nc\n")
    with pytest.raises(InputError, match="3 lines, which is not a multiple of the 2 lines per source"):
        tertium.mbr(tmp_path / "n.txt", per_source=2)


def test_both_inputs_need_the_same_sources() -> None:
    with pytest.raises(InputError, match="source 2 has no pseudo-references: all inputs need the same"):
        tertium.mbr(GROUPS, references=GROUPS[:1])


def test_only_some_metrics_average_references() -> None:
    with pytest.raises(OptionError, match="works with chrf and bleu, not with wer"):
        tertium.mbr(GROUPS, metric="wer", aggregate=True)


def test_a_line_break_does_not_fit_into_plain_text() -> None:
    with pytest.raises(InputError, match="source 1 has a line break"):
        tertium.mbr([["a\nb"]]).lines()


def test_pairwise_needs_texts() -> None:
    with pytest.raises(InputError, match="references is empty"):
        tertium.pairwise(["a"], [], "wer")


COUNTING = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.metrics import Metric


@dataclass(frozen=True)
class Shared(Metric):
    """The number of words of the output that are in the source, and in the reference if there is one."""

    reads: ClassVar = frozenset({"source"})

    def statistics(self, hypotheses, references, source):
        rows = zip(hypotheses, references, source, strict=True)
        return np.array([[self._count(*row), 1] for row in rows], dtype=float)

    def _count(self, hypothesis, group, source):
        return len(set(hypothesis.split()) & set(source.split()))

    def combine(self, totals):
        return totals[..., 0] / np.maximum(totals[..., 1], 1)


@dataclass(frozen=True)
class Both(Shared):
    """The same, for words that are in the reference, too."""

    reads: ClassVar = frozenset({"source", "references"})

    def _count(self, hypothesis, group, source):
        return len(set(hypothesis.split()) & set(source.split()) & set(group[0].split()))
'''


@pytest.fixture
def metrics(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(COUNTING, encoding="utf-8")
    return str(tmp_path / "own.py")


def test_candidates_are_ranked_without_references_by_metrics_that_need_none(
    tmp_path: Path, metrics: str
) -> None:
    groups, source = [["a", "a b", "c"], ["x", "y", "z"]], ["a b c", "z"]
    result = tertium.mbr(groups, metric=f"{metrics}:Shared", source=source)
    assert result.texts == ["a b", "z"]
    assert result.utilities == [[1, 2, 1], [0, 0, 1]]
    (tmp_path / "source.txt").write_text("a b c\nz\n")
    assert (
        tertium.mbr(groups, metric=f"{metrics}:Shared", source=tmp_path / "source.txt").texts == result.texts
    )


def test_metrics_that_read_source_and_references_get_both(metrics: str) -> None:
    groups, source = [["a b", "a", "b c"]], ["b c"]
    result = tertium.mbr(groups, metric=f"{metrics}:Both", source=source)
    assert result.utilities == [[pytest.approx(2 / 3), 0, 1]]
    matrix = tertium.pairwise(groups[0], groups[0], f"{metrics}:Both", source="b c")
    np.testing.assert_array_equal(matrix, [[1, 0, 1], [0, 0, 0], [1, 0, 2]])


def test_a_missing_source_is_reported(metrics: str) -> None:
    with pytest.raises(OptionError, match="shared reads the source"):
        tertium.mbr(GROUPS, metric=f"{metrics}:Shared")
    with pytest.raises(OptionError, match="both reads the source"):
        tertium.pairwise(["a"], ["a"], f"{metrics}:Both")
    with pytest.raises(InputError, match="source 2 has no source text: all inputs need the same number"):
        tertium.mbr(GROUPS, metric=f"{metrics}:Shared", source=["a"])
    with pytest.raises(OptionError, match="can be kept for one metric that reads references"):
        tertium.mbr(GROUPS, metric=f"{metrics}:Shared", source=["a", "b"], keep_matrices=True)


@pytest.mark.parametrize("combine", ["rank", "z"])
def test_several_metrics_are_combined_by_ranks_or_standardised_utilities(
    combine: Literal["rank", "z"],
) -> None:
    both = tertium.mbr(GROUPS, metric="chrf,wer", combine=combine)
    parts = [tertium.mbr(GROUPS, metric=name).utilities for name in ("chrf", "wer")]
    for k in range(len(GROUPS)):
        chrf, wer = np.array(parts[0][k]), -np.array(parts[1][k])
        if combine == "rank":
            expected = np.mean([rankdata(-values) for values in (chrf, wer)], axis=0)
            best = expected.argmin()
        else:
            expected = np.mean([(v - v.mean()) / v.std() for v in (chrf, wer)], axis=0)
            best = expected.argmax()
        np.testing.assert_allclose(both.utilities[k], expected)
        assert both.indices[k] == best
    with pytest.raises(OptionError, match="can be kept for one metric"):
        tertium.mbr(GROUPS, metric="chrf,wer", keep_matrices=True)


def test_equal_candidates_do_not_break_the_combination() -> None:
    assert tertium.mbr([["a", "a"]], metric="chrf,wer", combine="z").utilities == [[0, 0]]
    assert tertium.mbr([["a"]], metric="chrf,wer").utilities == [[1]]


@pytest.mark.slow
@pytest.mark.needs("distributed")
def test_sources_are_distributed_on_a_cluster(metrics: str) -> None:
    groups, source = GROUPS * 20, ["the cat", "y"] * 20
    options: dict[str, Any] = {"metric": f"chrf,{metrics}:Both", "source": source, "sample": 2}
    assert tertium.mbr(groups, **options, engine="dask").utilities == tertium.mbr(groups, **options).utilities


@pytest.mark.parametrize("source", [3, {"a": 1}])
def test_a_source_that_is_no_list_is_reported(source: Any) -> None:
    with pytest.raises(InputError, match=r"^source must be a list"):
        tertium.mbr([["a", "b"]], source=source)
