"""Tertium: which translation system is better, by how much, how certain that is, and why.

>>> import tertium
>>> result = tertium.score(["the cat sat on the mat"], ["the cat sat on a mat"], "bleu,wer")
>>> round(result["wer"]["system"].value, 2)
16.67
"""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.api import paraphrases, vectors
    from tertium.api.align import align
    from tertium.api.challenge import challenge
    from tertium.api.cite import cite
    from tertium.api.compare import compare
    from tertium.api.doctor import doctor
    from tertium.api.explain import explain
    from tertium.api.gate import gate
    from tertium.api.history import history
    from tertium.api.human import human
    from tertium.api.lists import list_data, list_languages, list_metrics
    from tertium.api.mbr import mbr, pairwise
    from tertium.api.meta import meta
    from tertium.api.parse import parse
    from tertium.api.plan import plan
    from tertium.api.report import report
    from tertium.api.runs import open_run, rerun, show
    from tertium.api.score import score
    from tertium.api.score_sets import score_sets
    from tertium.api.segments import segments
    from tertium.api.select import select
    from tertium.api.sentences import sentences
    from tertium.api.sweep import sweep
    from tertium.api.tune import tune
    from tertium.catalog import ResourceChoice
    from tertium.corpus import read_corpus
    from tertium.errors import TertiumError
    from tertium.metaeval.data import JudgedData
    from tertium.progress import use_progress
    from tertium.types import Corpus

# Where each public name lives: imported on first use, so that the command line starts without numpy.
_HOMES = {
    "Corpus": "tertium.types",
    "JudgedData": "tertium.metaeval.data",
    "ResourceChoice": "tertium.catalog",
    "TertiumError": "tertium.errors",
    "align": "tertium.api.align",
    "challenge": "tertium.api.challenge",
    "cite": "tertium.api.cite",
    "compare": "tertium.api.compare",
    "doctor": "tertium.api.doctor",
    "explain": "tertium.api.explain",
    "gate": "tertium.api.gate",
    "human": "tertium.api.human",
    "history": "tertium.api.history",
    "list_data": "tertium.api.lists",
    "list_languages": "tertium.api.lists",
    "list_metrics": "tertium.api.lists",
    "mbr": "tertium.api.mbr",
    "meta": "tertium.api.meta",
    "open_run": "tertium.api.runs",
    "pairwise": "tertium.api.mbr",
    "parse": "tertium.api.parse",
    "plan": "tertium.api.plan",
    "read_corpus": "tertium.corpus",
    "report": "tertium.api.report",
    "rerun": "tertium.api.runs",
    "score": "tertium.api.score",
    "sentences": "tertium.api.sentences",
    "segments": "tertium.api.segments",
    "score_sets": "tertium.api.score_sets",
    "select": "tertium.api.select",
    "show": "tertium.api.runs",
    "sweep": "tertium.api.sweep",
    "tune": "tertium.api.tune",
    "use_progress": "tertium.progress",
}

# Names of version 0.2, each with the name that replaces it.
_DEPRECATED = {"diagnose": "doctor", "write_report": "report"}

__all__ = [
    "Corpus",
    "JudgedData",
    "ResourceChoice",
    "TertiumError",
    "__version__",
    "align",
    "challenge",
    "cite",
    "compare",
    "doctor",
    "explain",
    "gate",
    "history",
    "human",
    "list_data",
    "list_languages",
    "list_metrics",
    "mbr",
    "meta",
    "open_run",
    "pairwise",
    "paraphrases",
    "parse",
    "plan",
    "read_corpus",
    "report",
    "rerun",
    "score",
    "score_sets",
    "segments",
    "select",
    "sentences",
    "show",
    "sweep",
    "tune",
    "use_progress",
    "vectors",
]

__version__ = "0.2.0"


def _check_interpreter() -> None:
    """Raise in a sub-interpreter.

    Kernels release the GIL and take it again through an interface of Python that knows the main interpreter only: in
    another one they would wait forever. NumPy raises an error of many lines there.
    """
    for name in ("_interpreters", "_xxsubinterpreters"):  # from Python 3.13 on, and before
        try:
            module: Any = import_module(name)
        except ImportError:
            continue
        found = (module.get_current(), module.get_main())
        current, main = (each[0] if isinstance(each, tuple) else int(each) for each in found)
        if current != main:
            raise ImportError(
                "tertium does not work in a sub-interpreter; import it in the main interpreter, or use a process of its own"
            )
        return


_check_interpreter()


def __getattr__(name: str) -> Any:
    if name in ("paraphrases", "vectors"):
        return import_module(f"tertium.api.{name}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _DEPRECATED:
        message = f"tertium.{name} is deprecated; use tertium.{_DEPRECATED[name]}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(import_module("tertium.api.deprecated"), name)
    from tertium.errors import suggest  # noqa: PLC0415 - needed for mistakes only

    hint = "" if name.startswith("_") else suggest(name, __all__, otherwise="dir(tertium) lists all names")
    raise AttributeError(f"module 'tertium' has no attribute {name!r}{hint and f'; {hint}'}")


def __dir__() -> list[str]:
    return sorted(__all__)
