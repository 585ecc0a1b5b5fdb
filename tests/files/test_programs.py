"""Programs that answer lines: which answers are kept, and that no process of theirs is left."""

import json
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import OptionError, ResourceError
from tertium.files import programs
from tertium.files.cache import content_key, open_cache
from tertium.files.programs import load_program, make_absolute
from tertium.interfaces import ProgramSettings
from tertium.progress import use_progress

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")

LINES = [
    f'{{"id": "{name}", "n": {number}}}' for number, name in enumerate(["one", "two", "three", "four"], 1)
]
BY_NUMBER = ["1", "2", "3", "4"]

ECHO = 'while read -r line; do echo "$line" >> calls; n=${line##* }; echo ${n%?}; done\n'
ECHO_WITH_ID = 'while read -r line; do echo "$line" >> calls; echo "$line"; done\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    return tmp_path


def write(code: str) -> None:
    path = Path("judge.sh")
    path.write_text(f"#!/bin/sh\n{code}", encoding="utf-8")
    path.chmod(0o755)


def accept(line: str, answer: str) -> None:
    """Accept all answers but 'bad'."""
    if answer == "bad":
        raise ValueError("it is bad")


def ask(lines: Sequence[str] = LINES, **settings: Any) -> list[str]:
    given: dict[str, Any] = {"retries": 0, **settings}
    return load_program("./judge.sh").answer(lines, accept, ProgramSettings(**given))


def ask_aloud(**settings: Any) -> tuple[list[str], list[str]]:
    """Return the answers, and the messages meanwhile."""
    messages: list[str] = []
    with use_progress(None, lambda kind, text: messages.append(f"{kind}: {text}")):
        return ask(**settings), messages


def count_calls() -> int:
    return len(Path("calls").read_text(encoding="utf-8").splitlines())


# If the file `fixed` exists, the same program answers all lines.
MISCOUNTS = {
    "skips a line": (
        'while read -r line; do case "$line" in *two*) ;; *) echo 7;; esac; done',
        "printed 3 answers for 4 lines",
    ),
    "skips the last line": (
        'while read -r line; do case "$line" in *four*) ;; *) echo 7;; esac; done',
        "printed 3 answers for 4 lines",
    ),
    "one number for the batch": ("cat > /dev/null; echo 7", "printed 1 answer for 4 lines"),
    "one answer too many": (
        "while read -r line; do echo 7; done; echo 7",
        "printed more than 4 answers for 4 lines",
    ),
    "two answers for each line": (
        "while read -r line; do echo 7; echo 7; done",
        "printed more than 4 answers for 4 lines",
    ),
    "endless answers": ("yes 7", "printed more than 4 answers for 4 lines"),
    "ids for some lines only": (
        'while read -r line; do case "$line" in *two*) ;; *three*) echo 7;; *) echo "$line";; esac; done',
        "printed 3 answers for 4 lines",
    ),
}


@pytest.mark.parametrize(("code", "message"), MISCOUNTS.values(), ids=MISCOUNTS)
@pytest.mark.parametrize("has_ids", [True, False])
def test_a_wrong_number_of_answers_is_an_error_and_none_is_kept(
    code: str, message: str, has_ids: bool
) -> None:
    write(f"if [ ! -e fixed ]; then {code}; exit 0; fi\n{ECHO}")
    with pytest.raises(ResourceError, match=rf"judge.sh\[\w+\] {message}: print one answer for each line"):
        ask(retries=5, has_ids=has_ids)
    Path("fixed").touch()
    answers = ask(has_ids=has_ids)
    assert [json.loads(answer).get("n") if "{" in answer else int(answer) for answer in answers] == [
        1,
        2,
        3,
        4,
    ]


