"""Judgments laid onto corpora: what fits, what is refused, what is left out with a note."""

from pathlib import Path

import numpy as np
import pytest

from tertium.corpus.judgments.folders import read_judged_folder
from tertium.corpus.judgments.formats import read_judgments
from tertium.corpus.judgments.readers import JudgedTexts, SegmentJudgments, SystemJudgments
from tertium.errors import InputError
from tertium.metaeval import HumanOptions, JudgedSet, match_judgments
from tertium.values import Corpus

CORPUS = Corpus([["one two"], ["three"]], {"A": ["x", "y"], "B": ["x", "y"], "C": ["x", "y"]})


def segment_judgments(rows: list[tuple[str, str, float, str]], pair: str = "de-en") -> SegmentJudgments:
    systems, segments, scores, raters = (list(column) for column in zip(*rows, strict=True))
    numbers = range(1, len(rows) + 1)
    return SegmentJudgments("h.tsv", numbers, [pair] * len(rows), systems, segments, np.array(scores), raters)


def lay(judgments: SegmentJudgments, options: HumanOptions | None = None) -> tuple[JudgedSet, list[str]]:
    (judged,), notes = match_judgments({"de-en": CORPUS}, [judgments], options)
    return judged, notes


def test_a_folder_has_system_scores_and_rankings(folder: Path) -> None:
    read = read_judged_folder(str(folder))
    sets, notes = match_judgments(read.corpora, read.judgments)
    assert [judged.pair for judged in sets] == ["cs-en", "de-en"]
    assert notes == []
    for judged in sets:
        assert judged.systems == ("best", "good", "poor", "worst")
        np.testing.assert_allclose(judged.system_scores, [1, 2 / 3, 1 / 3, 0])  # type: ignore[arg-type]
        assert judged.comparisons is not None
        assert len(judged.comparisons.first) == 24


def test_judgments_of_a_segment_are_averaged_and_systems_scored() -> None:
    rows = [
        ("A", "1", 1.0, "r"),
        ("A", "1", 2.0, "s"),
        ("B", "2", 5.0, "r"),
        ("C", "1", 0.0, "r"),
        ("C", "2", 6.0, "r"),
    ]
    judged, _ = lay(segment_judgments(rows))
    np.testing.assert_equal(judged.segment_scores, [[1.5, np.nan], [np.nan, 5.0], [0.0, 6.0]])
    np.testing.assert_equal(judged.system_scores, [1.5, 5.0, 3.0])
    weighted, _ = lay(segment_judgments(rows), HumanOptions(by_length=True))
    np.testing.assert_allclose(weighted.system_scores, [1.5, 5.0, (2 * 0.0 + 1 * 6.0) / 3])  # type: ignore[arg-type]


def test_segments_with_too_few_judgments_do_not_count() -> None:
    rows = [("A", "1", 1.0, "r"), ("A", "1", 2.0, "s"), ("A", "2", 2.0, "s")]
    judged, _ = lay(segment_judgments(rows), HumanOptions(at_least=2))
    np.testing.assert_equal(judged.segment_scores, [[1.5, np.nan], [np.nan] * 2, [np.nan] * 2])


def test_raters_are_normalised_and_those_who_cannot_be_are_named() -> None:
    rows = [
        ("A", "1", 1.0, "anna"),
        ("B", "1", 3.0, "anna"),
        ("A", "2", 9.0, "ben"),
        ("B", "2", 4.0, "eve"),
        ("C", "2", 4.0, "eve"),
    ]
    judged, notes = lay(segment_judgments(rows), HumanOptions(normalise_raters=True))
    np.testing.assert_equal(judged.segment_scores, [[-1.0, np.nan], [1.0, np.nan], [np.nan] * 2])
    assert notes == [
        "h.tsv: ben judged once, so the scores have no variance and are left out",
        "h.tsv: eve always gave the same score, so the scores have no variance and are left out",
    ]


def test_raters_cannot_be_normalised_without_names() -> None:
    judged = segment_judgments([("A", "1", 1.0, "r")])
    nameless = SegmentJudgments(
        *(getattr(judged, name) for name in ("path", "lines", "pairs", "systems", "segments", "scores"))
    )
    with pytest.raises(
        InputError,
        match=r"h\.tsv does not name the raters; add a column rater, or do not use normalise_raters=",
    ):
        lay(nameless, HumanOptions(normalise_raters=True))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("Z", "1", 1.0, "r"), "h.tsv: line 2 has a judgment of system 'Z', but de-en has outputs: A, B, C"),
        (("A", "3", 1.0, "r"), "h.tsv: line 2 has a judgment of segment '3', but de-en has segments 1 to 2"),
    ],
)
def test_a_judgment_of_what_does_not_exist_is_refused_with_its_place(
    row: tuple[str, str, float, str], message: str
) -> None:
    judgments = segment_judgments([("A", "1", 1.0, "r"), row])
    with pytest.raises(InputError) as refused:
        lay(judgments)
    assert str(refused.value) == message
    judged, notes = lay(judgments, HumanOptions(skip_unknown=True))
    assert judged.segment_scores is not None
    assert len(notes) == 1
    assert "1 judgments of unknown" in notes[0]


