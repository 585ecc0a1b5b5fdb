"""Programs of the user that answer lines of text: run in batches and processes, retried, and cached by content.

An answer is kept if it is certain which line it answers: it carries the `id` of the line, or its process ended with exit code 0 and
printed one answer for each line. Answers without an `id` are held until their process has ended.
"""

import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from hashlib import sha256
from pathlib import Path
from typing import IO, NamedTuple, Self

from tertium.consent import check_consent
from tertium.errors import OptionError, ResourceError
from tertium.files.cache import DiskCache, content_key, open_cache
from tertium.files.paths import is_file, show_path
from tertium.interfaces import ProgramSettings
from tertium.progress import report_message, report_progress
from tertium.records import record

Check = Callable[[str, str], None]
"""Raises a ValueError if the answer to a line is not valid; its message says what is wrong."""

_POLL = 0.1  # seconds between looks at a stop request
_SAVED_EVERY = 1.0  # seconds between two writes of answers to the cache
_KNOWN = b"+"  # begins the entry of an answer in the cache; the entry of a forgotten answer is empty
_UNCOUNTED = b"="  # begins the entries of versions that did not count the answers of a process
_WAITING = 100  # answers that are read ahead; after them the program has to wait
_LONGEST = 1 << 24  # bytes of an answer; a longer line counts as several answers
_BLOCK = 1 << 16  # bytes of error messages that are read at a time
_TAIL = 1 << 13  # bytes of error messages that are kept, from the end
_FAREWELL = 5.0  # seconds to wait for the end of a process that was killed, and of the threads that serve it
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
    check_consent(f"the program {show_path(words[0])}")
    if shutil.which(words[0]) is None:
        reason = "is not executable: run 'chmod +x' on it" if is_file(words[0]) else "does not exist"
        raise ResourceError(f"the program {show_path(words[0])} {reason}")
    return LineProgram(tuple(words), _identify(words))


