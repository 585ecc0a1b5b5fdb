"""Documents of references and outputs."""

import pytest

from tertium.alignment.cutting import CutOptions
from tertium.alignment.documents import (
    cut_to_segments,
    drop_blank_segments,
    find_documents,
    join_documents,
    split_at_blank_lines,
)
from tertium.corpus import UnalignedOutput
from tertium.errors import InputError
from tertium.values import Corpus

IDS = ["a", "a", "b"]
CORPUS = Corpus([["The sun rose."], ["It was cold."], ["Nobody came."]], {}, document_ids=IDS)


def test_documents_may_come_in_another_order() -> None:
    output = UnalignedOutput(
        "hyp", ["Nobody came.", "The sun rose. It", "was cold."], {"document": ["b", "a", "a"]}
    )
    found = cut_to_segments(CORPUS, output, CutOptions())
    assert list(found.texts) == ["The sun rose.", "It was cold.", "Nobody came."]


def test_words_do_not_leave_their_document() -> None:
    output = UnalignedOutput("hyp", ["The sun rose. It was cold. Nobody", "came."], {"document": ["a", "b"]})
    found = cut_to_segments(CORPUS, output, CutOptions())
    assert list(found.texts) == ["The sun rose.", "It was cold. Nobody", "came."]
    free = cut_to_segments(CORPUS, output, CutOptions(), documents="none")
    assert free.texts[2] == "Nobody came."


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (
            ["a", "a", "a"],
            "hyp lacks document 'b', which the references have; add it, or remove it from both",
        ),
        (["a", "b", "c"], "hyp has document 'c', which the references lack; remove it"),
        (
            ["a", "b", "a"],
            "hyp: document 'a' is not in one piece: its segments 1 and 3 are apart; sort the segments",
        ),
        (["a", "", "b"], "hyp: segment 2 has no document; give every segment one"),
    ],
)
def test_documents_that_do_not_match_are_rejected(documents: list[str], message: str) -> None:
    output = UnalignedOutput("hyp", ["x", "y", "z"], {"document": documents})
    with pytest.raises(InputError, match=message):
        cut_to_segments(CORPUS, output, CutOptions())


def test_an_unknown_column_is_rejected() -> None:
    with pytest.raises(InputError, match="no column 'talk' with documents in hyp; known columns: domain"):
        find_documents({"domain": ["a"]}, "talk", "hyp")


@pytest.mark.parametrize("lines", [["", "  "], [" "]])
def test_an_empty_output_is_rejected(lines: list[str]) -> None:
    with pytest.raises(InputError, match="hyp is empty: there is nothing to align"):
        cut_to_segments(CORPUS, UnalignedOutput("hyp", lines), CutOptions())


def test_blank_references_are_rejected() -> None:
    blank = Corpus([[""], [" "]], {})
    with pytest.raises(InputError, match="the references are blank"):
        cut_to_segments(blank, UnalignedOutput("hyp", ["a"]), CutOptions())
    with pytest.raises(InputError, match="the references are blank"):
        drop_blank_segments(blank)


def test_blank_lines_separate_documents() -> None:
    lines = ["", "a", "b", "", "", "c"]
    assert [(document.first, document.last) for document in split_at_blank_lines(lines).values()] == [
        (1, 3),
        (5, 6),
    ]
    corpus = drop_blank_segments(Corpus([[line] for line in ["x y", "", "z"]], {}))
    assert list(corpus.target_texts) == ["x y", "z"]
    found = cut_to_segments(corpus, UnalignedOutput("hyp", ["x", "", "y z"]), CutOptions(), documents="blank")
    assert list(found.texts) == ["x", "y z"]
    with pytest.raises(
        InputError, match="hyp has 1 documents separated by blank lines, but the references have 2"
    ):
        cut_to_segments(corpus, UnalignedOutput("hyp", ["x y z"]), CutOptions(), documents="blank")


def test_an_output_in_random_order_is_rejected() -> None:
    texts = [f"number {i} has colour {i * 7 % 30} and size {i * 11 % 30}" for i in range(30)]
    corpus = Corpus([[text] for text in texts], {})
    with pytest.raises(InputError, match=r"hyp cannot be aligned: it needs .* edits in a sample of segments"):
        cut_to_segments(corpus, UnalignedOutput("hyp", texts[::-1]), CutOptions())
    assert (
        list(cut_to_segments(corpus, UnalignedOutput("hyp", [" ".join(texts)]), CutOptions()).texts) == texts
    )


def test_documents_are_joined_with_the_columns_that_are_constant_in_them() -> None:
    corpus = Corpus(
        [["A b.", "A c."], ["D.", "E."], ["F.", "G."]],
        {"one": ["x", "y", "z"]},
        sources=["s", "t", "u"],
        document_ids=IDS,
        columns={"domain": ["news", "news", "chat"], "line": ["1", "2", "3"]},
    )
    joined = join_documents(corpus, None, None)
    assert [list(group) for group in joined.references] == [["A b. D.", "A c. E."], ["F.", "G."]]
    assert joined.systems == {"one": ["x y", "z"]}
    assert joined.sources == ["s t", "u"]
    assert joined.columns == {"domain": ["news", "chat"]}
    assert joined.document_ids == ["a", "b"]


def test_documents_can_be_joined_without_equal_lines() -> None:
    outputs = {"one": UnalignedOutput("hyp", ["Nobody.", "Sun rose, cold."], {"document": ["b", "a"]})}
    assert join_documents(CORPUS, outputs, None).systems == {"one": ["Sun rose, cold.", "Nobody."]}
    with pytest.raises(
        InputError, match="hyp has 1 lines but the references have 3 segments, and its documents are"
    ):
        join_documents(CORPUS, {"one": UnalignedOutput("hyp", ["a"])}, None)


def test_documents_need_equally_many_references() -> None:
    corpus = Corpus([["a"], ["b", "c"], ["d"]], {}, document_ids=IDS)
    with pytest.raises(InputError, match="segments of one document have 1 to 2 references"):
        join_documents(corpus, None, None)


def test_missing_documents_are_reported() -> None:
    with pytest.raises(
        InputError, match="the references have no documents; name their column with documents=COLUMN"
    ):
        join_documents(Corpus([["a"]], {"one": ["a"]}), None, None)
