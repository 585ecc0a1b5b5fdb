# Written by `make docs` from the declarations of the commands: the public names, for type checkers.

from tertium.catalog import ResourceChoice as ResourceChoice
from tertium.commands.align.align import align as align
from tertium.commands.compare.compare import compare as compare
from tertium.commands.compare.explain import explain as explain
from tertium.commands.compare.segments import segments as segments
from tertium.commands.human.human import human as human
from tertium.commands.human.selection import select as select
from tertium.commands.inspect import paraphrases as paraphrases
from tertium.commands.inspect import vectors as vectors
from tertium.commands.inspect.cite import cite as cite
from tertium.commands.inspect.doctor import doctor as doctor
from tertium.commands.inspect.lists import list_data as list_data
from tertium.commands.inspect.lists import list_languages as list_languages
from tertium.commands.inspect.lists import list_metrics as list_metrics
from tertium.commands.inspect.parse import parse as parse
from tertium.commands.mbr.mbr import mbr as mbr
from tertium.commands.mbr.mbr import pairwise as pairwise
from tertium.commands.meta.meta import meta as meta
from tertium.commands.meta.tune import tune as tune
from tertium.commands.release.gate import gate as gate
from tertium.commands.release.history import history as history
from tertium.commands.release.plan import plan as plan
from tertium.commands.release.rerun import rerun as rerun
from tertium.commands.release.show import open_run as open_run
from tertium.commands.release.show import show as show
from tertium.commands.report.report import report as report
from tertium.commands.score.score import score as score
from tertium.commands.score.score import score_sets as score_sets
from tertium.corpus import read_corpus as read_corpus
from tertium.engines.accumulator import Accumulator as Accumulator
from tertium.errors import TertiumError as TertiumError
from tertium.metaeval.data import JudgedData as JudgedData
from tertium.progress import use_progress as use_progress
from tertium.values import Corpus as Corpus

__all__ = [
    "Accumulator",
    "Corpus",
    "JudgedData",
    "ResourceChoice",
    "TertiumError",
    "__version__",
    "align",
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
    "show",
    "tune",
    "use_progress",
    "vectors",
]
__version__: str
OWN_NAMES: dict[str, str]