def make_absolute(command: str, folder: str) -> str:
    """Return the command for a process that runs in another folder: words that name files become absolute paths."""
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
            If the program fails on a line as often as the settings allow, or if the answers carry no `id` and their number
            differs from the number of lines.
        """
        cache = open_cache(f"program-{self.identity}")
        keys = {line: content_key(line) for line in lines}
        known = {} if cache is None else cache.get_many(list(keys.values()))
        entries = {line: known[key] for line, key in keys.items() if key in known}
        answers = {line: entry[1:].decode() for line, entry in entries.items() if _counts(entry, settings)}
        missing = [line for line in keys if line not in answers]
        if missing:
            store = _Store(cache, keys)
            _Work(self, missing, check, settings, store).run()
            answers |= store.answers
        return [answers[line] for line in lines]


def _counts(entry: bytes, settings: ProgramSettings) -> bool:
    """Whether an entry of the cache certainly belongs to its line."""
    if entry.startswith(_UNCOUNTED):
        return settings.has_ids and _find_id(entry[1:].decode()) is not None
    return entry.startswith(_KNOWN)


@record(eq=False)
class _Store:
    """Answers as they come, written to the cache at most once a second.

    Attributes
    ----------
    answers
        The answers whose lines are certain.
    held
        Answers without an `id`, of processes that have not ended.
    """

    cache: DiskCache | None
    keys: Mapping[str, bytes]
    answers: dict[str, str] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    _unsaved: dict[bytes, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _saved: list[float] = field(default_factory=lambda: [0.0])

    def add(self, answers: Mapping[str, str], *, to_cache: bool = True) -> None:
        """Accept answers; without `to_cache` they serve this run only."""
        with self._lock:
            self.answers.update(answers)
            if to_cache:
                self._unsaved.update({self.keys[line]: _KNOWN + answers[line].encode() for line in answers})
            if time.monotonic() - self._saved[0] > _SAVED_EVERY:
                self._save()

    def hold(self, line: str, answer: str) -> None:
        """Remember an answer that is accepted only if its process ends well."""
        with self._lock:
            self.held[line] = answer

    def release(self, lines: Sequence[str]) -> dict[str, str]:
        """Return the held answers to these lines, and hold them no longer."""
        with self._lock:
            return {line: self.held.pop(line) for line in lines if line in self.held}

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
        self._bad_ends: list[tuple[str, int]] = []  # and the number of answers that are not cached

    def run(self) -> None:
        """Answer all lines; on the first error or Ctrl-C, stop all processes and keep the answers so far."""
        size = self._settings.batch
        batches = [self._lines[start : start + size] for start in range(0, len(self._lines), size)]
        with _interrupted_by_signals(), ThreadPoolExecutor(self._settings.processes) as pool:
            try:
                self._watch([pool.submit(self._answer_batch, batch) for batch in batches])
            finally:
                self._stop.set()
                pool.shutdown(cancel_futures=True)
                self._store.save()
        if self._bad_ends:
            report_message("warning", self._describe_bad_ends(), once=self._program.identity)

    def _watch(self, futures: "Sequence[Future[None]]") -> None:
        waiting, store = set(futures), self._store
        while waiting:
            done, waiting = wait(waiting, timeout=_POLL, return_when=FIRST_EXCEPTION)
            report_progress(self._program.identity, len(store.answers) + len(store.held), len(self._lines))
            for future in done:
                future.result()

    def _answer_batch(self, batch: Sequence[str]) -> None:
        """Start the program again for the lines without an answer, until it fails too often on the same line."""
        left, n_failures = list(batch), 0
        while left and not self._stop.is_set():
            failure = self._ask(left)
            remaining = [line for line in left if line not in self._store.answers]
            n_failures = n_failures + 1 if len(remaining) == len(left) else 0
            if (
                failure is not None and not remaining
            ):  # a line has several answers: none of them can be trusted
                self._store.forget(left)
                raise ResourceError(f"{self._program.identity}: {failure.reason}")
            if failure is not None and n_failures > self._settings.retries:
                raise ResourceError(self._describe(failure))
            left = remaining

    def _ask(self, lines: Sequence[str]) -> "_Failure | None":
        """Give lines to a process and keep its answers; return a failure if some lines have none."""
        try:
            with _Conversation(self._program, lines, self._settings, self._stop) as talk:
                failure = self._listen(talk) or talk.find_failure()
            if failure is not None:
                return replace(failure, n_lost=len(self._store.release(lines)))
            if not self._stop.is_set():
                self._accept_held(lines, talk.bad_end)
            return None
        finally:
            self._store.release(lines)

    def _listen(self, talk: "_Conversation") -> "_Failure | None":
        """Take the answers of a process; return a failure if one of them is not valid."""
        for answer in talk:
            if answer.line is None:
                return self._reject(talk, answer)
            try:
                self._check(answer.line, answer.text)
            except ValueError as error:
                return talk.fail(f"it printed {_shorten(answer.text)}: {error}", answer.line)
            if answer.has_id:
                self._store.add({answer.line: answer.text})
            else:
                self._store.hold(answer.line, answer.text)
        return None

    def _reject(self, talk: "_Conversation", answer: "_Answer") -> "_Failure":
        """Describe an answer to no waiting line; if it is the second one to a line, the first is forgotten, too."""
        if (line := talk.line_of(answer)) is None:
            return talk.fail(f"it printed {_shorten(answer.text)}, which answers no line")
        self._store.forget([line])
        return talk.fail(f"it printed {_shorten(answer.text)}, a second answer with this id", line)

    def _accept_held(self, lines: Sequence[str], bad_end: str | None) -> None:
        """Accept the answers of a process that answered all its lines; for this run only if it ended badly."""
        held = self._store.release(lines)
        self._store.add(held, to_cache=bad_end is None)
        if bad_end is not None:
            self._bad_ends.append((bad_end, len(held)))

    def _describe_bad_ends(self) -> str:
        """Name the first process that answered all its lines and ended badly, and say how many did."""
        first, n_uncached = self._bad_ends[0][0], sum(number for _, number in self._bad_ends)
        number = f" (the first of {len(self._bad_ends):,} such processes)" if len(self._bad_ends) > 1 else ""
        cached = "" if not n_uncached or self._store.cache is None else ", but not cached"
        return f"{self._program.identity} {first}{number}; its answers are used{cached}"

    def _describe(self, failure: "_Failure") -> str:
        """Name the failed line, and say which answers are kept."""
        n_certain = len(self._store.answers) - sum(number for _, number in self._bad_ends)
        n_kept = 0 if self._store.cache is None else n_certain
        kept = f"; kept: {_count(n_kept, 'answer')}" if n_kept else ""
        if failure.n_lost and self._settings.has_ids:
            lost = _count(failure.n_lost, "answer")
            kept += f"; not kept: {lost} without id, print it with each answer"
        return f"{self._program.identity} failed on {_quote(failure.line)}: {failure.reason}{kept}"


@contextmanager
def _interrupted_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP act as Ctrl-C does, because programs in groups of their own do not get these signals."""
    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    is_main = threading.current_thread() is threading.main_thread()
    changed = [number for number in signals if is_main and signal.getsignal(number) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)


