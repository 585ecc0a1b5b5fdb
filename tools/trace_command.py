"""Count the functions of Tertium that a command calls, and the files that they are in.

    python tools/trace_command.py [--list] [--imports] score -r ref.txt -i systems/*.txt -m bleu,std --ci

The command runs in this process. Every function of src/tertium counts once, however often it is called, and on
whichever thread. A class body, a module body and a comprehension are not functions. `--list` prints the functions
by file with the number of their calls; `--imports` prints the modules of Tertium that were imported.
"""

import sys
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType

PACKAGE = str(Path(__file__).resolve().parent.parent / "src" / "tertium")
_OPTIMIZED = 1  # the flag of code with fast local variables: functions have it, modules and classes do not


def main() -> None:
    """Trace the command line that follows the options of this tool."""
    words, options = sys.argv[1:], set[str]()
    while words and words[0] in ("--list", "--imports"):
        options.add(words.pop(0))
    calls = trace(words)
    files = {code.co_filename for code in calls}
    if "--list" in options:
        _print_calls(calls)
    if "--imports" in options:
        print(*sorted(name for name in sys.modules if name.startswith("tertium")), sep="\n", file=sys.stderr)
    print(f"{len(calls)} functions in {len(files)} files", file=sys.stderr)


def trace(words: list[str]) -> Counter[CodeType]:
    """Run a command of `tertium` and count the calls of each function of the package."""
    calls = Counter[CodeType]()

    def count(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and _is_function(code):
            calls[code] += 1

    threading.setprofile(count)
    sys.setprofile(count)
    try:
        with suppress(SystemExit):
            from tertium.cli.main import main as run  # noqa: PLC0415 - imports are traced too

            sys.argv = ["tertium", *words]
            run()
    finally:
        sys.setprofile(None)
    return calls


def _is_function(code: CodeType) -> bool:
    name = code.co_name
    return bool(code.co_flags & _OPTIMIZED) and (not name.startswith("<") or name == "<lambda>")


def _print_calls(calls: Counter[CodeType]) -> None:
    order = sorted(calls, key=lambda code: (code.co_filename, code.co_firstlineno))
    for code in order:
        path = code.co_filename.removeprefix(PACKAGE).lstrip("/")
        print(f"{path}:{code.co_firstlineno} {code.co_qualname} {calls[code]}", file=sys.stderr)


if __name__ == "__main__":
    main()
