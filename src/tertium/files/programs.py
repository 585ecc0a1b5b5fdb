"""Programs of the user that answer lines of text: run in batches and processes, retried, and cached by content."""

import json
import os
import queue
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import field
from hashlib import sha256
from pathlib import Path
from typing import IO, Self

from tertium.errors import OptionError, ResourceError
from tertium.files.cache import DiskCache, content_key, open_cache
from tertium.files.paths import is_file, show_path
from tertium.interfaces import ProgramSettings
from tertium.progress import report_progress
from tertium.records import record

Check = Callable[[str, str], None]
"""Raises a ValueError if the answer to a line is not valid; its message says what is wrong."""

_POLL = 0.1  # seconds between looks at a stop request
_SAVED_EVERY = 1.0  # seconds between two writes of answers to the cache
_KNOWN = b"="  # begins the entry of an answer in the cache; the entry of a forgotten answer is empty
_SHOWN = 60  # characters of a line or an answer in a message


def load_program(command: str) -> "LineProgram":
    """Find the program of a command line, which is run without a shell.

    Raises
    ------
    OptionError
        If the command is empty or cannot be split into words.
    ResourceError
        If there is no such program, or it cannot be executed.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise OptionError(f"the command {command!r} cannot be split into words: {error}") from None
    if not words:
        raise OptionError("the command is empty: write command:PROGRAM")
    if shutil.which(words[0]) is None:
        reason = "is not executable: run 'chmod +x' on it" if is_file(words[0]) else "does not exist"
        raise ResourceError(f"the program {show_path(words[0])} {reason}")
    return LineProgram(tuple(words), _identify(words))


def make_absolute(command: str, folder: str) -> str:
    """Return the command for a process in another folder: words that name files become absolute paths."""
    words = shlex.split(command)
    return shlex.join(str(Path(folder, word)) if is_file(str(Path(folder, word))) else word for word in words)


def _identify(words: Sequence[str]) -> str:
    """Name a command and the content of the files in it; programs on the search path count by their name."""
    digest = sha256()
    files = [word for word in words if is_file(word)]
    for word in words:
        data = Path(word).read_bytes() if word in files else b""
        name = Path(word).name if word in files else word
        for part in (name.encode("utf-8", "surrogateescape"), data):
            digest.update(len(part).to_bytes(8, "little") + part)
    return f"{Path((files or words)[0]).name}[{digest.hexdigest()[:8]}]"


@record(eq=False)
class LineProgram:
    """A program that reads lines from standard input and prints one line for each of them.

    The answers are kept in the cache by program and line, so that a killed run continues where it stopped.
    """

    words: tuple[str, ...]
    identity: str

    def answer(self, lines: Sequence[str], check: Check, settings: ProgramSettings) -> list[str]:
        """Return the program's answer to each line.

        Raises
        ------
        ResourceError
            If the program fails on a line as often as the settings allow; the message quotes the line.
        """
        cache = open_cache(f"program-{self.identity}")
        keys = {line: content_key(line) for line in lines}
        known = {} if cache is None else cache.get_many(list(keys.values()))
        answers = {line: known[key][1:].decode() for line, key in keys.items() if known.get(key)}
        missing = [line for line in keys if line not in answers]
        if missing:
            store = _Store(cache, keys)
            _Work(self, missing, check, settings, store).run()
            answers |= store.answers
        return [answers[line] for line in lines]


@record(eq=False)
class _Store:
    """Answers as they come, written to the cache at most once a second."""

    cache: DiskCache | None
    keys: Mapping[str, bytes]
    answers: dict[str, str] = field(default_factory=dict)
    _unsaved: dict[bytes, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _saved: list[float] = field(default_factory=lambda: [0.0])

    def add(self, line: str, answer: str) -> None:
        with self._lock:
            self.answers[line] = answer
            self._unsaved[self.keys[line]] = _KNOWN + answer.encode()
            if time.monotonic() - self._saved[0] > _SAVED_EVERY:
                self._save()

    def forget(self, lines: Sequence[str]) -> None:
        """Remove answers that turned out to be wrong."""
        with self._lock:
            for line in lines:
                self.answers.pop(line, None)
                self._unsaved[self.keys[line]] = b""

    def save(self) -> None:
        with self._lock:
            self._save()

    def _save(self) -> None:
        if self.cache is not None and self._unsaved:
            self.cache.put_many(self._unsaved)
        self._unsaved.clear()
        self._saved[0] = time.monotonic()


class _Work:
    """The lines that have no answer yet, in batches, several processes at a time."""

    def __init__(
        self,
        program: LineProgram,
        lines: Sequence[str],
        check: Check,
        settings: ProgramSettings,
        store: _Store,
    ) -> None:
        self._program, self._lines, self._check = program, lines, check
        self._settings, self._store = settings, store
        self._stop = threading.Event()

    def run(self) -> None:
        """Answer all lines; on the first error or Ctrl-C, stop all processes and keep the answers so far."""
        size = self._settings.batch
        batches = [self._lines[start : start + size] for start in range(0, len(self._lines), size)]
        with ThreadPoolExecutor(self._settings.processes) as pool:
            try:
                self._watch([pool.submit(self._answer_batch, batch) for batch in batches])
            finally:
                self._stop.set()
                pool.shutdown(cancel_futures=True)
                self._store.save()

    def _watch(self, futures: "Sequence[Future[None]]") -> None:
        waiting = set(futures)
        while waiting:
            done, waiting = wait(waiting, timeout=_POLL, return_when=FIRST_EXCEPTION)
            report_progress(self._program.identity, len(self._store.answers), len(self._lines))
            for each in done:
                each.result()

    def _answer_batch(self, batch: Sequence[str]) -> None:
        """Start the program again for the lines without an answer, until it fails too often on the same line."""
        left, n_failures = list(batch), 0
        while left and not self._stop.is_set():
            with _Conversation(self._program.words, left, self._settings.timeout, self._stop) as talk:
                problem = self._listen(talk)
                problem = problem or talk.find_problem()
            remaining = [line for line in left if line not in self._store.answers]
            n_failures = n_failures + 1 if len(remaining) == len(left) else 0
            left = remaining
            if left and problem is not None and n_failures > self._settings.retries:
                raise ResourceError(self._describe(left[0], problem))
            if problem is not None and not left:  # more answers than lines: none of them can be trusted
                self._store.forget(batch)
                raise ResourceError(f"{self._program.identity}: {problem}")

    def _listen(self, talk: "_Conversation") -> str | None:
        """Keep the answers of a process; return a problem if one of them is not valid."""
        for line, answer in talk:
            if line is None:
                return f"it printed {_shorten(answer)}, which answers no line"
            try:
                self._check(line, answer)
            except ValueError as error:
                return f"it printed {_shorten(answer)}: {error}"
            self._store.add(line, answer)
        return None

    def _describe(self, line: str, problem: str) -> str:
        n_known = len(self._store.answers)
        kept = (
            f"; the {n_known:,} answers before are kept" if n_known and self._store.cache is not None else ""
        )
        return f"{self._program.identity} failed on {_quote(line)}: {problem}{kept}"


class _Conversation:
    """One process: lines go in, and answers come out in the same order, or in any order if they have an `id`."""

    def __init__(
        self, words: Sequence[str], lines: Sequence[str], timeout: float, stop: threading.Event
    ) -> None:
        self._timeout, self._stop = timeout, stop
        self._lines = dict.fromkeys(lines)
        self._by_id = {_find_id(line): line for line in lines}
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._came: queue.Queue[bytes | None] = queue.Queue()
        self._is_late = False
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user named this program
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        except OSError as error:
            self._errors.close()
            raise ResourceError(
                f"the program {show_path(words[0])} cannot be started: {error.strerror or error};"
                " a script begins with a line such as #!/bin/sh"
            ) from None
        assert self._process.stdin is not None  # noqa: S101 - for mypy
        assert self._process.stdout is not None  # noqa: S101 - for mypy
        self._threads = [
            threading.Thread(target=_write, args=(self._process.stdin, lines), daemon=True),
            threading.Thread(target=_read, args=(self._process.stdout, self._came), daemon=True),
        ]
        for each in self._threads:
            each.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        for each in self._threads:
            each.join()
        self._errors.close()

    def __iter__(self) -> Iterator[tuple[str | None, str]]:
        """Yield each answer with its line, or None if it belongs to no line that waits for an answer."""
        while (data := self._next()) is not None:
            answer = data.decode("utf-8", "replace").strip()
            line = self._by_id.get(_find_id(answer)) if _has_id(answer) else next(iter(self._lines), None)
            if line not in self._lines:
                line = None
            if line is not None:
                del self._lines[line]
            yield line, answer

    def _next(self) -> bytes | None:
        """Wait for the next line of the program; None at the end, after a stop request, or if it takes too long."""
        until = time.monotonic() + self._timeout
        while not self._stop.is_set():
            with suppress(queue.Empty):
                return self._came.get(timeout=_POLL)
            if time.monotonic() > until:
                self._is_late = True
                return None
        return None

    def find_problem(self) -> str | None:
        """Describe why lines have no answer; None if all have one."""
        if not self._lines or self._stop.is_set():
            return None
        if self._is_late:
            return f"it printed nothing for {self._timeout:g} seconds"
        code = self._process.wait()
        said = self._last_error()
        return f"it ended with exit code {code}" + (f" ({said})" if said else " before it answered")

    def _last_error(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1].strip()[:200] if lines else ""


def _write(stream: IO[bytes], lines: Sequence[str]) -> None:
    with suppress(OSError), stream:  # the program may end before it has read everything
        for line in lines:
            stream.write(f"{line}\n".encode("utf-8", "surrogatepass"))
            stream.flush()


def _read(stream: IO[bytes], came: "queue.Queue[bytes | None]") -> None:
    with suppress(OSError), stream:
        for data in stream:
            came.put(data)
    came.put(None)


def _has_id(answer: str) -> bool:
    return answer.startswith("{") and _find_id(answer) is not None


def _find_id(line: str) -> str | None:
    with suppress(ValueError, RecursionError):
        found = json.loads(line)
        if isinstance(found, dict) and "id" in found:
            return str(found["id"])
    return None


def _shorten(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _quote(line: str) -> str:
    """Quote the hypothesis of a line, or the line itself."""
    with suppress(ValueError, RecursionError):
        found = json.loads(line)
        if isinstance(found, dict) and "hypothesis" in found:
            return f"the output {_shorten(str(found['hypothesis']))}"
    return f"the line {_shorten(line)}"
