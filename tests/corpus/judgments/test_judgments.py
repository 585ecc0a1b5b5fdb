"""Human judgments read from tables: segments, systems, rankings, texts, MQM errors."""

from collections.abc import Callable

import pytest

from tertium.corpus.judgments.formats import read_judgments
from tertium.corpus.judgments.mqm import GOOGLE_WEIGHTS, error_weight, parse_mqm
from tertium.corpus.judgments.readers import JudgedTexts, Rankings, SegmentJudgments, SystemJudgments
from tertium.corpus.texts.line_formats import read_tsv
from tertium.errors import InputError

Write = Callable[[str, str | bytes], str]

RANKINGS = (
    "lp\tseg_id\tjudge\tranking_id\tsys1\trank1\tsys2\trank2\n"
    "cs-en\t18\tanna\t1\tx\t2\ty\t1\n"
    "cs-en\t18\tanna\t1\tx\t2\tz\t2\n"
    "de-en\t1\tben\t2\tx\t1\ty\t5\n"
)


def test_segment_scores_from_tsv(write: Write) -> None:
    path = write(
        "h.tsv", "lp\tsystem\tsegment\tscore\trater\nde-en\tA\t1\t0.5\tanna\nde-en\tB\t2\t-1e-1\tben\n"
    )
    judged = read_judgments(path)
    assert isinstance(judged, SegmentJudgments)
    assert (judged.pairs, judged.systems, judged.segments) == (["de-en"] * 2, ["A", "B"], ["1", "2"])
    assert judged.scores.tolist() == [0.5, -0.1]
    assert judged.raters == ["anna", "ben"]
    assert judged.place(1) == "h.tsv: line 3"


def test_segment_scores_from_jsonl_with_numbers_and_without_language_pair(write: Write) -> None:
    judged = read_judgments(write("h.jsonl", '{"system": "A", "seg_id": 7, "score": 3}\n'))
    assert isinstance(judged, SegmentJudgments)
    assert (judged.pairs, judged.segments, judged.raters) == ([""], ["7"], None)
    assert judged.place(0) == "h.jsonl: line 1"


def test_system_scores_take_the_first_known_column(write: Write) -> None:
    judged = read_judgments(write("s.tsv", "lp\tsystem\thuman_gt\thuman_ge\ncs-en\tA\t0.6\t0.7\n"))
    assert isinstance(judged, SystemJudgments)
    assert judged.scores.tolist() == [0.6]


def test_rankings_become_preferences(write: Write) -> None:
    ranked = read_judgments(write("r.tsv", RANKINGS))
    assert isinstance(ranked, Rankings)
    assert ranked.preferences.tolist() == [-1, 0, 1]
    assert (ranked.first, ranked.second) == (["x", "x", "x"], ["y", "z", "y"])
    assert (ranked.segments, ranked.judges) == (["18", "18", "1"], ["anna", "anna", "ben"])


def test_quotes_in_judged_texts_are_text(write: Write) -> None:
    judged = read_judgments(write("d.tsv", 'lp\tref\thyp\thuman\ncs-en\t"It is\tIt "was\t0.3\n'))
    assert isinstance(judged, JudgedTexts)
    assert (judged.references, judged.hypotheses) == (['"It is'], ['It "was'])


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("r.tsv", RANKINGS, Rankings),
        ("t.tsv", "lp\tref\thyp\tscore\nde-en\ta\tb\t1\n", JudgedTexts),
        ("s.tsv", "lp\tsystem\tscore\nde-en\ta\t1\n", SystemJudgments),
        ("g.tsv", "lp\tsystem\tseg_id\tscore\nde-en\ta\t1\t1\n", SegmentJudgments),
        ("en-de.mqm.seg.score", "A\t-1\nA\tNone\nB\t0\n", SegmentJudgments),
        ("en-de.mqm.sys.score", "A\t-1\nB\t0\n", SystemJudgments),
    ],
)
def test_columns_and_names_tell_the_kind(write: Write, name: str, content: str, kind: type) -> None:
    assert type(read_judgments(write(name, content))) is kind


def test_mt_metrics_eval_scores_count_segments_and_drop_none(write: Write) -> None:
    judged = read_judgments(write("en-de.mqm.seg.score", "A\t-1\nA\tNone\nA\t-2\nB\t0\n"))
    assert isinstance(judged, SegmentJudgments)
    assert (judged.systems, judged.segments) == (["A", "A", "B"], ["1", "3", "1"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("system\tsegment\tscore\nA\t1\tgood\n", r"h.tsv#score: line 2 holds 'good', not a finite number"),
        ("system\tsegment\tscore\nA\t1\tnan\n", r"h.tsv#score: line 2 holds 'nan', not a finite number"),
        (
            "system\tsegment\tvalue\nA\t1\t1\n",
            r"h.tsv has no column score or human or human_gt; it has: system",
        ),
        ("segment\tscore\n1\t1\n", r"h.tsv has no column system or system_id or sys"),
    ],
)
def test_bad_segment_scores_are_refused(write: Write, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_judgments(write("h.tsv", content))


def test_a_json_score_that_is_no_number_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match=r"h.jsonl#score: line 2 holds null, not a finite number"):
        read_judgments(
            write(
                "h.jsonl", '{"system": "A", "seg": 1, "score": 1}\n{"system": "A", "seg": 2, "score": null}\n'
            )
        )


MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    "A\td\t1\t1\tr1\ts\tt\tAccuracy/Mistranslation\tMajor\n"
    "A\td\t1\t1\tr1\ts\tt\tFluency/Punctuation\tMinor\n"
    "A\td\t1\t1\tr2\ts\tt\tNo-error\tno-error\n"
    "B\td\t1\t1\tr1\ts\tt\tNon-translation!\tMajor\n"
    "B\td\t2\t2\tr1\ts\tt\tStyle/Awkward\tneutral\n"
)


def test_mqm_errors_are_weighted_and_summed_per_rater(write: Write) -> None:
    judged = parse_mqm(read_tsv(write("mqm.tsv", MQM)), pair="en-de")
    assert list(
        zip(judged.systems, judged.segments, judged.raters or [], judged.scores.tolist(), strict=True)
    ) == [
        ("A", "1", "r1", -5.1),
        ("A", "1", "r2", 0.0),
        ("B", "1", "r1", -25.0),
        ("B", "2", "r1", 0.0),
    ]
    assert judged.place(2) == "mqm.tsv: line 5"


def test_an_unknown_severity_is_refused(write: Write) -> None:
    with pytest.raises(
        InputError,
        match=r"mqm.tsv: line 2 has the severity 'Huge', which has no weight; known severities: critical, major",
    ):
        parse_mqm(read_tsv(write("mqm.tsv", MQM.replace("Major", "Huge", 1))))


def test_mqm_without_segment_numbers_joins_document_and_number(write: Write) -> None:
    judged = parse_mqm(read_tsv(write("mqm.tsv", MQM.replace("seg_id", "other"))))
    assert list(dict.fromkeys(judged.segments)) == ["d::1", "d::2"]


def test_the_most_specific_weight_counts() -> None:
    assert error_weight("minor", "Fluency/Grammar", GOOGLE_WEIGHTS) == 1.0
    assert error_weight("Minor", "Fluency/Punctuation", GOOGLE_WEIGHTS) == 0.1
    assert error_weight("severe", "", GOOGLE_WEIGHTS) is None
