"""ICU messages: which are valid, and which variables and branches an output must have."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.metrics import Markup
from tertium.metrics.checks._messages import MessageError, may_be_message, parse_message

FILES = "{count, plural, one {# file} other {# files}} in {name}"
HE = "{sex, select, male {He has} female {She has} other {They have}} {n, plural, =0 {no files} one {# file} other {# files}}"


def faults(output: str, source: str = FILES, language: str = "none") -> list[str]:
    return list(Markup(language=language).check(output, source).faults)


@pytest.mark.parametrize(
    "text",
    [
        FILES,
        HE,
        "",
        "It's {d, date, ::yMMMd} and {x, number, #,##0.00}",
        "'{'{a, number}'}' it''s '{b} {'",
        "{n, plural, offset:1 =0 {none} one {{name} and # other} other {# others}}",
        "{n,plural,other{{m,select,other{# '#'}}}}",
        "{ n , selectordinal , one {#st} two {#nd} few {#rd} other {#th} }",
        "# '# {x, number}",
        "{日付, date}",
    ],
)
def test_valid_messages_are_parsed(text: str) -> None:
    parse_message(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{n, plural, one {a} other {b}", "} is missing at character 30"),
        ("{n, plural, one {a} other {b", "} is missing at character 29"),
        ("a } b", "the brace at character 3 closes nothing"),
        ("{}", "a name is missing at character 2"),
        ("{a b}", ", is missing at character 4"),
        ("{n, plural}", ", is missing at character 11"),
        ("{n, plural, }", "has no branches"),
        ("{n, plural, one {a} one {b} other {c}}", "the branch one of {n, plural} occurs twice"),
        ("{n, plural, one 'a' other {b}}", "} is missing at character 13"),
        ("{n, number, ", "} is missing at the end"),
        ("{n, plural, other {" * 50, "nested too deeply"),
        ("{" * 100_000, "a name is missing"),
    ],
)
def test_broken_messages_are_described(text: str, reason: str) -> None:
    with pytest.raises(MessageError, match=reason):
        parse_message(text)


@given(st.text(alphabet="{}'#,= abplurselcto\n", max_size=40))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    with suppress(MessageError):
        parse_message(text)
    Markup().check(text, FILES)


@pytest.mark.parametrize("text", ["{name}", "{0}", "{red, green}", '{"a": 1, "b": 2}', "{a, b {c}}", "a, b"])
def test_other_text_with_braces_is_no_message(text: str) -> None:
    assert not may_be_message(text)


@pytest.mark.parametrize(
    ("output", "language", "expected"),
    [
        ("{count, plural, one {# Datei} other {# Dateien}} in {name}", "de", []),
        ("In {name}: {count, plural, one {eine Datei} other {# Dateien}}", "de", []),
        ("{count, plural, one {In {name} ist # Datei} other {In {name} sind # Dateien}}", "de", []),
        ("{count, plural, one {# Datei} other {# Dateien}}", "de", ["missing item: {name}"]),
        ("{count, plural, one {# Datei in {name}} other {# Dateien}}", "de", ["missing item: {name}"]),
        ("{count, plural, one {# Datei} other {Dateien}} in {name}", "de", ["missing item: {count}"]),
        ("{count, plural, one {# Datei} other {{count} Dateien}} in {name}", "de", []),
        ("{count, plural, other {# Dateien}} in {name}", "de", ["missing branch: one of {count, plural}"]),
        ("{name}に{count, plural, other {#個}}", "ja", []),
        ("{name}に{count, plural, other {#個}}", "none", ["missing branch: one of {count, plural}"]),
        ("{count, plural, one {# файл} few {# файла} many {# файлов} other {# файла}} в {name}", "ru", []),
        ("{count, plural, one {# файл} few {# файла} many {# файлов} other {# файла}} в {name}", "none", []),
        ("{count, plural, one {# файл} other {# файла}} в {name}", "ru",
         ["missing branch: few of {count, plural}", "missing branch: many of {count, plural}"]),
        ("{count, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}", "ru", ["missing item: {name}"]),
        ("{count, plural, eine {# Datei} other {# Dateien}} in {name}", "de",
         ["missing branch: one of {count, plural}", "added branch: eine of {count, plural}"]),
        ("{count, plural, offset:1 one {# Datei} other {# Dateien}} in {name}", "de",
         ["changed item: {count, plural} to {count, plural, offset:1}"]),
        ("{count, select, one {# Datei} other {# Dateien}} in {name}", "de",
         ["missing item: {count, plural}", "added item: {count, select}", "missing item: {count}"]),
        ("{count, plural, one {# Datei} other {# Dateien} in {name}", "de",
         ["broken message: } is missing at character 58"]),
        ("{count, plural, one {# Datei} other {# Dateien}} in {Name}", "de",
         ["missing item: {name}", "added item: {Name}"]),
    ],
)  # fmt: skip
def test_variables_and_branches_are_compared(output: str, language: str, expected: list[str]) -> None:
    assert faults(output, language=language) == expected


def test_a_renamed_variable_is_missing_and_added() -> None:
    found = faults(FILES.replace("count", "anzahl"))
    assert "missing item: {count, plural}" in found
    assert "added item: {anzahl, plural}" in found


def test_the_branch_other_is_always_required() -> None:
    assert "missing branch: other of {count, plural}" in faults(
        "{count, plural, one {#}} {name}", language="ja"
    )


def test_branches_of_select_are_those_of_the_source() -> None:
    assert faults(HE.replace("female", "weiblich"), HE) == [
        "missing branch: female of {sex, select}",
        "added branch: weiblich of {sex, select}",
    ]


def test_exact_values_are_required() -> None:
    assert faults(HE.replace("=0 {no files} ", ""), HE) == ["missing branch: =0 of {n, plural}"]


def test_ordinals_need_only_other() -> None:
    english = "{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}"
    assert faults("{n, selectordinal, other {#.}}", english) == []
    assert faults("{n, selectordinal, one {#.}}", english) != []


def test_styles_of_dates_and_numbers_may_differ() -> None:
    assert faults("{d, date, dd.MM.yyyy}", "{d, date, MM/dd/yyyy}") == []
    assert faults("{d, time}", "{d, date}") == ["missing item: {d, date}", "added item: {d, time}"]


def test_tags_in_branches_are_compared() -> None:
    source = "{n, plural, one {<b>#</b> file} other {<b>#</b> files}}"
    assert faults("{n, plural, one {<b>#</b> Datei} other {<b># Dateien}}", source) == ["missing item: </b>"]


def test_a_source_that_is_no_message_is_compared_as_text() -> None:
    assert faults("{name} {count}", "{count, plural, one {# a} {name} {count}") == []


@given(st.sampled_from([FILES, HE]))
def test_a_message_equals_itself(text: str) -> None:
    assert Markup().sentence_score(text, source=text).value == 100


@given(st.text(alphabet="{}'# ab", max_size=30))
def test_a_score_is_between_0_and_100(output: str) -> None:
    assert 0 <= Markup().sentence_score(f"{FILES}{output}", source=FILES).value <= 100
