"""Language: outputs in the wrong language or script, and copies of the source."""

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.metrics.checks._base import Check, CheckOutcome, split_words
from tertium.metrics.options import option
from tertium.text.detection import find_foreign_lines, find_other_scripts
from tertium.text.languages import find_language, format_language

_MIN_SCRIPT_LETTERS = 15  # fewer letters of another script are names
_MIN_COPIED_WORDS = 5  # fewer words may be a title, a quotation or a code
_COPIED = 0.8  # share of the words of an output that are in the source, of a copy


@dataclass(frozen=True)
class Language(Check):
    """100 · the share of segments in the target language that are not copies of the source.

    The language is that of `--language`, or the option `language`; without one, only copies are found. A segment is a fault

    - if it has at least 15 letters and fewer than half of them are of the language's script (fewer than a tenth if the
      script is not Latin, because names are often written in Latin letters), if it is Chinese with kana, or if it is
      Japanese of 30 characters without kana;
    - if it has at least 30 letters and is clearly in another language of the same script, by its letter trigrams;
    - if it has at least 5 words that do not begin with a capital letter, and four fifths of them are words of the source.

    Short segments are never faults, because names, titles and codes are the same in many languages. `tertium doctor` looks
    for the same in whole files.

    >>> Language(language="de").sentence_score("It sat on the old mat.", source="It sat on the old mat.").score
    0.0
    """

    language: str = option("none", "language of the output", key="lang")

    def check(self, hypothesis: str, source: str) -> CheckOutcome:
        return self.check_all([hypothesis], [source])[0]

    def check_all(self, hypotheses: Sequence[str], sources: Sequence[str]) -> list[CheckOutcome]:
        pairs = enumerate(zip(hypotheses, sources, strict=True))
        faults = {i: "copy of the source" for i, (text, source) in pairs if is_copy(text, source)}
        row = find_language(self.language)
        if row is not None:
            others = find_foreign_lines(hypotheses, row.code)
            faults |= {i: f"{format_language(code)}, not {row.name}" for i, code in others.items()}
            scripts = find_other_scripts(hypotheses, row.scripts, min_letters=_MIN_SCRIPT_LETTERS)
            faults |= {i: f"{script} script, not {row.name}" for i, script in scripts.items()}
        return [CheckOutcome(1, (faults[i],) if i in faults else ()) for i in range(len(hypotheses))]

    def missing(self) -> str | None:
        if find_language(self.language) is not None:
            return None
        return "only copies of the source are found, because the language of the output is not known"


def is_copy(text: str, source: str) -> bool:
    """Whether most words of a text are words of the source; words with capital letters and numbers do not count.

    >>> is_copy("He saw the old man in the park.", "He saw the old man in the park, too.")
    True
    >>> is_copy("Bayern München – Borussia Dortmund 3:1", "Bayern München – Borussia Dortmund 3:1")
    False
    """
    words = [word for word in split_words(text) if word[0].islower()]
    if len(words) < _MIN_COPIED_WORDS:
        return False
    known = set(split_words(source))
    return sum(word in known for word in words) >= _COPIED * len(words)
