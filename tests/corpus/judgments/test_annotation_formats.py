"""Judgments as annotation tools, WMT and mt-metrics-eval write them: one model, and errors with file and line."""

import json
from collections.abc import Callable, Mapping

import pytest

from tertium.corpus.judgments.formats import FORMATS, JudgmentFile, read_judgments
from tertium.corpus.judgments.mqm import GOOGLE_WEIGHTS, read_weights
from tertium.corpus.judgments.readers import SegmentJudgments
from tertium.corpus.judgments.spans import NOWHERE, ErrorSpan
from tertium.errors import InputError

Write = Callable[[str, str | bytes], str]

APPRAISE_DA = "engdeu01,sysA,68,TGT,eng,deu,10\nengdeu01,sysB,61,BAD,eng,deu,20\n"
APPRAISE_SQM = (
    "engdeu01,sysA,3,TGT,eng,deu,70,news.1,False,1650000000.5,1650000012.5\n"
    "engdeu01,sysA,3,TGT,eng,deu,66,news.1,True,1650000012.5,1650000020.0\n"
)
APPRAISE_ESA = (
    'cesdeu01,sysA,5,TGT,ces,deu,40,doc1,False,"[{""start_i"": 0, ""end_i"": 4, ""severity"": ""major""}]",1.0,9.0\n'
    "cesdeu01,sysB,tutorial1,TGT,ces,deu,90,tutorial,False,[],9.0,11.0\n"
)
APPRAISE_2025 = "u1,cs-de_#_news_#_d1_#_0,sysA,7,TGT,ces,deu,55,d1,False,[],1.0,4.0,1,2\n"
APPRAISE_PYTHON = """u1,sysA,1,TGT,eng,deu,10,d,False,"{'start_i': 0, 'end_i': 3, 'severity': 'major'}"\n"""

PEARMUT = {
    "annotation": [
        {
            "A": {
                "score": 70,
                "error_spans": [{"start_i": 0, "end_i": 2, "severity": "minor", "category": None}],
            },
            "B": {"score": 95, "error_spans": []},
        },
        {
            "A": {
                "score": 10,
                "error_spans": [{"start_i": "missing", "end_i": "missing", "severity": "major"}],
            }
        },
    ],
    "actions": [{"time": 100.0, "action": "load"}, {"time": 130.0, "action": "submit"}],
    "item": [
        {"item_id": "d1-0", "src": "Der Hund", "tgt": {"A": "The dog", "B": "A dog"}},
        {"item_id": "check", "src": "x", "tgt": {"A": "y"}, "validation": {"A": {"score": [0, 20]}}},
    ],
    "user_id": "eve",
    "item_i": 0,
}
WMT24 = {
    "langs": "en-es", "line_id": 4, "src": "a", "tgt": "una maestra", "doc_id": "d", "domain": "news",
    "esa_spans": [{"start_i": 4, "end_i": 10, "severity": "minor", "error_type": None}], "esa_score": "66",
    "times": [10.0, 25.0], "system": "ONLINE-B", "annotator": "engspa1",
}  # fmt: skip
WMT25 = {
    "doc_id": "en-cs_CZ_#_news_#_d1",
    "src_text": "a",
    "tgt_text": {"A": "abc", "B": "abd"},
    "scores": {
        "A": {"human": 80.0, "errors": [{"start_i": 0, "end_i": 1, "severity": "minor"}]},
        "B": [{"human": 60, "errors": [], "annotator": "x"}, {"human": 70, "errors": [], "annotator": "y"}],
    },
}
WMT25_TSV = (
    "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tsource_segment\thypothesis_segment"
    "\treference_segment\tdomain_name\tmethod\tstart_indices\tend_indices\terror_types\n"
    "d1\t1\ten\tcs_CZ\tofficial\tA\tx\tabcdef\tr\tnews\tESA\t0 4\t2 6\tmajor minor\n"
    "d1\t2\ten\tcs_CZ\tofficial\tA\tx\tabc\tr\tnews\tESA\t-1\t-1\tno-error\n"
)
RATINGS = (
    'A\t{"errors": [{"start": 0, "end": 3, "category": "Fluency", "severity": "Major", "is_source_error": true}]}\tr1\n'
    "A\tNone\tr1\n"
    'A\t{"errors": []}\tr2\n'
)
COMET = {
    "out/A.txt": [
        {
            "src": "x",
            "mt": "a b c",
            "COMET": 0.5,
            "errors": [{"text": "b", "severity": "critical", "start": 2, "end": 3}],
        }
    ]
}
AD_SEG = "SYS SID RAW.SCR Z.SCR N\nOnline-A 12 71.5 0.25 2\nOnline-B 12 60 -0.5 1\n"
JUDGE = {
    "system": "A",
    "segment": 1,
    "mt": "a bad word",
    "error_spans": [{"text": "bad", "severity": "major"}],
}


