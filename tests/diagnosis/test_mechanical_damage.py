"""Damage by tools, which costs more than two points of BLEU: `score` prints one line, and `doctor` a finding with its remedy."""

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import tertium
from tertium.diagnosis.finding import Finding

DATA = Path(__file__).parents[2] / "examples" / "data"
SYSTEMS = sorted((DATA / "systems").glob("*.txt"))


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


REFERENCES, SOURCE, AURORA = (
    read(DATA / name) for name in ("reference.en.txt", "source.de.txt", "systems/aurora.txt")
)

Change = Callable[[str], str]


def shift_letters(first: str, last: str, other: str) -> Change:
    """Replace a range of letters by the letters that begin with `other`."""
    codes = {ord(first) + i: ord(other) + i for i in range(ord(last) - ord(first) + 1)}
    return lambda line: line.translate(codes)


def cut_words(between: str, before: str = "") -> Change:
    """Cut words into pieces of three letters."""

    def cut(line: str) -> str:
        words = ([word[i : i + 3] for i in range(0, len(word), 3)] for word in line.split())
        return " ".join(before + between.join(pieces) for pieces in words)

    return cut


def insert(character: str) -> Change:
    return lambda line: re.sub(r"(\w{3})(?=\w{3})", rf"\1{character}", line)


def replace_words(other: str) -> Change:
    return lambda line: " ".join(other if i % 8 == 5 else word for i, word in enumerate(line.split()))


CYRILLIC = str.maketrans("aeocpxyAEOCPXHKMTB", "аеосрхуАЕОСРХНКМТВ")

