"""Arguments of sacreBLEU's command line, translated to those of `tertium score`."""

import os
import stat
import sys
from collections.abc import Sequence
from typing import NamedTuple

import click

from tertium.errors import InputError
from tertium.files.paths import exists, parse_address


class Translation(NamedTuple):
    """Arguments of `tertium score`, and notes on those that were written otherwise."""

    arguments: list[str]
    notes: list[str]


# sacreBLEU's flag, and ours; the value that may follow stays.
_FLAGS = {
    "--input": ("--hyp",),
    "-tok": ("--tokenizer",),
    "--tok": ("--tokenizer",),
    "--tokenize": ("--tokenizer",),
    "-lc": ("--lowercase",),
    "--language-pair": ("--language",),
    "--confidence": ("--ci",),
    "--confidence-n": ("--samples",),
    "--paired-bs": ("--paired", "bootstrap"),
    "--paired-bs-n": ("--samples",),
    "--paired-ar": ("--paired", "randomization"),
    "--paired-ar-n": ("--samples",),
    "-b": ("--score-only",),
    "-sl": ("--segments",),
    "--sentence-level": ("--segments",),
    "--force": (),
}
_RESAMPLING = ("--confidence", "--paired-bs", "--paired-ar")
"""Flags of intervals and tests, for which sacreBLEU resamples segments."""

# sacreBLEU's flags that it ignores beside one of these.
_NEEDLESS = {"--confidence": ("-b",), "-b": ("--paired-bs", "--paired-ar")}

_REMARKS = {"--paired-bs": "; for sacreBLEU's own p-values, --paired sacrebleu-bootstrap"}

# sacreBLEU's flags of single metrics, and the option of ours.
_METRIC_OPTIONS = {
    "--smooth-method": "bleu:smooth_method=",
    "--smooth-value": "bleu:smooth_value=",
    "-sv": "bleu:smooth_value=",
    "--chrf-char-order": "chrf:char_order=",
    "--chrf-word-order": "chrf:word_order=",
    "--chrf-beta": "chrf:beta=",
    "--chrf-whitespace": "chrf:whitespace=yes",
    "--chrf-lowercase": "chrf:lowercase=yes",
    "--ter-case-sensitive": "ter:case_sensitive=yes",
    "--ter-asian-support": "ter:asian_support=yes",
    "--ter-no-punct": "ter:no_punct=yes",
    "--ter-normalized": "ter:normalized=yes",
}
_OTHERS = {
    "--cite": "'tertium cite bleu' prints the reference of a metric",
    "--list": "'tertium data' lists the test sets on this machine",
    "--echo": "test sets are folders on this machine: 'tertium data' lists them",
    "--download": "Tertium does not download: 'tertium data' lists the test sets on this machine",
    "-w": "scores are printed with two digits; --score-only and -f json have all of them",
    "--width": "scores are printed with two digits; --score-only and -f json have all of them",
}


def translate_arguments(arguments: Sequence[str]) -> Translation:
    """Translate sacreBLEU's arguments; arguments of `tertium score` stay as they are.

    Raises
    ------
    click.UsageError
        If sacreBLEU's option has no counterpart of the same form; the message says what to write.

    >>> translate_arguments(["ref.txt", "-i", "out.txt", "--tok", "intl"])
    Translation(arguments=['ref.txt', '-i', 'out.txt', '--tokenizer', 'intl'], notes=['--tok is --tokenizer here'])
    """
    translated, notes = [], []
    for argument in arguments:
        flag, equals, value = argument.partition("=")
        _check_flag(flag)
        if flag not in _FLAGS or (equals and not _FLAGS[flag]):
            translated.append(argument)
            continue
        ours = _FLAGS[flag] if set(arguments).isdisjoint(_NEEDLESS.get(flag, ())) else ()
        translated += [*ours[:-1], f"{ours[-1]}={value}"] if equals else ours
        notes.append(
            f"{flag} is {' '.join(ours)} here{_REMARKS.get(flag, '')}" if ours else f"{flag} is not needed"
        )
    if (
        any(argument.partition("=")[0] in _RESAMPLING for argument in arguments)
        and "--resample" not in arguments
    ):
        translated += ["--resample", "segment"]
        notes.append("--resample segment is added, because sacreBLEU resamples segments")
    return Translation(translated, notes)


def find_piped_system(place: str) -> tuple[str, ...]:
    """Name standard input as the output of a system, as in `sacrebleu ref.txt < system.txt`, if something is piped into it.

    Parameters
    ----------
    place
        The first argument, a reference, or a folder of test sets that does not exist.

    Raises
    ------
    InputError
        If nothing is piped and there is no file of this name.
    """
    if _has_piped_input():
        return ("-",)
    if not exists(parse_address(place).path):
        raise InputError(f"no such file or folder: {place!r}; check the path")
    return ()


def _check_flag(flag: str) -> None:
    if written := _METRIC_OPTIONS.get(flag):
        value = "VALUE" if written.endswith("=") else ""
        raise click.UsageError(f"{flag} is an option of a metric: write -m {written}{value}")
    if flag in _OTHERS:
        raise click.UsageError(f"{flag} is sacreBLEU's: {_OTHERS[flag]}")


def _has_piped_input() -> bool:
    """Whether standard input is a pipe or a file, not a terminal or nothing."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)