def test_the_reference_among_the_systems_is_left_out_with_a_note() -> None:
    file = SystemJudgments("s.tsv", range(1, 4), ["de-en"] * 3, ["_ref", "A", "B"], np.array([1.0, 0.5, 0.4]))
    (judged,), notes = match_judgments({"de-en": CORPUS}, [file])
    np.testing.assert_equal(judged.system_scores, [0.5, 0.4, np.nan])
    assert notes == ["s.tsv: judgments of the reference itself are left out"]


def test_a_language_pair_without_references_is_noted(folder: Path) -> None:
    (folder / "de-en" / "ref.txt").unlink()
    read = read_judged_folder(str(folder))
    sets, notes = match_judgments(read.corpora, read.judgments)
    assert [judged.pair for judged in sets] == ["cs-en"]
    assert "de-en has no ref.txt, so de-en is left out" in read.notes[0]
    assert all(
        "judgments of de-en are left out, there are no references and outputs" in note for note in notes
    )
    assert match_judgments(read.corpora, read.judgments, pairs=["cs-en"])[1] == []


def test_rankings_make_system_scores_where_there_are_none(folder: Path) -> None:
    (folder / "system-scores.tsv").unlink()
    read = read_judged_folder(str(folder))
    (first, _), _ = match_judgments(read.corpora, read.judgments)
    np.testing.assert_allclose(first.system_scores, [1, 2 / 3, 1 / 3, 0])  # type: ignore[arg-type]


def test_a_second_file_that_says_the_same_is_not_used(folder: Path) -> None:
    (folder / "system-scores-old.tsv").write_text("lp\tsystem\thuman\ncs-en\tbest\t-9\n", encoding="utf-8")
    read = read_judged_folder(str(folder))
    sets, notes = match_judgments(read.corpora, read.judgments)
    assert sets[0].system_scores is not None
    assert sets[0].system_scores[0] == 1.0
    assert len(notes) == 1
    assert "system-scores-old.tsv is not used: another file has judgments of the same kind" in notes[0]


def test_judged_texts_bring_their_own_references(folder: Path) -> None:
    path = folder / "texts.tsv"
    path.write_text("lp\tref\thyp\thuman\nru-en\ta\tb\t0.1\nru-en\tc\td\t0.2\n", encoding="utf-8")
    (judged,), _ = match_judgments({}, [read_judgments(str(path))])
    assert judged.pair == "ru-en"
    assert list(judged.corpus.references) == [["a"], ["c"]]
    np.testing.assert_equal(judged.segment_scores, [[0.1, 0.2]])


def test_judgments_without_a_pair_need_a_single_corpus() -> None:
    judgments = segment_judgments([("A", "1", 1.0, "r")], pair="")
    assert lay(judgments)[0].pair == "de-en"
    with pytest.raises(InputError, match=r"h\.tsv has no language pairs; add a column lp"):
        match_judgments({"de-en": CORPUS, "cs-en": CORPUS}, [judgments])


def test_a_folder_without_judgments_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no judgments"):
        read_judged_folder(str(tmp_path))
    with pytest.raises(InputError, match=r"is not a folder; give one with LP/ref\.txt"):
        read_judged_folder(str(tmp_path / "nothing"))


def test_a_pair_that_nobody_judged_is_left_out_and_one_with_judged_texts_is_not_said_to_be() -> None:
    texts = JudgedTexts("t.tsv", range(1, 3), ["ru-en"] * 2, ["x", "y"], ["x", "z"], np.array([1.0, 0.0]))
    judged = segment_judgments([("A", "1", 1.0, "r"), ("B", "1", 2.0, "r")])
    corpora = {"de-en": CORPUS, "ru-en": CORPUS, "fi-en": CORPUS}
    sets, notes = match_judgments(corpora, [judged, texts])
    assert sorted(judged.pair for judged in sets) == ["de-en", "ru-en"]
    assert "fi-en: left out, there are no judgments" in notes
    assert not any("ru-en" in note and "left out" in note for note in notes)
