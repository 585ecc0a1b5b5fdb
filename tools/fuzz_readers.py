"""Fuzz one reader with coverage guidance by atheris (pip install atheris; not a dependency of the project).

    python tools/fuzz_readers.py read_corpus -max_total_time=60

The names are those of READERS in tests/fuzz/test_readers.py; further arguments are passed to libFuzzer. The first byte
of an input selects the suffix of the file name, the rest is the content. Any exception that is not a TertiumError stops
the run and leaves the input in a file crash-*.
"""

import sys
import tempfile
from pathlib import Path
from types import FunctionType

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import atheris

from fuzz.test_readers import READERS, write_file
from hostile.clean import outcome


def main() -> None:
    """Fuzz the named reader, starting from its valid files."""
    name, *arguments = sys.argv[1:]
    read, suffixes, seeds = READERS[name]
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        for number, content in enumerate(seeds):
            for choice in range(len(suffixes)):
                (corpus / f"{number}-{choice}").write_bytes(bytes([choice]) + content)

        def try_once(data: bytes) -> None:
            if data:
                path = Path(folder) / f"file{suffixes[data[0] % len(suffixes)]}"
                write_file(path, data[1:])
                outcome(read, str(path))

        _instrument()
        atheris.Setup([sys.argv[0], *arguments, str(corpus)], try_once)
        atheris.Fuzz()


def _instrument() -> None:
    """Instrument the package for atheris, whose import hook does not cover an editable install."""
    for module in [each for name, each in sys.modules.items() if name.startswith("tertium.")]:
        for value in vars(module).values():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                atheris.instrument_func(value)
            elif isinstance(value, type) and value.__module__ == module.__name__:
                for method in vars(value).values():
                    if isinstance(method, FunctionType):
                        atheris.instrument_func(method)


if __name__ == "__main__":
    main()