def read(write: Write, name: str, content: object) -> SegmentJudgments:
    """Read content as a file: a text, or an object as one line of JSON."""
    text = content if isinstance(content, str) else json.dumps(content) + "\n"
    judged = read_judgments(write(name, text))
    assert isinstance(judged, SegmentJudgments)
    return judged


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", APPRAISE_DA, "appraise"),
        ("a.csv", APPRAISE_SQM, "appraise"),
        ("a.csv", APPRAISE_2025, "appraise"),
        ("a.jsonl", PEARMUT, "pearmut"),
        ("a.jsonl", WMT24, "wmt24-esa"),
        ("a.jsonl", WMT25, "wmt25"),
        ("a.tsv", WMT25_TSV, "table"),
        ("en-de.mqm.seg.rating", RATINGS, "mtme-ratings"),
        ("x.json", COMET, "comet"),
        ("ad-seg-scores-cs-en.csv", AD_SEG, "ad-seg-scores"),
        ("a.jsonl", JUDGE, "table"),
        ("a.csv", "system,segment,score\nA,1,2\n", "table"),
        ("a.tsv", "system\tseg_id\trater\tcategory\tseverity\nA\t1\tr\tno-error\tno-error\n", "mqm"),
    ],
)
def test_the_content_of_a_file_determines_its_format(name: str, content: object, expected: str) -> None:
    """The suffix matters only for mt-metrics-eval's files, which have no header."""
    text = content if isinstance(content, str) else json.dumps(content)
    file = JudgmentFile(name, text.splitlines(), GOOGLE_WEIGHTS, None)
    assert next(form.name for form in FORMATS if form.fits(file)) == expected


def test_appraise_rows_name_rater_system_and_segment_and_mark_attention_checks(write: Write) -> None:
    """BAD items are degraded outputs, which are no judgments of the system."""
    judged = read(write, "a.csv", APPRAISE_DA)
    assert (judged.raters, judged.systems, judged.segments) == (
        ["engdeu01"] * 2,
        ["sysA", "sysB"],
        ["68", "61"],
    )
    assert (judged.scores.tolist(), judged.pairs, judged.checks) == ([10, 20], ["eng-deu"] * 2, ["", "bad"])
    assert judged.of_systems().systems == ["sysA"]


def test_appraise_scores_of_whole_documents_are_left_out_with_a_note(write: Write) -> None:
    """The score of a document is not one of its last segment."""
    judged = read(write, "a.csv", APPRAISE_SQM)
    assert judged.scores.tolist() == [70]
    assert judged.seconds is not None
    assert judged.seconds.tolist() == [12]
    assert judged.notes == ["a.csv: 1 scores of whole documents are left out"]


def test_appraise_esa_has_spans_with_an_inclusive_end(write: Write) -> None:
    """Tutorial items are marked; characters 0 to 4 are the first five."""
    judged = read(write, "a.csv", APPRAISE_ESA)
    assert judged.spans == [(ErrorSpan(0, 5, "major"),), ()]
    assert judged.checks == ["", "tutorial"]
    assert read(write, "p.csv", APPRAISE_PYTHON).spans == [(ErrorSpan(0, 4, "major"),)]


