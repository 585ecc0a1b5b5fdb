"""Tokenizers of the user: a program (`command:PROGRAM`) or a SentencePiece model (`sentencepiece:FILE`)."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tertium.errors import MissingExtraError, OptionError, ResourceError
from tertium.files.extras import install_hint
from tertium.files.paths import show_path
from tertium.interfaces import ProgramSettings

if TYPE_CHECKING:
    from tertium.files.programs import LineProgram

COMMAND, SENTENCEPIECE = "command:", "sentencepiece:"


def is_user_tokenizer(name: str) -> bool:
    """Whether the name is that of a program or a model of the user."""
    return name.startswith((COMMAND, SENTENCEPIECE))


def check_user_tokenizer(name: str) -> None:
    """Raise if the program or the model of a tokenizer is missing."""
    if name.startswith(COMMAND):
        _load_program(name)
    elif name.startswith(SENTENCEPIECE):
        _load_pieces(name.removeprefix(SENTENCEPIECE))


def tokenize_by_user(name: str, texts: Sequence[str]) -> list[str]:
    """Tokenise texts with a program or a model of the user; tokens are separated by spaces.

    A program reads a text per line and prints its tokens, separated by spaces, as a line. Line feeds in a text become
    spaces.
    """
    lines = [" ".join(text.splitlines()) for text in texts]
    if name.startswith(COMMAND):
        program = _load_program(name)
        return program.answer(lines, _accept, ProgramSettings(batch=100_000))
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
    """Accept any tokens, but not a text without tokens that has some characters."""
    if line.strip() and not answer.strip():
        raise ValueError("there are no tokens in it")


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
