"""Report old-fashioned or vague wording in docstrings, comments, messages and documentation.

    python tools/check_wording.py             # file:line: word → suggestion; exit code 1 if there is any
    python tools/check_wording.py --count     # the number of findings per folder
    python tools/check_wording.py FILE…       # these files only (pre-commit)

Scanned: strings and comments in src/**/*.py, comments and strings in native/**, the text of docs/*.md, README.md,
CONTRIBUTING.md and CHANGELOG.md. Code blocks and `code` in Markdown and docstrings are skipped. A phrase that has to
stay, such as a quotation, is listed in tools/wording_allowed.txt.
"""

import argparse
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = Path(__file__).with_name("wording_allowed.txt")
SCANNED = (
    "src/**/*.py",
    "native/**/*.hpp",
    "native/**/*.cpp",
    "docs/**/*.md",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "changelog.d/*.md",
)

# Each phrase is a regular expression in which a space stands for any white space; the second text says what to write.
WORDS = (
    # old verbs
    (r"heed(s|ed|ing)?", "check, use, respect"),
    (r"mend(s|ed|ing)?", "fix"),
    (r"(tells?|telling|told) of", "describe, cover, report"),
    (r"(tells?|telling) \w+( \w+)? apart", "distinguish, separate"),
    (r"(cannot|can not) be told apart", "not significantly different"),
    (r"told apart", "distinguished, separated"),
    (r"(is|are|was|were|be|been|being) told(?! apart)", "is passed, is given, receives"),
    (r"spell(s|ed|t)?(?! out)", "format, write"),
    (r"refus(e|es|ed|ing|als?)", "reject, raise"),
    (r"doubt(s|ed|ing|ful)?", "warn, warning, uncertain"),
    (r"puts? right", "correct"),
    (r"(lays?|laid|laying) (on|onto|upon)", "align"),
    (r"(makes?|made|making) ready", "prepare"),
    (r"(writes?|written|writing) down", "write, record, serialise"),
    (r"puts? together|putting together", "combine, join, build"),
    (r"(goes|go|going|went|gone) on", "continue"),
    (r"(is|are|was|were) given up", "is cancelled"),
    (r"(sees?|saw) to (it|that)", "ensure, check"),
    (r"(speaks?|speaking|spoken) (of|for)", "refer to, favour"),
    (r"travels? (to|between|as|with|without)", "be sent, be pickled"),
    (r"brought to", "scaled to, normalised to, converted to"),
    (r"(takes?|taking|took|taken) ((it|them) )?away", "remove"),
    (r"(takes?|taking|took|taken) the place of", "replace"),
    (r"(is|are|was|were) taken for", "is treated as"),
    (r"shows? (itself|themselves)", "display"),
    (r"asked for", "requested"),
    (r"asked of", "computed from, requested from"),
    (r"(what|who) (is|are|was|were) asked", "the request, the question"),
    (r"stands? (beside|below|above|behind|there|in|before|first|where|apart|at)", "is, appears, comes"),
    (r"(should|must|may|to) stand", "be, appear"),
    (r"honou?r(s|ed|ing)?", "support, follow"),
    (r"suits?", "match, fit"),
    (r"l(ie|ies|ay) (in|where|there|beside|at|side)", "is, are"),
    (r"(is|are|was|were) gone through", "is read, is processed"),
    # old adverbs and connectives
    (r"anew|once more", "again"),
    (r"lest", "to avoid, so that … not"),
    (r"unasked", "by default"),
    (r"for want of", "because there is no"),
    (r"how surely", "how certain, with which confidence"),
    (r"be it", "whether it is"),
    (r"but for", "except for"),
    (r"(would|could|might) else", "would otherwise"),
    (r"(?<=[,;]\s)else", "otherwise"),
    (r"(?<=,\s)for (it|they|there|others|nothing|nobody)", "because"),
    (r"for ever", "forever"),
    (
        r"upon|albeit|hitherto|amongst|whilst|thereof|therein|wherein|whereby|hereby|ought|shall",
        "a plain word",
    ),
    # no noun
    (r"whoever|those who|he who", "name the person or program: the user, the caller"),
    (r"nobody|somebody", "name the person or program: no user, a caller; or state the fact"),
    (r"whatever", "any, regardless of; or name the thing"),
    (r"that which|what is to be", "name the thing"),
    (r"(?-i:\A\s*What)(?= )(?![^.]*\?)", "start with a noun or a verb: name the thing"),
    (r"so many", "this number of; give the number"),
    (r"what (was|is|were) given", "the input; name the argument"),
    (r"and the like", "similar options; list them"),
    (r"which cannot(?= ?[.;])", "say what happens"),
    # riddles
    (
        r"(?<!there\s)(is|are) no(?! (longer|more|less|fewer|better|worse|larger|smaller|doubt)\b) \w+",
        "is not a …",
    ),
    (r"(is|are|was|were) not there", "is missing"),
    (r"(can|cannot|to) be had", "available"),
    (r"at hand", "available"),
    (r"as it stands", "unchanged"),
    (r"names? nothing", "is missing, is not found"),
    (r"without end", "infinite, unbounded"),
    (r"(all of it|whole|all of them) or (not at all|none|nothing)", "atomically"),
    (r"written whole", "written atomically"),
    (r"sound(?= (file|value|store|result)s?\b)|(is|are) sound", "valid, undamaged"),
    (r"side by side", "in parallel; next to each other"),
    (r"rising (numbers?|order|ids?)", "ascending"),
    (r"marks? of punctuation", "punctuation mark"),
    (r"weighs? together", "total size"),
    (r"rooms?", "package, layer; space"),
    # field words avoided
    (r"people['’]s", "human"),
    (r"people make of", "human agreement"),
    (r"people (agree|prefer|judge|rank|say|said|think|thought|gave|give)(d|ed|s|red)?", "human judges …"),
    (r"(differences?|promise) (is|are) worth", "human agreement, calibration"),
    (r"hang(s|ing)? the", "attach"),
)
_PATTERNS = tuple(
    (re.compile(rf"(?<!\w)(?:{phrase.replace(' ', chr(92) + 's+')})(?!\w)", re.IGNORECASE), advice)
    for phrase, advice in WORDS
)
_CODE = re.compile(r"``[^`]+``|`[^`\n]+`")
_CXX = re.compile(r'//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|"(?P<text>(?:\\.|[^"\\\n])*)"', re.DOTALL)
_QUOTES = re.compile(r"""\A[A-Za-z]*("{3}|'{3}|["'])|("{3}|'{3}|["'])\Z""")
_FIELD = re.compile(r"\{[^{}\n]*\}")  # the code in an f-string
_STRINGS = {
    tokenize.STRING,
    *(
        getattr(tokenize, name)
        for name in ("FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
        if hasattr(tokenize, name)
    ),
}


@dataclass(frozen=True)
class Finding:
    """A phrase, where it is, and what to write instead."""

    path: str
    line: int
    phrase: str
    advice: str

    def __str__(self) -> str:
        """Format the finding as one line."""
        return f"{self.path}:{self.line}: {self.phrase} → {self.advice}"


Lines = list[tuple[int, str]]
"""Numbered lines of one comment, string or paragraph; phrases may span them."""


def find_wording(path: str, source: str) -> Iterator[Finding]:
    """Find all listed phrases in the prose of a file, chosen by its suffix."""
    split = {".py": _split_python, ".md": _split_markdown}.get(Path(path).suffix, _split_cxx)
    for lines in split(source):
        yield from _find_in(path, lines)


def _find_in(path: str, lines: Lines) -> Iterator[Finding]:
    text = _CODE.sub(lambda code: "`" * len(code[0]), "\n".join(each for _, each in lines))
    matches = [(match, advice) for pattern, advice in _PATTERNS for match in pattern.finditer(text)]
    end = 0
    for match, advice in sorted(matches, key=lambda each: each[0].start()):
        if match.start() >= end:  # not inside a longer phrase
            end = match.end()
            line = lines[text.count("\n", 0, match.start())][0]
            yield Finding(path, line, " ".join(match[0].split()), advice)


def _split_python(source: str) -> Iterator[Lines]:
    """Split into strings and comments; adjacent strings and comment lines are one text."""
    current: Lines = []
    kind = None
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        new = "string" if token.type in _STRINGS else "comment" if token.type == tokenize.COMMENT else None
        if new is None and token.type == tokenize.NL and kind is not None:
            continue
        if new != kind:
            if current:
                yield current
            current, kind = [], new
        if new == "string":
            text = _FIELD.sub("", _QUOTES.sub("", token.string))
            current += list(enumerate(text.split("\n"), token.start[0]))
        elif new == "comment":
            current.append((token.start[0], token.string.lstrip("#")))
    if current:
        yield current


def _split_cxx(source: str) -> Iterator[Lines]:
    """Split into comments and strings; comments of successive lines are one text."""
    current: Lines = []
    for match in _CXX.finditer(source):
        number = source.count("\n", 0, match.start()) + 1
        if match["line"] is not None and current and current[-1][0] == number - 1:
            current.append((number, match["line"]))
            continue
        if current:
            yield current
        text = next(group for group in match.groups() if group is not None)
        current = list(enumerate(text.split("\n"), number))
    if current:
        yield current


def _split_markdown(source: str) -> Iterator[Lines]:
    """Split into paragraphs; leave out fenced and indented code."""
    current: Lines = []
    is_code = False
    for number, line in enumerate(source.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        if is_code or not line.strip() or line.startswith(("```", "    ")):
            if current:
                yield current
            current = []
        else:
            current.append((number, line))
    if current:
        yield current


def read_allowed(path: Path = ALLOWED) -> list[tuple[str, str]]:
    """Read the allow-list: `FILE: TEXT` on each line, where TEXT is part of a source line that may stay."""
    if not path.exists():
        return []
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    pairs = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return [(name, text) for name, _, text in pairs]


def check(paths: Iterable[Path], root: Path, allowed: Sequence[tuple[str, str]]) -> list[Finding]:
    """Find all listed phrases that are not allowed, in the order of the files."""
    findings = []
    for path in paths:
        source = path.read_text(encoding="utf-8")
        lines = source.split("\n")
        name = path.relative_to(root).as_posix()
        texts = [text for file, text in allowed if file == name]
        findings += [
            each
            for each in find_wording(name, source)
            if not any(text in lines[each.line - 1] for text in texts)
        ]
    return findings


def count_by_folder(findings: Iterable[Finding]) -> Counter[str]:
    """Count findings by package of src/tertium, folder of the core, or file of the documentation."""
    return Counter(_folder_of(finding.path) for finding in findings)


def _folder_of(path: str) -> str:
    parts = Path(path).parts
    depth = {"src": 3, "native": 4}.get(parts[0], 2)
    return "/".join(parts[: min(depth, max(len(parts) - 1, 1))]) if parts[0] != "docs" else path


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the findings or their numbers; return the exit code."""
    parser = argparse.ArgumentParser(description="Report old-fashioned or vague wording.")
    parser.add_argument(
        "files", nargs="*", type=Path, help="files to check [default: all that the check covers]"
    )
    parser.add_argument(
        "--count", action="store_true", help="print the number of findings per folder instead"
    )
    options = parser.parse_args(arguments)
    every = sorted(path for pattern in SCANNED for path in ROOT.glob(pattern))
    chosen = [path.resolve() for path in options.files]
    findings = check(chosen or every, ROOT, read_allowed())
    if options.count:
        counts = count_by_folder(findings)
        for folder, number in sorted(counts.items()):
            print(f"{number:6,}  {folder}")
        print(f"{len(findings):6,}  in all")
    else:
        print(*findings, sep="\n", end="\n" if findings else "")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