def test_appraise_of_2025_has_the_segment_before_the_system(write: Write) -> None:
    """A column more shifts the type by one."""
    judged = read(write, "a.csv", APPRAISE_2025)
    assert (judged.systems, judged.segments, judged.documents) == (
        ["sysA"],
        ["cs-de_#_news_#_d1_#_0"],
        ["d1"],
    )


def test_pearmut_has_a_judgment_per_segment_and_model(write: Write) -> None:
    """Missing content has no position; a segment with validation rules is an attention check."""
    judged = read(write, "a.jsonl", PEARMUT)
    assert (judged.systems, judged.segments) == (["A", "B", "A"], ["d1-0", "d1-0", "check"])
    assert (judged.scores.tolist(), judged.raters) == ([70, 95, 10], ["eve"] * 3)
    assert judged.spans == [(ErrorSpan(0, 3, "minor"),), (), (ErrorSpan(NOWHERE, NOWHERE, "major"),)]
    assert judged.checks == ["", "", "check"]
    assert judged.seconds is not None
    assert judged.seconds.tolist() == [10, 10, 10]


def test_the_last_submission_of_a_document_counts(write: Write) -> None:
    """Pearmut appends a line when a rater goes back."""
    again = json.loads(json.dumps(PEARMUT))
    again["annotation"][0]["A"]["score"] = 33
    judged = read(write, "a.jsonl", json.dumps(PEARMUT) + "\n" + json.dumps(again) + "\n")
    assert judged.scores.tolist() == [33, 95, 10]
    assert judged.notes == ["a.jsonl: 1 submissions are replaced by later ones of the same document"]


def test_wmt24_counts_lines_from_zero(write: Write) -> None:
    """Line 4 is segment 5; scores may be strings."""
    judged = read(write, "a.jsonl", WMT24)
    assert (judged.segments, judged.scores.tolist(), judged.pairs) == (["5"], [66.0], ["en-es"])
    assert judged.targets is not None
    assert judged.spans is not None
    assert judged.spans[0][0].text_in(judged.targets[0]) == "maestra"


def test_wmt25_may_have_several_judgments_of_an_output(write: Write) -> None:
    """The language pair is the beginning of the document's id."""
    judged = read(write, "a.jsonl", json.dumps(WMT25) + "\n" + json.dumps(WMT25) + "\n")
    assert judged.systems == ["A", "B", "B"] * 2
    assert judged.segments == ["1"] * 3 + ["2"] * 3
    assert set(judged.pairs) == {"en-cs_CZ"}
    assert judged.raters == ["", "x", "y"] * 2


def test_wmt25_tables_of_spans_get_mqm_scores(write: Write) -> None:
    """A table without scores is scored by the weights of its errors."""
    judged = read(write, "a.tsv", WMT25_TSV)
    assert judged.scores.tolist() == [-6, 0]
    assert judged.spans == [(ErrorSpan(0, 2, "major"), ErrorSpan(4, 6, "minor")), ()]
    assert (judged.pairs, judged.segments) == (["en-cs_CZ"] * 2, ["1", "2"])


def test_ratings_count_rows_as_segments_and_skip_unrated_outputs(write: Write) -> None:
    """The second row of A is segment 2, rated by nobody; the third is segment 3."""
    judged = read(write, "en-de.mqm.seg.rating", RATINGS)
    assert (judged.segments, judged.raters, judged.scores.tolist()) == (["1", "3"], ["r1", "r2"], [-5, 0])
    assert judged.spans == [(ErrorSpan(0, 3, "major", "fluency", in_source=True),), ()]
    assert set(judged.pairs) == {"en-de"}


