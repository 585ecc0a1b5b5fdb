"""Comparisons of how two texts are written: scripts, languages, case, tokens, normal forms, quotation marks, characters."""

import unicodedata
from collections.abc import Callable, Mapping

import numpy as np

from tertium.diagnosis.finding import Finding, ProblemKind, Severity, TextPair
from tertium.diagnosis.surfaces import OTHER_PLANES, Surface, find_edges, mark_characters
from tertium.text.languages import format_language

SurfaceCheck = Callable[[TextPair, Surface, Surface], list[Finding]]


# Shorter texts differ by chance.
MIN_LINES, MIN_WORDS = 8, 100


WRONG_SCRIPT = ProblemKind("wrong-script", "error", "The hypothesis is in another script than the reference.")


def _check_scripts(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if None in (hypothesis.script, reference.script) or hypothesis.script == reference.script:
        return []
    problem = f"the text is written in {hypothesis.script}, but {pair.reference_file} in {reference.script}"
    remedy = "check whether this is the right file, translated, and in the right language"
    return [report_whole(WRONG_SCRIPT, pair, problem, remedy)]


WRONG_LANGUAGE = ProblemKind(
    "wrong-language", "error", "The hypothesis is in another language than the reference."
)


def _check_languages(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    here, there = hypothesis.language, reference.language
    if here is None or there is None or here == there or hypothesis.script != reference.script:
        return []
    problem = f"the text looks {format_language(here)}, but {pair.reference_file} {format_language(there)}"
    remedy = "check whether this is the right file, translated into the right language"
    return [report_whole(WRONG_LANGUAGE, pair, problem, remedy)]


_TOKEN_MISMATCH = ProblemKind("token-mismatch", "warning", "Only one of the two texts is tokenised.")


def _check_tokens(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if {hypothesis.is_tokenised, reference.is_tokenised} != {True, False}:
        return []
    problem = _contrast(pair, "tokenised", hypothesis_has_it=bool(hypothesis.is_tokenised))
    return [report_whole(_TOKEN_MISMATCH, pair, problem, "detokenise the tokenised text; compare raw texts")]


_CASE_MISMATCH = ProblemKind(
    "case-mismatch",
    "warning",
    "One text is in lower case, in capitals or written as titles are, the other is not.",
)


def _check_case(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if hypothesis.script != reference.script:
        return []
    here, there = hypothesis.case, reference.case
    if here != there:
        problem = _contrast(pair, here or there or "", hypothesis_has_it=here is not None)
    elif _is_title(hypothesis, reference) or _is_title(reference, hypothesis):
        trait = "written as titles are, with a capital letter in each word"
        problem = _contrast(pair, trait, hypothesis_has_it=_is_title(hypothesis, reference))
    else:
        return []
    return [report_whole(_CASE_MISMATCH, pair, problem, "restore the case, or score with lowercase")]


# In titles nearly all words but articles and prepositions begin with a capital letter; in German sentences a third do.
TITLE_CAPITALS, SENTENCE_CAPITALS = 0.65, 0.45


def _is_title(here: Surface, there: Surface) -> bool:
    rates = here.capital_rate, there.capital_rate
    return None not in rates and rates[0] > TITLE_CAPITALS and rates[1] < SENTENCE_CAPITALS  # type: ignore[operator]


_NORMAL_FORM_MISMATCH = ProblemKind(
    "normal-form-mismatch", "warning", "One text is composed (NFC), the other decomposed (NFD)."
)
# The difference of the shares of decomposed lines from which on it is reported.
NORMAL_FORM_GAP = 0.2
# A text with fewer lines with accents does not lose a tenth of a point of BLEU by their normal form.
MIN_MARKED = 0.02


def _check_normal_forms(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    here, there = hypothesis.decomposed_rate, reference.decomposed_rate
    if here is None or there is None or abs(here - there) <= NORMAL_FORM_GAP:
        return []
    is_part = max(here, there) < 0.9
    trait = "partly decomposed (NFD)" if is_part else "decomposed (NFD)"
    problem = _contrast(pair, trait, hypothesis_has_it=here > there)
    remedy = "score with normalize=nfc, or bring every file into NFC, for example with `uconv -x nfc`"
    marked = min(hypothesis.marked_rate, reference.marked_rate)
    severity: Severity | None = None if marked > MIN_MARKED else "note"
    return [report_whole(_NORMAL_FORM_MISMATCH, pair, problem, remedy, severity=severity)]


_LETTER_VARIANTS = ProblemKind(
    "letter-variants",
    "warning",
    "Letters of one text are full-width, ligatures or other variants of usual letters.",
)
# The share of words that contain variants, above that of the other text; on WMT at most 0.0009.
MAX_VARIANTS = 0.01


def _check_variants(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    variants = sorted(hypothesis.variants | reference.variants)
    if not variants:
        return []
    are_meant = mark_characters(variants)
    here, there = (surface.share_of_words(are_meant) for surface in (hypothesis, reference))
    if abs(here - there) <= MAX_VARIANTS:
        return []
    known = (hypothesis if here > there else reference).variants
    trait = f"written with variants of letters such as {min(known)!r}"
    problem = _contrast(pair, trait, hypothesis_has_it=here > there)
    remedy = "score with normalize=nfkc, or bring every file into NFKC, for example with `uconv -x nfkc`"
    return [report_whole(_LETTER_VARIANTS, pair, problem, remedy)]


_QUOTE_MISMATCH = ProblemKind(
    "quote-mismatch", "warning", "Quotation marks are straight in one text and curly in the other."
)
_APOSTROPHE_MISMATCH = ProblemKind(
    "apostrophe-mismatch", "warning", "Apostrophes are straight in one text and curly in the other."
)


def _check_quotes(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    findings = []
    for kind, name, here, there in (
        (_QUOTE_MISMATCH, "quotation marks", hypothesis.quotation_marks, reference.quotation_marks),
        (_APOSTROPHE_MISMATCH, "apostrophes", hypothesis.apostrophes, reference.apostrophes),
    ):
        if here and there and here != there:
            problem = f"{name} are {here} here but {there} in {pair.reference_file}"
            findings.append(report_whole(kind, pair, problem, "use the same style in both files"))
    return findings


_REPEATED_EDGES = ProblemKind(
    "repeated-edges", "warning", "Many lines begin or end alike, unlike those of the other text."
)
# The difference of the shares of lines, for thousands of lines; short texts need more. On WMT it is at most 0.22, except for
# three outputs without full stops.
EDGE_GAP = 0.25
_SIDES = ("begin", "begin", "end", "end")


def _check_edges(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    """Find additions of a tool or a language model around the lines: numbers, quotation marks, tags, "Here is …"."""
    if found := _find_edges(hypothesis, reference):
        problem = f"{_describe_edges(found, 'the lines')}, unlike those of {pair.reference_file}"
        remedy = "remove what a tool or a language model put around the lines"
        if found.get(0, ("", 0.0))[0].startswith("0"):
            remedy = (
                "remove the numbers of the lines, for example with `sed -E 's/^[0-9]+[.):]?[[:space:]]*//'`"
            )
        return [_REPEATED_EDGES.at(_find_rows(pair, found), pair.hypothesis_file, problem, remedy)]
    if found := _find_edges(reference, hypothesis):
        problem = f"{_describe_edges(found, f'the lines of {pair.reference_file}')}, unlike those here"
        remedy = "check whether a tool removed something from this text, or added it to the other"
        return [report_whole(_REPEATED_EDGES, pair, problem, remedy)]
    return []


def _find_edges(here: Surface, there: Surface) -> dict[int, tuple[str, float]]:
    """Find edges that are frequent here but not there: by side, the edge and the share of lines that have it."""
    found = {}
    for side, (ours, theirs) in enumerate(zip(here.edges, there.edges, strict=True)):
        if min(ours.total(), theirs.total()) < MIN_LINES:
            return {}
        limit = EDGE_GAP + ours.total() ** -0.5
        for key, n in ours.most_common(2):
            if key and n / ours.total() - theirs[key] / theirs.total() > limit:
                found[side] = key, n / ours.total()
    return found


def _describe_edges(found: Mapping[int, tuple[str, float]], lines: str) -> str:
    """Describe edges; numbers, which are all counted as 0, are shown as 1."""
    shares = [f"{rate:.0%}" for _, rate in found.values()]
    shares[0] += f" of {lines}"
    edges = (f"{_SIDES[side]} with {key.replace('0', '1')!r}" for side, (key, _) in found.items())
    return " and ".join(map(" ".join, zip(shares, edges, strict=True)))


def _find_rows(pair: TextPair, found: Mapping[int, tuple[str, float]]) -> list[int]:
    edges = {side: key for side, (key, _) in found.items()}
    return [
        row
        for row, line in enumerate(pair.hypotheses)
        if any(find_edges(line)[side] == key for side, key in edges.items())
    ]


WORD_LENGTH = ProblemKind(
    "word-length", "warning", "Words are much shorter or longer than in the other text."
)
# On WMT words have 0.8 to 1.08 times the length of those of their references; tokenised outputs have the shortest.
WORD_LENGTHS = (0.78, 1.25)


def _check_word_length(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    both = (hypothesis, reference)
    if hypothesis.script != reference.script or not all(
        surface.has_spaces and surface.n_words >= MIN_WORDS for surface in both
    ):
        return []
    here, there = (surface.word_length for surface in both)
    low, high = WORD_LENGTHS
    if low <= here / there <= high:
        return []
    problem = f"words have {here:.1f} characters on average, but {there:.1f} in {pair.reference_file}"
    if here < there:
        remedy = "check whether words were split into pieces or characters, and join them"
    else:
        remedy = "check whether spaces were lost or replaced, and put them back"
    return [report_whole(WORD_LENGTH, pair, problem, remedy)]


OTHER_CHARACTERS = ProblemKind(
    "other-characters", "warning", "Many words have characters that the other text hardly has."
)
# The share of words with such characters; in scripts without spaces, that of signs among all characters. On WMT they are at
# most 0.043 and 0.010, except for two outputs with untranslated Hindi.
MAX_OTHER_WORDS, MAX_OTHER_SIGNS = 0.08, 0.03
# A character is typical of a text from this share of its characters on, if the other text has a tenth of that or less.
MIN_CHARACTER, RARER = 0.001, 10
# Reported by other checks.
_EXPLAINED = frozenset("\"'“”„‘’‚‛«»‹›「」『』`´@▁￭\u00ad\u200b\u200c\u200d\u2060\ufeff")


def _check_characters(pair: TextPair, hypothesis: Surface, reference: Surface) -> list[Finding]:
    if hypothesis.script != reference.script or hypothesis.case != reference.case:
        return []
    file = pair.reference_file
    for here, there, owner, other in (
        (hypothesis, reference, "", file),
        (reference, hypothesis, f" of {file}", "this text"),
    ):
        typical = _find_typical(here, there) if here.n_words >= MIN_WORDS else []
        share = here.share_of_words(mark_characters(typical))
        if share > (MAX_OTHER_WORDS if here.has_spaces else MAX_OTHER_SIGNS):
            unit, shown = "words" if here.has_spaces else "characters", ", ".join(map(repr, typical[:3]))
            problem = f"{share:.0%} of the {unit}{owner} have {shown}, which {other} hardly has"
            remedy = "check whether a tool replaced, removed or added characters"
            return [report_whole(OTHER_CHARACTERS, pair, problem, remedy)]
    return []


def _find_typical(here: Surface, there: Surface) -> list[str]:
    """Return the characters that are frequent in one text and rare in the other, the most frequent first."""
    ours, theirs = here.character_rates, there.character_rates
    codes = np.flatnonzero((ours >= MIN_CHARACTER) & (ours > RARER * theirs))
    codes = codes[np.argsort(-ours[codes], kind="stable")]
    found = [chr(code) for code in codes.tolist() if code < OTHER_PLANES]
    known = _EXPLAINED | here.variants
    return [
        character
        for character in found
        if character not in known
        and unicodedata.category(character) not in ("Mn", "Zs", "Cc")
        and (here.has_spaces or not character.isalnum())
        and not (there.decomposed_rate and unicodedata.decomposition(character))
    ]


def _contrast(pair: TextPair, trait: str, *, hypothesis_has_it: bool) -> str:
    if hypothesis_has_it:
        return f"the text is {trait}, but {pair.reference_file} is not"
    return f"{pair.reference_file} is {trait}, but this text is not"


def report_whole(
    kind: ProblemKind, pair: TextPair, problem: str, remedy: str, *, severity: Severity | None = None
) -> Finding:
    """Report a problem of all lines of the hypothesis."""
    return kind.at(range(len(pair.hypotheses)), pair.hypothesis_file, problem, remedy, severity=severity)


QUICK_SURFACE_CHECKS: tuple[SurfaceCheck, ...] = (
    _check_scripts,
    _check_languages,
    _check_tokens,
    _check_case,
    _check_normal_forms,
    _check_variants,
    _check_edges,
    _check_word_length,
    _check_characters,
)
"""The comparisons of two texts' writing that also run with every score."""
SURFACE_CHECKS: tuple[SurfaceCheck, ...] = (_check_quotes,)
"""Further comparisons of how two texts are written."""