def test_a_wrong_batch_loses_only_its_own_answers() -> None:
    write(
        'while read -r line; do case "$line" in *four*) [ ! -e fixed ] && exit 0;; esac\n'
        'echo "$line" >> calls; n=${line##* }; echo ${n%?}; done\n'
    )
    with pytest.raises(ResourceError, match="printed 1 answer for 2 lines"):
        ask(batch=2)
    assert count_calls() == 3
    Path("fixed").touch()
    assert ask(batch=2) == BY_NUMBER
    assert count_calls() == 5


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        ("exit 3", "it ended with exit code 3 before it answered"),
        ("echo sorry >&2; exit 3", r"it ended with exit code 3 \(sorry\)"),
        ("echo bad", "it printed 'bad': it is bad"),
        ("kill -9 $$", "it ended with exit code -9 before it answered"),
    ],
)
@pytest.mark.parametrize("has_ids", [True, False])
def test_answers_before_a_failure_are_kept_if_they_have_an_id(
    failure: str, reason: str, has_ids: bool
) -> None:
    fails = f'case "$line" in *three*) [ -e fixed ] || {{ {failure}; }};; esac; '
    write((ECHO_WITH_ID if has_ids else ECHO).replace("do ", f"do {fails}", 1))
    kept = "kept: 2 answers" if has_ids else "not kept: 2 answers without id, print it with each answer"
    with pytest.raises(ResourceError, match=rf"failed on the line '.*three.*': {reason}; {kept}"):
        ask()
    Path("fixed").touch()
    Path("calls").unlink()
    assert len(ask()) == 4
    assert count_calls() == (2 if has_ids else 4)


def test_a_failed_process_without_ids_is_started_again_with_all_lines() -> None:
    write(f"if [ ! -e tried ]; then touch tried; read -r line; echo 7; exit 1; fi\n{ECHO}")
    assert ask(retries=1) == BY_NUMBER


@pytest.mark.parametrize("has_ids", [True, False])
def test_a_bad_end_after_all_answers_is_a_warning(has_ids: bool) -> None:
    write(f"{ECHO_WITH_ID if has_ids else ECHO}echo first >&2; echo quota >&2; exit 1\n")
    expected = LINES if has_ids else BY_NUMBER
    cached = "" if has_ids else ", but not cached"
    message = f"ended with exit code 1 after its last answer (quota); its answers are used{cached}"
    identity = load_program("./judge.sh").identity
    assert ask_aloud() == (expected, [f"warning: {identity} {message}"])
    assert ask_aloud()[0] == expected
    assert count_calls() == (4 if has_ids else 8)


def test_bad_ends_of_many_processes_are_one_warning() -> None:
    write(f"{ECHO}exit 1\n")
    _, (message,) = ask_aloud(batch=1)
    assert "after its last answer (the first of 4 such processes); its answers are used" in message


def test_the_last_message_is_found_behind_many_others() -> None:
    write("head -c 3000000 /dev/zero | tr '\\0' '\\n' >&2; echo the end >&2; exit 1\n")
    with pytest.raises(ResourceError, match=r"exit code 1 \(the end\)"):
        ask()


def test_a_line_that_was_answered_twice_is_asked_again() -> None:
    twice = 'if [ ! -e tried ]; then touch tried; echo \'{"id": "one", "n": 9}\'; fi\n'
    write(f"{twice}{ECHO_WITH_ID}")
    assert ask(retries=1) == LINES
    assert ask() == LINES  # from the cache
    write('while read -r line; do echo "$line"; echo "$line"; done\n')
    with pytest.raises(
        ResourceError, match=r"failed on the line '.*one.*': it printed .*, a second answer with this id"
    ):
        ask(retries=2)


def test_answers_of_earlier_versions_count_only_with_an_id() -> None:
    write(ECHO)
    cache = open_cache(f"program-{load_program('./judge.sh').identity}")
    assert cache is not None
    cache.put_many({content_key(LINES[0]): b"=7", content_key(LINES[1]): b'={"id": "two", "score": 8}'})
    assert ask() == ["1", '{"id": "two", "score": 8}', "3", "4"]
    cache.put_many({content_key(LINES[1]): b'={"id": "two", "score": 8}'})
    assert ask(has_ids=False) == BY_NUMBER  # of a tokenizer


def test_texts_that_are_json_are_no_ids() -> None:
    write(ECHO_WITH_ID)
    lines = ['{"id": "a"}', '{"id":  "a"}', "{}", "b"]
    assert ask(lines, has_ids=False) == lines


def test_answers_are_read_no_faster_than_they_are_used() -> None:
    class Endless(BytesIO):
        n_read = 0

        def readline(self, _: int | None = -1) -> bytes:
            self.n_read += 1
            return b"1\n"

    stream, came, is_over = Endless(), queue.Queue[bytes | None](3), threading.Event()
    reader = threading.Thread(target=programs._read, args=(stream, came, is_over), daemon=True)
    reader.start()
    for _ in range(5):
        assert came.get(timeout=60) == b"1\n"
    is_over.set()
    reader.join(60)
    assert not reader.is_alive()
    assert stream.n_read <= 5 + 3 + 1