def test_comet_has_scores_and_spans_by_file(write: Write) -> None:
    """A file of outputs is a system."""
    judged = read(write, "x.json", COMET)
    assert (judged.systems, judged.scores.tolist()) == (["A"], [0.5])
    assert judged.spans == [(ErrorSpan(2, 3, "critical"),)]


def test_ad_seg_scores_have_z_scores_and_raw_scores(write: Write) -> None:
    """The language pair is in the name of the file."""
    path = write("ad-seg-scores-cs-en.csv", AD_SEG)
    judged, raw = read_judgments(path), read_judgments(path, score="raw")
    assert isinstance(judged, SegmentJudgments)
    assert isinstance(raw, SegmentJudgments)
    assert (judged.scores.tolist(), raw.scores.tolist()) == ([0.25, -0.5], [71.5, 60])
    assert (judged.segments, judged.pairs) == (["12", "12"], ["cs-en"] * 2)


def test_a_judges_quotation_is_found_in_the_output(write: Write) -> None:
    """Spans without positions, as LLM judges write them."""
    judged = read(write, "a.jsonl", JUDGE)
    assert (judged.spans, judged.scores.tolist()) == ([(ErrorSpan(2, 5, "major"),)], [-5])


def test_google_mqm_marks_words_of_target_and_source(write: Write) -> None:
    """An omission is marked in the source; rows of one output and rater are joined."""
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = (
        "A\td\t1\t1\tr\tein Haus\ta <v>hose</v>\tAccuracy/Mistranslation\tMajor\n"
        "A\td\t1\t1\tr\t<v>ein</v> Haus\ta hose\tAccuracy/Omission\tMinor\n"
        "A\td\t2\t2\tr\tHaus\thouse <v>!\tFluency/Punctuation\tMinor\n"
    )
    judged = read(write, "m.tsv", header + rows)
    assert judged.spans is not None
    assert judged.spans[0] == (
        ErrorSpan(2, 6, "major", "accuracy/mistranslation"),
        ErrorSpan(0, 3, "minor", "accuracy/omission", in_source=True),
    )
    assert (judged.targets, judged.scores.tolist()) == (["a hose", "house !"], [-6, -0.1])
    assert judged.notes == ["m.tsv: <v> without </v> marks the rest of the text (line 4)"]


def test_own_weights_replace_googles(write: Write) -> None:
    """A weight for a severity and category is more specific than one for the severity."""
    weights = read_weights(write("w.tsv", "major\t4\nminor\t1\nMinor/Fluency\t0.5\n"))
    table = (
        "system\tseg_id\trater\tcategory\tseverity\nA\t1\tr\tFluency/Grammar\tMinor\nA\t1\tr\tStyle\tMajor\n"
    )
    judged = read_judgments(write("m.tsv", table), weights=weights)
    assert isinstance(judged, SegmentJudgments)
    assert judged.scores.tolist() == [-4.5]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("major 5\n", "line 1 is 'major 5'"),
        ("major\t-1\n", "line 1 is"),
        ("major\t5\nMajor\t6\n", "line 2 gives major a weight again"),
        ("", "has no weights"),
    ],
)
def test_bad_weights_are_refused(write: Write, content: str, message: str) -> None:
    """One line that names the file and the line."""
    with pytest.raises(InputError, match=message):
        read_weights(write("w.tsv", content))


