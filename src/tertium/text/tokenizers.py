"""Tokenisers by name: six in the core, the others through sacreBLEU's own classes."""

import difflib
from collections.abc import Callable, Sequence

from tertium.errors import MissingExtraError, UnknownNameError
from tertium.kernels.strings import CORE_TOKENIZERS

__all__ = ["LANGUAGE_TOKENIZERS", "TOKENIZERS", "check_tokenizer", "foreign_tokenizer"]

# Names as sacreBLEU 2.6 gives them, and where it keeps the class.
_FOREIGN = {
    "ja-mecab": ("tokenizer_ja_mecab", "TokenizerJaMecab"),
    "ko-mecab": ("tokenizer_ko_mecab", "TokenizerKoMecab"),
    "spm": ("tokenizer_spm", "TokenizerSPM"),
    "flores101": ("tokenizer_spm", "Flores101Tokenizer"),
    "flores200": ("tokenizer_spm", "Flores200Tokenizer"),
    "spBLEU-1K": ("tokenizer_spm", "spBLEU1KTokenizer"),
}

TOKENIZERS: Sequence[str] = (*CORE_TOKENIZERS, *_FOREIGN)

# The tokeniser that sacreBLEU takes for a target language when none is asked for.
LANGUAGE_TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


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
    if name in CORE_TOKENIZERS:
        return None
    module_name, class_name = _FOREIGN[name]
    try:
        from importlib import import_module  # noqa: PLC0415 - only some users need it

        module = import_module(f"sacrebleu.tokenizers.{module_name}")
        tokenizer: Callable[[str], str] = getattr(module, class_name)()
    except (ImportError, RuntimeError) as error:
        raise MissingExtraError(
            f"tokenizer {name} needs sacreBLEU and its packages: pip install 'tertium[sacrebleu]' "
            f"'sacrebleu[{name[:2]}]' ({_first_line(error)})"
        ) from error
    return tokenizer


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
