"""Lines in another language than their reference, and text that its tokenizer cannot cut."""

from collections import Counter
from collections.abc import Collection, Sequence

from tertium.doctor.finding import Finding, Severity
from tertium.doctor.pair import Pair
from tertium.text.detection import detect_language, find_foreign_lines, sample_texts
from tertium.text.languages import LANGUAGES, spell_language
from tertium.text.scripts import count_scripts, name_main_script
from tertium.text.tokenizers import TOKENIZERS, UNSPACED_SCRIPTS

__all__ = ["check_line_languages", "check_spaces", "check_tokenizers"]

# Enough lines to see in which script a text is.
SCRIPT_LINES = 400
# Scripts whose characters TER's own tokenizer sets apart.
_CUT_BY_TER = frozenset({"Han", "Japanese"})


def check_line_languages(pair: Pair) -> list[Finding]:
    """Find lines in another language than the reference; what the reference has, too, is as it should be."""
    code = detect_language(pair.references).code
    found = {} if code is None else find_foreign_lines(pair.hypotheses, code)
    if code is None or not found:
        return []
    rows = list(found)
    wanted = find_foreign_lines([pair.references[row] for row in rows], code)
    others = {row: found[row] for place, row in enumerate(rows) if place not in wanted}
    return [_report_lines(pair, code, others)] if others else []


def _report_lines(pair: Pair, code: str, others: dict[int, str]) -> Finding:
    names = [spell_language(other) for other, _ in Counter(others.values()).most_common(3)]
    return Finding.at(
        list(others),
        severity="warning" if len(others) > max(2, len(pair.hypotheses) / 100) else "note",
        file=pair.hypothesis_file,
        problem=f"{' or '.join(names)}, while {pair.reference_file} is {spell_language(code)}",
        remedy="look whether this was translated, and into the right language",
        code="wrong-language-lines",
    )


def check_spaces(lines: Sequence[str], file: str) -> list[Finding]:
    """Tell which tokenizer a text without spaces between words needs."""
    script = _main_script(lines)
    if script not in UNSPACED_SCRIPTS:
        return []
    problem = f"no spaces between words ({script}): tokenizers such as 13a leave sentences whole"
    return [_report(file, script, problem, "note", "unspaced")]


def check_tokenizers(lines: Sequence[str], tokenizers: Collection[str], file: str) -> list[Finding]:
    """Find tokenizers that cannot cut the text's script, so that a metric over words compares sentences."""
    script = _main_script(lines) if tokenizers else None
    unfit = [name for name in tokenizers if script is not None and not TOKENIZERS[name].fits(script)]
    if script is None or not unfit:
        return []
    problem = (
        f"no spaces between words ({script}), and the tokenizer {', '.join(unfit)} leaves sentences whole"
    )
    return [_report(file, script, problem, "error", "unfit-tokenizer")]


def _main_script(lines: Sequence[str]) -> str | None:
    return name_main_script(count_scripts(sample_texts(lines, SCRIPT_LINES)))


def _report(file: str, script: str, problem: str, severity: Severity, code: str) -> Finding:
    return Finding.at(
        (), severity=severity, file=file, problem=problem, remedy=_tokenizer_for(script), code=code
    )


def _tokenizer_for(script: str) -> str:
    """Name the options that choose a tokenizer which can cut the script."""
    rows = [row for row in LANGUAGES.values() if script in row.scripts]
    by_language = [f"-l {row.code}" for row in rows if TOKENIZERS[row.tokenizer].fits(script)]
    ter = "" if script in _CUT_BY_TER else "; ter cannot cut it, chrf can"
    return f"score it with {', or '.join([*by_language, '--tokenizer char'])}{ter}"