class _Answer(NamedTuple):
    """A line that a program printed, and the line that it answers; None if it answers none that waits."""

    line: str | None
    text: str
    has_id: bool


@record
class _Failure:
    """The reason why lines have no answer, the first of them, and the number of answers that are not kept."""

    line: str
    reason: str
    n_lost: int = 0


class _Conversation:
    """One process: lines go in, and answers come out in the same order, or in any order if they have an `id`.

    Attributes
    ----------
    bad_end
        The way in which the process ended after it had answered all lines; None if it ended well.
    """

    def __init__(
        self, program: LineProgram, lines: Sequence[str], settings: ProgramSettings, stop: threading.Event
    ) -> None:
        self._program, self._lines, self._settings, self._stop = program, lines, settings, stop
        self._waiting = dict.fromkeys(lines)
        self._by_id = {_find_id(line): line for line in lines} if settings.has_ids else {}
        self._n_uncertain = 0
        self._came: queue.Queue[bytes | None] = queue.Queue(_WAITING)
        self._messages = bytearray()
        self._is_over = threading.Event()
        self._is_late = False
        self.bad_end: str | None = None
        self._process = _start(program.words)
        self._guard = _start_guard(self._process)
        process, begin = self._process, _start_thread
        self._collector = begin(_collect, process.stderr, self._messages)
        reader = begin(_read, process.stdout, self._came, self._is_over)
        self._threads = [begin(_write, process.stdin, lines), reader, self._collector]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        _end_guard(self._guard)
        _kill(self._process)
        until = time.monotonic() + _FAREWELL
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        for thread in self._threads:  # a program that left its group may still hold the pipes
            thread.join(max(0.0, until - time.monotonic()))

    def __iter__(self) -> Iterator[_Answer]:
        """Yield each answer with its line.

        Raises
        ------
        ResourceError
            If all lines have an answer, and one without an `id` follows.
        """
        while (data := self._next()) is not None:
            text = data.decode("utf-8", "replace").strip()
            key = _find_id(text) if self._settings.has_ids else None
            self._n_uncertain += key is None
            if key is None and not self._waiting:
                raise self._miscount(f"more than {_count(len(self._lines), 'answer')}")
            line = next(iter(self._waiting)) if key is None else self._by_id.get(key)
            if line is not None and line not in self._waiting:
                line = None
            if line is not None:
                del self._waiting[line]
            yield _Answer(line, text, has_id=key is not None)

    def line_of(self, answer: _Answer) -> str | None:
        """Return the line with the `id` of an answer, answered or not."""
        return self._by_id.get(_find_id(answer.text))

    def _next(self) -> bytes | None:
        """Wait for the next line of the program; None at the end, after a stop request, or if it takes too long."""
        until = time.monotonic() + self._settings.timeout
        while not self._stop.is_set():
            with suppress(queue.Empty):
                return self._came.get(timeout=_POLL)
            if time.monotonic() > until:
                self._is_late = True
                return None
            if not self._waiting and self._process.poll() is not None:
                _kill(self._process)  # its children, which may hold the pipe open
                until = min(until, time.monotonic() + _FAREWELL)  # others may have left the group
        return None

    def fail(self, reason: str, line: str | None = None) -> _Failure:
        """Describe a failure on a line, by default the first that waits for an answer."""
        failed = line or next(iter(self._waiting), self._lines[-1])
        return _Failure(failed, reason)

    def find_failure(self) -> _Failure | None:
        """Return the reason why lines have no answer; None if all have one, and after a stop request.

        Raises
        ------
        ResourceError
            If the process ended well, but has printed too few answers, some of them without an `id`.
        """
        code = self._wait_for_end()
        if self._stop.is_set():
            return None
        if not self._waiting:
            self.bad_end = self._describe_bad_end(code)
            return None
        if code is None:
            return self.fail(f"it printed nothing for {self._settings.timeout:g} seconds")
        if code == 0 and self._n_uncertain:
            raise self._miscount(_count(len(self._lines) - len(self._waiting), "answer"))
        return self.fail(f"it ended with exit code {code}" + (self._last_message() or " before it answered"))

    def _wait_for_end(self) -> int | None:
        """Return the exit code of the process; None if it does not end in time."""
        until = time.monotonic() + (0 if self._is_late else self._settings.timeout)
        while not self._stop.is_set():
            with suppress(subprocess.TimeoutExpired):
                return self._process.wait(_POLL)
            if time.monotonic() > until:
                return None
        return None

    def _describe_bad_end(self, code: int | None) -> str | None:
        if code == 0:
            return None
        if code is None:
            return f"did not end within {self._settings.timeout:g} seconds after its last answer"
        return f"ended with exit code {code} after its last answer{self._last_message()}"

    def _last_message(self) -> str:
        """Return the last line of the program's error messages in brackets; nothing if there is none."""
        self._collector.join(_FAREWELL)
        lines = bytes(self._messages).decode("utf-8", "replace").strip().splitlines()
        return f" ({lines[-1].strip()[:200]})" if lines else ""

    def _miscount(self, given: str) -> ResourceError:
        remedy = ", with its id; answers without an id are not kept" if self._settings.has_ids else ""
        return ResourceError(
            f"{self._program.identity} printed {given} for {_count(len(self._lines), 'line')}:"
            f" print one answer for each line{remedy}"
        )


