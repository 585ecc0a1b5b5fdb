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

    References before the first option, as in `sacrebleu ref.txt -i system.txt`, get their flag. If no system is named
    then, its output is read from standard input.

    Raises
    ------
    click.UsageError
        If sacreBLEU's option has no counterpart of the same form; the message says what to write.
    InputError
        If no system is named and the first reference, which may be meant as a folder of test sets, does not exist.

    >>> translate_arguments(["ref.txt", "-i", "out.txt", "--tok", "intl"])
    Translation(arguments=['-r', 'ref.txt', '-i', 'out.txt', '--tokenizer', 'intl'], notes=['--tok is --tokenizer here'])
    """
    translated, notes = [], []
    for argument in arguments:
        flag, equals, value = argument.partition("=")
        _check_flag(flag)
        if flag not in _FLAGS or (equals and not _FLAGS[flag]):
            translated.append(argument)
            continue
        ours = _FLAGS[flag]
        translated += [*ours[:-1], f"{ours[-1]}={value}"] if equals else ours
        notes.append(
            f"{flag} is {' '.join(ours)} here{_REMARKS.get(flag, '')}" if ours else f"{flag} is not needed"
        )
    if any(each.partition("=")[0] in _RESAMPLING for each in arguments) and "--resample" not in arguments:
        translated += ["--resample", "segment"]
        notes.append("--resample segment is added, because sacreBLEU resamples segments")
    if not translated or translated[0].startswith("-"):
        return Translation(translated, notes)
    is_named = any(each in ("-i", "--hyp") or each.startswith("--hyp=") for each in translated)
    system = ["-i", "-"] if not is_named and _has_piped_input() else []
    if not is_named and not system and not exists(parse_address(translated[0]).path):
        raise InputError(f"no such file or folder: {translated[0]!r}; check the path")
    return Translation(["-r", *translated, *system], notes)


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
