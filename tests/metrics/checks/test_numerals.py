"""Numerals that are lost, changed or added, and local forms that are the same number."""

import pytest

from tertium.metrics import Numerals


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("It costs 1,250.50 euros.", "Es kostet 1.250,50 Euro."),
        ("1,234,567 people", "1 234 567 Menschen"),
        ("1,234,567 people", "1'234'567 Menschen"),
        ("1.234 m", "1,234 m"),
        ("2.5 million euros", "2,5 Mio. Euro"),
        ("5 million people", "500万人"),
        ("The meeting is at 7:30 pm.", "Das Treffen ist um 19.30 Uhr."),
        ("um 19 Uhr", "at 7 PM"),
        ("on 12.12.2019", "on 12/12/2019"),
        ("7月26日", "July 26th"),
        ("3 cats", "drei Katzen"),
        ("zwei Katzen und 13 Hunde", "2 cats and 13 dogs"),
        ("٤٢ قطة", "42 cats"),
        ("４２匹", "42 cats"),
        ("2,06,737 people", "206.737 Menschen"),
        ("1万1000店舗", "11,000 restaurants"),
        ("3億5000万円", "350 million yen"),
        ("14 lakh cases", "1,4 Millionen Fälle"),
        ("about 2,000 737s", "etwa 2000 737"),
        ("at 8pm", "klukkan 20"),
        ("上午9点半", "at 9:30 a.m."),
        ("04年", "in 2004"),
        ("平成18年", "in 2006"),
        ("in the '60s", "in den 1960er Jahren"),
        ("７割", "70 %"),
        ("the lake is 80 feet deep", "der See ist 25 Meter tief"),
        ("550 acres", "220 Hektar"),
        ("Thirty-one people", "31 Personen"),
        ("100 people", "hundert Menschen"),
        ("45 Jahre", "forty-five years"),
        ("pětadvacet případů", "25 cases"),
        ("am 26.07.2020", "on July 26, 2020"),
        ("新冠疫情", "the COVID-19 pandemic"),
        ("$5 million", "5 Millionen Dollar"),
        ("No numbers here.", "Hier ist keine Zahl."),
        ("", ""),
    ],
)
def test_local_forms_of_the_same_number_are_no_fault(source: str, output: str) -> None:
    score = Numerals().sentence_score(output, source=source)
    assert (score.details["faults"], score.value) == (0, 100)


@pytest.mark.parametrize(
    ("source", "output", "faults"),
    [
        ("It costs 1,250 euros.", "Es kostet 1.350 Euro.", ["missing number: 1,250", "added number: 1.350"]),
        ("42 cats", "viele Katzen", ["missing number: 42"]),
        ("many cats", "42 Katzen", ["added number: 42"]),
        ("3 and 3 are 6", "3 sind sechs", ["missing number: 3"]),
        (
            "at 7:30 pm",
            "um 19.40 Uhr",
            [
                "missing number: 7:30",
            ],
        ),
        ("from 1998 to 2003", "von 1998 bis 2013", ["missing number: 2003", "added number: 2013"]),
        ("5 km away", "5 Meilen entfernt", ["changed unit: 5 in the source"]),
        ("It costs $5.", "Es kostet 5 Euro.", ["changed unit: 5 in the source"]),
        ("80 feet", "80 Meter", ["changed unit: 80 in the source"]),
        ("80 feet", "50 Meter", ["missing number: 80", "added number: 50"]),
        ("5 million", "5 Milliarden", []),  # the digits are the same: words of scales are only alternatives
    ],
)
def test_planted_faults_are_found(source: str, output: str, faults: list[str]) -> None:
    assert list(Numerals().check(output, source).faults) == faults


def test_the_system_score_counts_all_numbers() -> None:
    score = Numerals().corpus_score(["1 one", "99 luft"], source=["1 one", "98 luft"])
    # items: 1; 98 and the added 99
    assert score.details == {"faults": 2, "items": 3, "faulty_segments": 1, "segments": 2}
    assert score.value == pytest.approx(100 / 3)


def test_an_explanation_lists_the_faults() -> None:
    explained = Numerals().explain("42 Katzen", (), "43 cats")
    assert explained.steps == ["missing number: 43", "added number: 42"]


@pytest.mark.parametrize("n_digits", [99, 101, 400, 5000])
@pytest.mark.parametrize("unit", ["", " km", "万1"])
def test_numbers_of_any_length_are_compared(n_digits: int, unit: str) -> None:
    number = "1" * n_digits + unit
    assert Numerals().sentence_score(number, source=number).score == 100
    assert Numerals().sentence_score(number, source=f"2{number}").score < 100