def _changed(entry: Mapping[str, object], **changes: object) -> str:
    return json.dumps({**entry, **changes}) + "\n"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", APPRAISE_DA + "x,y\n", r"a.csv: line 3 is not a row of Appraise"),
        ("a.csv", APPRAISE_DA.replace(",20", ",good"), r"a.csv: line 2 has the score 'good'"),
        (
            "a.csv",
            'u,s,1,TGT,eng,deu,5,d,False,"[1]"\n',
            r"a.csv: line 1 has the error span 1, which is not an object",
        ),
        ("a.jsonl", _changed(PEARMUT, annotation=[{}, {}]), r"a.jsonl: line 1 has an empty annotation"),
        ("a.jsonl", _changed(PEARMUT, annotation=[{}]), r"line 1 has 2 segments but annotations of 1"),
        (
            "a.jsonl",
            _changed(PEARMUT, annotation=[{"C": {"score": 1}}, {"A": {"score": 1}}]),
            r"line 1 judges the system 'C', which has no output; there are A, B",
        ),
        (
            "a.jsonl",
            _changed(PEARMUT, annotation=[{"A": {"score": None}}, {"A": {"score": 1}}]),
            r"line 1 has an empty annotation of 'A': neither a score nor error spans",
        ),
        (
            "a.jsonl",
            _changed(WMT24, esa_spans=[{"start_i": 4, "end_i": 11, "severity": "minor"}]),
            r"a.jsonl: line 1 has an error span at 4:12, but the text has 11 characters",
        ),
        (
            "a.jsonl",
            _changed(WMT24, esa_score="x"),
            r"line 1 has the score 'x', which is not a finite number",
        ),
        ("a.jsonl", _changed(WMT24) + "{}\n", r"a.jsonl: line 2 has no esa_score, which line 1 has"),
        (
            "a.jsonl",
            _changed(WMT24, line_id=True),
            r"line 1 has the line_id True, which is not a whole number",
        ),
        ("a.jsonl", _changed(WMT24, system=None), r"line 1 has the system None, which is not a name"),
        ("a.jsonl", _changed(WMT25) + '{"scores": {}}\n', r"line 2 has no tgt_text, which line 1 has"),
        ("a.jsonl", _changed(PEARMUT) + '{"item": []}\n', r"line 2 has no annotation, which line 1 has"),
        (
            "a.jsonl",
            _changed(WMT25, scores={"C": {"human": 1}}),
            r"line 1 judges the system 'C', which has no output",
        ),
        ("a.jsonl", _changed(WMT25, scores={"A": {}}), r"line 1 has an empty annotation of 'A'"),
        (
            "a.jsonl",
            _changed(JUDGE, mt="other"),
            r"a.jsonl#error_spans: line 1 marks 'bad', which does not occur",
        ),
        (
            "a.tsv",
            WMT25_TSV.replace("0 4", "0"),
            r"a.tsv#start_indices: line 2 has 1 starts, 2 ends and 2 error types",
        ),
        (
            "a.tsv",
            WMT25_TSV.replace("major", "severe"),
            r"line 2 has the severity 'severe', which has no weight",
        ),
        ("x.seg.rating", "A\tx\n", r"line 1 has a rating that is not JSON"),
        ("x.seg.rating", "A\n", r"line 1 is not SYSTEM, a tab, a rating"),
        ("a.csv", 'system,segment,score\nA,"1,2\n', r"a.csv: line 2 is not CSV"),
        ("a.csv", "system,segment,score\nA,1\n", r"a.csv: line 2 has 2 fields but the header has 3"),
        (
            "a.csv",
            "system,segment,score\nA,,1\n",
            r"a.csv#segment: line 2 is empty; every judgment needs a segment",
        ),
        ("a.tsv", "system\tscore\n \t1\n", r"a.tsv#system: line 2 is empty; every judgment needs a system"),
        ("a.tsv", "", r"a.tsv is empty"),
        ("ad-seg-scores-cs-en.csv", AD_SEG + "A 1\n", r"line 4 has 2 fields"),
    ],
)
def test_bad_annotations_get_one_line_with_file_and_line(
    write: Write, name: str, content: str, message: str
) -> None:
    """An unknown system, a span outside the text, an empty annotation, a broken row."""
    with pytest.raises(InputError, match=message):
        read_judgments(write(name, content))