def test_the_queue_of_a_process_is_bounded() -> None:
    write(ECHO)
    with programs._Conversation(
        load_program("./judge.sh"), LINES, ProgramSettings(), threading.Event()
    ) as talk:
        assert 0 < talk._came.maxsize <= 1000


class Marker:
    """A pipe that the processes of a program hold open for writing as long as they live."""

    def __init__(self) -> None:
        os.mkfifo("alive")
        self._pipe = os.open("alive", os.O_RDONLY | os.O_NONBLOCK)

    def close(self) -> None:
        os.close(self._pipe)

    def wait_for_start(self) -> None:
        assert select.select([self._pipe], [], [], 60)[0], "the program did not start"
        assert os.read(self._pipe, 100)

    def wait_for_end(self) -> None:
        while select.select([self._pipe], [], [], 60)[0]:
            if not os.read(self._pipe, 100):
                return
        pytest.fail("a process is left")


@pytest.fixture
def marker(folder: Path) -> Iterator[Marker]:
    made = Marker()
    yield made
    made.close()


class Clock:
    """A clock that stands still until the program says that it hangs."""

    now = 0.0

    def monotonic(self) -> float:
        self.now += 1000.0 * Path("hangs").exists()
        return self.now


HANG = "exec 9> alive; echo started >&9\ntouch hangs\nsleep 1000\ntrue\n"


@pytest.mark.parametrize(
    "before", ["", "read -r line; echo 7\n", "exec >&-\n"], ids=["silent", "late", "closed"]
)
def test_a_timeout_stops_the_children_too(
    before: str, marker: Marker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "time", Clock())
    write(before + HANG)
    with pytest.raises(ResourceError, match="it printed nothing for 600 seconds"):
        ask()
    marker.wait_for_start()
    marker.wait_for_end()


def test_a_program_that_does_not_end_is_stopped_with_a_warning(
    marker: Marker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "time", Clock())
    write(ECHO + HANG)
    answers, (message,) = ask_aloud()
    assert answers == BY_NUMBER
    assert "did not end within 600 seconds after its last answer; its answers are used" in message
    marker.wait_for_start()
    marker.wait_for_end()


@pytest.mark.parametrize(
    "code",
    [
        "sleep 1000 & yes 7\n",
        "sleep 1000 & echo bad\nwait\n",
        f"sleep 1000 &\n{ECHO}exit 0\n",
        f"sleep 1000 &\n{ECHO_WITH_ID}exit 1\n",
        "sleep 1000 > /dev/null 2>&1 &\nexit 1\n",
    ],
    ids=["surplus", "bad answer", "good end", "bad end", "failure"],
)
@pytest.mark.parametrize("processes", [1, 3])
def test_no_process_is_left(code: str, processes: int, marker: Marker) -> None:
    write(f"exec 9> alive; echo started >&9\n{code}")
    try:
        ask(batch=1 if "yes" not in code else 2, processes=processes)
    except ResourceError:
        assert "exit 0" not in code
    marker.wait_for_start()
    marker.wait_for_end()


