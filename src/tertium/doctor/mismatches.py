"""Two texts written in two ways: script, language, tokens, case, normal form, quotation marks."""

from collections.abc import Callable, Sequence

from tertium.doctor.finding import Finding, Severity
from tertium.doctor.pair import Pair
from tertium.doctor.surface import Surface, describe_surface
from tertium.text.languages import spell_language

__all__ = ["ALL_CHECKS", "SERIOUS_CHECKS", "SurfaceCheck", "compare_surfaces"]

SurfaceCheck = Callable[[Pair, Surface, Surface], list[Finding]]


def compare_surfaces(
    pair: Pair, *, checks: Sequence[SurfaceCheck] | None = None, sample: int = 2000
) -> list[Finding]:
    """Compare how two texts are written, by lines taken from all over them."""
    here = describe_surface(pair.hypotheses, sample=sample)
    there = describe_surface(pair.references, sample=sample)
    return [finding for check in (checks or ALL_CHECKS) for finding in check(pair, here, there)]


def _check_scripts(pair: Pair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if None in (hypothesis.script, reference.script) or hypothesis.script == reference.script:
        return []
    problem = f"the text is written in {hypothesis.script}, but {pair.reference_file} in {reference.script}"
    remedy = "look whether this is the right file, the right language, and translated at all"
    return [_mismatch(pair, "wrong-script", problem, remedy, severity="error")]


def _check_languages(pair: Pair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    here, there = hypothesis.language, reference.language
    if here is None or there is None or here == there or hypothesis.script != reference.script:
        return []
    problem = f"the text looks {spell_language(here)}, but {pair.reference_file} {spell_language(there)}"
    remedy = "look whether this is the right file, and translated into the right language"
    return [_mismatch(pair, "wrong-language", problem, remedy, severity="error")]


def _check_tokens(pair: Pair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if {hypothesis.is_tokenised, reference.is_tokenised} != {True, False}:
        return []
    problem = _contrast(pair, "tokenised", hypothesis_has_it=bool(hypothesis.is_tokenised))
    remedy = "detokenise the tokenised one; compare raw with raw text"
    return [_mismatch(pair, "token-mismatch", problem, remedy)]


def _check_case(pair: Pair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if hypothesis.is_lowercased == reference.is_lowercased or hypothesis.script != reference.script:
        return []
    problem = _contrast(pair, "lower-cased", hypothesis_has_it=hypothesis.is_lowercased)
    return [_mismatch(pair, "case-mismatch", problem, "restore the case, or score with lowercase")]


def _check_normal_forms(pair: Pair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if {hypothesis.normal_form, reference.normal_form} != {"NFC", "NFD"}:
        return []
    problem = _contrast(pair, "decomposed (NFD)", hypothesis_has_it=hypothesis.normal_form == "NFD")
    remedy = "normalise every file to NFC, for example with `uconv -x nfc`"
    return [_mismatch(pair, "normal-form-mismatch", problem, remedy)]


def _check_marks(pair: Pair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    findings = []
    for code, kind, here, there in (
        ("quote-mismatch", "quotation marks", hypothesis.quotation_marks, reference.quotation_marks),
        ("apostrophe-mismatch", "apostrophes", hypothesis.apostrophes, reference.apostrophes),
    ):
        if here and there and here != there:
            problem = f"{kind} are {here} here but {there} in {pair.reference_file}"
            remedy = "make them alike in both files"
            findings.append(_mismatch(pair, code, problem, remedy))
    return findings


def _contrast(pair: Pair, trait: str, *, hypothesis_has_it: bool) -> str:
    if hypothesis_has_it:
        return f"the text is {trait}, but {pair.reference_file} is not"
    return f"{pair.reference_file} is {trait}, but this text is not"


def _mismatch(pair: Pair, code: str, problem: str, remedy: str, *, severity: Severity = "warning") -> Finding:
    return Finding.at(
        range(len(pair.hypotheses)),
        severity=severity,
        file=pair.hypothesis_file,
        problem=problem,
        remedy=remedy,
        code=code,
    )


SERIOUS_CHECKS: tuple[SurfaceCheck, ...] = (_check_scripts, _check_languages, _check_tokens, _check_case)
ALL_CHECKS: tuple[SurfaceCheck, ...] = (*SERIOUS_CHECKS, _check_normal_forms, _check_marks)
