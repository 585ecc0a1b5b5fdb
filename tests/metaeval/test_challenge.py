"""Challenge sets: accuracy by phenomenon, in ACES's columns and others, and mistakes in files."""

from pathlib import Path

import pytest
import scipy.stats

import tertium
from tertium.errors import InputError, OptionError
from tertium.metaeval.challenge import MEAN, wilson_interval

ACES = """source	good-translation	incorrect-translation	reference	phenomena	langpair
Der Hund schläft.	The dog is asleep.	The cat is asleep.	The dog sleeps.	noun	de-en
Er hat 25 Äpfel.	He has 25 apples.	He has 52 apples.	He has 25 apples.	number	de-en
Er hat 3 Äpfel.	He owns three fruits.	He has 8 apples.	He has 3 apples.	number	de-en
他有3个。	他有3个苹果	他有8个苹果	他有3个苹果	number	en-zh
"""


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_aces_columns_give_the_accuracy_of_each_phenomenon(tmp_path: Path) -> None:
    result = tertium.challenge(write(tmp_path / "aces.tsv", ACES), "chrf,bleu")
    found = {(cell.phenomenon, cell.metric): cell for cell in result.cells}
    assert found["noun", "chrf"].accuracy == 1.0
    assert found["number", "chrf"].accuracy == pytest.approx(2 / 3)  # the paraphrase loses
    assert found["number", "chrf"].n_examples == 3
    assert found["all examples", "chrf"].accuracy == pytest.approx(3 / 4)
    assert found[MEAN, "chrf"].accuracy == pytest.approx((1 + 2 / 3) / 2)
    assert "0.667" in result.render("text")
    assert "tau" in result.render("csv").splitlines()[0]


def test_scores_in_the_file_are_metrics_and_ties_are_wrong(tmp_path: Path) -> None:
    rows = "good,bad,X-good,X-bad,E-good,E-bad\na,b,1,0,0.1,0.5\na,b,2,2,0.2,0.3\n"
    result = tertium.challenge(write(tmp_path / "set.csv", rows), lower="E")
    found = {cell.metric: cell for cell in result.cells}
    assert (found["X"].accuracy, found["X"].tied) == (0.5, 0.5)
    assert found["E"].accuracy == 1.0


@pytest.mark.parametrize(("share", "n"), [(0.0, 5), (0.3, 10), (1.0, 40)])
def test_wilsons_interval_is_scipys(share: float, n: int) -> None:
    expected = scipy.stats.binomtest(round(share * n), n).proportion_ci(method="wilson")
    assert wilson_interval(share, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(("name", "content", "message"), [
    ("x.tsv", "good\tphenomenon\na\tb\n", "has no column incorrect-translation or bad or incorrect; it has: good, phenomenon"),
    ("x.tsv", "good\tbad\na\tb\n", "has no column reference, which chrf reads"),
    ("x.tsv", "good\tbad\n", "has no examples"),
    ("x.csv", "good,bad,X-good,X-bad\na,b,1,much\n", "X-bad: line 2 is not a finite number"),
])  # fmt: skip
def test_files_that_are_not_challenge_sets_are_refused(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        tertium.challenge(write(tmp_path / name, content))


def test_an_unknown_metric_where_lower_is_better_is_named(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="the file has scores of none"):
        tertium.challenge(write(tmp_path / "aces.tsv", ACES), lower="X")
