"""Parts of judged sets by a column, outliers, sorted tables."""

from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.errors import TertiumError
from tertium.metaeval.data import JudgedData
from tertium.metaeval.judged_sets import HumanOptions, JudgedSet, part_sets, select_segments
from tertium.stats.human import Comparisons, find_outliers
from tertium.values import Corpus


def judged(**given: object) -> JudgedSet:
    corpus = Corpus(
        [["x"]] * 4, {"a": ["x"] * 4, "b": ["y"] * 4}, columns={"domain": ["news", "talk", "news", "talk"]}
    )
    return JudgedSet("de-en", corpus, **given)  # type: ignore[arg-type]


def test_a_part_has_its_segments_scores_and_system_scores_made_of_them() -> None:
    whole = judged(
        system_scores=np.array([9.0, 9.0]), segment_scores=np.array([[1.0, 2, 3, 4], [5, 6, 7, np.nan]])
    )
    news, talk = part_sets([whole], "domain", HumanOptions())
    assert (news.name, talk.name) == ("de-en news", "de-en talk")
    assert news.segment_scores is not None
    assert news.segment_scores.tolist() == [[1, 3], [5, 7]]
    assert talk.system_scores is not None
    assert talk.system_scores.tolist() == [3, 6]  # not the 9 that people gave to the whole


def test_a_part_of_rankings_numbers_its_segments_anew() -> None:
    ids = [np.array(indices, dtype=np.int32) for indices in ([3, 1, 0], [0, 0, 1], [1, 1, 0], [1, -1, 0])]
    part = select_segments(judged(comparisons=Comparisons(*ids)), np.array([1, 3]), HumanOptions())
    assert part.comparisons is not None
    assert part.comparisons.segments.tolist() == [1, 0]
    assert part.comparisons.preferences.tolist() == [1, -1]


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(TertiumError, match="genre"):
        part_sets([judged()], "genre", HumanOptions())


@pytest.mark.parametrize(
    ("scores", "outliers"),
    [([1, 1, 1, 1], []), ([1, 2, 3, 4, 5], []), ([1, 2, 3, 4, 50], [4]), ([np.nan, 1, 2, 3, -40], [4]), ([], [])],
)  # fmt: skip
def test_outliers_are_far_from_the_median(scores: list[float], outliers: list[int]) -> None:
    assert np.flatnonzero(find_outliers(np.array(scores, dtype=float))).tolist() == outliers


def write(folder: Path) -> Path:
    """Make a folder with five systems, of which one is far off, in two domains."""
    systems = folder / "de-en" / "systems"
    systems.mkdir(parents=True)
    (folder / "de-en" / "ref.txt").write_text("a b c d e\n" * 4)
    (folder / "de-en" / "columns.tsv").write_text("domain\nnews\nnews\ntalk\ntalk\n")
    texts = ["a b c d e", "a b c d x", "a b c x y", "a b x y z", "v w x y z"]
    rows = ["lp\tsystem\tseg_id\tscore\trater"]
    for i, text in enumerate(texts):
        (systems / f"s{i}.txt").write_text(f"{text}\n" * 4)
        rows += [f"de-en\ts{i}\t{j}\t{(-90 if i == 4 else 10 - i) + 0.1 * j}\tr{j % 2}" for j in range(1, 5)]
    (folder / "human.tsv").write_text("\n".join(rows) + "\n")
    return folder


def test_meta_shows_each_value_of_a_folders_column(tmp_path: Path) -> None:
    result = tertium.meta(str(write(tmp_path)), "wer", statistics="system:pearson", by="domain")
    assert [column.pair for column in result.tables[0].columns] == ["de-en news", "de-en talk", "average"]


def test_outliers_change_the_system_level_and_are_named(tmp_path: Path) -> None:
    data = JudgedData(folder=str(write(tmp_path)), options=HumanOptions(no_outliers=True))
    result = tertium.meta(data, "wer", statistics="system:pearson")
    assert result.tables[0].columns[0].n_units == 4
    assert any("s4" in note for note in result.notes)


def test_sorted_tables_have_the_best_metric_first_with_its_own_cells(tmp_path: Path) -> None:
    folder = str(write(tmp_path))
    plain, ordered = (
        tertium.meta(folder, "bleu,wer,chrf", statistics="segment:kendall", sort=sort).tables[0]
        for sort in (False, True)
    )
    values = [cell.value for cell in ordered.columns[-1].cells]
    assert values == sorted(values, key=lambda value: -(value or 0))
    assert dict(zip(ordered.metrics, values, strict=True)) == dict(
        zip(plain.metrics, (cell.value for cell in plain.columns[-1].cells), strict=True)
    )


def test_the_last_row_says_how_well_people_agree_with_people(tmp_path: Path) -> None:
    result = tertium.meta(str(write(tmp_path)), "wer", statistics="system:pearson", ceiling=True)
    assert result.tables[0].columns[0].ceiling == pytest.approx(1.0)
    assert "human judges" in result.render("text")
