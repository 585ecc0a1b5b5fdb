"""Metric score files of every year, written and read again."""

import gzip
from collections.abc import Callable

import numpy as np
import pytest

from tertium.corpus.judgments.score_files import LAYOUTS, Level, read_score_file, render_score_file
from tertium.errors import InputError, OptionError

Write = Callable[[str, str | bytes], str]

SCORES = {"online-A": [0.1, 0.25], "uedin.4": [1 / 3, -2e-5]}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("level", ["segment", "system"])
def test_what_is_written_is_read_again(write: Write, layout: str, level: Level) -> None:
    scores = SCORES if level == "segment" else {name: values[:1] for name, values in SCORES.items()}
    text = render_score_file("chrF", "de-en", scores, level=level, layout=layout, test_set="newstest")
    name = f"chrF.{level[:3]}.score"
    back = read_score_file(write(name, text))
    expected = [(name, value) for name, values in scores.items() for value in values]
    assert list(zip(back.systems, back.scores.tolist(), strict=True)) == expected
    assert set(back.metrics) == {"chrF"}
    assert set(back.pairs) == ({""} if layout == "mtme" else {"de-en"})
    assert list(back.segments) == (["1", "2", "1", "2"] if level == "segment" else ["", ""])


# A row in the format of each year's task page.
ROWS = [
    ("2016", "sys", "BLEU\tde-en\tnewstest2016\tuedin.1\t0.3"),
    ("2016", "seg", "BLEU\tde-en\tnewstest2016\tuedin.1\t12\t0.3"),
    ("2017", "seg", "BLEU\tde-en\tnewstest2017\tuedin.1\t12\t0.3\tnon-ensemble\tyes"),
    ("2020", "sys", "BLEU\tde-en\tnewstest2020\tnewstestB2020\tuedin.1\t0.3"),
    ("2020", "seg", "BLEU\tde-en\tnewstest2020\tnewstestB2020\tuedin.1\tabc.7\t12\t0.3"),
    ("2021", "seg", "BLEU\tde-en\tnewstest2021\tref-A\tuedin.1\t12\t0.3"),
    ("2022", "sys", "BLEU\tde-en\tgeneraltest2023\tnews\trefA\tuedin.1\t0.3"),
    ("2022", "seg", "BLEU\tde-en\tgeneraltest2023\tnews\tdoc 7\trefA\tuedin.1\t12\t0.3"),
]


@pytest.mark.parametrize(("year", "level", "row"), ROWS)
def test_the_layout_is_known_by_its_columns(write: Write, year: str, level: str, row: str) -> None:
    file = read_score_file(write(f"BLEU.{level}.score", row + "\n"))
    assert file.layout == year
    assert (file.metrics, file.pairs, file.systems) == (("BLEU",), ("de-en",), ("uedin.1",))
    assert file.scores.tolist() == [0.3]


def test_segments_inside_documents_are_counted_through(write: Write) -> None:
    rows = [f"M\tde-en\tt\tr\t{system}\t{doc}\t{n}\t0.{n}" for system in "AB" for doc in "xy" for n in (1, 2)]
    file = read_score_file(write("M.seg.score", "\n".join(rows) + "\n"))
    assert file.segments == ["1", "2", "3", "4"] * 2


def test_a_header_and_gzip_are_understood(write: Write) -> None:
    header = "METRIC-NAME\tLANG-PAIR\tTESTSET\tDOMAIN\tREFERENCE\tSYSTEM-ID\tSYSTEM-SCORE"
    text = f"{header}\nM\tde-en\tt\tall\trefA\tA\t0.5\n"
    file = read_score_file(write("M.sys.score.gz", gzip.compress(text.encode())))
    assert file.systems == ("A",)


def test_none_is_a_missing_score(write: Write) -> None:
    assert np.isnan(read_score_file(write("M.seg.score", "A\tNone\nA\t1\n")).scores).tolist() == [True, False]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("M.score", "A\t1\n", "the level is unknown; rename the file to NAME.seg.score or NAME.sys.score"),
        ("M.sys.score", "", "has no scores"),
        (
            "M.sys.score",
            "A1\n",
            "a row with 1 fields matches no layout; system scores have 2, 5, 6, 7 fields",
        ),
        ("M.sys.score", "A\t1\nB\t1\t2\n", "line 2 has 3 fields, but layout mtme has 2: system, score"),
        ("M.sys.score", "A\t1\nB\tgood\n", "line 2 has the score 'good', which is not a finite number"),
    ],
)
def test_bad_files_are_refused(write: Write, name: str, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_score_file(write(name, content))


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(
        OptionError, match="unknown layout '1999'; choose from 2016, 2017, 2020, 2021, 2022, mtme"
    ):
        render_score_file("M", "de-en", SCORES, level="segment", layout="1999")