def _start(words: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start a program in a process group of its own, so that it can be stopped together with its children."""
    try:
        return subprocess.Popen(  # noqa: S603 - the user named this program
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
    except OSError as error:
        raise ResourceError(
            f"the program {show_path(words[0])} cannot be started: {error.strerror or error};"
            " a script begins with a line such as #!/bin/sh"
        ) from None


# When its input ends, because the process that holds the other end is gone, it kills the group.
_GUARD = ("/bin/sh", "-c", 'read _; kill -s KILL -- "-$1"', "sh")


def _start_guard(process: "subprocess.Popen[bytes]") -> "subprocess.Popen[bytes] | None":
    """Let a shell stop a program and its children if this process is killed, as workers of a cluster are."""
    if sys.platform == "win32":
        return None
    nothing = subprocess.DEVNULL
    with suppress(OSError):
        return subprocess.Popen(  # noqa: S603 - it is our own
            [*_GUARD, str(process.pid)],
            stdin=subprocess.PIPE,
            stdout=nothing,
            stderr=nothing,
            start_new_session=True,
        )
    return None


def _end_guard(guard: "subprocess.Popen[bytes] | None") -> None:
    if guard is not None:
        guard.kill()
        guard.communicate()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Stop a process and its children; on Windows, which has no groups of processes, the process alone."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(OSError):  # all have ended
            os.killpg(process.pid, signal.SIGKILL)


def _start_thread(target: Callable[..., None], *args: object) -> threading.Thread:
    thread = threading.Thread(target=target, args=args, daemon=True)
    thread.start()
    return thread


def _write(stream: IO[bytes], lines: Sequence[str]) -> None:
    with suppress(OSError), stream:  # the program may end before it has read everything
        for line in lines:
            stream.write(f"{line}\n".encode("utf-8", "surrogatepass"))
            stream.flush()


def _read(stream: IO[bytes], came: "queue.Queue[bytes | None]", is_over: threading.Event) -> None:
    """Pass on the lines of a program, and None at the end, as fast as they are used."""
    with suppress(OSError), stream:
        while (data := stream.readline(_LONGEST)) and _put(came, data, is_over):
            pass
    _put(came, None, is_over)


def _put(came: "queue.Queue[bytes | None]", data: bytes | None, is_over: threading.Event) -> bool:
    """Wait until the queue takes a line; return False if the conversation is over."""
    while not is_over.is_set():
        with suppress(queue.Full):
            came.put(data, timeout=_POLL)
            return True
    return False


def _collect(stream: IO[bytes], messages: bytearray) -> None:
    """Read the error messages of a program, and remember their end."""
    with suppress(OSError), stream:
        while data := os.read(stream.fileno(), _BLOCK):
            messages += data
            del messages[:-_TAIL]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _find_id(line: str) -> str | None:
    """Return the `id` of a JSON object; None for other lines."""
    if not line.startswith("{"):
        return None
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