@pytest.mark.parametrize("score", ["150", "-20"])
def test_a_score_outside_of_the_scale_is_noted(write: Write, score: str) -> None:
    """Appraise's slider goes from 0 to 100; a score beyond it is a mistake of the file."""
    rows = [f"eng1,sysA,{i},TGT,eng,deu,{i}" for i in range(1, 40)]
    judged = read(write, "a.csv", "\n".join([*rows, f"eng1,sysA,40,TGT,eng,deu,{score}"]) + "\n")
    assert judged.notes == [
        f"a.csv: line 40 has the score {score}, but most scores are from 0 to 100; 1 such scores are used as they are"
    ]


def test_mqm_and_z_scores_have_no_range(write: Write) -> None:
    """MQM scores are 0 or negative, z-scores of both signs."""
    mqm = "system\tsegment\tscore\n" + "".join(f"A\t{i}\t{-5 * (i == 7)}\n" for i in range(1, 50))
    assert read(write, "a.tsv", mqm).notes == []
    assert read(write, "ad-seg-scores-cs-en.csv", AD_SEG).notes == []


def test_two_mean_scores_of_an_output_are_an_error(write: Write) -> None:
    """`ad-seg-scores` has one row for each output."""
    with pytest.raises(
        InputError, match=r"line 4 has a score of segment 12 of Online-B again \(first in line 3\)"
    ):
        read(write, "ad-seg-scores-cs-en.csv", AD_SEG + "Online-B 12 61 -0.4 1\n")


def test_a_repeated_line_of_wmt25_is_noted(write: Write) -> None:
    """It shifts the numbers of all segments after it."""
    judged = read(write, "a.jsonl", (json.dumps(WMT25) + "\n") * 2)
    assert judged.notes == [
        "a.jsonl: line 2 is identical to the line before it; it counts as another segment"
    ]


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.csv", APPRAISE_DA.replace(",20\n", ",1e31\n"), "a.csv: line 2 "),
        ("a.jsonl", json.dumps(PEARMUT).replace('"score": 95', '"score": 1e300'), "a.jsonl: line 1 "),
        ("a.jsonl", json.dumps(PEARMUT).replace('"score": 70', '"score": -1e31'), "a.jsonl: line 1 "),
        ("a.jsonl", json.dumps(WMT24).replace('"66"', '"1e308"'), "a.jsonl: line 1 "),
        ("a.jsonl", json.dumps(WMT25).replace("80.0", "1e308"), "a.jsonl: line 1 "),
        ("x.json", json.dumps(COMET).replace("0.5", "1e308"), "x.json: "),
        ("ad-seg-scores-cs-en.csv", AD_SEG.replace("-0.5", "-1e308"), "line 3 "),
        ("M.seg.score", "A\t1\nA\t1e308\n", "M.seg.score: line 2 "),
        ("a.tsv", "system\tsegment\tscore\nA\t1\t2\nA\t2\t1e308\n", "a.tsv#score: line 3 "),
        ("a.tsv", "system\tsegment\tscore\nA\t1\t2\nA\t2\t1e308 \n", "a.tsv#score: line 3 "),
        ("a.jsonl", '{"system": "A", "segment": 1, "score": 1e308}\n', "a.jsonl#score: line 1 "),
    ],
)
def test_a_score_beyond_the_largest_is_named_with_its_place(
    write: Write, name: str, content: str, place: str
) -> None:
    with pytest.raises(InputError, match="beyond 1e\\+30, the largest score") as raised:
        read_judgments(write(name, content))
    assert place in str(raised.value)


def test_weights_of_errors_have_a_bound(write: Write) -> None:
    with pytest.raises(InputError, match=r"a number from 0 to 1e\+30"):
        read_weights(write("w.tsv", "major\t1e308\n"))


def test_a_score_of_pearmut_that_is_no_number_is_not_replaced_by_the_weight_of_its_spans(
    write: Write,
) -> None:
    with pytest.raises(InputError, match="line 1 has the score 'x', which is not a finite number"):
        read_judgments(write("a.jsonl", json.dumps(PEARMUT).replace('"score": 70', '"score": "x"') + "\n"))
