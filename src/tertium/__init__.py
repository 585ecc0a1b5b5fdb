"""Tertium: which translation system is better, by how much, how sure is that, and why.

>>> import tertium
>>> result = tertium.score(["the cat sat on the mat"], ["the cat sat on a mat"], "bleu,wer")
>>> round(result["wer"]["system"].value, 2)
16.67
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.api import paraphrases, vectors
    from tertium.api.compare import compare
    from tertium.api.diagnose import diagnose
    from tertium.api.explain import explain
    from tertium.api.gate import gate
    from tertium.api.listing import list_languages, list_metrics
    from tertium.api.meta import meta
    from tertium.api.parse import parse
    from tertium.api.report import write_report
    from tertium.api.runs import open_run
    from tertium.api.score import score
    from tertium.api.sweep import sweep
    from tertium.api.tune import tune
    from tertium.catalog import ResourceChoice
    from tertium.corpus import read_corpus
    from tertium.errors import TertiumError
    from tertium.metaeval.data import JudgedData
    from tertium.types import Corpus

# Where each public name lives: imported when it is first asked for, so that the command line starts without numpy.
_HOMES = {
    "Corpus": "tertium.types",
    "JudgedData": "tertium.metaeval.data",
    "ResourceChoice": "tertium.catalog",
    "TertiumError": "tertium.errors",
    "compare": "tertium.api.compare",
    "diagnose": "tertium.api.diagnose",
    "explain": "tertium.api.explain",
    "gate": "tertium.api.gate",
    "list_languages": "tertium.api.listing",
    "list_metrics": "tertium.api.listing",
    "meta": "tertium.api.meta",
    "open_run": "tertium.api.runs",
    "parse": "tertium.api.parse",
    "read_corpus": "tertium.corpus",
    "score": "tertium.api.score",
    "sweep": "tertium.api.sweep",
    "tune": "tertium.api.tune",
    "write_report": "tertium.api.report",
}

__all__ = [
    "Corpus",
    "JudgedData",
    "ResourceChoice",
    "TertiumError",
    "__version__",
    "compare",
    "diagnose",
    "explain",
    "gate",
    "list_languages",
    "list_metrics",
    "meta",
    "open_run",
    "paraphrases",
    "parse",
    "read_corpus",
    "score",
    "sweep",
    "tune",
    "vectors",
    "write_report",
]

__version__ = "0.2.0"


def __getattr__(name: str) -> Any:
    if name in ("paraphrases", "vectors"):
        return import_module(f"tertium.api.{name}")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'tertium' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
