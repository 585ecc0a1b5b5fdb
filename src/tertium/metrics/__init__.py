"""The metrics: one file per metric, in the folder of its family; the file's name is the metric's name.

A class is imported on first use:

>>> from tertium.metrics import WER
>>> WER().sentence_score("the cat sat", ["the cat sat down"]).score
25.0

Plug-ins import from here: `Metric`, `option`, `fitted_field`, and the types `Option`, `Texts`, `References`
and `Explanation`.
"""

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tertium.metrics.base import Metric
from tertium.metrics.options import Option, fitted_field, option
from tertium.text import References, Texts
from tertium.values import Explanation

if TYPE_CHECKING:
    from tertium.metrics.checks.language import Language
    from tertium.metrics.checks.length import Length
    from tertium.metrics.checks.markup import Markup
    from tertium.metrics.checks.numerals import Numerals
    from tertium.metrics.checks.repetition import Repetition
    from tertium.metrics.checks.terms import Terms
    from tertium.metrics.combined.mix import Mix
    from tertium.metrics.embedding.bertscore import BERTScore
    from tertium.metrics.embedding.bleu_modif import BLEUModif
    from tertium.metrics.embedding.has import HAS
    from tertium.metrics.embedding.mas import MAS
    from tertium.metrics.embedding.onehot import OneHot
    from tertium.metrics.embedding.sentvec import SentVec
    from tertium.metrics.embedding.std import STD
    from tertium.metrics.embedding.was import WAS
    from tertium.metrics.embedding.wer_modif import WERModif
    from tertium.metrics.embedding.wmd import WMD
    from tertium.metrics.embedding.wrd import WRD
    from tertium.metrics.embedding.yisi1 import YiSi1
    from tertium.metrics.external.command import Command
    from tertium.metrics.lexical.avgbleu import AvgBLEU
    from tertium.metrics.lexical.beer import BEER
    from tertium.metrics.lexical.bleu import BLEU
    from tertium.metrics.lexical.cder import CDER
    from tertium.metrics.lexical.cer import CER
    from tertium.metrics.lexical.character import CharacTER
    from tertium.metrics.lexical.chrf import ChrF
    from tertium.metrics.lexical.eed import EED
    from tertium.metrics.lexical.invwer import InvWER
    from tertium.metrics.lexical.mer import MER
    from tertium.metrics.lexical.nist import NIST
    from tertium.metrics.lexical.per import PER
    from tertium.metrics.lexical.ribes import RIBES
    from tertium.metrics.lexical.sentbleu import SentBLEU
    from tertium.metrics.lexical.ter import TER
    from tertium.metrics.lexical.wer import WER
    from tertium.metrics.lexical.wil import WIL
    from tertium.metrics.lexical.wip import WIP
    from tertium.metrics.lexical.wordf import WordF
    from tertium.metrics.lexical.yisi0 import YiSi0
    from tertium.metrics.meteor.meteor import METEOR
    from tertium.metrics.neural.bleurt import BLEURT
    from tertium.metrics.neural.comet import COMET
    from tertium.metrics.neural.metricx import MetricX
    from tertium.metrics.neural.srcsim import SrcSim
    from tertium.metrics.syntax.hwcm import HWCM
    from tertium.metrics.syntax.red import RED
    from tertium.metrics.syntax.redp import REDp
    from tertium.metrics.syntax.sempos import SEMPOS

__all__ = [
    "BEER",
    "BLEU",
    "BLEURT",
    "CDER",
    "CER",
    "COMET",
    "EED",
    "HAS",
    "HWCM",
    "MAS",
    "MER",
    "METEOR",
    "NIST",
    "PER",
    "RED",
    "RIBES",
    "SEMPOS",
    "STD",
    "TER",
    "WAS",
    "WER",
    "WIL",
    "WIP",
    "WMD",
    "WRD",
    "AvgBLEU",
    "BERTScore",
    "BLEUModif",
    "CharacTER",
    "ChrF",
    "Command",
    "Explanation",
    "InvWER",
    "Language",
    "Length",
    "Markup",
    "Metric",
    "MetricX",
    "Mix",
    "Numerals",
    "OneHot",
    "Option",
    "REDp",
    "References",
    "Repetition",
    "SentBLEU",
    "SentVec",
    "SrcSim",
    "Terms",
    "Texts",
    "WERModif",
    "WordF",
    "YiSi0",
    "YiSi1",
    "fitted_field",
    "option",
]

_FAMILIES = ("lexical", "embedding", "meteor", "syntax", "checks", "combined", "external", "neural")


_SACREBLEU_NAMES = {"CHRF": "ChrF"}


def __getattr__(name: str) -> Any:
    """Import the metric with this class name; its module has the same name in lower case."""
    module = _modules().get(name.lower())
    found = None
    if module and not name.startswith("_"):
        found = getattr(import_module(module), _SACREBLEU_NAMES.get(name, name), None)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


@cache
def _modules() -> dict[str, str]:
    """Map the name of every metric, without underscores, to its module, without importing it."""
    return {
        module.name.replace("_", ""): f"{__name__}.{family}.{module.name}"
        for family in _FAMILIES
        for module in pkgutil.iter_modules([f"{folder}/{family}" for folder in __path__])
        if not module.name.startswith("_")
    }