# The damage of a line, and the code of the doctor's finding.
LINE_DAMAGES: dict[str, tuple[Change, str]] = {
    "capitals": (str.upper, "case-mismatch"),
    "lower case": (str.lower, "case-mismatch"),
    "titles": (str.title, "case-mismatch"),
    "full-width": (shift_letters("!", "~", "！"), "letter-variants"),
    "full-width letters": (
        lambda line: shift_letters("a", "z", "ａ")(shift_letters("A", "Z", "Ａ")(line)),
        "letter-variants",
    ),
    "mathematical letters": (shift_letters("a", "z", "𝐚"), "letter-variants"),
    "ligatures": (lambda line: line.replace("fi", "ﬁ").replace("ff", "ﬀ").replace("fl", "ﬂ"), "letter-variants"),
    "reasoning": (lambda line: f"<think>This is about a {line.split()[-1]}</think> {line}", "model-answer"),
    "empty reasoning": (lambda line: f"<think></think>{line}", "model-answer"),
    "preamble": (lambda line: f"Here is the translation: {line}", "model-answer"),
    "eager preamble": (lambda line: f"Sure! Here's your English translation: {line}", "model-answer"),
    "bold preamble": (lambda line: f"**Translation:** {line}", "model-answer"),
    "note": (lambda line: f"{line} (Note: this is a literal translation.)", "repeated-edges"),
    "hope": (lambda line: f"{line} I hope this helps!", "repeated-edges"),
    "sentence tokens": (lambda line: f"<s>{line}</s>", "special-tokens"),
    "end of text": (lambda line: f"{line}<|endoftext|>", "special-tokens"),
    "language token": (lambda line: f"<2en> {line}", "special-tokens"),
    "language code": (lambda line: f"eng_Latn {line}", "repeated-edges"),
    "<unk>": (replace_words("<unk>"), "unknown-words"),
    "UNK": (replace_words("UNK"), "unknown-words"),
    "⁇": (replace_words("⁇"), "unknown-words"),
    "bullets": (lambda line: f"- {line}", "repeated-edges"),
    "Markdown": (lambda line: f"**{line}**", "repeated-edges"),
    "quotation marks": (lambda line: f'"{line}"', "repeated-edges"),
    "curly quotation marks": (lambda line: f"“{line}”", "repeated-edges"),
    "JSON": (lambda line: json.dumps({"translation": line}), "repeated-edges"),
    "line feeds of JSON": (lambda line: f"{line}\\n", "escapes"),
    "BPE": (cut_words("@@ "), "subwords"),
    "SentencePiece": (cut_words(" ", "▁"), "subwords"),
    "WordPiece": (cut_words(" ##"), "subwords"),
    "pieces": (cut_words(" "), "word-length"),
    "bytes of GPT": (cut_words(" ", "Ġ"), "word-length"),
    "letters": (" ".join, "word-length"),
    "no spaces": (lambda line: line.replace(" ", ""), "word-length"),
    "underscores": (lambda line: line.replace(" ", "_"), "word-length"),
    "address": (lambda line: line.replace(" ", "%20"), "word-length"),
    "Cyrillic letters": (lambda line: line.translate(CYRILLIC), "mixed-scripts"),
    "Greek letters": (lambda line: line.replace("o", "ο"), "mixed-scripts"),
    "dotless i": (lambda line: line.replace("i", "ı"), "other-characters"),
    "no punctuation": (lambda line: re.sub(r"[^\w\s]", "", line), "repeated-edges"),
    "soft hyphens": (insert("\u00ad"), "invisible-characters"),
    "zero-width spaces": (insert("\u200b"), "invisible-characters"),
    "marks of direction": (lambda line: line.replace(" ", " \u200e"), "other-characters"),
    "line breaks of HTML": (lambda line: f"{line}<br>", "markup"),
    "segments of SGML": (lambda line: f'<seg id="1">{line}</seg>', "markup"),
    "half of each line": (lambda line: line[: len(line) // 2], "length-ratio"),
    "every line twice": (lambda line: f"{line} {line}", "length-ratio"),
    "reversed letters": (lambda line: line[::-1], "repeated-edges"),
}  # fmt: skip

TextChange = Callable[[Sequence[str]], list[str]]

TEXT_DAMAGES: dict[str, tuple[TextChange, str]] = {
    "numbers": (lambda lines: [f"{i}. {line}" for i, line in enumerate(lines, start=1)], "repeated-edges"),
    "numbers and tabs": (lambda lines: [f"{i}\t{line}" for i, line in enumerate(lines)], "repeated-edges"),
    "n-best list": (lambda lines: [f"{i} ||| {line} ||| -1.2" for i, line in enumerate(lines)], "repeated-edges"),
    "a third is empty": (lambda lines: ["" if i % 3 == 0 else line for i, line in enumerate(lines)], "empty-lines"),
    "a tenth is empty": (lambda lines: ["" if i % 10 == 0 else line for i, line in enumerate(lines)], "empty-lines"),
    "a quarter is source": (
        lambda lines: [SOURCE[i] if i % 4 == 0 else line for i, line in enumerate(lines)],
        "wrong-language-lines",
    ),
    "a fifth repeats the line before": (
        lambda lines: [lines[i - 1] if i % 5 == 0 else line for i, line in enumerate(lines)],
        "adjacent-duplicates",
    ),
    "a fifth loops": (
        lambda lines: [f"{line}{' and so on' * 40}" if i % 5 == 0 else line for i, line in enumerate(lines)],
        "length-outliers",
    ),
    "a third has a preamble": (
        lambda lines: [f"Translation: {line}" if i % 2 else line for i, line in enumerate(lines)],
        "model-answer",
    ),
    "shifted": (lambda lines: [*lines[1:], lines[0]], "shifted-lines"),
    "upside down": (lambda lines: list(lines[::-1]), "unrelated"),
}  # fmt: skip


def of_lines(change: Change) -> TextChange:
    return lambda lines: [change(line) for line in lines]


DAMAGES = TEXT_DAMAGES | {name: (of_lines(change), code) for name, (change, code) in LINE_DAMAGES.items()}


def score(hypotheses: list[str], references: list[str], metric: str = "bleu") -> tuple[float, list[str]]:
    result = tertium.score(hypotheses, references, metric)
    return result[metric]["system"].value, list(result.warnings)


def diagnose(folder: Path, hypotheses: list[str], references: list[str]) -> dict[str, Finding]:
    """Return the doctor's findings by code."""
    for name, lines in (("hyp.txt", hypotheses), ("ref.txt", references)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found = tertium.doctor(hypotheses=[str(folder / "hyp.txt")], references=[str(folder / "ref.txt")])
    return {finding.code: finding for finding in found}


CLEAN_SCORE, _ = score(AURORA, REFERENCES)


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_that_costs_two_points_is_reported_by_score_and_doctor(name: str, tmp_path: Path) -> None:
    change, code = DAMAGES[name]
    damaged = change(AURORA)
    value, warnings = score(damaged, REFERENCES)
    assert CLEAN_SCORE - value > 2
    [line] = warnings
    assert line.startswith("system: ")
    assert line.endswith("; 'tertium doctor' shows details")
    finding = diagnose(tmp_path, damaged, REFERENCES)[code]
    assert finding.severity in ("error", "warning")
    assert finding.n_lines >= 19
    assert finding.remedy


@pytest.mark.parametrize(
    "name",
    [
        "capitals",
        "full-width",
        "sentence tokens",
        "numbers",
        "BPE",
        "no spaces",
        "soft hyphens",
        "Cyrillic letters",
    ],
)
def test_the_same_damage_of_the_reference_is_reported(name: str, tmp_path: Path) -> None:
    change, code = DAMAGES[name]
    damaged = change(REFERENCES)
    value, warnings = score(AURORA, damaged)
    assert CLEAN_SCORE - value > 2
    [line] = warnings
    assert "references" in line
    assert code in diagnose(tmp_path, AURORA, damaged)


@pytest.mark.parametrize(
    "name", ["line breaks of HTML", "line feeds of JSON", "sentence tokens", "soft hyphens"]
)
def test_score_is_silent_where_both_texts_have_the_same_signs(name: str) -> None:
    """Strings of user interfaces have tags and escape sequences, which a translation keeps."""
    change, _ = DAMAGES[name]
    assert score(change(AURORA), change(REFERENCES))[1] == []


def test_clean_texts_have_no_findings(tmp_path: Path) -> None:
    for path in SYSTEMS:
        assert score(read(path), REFERENCES)[1] == []
        assert diagnose(tmp_path, read(path), REFERENCES) == {}


@pytest.mark.parametrize(
    ("change", "code", "remedy"),
    [
        pytest.param(
            lambda line: unicodedata.normalize("NFD", line), "normal-form-mismatch", "nfc", id="NFD"
        ),
        pytest.param(
            lambda line: unicodedata.normalize("NFKD", line), "normal-form-mismatch", "nfc", id="NFKD"
        ),
        pytest.param(LINE_DAMAGES["full-width"][0], "letter-variants", "nfkc", id="full-width"),
    ],
)
def test_the_remedy_for_another_form_of_letters_restores_the_score(
    change: Change, code: str, remedy: str, tmp_path: Path
) -> None:
    texts = [line for line in SOURCE if not line.isascii()]
    damaged = of_lines(change)(texts)
    value, [line] = score(damaged, texts)
    assert value < 80
    assert f"; score with normalize={remedy}, or" in line
    assert f"normalize={remedy}" in diagnose(tmp_path, damaged, texts)[code].remedy
    assert score(damaged, texts, f"bleu:normalize={remedy}")[0] == pytest.approx(100)


def test_accents_on_few_words_are_only_noted(tmp_path: Path) -> None:
    """Two lines with accents in another form do not change the score visibly."""
    decomposed = [unicodedata.normalize("NFD", line) for line in AURORA]
    value, warnings = score(decomposed, REFERENCES)
    assert CLEAN_SCORE - value < 0.1
    assert warnings == []
    assert diagnose(tmp_path, decomposed, REFERENCES)["normal-form-mismatch"].severity == "note"


@pytest.mark.parametrize("n_lines", [1, 2, 3, 5, 7])
def test_short_texts_that_begin_and_end_alike_by_chance_are_clean(n_lines: int) -> None:
    hypotheses = [
        f"The {word} is old!" for word in ["cat", "dog", "house", "tree", "river", "moon", "sun"][:n_lines]
    ]
    references = [
        f"A very old {word}." for word in ["cat", "dog", "house", "tree", "river", "moon", "sun"][:n_lines]
    ]
    assert score(hypotheses, references)[1] == []


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("Certainly, it is unlikely that rates rise:", id="a sentence with a colon"),
        pytest.param("Of course, many of you know the words of the pastor:", id="a quotation"),
        pytest.param("The translation of the Bible took years.", id="a text about translation"),
        pytest.param("Here is the list of all translators.", id="no colon"),
        pytest.param("The price is <20 euros> or less.", id="angle brackets"),
        pytest.param("UNKNOWN or SHUNK", id="a longer word"),
        pytest.param("C:\\new\\test is a folder", id="a path"),
    ],
)
def test_what_only_looks_like_the_words_of_a_model_is_no_damage(line: str, tmp_path: Path) -> None:
    assert diagnose(tmp_path, [*AURORA, line], [*REFERENCES, line]) == {}


def test_lines_in_a_known_language_are_found_where_that_of_the_references_is_unknown(tmp_path: Path) -> None:
    letters = "bcdfghjklmnpqrstvwxz"
    unknown = str.maketrans(letters + letters.upper(), letters[::-1] + letters[::-1].upper())
    references, hypotheses = ([line.translate(unknown) for line in lines] for lines in (REFERENCES, AURORA))
    assert score(hypotheses, references)[1] == []
    mixed = [AURORA[i] if i % 4 == 0 else line for i, line in enumerate(hypotheses)]
    _, [warning] = score(mixed, references)
    assert re.search(r"\d\d% of the lines: English, while references is in another language", warning)
    assert "wrong-language-lines" in diagnose(tmp_path, mixed, references)