INTERRUPTED = """\
from tertium.files.programs import load_program, make_absolute
from tertium.interfaces import ProgramSettings
try:
    load_program("./judge.sh").answer(["a", "b"], print, ProgramSettings(batch=1, processes=2))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupted_run_stops_the_children_too(name: str, marker: Marker) -> None:
    write("exec 9> alive; echo started >&9\nsleep 1000\ntrue\n")
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    marker.wait_for_start()
    process.send_signal(getattr(signal, name))
    assert process.communicate(timeout=60)[0] == "interrupted\n"
    marker.wait_for_end()


@pytest.mark.slow
def test_a_killed_run_leaves_no_process(marker: Marker) -> None:
    """As workers of a cluster are killed, or processes that take too much memory."""
    write("read -r line || exit\nexec 9> alive; echo started >&9\nsleep 1000\ntrue\n")
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    marker.wait_for_start()
    process.kill()
    process.communicate(timeout=60)
    marker.wait_for_end()


def test_signals_of_the_user_stay() -> None:
    write(ECHO)

    def mine(*_: object) -> None:
        pass

    before = signal.signal(signal.SIGTERM, mine)
    try:
        ask()
        assert signal.getsignal(signal.SIGTERM) is mine
    finally:
        signal.signal(signal.SIGTERM, before)
    ask(["another line"])
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_child_that_leaves_the_group_does_not_hang_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_FAREWELL", 0.1)
    leave = "import os, sys, time; os.setsid(); open('pid', 'w').write(str(os.getpid())); time.sleep(1000)"
    write(f'{sys.executable} -c "{leave}" &\nwhile [ ! -s pid ]; do sleep 0.1; done\necho bad\nexit 0\n')
    with pytest.raises(ResourceError, match="it printed 'bad'"):
        ask()
    os.kill(int(Path("pid").read_text(encoding="utf-8")), signal.SIGKILL)


def test_a_child_that_leaves_the_group_delays_no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "_FAREWELL", 0.1)
    leave = "import os, sys, time; os.setsid(); open('pid', 'w').write(str(os.getpid())); time.sleep(1000)"
    write(f'{ECHO}{sys.executable} -c "{leave}" &\nwhile [ ! -s pid ]; do sleep 0.1; done\nexit 0\n')
    begin = time.monotonic()
    assert ask(timeout=400) == BY_NUMBER
    assert time.monotonic() - begin < 200  # it does not wait for the time limit
    os.kill(int(Path("pid").read_text(encoding="utf-8")), signal.SIGKILL)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("'judge", 'the command "\'judge" cannot be split into words: No closing quotation'),
        (" ", "the command is empty: write command:PROGRAM"),
        ("./gone.sh", r"the program ./gone\.sh does not exist"),
        ("./text", r"the program ./text is not executable: run 'chmod \+x' on it"),
    ],
)
def test_a_command_that_cannot_run_is_one_line(command: str, message: str) -> None:
    Path("text").write_text("text", encoding="utf-8")
    Path("text").chmod(0o644)
    with pytest.raises((OptionError, ResourceError), match=message):
        load_program(command)


def test_a_script_without_a_first_line_cannot_be_started() -> None:
    write("")
    Path("judge.sh").write_bytes(b"\0\1")
    with pytest.raises(
        ResourceError, match=r"cannot be started: .*; a script begins with a line such as #!/bin/sh"
    ):
        ask()


def test_files_of_a_command_become_absolute_and_other_words_stay(folder: Path) -> None:
    Path("a list").touch()
    assert make_absolute("python 'a list' --fast", str(folder)) == f"python '{folder / 'a list'}' --fast"


def test_an_unknown_id_after_all_answers_loses_the_batch() -> None:
    write(f'{ECHO_WITH_ID}[ -e fixed ] || echo \'{{"id": "five"}}\'\n')
    with pytest.raises(ResourceError, match=r"five.*, which answers no line"):
        ask(has_ids=True)
    Path("fixed").touch()
    assert ask(has_ids=True) == LINES
    assert count_calls() == 8


def test_a_program_may_take_a_while_to_end() -> None:
    write(f"{ECHO}exec >&-\nsleep 1\n")
    answers, messages = ask_aloud()
    assert answers == BY_NUMBER
    assert messages == []


def test_a_failure_quotes_the_output_that_the_line_is_about() -> None:
    write("while read -r line; do echo bad; done\n")
    with pytest.raises(ResourceError, match="the output 'a b'"):
        ask(['{"id": "1", "hypothesis": "a b"}'])


def test_a_system_without_groups_of_processes_stops_the_process_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write(ECHO)
    program = load_program("./judge.sh")
    monkeypatch.setattr(sys, "platform", "win32")
    assert program.answer(LINES, accept, ProgramSettings(retries=0)) == BY_NUMBER


def test_a_system_without_a_shell_runs_programs_without_a_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    write(ECHO)
    monkeypatch.setattr(programs, "_GUARD", ("/missing/sh",))
    assert ask() == BY_NUMBER


def test_an_answer_in_braces_without_an_id_counts_by_its_position() -> None:
    write("while read -r line; do echo '{7'; done\n")
    assert ask() == ["{7"] * 4
    write("while read -r line; do echo '{\"n\": 7}'; done\n")
    assert ask() == ['{"n": 7}'] * 4
